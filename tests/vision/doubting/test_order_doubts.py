from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.doubting.doubt_scenes import GREEN, OVER, RULES, START, again, card_of, scene
from tests.vision.drawing.drawn_cards import DECK, DrawnCard
from vision.doubting.chance_fits import ChanceFits
from vision.doubting.doubt_context import score_of
from vision.ordering.order import PairEvidence


@pytest.mark.parametrize(("places", "doubted"), [(0, False), (30, True)])
def test_an_order_that_asks_for_chance_is_a_doubt_only_where_the_picture_leans_to_it(
    monkeypatch: pytest.MonkeyPatch, places: int, doubted: bool
) -> None:
    seen = scene(GREEN, OVER)
    below, top = card_of(seen, "green"), card_of(seen, "red")
    pair = sorted((below, top))
    lead = np.array([-0.4 if top == pair[0] else 0.4])
    pairs = PairEvidence(np.array([pair]), lead, np.array([places]), np.array([0]))
    stack = replace(seen.table.stack, pairs=pairs)
    assert "order" in [doubt.kind for doubt in again(seen, stack=stack)]
    monkeypatch.setattr(ChanceFits, "needed_by_order", lambda *_: True)
    assert ("order" in [doubt.kind for doubt in again(seen, stack=stack)]) == doubted


EDGE = DrawnCard("square-2", "red", (15.0 + 58.2 - 2.0, 71.0, 0.0))
"""Bands over bands: no dot depends on which lies on top."""


@pytest.mark.parametrize(("upper", "matters"), [(OVER, True), (EDGE, False)])
@pytest.mark.parametrize("lead", [0.05, -0.05, 0.9])
def test_an_order_that_is_not_clear(upper: DrawnCard, matters: bool, lead: float) -> None:
    """A doubt only where the two explanations are nearly as good and the score depends on it."""
    seen = scene(GREEN, upper)
    below, top = card_of(seen, "green"), card_of(seen, "red")
    pair = sorted((below, top))
    # `lead` speaks for the first of the pair.
    leads = np.array([lead if top == pair[0] else -lead])
    pairs = PairEvidence(np.array([pair]), leads, np.array([200]), np.array([0]))
    doubts = [
        d for d in again(seen, stack=replace(seen.table.stack, pairs=pairs)) if d.kind == "order"
    ]
    assert len(doubts) == (matters and abs(lead) < 0.5)
    for doubt in doubts:
        other = seen.layout.without([below]).laid_on_top(seen.layout.card(below))
        swapped, before = score_of(other, RULES).as_it_lies, seen.score.as_it_lies
        change = {k: swapped[k] - before[k] for k in before if swapped[k] != before[k]}
        assert doubt.changes_scores_by == change != {}
        assert doubt.card == top


@pytest.mark.parametrize(
    ("lead", "places", "doubted"), [(0.05, 20, False), (-0.5, 20, False), (-0.5, 400, True)]
)
def test_what_covers_the_starting_card_lies_on_it(lead: float, places: int, doubted: bool) -> None:
    """It lay there before all others; unless the picture plainly says the contrary."""
    x, y, angle = START.pose
    seen = scene(GREEN, DrawnCard("circle-6", "red", (x + 58.0, y, angle)))
    start, red = card_of(seen, DECK.starting_colour.name), card_of(seen, "red")
    pair = sorted((start, red))
    leads = np.array([lead if red == pair[0] else -lead])
    pairs = PairEvidence(np.array([pair]), leads, np.array([places]), np.array([0]))
    against = [(start, red) if lead > 0 else (red, start)] if doubted else []
    stack = replace(seen.table.stack, pairs=pairs, against=against)
    found = again(seen, stack=stack)
    assert bool([d for d in found if d.kind == "order"]) == doubted


def test_a_pair_that_had_to_give_way_is_in_doubt_however_clear() -> None:
    seen = scene(GREEN, OVER)
    lower, upper = card_of(seen, "green"), card_of(seen, "red")
    stack = replace(seen.table.stack, against=[(lower, upper)])
    assert [d.kind for d in again(seen, stack=stack)] == ["order"]
