"""What the service answers about matches and rounds, as models."""

from typing import Any, Literal

from pydantic import Field

from rig.service.http.documents import Colour, Document, Scores


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
