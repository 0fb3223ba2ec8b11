"""What the service answers about frames, readings and corrections, as models."""

from typing import Any, Literal

from pydantic import Field

from rig.service.http.documents import Colour, Document, Px, Scores
from rig.store.frame import FrameState


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
    answers: "list[AnswerDocument]" = Field(
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
    outline_px: list[Px] | None = Field(
        default=None, description="The part of the picture it is about, where that is no point."
    )
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
    photos: list[str] | None = Field(
        default=None, description="The names of all photos that were read as one, this one first."
    )
    together: list[str] | None = Field(
        default=None, description="Their frames, this one first; null: it was read alone."
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


class CoachPlace(Document):
    """A legal place for a card, in the table frame and in the picture."""

    x_mm: float
    y_mm: float
    angle_deg: float
    mirrored: bool
    outline_px: list[Px]
    on: int = Field(description="The card that it would lie on.")
    on_colour: Colour
    on_face: str
    covers: Scores = Field(description="Visible dots that it would hide, by colour.")
    gain: dict[str, int] = Field(
        description="How the scores without illegal cards would change; its own dots are in it."
    )
    safe_dots: int = Field(description="Its dots on the shape that covers: nothing hides them.")


class CoachDocument(Document):
    """Every legal place for a card on a frame's table, best first."""

    colour: Colour
    face: str
    lifted: list[int] = Field(description="Cards of that name that lie there: taken off first.")
    places: list[CoachPlace]
