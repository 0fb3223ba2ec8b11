"""What may be asked of matches and rounds, as models."""

from typing import Annotated

from pydantic import Field

from geometry.deck import Suit
from geometry.rules import RuleName
from rig.service.http.requests import Amount, CardId, FrameId, Name, Target, Version, Wish, Word


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
    off: list[RuleName] = []  # noqa: RUF012 - pydantic copies it
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
