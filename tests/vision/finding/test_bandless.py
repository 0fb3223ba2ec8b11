"""The starting card is the one without ink on its band."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.drawing.drawn_cards import DECK, DrawnCard, drawn_evidence
from vision.drawing.pose_fit import place
from vision.drawing.printed_deck import PrintedDeck
from vision.drawing.templates import draw_templates
from vision.evidence import Evidence, observe
from vision.finding import bandless
from vision.finding.bandless import INKLESS, band_tint, palest

TEMPLATES = draw_templates(DECK)
PRINTED = PrintedDeck(DECK, TEMPLATES)
START = DrawnCard(DECK.starting_face.id, DECK.starting_colour.name, (10.0, 70.0, 0.2))
CARDS = (
    START,
    DrawnCard("circle-4", "green", (85.0, 70.0, 0.4)),
    DrawnCard("square-2", "red", (155.0, 70.0, -0.3)),
)
POSES = np.array([card.pose for card in CARDS])
ALL = np.ones((len(CARDS), len(TEMPLATES.grid_mm)), np.bool_)


def veiled(evidence: Evidence, veil: float, light: float) -> Evidence:
    """The same through stray light: less contrast, and black no longer black."""
    raster = evidence.raster
    image = np.rint(raster.image_bgr * light + veil).clip(0, 255).astype(np.uint8)
    return observe(replace(raster, image_bgr=image))


@pytest.mark.parametrize(("veil", "light"), [(0.0, 1.0), (70.0, 0.5), (0.0, 0.4)])
def test_the_starting_card_alone_has_no_ink_on_its_band(veil: float, light: float) -> None:
    evidence = veiled(drawn_evidence(*CARDS, size_mm=(230, 130)), veil, light)
    tint = band_tint(evidence, POSES, ALL, PRINTED)
    assert tint[0] < INKLESS / 2 * np.median(tint)
    assert (tint[1:] > 0.5 * np.median(tint)).all()
    assert palest(evidence, POSES, ALL, PRINTED)[0].tolist() == [0]


def test_a_band_is_pale_beside_the_others_whatever_these_have(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evidence = drawn_evidence(*CARDS, size_mm=(230, 130))
    for tint, told in (
        ([5.0, 50.0, 60.0], [0]),
        ([6.0, 10.0, 12.0], []),
        ([1.0, 10.0, 12.0], [0]),
        ([3.0, 50.0, 1.0, 60.0, 70.0], [2]),
        ([7.0, 20.0, 22.0, 21.0, 90.0, 95.0, 99.0, 97.0], [0]),
        ([5.0, np.nan, np.nan], []),
    ):
        as_measured = np.array(tint)
        both = np.stack([as_measured, np.full(len(tint), np.nan)])
        monkeypatch.setattr(bandless, "_tints", lambda *_, given=both: given)
        assert palest(evidence, POSES, ALL, PRINTED)[0].tolist() == told


@pytest.mark.parametrize("paler", [0.3, 0.6])
def test_paler_lines_make_a_band_no_more_coloured(paler: float) -> None:
    # Other printings draw the starting card with thin or grey lines.
    evidence = drawn_evidence(*CARDS, size_mm=(230, 130))
    image = evidence.raster.image_bgr.copy()
    lines = image[:, : image.shape[1] // 4]
    lines[...] = np.where(lines > 100, lines * paler, lines).astype(np.uint8)
    seen = observe(replace(evidence.raster, image_bgr=image))
    assert palest(seen, POSES, ALL, PRINTED)[0].tolist() == [0]


def test_a_band_that_does_not_show_tells_nothing() -> None:
    evidence = drawn_evidence(*CARDS, size_mm=(230, 130))
    half = np.array([DECK.card.width_mm, DECK.card.height_mm]) / 2
    deep = (half - np.abs(TEMPLATES.grid_mm)).min(axis=1)
    shows = ALL & (deep > DECK.card.frame_inset_mm - 0.5)
    assert np.isnan(band_tint(evidence, POSES, shows, PRINTED)).all()
    assert len(palest(evidence, POSES, shows, PRINTED)[0]) == 0


def test_a_plain_grey_place_tells_nothing() -> None:
    evidence = drawn_evidence(size_mm=(230, 130))
    assert len(palest(evidence, POSES, ALL, PRINTED)[0]) == 0


def test_a_card_of_which_inked_shapes_alone_show_inside_is_compared_with_the_others_black() -> None:
    """What is left in sight there is as coloured as its band."""
    evidence = drawn_evidence(*CARDS, size_mm=(230, 130))
    row, inner = 2 * TEMPLATES.faces.index("square-2"), np.abs(TEMPLATES.grid_mm) < [24.0, 39.0]
    inked = (TEMPLATES.ink[row] > 0.5) | ~inner.all(axis=1)
    tint = band_tint(evidence, POSES, np.where(np.arange(3)[:, None] == 2, inked, ALL), PRINTED)
    assert tint[2] > 0.5 * np.median(tint)
    start = np.where(np.abs(TEMPLATES.grid_mm).max(axis=1) < 20.0, False, ALL)
    assert palest(evidence, POSES, start, PRINTED)[0].tolist() == [0]


def test_where_no_card_has_a_band_none_is_pale() -> None:
    deck = replace(DECK, art=replace(DECK.art, band=False))
    printed = PrintedDeck(deck, draw_templates(deck))
    evidence = drawn_evidence(*CARDS, size_mm=(230, 130), deck=deck)
    assert np.isnan(band_tint(evidence, POSES, ALL, printed)).all()
    assert len(palest(evidence, POSES, ALL, printed)[0]) == 0


def test_a_card_whose_band_is_hidden_by_black_has_ink_in_its_badge() -> None:
    """Another card that covers a shape exactly lies along its band, and is not known yet."""
    cards = (*CARDS, DrawnCard("triangle-3", "blue", (225.0, 70.0, 0.1)))
    poses = np.array([card.pose for card in cards])
    evidence = drawn_evidence(*cards, size_mm=(300, 130))
    inside = (np.abs(TEMPLATES.grid_mm) < [24.0, 39.0]).all(axis=1)
    at = evidence.raster.to_raster(place(poses[1:2], TEMPLATES.grid_mm[~inside])[0])
    image = evidence.raster.image_bgr.copy()
    for x, y in np.rint(at).astype(int).tolist():
        cv2.circle(image, (x, y), 1, (25, 25, 25), -1)
    seen = observe(replace(evidence.raster, image_bgr=image))
    shows = np.ones((len(cards), len(TEMPLATES.grid_mm)), np.bool_)
    assert palest(seen, poses, shows, PRINTED)[0].tolist() == [0]
    shows[0] = shows[1, TEMPLATES.badge] = False
    assert palest(seen, poses, shows, PRINTED)[0].tolist() == [1], (
        "its badge alone tells of its ink"
    )
