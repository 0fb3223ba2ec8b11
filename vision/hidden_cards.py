"""Cards whose badge is covered or burnt out: found by frame corners that nothing explains."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from geometry.deck import Deck
from vision.bend import FLAT, is_bent
from vision.coverage import TopMap
from vision.evidence import Evidence, Image8, sample
from vision.name_cards import Named
from vision.pose_fit import LineSamples, fit_poses, frame_samples, place, turns
from vision.strips import in_strips
from vision.templates import TEMPLATE_DENSITY, Templates, steps_mm

FloatArray = NDArray[np.float64]
SHORTEST_MM = 7.0
MOST_POSES = 3000
MOST_SEGMENTS = 1000
"""The longest; a table of 109 cards shows about as many, print on paper many more."""
LEAST_WHITE = 0.62
"""Of the nearest card's own white."""
EXPLAINED_MM = 1.2
"""Beside a line that is drawn: curled edges and slipped cards show theirs so far off."""
BLACK_SHARE = 0.5
"""Of the line's brightness: black beside it is darker than that, in glare as well."""
MOSTLY_DARK = 0.7
"""Of a line's length: a line that crosses it is bright."""
INK_LIKENESS = 0.85
FAR_FROM_CARDS_MM = 50.0
"""A card that is not found by its badge has it under a card that is, and ends this far off."""
ACROSS_STEP_MM = 0.2
WIDEST_LINE_MM = 2.0
"""At half its height: 0.9 mm of line under a blur of 0.5 mm are 1.4 wide, a strip between cards
or a stripe of cloth is wider."""
MOST_TINT = 0.18
"""Lines are white; the balance is taken from them."""
SEAM_MM = (-0.4, 1.7)
"""Blur makes a pale seam where a card's edge meets something else, so far beyond the edge."""
TABLE_MM, SAME_TABLE = (1.8, 6.0), 40.0
"""Beyond a seam lies the table if it looks the same, in grey levels, at both distances."""
MOST_ALIKE, GRAIN_LOG, GRAIN_TONE = 0.8, 0.35, 15.0
BAND_MM = 2.0
GAP_MM = 2.4
"""Between two cards' edges that are both nearer than this no line of a third shows."""
CORNER_GAP_MM = 6.0
FEWEST_SAMPLES = 20.0
LEAST_LINE_MM = 28.0
"""A frame must be seen along this much of its length before a card is believed in."""


@dataclass(frozen=True, eq=False)
class Segments:
    """Straight pieces of white line, table mm: starts (S, 2) and ends (S, 2)."""

    start_mm: FloatArray
    end_mm: FloatArray

    @property
    def length_mm(self) -> FloatArray:
        """Lengths (S,)."""
        return np.asarray(np.linalg.norm(self.end_mm - self.start_mm, axis=1))

    @property
    def along(self) -> FloatArray:
        """Unit directions (S, 2) from start to end."""
        way = self.end_mm - self.start_mm
        return np.asarray(way / np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-9))

    def take(self, keep: NDArray[np.bool_]) -> Segments:
        """The segments where `keep` (S,) holds."""
        return Segments(self.start_mm[keep], self.end_mm[keep])


_Sought = tuple[bytes, bytes, tuple[int, ...], Templates]
_SOUGHT: WeakKeyDictionary[Evidence, dict[_Sought, Segments]] = WeakKeyDictionary()
MOST_SOUGHT = 4
"""Tables kept: the one that stands, and those that a search for a hidden card tries."""


def drawn_white(evidence: Evidence, named: Named, order: list[int], templates: Templates) -> Image8:
    """What the cards read so far make white: 255 on the raster's grid, lines a little widened."""
    canvas = np.zeros_like(evidence.mask)
    for i in order:
        _stamp(canvas, _widened(templates, int(named.rows[i])), named.poses[i], evidence)
    return canvas


@lru_cache(maxsize=256)
def _widened(templates: Templates, row: int) -> Image8:
    """What a face draws white (rows, columns), a little widened: 255, and 1 on the rest of it."""
    drawn = (templates.white[row].reshape(templates.shape_hw) > 0.25).astype(np.uint8)
    return np.asarray(cv2.max(cv2.dilate(drawn, np.ones((5, 5), np.uint8)) * 255, 1.0), np.uint8)


def _stamp(canvas: Image8, drawn: Image8, pose: FloatArray, evidence: Evidence) -> None:
    """Lay one card's drawing over the canvas, its black as opaque as its white."""
    if is_bent(pose[None]):
        drawn = _bent(drawn, pose)
    rows, columns = drawn.shape
    ratio = evidence.raster.density / TEMPLATE_DENSITY
    cos, sin = np.cos(pose[2]) * ratio, np.sin(pose[2]) * ratio
    middle = evidence.raster.to_raster(pose[:2])
    cx, cy = (columns - 1) / 2, (rows - 1) / 2
    matrix = np.array(
        [[cos, -sin, middle[0] - cos * cx + sin * cy], [sin, cos, middle[1] - sin * cx - cos * cy]]
    )
    reach = np.abs(matrix[:, :2]) @ np.array([columns, rows]) / 2 + 2
    x0, y0 = np.maximum(0, middle - reach).astype(int).tolist()
    x1, y1 = np.minimum(canvas.shape[::-1], middle + reach).astype(int).tolist()
    if x1 <= x0 or y1 <= y0:
        return
    local = matrix.copy()
    local[:, 2] -= [x0, y0]
    size = (x1 - x0, y1 - y0)
    stamp = cv2.warpAffine(drawn, local, size, flags=cv2.INTER_NEAREST)
    _, white = cv2.threshold(stamp, 127, 255, cv2.THRESH_BINARY)
    cv2.copyTo(white, stamp, canvas[y0:y1, x0:x1])


def _bent(drawn: Image8, pose: FloatArray) -> Image8:
    """A card's drawing (rows, columns) as its bend shows it, with room round it."""
    cos, sin = np.cos(pose[2]), np.sin(pose[2])
    along, down = pose[FLAT:].reshape(2, 2) @ np.array([[cos, -sin], [sin, cos]]) * TEMPLATE_DENSITY
    shape = np.array(drawn.shape)
    x, y = steps_mm(drawn.shape)
    room = 2 + int(np.abs(along * x[0] ** 2).max() + np.abs(down * y[0] ** 2).max())
    x, y = steps_mm((shape + 2 * room).tolist())
    column, row = (np.arange(-room, n + room) for n in shape[::-1])
    at_x = np.add.outer(-down[0] * y**2, column - along[0] * x**2)
    at_y = np.add.outer(row - down[1] * y**2, -along[1] * x**2)
    maps = at_x.astype(np.float32), at_y.astype(np.float32)
    return np.asarray(cv2.remap(drawn, *maps, cv2.INTER_NEAREST), np.uint8)


def unexplained_lines(
    evidence: Evidence, named: Named, order: list[int], templates: Templates
) -> Segments:
    """Straight white lines of at least 7 mm near cards that no card read so far accounts for.

    What was found for the same cards in the same order is not sought again.
    """
    sought = _SOUGHT.setdefault(evidence, {})
    key = (named.poses.tobytes(), named.rows.tobytes(), tuple(order), templates)
    found = sought.pop(key, None)
    if found is None:
        found = _unexplained(evidence, named, order, templates)
    sought[key] = found
    if len(sought) > MOST_SOUGHT:
        del sought[next(iter(sought))]
    return found


def _unexplained(
    evidence: Evidence, named: Named, order: list[int], templates: Templates
) -> Segments:
    drawn = drawn_white(evidence, named, order, templates)
    reach = round(EXPLAINED_MM * evidence.raster.density)
    kernel = np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)
    left = _not_burnt_near(evidence, named, templates)

    # All of these are 0 or 255.
    def leave(rows: slice, around: slice, inner: slice) -> None:
        cv2.subtract(left[rows], cv2.dilate(drawn[around], kernel)[inner], dst=left[rows])

    in_strips(leave, len(left), reach)
    return _straight(evidence, left)


def left_over_lines(
    evidence: Evidence,
    named: Named,
    order: list[int],
    top: TopMap,
    templates: Templates,
    strict: bool = False,
) -> Segments:
    """Lines like a card's that the cards read so far do not account for; `top` is which shows."""
    lines = unexplained_lines(evidence, named, order, templates)
    like, printed = _looks(evidence, lines, named, templates, strict)
    lines, printed = lines.take(like), printed[like]
    if strict:
        # In a lamp's haze black is bright; on a card nothing but cards draws lines all the same.
        lines = lines.take(printed | _inside(lines, named, top, templates))
    return lines.take(~beside_edges(evidence, lines, named, top, templates))


def all_lines(evidence: Evidence, named: Named, templates: Templates) -> Segments:
    """Straight white lines of at least 7 mm near cards, whoever they belong to."""
    return _straight(evidence, _not_burnt_near(evidence, named, templates))


def _not_burnt_near(evidence: Evidence, named: Named, templates: Templates) -> Image8:
    """255 where it is white near a card and not burnt out."""
    left = cv2.bitwise_and(evidence.mask, _near(evidence, named, templates))
    return np.asarray(cv2.subtract(left, evidence.burnt, dst=left), np.uint8)


def _near(evidence: Evidence, named: Named, templates: Templates) -> Image8:
    """255 within `FAR_FROM_CARDS_MM` of a card: a newspaper's lines farther off mean nothing."""
    height, width = evidence.mask.shape
    step = 8
    half = np.abs(templates.grid_mm).max(axis=0) + FAR_FROM_CARDS_MM
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    near = np.zeros((height // step + 1, width // step + 1), np.uint8)
    for outline in evidence.raster.to_raster(place(named.poses, corners)) / step:
        cv2.fillConvexPoly(near, np.rint(outline).astype(np.int32), 255)
    # Columns are looked up in the few rows, then whole rows copied: a third of the time.
    wide = cv2.resize(near, (width, len(near)), interpolation=cv2.INTER_NEAREST)
    rows = np.arange(len(near), dtype=np.float32)[:, None]
    of_row = cv2.resize(rows, (1, height), interpolation=cv2.INTER_NEAREST)
    return np.asarray(np.take(wide, of_row.ravel().astype(np.int64), axis=0), np.uint8)


def _straight(evidence: Evidence, mask: Image8) -> Segments:
    density = evidence.raster.density
    found = cv2.HoughLinesP(
        _thin_only(mask, density), 1, np.pi / 180, int(5 * density),
        minLineLength=SHORTEST_MM * density, maxLineGap=1.5 * density,
    )  # fmt: skip
    if found is None or len(found) == 0:
        return Segments(np.empty((0, 2)), np.empty((0, 2)))
    ends = np.asarray(found, np.float64).reshape(-1, 2, 2)
    length = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    ends = ends[np.argsort(-length, kind="stable")[:MOST_SEGMENTS]]
    return Segments(evidence.raster.to_mm(ends[:, 0]), evidence.raster.to_mm(ends[:, 1]))


def _thin_only(mask: Image8, density: float) -> Image8:
    """Leave out pieces wider than a line can be."""
    size, wide = round(2.2 * density) | 1, round(1.5 * density) | 1
    kernel, more = (np.ones((side, side), np.uint8) for side in (size, wide))
    thin = np.empty_like(mask)

    def leave(rows: slice, around: slice, inner: slice) -> None:
        some = mask[around]
        if not cv2.hasNonZero(some):
            thin[rows] = 0
            return
        thick = cv2.morphologyEx(some, cv2.MORPH_OPEN, kernel)
        cv2.subtract(mask[rows], cv2.dilate(thick, more)[inner], dst=thin[rows])

    in_strips(leave, len(mask), size + wide)
    return thin


def corner_poses(left: Segments, lines: Segments, deck: Deck) -> FloatArray:
    """Poses (N, 3) of cards with a square corner, of frame or shape, where a line `left`
    unexplained meets any of `lines` squarely.

    In a legal layout a card's line runs on in another's, so the second line
    may well be one that a known card accounts for.
    """
    if len(left.start_mm) == 0 or len(lines.start_mm) == 0:
        return np.empty((0, 3))
    i, j = np.nonzero(np.abs(left.along @ lines.along.T) < 0.1)
    corner = _crossings(left.start_mm[i], left.along[i], lines.start_mm[j], lines.along[j])
    near_mm, first = _away(corner, left.start_mm[i], left.end_mm[i])
    second = lines.along[j]
    share = ((corner - lines.start_mm[j]) * second).sum(axis=1)
    beyond = lines.length_mm[j] - share
    met = (near_mm <= CORNER_GAP_MM) & (np.minimum(share, beyond) > -CORNER_GAP_MM)
    # The second line may go on from the corner either way, for at least 5 mm.
    goes_on = np.stack([beyond > 5, share > 5], axis=1) & met[:, None]
    pair, back = np.nonzero(goes_on)
    way = second[pair] * np.where(back, -1.0, 1.0)[:, None]
    poses = _cards_at(corner[pair], first[pair] + way, square_corners(deck))
    return _thinned(poses) if len(poses) else np.empty((0, 3))


def _thinned(poses: FloatArray) -> FloatArray:
    """One pose of all that lie within a millimetre and a degree of each other."""
    keys = np.column_stack([np.round(poses[:, :2]), np.round(np.rad2deg(poses[:, 2]) % 180 / 2)])
    _, first = np.unique(keys, axis=0, return_index=True)
    return np.asarray(poses[np.sort(first)][:MOST_POSES])


@lru_cache(maxsize=4)
def square_corners(deck: Deck) -> FloatArray:
    """Square corners of frames and shapes, either side up: (K, 3): x, y in mm as seen, and the
    direction in radians of the bisector into the corner's inside.
    """
    sides = np.array(deck.card.frame_corners_mm)
    shapes = (s for face in (*deck.faces, deck.starting_face) for s in face.shapes)
    outlines = [sides, *(np.asarray(s.outline_mm, dtype=np.float64) for s in shapes)]
    corners: list[tuple[float, float, float]] = []
    for outline in outlines:
        for flip in (1.0, -1.0):
            corners += _right_angles(outline * [flip, 1.0])
    unique = {(round(x, 0), round(y, 0), round(a, 1)): (x, y, a) for x, y, a in corners}
    return np.array(sorted(unique.values()))


def _right_angles(outline: FloatArray) -> list[tuple[float, float, float]]:
    out = []
    for k, corner in enumerate(outline):
        u = outline[k - 1] - corner
        v = outline[(k + 1) % len(outline)] - corner
        u, v = u / np.hypot(*u), v / np.hypot(*v)
        if abs(float(u @ v)) < 0.05:
            inside = u + v
            turn = float(np.arctan2(inside[1], inside[0]))
            out.append((float(corner[0]), float(corner[1]), turn))
    return out


def _crossings(p: FloatArray, u: FloatArray, q: FloatArray, v: FloatArray) -> FloatArray:
    """Where lines from p along u meet lines from q along v, all (M, 2)."""
    gap = q - p
    share = (gap[:, 0] * v[:, 1] - gap[:, 1] * v[:, 0]) / (u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0])
    return np.asarray(p + share[:, None] * u)


def _away(corner: FloatArray, start: FloatArray, end: FloatArray) -> tuple[FloatArray, FloatArray]:
    """How far (M,) each segment's nearer end is from a corner (M, 2), and the direction (M, 2)
    from the corner to its farther end.
    """
    to_start = np.linalg.norm(start - corner, axis=1)
    to_end = np.linalg.norm(end - corner, axis=1)
    way = np.where((to_start < to_end)[:, None], end, start) - corner
    return np.minimum(to_start, to_end), way / np.maximum(to_start, to_end)[:, None]


def _cards_at(corner: FloatArray, inside: FloatArray, features: FloatArray) -> FloatArray:
    """Poses (M * K, 3) that bring each feature's corner and bisector onto each one seen."""
    turn = np.arctan2(inside[:, 1], inside[:, 0])[:, None] - features[:, 2]
    cos, sin, (x, y) = np.cos(turn), np.sin(turn), features[:, :2].T
    own = np.stack([cos * x - sin * y, sin * x + cos * y], axis=-1)
    middle = corner[:, None] - own
    return np.concatenate([middle, turn[..., None]], axis=2).reshape(-1, 3)


def fit_corners(
    evidence: Evidence, poses: FloatArray, top: TopMap, deck: Deck
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Fit candidate poses on lines that no known card covers.

    Returns poses (N, 3), the length of frame seen (N,) in mm, and the share
    (N,) of the uncovered frame that was seen.
    """
    lines = frame_samples(deck.card, 1.5)
    everywhere = np.ones((len(poses), len(lines.places_mm)))
    fit = fit_poses(evidence, poses, lines, 2.0, everywhere)
    free = shows_over(fit.seen, top.at(place(fit.poses, lines.places_mm)))
    fit = fit_poses(evidence, fit.poses, lines, 1.25, free.astype(np.float64), passes=2)
    below = top.at(place(fit.poses, lines.places_mm))
    free = shows_over(fit.seen, below)
    lit = not_burnt(evidence, fit.poses, lines)
    seen = (fit.seen & free).sum(axis=1)
    share = seen / np.maximum((free * lit).sum(axis=1), FEWEST_SAMPLES)
    return fit.poses, seen * 1.5, np.asarray(share)


def lines_explained(poses: FloatArray, left: Segments, deck: Deck) -> FloatArray:
    """Length (N,) in mm of the segments left over that lie on each candidate's frame."""
    half = np.array([deck.card.frame_width_mm, deck.card.frame_height_mm]) / 2
    ends = np.stack([left.start_mm, left.end_mm])
    away = ends[:, :, None, :] - poses[None, None, :, :2]
    local = np.einsum("esnj,nji->esni", away, turns(poses[:, 2]))
    off = np.abs(np.abs(local) - half)
    inside = (np.abs(local) < half + 1.5).all(axis=3).all(axis=0)
    on_frame = (off < 1.2).all(axis=0).any(axis=2)
    return np.asarray(((inside & on_frame) * left.length_mm[:, None]).sum(axis=0))


def shows_over(seen: NDArray[np.bool_], below: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
    """Where (N, K) a candidate's frame may be expected to show: on the table, and on each
    known card (index plus 1 in `below`) on which most of its frame is in fact seen.
    """
    out = below == 0
    for i in range(len(seen)):
        for card in np.unique(below[i]):
            here = below[i] == card
            if card > 0 and here.sum() >= 4 and seen[i, here].mean() > 0.7:
                out[i] |= here
    return np.asarray(out)


def not_burnt(evidence: Evidence, poses: FloatArray, lines: LineSamples) -> FloatArray:
    """1 (N, K) where a line could be told from the ground beside it, 0 in the washed-out."""
    darkest = np.full((len(poses), len(lines.places_mm)), np.inf)
    for off in (-1.8, 1.8):
        at = place(poses, lines.places_mm + lines.normals * off)
        darkest = np.minimum(darkest, sample(evidence.least, evidence.raster.to_raster(at)))
    return np.asarray(darkest < evidence.washed_level, np.float64)


def white_levels(evidence: Evidence, named: Named, templates: Templates) -> FloatArray:
    """How bright each card's own white is (N,), in grey levels of `least`."""
    spots = np.flatnonzero((templates.white > 0.7).sum(axis=0) > 0.9 * len(templates.white))
    frame = templates.grid_mm[spots[:: max(1, len(spots) // 200)]]
    at = evidence.raster.to_raster(place(named.poses, frame))
    return np.asarray(np.percentile(sample(evidence.least, at), 60, axis=1), np.float64)


def line_like(
    evidence: Evidence,
    segments: Segments,
    named: Named,
    templates: Templates,
    strict: bool = False,
) -> NDArray[np.bool_]:
    """Which segments (S,) look like a card's line: thin, on ink or black on both sides, and
    as white as the lines of the nearest card. Where two colours meet, blur makes a pale seam.
    `strict`: and what lies beside them looks printed.
    """
    like, printed = _looks(evidence, segments, named, templates, strict)
    return np.asarray(like & printed)


def _looks(
    evidence: Evidence, segments: Segments, named: Named, templates: Templates, strict: bool
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which segments (S,) look like a card's line, and beside which of them it looks printed,
    where a `strict` look is asked for; elsewhere all do.
    """
    printed = np.ones(len(segments.start_mm), np.bool_)
    if len(segments.start_mm) == 0 or len(named) == 0:
        return ~printed, printed
    middle = (segments.start_mm + segments.end_mm) / 2
    along = (segments.end_mm - segments.start_mm) / np.maximum(segments.length_mm[:, None], 1e-9)
    normal = np.stack([-along[:, 1], along[:, 0]], axis=1)
    share = np.linspace(-0.4, 0.4, 9)
    spots = middle[:, None] + along[:, None] * (segments.length_mm[:, None] * share)[..., None]
    across = np.arange(-2.4, 2.41, ACROSS_STEP_MM)
    places = spots[:, :, None] + normal[:, None, None] * across[:, None]
    level = np.median(sample(evidence.least, evidence.raster.to_raster(places)), axis=1)
    inner = np.abs(across) < 0.7
    peak = level[:, inner].max(axis=1)
    far = np.abs(across) > 1.9
    sides = np.maximum(
        level[:, far & (across < 0)].mean(axis=1), level[:, far & (across > 0)].mean(axis=1)
    )
    wide = (level > ((peak + sides) / 2)[:, None]).sum(axis=1) * ACROSS_STEP_MM
    nearest = cKDTree(named.poses[:, :2]).query(middle)[1]
    white = white_levels(evidence, named, templates)[nearest]
    thin = peak - sides > np.maximum(12.0 + 2 * evidence.noise, 0.25 * peak)
    peak_at = np.argmax(np.where(inner, level, -1), axis=1)
    on_line = spots + (normal * across[peak_at, None])[:, None]
    beside = [on_line + (normal * side)[:, None] for side in (-2.0, 2.0)]
    neutral = _tint(evidence, on_line, beside) < MOST_TINT
    like = thin & neutral & (wide < WIDEST_LINE_MM) & (peak > LEAST_WHITE * white)
    like &= _beyond_cards(middle, named, templates) < FAR_FROM_CARDS_MM
    if strict:
        for places_beside in beside:
            printed &= _printed(evidence, places_beside, peak, named)
    return np.asarray(like), printed


def beside_edges(
    evidence: Evidence, segments: Segments, named: Named, top: TopMap, templates: Templates
) -> NDArray[np.bool_]:
    """Which segments (S,) are seams along the edge of a card read so far, or strips of table
    where two cards lie side by side.

    A line is printed inside its card's band. Where the table itself begins beyond a
    seam, and goes on as it begins, no card peeks out there.
    """
    share = np.linspace(0.1, 0.9, 9)[:, None]
    way = segments.end_mm - segments.start_mm
    spots = segments.start_mm[:, None] + way[:, None] * share
    normal = np.stack([-segments.along[:, 1], segments.along[:, 0]], axis=1)[:, None]
    low, high = SEAM_MM
    beyond = _beyond_edges(spots, named, templates)
    seam = (((beyond > low) & (beyond < high)).sum(axis=1) >= 7).any(axis=1)
    plain = np.zeros(len(seam), np.bool_)
    for side in (-1, 1):
        near, far = (spots + normal * side * off for off in TABLE_MM)
        bare = (top.at(near) == 0) & (top.at(far) == 0)
        alike = _same_table(_balanced(evidence, near), _balanced(evidence, far)) & bare
        plain |= (bare.sum(axis=1) >= 4) & (alike.sum(axis=1) >= MOST_ALIKE * bare.sum(axis=1))
    return np.asarray((seam & plain) | _between(spots, normal, named, top, templates))


def _same_table(near: FloatArray, far: FloatArray) -> NDArray[np.bool_]:
    """Where two colours (..., 3) are much the same, or one colour lighter and darker: wood."""
    off = np.linalg.norm(near - far, axis=-1)
    share = far.sum(axis=-1) / np.maximum(near.sum(axis=-1), 1.0)
    toned = np.linalg.norm(near * share[..., None] - far, axis=-1)
    grain = (np.abs(np.log(np.maximum(share, 1e-3))) < GRAIN_LOG) & (toned < GRAIN_TONE)
    return np.asarray((off < SAME_TABLE) | grain)


def _inside(
    segments: Segments, named: Named, top: TopMap, templates: Templates
) -> NDArray[np.bool_]:
    """Which segments (S,) lie on one card, clear of its band."""
    share = np.linspace(0.1, 0.9, 9)[:, None]
    spots = segments.start_mm[:, None] + (segments.end_mm - segments.start_mm)[:, None] * share
    shown = top.at(spots).astype(np.int64) - 1
    beyond = _beyond_edges(spots, named, templates)
    own = np.take_along_axis(beyond, np.maximum(shown, 0)[..., None], axis=2)[..., 0]
    clear = (shown >= 0) & (shown == shown[:, 4:5]) & (own < -BAND_MM)
    return np.asarray(clear.sum(axis=1) >= 7)


def _between(
    spots: FloatArray, normal: FloatArray, named: Named, top: TopMap, templates: Templates
) -> NDArray[np.bool_]:
    """Which segments, by their spots (S, K, 2) and normals (S, 1, 2), part two cards that lie
    side by side.
    """
    sides = [spots + normal * off for off in (-GAP_MM, GAP_MM)]
    left, right = (top.at(side).astype(np.int64) - 1 for side in sides)
    both = (left >= 0) & (right >= 0) & (left != right)
    for side, other in zip(sides, (right, left), strict=True):
        beyond = _beyond_edges(side, named, templates)
        of_other = np.take_along_axis(beyond, np.maximum(other, 0)[..., None], axis=2)[..., 0]
        both &= of_other > 0
    return np.asarray(both.sum(axis=1) >= 5)


def _beyond_edges(spots: FloatArray, named: Named, templates: Templates) -> FloatArray:
    """How far (S, K, N) spots (S, K, 2) lie beyond each card's nearest edges; inside it below 0."""
    half = np.abs(templates.grid_mm).max(axis=0)
    away = spots[:, :, None] - named.poses[:, :2]
    local = np.abs(np.einsum("nji,sknj->skni", turns(named.poses[:, 2]), away)) - half
    return np.asarray(local.max(axis=3))


def _balanced(evidence: Evidence, places_mm: FloatArray) -> FloatArray:
    """The picture's colour at places (..., 2) in table mm (..., 3), grey levels."""
    seen = sample(evidence.balanced, evidence.raster.to_raster(places_mm))
    return np.asarray(seen, np.float64)


def _printed(
    evidence: Evidence, places_mm: FloatArray, line: NDArray[np.float32], named: Named
) -> NDArray[np.bool_]:
    """Where (S,) what lies at places (S, K, 2) beside lines is black, or ink of a colour in play.

    `line` (S,) is how bright the lines are.
    """
    colour = sample(evidence.balanced, evidence.raster.to_raster(places_mm)).astype(np.float64)
    mean = np.median(colour, axis=1)
    # All along: the squares of a checked cloth change every few millimetres.
    dark = colour.min(axis=2) < BLACK_SHARE * line[:, None]
    black = dark.mean(axis=1) > MOSTLY_DARK
    away = mean - mean.mean(axis=1, keepdims=True)
    strength = np.linalg.norm(away, axis=1)
    inks = named.ink[np.linalg.norm(named.ink, axis=1) > 0]
    unit = inks / np.linalg.norm(inks, axis=1, keepdims=True)
    like = (away / np.maximum(strength, 1e-6)[:, None] @ unit.T).max(axis=1, initial=-1.0)
    tinted = strength > 0.25 * np.median(np.linalg.norm(inks, axis=1)) if len(inks) else False
    return np.asarray(black & (~np.asarray(tinted) | (like > INK_LIKENESS)))


def _beyond_cards(spots: FloatArray, named: Named, templates: Templates) -> FloatArray:
    """How far (S,) spots lie from the nearest card read so far; 0 on one."""
    half = np.abs(templates.grid_mm).max(axis=0)
    away = spots[None] - named.poses[:, None, :2]
    local = np.einsum("nji,nkj->nki", turns(named.poses[:, 2]), away)
    return np.asarray(np.linalg.norm(np.maximum(np.abs(local) - half, 0.0), axis=2).min(axis=0))


def _tint(evidence: Evidence, line_mm: FloatArray, beside_mm: list[FloatArray]) -> FloatArray:
    """How far from grey (S,) lines (S, K, 2) are, as a share of their brightest channel.

    A lamp's haze tints a line and what lies beside it alike: the smaller of the
    tints of the line itself and of what it has more than the darker of both sides.
    """

    def colour(places_mm: FloatArray) -> FloatArray:
        seen = sample(evidence.balanced, evidence.raster.to_raster(places_mm))
        return np.asarray(np.median(seen, axis=1), np.float64)

    line = colour(line_mm)
    above = line - np.minimum(*(colour(places) for places in beside_mm))
    tints = [
        (c.max(axis=1) - c.min(axis=1)) / np.maximum(c.max(axis=1), 1.0) for c in (line, above)
    ]
    return np.asarray(np.minimum(*tints))
