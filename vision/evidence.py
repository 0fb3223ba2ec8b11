"""What each raster pixel says: how white it is against its surroundings, and how coloured.

A few passes in 8 bits over the raster; everything after works on samples.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bools, FloatArray, Ints
from vision.cores import Meanwhile, shared_out
from vision.pace import Pace
from vision.raster import Raster, look_up
from vision.strips import STRIP, Part, empty_map, in_strips, to_be_filled
from vision.whiteness import local_white

Image8 = NDArray[np.uint8]

HALF_LEVEL = 127
"""Of a map of what is so (255) or not so (0), looked up between its pixels."""
SMOOTHING_MM = 0.3
SMOOTHING_REACH = 8
"""Pixels that smoothing looks at on either side, at most."""
BURNT_LEAST, BURNT_MOST = 225.0, 248.0
"""Grey levels of the smallest and the largest channel from which on a patch counts as burnt."""
PATCH_MM = 5.5
LINE_BLUR_MM = 0.9
RIM_MM = 1.2
WASHED_SHARE = 0.8
WASHED_RIM_MM = 0.8
CLEAR_RISE, CLEAR_SHARE = (8.0, 25.0), 0.5
"""Lines that give the white balance stand out by 25 grey levels; in dim light, where no line does,
by half of what the clearest do, and by 8."""
NOISE_RANGES = 9.0
"""The range of pure noise over a window's few dozen independent values, in its sigma."""

DOT_CORE_MM = 1.9
"""A line is narrower than this, a dot twice as wide."""
WIDEST_CORE_MM = 4.0
"""Twice what a dot leaves of its width once it is thinned by that: what leaves more is none, and
may have any colour."""
FEWEST_WHITE, BRIGHT_SHARE = 15, 0.75
"""Every other pixel of every other row in the middle of dots says what white is: those nearly as
bright as the brightest."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """Maps of the raster's size (H, W), uint8 unless said otherwise.

    `white`: 0 to 255, how white a thin thing is against its ground, as a share of the clearest
    near by; 0 for the ground and for all that is wider than a dot.
    `mask`: 255 where that says white and the contrast is beyond the noise.
    `least`: the smallest channel after balancing, smoothed. `gains` (3,) scale the raster's
    channels so that white dots are grey. `burnt`: 255 in burnt-out patches wider than a dot;
    `washed` also where black is almost as bright as white, which is read with care;
    `washed_level` is that brightness, in grey levels. `noise`: sigma of
    `least` in grey levels. `pace` says whether there is time to look for more than plainly shows.
    """

    raster: Raster
    white: Image8
    mask: Image8
    least: Image8
    burnt: Image8
    washed: Image8
    washed_level: float
    noise: float
    gains: FloatArray
    pace: Pace

    @cached_property
    def with_white(self) -> Image8:
        """The raster, balanced, with white as its fourth channel (H, W, 4).

        OpenCV warps four channels in less than half the time of three and then one.
        """
        image, scaled = self.raster.image_bgr, not _alike(self.gains)
        both, by = to_be_filled((*self.white.shape, 4), self.raster.columns), np.diag(self.gains)

        def join(part: Part, _around: Part, _inner: Part) -> None:
            balanced = cv2.transform(image[part], by) if scaled else image[part]
            cv2.cvtColor(balanced, cv2.COLOR_BGR2BGRA, dst=both[part])
            cv2.insertChannel(self.white[part], both[part], 3)

        in_strips(join, len(both), columns=self.raster.columns)
        return both

    def colour_at(self, raster_px: FloatArray) -> NDArray[np.float32]:
        """Balanced colours (..., 3), BGR, at raster pixels (..., 2), bilinear; 0 outside."""
        return sample(self.with_white, raster_px)[..., :3]

    def is_washed(self, table_mm: FloatArray) -> Bools:
        """Which places (..., 2), table mm, a lamp washes out."""
        return np.asarray(look_up(self.washed, self.raster.to_raster(table_mm)) > HALF_LEVEL)

    def is_burnt(self, table_mm: FloatArray) -> Bools:
        """Which places (..., 2), table mm, are burnt out."""
        return np.asarray(look_up(self.burnt, self.raster.to_raster(table_mm)) > HALF_LEVEL)

    @cached_property
    def blurred_mask(self) -> Image8:
        """The white mask at half its size, blurred by about a line's width."""
        small = cv2.resize(self.mask, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        spread = LINE_BLUR_MM * self.raster.density / 2
        return np.asarray(cv2.GaussianBlur(small, (0, 0), spread), np.uint8)

    def prepare(self) -> None:
        """Make the two above, which are made when they are first asked for."""
        _ = self.with_white, self.blurred_mask


def observe(raster: Raster, pace: Pace | None = None) -> Evidence:
    """Turn a raster into evidence; the white balance comes from the white lines themselves."""
    glare = Meanwhile(partial(_burnt, raster))
    gains = _white_balance(raster)
    least, noise = _least_channel(raster.image_bgr, gains, raster.density, raster.columns)
    white, mask, ground = local_white(least, raster.density, noise, raster.columns)
    burnt, some = glare.result()
    level = WASHED_SHARE * _white_level(least, mask)
    washed = Meanwhile(partial(_washed, burnt, ground, level, raster))
    gains = _colour_balance(raster, some, mask, gains)
    lit = washed.result(), level, noise
    return Evidence(raster, white, mask, least, burnt, *lit, gains, pace or Pace())


def _washed(burnt: Image8, ground: Image8, level: float, raster: Raster) -> Image8:
    """255 in burnt-out patches and where the ground is brighter than a level, with their rims."""
    rim = round(WASHED_RIM_MM * raster.density)
    kernel = np.ones((2 * rim + 1, 2 * rim + 1), np.uint8)
    washed = to_be_filled(burnt.shape, raster.columns)

    def tell(part: Part, around: Part, inner: Part) -> None:
        some = cv2.compare(ground[around], level, cv2.CMP_GT)
        cv2.bitwise_or(burnt[around], some, dst=some)
        washed[part] = cv2.dilate(some, kernel)[inner] if cv2.hasNonZero(some) else 0

    in_strips(tell, len(washed), rim, raster.columns)
    return washed


def _white_level(least: Image8, mask: Image8) -> float:
    """How bright the brightest white lines are, in grey levels of `least`."""
    lines = least[::4, ::4][mask[::4, ::4] > 0]
    return float(np.percentile(lines, 99)) if len(lines) >= 100 else 255.0


def _burnt(raster: Raster) -> tuple[Image8, Image8]:
    """Patches wider than a dot that are burnt out, with their rims; worked out at half density,
    from some of the raster's pixels, every other one of every other row; and those pixels.

    Lines and dots may be as bright and still be read; in a patch nothing is.
    """
    some = _every_other(raster.image_bgr)
    b, g, r = cv2.split(some)
    least, most = cv2.min(cv2.min(b, g), r), cv2.max(cv2.max(b, g), r)
    bright = cv2.bitwise_and(
        cv2.compare(least, BURNT_LEAST, cv2.CMP_GE), cv2.compare(most, BURNT_MOST, cv2.CMP_GE)
    )
    height, width = raster.image_bgr.shape[:2]
    burnt = empty_map((height, width))
    if not bright.any():
        return burnt, some
    size = round(PATCH_MM * raster.density / 2) | 1
    core = cv2.erode(bright, np.ones((size, size), np.uint8))
    if not core.any():
        return burnt, some
    reach = size + 2 * round(RIM_MM * raster.density / 2)
    patch = cv2.dilate(core, np.ones((reach, reach), np.uint8))
    x, y, across, down = (2 * side for side in cv2.boundingRect(patch))
    whole = cv2.resize(patch, (width, height), interpolation=cv2.INTER_NEAREST)
    # Little of a wide picture is burnt out, and nothing need be kept of the rest.
    around = slice(max(0, y - 2), y + down + 2), slice(max(0, x - 2), x + across + 2)
    burnt[around] = whole[around]
    return burnt, some


def _white_balance(raster: Raster) -> FloatArray:
    """Channel gains that make thin white lines grey, from a picture at half density.

    Lines, not dots: no wider than a JPEG's colour is sharp, they look paler in coloured light than
    they are, and gains that suit dots raise little but the noise of the channel that lacks light.
    """
    small = cv2.resize(raster.image_bgr, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    density = raster.density / 2
    gains = np.ones(3)
    for _ in range(2):
        least, noise = _least_channel(np.asarray(small, np.uint8), gains, density)
        size = round(2.2 * density) | 1
        kernel = np.ones((size, size), np.uint8)
        hat = cv2.morphologyEx(least, cv2.MORPH_TOPHAT, kernel)
        clear = CLEAR_SHARE * _level_below(_every_other(np.asarray(hat, np.uint8)), 0.998)
        floor = max(float(np.clip(clear, *CLEAR_RISE)), NOISE_RANGES * noise)
        level, rise = _strong(np.asarray(small, np.uint8), np.asarray(hat, np.uint8), floor)
        if len(rise) < 200:
            break
        (b, g, r), usual = cv2.split(level[:, None]), _level_below(rise, 0.5)
        unburnt = cv2.compare(cv2.max(cv2.max(b, g), r), 250.0, cv2.CMP_LT)
        fine = cv2.bitwise_and(unburnt, cv2.compare(rise[:, None], usual, cv2.CMP_GT))
        if cv2.countNonZero(fine) < 100:
            break
        mean = np.maximum([_level_below(channel, 0.5, fine) for channel in (b, g, r)], 1.0)
        gains = mean.max() / mean
    return np.asarray(np.clip(gains, 1.0, 4.0))


def _strong(image: Image8, hat: Image8, floor: float) -> tuple[Image8, Image8]:
    """The pixels (K, 3) of a picture (H, W, 3) whose top-hat (H, W) is above a floor, and that."""

    def some(rows: slice) -> tuple[Image8, Image8]:
        # Whole levels: as numbers of eight bytes they would be compared ten times as slowly.
        at = np.flatnonzero(hat[rows] > int(floor))
        return np.take(image[rows].reshape(-1, 3), at, axis=0), np.take(hat[rows], at)

    levels, rises = zip(*shared_out(some, len(hat), STRIP), strict=True)
    return np.concatenate(levels), np.concatenate(rises)


def _colour_balance(raster: Raster, some: Image8, mask: Image8, gains: FloatArray) -> FloatArray:
    """Channel gains that make white dots grey; those of lines where few dots show.

    Dots are wider than a JPEG's colour is sharp, and as white as they look: black in a haze is grey
    by their light, and what is left of an ink there tells its colour.
    """
    size = round(DOT_CORE_MM * raster.density) | 1
    core = _every_other(np.asarray(cv2.erode(mask, np.ones((size, size), np.uint8)), np.uint8))
    core = _without_wide(core, round(WIDEST_CORE_MM * raster.density / 2))
    # Of truths instead of bytes they are found in a fifth of the time.
    fine = np.take(some.reshape(-1, 3), np.flatnonzero(core > 0), axis=0)
    fine = fine[np.maximum(np.maximum(fine[:, 0], fine[:, 1]), fine[:, 2]) < 250]
    if len(fine) < FEWEST_WHITE:
        return gains
    # White is brighter than pale ink.
    total = fine.sum(axis=1, dtype=np.int64)
    fine = fine[total >= BRIGHT_SHARE * np.percentile(total, 90)]
    mean = np.maximum(np.median(fine, axis=0), 1.0)
    return np.asarray(np.clip(mean.max() / mean, 1.0, 4.0))


def _without_wide(mask: Image8, width: int) -> Image8:
    """A mask without its pieces that reach so far in pixels, along rows or columns."""
    wide = cv2.bitwise_or(
        cv2.erode(mask, np.ones((1, width), np.uint8)),
        cv2.erode(mask, np.ones((width, 1), np.uint8)),
    )
    if not cv2.hasNonZero(wide):
        return mask
    reach = 2 * width + 1
    return np.asarray(cv2.subtract(mask, cv2.dilate(wide, np.ones((reach, reach), np.uint8))))


def _alike(gains: FloatArray) -> bool:
    """Whether gains this small change nothing."""
    return bool(np.allclose(gains, 1.0, atol=0.01))


def _least_channel(
    image: Image8, gains: FloatArray, density: float, columns: Ints | None = None
) -> tuple[Image8, float]:
    """The smallest channel (H, W) of a picture scaled by its channels' gains, smoothed, and its
    noise's sigma. `columns`: where it is not black, as in `in_strips`.
    """
    smooth, scaled = to_be_filled(image.shape[:2], columns), not _alike(gains)
    steps: dict[int, tuple[float, int]] = {}

    def darkest(part: Part, around: Part, inner: Part) -> None:
        b, g, r = cv2.split(image[around])
        if scaled:
            b, g, r = (
                channel if gain == 1 else cv2.convertScaleAbs(channel, alpha=gain)
                for channel, gain in zip((b, g, r), gains.tolist(), strict=True)
            )
        raw = cv2.min(cv2.min(b, g), r)
        blurred = cv2.GaussianBlur(raw, (0, 0), SMOOTHING_MM * density)
        smooth[part] = blurred[inner]
        # Every fourth row tells as much of the noise as all do.
        some, blurred = raw[inner][::4], blurred[inner][::4]
        inside = cv2.compare(some, 0, cv2.CMP_GT)
        step = cv2.min(cv2.absdiff(some, blurred), 20.0)
        number = cv2.countNonZero(inside)
        steps[part[0].start] = number * cv2.mean(step, mask=inside)[0], number

    in_strips(darkest, len(image), SMOOTHING_REACH, columns)
    total, number = np.array([steps[top] for top in sorted(steps)]).reshape(-1, 2).sum(axis=0)
    noise = float(total / max(number, 1.0))
    ratio = 1.25 * max(0.2, 0.28 / (SMOOTHING_MM * density))
    return smooth, noise * ratio


def _level_below(image: Image8, share: float, mask: Image8 | None = None) -> float:
    """The grey level that a share of a picture's pixels lie below, as sorting them would tell: of
    all, or of those where a mask is not 0.
    """
    counts = np.ravel(cv2.calcHist([image], [0], mask, [256], [0, 256])).cumsum(dtype=np.float64)
    at = share * (counts[-1] - 1)
    low, high = np.searchsorted(counts, [np.floor(at), np.ceil(at)], side="right").tolist()
    return float(low + (at - np.floor(at)) * (high - low))


def _every_other(image: Image8) -> Image8:
    """Every other pixel of every other row."""
    height, width = (side // 2 for side in image.shape[:2])
    even = image[: 2 * height, : 2 * width]
    return np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_NEAREST), np.uint8)


def sample(image: Image8, raster_px: FloatArray) -> NDArray[np.float32]:
    """Bilinear values of a map at raster pixels (..., 2); 0 outside. Shape (...) or (..., C)."""
    return look_up(image, raster_px).astype(np.float32)
