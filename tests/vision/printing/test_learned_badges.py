"""Badges are learned from cards that their shapes name, whichever way up they lie."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tests.vision.naming.test_name_cards import TEMPLATES
from vision.drawing.templates import Templates
from vision.naming.faces import Patches
from vision.printing.learned_badges import with_learned_badges

Map32 = NDArray[np.float32]
FACE = "circle-6"
"""Its shapes look the same either way up."""


def table(badges: list[bool]) -> tuple[Patches, Map32]:
    """Cards of one face with another printing's badge, half turned or not."""
    row = 2 * TEMPLATES.faces.index(FACE)
    other = TEMPLATES.white[2 * TEMPLATES.faces.index("square-2")]
    cards = []
    for turned in badges:
        badge = other[::-1] if turned else other
        white = np.where(TEMPLATES.badge, badge, TEMPLATES.white[row])
        ink = TEMPLATES.ink[row][:, None] * [200, 60, 20] + white[:, None] * [240, 240, 240]
        cards.append(np.column_stack([ink, white * 255]))
    pixels = np.array(cards).astype(np.uint8)
    shown = np.ones(pixels.shape[:2], np.float32)
    return Patches(pixels, shown), shown


def learned(badges: list[bool]) -> Templates:
    patches, shown = table(badges)
    found = with_learned_badges(patches, shown, TEMPLATES).learned
    assert found is not None
    return found


def test_badges_half_turned_are_averaged_the_same_way_up() -> None:
    row = 2 * TEMPLATES.faces.index(FACE)
    drawn = TEMPLATES.white[2 * TEMPLATES.faces.index("square-2"), TEMPLATES.badge]
    for badges in ([False, False], [False, True], [True, False, False, True]):
        found = learned(badges)
        look = found.white[row, TEMPLATES.badge]
        like = max(np.corrcoef(look, drawn)[0, 1], np.corrcoef(look[::-1], drawn)[0, 1])
        assert like > 0.99
        assert found.badge_often[row : row + 2].all()
    assert found.badge_known.sum() == 2


def test_a_badge_on_one_card_is_seen_once() -> None:
    assert not learned([True]).badge_often.any()


def test_covered_badges_teach_nothing() -> None:
    patches, shown = table([False, False])
    covered = np.asarray(shown * ~TEMPLATES.badge, np.float32)
    assert with_learned_badges(patches, covered, TEMPLATES) is TEMPLATES
    nameless = replace(patches, weight=np.zeros_like(patches.weight))
    assert with_learned_badges(nameless, shown * 0, TEMPLATES) is TEMPLATES
