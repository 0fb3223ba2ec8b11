"""Views of a table with markers."""

from __future__ import annotations

import numpy as np

from vision.locating.markers import (
    SQUARE_MM,
    Marker,
)
from vision.view import TableView

AREA_MM = (330.0, 215.0)
CENTRES_MM = {0: (-40.0, -40.0), 1: (370.0, -40.0), 2: (370.0, 255.0), 3: (-40.0, 255.0)}


def seen(view: TableView, ids: tuple[int, ...], noise_px: float = 0.0) -> tuple[Marker, ...]:
    """Markers as a camera sees them, straight and where they belong."""
    random = np.random.default_rng(3)
    return tuple(
        Marker(
            i,
            view.to_px(SQUARE_MM + np.array(CENTRES_MM[i]))
            + random.normal(0, 1, (4, 2)) * noise_px,
        )
        for i in ids
    )
