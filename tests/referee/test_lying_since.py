"""What was told over the cards before, does not move and hides no card is not waited for."""

from __future__ import annotations

from collections.abc import Sequence

from referee.ending import final_reading
from tests.referee.tables import Without, colours, game, outline, played, read, shown
from vision.reading import Reading

LAYOUT = game(1)
PLAYERS = colours(LAYOUT)
Points = Sequence[tuple[float, float]]


def box(at: Points, wide: float, high: float) -> Points:
    """A box that begins at the corner of all those points with the least x and y."""
    x, y = min(x for x, _ in at), min(y for _, y in at)
    return [(x - wide, y - high), (x, y - high), (x, y), (x - wide, y)]


CARDS = [point for card in LAYOUT.cards for point in outline(card.pose)]
BAR = box(CARDS, 80.0, 30.0)
CUP = [(x, y) for x, y in outline(LAYOUT.cards[3].pose)]


def pictures(*things: Points) -> list[Reading]:
    """Six cards; then a picture with one card more for each thing told."""
    first = [shown(read(LAYOUT, n)) for n in range(1, 7)]
    return first + [
        shown(read(LAYOUT, 7 + place), thing) if thing else shown(read(LAYOUT, 7 + place))
        for place, thing in enumerate(things)
    ]


def kinds(*things: Points) -> list[list[str]]:
    said = played(pictures(*things), PLAYERS)[0][6:]
    return [[one.kind for one in events] for events in said]


def test_what_does_not_move_and_hides_nothing_is_waited_for_once() -> None:
    assert kinds(BAR, BAR) == [["waiting"], ["laid", "laid"]]


def test_a_picture_without_it_in_between_does_not_matter() -> None:
    assert kinds(BAR, (), BAR) == [["waiting"], ["laid", "laid"], ["laid"]]


def test_it_is_forgotten_after_some_pictures() -> None:
    assert kinds(BAR, (), (), (), BAR)[-1] == ["waiting"]


def test_what_has_moved_is_waited_for() -> None:
    assert kinds(BAR, [(x + 60, y - 20) for x, y in BAR])[-1] == ["waiting"]


def test_what_hides_a_card_is_waited_for_however_long_it_lies() -> None:
    assert kinds(CUP, CUP, CUP, CUP) == [["waiting"]] * 4


def test_an_end_is_not_sure_under_a_thing_that_hides_nothing_known() -> None:
    """A card that nobody has seen may lie under it."""
    number = 8
    last = [shown(read(LAYOUT, number, seed=seed), BAR) for seed in range(3)]
    clear = [shown(read(LAYOUT, number, seed=seed)) for seed in range(3)]
    before = [shown(read(LAYOUT, n)) for n in range(1, number)]
    told, quiet = played([*before, *last], PLAYERS)[1], played([*before, *clear], PLAYERS)[1]
    assert len(told.table.cards) == len(quiet.table.cards) == number
    assert final_reading(quiet).sure
    assert not final_reading(told).sure


def test_a_card_that_is_missed_beside_it_is_still_waited_for() -> None:
    lacks = shown(read(LAYOUT, 7, Without(frozenset({6}))), BAR)
    said, _ = played([*pictures((), BAR), lacks], PLAYERS)
    assert [one.kind for one in said[-1]] == ["waiting"]
