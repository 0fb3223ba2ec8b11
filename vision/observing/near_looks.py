"""What places near a dot or a line look like, in bits: black, ink, white, or not to be told."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Bools, FloatArray
from vision.evidence import Evidence
from vision.raster import Raster

INK_LIKENESS, INK_STRENGTH = 0.8, 0.4
"""What may be one ink, which lies a little more or less in the light here and there."""
SAME_LIKENESS, SAME_STRENGTH = 0.9, 0.5
"""What is that ink, and no black."""
BRIGHT_SHARE, SHADED_SHARE = 0.6, 0.4
"""Of the way from black to white here: what is brighter is not black, if something near by is as
dark as black; where nothing is, a lamp's haze may lie over it."""
NEAR_MM, HAZED_SHARE = 4.0, 0.8
OFF_MM = 1.0
"""What a card draws may be seen so far off: half a step of the angle, and what a card curls."""
DISC_MM = 1.5
"""Of a white disc so much is marked, in mm of radius."""
GRAIN_MM = 1.2


class Look:
    """Bits of what a place looks like. Ink and lines are a little widened: they may lie off."""

    IN_PICTURE = 1
    BURNT = 2
    HAZED = 4
    MAY_BE_INK = 8
    IS_INK = 16
    BRIGHT = 32
    LINE = 64
    DISC = 128
    WHITE = 256


class Near:
    """A part of the evidence round one place, and what it looks like."""

    def __init__(self, evidence: Evidence, at_mm: FloatArray, reach_mm: float) -> None:
        """Cut out what lies within reach of `at_mm` (2,); at the picture's edge that is less."""
        density = evidence.raster.density
        reach = (reach_mm + NEAR_MM + 1) * density
        size, middle = np.array(evidence.least.shape[::-1]), evidence.raster.to_raster(at_mm)
        low = np.clip(np.floor(middle - reach), 0, size - 1).astype(int)
        high = np.clip(np.ceil(middle + reach), low + 1, size).astype(int)
        here = (slice(low[1], high[1]), slice(low[0], high[0]))
        self._density, self._low, self._raster = density, low, evidence.raster
        self._least, self._mask = evidence.least[here], evidence.mask[here] > 0
        self._burnt, self._washed_level = evidence.burnt[here] > 0, evidence.washed_level
        self._in_picture = evidence.raster.image_bgr[here].any(axis=2)
        square = np.ones(self._square(NEAR_MM), np.uint8)
        self._darkest = cv2.erode(self._least, square)
        balanced = np.ascontiguousarray(evidence.with_white[here][..., :3])
        colour = cv2.blur(balanced, self._square(GRAIN_MM)).astype(np.float32)
        self._away = colour - colour.mean(axis=2, keepdims=True)

    def looks(
        self, inks: FloatArray, black_white: tuple[float, float], dots_mm: FloatArray
    ) -> list[Raster]:
        """For each of the inks (C, 3), away from grey, a map of `Look`s in uint16.

        `black_white`: how bright black and white are here, in grey levels of `least`. Ink on
        black is that of any of the inks. `dots_mm` (K, 2): white discs seen anywhere.
        """
        black, white = black_white
        level, shade = (black + share * (white - black) for share in (BRIGHT_SHARE, SHADED_SHARE))
        bright = cv2.erode((self._least > level).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, self._square(2 * OFF_MM))
        strength = np.linalg.norm(self._away, axis=2)
        own = np.linalg.norm(inks, axis=1)
        unit = (inks / np.maximum(own, 1e-6)[:, None]).astype(np.float32)
        like = self._away @ unit.T / np.maximum(strength, 1e-6)[..., None]
        share = strength[..., None] / np.maximum(own, 1e-6)
        same = ((like > SAME_LIKENESS) & (share > SAME_STRENGTH)).any(axis=2)
        common = (
            (Look.IN_PICTURE, self._in_picture),
            (Look.BURNT, self._burnt),
            (Look.HAZED, self._burnt | (self._darkest > HAZED_SHARE * self._washed_level)),
            (Look.IS_INK, cv2.erode(same.astype(np.uint8), disc) > 0),
            (Look.BRIGHT, bright & (self._darkest < shade)),
            (Look.LINE, cv2.dilate(self._mask.astype(np.uint8), disc) > 0),
            (Look.DISC, self._discs(dots_mm)),
            (Look.WHITE, self._mask),
        )
        image = np.zeros(self._least.shape, np.uint16)
        for look, where in common:
            image[where] |= look
        out = []
        x, y = self._raster.to_mm(self._low.astype(np.float64)).tolist()
        for k in range(len(inks)):
            may_be = (like[..., k] > INK_LIKENESS) & (share[..., k] > INK_STRENGTH)
            of_ink = image.copy()
            of_ink[cv2.dilate(may_be.astype(np.uint8), disc) > 0] |= Look.MAY_BE_INK
            out.append(Raster(of_ink, (x, y), self._density))  # type: ignore[arg-type]
        return out

    def _discs(self, dots_mm: FloatArray) -> Bools:
        image = np.zeros(self._least.shape, np.uint8)
        at = np.rint(self._raster.to_raster(dots_mm) - self._low).astype(int)
        inside = ((at >= 0) & (at < image.shape[::-1])).all(axis=1)
        for x, y in at[inside].tolist():
            cv2.circle(image, (x, y), round(DISC_MM * self._density), 1, cv2.FILLED)
        return np.asarray(image > 0)

    def _square(self, length_mm: float) -> tuple[int, int]:
        return (round(length_mm * self._density) | 1,) * 2
