"""From photographs to a deck: one value with the faces, the colours and what is doubtful."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.enrolment.card_blobs import Unusable, find_cards
from calibration.enrolment.card_edges import CardEdges, fit_edges
from calibration.enrolment.card_picture import CardMeasure, cut_out, measure_cards
from calibration.enrolment.card_scale import view_from_cards
from calibration.enrolment.face_reading import CardReading, read_card
from vision.lens import Lens
from vision.locating.edges import Photo, linear_light
from vision.locating.marker_corners import sharpen_markers
from vision.locating.markers import find_markers, table_from_markers, view_from_markers
from vision.raster import rectify
from vision.reason import Reason
from vision.view import TableView

FloatArray = NDArray[np.float64]
Image = NDArray[np.uint8]

LINE_MM = 0.9
THICKNESS_MM = 0.33
RASTER_DENSITY = 2.5
LEAST_PX_PER_MM = 1.7
MARKER_PAPER = 1.7
"""A marker's white paper reaches to about so many of its own half sides."""


@dataclass(frozen=True, slots=True)
class NotRead:
    """A photo that cannot be used for a deck, and why."""

    photo: str
    reason: Reason


@dataclass(frozen=True, eq=False)
class _Placed:
    """How the table is seen, what blur adds to dark edges, and where the markers' papers lie."""

    view: TableView
    bias_mm: float
    papers_mm: list[FloatArray]
    by_markers: bool


@dataclass(frozen=True, eq=False)
class Spread:
    """The cards read from one photo, what they measure, and what could not be read, where."""

    photo: str
    measure: CardMeasure
    cards: tuple[CardReading, ...]
    unusable: tuple[Unusable, ...]


def read_spread(
    image_bgr: Image, lens: Lens, photo: str, card_width_mm: float | None = None
) -> Spread | NotRead:
    """Read one photo of cards laid side by side on a plain ground.

    The scale comes from the table markers, or else from a stated width of a card.
    """
    light = linear_light(image_bgr)
    placed = _view(image_bgr, light, lens, card_width_mm)
    if isinstance(placed, Reason):
        return NotRead(photo, placed)
    found = _read_in(image_bgr, light, placed, photo)
    if isinstance(found, NotRead) or placed.by_markers or card_width_mm is None:
        return found
    # Shadows make cards look wider; what was measured with care now sets the scale.
    share = card_width_mm / found.measure.width_mm
    view = replace(placed.view, translation_mm=placed.view.translation_mm * share)
    return _read_in(image_bgr, light, replace(placed, view=view), photo)


def _read_in(
    image_bgr: Image, light: NDArray[np.float32], placed: _Placed, photo: str
) -> Spread | NotRead:
    view = placed.view
    box = _seen_box(view, image_bgr.shape)
    scale = view.px_per_mm(np.array([(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]))
    if scale < LEAST_PX_PER_MM:
        return NotRead(
            photo, Reason("enrol-too-far", {"px_per_mm": scale, "needed": LEAST_PX_PER_MM})
        )
    blobs, unusable = find_cards(rectify(image_bgr, view, box, RASTER_DENSITY), placed.papers_mm)
    if not blobs:
        return NotRead(photo, Reason("enrol-no-cards"))
    looked = Photo(light, view, THICKNESS_MM)
    edges = [fit_edges(looked, blob) for blob in blobs]
    return _readings(photo, looked, edges, placed.bias_mm, unusable)


def _readings(
    photo: str, looked: Photo, edges: list[CardEdges], bias_mm: float, unusable: list[Unusable]
) -> Spread | NotRead:
    measure = measure_cards(edges, LINE_MM, bias_mm)
    if measure is None:
        return NotRead(photo, Reason("enrol-no-frame"))
    readings = []
    for card in edges:
        picture = cut_out(looked, card, measure)
        if picture is None:
            x, y = (float(v) for v in card.blob.middle_mm)
            unusable = [*unusable, Unusable((x, y), Reason("enrol-no-frame-here"))]
        else:
            readings.append(read_card(picture))
    return Spread(photo, measure, tuple(readings), tuple(unusable))


def _view(
    image_bgr: Image, light: NDArray[np.float32], lens: Lens, card_width_mm: float | None
) -> _Placed | Reason:
    markers = find_markers(np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8))
    if not markers:
        if card_width_mm is None:
            return Reason("enrol-no-marker")
        found = view_from_cards(image_bgr, lens, card_width_mm)
        return found if isinstance(found, Reason) else _Placed(found, 0.0, [], by_markers=False)
    fit = sharpen_markers(light, lens, markers)
    view = view_from_markers(fit.markers, lens)
    table = table_from_markers(view, fit.markers)
    view = view if table is None else table.view
    papers = []
    for marker in fit.markers:
        corners = view.to_mm(marker.corners_px)
        middle = corners.mean(axis=0)
        papers.append(middle + (corners - middle) * MARKER_PAPER)
    return _Placed(view, fit.bias_mm, papers, by_markers=True)


def _seen_box(view: TableView, shape: tuple[int, ...]) -> FloatArray:
    """The table's part that the whole picture shows, at most 2.5 m: x0, y0, x1, y1."""
    height, width = shape[:2]
    share = np.linspace(0, 1, 12)
    rim = np.concatenate(
        [
            np.column_stack([share * (width - 1), np.zeros(12)]),
            np.column_stack([share * (width - 1), np.full(12, height - 1.0)]),
            np.column_stack([np.zeros(12), share * (height - 1)]),
            np.column_stack([np.full(12, width - 1.0), share * (height - 1)]),
        ]
    )
    seen = view.to_mm(rim)
    middle = view.to_mm(np.array([[(width - 1) / 2, (height - 1) / 2]]))[0]
    low = np.maximum(seen.min(axis=0), middle - 1250)
    high = np.minimum(seen.max(axis=0), middle + 1250)
    return np.concatenate([low, high])


def consensus(spreads: Sequence[Spread]) -> CardMeasure:
    """Measures over several photos, weighed by how many cards each shows."""
    weights = [len(spread.cards) for spread in spreads]

    def mean(values: list[float]) -> float:
        return float(np.average(values, weights=weights))

    cards = [card for spread in spreads for card in spread.cards]
    return CardMeasure(
        mean([s.measure.frame_width_mm for s in spreads]),
        mean([s.measure.frame_height_mm for s in spreads]),
        mean([s.measure.inset_mm for s in spreads]),
        line_width(cards),
    )


def line_width(cards: Sequence[CardReading]) -> float:
    """The white line's width: measured against the white that dots have, which are wider."""
    whites = [float(dot.share.min()) for card in cards for dot in card.dots]
    white = float(np.median(whites)) if whites else 1.0
    if not 0.4 < white < 1.3:
        white = 1.0
    seen = [card.line_mm for card in cards if np.isfinite(card.line_mm)]
    return float(np.clip(np.median(seen) / white, 0.2, 3.0)) if seen else LINE_MM
