"""Badges are learned from cards that their shapes name, whichever way up they lie."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tests.vision.naming.named_tables import TEMPLATES
from vision.drawing.templates import Templates
from vision.naming.faces import Patches
from vision.printing.learned_badges import with_learned_badges

Map32 = NDArray[np.float32]
FACE = "circle-6"
"""Its shapes look the same either way up."""


def table(*badges: tuple[str, str, bool]) -> tuple[Patches, Map32]:
    """Cards of a face each, with another one's badge, half turned or not."""
    cards = []
    for face, other, turned in badges:
        row = 2 * TEMPLATES.faces.index(face)
        badge = TEMPLATES.white[2 * TEMPLATES.faces.index(other)]
        badge = badge[::-1] if turned else badge
        white = np.where(TEMPLATES.badge, badge, TEMPLATES.white[row])
        ink = TEMPLATES.ink[row][:, None] * [200, 60, 20] + white[:, None] * [240, 240, 240]
        cards.append(np.column_stack([ink, white * 255]))
    pixels = np.array(cards).astype(np.uint8)
    shown = np.ones(pixels.shape[:2], np.float32)
    return Patches(pixels, shown), shown


def learned(badges: list[bool]) -> Templates:
    patches, shown = table(*((FACE, "circle-2", turned) for turned in badges))
    found = with_learned_badges(patches, shown, TEMPLATES).learned
    assert found is not None
    return found


def test_badges_half_turned_are_averaged_the_same_way_up() -> None:
    row = 2 * TEMPLATES.faces.index(FACE)
    drawn = TEMPLATES.white[2 * TEMPLATES.faces.index("circle-2"), TEMPLATES.badge]
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
    patches, shown = table((FACE, FACE, False), (FACE, FACE, False))
    covered = np.asarray(shown * ~TEMPLATES.badge, np.float32)
    assert with_learned_badges(patches, covered, TEMPLATES) is TEMPLATES
    nameless = replace(patches, weight=np.zeros_like(patches.weight))
    assert with_learned_badges(nameless, shown * 0, TEMPLATES) is TEMPLATES


def test_where_suits_are_drawn_otherwise_faces_that_no_card_shows_have_their_suit_s_mean() -> None:
    """Circles have the badges of squares, and squares those of triangles."""
    swapped = (("circle", "square"), ("square", "triangle"))
    badges = [(f"{one}-{k}", f"{other}-{k}", False) for one, other in swapped for k in (1, 2, 3)]
    patches, shown = table(*badges)
    found = with_learned_badges(patches, shown, TEMPLATES)
    assert not found.badge_known.any()
    at = TEMPLATES.badge

    def like(one: str, other: str) -> float:
        rows = (2 * TEMPLATES.faces.index(name) for name in (one, other))
        mine, drawn = (t.white[row, at] for t, row in zip((found, TEMPLATES), rows, strict=True))
        return float(np.corrcoef(mine, drawn)[0, 1])

    assert like("circle-6", "square-6") > like("circle-6", "circle-6")
    assert like("square-6", "triangle-6") > like("square-6", "square-6")


def test_badges_as_drawn_stay_as_they_are_drawn() -> None:
    faces = ("circle-1", "circle-2", "square-1", "square-3", "triangle-2", "triangle-5")
    patches, shown = table(*((face, face, False) for face in faces))
    found = with_learned_badges(patches, shown, TEMPLATES)
    assert found.badge_known.all()
    assert found.white is TEMPLATES.white


def test_a_badge_with_another_suit_s_outline_is_a_misread_card_s_and_teaches_nothing() -> None:
    faces = ("circle-1", "circle-2", "square-4", "square-3", "triangle-2", "triangle-5")
    patches, shown = table(
        *((face, face, False) for face in faces), ("square-4", "circle-5", False)
    )
    found = with_learned_badges(patches, shown, TEMPLATES).learned
    assert found is not None
    row, at = 2 * TEMPLATES.faces.index("square-4"), TEMPLATES.badge
    assert np.corrcoef(found.white[row, at], TEMPLATES.white[row, at])[0, 1] > 0.99
    assert found.badge_known[row]
    assert not found.badge_often[row]


def test_a_badge_that_no_card_shows_is_put_together_from_those_of_other_faces() -> None:
    """Its outline is its suit's, its value that in another suit; in triangles values lie lower."""
    badges = [(face, face, False) for face in ("circle-3", "circle-6", "square-2", "square-4")]
    found = with_learned_badges(*table(*badges), TEMPLATES).learned
    assert found is not None
    rows = [2 * TEMPLATES.faces.index(face) for face in ("circle-2", "circle-4", "square-3")]
    for row in rows:
        look, drawn = found.white[row, TEMPLATES.badge], TEMPLATES.white[row, TEMPLATES.badge]
        assert np.corrcoef(look, drawn)[0, 1] > 0.98
    assert found.badge_known[rows].all()
    assert not found.badge_often[rows].any()
    for face in ("triangle-2", "circle-5"):
        assert not found.badge_known[2 * TEMPLATES.faces.index(face)]


def test_a_badge_seen_once_counts_as_twice_where_another_suit_s_agrees() -> None:
    agree = [(face, face, False) for face in ("circle-2", "circle-3", "square-2", "square-4")]
    smeared = [*agree[:2], ("square-2", "square-5", False), agree[3]]
    row = 2 * TEMPLATES.faces.index("square-2")
    for badges, often in ((agree, True), (smeared, False)):
        found = with_learned_badges(*table(*badges), TEMPLATES).learned
        assert found is not None
        assert found.badge_known[row]
        assert found.badge_often[row] == often


def test_outlines_are_learned_beyond_where_values_stand() -> None:
    """Circles have the badges of squares, whose corners lie farther out."""
    badges = [(f"circle-{k}", f"square-{k}", False) for k in (2, 3, 5)]
    patches, shown = table(*badges)
    about = TEMPLATES.outline & ~TEMPLATES.badge
    square = TEMPLATES.white[2 * TEMPLATES.faces.index("square-2")]
    patches.pixels[:, about, 3] = square[about] * 255
    found = with_learned_badges(patches, shown, TEMPLATES).learned
    assert found is not None
    row = 2 * TEMPLATES.faces.index("circle-4")
    np.testing.assert_allclose(found.white[row, about], square[about], atol=0.01)
    other = 2 * TEMPLATES.faces.index("triangle-4")
    np.testing.assert_allclose(found.white[other, about], TEMPLATES.white[other, about])
