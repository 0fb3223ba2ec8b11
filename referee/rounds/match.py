"""A match as a value: the players with their colours, and the way they play."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from geometry.deck import Deck, Suit
from geometry.rules import RuleName, Rules, Tolerance
from referee.rounds.misfits import MatchFault
from referee.rounds.names import reads_like
from vision.reason import Reason

SUITS: tuple[Suit, ...] = ("circle", "square", "triangle")
TARGET = 100
"""A good target for several rounds (E4)."""
MOST_IN_A_TEAM = 2
LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody at the table. Two players of one colour are a team (S3, V3)."""

    name: str
    colour: str


@dataclass(frozen=True, slots=True)
class WayToPlay:
    """The variants (V1 to V5), which combine, and the house rules (V6).

    `limited_space`: three rounds, one suit each. `suits`: those in play, None
    for all (V2, V5). `sabotage` changes who holds which cards, and nothing of
    what they count. `illegal_stay`: illegal cards count as they lie, against
    E2. `target`: the total that ends the match, None for none. `one_winner`: a
    tie goes to whoever of the tied finished the last round first.
    """

    limited_space: bool = False
    suits: frozenset[Suit] | None = None
    free_for_all: bool = False
    sabotage: bool = False
    tolerance: Tolerance = field(default_factory=Tolerance)
    off: frozenset[RuleName] = frozenset()
    illegal_stay: bool = False
    target: int | None = None
    one_winner: bool = False


@dataclass(frozen=True, slots=True)
class Match:
    """Players in the order in which they sit, clockwise, and how they play."""

    players: tuple[Player, ...]
    way: WayToPlay = field(default_factory=WayToPlay)

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours in play; each is a side that scores."""
        return tuple(dict.fromkeys(player.colour for player in self.players))

    def side(self, colour: str) -> tuple[str, ...]:
        """The names of those who play this colour."""
        return tuple(player.name for player in self.players if player.colour == colour)


def check_match(match: Match, deck: Deck) -> None:
    """MatchFault with the place, if this cannot be played with this deck."""
    _check_players(match.players, deck)
    way = match.way
    if way.limited_space and (way.suits is not None or way.sabotage):
        _refuse("limited_space", Reason("round-has-its-own-suit"))
    if way.sabotage and (way.suits is None or len(way.suits) != 2):
        _refuse("sabotage", Reason("two-suits-needed"))
    if way.sabotage and len(match.colours) < 2:
        _refuse("sabotage", Reason("two-colours-needed"))
    if way.suits is not None and not way.suits:
        _refuse("suits", Reason("none-named"))
    if way.target is not None and way.limited_space:
        _refuse("target", Reason("ends-after-three-rounds"))


def _check_players(players: Sequence[Player], deck: Deck) -> None:
    if not players:
        _refuse("players", Reason("none-named"))
    known = [colour.name for colour in deck.colours]
    for place, player in enumerate(players):
        where = f"players[{place}]"
        if player.colour not in known:
            _refuse(f"{where}.colour", Reason("not-in-this-deck", {"known": ", ".join(known)}))
        if not reads_like(player.name) or len(player.name) > LONGEST_NAME:
            _refuse(f"{where}.name", Reason("name-too-long", {"most": LONGEST_NAME}))
    twice = [
        name for name, count in Counter(reads_like(p.name) for p in players).items() if count > 1
    ]
    if twice:
        _refuse("players", Reason("name-twice"))
    crowded = [c for c, n in Counter(p.colour for p in players).items() if n > MOST_IN_A_TEAM]
    if crowded:
        _refuse("players", Reason("colour-crowded", {"most": MOST_IN_A_TEAM, "colour": crowded[0]}))


def team_mates_side_by_side(players: Sequence[Player]) -> tuple[tuple[str, str], ...]:
    """Team mates who sit next to each other, which S3 does not want. Nothing to say for two."""
    if len(players) < 3:
        return ()
    neighbours = zip(players, [*players[1:], players[0]], strict=True)
    return tuple((a.name, b.name) for a, b in neighbours if a.colour == b.colour)


def suits_of_round(way: WayToPlay, number: int) -> frozenset[Suit] | None:
    """The suits in play in a round, None for all. ValueError for a fourth of limited space."""
    if not way.limited_space:
        return way.suits
    if not 1 <= number <= len(SUITS):
        raise ValueError(f"limited space has {len(SUITS)} rounds, found round {number}")
    return frozenset({SUITS[number - 1]})


def rules_of_round(way: WayToPlay, number: int) -> Rules:
    """What a round's placements are judged by."""
    return Rules(
        tolerance=way.tolerance,
        free_for_all=way.free_for_all,
        suits=suits_of_round(way, number),
        off=way.off,
    )


def _refuse(where: str, why: Reason) -> NoReturn:
    raise MatchFault(where=where, why=why)
