"""Where the table is: the camera's view of it, from markers and lens, or from the cards alone."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.lens import Lens
from vision.markers import Marker, find_markers, table_from_markers, view_from_markers
from vision.reading import NotSeen
from vision.view import TableView

FloatArray = NDArray[np.float64]
MARGIN_MM = 45.0


@dataclass(frozen=True, eq=False)
class Located:
    """A view of the table, the play area where markers give it, and the area to look at.

    `box_mm` is (x0, y0, x1, y1) in the view's table frame.
    """

    view: TableView
    play_area_mm: tuple[float, float] | None
    box_mm: FloatArray
    markers: tuple[Marker, ...]


def locate(image_bgr: NDArray[np.uint8], lens: Lens | None) -> Located | NotSeen:
    """Find the table in a photograph."""
    grey = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    markers = find_markers(grey)
    if lens is not None and len(markers) >= 2:
        table = table_from_markers(view_from_markers(markers, lens), markers)
        if table is not None and table.play_area_mm is not None:
            w, h = table.play_area_mm
            box = np.array([-MARGIN_MM, -MARGIN_MM, w + MARGIN_MM, h + MARGIN_MM])
            return Located(table.view, table.play_area_mm, box, markers)
    return NotSeen("No markers and no lens.")
