"""What the service answers, as models: the OpenAPI document is made of them."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from rig.service.pairing import Role
from rig.service.tokens import TokenRole
from rig.store.frames import FrameState

Colour = str
Scores = dict[str, int]
Px = tuple[float, float]


class Document(BaseModel):
    """An answer; nothing that is not described is ever in it."""

    model_config = ConfigDict(extra="forbid")


class Refusal(Document):
    """Why not: a code for programs and a sentence, in the asked-for language, for people."""

    code: str
    message: str
    present: dict[str, Any] | None = Field(
        None, description="For version-conflict: the reading or round as it is now."
    )


class Why(Document):
    """Why a frame has no reading."""

    code: str
    message: str


class CardDocument(Document):
    """One card of a reading."""

    id: int
    colour: Colour
    face: str
    mirrored: bool
    x_mm: float
    y_mm: float
    angle_deg: float
    outline_px: list[Px]
    over: list[int]
    free: bool
    visible_dots: int
    hidden_dots: int
    confidence: float


class IllegalDocument(Document):
    """One illegal placement. `rule` is `ruled` where the players called it illegal; `agreed`: they
    looked at it, and it is.
    """

    card: int
    rule: str
    on: list[int]
    offset_mm: float | None
    offset_deg: float | None
    message: str
    agreed: bool
    answers: list[AnswerDocument] = Field(
        description="It stays illegal, or is legal after all: what follows. A `verdict` says which."
    )
    judged: bool = Field(
        description="Whether they were worked out; else the placement's own address does that."
    )


class AnswerDocument(Document):
    """What was asked may turn out to be, and what follows; `value` is what the answer means.

    `other` is not named, and takes a correction by hand.
    """

    answer: Literal[
        "right", "missing", "there", "face", "side", "colour", "over", "dot", "legal", "other"
    ]
    value: bool | int | str | None
    probability: float | None = Field(
        ge=0,
        le=1,
        description="How probably this is right; null for an illegal placement, of which nothing "
        "is in doubt.",
    )
    scores: Scores
    scores_without_illegal: Scores
    illegal: list[int]


class DoubtAnswerDocument(AnswerDocument):
    """What a doubt may turn out to be, how probably, and what follows.

    `other` is not named, and takes a correction by hand.
    """

    probability: float = Field(ge=0, le=1, description="How probably this is right.")


class DoubtDocument(Document):
    """Something to look at; `key` names it to answer it. Its likeliest answer comes first; what
    the answers leave to 1 is that none of them is right.
    """

    key: str
    kind: str
    card: int | None
    at_px: Px
    reason: str
    changes_scores_by: Scores
    changes_scores_without_illegal_by: Scores
    offset_mm: float | None = None
    offset_deg: float | None = None
    answers: list[DoubtAnswerDocument]
    judged: bool = Field(
        description="Whether all answers were worked out; else the doubt's own address does that."
    )


class OutcomeDocument(Document):
    """A whole score that may be right: what the doubts' answers come to together."""

    scores: Scores
    scores_without_illegal: Scores
    probability: float = Field(ge=0, le=1, description="How probably this is right.")


class ReadingDocument(Document):
    """`tacta-reading/1` of a frame, corrections included, with what corrections need."""

    format: Literal["tacta-reading/1"]
    deck: str
    photo: str
    scores: Scores
    sure: bool
    scores_without_illegal: Scores
    sure_without_illegal: bool
    play_area_mm: tuple[float, float] | None
    scale_px_per_mm: float
    cards: list[CardDocument]
    illegal: list[IllegalDocument]
    doubts: list[DoubtDocument]
    outcomes: list[OutcomeDocument] = Field(
        description="What the scores may turn out to be, the likeliest first; what is left "
        "to 1 is none of them. Empty where no doubt could change a score."
    )
    common_leaders: list[Colour] = Field(
        description="The colours with the most dots without illegal cards, where these are the "
        "same in all outcomes: several that are equal. Else empty."
    )
    frame: str
    version: int = Field(description="Send it with a correction or a signature.")
    corrections: int = Field(description="How many corrections stand.")
    idle_corrections: list[int] = Field(
        description="Corrections that find no hold since one before them was undone."
    )


class FrameLinks(Document):
    """Where to go from a frame."""

    self: str
    picture: str
    overlay: str
    reading: str
    corrections: str
    scene: str


class RoundName(Document):
    """Which round, of which match."""

    match: str
    number: int
    begun_at: str = Field(description="When the match began.")
    players: list[str]


class FrameSummary(Document):
    """What a frame came to: the score to announce, whether it is sure, what is to look at."""

    scores_without_illegal: Scores
    sure: bool
    open: int = Field(description="Doubts and illegal cards that nobody has answered.")


class FrameDocument(Document):
    """A captured frame. `width` and `height` are of the file, before any EXIF turn."""

    id: str
    name: str
    source: str
    taken_at: str
    kind: str
    width: int
    height: int
    bytes: int
    sha256: str
    state: FrameState
    version: int
    kept: bool = Field(description="Never removed to make room.")
    why_unread: Why | None
    place: int | None = Field(description="1: it is read next; null: it does not wait.")
    summary: FrameSummary | None
    rounds: list[RoundName]
    links: FrameLinks


class FrameAnswer(FrameDocument):
    """A frame and its reading, once there is one."""

    is_new: bool = Field(description="False: the same photo was here before.")
    reading: ReadingDocument | None


class FrameList(Document):
    """Frames, the newest first; `next` is the address of the page after."""

    frames: list[FrameDocument]
    next: str | None


class CorrectionDocument(Document):
    """A correction: what, who, when, and whether it was taken back."""

    id: int
    correction: dict[str, Any]
    who: str
    made_at: str
    undone_by: str | None
    undone_at: str | None
    idle: bool


class CorrectionList(Document):
    """The corrections to a frame in the order they were made."""

    version: int
    corrections: list[CorrectionDocument]


class CorrectionAnswer(Document):
    """What a correction, or undoing one, came to."""

    correction: CorrectionDocument
    reading: ReadingDocument


class SideDocument(Document):
    """A colour in play: who plays it, and what it scored (null while there is no score)."""

    colour: Colour
    players: list[str]
    as_it_lies: int | None
    without_illegal: int | None
    announced: int | None


class PrintedCard(Document):
    """A card by its colour and face."""

    colour: Colour
    face: str


class SignatureDocument(Document):
    """Somebody agreed; `player` is `*` for the whole table, `by` the host who signed for them."""

    player: str
    at: str
    by: str | None


class DisagreementDocument(Document):
    """Somebody does not agree; the round is not signed until it is settled or overruled."""

    number: int
    player: str
    at: str
    reason: str
    card: int | None
    settled_at: str | None
    settled_by: str | None
    overruled: bool


class RoundDocument(Document):
    """A round as it stands."""

    match: str
    number: int
    state: Literal["open", "ended", "signed"]
    version: int
    frame: str | None
    frame_version: int | None = Field(description="Send it with a signature.")
    begun_at: str
    ended_at: str | None
    finished_first: Colour | None
    suits: list[str] | None
    being_read: bool = Field(description="The frame has no reading yet, but will.")
    sure: bool | None = Field(description="Whether the announced score is sure.")
    sides: list[SideDocument]
    leaders: list[Colour]
    missing: list[PrintedCard]
    missing_by_colour: Scores = Field(
        description="How many cards the way of playing wants and that are not there; the score is"
        " not sure then."
    )
    missing_is_fine: bool = Field(description="A free-for-all ends with cards left in hands.")
    nobody_finished: bool
    unexpected: list[int]
    twice: list[PrintedCard]
    free: list[int] = Field(description="Cards laid touching nothing, open to dispute.")
    illegal: list[int]
    signatures: list[SignatureDocument]
    disagreements: list[DisagreementDocument]
    waiting_for: list[str]


class ToleranceDocument(Document):
    """Millimetres and degrees."""

    legal_mm: float
    illegal_mm: float
    legal_deg: float
    illegal_deg: float


class WayDocument(Document):
    """The way a match is played."""

    limited_space: bool
    suits: list[str] | None
    free_for_all: bool
    sabotage: bool
    tolerance: ToleranceDocument
    off: list[str]
    illegal_stay: bool
    target: int | None
    one_winner: bool


class PlayerDocument(Document):
    """Somebody at the table; `phone` is the id of the one that signs for them, if any."""

    name: str
    colour: Colour
    phone: str | None
    phone_name: str | None


class MatchChangeDocument(Document):
    """Something that was changed about a match or one of its rounds, by whom and when."""

    at: str
    who: str
    what: str
    round: int | None
    facts: dict[str, Any]


class DeletedMatch(Document):
    """What is left of a match that was deleted."""

    id: str
    begun_at: str
    deleted_at: str
    who: str


class StandingsDocument(Document):
    """Totals over the signed rounds; several winners share the win. `sure` is false where a
    round was signed while a doubt could still change its score.
    """

    totals: Scores
    sure: bool
    leaders: list[Colour]
    over: bool
    winners: list[Colour]


class MatchDocument(Document):
    """A match with its rounds."""

    id: str
    begun_at: str
    version: int
    players: list[PlayerDocument]
    way: WayDocument
    side_by_side: list[tuple[str, str]] = Field(description="Team mates who sit together (S3).")
    standings: StandingsDocument
    rounds: list[RoundDocument]
    history: list[MatchChangeDocument]


class MatchList(Document):
    """Matches, the newest first."""

    matches: list[MatchDocument]
    next: str | None
    deleted: list[DeletedMatch]


class PlayedRound(Document):
    """A signed round as one player's."""

    match: str
    number: int
    at: str
    colour: Colour
    points: int
    won: bool


class PlayerStatistics(Document):
    """A player's signed rounds, the oldest first. `dots_by_shape`: dots left showing in them."""

    name: str
    matches: int
    matches_won: int
    wins: int = Field(description="Rounds won, alone or shared.")
    mean: float
    best: int
    illegal: int = Field(description="Illegal cards in them, as their photos read now.")
    dots_by_shape: Scores
    rounds: list[PlayedRound]


class StatisticsDocument(Document):
    """Every player of signed rounds."""

    players: list[PlayerStatistics]


class Me(Document):
    """Who asks; `role` is null for a phone that is not paired."""

    name: str | None
    role: Role | None
    phone: str | None = Field(description="The id of this phone; null for this machine itself.")
    write_header: str
    network: bool


class PhoneDocument(Document):
    """A paired phone."""

    id: str
    name: str
    role: Role
    paired_at: str
    used_at: str | None


class PhoneList(Document):
    """Every paired phone."""

    phones: list[PhoneDocument]


class InvitationDocument(Document):
    """An open invitation, shown once: the PIN, and the link with its QR code as SVG."""

    pin: str
    link: str
    qr_svg: str
    role: Role
    expires_at: float


class TokenDocument(Document):
    """A program's access token, without the token; `counts`: whether it opens anything now."""

    id: str
    name: str
    role: TokenRole
    made_at: str
    made_by: str
    expires_at: str | None = Field(description="Null: it lasts until it is revoked.")
    used_at: str | None
    revoked_at: str | None
    counts: bool


class NewTokenDocument(TokenDocument):
    """An access token that was just made, shown once."""

    token: str


class TokenList(Document):
    """Every access token that was made."""

    tokens: list[TokenDocument]


class HookDocument(Document):
    """A webhook. `waiting`: events it has not taken yet; `tries`: how often in vain by now."""

    id: str
    name: str
    url: str
    made_at: str
    waiting: int
    tries: int
    last_at: str | None
    last_status: int | None
    last_error: str | None = Field(description="Null: the last event was taken.")


class NewHookDocument(HookDocument):
    """A webhook that was just made, with the secret of its signatures, shown once."""

    secret: str


class HookList(Document):
    """Every webhook."""

    webhooks: list[HookDocument]


class BrokerDocument(Document):
    """An MQTT broker. `waiting`: events it has not taken yet; `tries`: how often in vain by now."""

    id: str
    name: str
    url: str
    made_at: str
    topic: str
    username: str
    discovery: str | None
    own_ca: bool = Field(description="Its certificate is checked against one that was given.")
    waiting: int
    tries: int
    last_at: str | None
    last_error: str | None = Field(description="Null: all is well, or nothing was tried yet.")


class BrokerList(Document):
    """Every broker."""

    brokers: list[BrokerDocument]


class CameraDocument(Document):
    """How the camera is doing; `condition` is `none` where there is no camera."""

    camera: str | None
    condition: Literal["none", "starting", "fresh", "slow", "lost"]
    reason: str
    sentence: str
    advice: str
    age_s: float | None
    restarts: int


class ProblemDocument(Document):
    """Something that is not as it should be, and what to do."""

    key: str
    sentence: str


class BackupDocument(Document):
    """A backup: one file with everything that the rig had kept then."""

    name: str
    bytes: int
    daily: bool


class BackupList(Document):
    """The backups there are, the newest first, and the folder in which they lie."""

    folder: str
    backups: list[BackupDocument]


class RestoredDocument(Document):
    """What restoring a backup brought, or would bring: what was not there, and what was older."""

    made_at: str
    dry_run: bool
    frames: int
    frames_changed: int
    matches: int
    matches_changed: int
    rounds: int
    rounds_changed: int
    phones: int
    tokens: int
    photos: int
    photo_bytes: int
    with_photos: bool


class StateDocument(Document):
    """Everything a page shows first."""

    camera: CameraDocument
    latest: FrameDocument | None
    match: MatchDocument | None
    queue: int
    frames: int
    free_bytes: int
    problems: list[ProblemDocument]


class HealthDocument(Document):
    """The service answers."""

    status: Literal["ok"]
    version: str


class ReadyDocument(Document):
    """Whether the service can do its work now."""

    ready: bool
    problems: list[ProblemDocument]


class SymbolDocument(Document):
    """A colour with its symbol (C6): polygons in millimetres, y down."""

    name: str
    hex: str
    symbol_mm: list[list[tuple[float, float]]]


class ShapeDocument(Document):
    """A shape of a face, card frame, millimetres."""

    kind: str
    outline_mm: list[tuple[float, float]]
    dots_mm: list[tuple[float, float]]


class FaceDocument(Document):
    """A face of the deck."""

    id: str
    suit: str | None
    value: int
    shapes: list[ShapeDocument]


class DeckDocument(Document):
    """What the page draws cards and symbols from."""

    name: str
    card_mm: tuple[float, float]
    colours: list[SymbolDocument]
    starting_colour: SymbolDocument
    faces: list[FaceDocument]
    starting_face: FaceDocument
    rules: list[str]
