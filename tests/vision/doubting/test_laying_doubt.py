from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from geometry.layout import Layout
from geometry.pose import Pose
from measuring.scenes.truth import parse_truth
from tests.vision.doubting.doubt_scenes import scene, scene_of
from tests.vision.drawing.drawn_cards import DrawnCard
from vision.doubting.doubt_context import DoubtContext
from vision.doubting.table_doubts import laying_doubt

ROUND = Path(__file__).parents[2] / "fixtures" / "scenes" / "dim-navy" / "truth.json"
CARD = DrawnCard("circle-4", "red", (60.0, 60.0, 0.2))


def stretched(by: float, cards: int | None = None) -> DoubtContext:
    """A round of which all millimetres along x are so much too long; or only its first cards."""
    layout = parse_truth(json.loads(ROUND.read_text("utf-8"))).layout
    laid = tuple(
        replace(card, pose=Pose(card.pose.x_mm * by, *_rest(card.pose)))
        for card in layout.cards[:cards]
    )
    seen = scene(CARD)
    seen = scene_of(seen.table, seen.evidence)
    return replace(seen, layout=Layout(layout.deck, laid, None))


def _rest(pose: Pose) -> tuple[float, float, bool]:
    return pose.y_mm, pose.angle_deg, pose.mirrored


def test_cards_that_seem_to_lie_where_nobody_lays_them_make_verdicts_unsure() -> None:
    (doubt,) = laying_doubt(stretched(1.05))
    assert doubt.changes_scores_without_illegal_by
    assert not doubt.changes_scores_by
    assert doubt.reason.code == "laid-too-far-off"


@pytest.mark.parametrize(("by", "cards"), [(1.0, None), (1.05, 4)])
def test_cards_laid_as_people_do_are_no_doubt_nor_are_a_few(by: float, cards: int | None) -> None:
    assert not list(laying_doubt(stretched(by, cards)))
