"""Colour symbols of other printings: the deck's own altered, and shapes that are none of its."""

from collections.abc import Mapping, Sequence

import numpy as np
import shapely
from shapely import affinity

from geometry.deck import Point

Polygons = tuple[tuple[Point, ...], ...]


def _around(*radii: float, turn_deg: float = -90.0) -> tuple[Point, ...]:
    """A closed shape whose corners lie at these distances from the middle, evenly turned."""
    angles = np.deg2rad(turn_deg) + np.arange(len(radii)) * 2 * np.pi / len(radii)
    return tuple(
        (float(r * np.cos(a)), float(r * np.sin(a))) for r, a in zip(radii, angles, strict=True)
    )


def _bar(x: float, y: float, width: float, height: float) -> tuple[Point, ...]:
    w, h = width / 2, height / 2
    return ((x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h))


OTHER_SYMBOLS: Mapping[str, Polygons] = {
    "star": (_around(*(2.1, 0.9) * 5),),
    "disc": (_around(*(1.8,) * 24),),
    "diamond": (_around(2.2, 1.5, 2.2, 1.5),),
    "arrow": (((0.0, -2.0), (1.9, 0.3), (0.8, 0.3), (0.8, 1.9), (-0.8, 1.9), (-0.8, 0.3),
               (-1.9, 0.3)),),
    "cross": (_bar(0, 0, 1.1, 3.8), _bar(0, 0, 3.8, 1.1)),
    "hexagon": (_around(*(1.9,) * 6),),
    "drop": (_around(2.3, 1.2, 1.25, 1.4, 1.5, 1.5, 1.5, 1.4, 1.25, 1.2),),
    "bolt": (((0.5, -2.1), (-1.4, 0.3), (-0.2, 0.3), (-0.7, 2.1), (1.4, -0.5), (0.2, -0.5)),),
    "three bars": (_bar(-1.5, 0, 0.8, 3.4), _bar(0, 0, 0.8, 3.4), _bar(1.5, 0, 0.8, 3.4)),
    "flower": (_around(*(2.1, 1.2) * 6),),
    "wedge": (((-1.9, -1.7), (1.9, -1.7), (0.0, 1.9)),),
    "moon": (((0.9, -1.9), (-0.7, -1.7), (-1.7, -0.7), (-1.9, 0.4), (-1.3, 1.5), (0.0, 2.0),
              (1.1, 1.8), (-0.2, 0.9), (-0.6, 0.0), (-0.2, -1.0)),),
}  # fmt: skip
"""Polygons in mm round their middle, of the printed symbols' size."""


def altered(
    symbol: Sequence[Sequence[Point]],
    turn_deg: float = 0.0,
    bolder_mm: float = 0.0,
    size: float = 1.0,
    shift_mm: Point = (0.0, 0.0),
) -> Polygons:
    """A symbol turned about its middle, drawn bolder (or thinner: less than 0), larger, shifted."""
    whole = shapely.union_all([shapely.Polygon(polygon) for polygon in symbol])
    middle = shapely.box(*whole.bounds).centroid
    buffered = whole.buffer(bolder_mm, join_style="mitre", mitre_limit=2.0)
    bold = buffered if buffered.area > 0.35 * whole.area else whole
    turned = affinity.rotate(bold, turn_deg, origin=middle)
    scaled = affinity.scale(turned, size, size, origin=middle)
    return _polygons(affinity.translate(scaled, *shift_mm))


def _polygons(shape: shapely.Geometry) -> Polygons:
    parts = [part for part in shapely.get_parts(shape) if isinstance(part, shapely.Polygon)]
    return tuple(
        tuple((float(x), float(y)) for x, y in part.exterior.coords[:-1]) for part in parts
    )
