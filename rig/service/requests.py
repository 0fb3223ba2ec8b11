"""What people send, as models: everything else is refused with its place."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from geometry.deck import Suit
from geometry.rules import RuleName
from rig.rounds.match import LONGEST_NAME, TARGET
from rig.service.pairing import Role
from rig.service.tokens import MOST_DAYS, TokenRole


def _whole(value: object) -> object:
    """JSON knows no whole numbers: 5.0 is 5."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


CardId = Annotated[int, Field(ge=0, le=2**31), BeforeValidator(_whole)]
Version = Annotated[int, Field(ge=0, le=2**53), BeforeValidator(_whole)]
Target = Annotated[int, Field(ge=1, le=100_000, examples=[TARGET]), BeforeValidator(_whole)]
Mm = Annotated[float, Field(ge=-10_000, le=10_000, allow_inf_nan=False)]
Degrees = Annotated[float, Field(ge=-3600, le=3600, allow_inf_nan=False)]
Px = Annotated[float, Field(ge=-100_000, le=100_000, allow_inf_nan=False)]
Word = Annotated[str, Field(min_length=1, max_length=40)]
Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME, pattern=r"^[^\x00-\x1f\x7f]+$")]
FrameId = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[0-9a-f]+$")]
Topic = Annotated[
    str, Field(min_length=1, max_length=100, pattern=r"^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*$")
]
Amount = Annotated[float, Field(ge=0, le=180, allow_inf_nan=False)]


class Wish(BaseModel):
    """A request's body; an unknown key is a mistake, and text is not a number."""

    model_config = ConfigDict(extra="forbid", strict=True)


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
    dot: Annotated[int, Field(ge=0, le=99), BeforeValidator(_whole)]
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


class RestoreRequest(Wish):
    """`dry_run`: only say what restoring would do."""

    dry_run: bool = True


class KeepRequest(Wish):
    """Keep a frame when space runs short, or no longer."""

    kept: bool


class PlayerWish(Wish):
    """Somebody at the table."""

    name: Name
    colour: Word


class ToleranceWish(Wish):
    """Millimetres and degrees; from `legal` to `illegal` a person is asked."""

    legal_mm: Amount = 2.0
    illegal_mm: Amount = 3.0
    legal_deg: Amount = 3.0
    illegal_deg: Amount = 4.5


class WayWish(Wish):
    """The way to play: variants and house rules."""

    limited_space: bool = False
    suits: list[Suit] | None = None
    free_for_all: bool = False
    sabotage: bool = False
    tolerance: ToleranceWish = ToleranceWish()
    off: list[RuleName] = []
    illegal_stay: bool = False
    target: Target | None = None
    one_winner: bool = False


class MatchRequest(Wish):
    """Players in the order in which they sit, clockwise, and how they play."""

    players: Annotated[list[PlayerWish], Field(min_length=1, max_length=16)]
    way: WayWish = WayWish()


class EndRequest(Wish):
    """End a round by a frame; without one the camera takes it now."""

    frame: FrameId | None = None
    finished_first: Word | None = None


class FrameOfRoundRequest(Wish):
    """Another frame for a round that has ended."""

    frame: FrameId


class SignRequest(Wish):
    """Agree to the score at this version of the frame; without a player: the whole table."""

    frame_version: Version
    player: Name | None = None


class DisagreeRequest(Wish):
    """Disagree with the score at this version, and say why; `card` is its id in the reading."""

    frame_version: Version
    reason: Annotated[str, Field(min_length=1, max_length=300, pattern=r"^[^\x00-\x08\x0e-\x1f]+$")]
    card: CardId | None = None
    player: Name | None = None


class FinishedRequest(Wish):
    """Who finished first; null: nobody knows, or it does not matter."""

    finished_first: Word | None


class SeatRequest(Wish):
    """Which player this phone is."""

    player: Name


class ChangedPlayerWish(PlayerWish):
    """Somebody at the table; `was`: the name until now, whose signatures go with it."""

    was: Name | None = None


class PlayersRequest(Wish):
    """Everybody at the table anew, in the order in which they sit, at this version of the match."""

    version: Version
    players: Annotated[list[ChangedPlayerWish], Field(min_length=1, max_length=16)]


class TokenRequest(Wish):
    """Make an access token. `days`: how long it lasts; null: until it is revoked."""

    name: Name
    role: TokenRole
    days: Annotated[int, Field(ge=1, le=MOST_DAYS)] | None


class HookRequest(Wish):
    """Tell this address what happens."""

    name: Name
    url: Annotated[str, Field(min_length=1, max_length=500)]


class BrokerRequest(Wish):
    """Publish at this MQTT broker what happens, and how things stand.

    `ca`: the certificate of the authority that signed the broker's, as PEM, where the system does
    not know it. `topic`: what all topics begin with. `discovery`: where Home Assistant looks for
    devices; null: nothing is put there.
    """

    name: Name
    url: Annotated[str, Field(min_length=1, max_length=500)]
    username: Annotated[str, Field(max_length=200)] = ""
    password: Annotated[str, Field(max_length=200)] = ""
    ca: Annotated[str, Field(max_length=50_000)] = ""
    topic: Topic = "tacta"
    discovery: Topic | None = "homeassistant"


class LensRequest(Wish):
    """Begin a lens calibration: of which camera, with which board.

    `board`: `printed` (that of tacta print), `charuco` or `chessboard` (its size is found), or
    its squares, such as `10x7:25`.
    """

    camera: Literal["rig", "phone"]
    board: Annotated[str, Field(min_length=1, max_length=40)] = "printed"


class CheckRequest(Wish):
    """Check everything. `accept_table`: camera and table stay as they are now."""

    accept_table: bool = False


class EnrolmentRequest(Wish):
    """Begin a deck. `card_width_mm`: where no marker lies beside the cards."""

    name: Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[a-z0-9][a-z0-9-]*$")]
    card_width_mm: Annotated[float, Field(ge=20, le=200)] | None = None


class DeckChoice(Wish):
    """Play with this deck."""

    name: Word


class BlurringChoice(Wish):
    """Whether to blur what lies round the table in photos that are kept."""

    blurring: bool


class SaveLensRequest(Wish):
    """Save the lens that was computed. `force`: though it is poor, or a better one is there."""

    force: bool = False


class TakeLensRequest(SaveLensRequest):
    """The lens for the phone itself to keep; `present`: the lens file that it has now."""

    present: dict[str, Any] | None = None


class PairRequest(Wish):
    """The code of the QR, or the PIN, and what to call the phone."""

    secret: Annotated[str, Field(min_length=1, max_length=100)]
    name: Name


class InviteRequest(Wish):
    """Invite phones to pair."""

    role: Role = "player"
