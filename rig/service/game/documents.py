"""What the service answers about a followed game, as models."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rig.service.http.documents import Colour, Document, Px, Scores


class LaidCard(Document):
    """A card as the game knows it; millimetres of the game's first picture."""

    id: int
    colour: Colour
    face: str
    mirrored: bool
    x_mm: float
    y_mm: float
    angle_deg: float


class CardName(Document):
    """Which card it is."""

    colour: Colour
    face: str


class Ruling(Document):
    """Who ruled that a card stays."""

    by: str


class EventDocument(Document):
    """`tacta-event/1`, with what a page needs. An event whose number was told before takes that
    one's place.
    """

    id: int
    at: str
    event: str = Field(description="laid, moved, taken_back, disturbed or corrected.")
    frame: str = Field(description="The picture's name.")
    frame_id: str | None
    card: LaidCard | None
    was: CardName | None
    status: str | None
    rule: str | None
    on: list[int]
    offset_mm: float | None
    offset_deg: float | None
    sure: bool
    notes: list[str]
    out_of_turn: bool
    late_s: float | None = Field(
        description="By so many seconds it was laid later than a turn may last; null where it was "
        "not."
    )
    scores: Scores | None = Field(None, description="Left out while scores are hidden.")
    outline_px: list[Px] | None
    target_px: list[Px] | None = Field(
        description="Where the card should lie to be legal; null where it lies well or no such "
        "place is near."
    )
    stays: Ruling | None
    named_by: str | None
    message: str


class TurnClockDocument(Document):
    """The present turn, where turns are timed."""

    seconds: int = Field(description="How long it may last.")
    since: str = Field(description="When the picture with the last card was taken.")
    lasted_s: float = Field(
        description="How long it has lasted as the answer is given, or a picture was taken that is "
        "not read yet."
    )
    runs: bool = Field(description="False while such a picture waits to be read.")


class AskDocument(Document):
    """An event of which people should say which card it was about."""

    event: int
    reason: str


class RefusedFrame(Document):
    """The last picture that was not taken into the game, and why."""

    frame_id: str
    code: str
    message: str


class GameDocument(Document):
    """A followed game as it stands."""

    format: Literal["tacta-live/1"]
    game: str | None
    following: bool
    doing: Literal["watching", "reading", "waiting", "disturbed", "off"]
    match: str | None = Field(description="The match that this is a round of.")
    round: int | None
    players: list[Colour]
    turn: Colour | None
    turn_s: int | None = Field(description="How many seconds a turn may last; null: any.")
    turn_clock: TurnClockDocument | None
    hide_scores: bool
    scores: Scores | None = Field(description="Visible dots as they lie; null while hidden.")
    open_scores: list[Colour] = Field(
        description="The colours whose dots a doubt could still change; none while hidden."
    )
    cards_left: Scores
    finished: bool = Field(description="The cards are out: the round can be ended.")
    ended: str | None = Field(description="The frame that ended it.")
    whole: bool = Field(description="False: a part of it was damaged, and is missing.")
    asks: list[AskDocument]
    refused: RefusedFrame | None
    events: list[EventDocument]


class EarlierGame(Document):
    """A game that is kept, to be looked at again."""

    game: str
    begun_at: str
    players: list[Colour]
    match: str | None = Field(description="The match that it was a round of.")
    round: int | None
    ended: str | None = Field(description="The frame that ended it.")


class GamesDocument(Document):
    """Games that are kept, the newest first."""

    games: list[EarlierGame]


class EndedGame(Document):
    """What a followed game came to: the frame that is scored, and the round that it ended."""

    frame_id: str
    match: str | None
    round: int | None
    sure: bool
    sure_without_illegal: bool
    scores: Scores
    scores_without_illegal: Scores
