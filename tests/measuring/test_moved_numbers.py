"""Each number of the reader on one score is moved, and what comes of it is told apart."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from geometry.deck_file import published_deck
from geometry.layout import Card, Layout
from geometry.pose import Pose
from measuring.moved_numbers import QUARTERS, Effect, effect, moved, moves, page, without_last
from vision.reading import Doubt, NotSeen, ReadCard, Reading, SeenCard, SeenTable
from vision.reading_config import ReadingConfig
from vision.reason import Reason

DECK = published_deck()
CORNERS = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def a_reading() -> Reading:
    face = DECK.faces[0].id
    colour = DECK.colours[0].name
    card = ReadCard(0, colour, face, False, 10.0, 20.0, 5.0, CORNERS, (), True, 3, 0, 0.99)
    laid = tuple(Card(k, colour, face, Pose(10.0 + 90 * k, 20.0, 5.0)) for k in range(2))
    seen = SeenTable(
        Layout(DECK, laid), tuple(SeenCard(k, CORNERS, 0.9) for k in range(2)), (), 2.0
    )
    scores = {colour: 3}
    return Reading("deck", scores, True, scores, True, None, 2.0, (card,), (), (), seen)


def test_every_number_is_moved_both_ways_and_nothing_else() -> None:
    config = ReadingConfig()
    asked = list(moves(config))
    assert len(asked) == len(QUARTERS) * len(fields(config))
    for name, factor, other in asked:
        differ = {
            f.name for f in fields(config) if getattr(config, f.name) != getattr(other, f.name)
        }
        assert differ == {name}, (name, factor)


@pytest.mark.parametrize(
    ("value", "less", "more"), [(8, 6, 10), (3, 2, 4), (1, 0, 2), (2.0, 1.5, 2.5)]
)
def test_what_counts_is_moved_by_one_at_least(value: float, less: float, more: float) -> None:
    assert (moved(value, 0.75), moved(value, 1.25)) == (less, more)
    assert moved((value * 1.0, 4.0), 0.75) == (value * 0.75, 3.0)


def test_the_most_that_differs_counts() -> None:
    before = a_reading()
    card = before.cards[0]
    doubt = Doubt("face", 0, (1.0, 1.0), Reason("other-face"))
    assert effect(a_reading(), before) is Effect.NOTHING
    told = (
        (replace(before, cards=(replace(card, confidence=0.98),)), Effect.DIGITS),
        (replace(before, cards=(replace(card, x_mm=10.2),)), Effect.DIGITS),
        (replace(before, cards=(replace(card, x_mm=10.7),)), Effect.CARDS),
        (replace(before, sure=False), Effect.DOUBTS),
        (replace(before, doubts=(doubt,)), Effect.DOUBTS),
        (replace(before, cards=(replace(card, mirrored=True),), sure=False), Effect.CARDS),
        (NotSeen(Reason("no-cards")), Effect.CARDS),
    )
    for reading, most in told:
        assert effect(reading, before) is most


def test_a_known_table_lacks_the_card_laid_last() -> None:
    seen = a_reading().seen
    left = without_last(seen)
    assert [card.id for card in left.layout.cards] == [0]
    assert [card.id for card in left.cards] == [0]


def test_the_page_names_what_changes_nothing() -> None:
    effects = {(name, factor): Effect.DIGITS for name, factor, _ in moves(ReadingConfig())}
    effects |= {("density", factor): Effect.NOTHING for factor in QUARTERS}
    written = page(effects)
    assert "1 change nothing: density." in written
    assert "| `card_cost` | 27.0 | digits | digits |" in written
