"""A photograph turned by half, to be read once more: what chance decides in a reading is decided
anew, what the picture shows wrongly is not.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from geometry.layout import Layout
from geometry.pose import Pose
from vision.lens import FocalLength, Lens, LensKnown
from vision.reading import SeenTable

_AXIAL = (2, 3, 8, 9, 10, 11, 12, 13)
"""Of OpenCV's coefficients p1, p2, s1 to s4, and the sensor's tilts: they change sign."""
Point = tuple[float, float]


def half_turned(image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A picture (H, W, 3), upside down."""
    return np.ascontiguousarray(image_bgr[::-1, ::-1])


def lens_half_turned(lens: LensKnown) -> LensKnown:
    """The lens of the turned picture; pixel centres are whole numbers."""
    if lens is None or isinstance(lens, FocalLength):
        return lens
    (width, height), matrix = lens.size_wh, lens.matrix.copy()
    matrix[0, 2], matrix[1, 2] = width - 1 - matrix[0, 2], height - 1 - matrix[1, 2]
    distortion = lens.distortion.copy()
    if lens.model == "plain":
        for at in _AXIAL:
            if at < len(distortion):
                distortion[at] = -distortion[at]
    return Lens(lens.size_wh, matrix, distortion, lens.model)


def turned_back(seen: SeenTable, size_wh: tuple[int, int]) -> SeenTable:
    """What was seen in the turned picture, in pixels of the picture as it is, of `size_wh`. Without
    a play area the table's axes are the picture's: they are turned as well.
    """

    def back(point: Point) -> Point:
        return size_wh[0] - 1 - point[0], size_wh[1] - 1 - point[1]

    cards = tuple(
        replace(one, outline_px=(back(a), back(b), back(c), back(d)))
        for one in seen.cards
        for a, b, c, d in (one.outline_px,)
    )
    doubts = tuple(
        replace(one, at_px=back(one.at_px), outline_px=tuple(back(p) for p in one.outline_px))
        for one in seen.doubts
    )
    return replace(seen, layout=_layout(seen.layout), cards=cards, doubts=doubts)


def _layout(layout: Layout) -> Layout:
    if layout.play_area_mm is not None:
        return layout
    return replace(
        layout, cards=tuple(replace(card, pose=_around(card.pose)) for card in layout.cards)
    )


def _around(pose: Pose) -> Pose:
    return Pose(-pose.x_mm, -pose.y_mm, (pose.angle_deg + 180) % 360, pose.mirrored)
