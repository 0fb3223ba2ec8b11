"""Where the table is, when the plainest outlines did not tell: planes are tried.

Each pair of outlines, or one alone, gives a plane; most are wrong. Under one that is about right
badges have their size, and round them lie frames of cards, also those that no outline was
found of. Frames whose lines are plain in the photograph count, whatever plane led to them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.deck import CardSize, Deck
from vision.arrays import Bools, FloatArray
from vision.drawing.pose_fit import place
from vision.drawing.templates import draw_templates
from vision.evidence import observe
from vision.finding.find_cards import CLEAR_BADGE, badge_centres, poses_from_centres
from vision.lens import LensKnown
from vision.locating.frame_lines import sharpen_frames
from vision.locating.locate import REACH_MM, Located, located_from
from vision.locating.markers import Marker, find_markers
from vision.locating.plane import view_from_frames, view_from_quads
from vision.locating.quads import Quads, find_quads
from vision.naming.name_cards import badge_like
from vision.observing.marks import find_marks_and_holes
from vision.raster import rectify
from vision.view import TableView

Image8 = NDArray[np.uint8]
DENSITY = 2.0
MOST_OUTLINES, MOST_PLANES = 6, 6
SIDES_AGREE = 0.06
"""Of a card's sides: an outline agrees with a plane whose millimetres are so far off."""
ENOUGH_FRAMES = 5
"""No more planes are tried then; the one that these give shows the others."""
MOST_ROUNDS = 3
"""Times that more frames are sought in the view that those found so far give."""
LEAST_PX_PER_MM, MOST_PX_PER_MM = 1.1, 12.0
"""Other scales are no table: fewer pixels are not read, more are hardly ever taken."""
PATCH_PX_PER_MM = 1.0
BADGE_MM, AROUND_MM = 6.0, (9.0, 13.0)
"""A card's middle has white on it and black all round."""
SAME_FRAME = 0.15
"""Of a frame's longest side: frames whose middles are nearer are one."""


def locate_again(image_bgr: Image8, lens: LensKnown, deck: Deck) -> Located | None:
    """The table in a photograph, by the frames that show under any plane that outlines give; None
    where fewer than two agree.
    """
    size_wh = image_bgr.shape[1], image_bgr.shape[0]
    markers = find_markers(np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8))
    frames = np.empty((0, 4, 2))
    for view, spots_px in _tried_planes(image_bgr, markers, lens, deck.card):
        frames = _one_each(frames, _sharp_frames(image_bgr, view, spots_px, deck))
        if len(frames) >= ENOUGH_FRAMES:
            break
    found = _grown(image_bgr, frames, markers, lens, deck)
    return None if found is None else replace(located_from(found, markers, size_wh), tried=True)


def _tried_planes(
    image_bgr: Image8, markers: tuple[Marker, ...], lens: LensKnown, card: CardSize
) -> Iterator[tuple[TableView, FloatArray]]:
    """As `_planes`, from outlines on a dark ground and then from those on a pale one."""
    size_wh = image_bgr.shape[1], image_bgr.shape[0]
    for on_pale in (False, True):
        quads = _off_markers(find_quads(image_bgr, on_pale, bent=True), markers)
        yield from _planes(_most_badged(image_bgr, quads, card), lens, size_wh, card)


def _off_markers(quads: Quads, markers: tuple[Marker, ...]) -> Quads:
    """The outlines without those that run round a marker."""
    middles = quads.corners_px.mean(axis=1)
    keep = np.ones(len(quads), bool)
    for marker in markers:
        side = np.linalg.norm(marker.corners_px - np.roll(marker.corners_px, 1, axis=0), axis=1)
        gap = np.linalg.norm(middles - marker.corners_px.mean(axis=0), axis=1)
        keep &= gap > side.mean() / 2
    return Quads(quads.corners_px[keep])


def _most_badged(image_bgr: Image8, quads: Quads, card: CardSize) -> Quads:
    """The outlines that most look as if they had a badge in their middle, the best first."""
    badged = [_badged(image_bgr, quad, card) for quad in quads.corners_px]
    order = np.argsort(-np.array(badged), kind="stable")[:MOST_OUTLINES]
    return Quads(quads.corners_px[order])


def _badged(image_bgr: Image8, quad_px: FloatArray, card: CardSize) -> float:
    """By how much the brightest in the middle of an outline (4, 2) is above that round it."""
    sides = np.linalg.norm(np.roll(quad_px, -1, axis=0) - quad_px, axis=1)
    if sides[0] + sides[2] > sides[1] + sides[3]:
        quad_px = np.roll(quad_px, 1, axis=0)
    size = np.array([card.frame_width_mm, card.frame_height_mm]) * PATCH_PX_PER_MM
    target = (np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * size).astype(np.float32)
    low = np.floor(quad_px.min(axis=0)).astype(int).clip(0)
    high = np.ceil(quad_px.max(axis=0)).astype(int) + 1
    part = image_bgr[low[1] : high[1], low[0] : high[0]]
    if part.size == 0:
        return 0.0
    matrix = cv2.getPerspectiveTransform((quad_px - low).astype(np.float32), target)
    wide, high_px = np.round(size).astype(int).tolist()
    least = cv2.warpPerspective(part, matrix, (wide, high_px), flags=cv2.INTER_AREA).min(axis=2)
    x, y = np.meshgrid(np.arange(wide) - (wide - 1) / 2, np.arange(high_px) - (high_px - 1) / 2)
    far = np.hypot(x, y) / PATCH_PX_PER_MM
    around = least[(far > AROUND_MM[0]) & (far < AROUND_MM[1])]
    return float(np.percentile(least[far < BADGE_MM], 90) - np.percentile(around, 75))


def _planes(
    quads: Quads, lens: LensKnown, size_wh: tuple[int, int], card: CardSize
) -> list[tuple[TableView, FloatArray]]:
    """Views that pairs of outlines give, or one alone, the ones that most outlines agree with
    first; and the corners (Q, 4, 2) px of those.
    """
    count = len(quads)
    # One outline is asked twice over: two shapes are the least of which a plane is made.
    some = [*combinations(range(count), 2), *((k, k) for k in range(count))]
    found = []
    for pair in some:
        fitted = view_from_quads(Quads(quads.corners_px[list(pair)]), lens, size_wh, card)
        if fitted is None or not _sensible(fitted[0], fitted[1].corners_px):
            continue
        agree = _agree(fitted[0], quads.corners_px, card)
        found.append((int(agree.sum()), fitted[0], quads.corners_px[list(set(pair))]))
    found.sort(key=lambda one: -one[0])
    return [(view, corners) for _, view, corners in found[:MOST_PLANES]]


def _sensible(view: TableView, corners_px: FloatArray) -> bool:
    spots = view.to_mm(corners_px.reshape(-1, 2))
    if not np.isfinite(spots).all():
        return False
    return LEAST_PX_PER_MM < view.px_per_mm(spots.mean(axis=0)) < MOST_PX_PER_MM


def _agree(view: TableView, corners_px: FloatArray, card: CardSize) -> Bools:
    """Which outlines (Q, 4, 2) have a card's sides in this view (Q,)."""
    spots = view.to_mm(corners_px.reshape(-1, 2)).reshape(-1, 4, 2)
    sides = np.sort(np.linalg.norm(np.roll(spots, -1, axis=1) - spots, axis=2), axis=1)
    short, long_ = card.frame_width_mm + card.line_mm, card.frame_height_mm + card.line_mm
    off = np.abs(sides / [short, short, long_, long_] - 1)
    return np.asarray((off < SIDES_AGREE).all(axis=1))


def _sharp_frames(
    image_bgr: Image8, view: TableView, spots_px: FloatArray, deck: Deck
) -> FloatArray:
    """Frames (N, 4, 2) px of the cards round which badges show in this view, corners where the
    middles of their lines meet; those of which all four sides are plain in the photograph.
    """
    spots = view.to_mm(spots_px.reshape(-1, 2))
    box = np.concatenate([spots.min(axis=0) - REACH_MM, spots.max(axis=0) + REACH_MM])
    evidence = observe(rectify(image_bgr, view, box, DENSITY))
    marks, holes = find_marks_and_holes(evidence)
    poses = poses_from_centres(evidence, badge_centres(marks, holes, deck), deck)
    if len(poses) == 0:
        return np.empty((0, 4, 2))
    poses = poses[badge_like(evidence, poses, draw_templates(deck)) > CLEAR_BADGE]
    half = np.array([deck.card.frame_width_mm, deck.card.frame_height_mm]) / 2
    corners = place(poses, np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half)
    sharp = sharpen_frames(image_bgr, view, view.to_px(corners.reshape(-1, 2)).reshape(-1, 4, 2))
    return sharp[np.isfinite(sharp).all(axis=(1, 2))]


def _one_each(frames: FloatArray, more: FloatArray) -> FloatArray:
    """The frames (N, 4, 2), and those of the others that lie elsewhere."""
    kept = list(frames)
    for frame in more:
        near = SAME_FRAME * float(np.linalg.norm(frame[0] - frame[2]))
        if all(np.linalg.norm(one.mean(axis=0) - frame.mean(axis=0)) > near for one in kept):
            kept.append(frame)
    return np.array(kept).reshape(-1, 4, 2)


def _grown(
    image_bgr: Image8, frames_px: FloatArray, markers: tuple[Marker, ...], lens: LensKnown,
    deck: Deck,
) -> tuple[TableView, Quads] | None:  # fmt: skip
    """The view by frames (N, 4, 2) px and those that agree, as long as it shows more of them."""
    best = view_from_frames(image_bgr, frames_px, markers, lens, deck.card)
    for _ in range(MOST_ROUNDS):
        if best is None or len(best[1]) == 0:
            break
        more = _sharp_frames(image_bgr, best[0], best[1].corners_px, deck)
        # What shows in the better view goes first.
        frames_px = _one_each(more, frames_px)
        better = view_from_frames(image_bgr, frames_px, markers, lens, deck.card)
        if better is None or len(better[1]) <= len(best[1]):
            break
        best = better
    return best
