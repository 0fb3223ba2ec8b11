"""Every fixture, read as a table may be met, and compared with its truth."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, Literal

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from geometry.pose import PointsMm
from measuring.scenes.comparison import Comparison, compare
from rig.scene_folder import TRUTH
from tests.conftest import cases_quick_or_thorough
from tests.scenes import NAMES, SCENES, scene
from vision.read import read_table
from vision.reading import NotSeen

Image = NDArray[np.uint8]
How = Literal["lens", "no lens", "no markers", "neither"]


def _truth(name: str) -> dict[str, Any]:
    return dict(json.loads((SCENES / name / TRUTH).read_text("utf-8")))


WITHOUT_MARKERS = tuple(name for name in NAMES if not _truth(name)["markers"])
SPREAD = "spread-white"
PLAYED = tuple(name for name in NAMES if name != SPREAD and name not in WITHOUT_MARKERS)
EVERY: list[tuple[str, How]] = [
    *((name, "lens") for name in NAMES),
    *((name, "no lens") for name in NAMES),
    *((name, "no markers") for name in PLAYED),
    *((name, "neither") for name in PLAYED),
]
THOROUGH = [pytest.mark.thorough]
GLARE = "glare-oak"
"""A lamp's mirror image has burnt out a card's middle and dots: nobody can be sure of it."""
BORDERLINE = "two-walnut"
"""A borderline card on it would change the score without the illegal cards."""
QUICK: list[tuple[str, How]] = [
    (GLARE, "lens"), (BORDERLINE, "lens"), (SPREAD, "lens"),
    ("full-felt", "lens"), ("dim-navy", "no lens"), ("window-felt", "no markers"),
    (GLARE, "neither"),
]  # fmt: skip
"""Each way to meet a table, and what each of these tables is there for; `make thorough` reads all
in every way. A photograph without markers is read below, cropped.
"""
TRIED = cases_quick_or_thorough(EVERY, QUICK)
PAPER = 1.3
"""Of a marker's square: the sheet that it is printed on reaches a little further."""


def without_markers(name: str) -> NDArray[np.uint8]:
    """The photograph with its markers painted over."""
    seen = scene(name)
    image = seen.image_bgr.copy()
    for marker in _truth(name)["markers"]:
        corners = np.array(marker["corners_mm"])
        middle = corners.mean(axis=0)
        px = seen.truth.camera.to_px(middle + PAPER * (corners - middle))
        cv2.fillConvexPoly(image, np.rint(px).astype(np.int32), (70, 70, 70))
    return image


@cache
def comparison(name: str, how: How) -> Comparison:
    seen = scene(name)
    image = seen.image_bgr if how in ("lens", "no lens") else without_markers(name)
    lens = seen.truth.lens if how in ("lens", "no markers") else None
    reading = read_table(image, seen.truth.layout.deck, lens, seen.truth.rules)
    assert not isinstance(reading, NotSeen), f"{name} was refused: {reading.reason}"
    assert (reading.play_area_mm is not None) == (
        how in ("lens", "no lens") and seen.truth.has_markers
    )
    return compare(reading, seen.truth)


def test_the_fixtures_are_what_they_were() -> None:
    assert len(PLAYED) == 8
    assert WITHOUT_MARKERS == ("phone-oak",)
    assert {GLARE, BORDERLINE} < set(PLAYED)


@pytest.mark.parametrize(("name", "how"), TRIED)
def test_both_scores_are_exact(name: str, how: How) -> None:
    seen = comparison(name, how)
    assert seen.as_it_lies.exact
    assert seen.without_illegal.exact


@pytest.mark.parametrize(("name", "how"), TRIED)
def test_never_silently_wrong(name: str, how: How) -> None:
    """A wrong score called sure is the worst that can happen."""
    seen = comparison(name, how)
    assert not seen.as_it_lies.silent
    assert not seen.without_illegal.silent


@pytest.mark.parametrize(
    ("name", "how"), cases_quick_or_thorough([c for c in EVERY if c[0] != GLARE], QUICK)
)
def test_scores_are_as_sure_as_anybody_can_be(name: str, how: How) -> None:
    seen = comparison(name, how)
    assert seen.as_it_lies.sure
    assert seen.without_illegal.sure == (name != BORDERLINE)
    assert seen.without_illegal.open == (name == BORDERLINE)
    assert seen.needless == 0


@pytest.mark.parametrize(("name", "how"), TRIED)
def test_every_card_is_found_and_named(name: str, how: How) -> None:
    """But for the one under the lamp, whose dots are counted right and doubted."""
    seen = comparison(name, how)
    assert len(seen.matches) == seen.cards
    assert seen.named >= seen.cards - (name == GLARE)
    assert seen.invented == 0


@pytest.mark.parametrize(("name", "how"), TRIED)
def test_every_illegal_placement_is_named_and_none_invented(name: str, how: How) -> None:
    seen = comparison(name, how)
    assert [outcome for _, outcome in seen.verdicts] == ["named"] * len(seen.verdicts)
    assert seen.accused == ()


@pytest.mark.parametrize(("name", "how"), TRIED)
def test_who_lies_on_whom(name: str, how: How) -> None:
    assert comparison(name, how).pairs_right == comparison(name, how).pairs


@pytest.mark.parametrize(
    "names",
    [
        pytest.param((GLARE, BORDERLINE, "full-felt"), id="three"),
        pytest.param(PLAYED, id="all", marks=THOROUGH),
    ],
)
def test_cards_lie_where_they_are_said_to(names: tuple[str, ...]) -> None:
    matches = [match for name in names for match in comparison(name, "lens").matches]
    off_mm = [match.off_mm for match in matches]
    off_deg = [match.off_deg for match in matches]
    assert np.median(off_mm) <= 0.3
    assert np.percentile(off_mm, 95) <= 0.6
    assert np.percentile(off_deg, 95) <= 0.3


@pytest.mark.parametrize("name", ["phone-oak", pytest.param("wide-slate", marks=THOROUGH)])
def test_a_photograph_that_was_cropped_is_read_as_well(name: str) -> None:
    """Its middle is no longer where the lens's axis was."""
    seen = scene(name)
    cards = np.array([[c.pose.x_mm, c.pose.y_mm] for c in seen.truth.layout.cards])
    edge = 70.0 * np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]])
    px = seen.truth.camera.to_px(PointsMm((cards[:, None] + edge).reshape(-1, 2)))
    right, top = int(px[:, 0].max()), max(0, int(px[:, 1].min()))
    image = np.ascontiguousarray(seen.image_bgr[top:, :right])
    reading = read_table(image, seen.truth.layout.deck, None, seen.truth.rules)
    assert not isinstance(reading, NotSeen)
    assert (reading.scores, reading.scores_without_illegal) == (
        seen.truth.scores,
        seen.truth.scores_without_illegal,
    )
    assert reading.sure
    assert reading.sure_without_illegal


def toned(image: NDArray[np.uint8], gains: list[float], gradient: tuple[float, float]) -> Image:
    """A photograph as a phone may tone it: tinted, or darker to one side, burnt-out patches too."""
    linear = (image / 255.0) ** 2.2 * np.array(gains)
    shade = np.linspace(*gradient, image.shape[1])[None, :, None]
    return np.asarray(np.clip(linear ** (1 / 2.2) * shade, 0, 1) * 255, np.uint8)


@pytest.mark.parametrize(
    ("gains", "gradient"),
    [
        pytest.param([0.45, 0.75, 1.0], (1.0, 1.0), marks=THOROUGH),
        pytest.param([1.0, 0.8, 0.5], (1.0, 1.0), marks=THOROUGH),
        ([1.0] * 3, (0.45, 1.05)),
    ],
)
def test_glare_is_never_silently_wrong_however_the_picture_is_toned(
    gains: list[float], gradient: tuple[float, float]
) -> None:
    """What has burnt out is then no longer white, but just as blank."""
    seen = scene(GLARE)
    image = toned(seen.image_bgr, gains, gradient)
    reading = read_table(image, seen.truth.layout.deck, seen.truth.lens, seen.truth.rules)
    assert not isinstance(reading, NotSeen)
    found = compare(reading, seen.truth)
    assert not found.as_it_lies.silent
    assert not found.without_illegal.silent
