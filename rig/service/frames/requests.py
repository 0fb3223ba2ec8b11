"""What may be asked of frames, readings and corrections, as models."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from geometry.rules import RuleName
from rig.service.http.requests import CardId, Degrees, FrameId, Mm, Px, Version, Wish, Word, whole


class ColourWish(Wish):
    """The card is of another colour."""

    kind: Literal["colour"]
    card: CardId
    colour: Word


class FaceWish(Wish):
    """The card shows another face (and, with `colour`, another colour too)."""

    kind: Literal["face"]
    card: CardId
    face: Word
    colour: Word | None = None


class SideWish(Wish):
    """The card shows its other side."""

    kind: Literal["side"]
    card: CardId
    mirrored: bool


class MoveWish(Wish):
    """The card lies elsewhere: where it is not said, it stays as it is.

    `at_px` is the card's middle in the picture and goes before the millimetres.
    `snap` takes the nearest legal fit.
    """

    kind: Literal["move"]
    card: CardId
    x_mm: Mm | None = None
    y_mm: Mm | None = None
    at_px: Annotated[list[Px], Field(min_length=2, max_length=2)] | None = None
    angle_deg: Degrees | None = None
    snap: bool = False


class OverWish(Wish):
    """The card lies over a neighbour."""

    kind: Literal["over"]
    card: CardId
    other: CardId


class UnderWish(Wish):
    """The card lies under a neighbour."""

    kind: Literal["under"]
    card: CardId
    other: CardId


class RemoveWish(Wish):
    """There is no such card."""

    kind: Literal["remove"]
    card: CardId


class AddWish(Wish):
    """There is one more card, on top; `at_px` or the millimetres say where."""

    kind: Literal["add"]
    colour: Word
    face: Word
    mirrored: bool = False
    x_mm: Mm = 0.0
    y_mm: Mm = 0.0
    at_px: Annotated[list[Px], Field(min_length=2, max_length=2)] | None = None
    angle_deg: Degrees = 0.0
    snap: bool = True


class VerdictWish(Wish):
    """The table calls the placement legal or not."""

    kind: Literal["verdict"]
    card: CardId
    legal: bool
    rule: RuleName | None = None


class SettleWish(Wish):
    """Somebody looked, and the reading is right there."""

    kind: Literal["settle"]
    doubt: Annotated[str, Field(min_length=1, max_length=80)]


class DotWish(Wish):
    """One dot of a card shows, or does not; `dot` is its place among its face's dots."""

    kind: Literal["dot"]
    card: CardId
    dot: Annotated[int, Field(ge=0, le=99), BeforeValidator(whole)]
    shows: bool


class AnswerWish(Wish):
    """One of a doubt's answers, named as the reading names it; not `other`."""

    kind: Literal["answer"]
    doubt: Annotated[str, Field(min_length=1, max_length=80)]
    answer: Word
    value: bool | CardId | Annotated[str, Field(max_length=40)] | None = None


CorrectionWish = Annotated[
    ColourWish
    | FaceWish
    | SideWish
    | MoveWish
    | OverWish
    | UnderWish
    | RemoveWish
    | AddWish
    | VerdictWish
    | SettleWish
    | DotWish
    | AnswerWish,
    Field(discriminator="kind"),
]


class CorrectionRequest(Wish):
    """A correction to the reading at this version."""

    version: Version
    correction: CorrectionWish


class UndoRequest(Wish):
    """Take a correction back, at this version."""

    version: Version


class TogetherRequest(Wish):
    """Read this frame, at this version, as one with others of its table; with none, alone again."""

    version: Version
    frames: Annotated[list[FrameId], Field(max_length=8)]


class KeepRequest(Wish):
    """Keep a frame when space runs short, or no longer."""

    kept: bool
