from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.drawing.drawn_cards import CARD, DECK, DrawnCard, drawn_evidence
from vision.drawing.coverage import cover
from vision.drawing.pose_fit import frame_samples, place
from vision.evidence import Evidence, _level_below, observe, sample
from vision.raster import Raster

Image = NDArray[np.uint8]
DENSITY = 2.4
SIDE_MM = 160


def plain(level: int) -> Image:
    return np.full((int(SIDE_MM * DENSITY),) * 2 + (3,), level, np.uint8)


def seen(image: Image) -> Evidence:
    return observe(Raster(image, (0.0, 0.0), DENSITY))


def with_disc(image: Image, diameter_mm: float, bgr: tuple[int, int, int]) -> Image:
    """A disc in the middle."""
    out = image.copy()
    y, x = np.indices(image.shape[:2]) / DENSITY
    out[np.hypot(x - 80, y - 80) < diameter_mm / 2] = bgr
    return out


def test_levels_are_counted_as_sorting_has_them() -> None:
    image = np.random.default_rng(2).gamma(2, 9, (83, 61)).clip(0, 255).astype(np.uint8)
    for share in (0.0, 0.37, 0.5, 0.998, 1.0):
        assert _level_below(image, share) == pytest.approx(np.percentile(image, 100 * share))
    some = (image > 7).astype(np.uint8)
    assert _level_below(image, 0.5, some) == np.median(image[image > 7])


def at_middle(values: Image, off_mm: float = 0.0) -> int:
    return int(values[int(80 * DENSITY), int((80 + off_mm) * DENSITY)])


@pytest.mark.parametrize(
    ("diameter_mm", "bgr", "burnt"),
    [
        (20.0, (255, 255, 255), True),
        (20.0, (228, 240, 250), True),
        (9.0, (255, 255, 255), True),
        (4.2, (255, 255, 255), False),
        (20.0, (215, 215, 215), False),
        (20.0, (200, 255, 255), False),
    ],
)
def test_burnt_patches_are_bright_in_all_channels_and_wider_than_a_dot(
    diameter_mm: float, bgr: tuple[int, int, int], burnt: bool
) -> None:
    evidence = seen(with_disc(plain(90), diameter_mm, bgr))
    assert at_middle(evidence.burnt) == (255 if burnt else 0)
    assert at_middle(evidence.burnt, 40.0) == 0


def test_a_burnt_patch_has_its_rim() -> None:
    evidence = seen(with_disc(plain(90), 20.0, (255, 255, 255)))
    assert at_middle(evidence.burnt, 10.8) == 255
    assert at_middle(evidence.burnt, 13.5) == 0


def test_what_is_burnt_is_washed_too() -> None:
    evidence = seen(with_disc(plain(90), 20.0, (255, 255, 255)))
    assert (evidence.washed[evidence.burnt > 0] == 255).all()


@pytest.mark.parametrize("sigma", [2.0, 5.0, 10.0])
@pytest.mark.parametrize("density", [2.0, 2.6])
def test_noise_is_about_that_of_the_smoothed_smallest_channel(sigma: float, density: float) -> None:
    random = np.random.default_rng(4)
    noisy = np.clip(random.normal(120, sigma, (400, 400, 3)), 0, 255).astype(np.uint8)
    evidence = observe(Raster(noisy, (0.0, 0.0), density))
    assert 0.4 < evidence.noise / float(evidence.least.std()) < 1.3


@pytest.mark.parametrize("sigma", [0.0, 2.0, 4.0])
def test_noise_is_not_taken_for_white(sigma: float) -> None:
    random = np.random.default_rng(4)
    noisy = np.clip(random.normal(120, sigma, (*plain(0).shape,)), 0, 255).astype(np.uint8)
    assert (seen(noisy).mask > 0).mean() < 0.02


@pytest.mark.parametrize("level", [30, 235])
def test_a_plain_picture_says_nothing(level: int) -> None:
    evidence = seen(plain(level))
    assert not evidence.mask.any()
    assert not evidence.burnt.any()
    assert evidence.noise == 0


def test_a_card_s_lines_are_white_and_its_black_is_not() -> None:
    evidence = drawn_evidence(CARD)
    lines = frame_samples(DECK.card, 1.5)
    pose = np.array([CARD.pose])
    on = sample(evidence.white, evidence.raster.to_raster(place(pose, lines.places_mm)))
    beside = place(pose, lines.places_mm + 1.75 * lines.normals)
    off = sample(evidence.white, evidence.raster.to_raster(beside))
    assert np.percentile(on, 5) > 170
    assert np.percentile(off, 90) < 80


@pytest.mark.parametrize("light", [1.0, 0.25])
@pytest.mark.parametrize("gains", [(1.0, 1.0, 1.0), (0.55, 0.8, 1.0), (1.0, 0.9, 0.7)])
def test_white_lines_are_grey_whatever_the_light(
    gains: tuple[float, float, float], light: float
) -> None:
    raster = drawn_evidence(CARD).raster
    lit = np.asarray(np.rint(raster.image_bgr * (light * np.array(gains))), np.uint8)
    evidence = observe(Raster(lit, raster.origin_mm, raster.density))
    lines = frame_samples(DECK.card, 1.5)
    at = raster.to_raster(place(np.array([CARD.pose]), lines.places_mm))
    white = np.median(evidence.colour_at(at)[0], axis=0)
    assert np.ptp(white) < 0.06 * white.max() + 1
    found = evidence.gains / evidence.gains.min()
    np.testing.assert_allclose(found, 1 / np.array(gains), rtol=0.12)


def dotted_cards(gains: tuple[float, float, float], jpeg: int, light: float) -> Evidence:
    """Cards with dots in coloured light, as a JPEG with a quarter of the colour leaves them."""
    cards = (
        DrawnCard("square-6", colour, (x, 70.0, 0.1))
        for colour, x in zip(("red", "blue", "green"), (10.0, 80.0, 150.0), strict=True)
    )
    raster = drawn_evidence(*cards, size_mm=(230, 130)).raster
    lit = np.asarray(raster.image_bgr * (np.array(gains) * light), np.uint8)
    done, file = cv2.imencode(".jpg", lit, [cv2.IMWRITE_JPEG_QUALITY, jpeg])
    assert done
    image = np.asarray(cv2.imdecode(file, cv2.IMREAD_COLOR), np.uint8)
    return observe(Raster(image, raster.origin_mm, raster.density))


@pytest.mark.parametrize("light", [1.0, 0.3])
@pytest.mark.parametrize("gains", [(0.5, 0.8, 1.0), (1.0, 0.7, 0.55)])
def test_a_strong_cast_is_taken_out_whole_though_a_jpeg_s_colour_is_soft(
    gains: tuple[float, float, float], light: float
) -> None:
    evidence = dotted_cards(gains, jpeg=80, light=light)
    found = evidence.gains / evidence.gains.min()
    np.testing.assert_allclose(found, 1 / np.array(gains), rtol=0.06)


@pytest.mark.parametrize("turn_deg", [0.0, 40.0])
def test_a_pencil_s_colour_is_not_white(turn_deg: float) -> None:
    """It is as narrow as white things may be, and shows more pixels than all dots."""
    raster = dotted_cards((1.0, 1.0, 1.0), jpeg=90, light=1.0).raster
    image = cv2.copyMakeBorder(
        raster.image_bgr, 0, 0, 0, 300, cv2.BORDER_CONSTANT, value=(20, 20, 20)
    )
    turn = np.deg2rad(turn_deg)
    middle, way = np.array([702, 156]), 130 * np.array([np.cos(turn), np.sin(turn)])
    begin, end = (tuple((middle + sign * way).astype(int).tolist()) for sign in (-1, 1))
    cv2.line(image, begin, end, (120, 220, 160), round(5.5 * raster.density))
    evidence = observe(Raster(np.asarray(image, np.uint8), raster.origin_mm, raster.density))
    np.testing.assert_allclose(evidence.gains, 1.0, atol=0.05)


def test_the_white_level_is_judged_near_by() -> None:
    """Under light that falls off to a quarter the same lines are as white."""
    raster = drawn_evidence(CARD).raster
    fall = np.linspace(1.0, 0.25, raster.image_bgr.shape[1])[None, :, None]
    dim = np.asarray(raster.image_bgr * fall, np.uint8)
    evidence = observe(Raster(dim, raster.origin_mm, raster.density))
    lines = frame_samples(DECK.card, 1.5)
    at = raster.to_raster(place(np.array([CARD.pose]), lines.places_mm))
    assert np.percentile(sample(evidence.white, at), 5) > 150


LINE_MM = 80.0


def with_line(image: Image, contrast: int, dark: bool = False) -> Image:
    """A line of 0.9 mm down the middle, brighter than its ground by so much."""
    raw = image.astype(np.float32)
    finer = 8
    x = np.arange(image.shape[1] * finer) / (DENSITY * finer)
    share = (np.abs(x - LINE_MM) < 0.45).reshape(-1, finer).mean(axis=1)
    raw += (-contrast if dark else contrast) * share[None, :, None]
    blurred = cv2.GaussianBlur(raw, (0, 0), 0.25 * DENSITY)
    return np.asarray(np.clip(blurred, 0, 255), np.uint8)


def soft_glare(image: Image, height: int, sigma_mm: float = 18.0) -> Image:
    y, x = np.indices(image.shape[:2]) / DENSITY
    spot = height * np.exp(-((x - 80) ** 2 + (y - 80) ** 2) / 2 / sigma_mm**2)
    return np.asarray(np.clip(image + spot[..., None], 0, 255), np.uint8)


@pytest.mark.parametrize("height", [60, 150])
def test_a_broad_soft_glare_is_not_white_and_a_line_over_it_is(height: int) -> None:
    bare = seen(soft_glare(plain(40), height))
    assert not bare.mask.any()
    lined = seen(with_line(soft_glare(plain(40), height), 60))
    assert at_middle(lined.white) > 150
    assert at_middle(lined.mask) == 255
    assert (lined.mask[:, : int((LINE_MM - 2) * DENSITY)] == 0).all()
    assert (lined.mask[:, int((LINE_MM + 2) * DENSITY) :] == 0).all()


def test_a_white_table_is_not_white_and_a_line_on_a_card_on_it_is() -> None:
    """The table is far brighter than the card's black, and wider than any line or dot."""
    raster = drawn_evidence(CARD).raster
    y, x = np.indices(raster.image_bgr.shape[:2])
    at = raster.to_mm(np.stack([x, y], axis=-1).reshape(-1, 2).astype(np.float64))
    pose = np.array([CARD.pose])
    beside = cover(raster, pose, DECK.card, 0.4).count_at(at).reshape(x.shape) == 0
    image = raster.image_bgr.copy()
    image[beside] = 235
    evidence = observe(Raster(image, raster.origin_mm, raster.density))
    far = cover(raster, pose, DECK.card, 1.0).count_at(at).reshape(x.shape) == 0
    assert (evidence.mask[far] == 0).all()
    assert np.percentile(evidence.white[far], 99) < 20
    lines = frame_samples(DECK.card, 1.5)
    on = sample(evidence.white, raster.to_raster(place(pose, lines.places_mm)))
    assert np.percentile(on, 5) > 150


@pytest.mark.parametrize(("width_mm", "white"), [(0.9, True), (4.2, True), (9.0, False)])
def test_what_is_wider_than_a_dot_is_not_white(width_mm: float, white: bool) -> None:
    image = plain(40)
    middle = int(80 * DENSITY)
    half = round(width_mm * DENSITY / 2)
    image[:, middle - half : middle + half + 1] = 200
    evidence = seen(image)
    assert (at_middle(evidence.mask) == 255) == white
    assert (at_middle(evidence.white) > 200) == white


def test_a_shadow_s_edge_and_a_dark_line_are_not_white() -> None:
    image = plain(150)
    image[:, : int(80 * DENSITY)] = 60
    assert not seen(image).mask.any()
    dark = seen(with_line(plain(150), 100, dark=True))
    assert at_middle(dark.mask) == 0


def test_a_faint_line_beside_clear_ones_is_none() -> None:
    """White is a share of the clearest thing near by: a seam of a tenth of a line's contrast."""
    both = with_line(plain(40), 180)
    seam = int((LINE_MM + 4) * DENSITY)
    both[:, seam - 1 : seam + 1] += 20
    evidence = seen(both)
    assert at_middle(evidence.mask) == 255
    assert at_middle(evidence.mask, 4.0) == 0
    alone = plain(40)
    alone[:, seam - 1 : seam + 1] += 40
    assert at_middle(seen(alone).mask, 4.0) == 255


def test_samples_are_bilinear_and_nothing_outside() -> None:
    image = np.array([[0, 100], [40, 200]], np.uint8)
    at = np.array([[0.0, 0.0], [0.5, 0.0], [0.5, 0.5], [1.0, 1.0], [-5.0, 0.0]])
    np.testing.assert_allclose(sample(image, at), [0, 50, 85, 200, 0], atol=1)
    colours = np.stack([image, image // 2], axis=2)
    np.testing.assert_allclose(sample(colours, at[None])[0, 1], [50, 25], atol=1)
    assert sample(colours, np.empty((3, 0, 2))).shape == (3, 0, 2)


def test_long_lists_are_sampled_to_their_end() -> None:
    image = np.arange(200, dtype=np.uint8)[None].repeat(3, axis=0)
    count = 50_000
    at = np.column_stack([np.arange(count) % 200, np.ones(count)]).astype(np.float64)
    np.testing.assert_array_equal(sample(image, at), np.arange(count) % 200)
