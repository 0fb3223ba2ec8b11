from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from geometry.rules import Rules
from tests.vision.doubting.doubt_scenes import (
    FREE_FOR_ALL,
    GREEN,
    OVER,
    RED,
    SIZE_MM,
    THIRD,
    again,
    card_of,
    front_of,
    scene,
    scene_of,
)
from tests.vision.doubting.doubted_cards import unsure_of
from tests.vision.drawing.drawn_cards import DECK, DrawnCard, drawn_evidence
from tests.vision.finding.start_tables import legally_on
from vision.doubting import card_doubts, start_doubts
from vision.doubting.doubt_context import DoubtContext
from vision.doubting.doubts import find_doubts
from vision.naming.badge_witness import Gainsaid
from vision.naming.unique_faces import Choice
from vision.reading import Doubt
from vision.reason import Reason
from vision.reconstruct import reconstruct


def test_cards_of_a_colour_may_have_each_other_s_faces() -> None:
    """Each face exists once: where two cards could both be the other's, that is tried."""
    x, y, angle = GREEN.pose
    other = DrawnCard("square-5", "red", (x, y, angle))
    seen = scene(RED, other, DrawnCard("circle-4", "green", (x + 20, y, angle)))
    first, second = (
        next(c.id for c in seen.layout.cards if c.colour == "red" and c.face == face)
        for face in (RED.face, other.face)
    )
    ways = {first: front_of(seen, other.face), second: front_of(seen, RED.face)}

    def doubted(open_: set[int]) -> list[Doubt]:
        choices = tuple(
            (Choice(ways[i], False),) if i in open_ else () for i in range(len(seen.table.named))
        )
        found = find_doubts(scene_of(replace(seen.table, choices=choices), seen.evidence))
        return [d for d in found if d.kind == "face"]

    assert doubted({first}) == []
    assert doubted({second}) == []
    assert {d.card for d in doubted({first, second})} == {first, second}


def with_choices(
    seen: DoubtContext, choices: Mapping[int, tuple[Choice, ...]]
) -> tuple[Doubt, ...]:
    count = len(seen.table.named)
    return again(seen, choices=tuple(choices.get(i, ()) for i in range(count)))


def test_a_face_that_may_be_another() -> None:
    """The nearest reading that would change a score is the one that is told."""
    seen = scene(GREEN, RED)
    i = card_of(seen, "green")
    alike = Choice(front_of(seen, "triangle-4"), False)
    others = (Choice(front_of(seen, "circle-1"), False), Choice(front_of(seen, "circle-6"), False))
    (doubt,) = with_choices(seen, {i: (alike, *others)})
    assert (doubt.kind, doubt.card) == ("face", i)
    assert doubt.reason == Reason("face-unclear", {"face": "circle-4", "rival": "circle-1"})
    assert doubt.changes_scores_by == {"green": -3}


def test_a_face_that_another_card_of_the_colour_has_is_no_doubt() -> None:
    seen = scene(GREEN, RED, THIRD)
    i = next(card.id for card in seen.layout.cards if card.face == GREEN.face)
    other = Choice(front_of(seen, THIRD.face), False)
    assert [d.kind for d in with_choices(seen, {i: (other,)})] == ["missing"]
    red = card_of(seen, "red")
    assert [d.kind for d in with_choices(seen, {red: (other,)})] == ["face", "missing"]


def test_the_other_side_of_the_same_face_matters_only_where_the_score_does() -> None:
    seen = scene(GREEN, RED)
    rows = seen.table.named.rows
    sides = {i: (Choice(int(rows[i]) ^ 1, False),) for i in range(len(rows))}
    assert with_choices(seen, sides) == ()
    half = scene(GREEN, OVER)
    green = card_of(half, "green")
    side = Choice(int(half.table.named.rows[green]) ^ 1, False)
    (doubt,) = with_choices(half, {green: (side,)})
    assert doubt.reason == Reason("side-unclear")


@pytest.mark.parametrize(("confidence", "doubted"), [(0.7, True), (0.999, False)])
def test_a_colour_that_is_not_sure(confidence: float, doubted: bool) -> None:
    """Where the numbers of cards say nothing."""
    seen = replace(scene(GREEN, RED), rules=Rules(free_for_all=True))
    i = card_of(seen, "red")
    doubts = [
        d for d in find_doubts(unsure_of(seen, {i: ("pink", confidence)})) if d.kind == "colour"
    ]
    assert len(doubts) == doubted
    for doubt in doubts:
        assert doubt.card == i
        assert doubt.changes_scores_by == {"red": -2, "pink": 2}


def test_an_unsure_colour_without_a_rival_is_a_doubt_all_the_same() -> None:
    seen = replace(scene(GREEN, RED), rules=FREE_FOR_ALL)
    i = card_of(seen, "red")
    (doubt,) = card_doubts.colour_doubts(unsure_of(seen, {i: ("red", 0.7)}))
    assert (doubt.card, doubt.changes_scores_by) == (i, seen.any_colour)
    assert seen.any_colour


def test_a_card_that_shows_no_dot_may_bring_a_colour_into_play() -> None:
    seen = replace(scene(GREEN, RED), rules=FREE_FOR_ALL)
    seen = unsure_of(seen, {card_of(seen, "red"): ("pink", 0.7)})
    by_colour = {card.colour: card for card in seen.layout.cards}
    hidden = replace(by_colour["red"], pose=by_colour["green"].pose)
    start = seen.deck.starting_colour.name
    layout = replace(seen.layout, cards=(by_colour[start], hidden, by_colour["green"]))
    seen = replace(seen, layout=layout)
    (doubt,) = card_doubts.colour_doubts(seen)
    assert seen.score.as_it_lies["red"] == 0
    assert set(doubt.changes_scores_by) == {"red", "pink"}


def test_no_colour_is_doubted_that_the_numbers_of_cards_tell() -> None:
    """One green, one red: were the red one green, too, there would be two green ones."""
    seen = scene(GREEN, RED)
    red, green = card_of(seen, "red"), card_of(seen, "green")

    def doubted(
        others: Mapping[int, tuple[str, float]], of: DoubtContext = seen
    ) -> set[int | None]:
        return {d.card for d in find_doubts(unsure_of(of, others)) if d.kind == "colour"}

    for rival in ("green", "pink"):
        assert doubted({red: (rival, 0.7)}) == set()
    # Two that could change places, or of which only the numbers tell both.
    assert doubted({red: ("green", 0.7), green: ("red", 0.7)}) == {red, green}
    assert doubted({red: ("pink", 0.5), green: ("blue", 0.5)}) == {red, green}
    assert doubted({red: ("pink", 0.7), green: ("blue", 0.7)}) == set()
    more = scene(GREEN, RED, THIRD)
    assert doubted({card_of(more, "red"): ("pink", 0.7)}, more) == {card_of(more, "red")}


@pytest.mark.parametrize(("green", "doubted"), [("square-2", False), ("circle-4", True)])
def test_no_colour_is_doubted_of_which_the_same_face_is_known(green: str, doubted: bool) -> None:
    seen = replace(scene(replace(GREEN, face=green), RED), rules=Rules(free_for_all=True))
    red = card_of(seen, "red")
    doubts = find_doubts(unsure_of(seen, {red: ("green", 0.7)}))
    assert [d.card for d in doubts if d.kind == "colour"] == [red] * doubted


@pytest.mark.parametrize(
    ("fit", "lines", "doubted"), [(0.9, 0.5, True), (0.9, 1.0, False), (0.3, 0.5, False)]
)
def test_a_card_that_neither_fits_nor_shows_its_lines(
    fit: float, lines: float, doubted: bool
) -> None:
    """A poor fit alone is a lamp's work; `lines` are a share of what lines usually have."""
    seen = scene(GREEN, RED)
    i = card_of(seen, "red")
    fits, whiteness = seen.table.named.fit.copy(), seen.table.lines.copy()
    fits[i] = fit
    whiteness[i] = lines * np.median(whiteness)
    named = replace(seen.table.named, fit=fits)
    doubts = again(seen, named=named, lines=whiteness)
    assert [(d.kind, d.card) for d in doubts] == [("card", i)] * doubted
    for doubt in doubts:
        assert doubt.changes_scores_by == {"red": -2}


@pytest.mark.parametrize(
    ("size_mm", "uncounted", "doubted"),
    [((12.0, 9.0), True, True), ((12.0, 9.0), False, False), ((4.0, 3.0), True, False)],
)
def test_another_colour_s_ink_on_a_card_may_be_a_missed_one_s(
    size_mm: tuple[float, float], uncounted: bool, doubted: bool
) -> None:
    """With its badge hidden, and its lines on those of the card below, nothing else tells."""
    seen = scene(GREEN, RED)
    table, templates = seen.table, seen.table.templates
    start = card_of(seen, DECK.starting_colour.name)
    red = table.stack.patches.pixels[card_of(seen, "red")]
    ink = np.median(red[templates.ink[table.named.rows[card_of(seen, "red")]] > 0.97], axis=0)
    pixels = table.stack.patches.pixels.copy()
    off = np.abs(templates.grid_mm - [-12.0, 10.0])
    pixels[start, (off < np.array(size_mm) / 2).all(axis=1)] = ink
    stack = replace(table.stack, patches=replace(table.stack.patches, pixels=pixels))
    rules = Rules(free_for_all=uncounted)
    doubts = find_doubts(scene_of(replace(table, stack=stack), seen.evidence, rules))
    odd = [d for d in doubts if d.reason.code == "foreign-ink"]
    assert [d.card for d in odd] == [start] * doubted
    assert all(set(d.changes_scores_by) == {"green", "red"} for d in odd)


def test_a_card_whose_badge_shows_another_face_is_doubted() -> None:
    seen = scene(GREEN, RED)
    green, red = card_of(seen, "green"), card_of(seen, "red")
    table = seen.table
    assert table.templates.faces[table.named.rows[red] // 2] != "circle-4"
    rows = table.named.rows.copy()
    rows[red] = 2 * table.templates.faces.index("circle-4")
    doubts = again(seen, named=replace(table.named, rows=rows))
    odd = [d for d in doubts if d.reason.code == "looks-wrong"]
    assert [d.card for d in odd] == [red] != [green]
    assert odd[0].changes_scores_by == {"green": 1, "red": 1}


@pytest.mark.parametrize(
    ("looks", "left", "doubted"),
    [
        (True, set(), False),
        (False, set(), True),
        (True, {"square-5"}, True),
        (True, {"circle-4"}, False),
        (True, None, True),
    ],
)
def test_a_badge_like_another_digit_is_no_doubt_where_all_else_is_plain(
    monkeypatch: pytest.MonkeyPatch, looks: bool, left: set[str] | None, doubted: bool
) -> None:
    """It must look much like its own, too, and no face that the likelihood leaves may be plainly
    more like it.
    """
    seen = scene(GREEN, RED)
    red, faces = card_of(seen, "red"), seen.table.templates.faces
    like = np.zeros((len(seen.table.named), len(faces)))
    like[red, faces.index("square-5")] = 0.9
    like[red, seen.table.named.rows[red] // 2] = 0.8
    like[red, faces.index("circle-4")] = 0.85
    told = Gainsaid(np.arange(len(like)) == red, np.full(len(like), looks), like)
    monkeypatch.setattr(card_doubts, "gainsaid", lambda *_: told)
    open_ = None if left is None else {faces.index(name) for name in left}
    monkeypatch.setattr(card_doubts, "faces_left", lambda *_: open_)
    odd = [d.card for d in again(seen) if d.reason.code == "looks-wrong"]
    assert odd == [red] * doubted


def test_an_illegal_card_and_those_below_it_must_not_be_likelier_on_top(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = scene(GREEN, OVER, THIRD)
    illegal = {card: v for card, v in seen.verdicts.items() if v.status == "illegal"}
    (over,), (below,) = illegal, [v.on for v in illegal.values()]
    assert "looks-wrong" not in {d.reason.code for d in again(seen)}
    asked: list[int] = []

    def likelier(_: object, card: int) -> bool:
        asked.append(card)
        return card in below

    monkeypatch.setattr(card_doubts, "likelier_on_top", likelier)
    odd = [d for d in again(seen) if d.reason.code == "looks-wrong"]
    assert sorted(asked) == sorted({over, *below})
    assert tuple(d.card for d in odd) == below
    assert all(d.changes_scores_by for d in odd)


@pytest.mark.parametrize(
    ("badge_shows", "fit", "doubted"), [(False, 0.4, True), (False, 0.2, False), (True, 0.4, False)]
)
def test_a_card_without_its_badge_must_fit_well(
    badge_shows: bool, fit: float, doubted: bool
) -> None:
    """Print and paper may look like a card's edge that peeks out from under others."""
    seen = scene(GREEN, RED)
    red = card_of(seen, "red")
    visible, fits = seen.table.visible.copy(), seen.table.named.fit.copy()
    visible[red, seen.table.templates.badge] = badge_shows
    fits[red] = fit
    doubts = again(seen, visible=visible, named=replace(seen.table.named, fit=fits))
    odd = [d for d in doubts if d.reason.code == "looks-wrong"]
    assert bool(odd) == doubted
    assert all(d.card == red and d.changes_scores_by == {"red": -2} for d in odd)


def test_such_a_card_without_a_dot_in_sight_may_be_one_that_shows_some() -> None:
    """Of square-6, turned so that its bar lies where the upper card does not, five would show."""
    seen = scene(GREEN, OVER)
    green = card_of(seen, "green")
    assert "green" not in {k for k, dots in seen.score.as_it_lies.items() if dots}
    visible, fits = seen.table.visible.copy(), seen.table.named.fit.copy()
    visible[green, seen.table.templates.badge] = 0
    fits[green] = 0.4
    doubts = again(seen, visible=visible, named=replace(seen.table.named, fit=fits))
    (odd,) = [d for d in doubts if d.reason.code == "looks-wrong"]
    assert odd.card == green
    assert odd.changes_scores_by == {"green": 5}
    # A face that shows no dots at all, as other decks may have, brings none.
    blank = replace(seen.deck.faces[0], id="blank", value=0, shapes=())
    table = replace(seen.table, visible=visible, named=replace(seen.table.named, fit=fits))
    other = replace(seen, table=table, deck=replace(seen.deck, faces=(*seen.deck.faces, blank)))
    assert odd in find_doubts(other)


def test_a_card_that_only_its_lines_in_a_haze_tell_is_not_sure() -> None:
    seen = scene(GREEN, RED)
    red = card_of(seen, "red")
    assert not seen.table.hazed.any()
    hazed = np.arange(len(seen.table.hazed)) == red
    (doubt,) = (d for d in again(seen, hazed=hazed) if d.reason.code == "washed-out")
    assert doubt.card == red
    assert set(doubt.changes_scores_by) == set(doubt.changes_scores_without_illegal_by) != set()


def test_two_groups_that_may_have_each_other_s_name_are_one_doubt() -> None:
    """Not one a card: what is open is which group is which."""
    seen = scene(GREEN, RED, THIRD)
    green, red = (seen.table.templates.colours.index(name) for name in ("green", "red"))
    naming = replace(seen.table.naming, open_names=((green, red),))
    (doubt,) = (d for d in again(seen, naming=naming) if d.kind == "colour")
    assert doubt.card is None
    assert doubt.reason == Reason("colours-unclear", {"colour": "green", "rival": "red"})
    green_dots, red_dots = (seen.score.as_it_lies[name] for name in ("green", "red"))
    change = red_dots - green_dots
    assert doubt.changes_scores_by == {"green": change, "red": -change}


def test_a_name_of_cards_that_are_not_on_the_table_is_no_doubt() -> None:
    seen = scene(GREEN, RED)
    blue, pink = (seen.table.templates.colours.index(name) for name in ("blue", "pink"))
    naming = replace(seen.table.naming, open_names=((blue, pink),))
    assert again(seen, naming=naming) == ()


@pytest.mark.parametrize(("by_mm", "doubted"), [(0.0, False), (2.5, True), (6.0, True)])
def test_how_the_starting_card_is_drawn_matters_where_a_card_lies_wrong_on_it(
    by_mm: float, doubted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Borderline or illegal; its own shapes count for nothing else."""
    start = DrawnCard(DECK.starting_face.id, DECK.starting_colour.name, (110.0, 100.0, 0.0))
    (upper,) = legally_on(start, 1)
    x, y, angle = upper.pose
    evidence = drawn_evidence(start, replace(upper, pose=(x + by_mm, y, angle)), size_mm=SIZE_MM)
    table = reconstruct(evidence, DECK)
    assert table is not None
    seen = scene_of(table, evidence)
    for otherwise in (False, True):
        monkeypatch.setattr(start_doubts, "drawn_otherwise", lambda *_, told=otherwise: told)
        reasons = [doubt.reason for doubt in start_doubts.start_doubts(seen)]
        assert (start_doubts.OTHER_START in reasons) is (otherwise and doubted)
