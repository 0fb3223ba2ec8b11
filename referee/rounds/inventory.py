"""What should lie on the table at the end of a round, and what does."""

from collections import Counter
from dataclasses import dataclass

from geometry.deck import Deck
from geometry.layout import Layout
from referee.rounds.match import Match, suits_of_round

Printed = tuple[str, str]
"""A card's colour and face."""


@dataclass(frozen=True, slots=True)
class Inventory:
    """`missing` cards should be there; `unexpected` ones (by id) should not; `twice` is both.

    In a free-for-all (V4) the round ends once one colour has no cards left: others may be missing.
    """

    missing: tuple[Printed, ...]
    unexpected: tuple[int, ...]
    twice: tuple[Printed, ...]
    missing_is_fine: bool
    nobody_finished: bool


def expected_cards(match: Match, number: int, deck: Deck) -> tuple[Printed, ...]:
    """Every card that lies on the table when round `number` is played out, the start first."""
    suits = suits_of_round(match.way, number)
    faces = [face.id for face in deck.faces if suits is None or face.suit in suits]
    start = (deck.starting_colour.name, deck.starting_face.id)
    return (start, *((colour, face) for colour in match.colours for face in faces))


def inventory(match: Match, number: int, layout: Layout) -> Inventory:
    """Compare a table with what round `number` of the match should have laid on it."""
    expected = expected_cards(match, number, layout.deck)
    there = Counter((card.colour, card.face) for card in layout.cards)
    missing = tuple(card for card in expected if not there[card])
    hands = [sum(name == colour for name, _ in missing) for colour in match.colours]
    over_early = match.way.free_for_all
    return Inventory(
        missing=missing,
        unexpected=_unexpected(layout, expected),
        twice=tuple(card for card, count in there.items() if count > 1),
        missing_is_fine=over_early and expected[0] not in missing,
        nobody_finished=over_early and not match.way.sabotage and all(hands),
    )


def _unexpected(layout: Layout, expected: tuple[Printed, ...]) -> tuple[int, ...]:
    """Cards that are not in play, and every copy of a card but the first."""
    left = Counter(expected)
    found = []
    for card in layout.cards:
        name = (card.colour, card.face)
        if left[name]:
            left[name] -= 1
        else:
            found.append(card.id)
    return tuple(found)
