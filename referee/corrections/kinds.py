"""The corrections a person can make, as values; as JSON they carry their kind."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar

from geometry.pose import Pose


@dataclass(frozen=True, slots=True)
class ChangeColour:
    """The card is of another colour."""

    kind: ClassVar[str] = "colour"
    card: int
    colour: str


@dataclass(frozen=True, slots=True)
class ChangeFace:
    """The card shows another face; `colour` where that changes with it (the starting card)."""

    kind: ClassVar[str] = "face"
    card: int
    face: str
    colour: str | None = None


@dataclass(frozen=True, slots=True)
class ChangeSide:
    """The card shows its other side; its middle and its angle stay."""

    kind: ClassVar[str] = "side"
    card: int
    mirrored: bool


@dataclass(frozen=True, slots=True)
class MoveCard:
    """The card lies elsewhere; millimetres and degrees of the table frame."""

    kind: ClassVar[str] = "move"
    card: int
    x_mm: float
    y_mm: float
    angle_deg: float


@dataclass(frozen=True, slots=True)
class LayOver:
    """The card lies over a neighbour that it overlaps."""

    kind: ClassVar[str] = "over"
    card: int
    other: int


@dataclass(frozen=True, slots=True)
class LayUnder:
    """The card lies under a neighbour that it overlaps."""

    kind: ClassVar[str] = "under"
    card: int
    other: int


@dataclass(frozen=True, slots=True)
class RemoveCard:
    """There is no such card."""

    kind: ClassVar[str] = "remove"
    card: int


@dataclass(frozen=True, slots=True)
class AddCard:
    """There is one more card, on top; `card` is the id that it gets."""

    kind: ClassVar[str] = "add"
    card: int
    colour: str
    face: str
    x_mm: float
    y_mm: float
    angle_deg: float
    mirrored: bool

    @property
    def pose(self) -> Pose:
        """Where it lies."""
        return Pose(self.x_mm, self.y_mm, self.angle_deg, self.mirrored)


@dataclass(frozen=True, slots=True)
class OverruleVerdict:
    """The table calls this placement legal or illegal, whatever was measured.

    `rule` names what it breaks, where the table says so.
    """

    kind: ClassVar[str] = "verdict"
    card: int
    legal: bool
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class SettleDoubt:
    """Somebody looked: the reading is right there. `doubt` is the doubt's key."""

    kind: ClassVar[str] = "settle"
    doubt: str


@dataclass(frozen=True, slots=True)
class CountDot:
    """One dot of a card shows, or does not; `dot` is its place among its face's dots."""

    kind: ClassVar[str] = "dot"
    card: int
    dot: int
    shows: bool


@dataclass(frozen=True, slots=True)
class AnswerDoubt:
    """Somebody answered a doubt: `doubt` is its key, `steps` are what follows from the answer."""

    kind: ClassVar[str] = "answer"
    doubt: str
    answer: str
    value: str | int | bool | None
    steps: "tuple[Correction, ...]" = ()
    card: int | None = None


Correction = (
    ChangeColour
    | ChangeFace
    | ChangeSide
    | MoveCard
    | LayOver
    | LayUnder
    | RemoveCard
    | AddCard
    | OverruleVerdict
    | SettleDoubt
    | CountDot
    | AnswerDoubt
)
KINDS: dict[str, type[Correction]] = {
    kind.kind: kind
    for kind in (
        ChangeColour,
        ChangeFace,
        ChangeSide,
        MoveCard,
        LayOver,
        LayUnder,
        RemoveCard,
        AddCard,
        OverruleVerdict,
        SettleDoubt,
        CountDot,
        AnswerDoubt,
    )
}


def correction_data(correction: Correction) -> dict[str, Any]:
    """The correction as JSON values."""
    data = {"kind": correction.kind, **asdict(correction)}
    if isinstance(correction, AnswerDoubt):
        data["steps"] = [correction_data(step) for step in correction.steps]
    return data


def correction_of(data: Mapping[str, Any]) -> Correction:
    """The correction that these values, kept by `correction_data`, stand for."""
    kind = KINDS[data["kind"]]
    names = {field.name for field in fields(kind)}
    values = {name: value for name, value in data.items() if name in names}
    if "steps" in values:
        values["steps"] = tuple(correction_of(step) for step in values["steps"])
    return kind(**values)
