from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from geometry.layout import Layout
from tests.conftest import quick_or_thorough
from tests.vision.doubting.doubt_scenes import (
    GREEN,
    RED,
    RULES,
    SCALE,
    SIZE_MM,
    START,
    VIEW,
    FloatArray,
    again,
    card_of,
    laid,
    scene,
    scene_of,
)
from tests.vision.drawing.drawn_cards import DECK, DrawnCard, drawn_evidence
from vision.doubting import edge_doubts
from vision.doubting.doubt_context import DoubtContext, score_of
from vision.doubting.doubts import find_doubts
from vision.drawing.coverage import cover
from vision.drawing.pose_fit import place
from vision.evidence import observe
from vision.reason import Reason
from vision.reconstruct import reconstruct


def inked(
    seen: DoubtContext, colour: str, corner_mm: tuple[float, float], size_mm: FloatArray,
    share: float = 1.0,
) -> DoubtContext:  # fmt: skip
    """The same reading of a picture with a rectangle of a card's ink painted on the table, at such
    a share of its grey levels.
    """
    raster = seen.evidence.raster
    image = raster.image_bgr.copy()
    pose = seen.table.named.poses[card_of(seen, colour)]
    band = place(pose[None], np.array([[DECK.card.width_mm / 2 - 1.7, 0.0]]))[0]
    x, y = np.rint(raster.to_raster(band)[0]).astype(int)
    low = np.array(corner_mm)
    (left, top), (right, bottom) = np.rint(raster.to_raster(np.array([low, low + size_mm]))).astype(
        int
    )
    image[max(top, 0) : bottom, max(left, 0) : right] = np.rint(share * image[y, x])
    # What lies on the table lies under the cards.
    poses = seen.table.named.poses
    ys, xs = np.indices(image.shape[:2])
    at = raster.to_mm(np.stack([xs, ys], axis=-1).reshape(-1, 2).astype(np.float64))
    on_card = cover(raster, poses, DECK.card, 0.2).count_at(at).reshape(xs.shape) > 0
    image[on_card] = raster.image_bgr[on_card]
    return replace(seen, evidence=observe(replace(raster, image_bgr=image)))


RIM = Reason("band-beside")


@pytest.mark.parametrize(("long_mm", "doubted"), [(40.0, True), (14.0, False)])
@pytest.mark.parametrize("colour", ["green", "red"])
def test_a_band_of_ink_beside_a_card(colour: str, long_mm: float, doubted: bool) -> None:
    """What peeks out from under the red card, of another colour or its own."""
    seen = scene(GREEN, RED)
    edge = RED.pose[0] + DECK.card.width_mm / 2
    peeking = inked(seen, colour, (edge, 55.0), np.array([2.5, long_mm]))
    doubts = find_doubts(peeking)
    assert [(d.kind, d.card, d.reason) for d in doubts] == [
        ("missing", card_of(seen, "red"), RIM)
    ] * doubted
    for doubt in doubts:
        assert set(doubt.changes_scores_by) == {"green", "red"}
        assert doubt.at_px == pytest.approx((edge * SCALE, (55 + long_mm / 2) * SCALE), abs=4)


@pytest.mark.parametrize(("colour", "doubted"), [("green", True), ("red", False)])
def test_a_strip_of_ink_beside_a_card(colour: str, doubted: bool) -> None:
    """Narrower than a band, one of another ink is told by its colour; one of its own looks like its
    band.
    """
    seen = scene(GREEN, RED)
    edge = RED.pose[0] + DECK.card.width_mm / 2
    peeking = inked(seen, colour, (edge, 55.0), np.array([1.2, 40.0]))
    doubts = find_doubts(peeking)
    assert [(d.card, d.reason) for d in doubts] == [(card_of(seen, "red"), RIM)] * doubted


@pytest.mark.parametrize(("pixel_mm", "doubted"), [(0.5, True), (1.5, False)])
def test_a_band_no_wider_than_a_photograph_s_pixels_is_blurred(
    pixel_mm: float, doubted: bool
) -> None:
    """Far cards that are seen aslant show their own band beyond their edge."""
    seen = scene(GREEN, RED)
    edge = RED.pose[0] + DECK.card.width_mm / 2
    peeking = inked(seen, "red", (edge, 55.0), np.array([2.5, 40.0]))
    far = replace(VIEW, translation_mm=VIEW.translation_mm * [1.0, 1.0, pixel_mm * SCALE])
    found = list(edge_doubts.rim_doubts(replace(peeking, rough=far)))
    assert len(found) == doubted


@pytest.mark.parametrize("by_mm", [1.6, 2.0])
def test_a_band_beyond_a_line_that_is_shifted_too_is_the_card_s_own(by_mm: float) -> None:
    """A curl does so, and so does a card that lies high."""
    seen = scene(GREEN, RED)
    poses = seen.table.named.poses.copy()
    poses[card_of(seen, "red"), 0] -= by_mm
    shifted = replace(seen.table.named, poses=poses)
    assert not [d for d in again(seen, named=shifted) if d.reason == RIM]


def test_a_table_of_a_card_s_colour_is_no_band() -> None:
    seen = scene(GREEN, RED)
    everywhere = inked(seen, "red", (-30.0, 12.0), np.array([400.0, 400.0]))
    assert not [d for d in find_doubts(everywhere) if d.reason == RIM]


@pytest.mark.parametrize(
    "peeks_mm",
    quick_or_thorough([2.0, 4.0, 6.0, 9.0, 12.0], [2.0, 12.0]),
)
@pytest.mark.parametrize("face", quick_or_thorough(["circle-6", "triangle-2"], ["circle-6"]))
def test_a_card_that_peeks_out_is_read_right_or_doubted(peeks_mm: float, face: str) -> None:
    """By the ink of its band, or by its line where that shows: never a sure score without it."""
    x, y, angle = RED.pose
    drawn = (START, GREEN, DrawnCard(face, "green", (x + peeks_mm, y, angle)), RED)
    seen = scene(*drawn[1:])
    true = score_of(Layout(DECK, tuple(laid(i, card) for i, card in enumerate(drawn))), RULES)
    exact = seen.score.without_illegal == true.without_illegal
    told = [set(d.changes_scores_without_illegal_by) for d in find_doubts(seen)]
    assert exact or any("green" in changes for changes in told)


def test_a_card_under_another_that_was_not_read() -> None:
    """All but three millimetres of it lie under the red one."""
    seen = scene(GREEN, RED)
    x, y, angle = RED.pose
    under = DrawnCard("triangle-5", "green", (x + 3.0, y, angle))
    evidence = drawn_evidence(START, GREEN, under, RED, size_mm=SIZE_MM)
    doubts = find_doubts(replace(seen, evidence=evidence))
    assert [(d.card, d.reason) for d in doubts] == [(card_of(seen, "red"), RIM)]


@pytest.mark.parametrize("gap_mm", quick_or_thorough([0.8, 1.6, 2.4], [1.6]))
def test_a_strip_of_table_between_two_cards_is_no_line(gap_mm: float) -> None:
    """As pale as a card's line, as straight, and no wider."""
    x, y, angle = RED.pose
    beside = DrawnCard("triangle-3", "green", (x - DECK.card.width_mm - gap_mm, y, angle))
    seen = scene(beside, RED)
    middle = np.array([x - (DECK.card.width_mm + gap_mm) / 2, y])
    strip = on_strip(seen, middle, gap_mm)
    assert not [d for d in find_doubts(strip) if d.kind == "missing"]


def on_strip(seen: DoubtContext, middle: FloatArray, wide_mm: float) -> DoubtContext:
    """The table between two cards as white as paper."""
    raster = seen.evidence.raster
    half = np.array([wide_mm / 2, DECK.card.height_mm / 2])
    (x0, y0), (x1, y1) = np.rint(raster.to_raster(np.array([middle - half, middle + half])))
    picture = raster.image_bgr.copy()
    picture[int(y0) : int(y1) + 1, int(x0) : int(x1) + 1] = 190
    evidence = observe(replace(raster, image_bgr=picture))
    table = reconstruct(evidence, DECK)
    assert table is not None
    assert len(table.named) == len(seen.table.named)
    return scene_of(table, evidence)


def test_of_whole_decks_no_card_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What peeks out under a card of one colour, of which all faces are read, is no card's."""
    seen, face = scene(GREEN), DECK.face(GREEN.face)
    assert not seen.whole_decks
    assert not seen.none_is_missing
    asked: list[DoubtContext] = []

    def peeking(one: DoubtContext) -> list[int]:
        asked.append(one)
        return []

    monkeypatch.setattr(edge_doubts, "_peeking_uncounted", peeking)
    for deck, whole in ((DECK, False), (replace(DECK, faces=(face,)), True)):
        here = replace(seen, deck=deck)
        assert here.whole_decks == whole
        assert here.none_is_missing == whole
        assert list(edge_doubts.peeking_doubts(here)) == []
    assert len(asked) == 1
    # Two cards that were read as one and the same: one of them is another.
    first = card_of(seen, "green")
    twice = replace(seen.layout, cards=(*seen.layout.cards, replace(seen.layout.card(first), id=9)))
    assert not replace(here, layout=twice).whole_decks
