"""Which round of which match a followed game is, and what that says of players and rules."""

from __future__ import annotations

from dataclasses import dataclass

from geometry.rules import Rules
from referee.kept_game import GameSettings
from referee.rounds.match import Match, rules_of_round
from referee.rounds.rounds_json import match_of, round_of
from rig.store.store import Store
from rig.store.trouble import MatchUnknown, RowUnreadable


@dataclass(frozen=True, slots=True)
class OpenRound:
    """The round that is being played."""

    id: str
    number: int
    match: Match

    @property
    def players(self) -> tuple[str, ...]:
        """The colours that play, in the order in which their players sit."""
        return self.match.colours

    @property
    def turns(self) -> tuple[str, ...]:
        """The colours in the order of turns (T4); none in a free-for-all (V4), or where teams sit
        so that colours do not follow each other in one order.
        """
        seats = [player.colour for player in self.match.players]
        colours = self.match.colours
        in_order = all(c == colours[i % len(colours)] for i, c in enumerate(seats))
        even = len(seats) % len(colours) == 0
        return colours if in_order and even and not self.match.way.free_for_all else ()


def open_round(store: Store) -> OpenRound | None:
    """The last round of the newest match, while it is open."""
    try:
        for kept in store.matches.latest(1):
            for newest in store.matches.rounds(kept.id)[-1:]:
                if round_of(newest.data).state == "open":
                    return OpenRound(kept.id, newest.number, match_of(kept.data))
    except RowUnreadable:
        return None
    return None


def rules_of(store: Store, settings: GameSettings, usual: Rules) -> Rules:
    """What a game's placements are judged by: its round's rules, else the usual ones."""
    if settings.match is None or settings.round is None:
        return usual
    try:
        match = match_of(store.matches.get(settings.match).data)
        return rules_of_round(match.way, settings.round)
    except (MatchUnknown, RowUnreadable, ValueError):
        return usual
