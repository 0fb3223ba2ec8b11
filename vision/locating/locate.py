"""Where the table is: the camera's view of it, from markers and lens, or from the cards alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.deck import CardSize
from vision.arrays import FloatArray
from vision.lens import Lens, LensKnown
from vision.locating.marker_corners import sharpen_markers
from vision.locating.markers import Marker, agreeing_markers, find_markers, table_from_markers
from vision.locating.plane import SCALE_CARDS, view_from_photo
from vision.locating.quads import Quads, edges_round, find_quads
from vision.locating.size_check import sizes_agree, whole_frames
from vision.reading import NotSeen
from vision.reason import Reason
from vision.view import TableView

DARKEST = 0.15
"""Of full scale, for the darkest white line."""
ROUGH_MARKER_MM, MARKER_MM = 2.5, 0.35
"""How far markers' corners may be off (rms) before and after they are sharpened: paper curls."""
LEAST_EDGES = 2
"""Outlines with a frame in them, which shows them to be cards' edges."""
ENOUGH_AGREE = 5
"""So many outlines that agree are cards' frames; fewer might be something else."""
MARGIN_MM = 45.0
FARTHER_MM, LEAST_FARTHER_MM = 120.0, 5.0
"""Where a card reaches out of the area looked at, as one far off the table does: so much more is
looked at, which holds the next card too, if the picture shows as much."""
NEXT_CARD_MM = 110.0
"""Without a table frame cards are looked for as far beyond all others at least: a card's diagonal
does not reach farther."""
REACH_MM = 320.0
"""Cards are sought this far beyond those that were wholly seen."""
SIZED = 0.2
"""Far from the cards that gave the view it is less exact: outlines there, in a card's size but for
such a share, are cards' all the same."""


@dataclass(frozen=True, eq=False)
class Located:
    """A view of the table, the play area where markers give it, and the area to look at.

    `box_mm` is (x0, y0, x1, y1) in the view's table frame. `scaled`: whether the
    scale comes from the markers' known size; if not, the cards give it later.
    `framed`: whether markers give the table frame; if not, a card becomes its origin.
    `picture_mm` is the area that the whole picture shows, as `box_mm`, where it is known.
    `tried`: found by trying planes, where plain outlines told of none: much may be unseen.
    `frames_px` finds frames of cards (Q, 4, 2) that may deny the markers' scale (`whole_frames`).
    """

    view: TableView
    play_area_mm: tuple[float, float] | None
    box_mm: FloatArray
    markers: tuple[Marker, ...]
    scaled: bool = False
    framed: bool = True
    picture_mm: FloatArray | None = None
    tried: bool = False
    frames_px: Callable[[], FloatArray] | None = None

    @property
    def middle_mm(self) -> FloatArray:
        """The middle (2,) of the area to look at."""
        return np.asarray(self.box_mm.reshape(2, 2).mean(axis=0))

    def holds(self, corners_mm: FloatArray) -> bool:
        """Whether cards with corners (N, 2) lie wholly in the area."""
        low, high = self.box_mm.reshape(2, 2)
        return bool(((corners_mm >= low) & (corners_mm <= high)).all())

    def widened(self, corners_mm: FloatArray) -> Located | None:
        """The same, looking farther on the sides where cards, with corners (N, 2), reach beyond
        the area, or without a table frame so near its border that it may cut the next one; None
        where none does that the picture shows more of.
        """
        if self.picture_mm is None:
            return None
        low, high = corners_mm.min(axis=0), corners_mm.max(axis=0)
        (x0, y0), (x1, y1) = self.box_mm.reshape(2, 2)
        near = 0.0 if self.framed else NEXT_CARD_MM
        low = np.where(low - near < (x0, y0), low - FARTHER_MM, (x0, y0))
        high = np.where(high + near > (x1, y1), high + FARTHER_MM, (x1, y1))
        box = _within(low, high, self.picture_mm)
        farther = np.abs(box - self.box_mm).max() > LEAST_FARTHER_MM
        return replace(self, box_mm=box) if farther else None


def first_look(image_bgr: NDArray[np.uint8], lens: LensKnown, card: CardSize) -> Located | NotSeen:
    """Find the table in a photograph: from markers where there is a lens, else from the cards.

    Markers that agree with each other are believed as they are.
    """
    grey = _grey(image_bgr)
    markers = find_markers(grey)
    measured = lens if isinstance(lens, Lens) else None
    by_markers = measured and _by_markers(image_bgr, measured, markers, card)
    return by_markers or _by_cards(image_bgr, grey, markers, lens, card)


def fits_cards(located: Located, card: CardSize) -> bool:
    """Whether the cards seen do not deny the scale that markers gave."""
    if located.frames_px is None:
        return True
    return sizes_agree(located.frames_px(), located.view, card) is not False


def locate_by_cards(
    image_bgr: NDArray[np.uint8], lens: LensKnown, card: CardSize
) -> Located | NotSeen:
    """Find the table by its cards; markers then are squares of any size."""
    grey = _grey(image_bgr)
    return _by_cards(image_bgr, grey, find_markers(grey), lens, card)


def _grey(image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)


def _by_cards(
    image_bgr: NDArray[np.uint8], grey: NDArray[np.uint8], markers: tuple[Marker, ...],
    lens: LensKnown, card: CardSize,
) -> Located | NotSeen:  # fmt: skip
    height, width = grey.shape
    outlines = find_quads(image_bgr)
    found = _from_cards(image_bgr, outlines, markers, lens, card)
    if found is None:
        return _no_table(grey, markers)
    sized = _card_sized(found[0], outlines, card)
    return located_from(found, markers, (width, height), sized)


def located_from(
    found: tuple[TableView, Quads], markers: tuple[Marker, ...], size_wh: tuple[int, int],
    others_px: FloatArray | None = None,
) -> Located:  # fmt: skip
    """The table by a view and the outlines that agree with it, in a picture of this size;
    `others_px` (Q, 4, 2) are outlines that are likely a card's, too.
    """
    view, quads = found
    seen = [quads.corners_px.reshape(-1, 2)] if len(quads) else [m.corners_px for m in markers]
    if others_px is not None:
        seen.append(others_px.reshape(-1, 2))
    return _from_view(view, markers, view.to_mm(np.concatenate(seen)), size_wh)


def _card_sized(view: TableView, outlines: Quads, card: CardSize) -> FloatArray:
    """Those of the outlines (Q, 4, 2) that are about as large as a card's frame."""
    corners = view.to_mm(outlines.corners_px.reshape(-1, 2)).reshape(-1, 4, 2)
    sides = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2)
    frame = np.array([card.frame_width_mm, card.frame_height_mm])
    pairs = np.sort(sides.reshape(-1, 2, 2), axis=2)  # of a card the short and the long side
    sized = (np.abs(np.log(pairs / frame)) < SIZED).all(axis=(1, 2))
    return np.asarray(outlines.corners_px[sized])


def _from_cards(
    image_bgr: NDArray[np.uint8], outlines: Quads, markers: tuple[Marker, ...],
    lens: LensKnown, card: CardSize,
) -> tuple[TableView, Quads] | None:  # fmt: skip
    """The view in which most outlines of cards agree, and those."""
    found = view_from_photo(image_bgr, outlines, markers, lens, card)
    if found is not None and len(found[1]) >= ENOUGH_AGREE and found[1].on_lines:
        return found
    # Haze may make whole cards brighter than a dark table: white is then told otherwise.
    pale = view_from_photo(image_bgr, find_quads(image_bgr, on_pale=True), markers, lens, card)
    return pale if found is None or (pale is not None and _tells_more(pale[1], found[1])) else found


def _tells_more(pale: Quads, found: Quads) -> bool:
    """Whether a view by outlines on a pale ground is rather to be believed than by the others.

    The edges of cards in a haze are outlines of one size as well, and free of a lens some view has
    them agree with the frames of those that lie outside it; but frames are seen within them.
    """
    if len(pale) >= SCALE_CARDS and edges_round(found, pale) >= LEAST_EDGES:
        return True
    return len(pale) > len(found)


def _by_markers(
    image_bgr: NDArray[np.uint8], lens: Lens, markers: tuple[Marker, ...], card: CardSize
) -> Located | None:
    """The table from markers that agree with each other; else None."""
    rough = agreeing_markers(markers, lens, ROUGH_MARKER_MM)
    if rough is None:
        return None
    sharp = sharpen_markers(image_bgr, lens, rough[0], rough[1]).markers
    found = agreeing_markers(sharp, lens, MARKER_MM, rough[1])
    if found is None:
        return None
    markers, view = found
    height, width = image_bgr.shape[:2]
    spots = view.to_mm(np.concatenate([marker.corners_px for marker in markers]))
    between = spots if len(markers) > 2 else None  # two may lie on one side of all cards
    located = _from_view(view, markers, between, (width, height))
    frames = partial(whole_frames, image_bgr, view, card)
    return replace(located, scaled=True, frames_px=frames)


def _no_table(grey: NDArray[np.uint8], markers: tuple[Marker, ...]) -> NotSeen:
    """Why nothing was found, as far as the picture tells."""
    bright = float(np.percentile(grey, 99)) / 255
    if bright < DARKEST:
        return NotSeen(Reason("too-dark", {"share": bright, "needed": DARKEST}))
    if len(markers) >= 2:
        return NotSeen(Reason("markers-disagree"))
    height, width = grey.shape
    return NotSeen(Reason("no-table", {"width": width, "height": height}))


def _from_view(
    view: TableView,
    markers: tuple[Marker, ...],
    spots_mm: FloatArray | None,
    size_wh: tuple[int, int],
) -> Located:
    """Set the table frame by the markers where they give it, and the area worth looking at.

    `spots_mm` (N, 2), in the view's frame: where the table is seen to be, if no frame is.
    """
    table = table_from_markers(view, markers)
    if table is None:
        picture = _picture_box(view, size_wh)
        box = picture
        if spots_mm is not None:
            low, high = spots_mm.min(axis=0) - REACH_MM, spots_mm.max(axis=0) + REACH_MM
            box = _within(low, high, picture)
        return Located(view, None, box, markers, framed=False, picture_mm=picture)
    picture = _picture_box(table.view, size_wh)
    box = picture
    if table.play_area_mm is not None:
        size = np.array(table.play_area_mm)
        box = _within(np.full(2, -MARGIN_MM), size + MARGIN_MM, picture)
    return Located(table.view, table.play_area_mm, box, markers, picture_mm=picture)


def _within(low: FloatArray, high: FloatArray, box: FloatArray) -> FloatArray:
    """The part (x0, y0, x1, y1) of a box between two corners (2,)."""
    return np.concatenate([np.maximum(box[:2], low), np.minimum(box[2:], high)])


def _picture_box(view: TableView, size_wh: tuple[int, int]) -> FloatArray:
    """The table area (x0, y0, x1, y1) that the picture's border surrounds, at most 3 m wide."""
    width, height = size_wh
    share = np.linspace(0, 1, 9)
    border = np.concatenate([
        np.column_stack([share * (width - 1), np.zeros(9)]),
        np.column_stack([share * (width - 1), np.full(9, height - 1.0)]),
        np.column_stack([np.zeros(9), share * (height - 1)]),
        np.column_stack([np.full(9, width - 1.0), share * (height - 1)]),
    ])  # fmt: skip
    spots = view.to_mm(border)
    middle = view.to_mm(np.array([[(width - 1) / 2, (height - 1) / 2]]))[0]
    spots = np.clip(np.nan_to_num(spots, nan=0.0), middle - 1500, middle + 1500)
    return np.concatenate([spots.min(axis=0), spots.max(axis=0)])
