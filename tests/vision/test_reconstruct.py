from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from geometry.rules import Rules
from tests.conftest import cases_quick_or_thorough, quick_or_thorough
from tests.vision.drawing.drawn_cards import DECK, DrawnCard, drawn_evidence, off
from tests.vision.finding.start_tables import legally_on
from tests.vision.naming.named_tables import PRINTED, TEMPLATES, check
from tests.vision.reconstructed_tables import LOWER, START, TOP, index_of, table_of
from vision.finding.belief import CURLED_LINES
from vision.finding.find_cards import poses_from_centres, unread_badges
from vision.finding.start_card import find_start
from vision.finding.start_search import StartSigns, start_sought_again
from vision.naming.faces import cut_out
from vision.naming.name_cards import Named, choose, top_weight
from vision.observing.marks import find_marks_and_holes
from vision.ordering.stacking import StackedCards
from vision.reconstruct import found_cards, reconstruct, turned_with
from vision.settling import settling
from vision.settling.settling import Settled, coloured

UPPER = DrawnCard("square-2", "red", (45.0, 100.0, 0.3), mirrored=True)


@pytest.mark.parametrize(
    "cards",
    [
        *(
            pytest.param(pair, marks=pytest.mark.thorough)
            for pair in ((LOWER, UPPER), (UPPER, LOWER))
        ),
        (LOWER, UPPER, TOP),
        (TOP, UPPER, LOWER),
    ],
    ids=lambda cards: " ".join(card.face for card in cards),
)
def test_cards_over_one_another(cards: tuple[DrawnCard, ...]) -> None:
    table = table_of(*cards)
    check(table.named, cards)
    gaps = [off(table.named.poses[index_of(table, card)], card)[0] for card in cards]
    assert max(gaps) < 0.15
    order = [table.stack.order.index(index_of(table, card)) for card in cards]
    assert order == sorted(order)
    assert table.stack.against == []
    names = [table.templates.colours[int(i)] for i in table.naming.colour]
    assert [names[index_of(table, card)] for card in cards] == [card.colour for card in cards]


def test_the_starting_card_joins_the_others() -> None:
    table = table_of(START, TOP, LOWER)
    i = index_of(table, START)
    assert table.templates.faces[int(table.named.rows[i]) // 2] == DECK.starting_face.id
    assert table.templates.colours[int(table.naming.colour[i])] == DECK.starting_colour.name
    assert off(table.named.poses[i], START)[0] < 0.2


def test_a_card_without_ink_that_was_taken_for_a_players_is_the_starting_card() -> None:
    """Where it is found out at last, all the cards being known."""
    evidence = drawn_evidence(START, TOP, LOWER)
    table = table_of(START, TOP, LOWER)
    start = index_of(table, START)
    rows = table.named.rows.copy()
    rows[start] = rows[index_of(table, TOP)]
    misread = StackedCards(replace(table.named, rows=rows), table.stack, table.visible)
    marks, _ = find_marks_and_holes(evidence)
    found = start_sought_again(
        evidence, StartSigns(marks, np.empty((0, 3))), PRINTED, misread, len(rows)
    )
    assert len(found.named) == len(rows)
    assert np.count_nonzero(found.named.rows >= PRINTED.start_row) == 1
    which = int(found.named.rows.argmax())
    assert off(found.named.poses[which], START)[0] < 0.2


@pytest.mark.parametrize(("astray_mm", "put_back"), [(2.6, True), (0.6, False)])
def test_a_starting_card_whose_frame_is_hidden_lies_where_cards_on_it_are_legal(
    astray_mm: float, put_back: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own lines, of which little shows, may put it astray; this deck's has no frame."""
    below = DrawnCard(START.face, START.colour, (110.0, 100.0, 0.5))

    def found_astray(_evidence: object, settled: Settled, *_more: object) -> Settled:
        poses = settled.named.poses.copy()
        poses[settled.named.rows >= PRINTED.start_row, 0] += astray_mm
        return replace(settled, named=replace(settled.named, poses=poses))

    monkeypatch.setattr("vision.reconstruct._with_start_at_last", found_astray)
    evidence = drawn_evidence(below, *legally_on(below, 3), size_mm=(240, 220))
    table = reconstruct(evidence, DECK)
    assert table is not None
    off_mm, _ = off(table.named.poses[index_of(table, below)], below)
    assert off_mm < 0.5 if put_back else abs(off_mm - astray_mm) < 0.2


def test_a_card_whose_badge_is_covered_is_found_by_its_lines() -> None:
    """Two thirds of it lie under another card."""
    lower = DrawnCard("circle-6", "green", (60.0, 90.0, 0.0))
    upper = DrawnCard("square-2", "red", (70.0, 75.0, 0.15))
    table = table_of(lower, upper)
    assert len(table.named) == 2
    i = index_of(table, lower)
    assert off(table.named.poses[i], lower)[0] < 0.3
    assert table.stack.order[0] == i


def test_who_lies_on_top_is_told_by_the_faces_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until each face is dealt to one card, the upper one is taken for another."""

    def misread(*given: Any, **more: Any) -> Named:
        named = choose(*given, **more)
        rows = named.rows.copy()
        taken, for_ = (2 * TEMPLATES.faces.index(name) for name in ("triangle-6", "square-2"))
        rows[rows == taken] = for_
        return replace(named, rows=rows)

    lower = DrawnCard("square-6", "red", (60.0, 90.0, 0.0))
    upper = DrawnCard("triangle-6", "red", (95.0, 80.0, 0.5))
    plain = table_of(lower, upper)
    monkeypatch.setattr("vision.finding.look_again.choose", misread)
    table = reconstruct(drawn_evidence(lower, upper), DECK)
    assert table is not None
    check(table.named, (lower, upper))
    np.testing.assert_allclose(table.stack.pairs.lead, plain.stack.pairs.lead, atol=0.05)


def test_each_card_shows_where_nothing_lies_on_it() -> None:
    table = table_of(LOWER, UPPER)
    shows = table.visible.mean(axis=1)
    assert shows[index_of(table, UPPER)] > 0.97
    assert 0.3 < shows[index_of(table, LOWER)] < 0.9
    assert table.visible.shape == (2, len(TEMPLATES.grid_mm))


def test_a_card_that_the_rules_turn_is_looked_at_as_it_then_lies() -> None:
    """What hides one of its ends hides the other end of its face."""
    table, evidence = table_of(LOWER, UPPER), drawn_evidence(LOWER, UPPER)
    named, visible, i = table.named, table.visible, index_of(table, LOWER)
    assert turned_with(evidence, named, table, TEMPLATES) == (table.stack, visible)
    poses = named.poses.copy()
    poses[i, 2] += np.pi
    turned = replace(named, poses=poses)
    stack, shows = turned_with(evidence, turned, table, TEMPLATES)
    np.testing.assert_allclose(shows, top_weight(poses, stack.top, TEMPLATES), atol=1e-6)
    assert not np.allclose(shows[i], visible[i])
    fresh = cut_out(evidence, poses, TEMPLATES)
    away = fresh.pixels.astype(float) - stack.patches.pixels
    assert np.abs(away).mean() < 1.0


def test_dots_are_seen_apart_from_the_cards() -> None:
    assert len(table_of(START, TOP, LOWER).dots.middle_mm) == 5 + 4


def test_an_empty_table_has_no_cards() -> None:
    assert reconstruct(drawn_evidence(), DECK) is None


def test_clear_cards_leave_nothing_open_and_show_their_lines() -> None:
    table = table_of(START, TOP, LOWER)
    assert table.choices == ((),) * 3
    assert (table.lines > 0.75).all()
    assert (table.lines <= 1).all()


@pytest.mark.parametrize("shows_mm", quick_or_thorough([12.0, 16.0, 26.0], [12.0]))
@pytest.mark.parametrize(
    "face", quick_or_thorough(["circle-6", "square-4", "triangle-2"], ["circle-6"])
)
def test_of_a_card_that_shows_a_strip_the_true_face_is_read_or_open(
    shows_mm: float, face: str
) -> None:
    lower = DrawnCard(face, "green", (60.0, 85.0, 0.0))
    upper = DrawnCard("square-2", "red", (60.0 + shows_mm, 85.0, 0.0))
    table = table_of(lower, upper)
    i = index_of(table, lower)
    assert off(table.named.poses[i], lower)[0] < 0.5
    rows = {int(table.named.rows[i]), *(choice.row for choice in table.choices[i])}
    assert 2 * table.templates.faces.index(face) in rows
    assert table.choices[index_of(table, upper)] == ()


def test_of_a_strip_that_two_faces_share_the_other_is_open() -> None:
    """Circle-5's back has the same triangles on that side."""
    lower = DrawnCard("triangle-2", "green", (60.0, 85.0, 0.0))
    table = table_of(lower, DrawnCard("square-2", "red", (72.0, 85.0, 0.0)))
    i = index_of(table, lower)
    faces = {table.templates.faces[int(table.named.rows[i]) // 2]}
    faces |= {table.templates.faces[choice.row // 2] for choice in table.choices[i]}
    assert faces == {"triangle-2", "circle-5"}
    assert table.named.margin[i] < 0.5


def by_badges_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """No card is found by its lines, by standing alone on black, or where the rules want one."""
    monkeypatch.setattr("vision.reconstruct.MUCH_WHITE_MM2", np.inf)
    for module in ("finding.explain", "settling.lacking"):
        monkeypatch.setattr(f"vision.{module}.with_hidden", lambda *_: None)
    for module in ("finding.explain", "settling.lacking", "reconstruct"):
        monkeypatch.setattr(f"vision.{module}.with_neighbours", lambda *_, **__: None)


def test_the_starting_card_is_sought_again_when_the_last_cards_are_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a haze most badges are found last, and till then hide where the starting card lies."""

    asked: list[int] = []

    def unread(*given: Any) -> Any:
        asked.append(len(asked))
        return unread_badges(*given) if len(asked) > 1 else np.empty((0, 3))

    def start(evidence: Any, named: Named, *more: Any) -> Any:
        return find_start(evidence, named, *more) if len(named) > 1 else None

    monkeypatch.setattr(
        "vision.reconstruct.poses_from_centres", lambda *g: poses_from_centres(*g)[:1]
    )
    monkeypatch.setattr("vision.reconstruct.unread_badges", unread)
    monkeypatch.setattr("vision.finding.start_search.find_start", start)
    by_badges_alone(monkeypatch)
    evidence = drawn_evidence(START, TOP, LOWER)
    table = reconstruct(evidence, DECK)
    assert table is not None
    assert len(table.named) == 3
    assert off(table.named.poses[index_of(table, START)], START)[0] < 0.3


@pytest.mark.parametrize(
    ("lie_on_it", "astray_mm"),
    cases_quick_or_thorough([(3, 0.0), (2, 0.0), (3, 6.0)], [(3, 0.0), (2, 0.0)]),
)
def test_a_starting_card_of_which_no_line_tells_is_where_the_cards_lie_that_lie_on_nothing_else(
    monkeypatch: pytest.MonkeyPatch, lie_on_it: int, astray_mm: float
) -> None:
    monkeypatch.setattr("vision.finding.start_search.find_start", lambda *_: None)
    by_badges_alone(monkeypatch)
    below = replace(START, pose=(110.0, 100.0, 0.5))
    upper = legally_on(below, lie_on_it)
    x, y, angle = upper[-1].pose
    upper = (*upper[:-1], replace(upper[-1], pose=(x + astray_mm, y, angle)))
    evidence = drawn_evidence(below, *upper, size_mm=(240, 220))
    table = reconstruct(evidence, DECK, Rules(free_for_all=True))
    assert table is not None
    if lie_on_it < 3 or astray_mm:
        assert len(table.named) == lie_on_it
    else:
        assert off(table.named.poses[index_of(table, below)], below)[0] < 0.3


@pytest.mark.parametrize("told_by_numbers", [True, False])
def test_a_card_placed_by_its_badge_and_not_believed_is_tried_again_where_one_is_missing(
    monkeypatch: pytest.MonkeyPatch, told_by_numbers: bool
) -> None:
    """Then paler lines will do: a curled card's are not where they should be. Where every colour
    lacks one the numbers of cards do not tell, but the badge does.
    """

    def believed(*given: Any) -> Any:
        poses, least = given[1].named.poses, given[-1]
        curled = np.array([off(pose, LOWER)[0] < 1.0 for pose in poses])
        return ~curled | (least == CURLED_LINES)

    def without_lower(*given: Any) -> Any:
        poses = poses_from_centres(*given)
        return poses[[off(pose, LOWER)[0] > 5.0 for pose in poses]]

    monkeypatch.setattr("vision.reconstruct.poses_from_centres", without_lower)
    monkeypatch.setattr("vision.finding.explain.believed_cards", believed)
    monkeypatch.setattr("vision.reconstruct._some_missing", lambda *_: told_by_numbers)
    monkeypatch.setattr("vision.reconstruct.TRUE_BADGE", 1.1)  # the frame lies off its badge
    by_badges_alone(monkeypatch)
    table = reconstruct(drawn_evidence(START, TOP, LOWER), DECK)
    assert table is not None
    assert len(table.named) == 3
    assert off(table.named.poses[index_of(table, LOWER)], LOWER)[0] < 0.3


def test_colours_are_told_once_of_cards_that_stay_as_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Meanwhile, as another core looks for lines: so it is the cards as they stay that are told."""
    asked: list[Named] = []

    def noted(stacked: StackedCards, *rest: Any) -> Any:
        asked.append(stacked.named)
        return coloured(stacked, *rest)

    monkeypatch.setattr(settling, "coloured", noted)
    evidence = drawn_evidence(START, LOWER, UPPER, TOP)
    found = found_cards(evidence, DECK)
    assert found is not None
    assert [named for named in asked if named is found.named] == [found.named]
    colouring = settling.Colouring(PRINTED, equally_many=True)
    told = colouring.of(found)
    assert told is colouring.of(found)
    np.testing.assert_array_equal(told.colour, found.naming.colour)
    assert colouring.of(replace(found)) is not told
