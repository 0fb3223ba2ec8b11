"""Cards that were taken off, as far as that matters later: a hand may only have hidden one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from geometry.pose import Pose
from referee.known_table import KnownCard, KnownTable, Name
from vision.together.matching import away

SAME_MM, SAME_DEG = 1.0, 1.0
"""A card that lies again so near to where it was taken from was hidden: nobody lays so exactly."""


@dataclass(frozen=True, slots=True)
class TakenCard:
    """A card and its place in the order of laying, as it lay."""

    card: KnownCard
    place: int


def taken_card(table: KnownTable, card_id: int) -> TakenCard:
    """A card that is on the table still, about to be taken off."""
    place = [one.id for one in table.cards].index(card_id)
    return TakenCard(table.cards[place], place)


def as_it_lay(taken: Sequence[TakenCard], name: Name, pose: Pose) -> TakenCard | None:
    """The card of this name that was taken from just this place, if one was."""
    for one in reversed(taken):
        mm, deg = away(one.card.pose, pose)
        if one.card.name == name and mm <= SAME_MM and deg <= SAME_DEG:
            return one
    return None
