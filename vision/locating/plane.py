"""The plane, the scale and the lens from wholly seen cards, and from markers' squares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from geometry.deck import CardSize
from vision.arrays import Bools, FloatArray
from vision.lens import FocalLength, Lens, LensKnown
from vision.locating.frame_lines import sharpen_frames
from vision.locating.marker_corners import sharpen_markers
from vision.locating.markers import MARKER_MM, Marker
from vision.locating.quads import Quads
from vision.small_fits import fit_least_squares, rotations
from vision.view import TableView, rotation_from_vector

FOCAL_SHARE = 0.8
"""Focal length over the picture's longer side of usual cameras: a field of view of 64 degrees."""
FOCAL_SPREAD = 0.35
"""Standard deviation of the focal length's logarithm over cameras."""
TOLD_SPREAD = 0.03
"""The same round what a picture tells: whole millimetres of a film camera's, and how a lens is
focused. Far off costs little more than near by: the picture may be cropped."""
BEND_SPREAD = (0.15, 0.08)
"""Standard deviations of the first two coefficients of distortion over cameras."""
AXIS_SPREAD = 0.003
"""How far from the picture's middle the lens's axis usually lies, over the longer side. A photo
that was cropped has it anywhere: far off costs little more than near by."""
CORNER_MM = 0.6
WORST_QUAD_MM = 2.0
FINE_CORNER_MM = 0.12
"""Corners where the middles of lines meet: slip of print, curl and height of cards included."""
WORST_FINE_MM = 0.8
STILL_FITS = 1.6
"""So many times as far off outlines may lie when lines' middles have been asked."""
SIZE_SPREAD = 0.3
"""Where cards give the scale, markers say what is square, not how large: prints vary."""
TIGHT_SIZE_SPREAD = 0.02
SCALE_CARDS = 3
"""So many agreeing cards give the scale; with fewer, markers have to be of their size."""
LEAST_SHAPES = 2
STRAIGHT_ENOUGH = 1e-8
"""Of the focal length: after so small a step of Newton's the next one would be none."""
TILTS = ((0.0, 0.0), (0.35, 0.0), (-0.35, 0.0), (0.0, 0.35), (0.0, -0.35))
TRIED_QUADS, TRIED_ROUNDS = 8, 6
"""So many outlines, the largest gaps between them, decide from which tilt to begin."""


@dataclass(frozen=True, eq=False)
class CameraGuess:
    """Free parameters: tilt (2,) of the table's normal as a rotation vector without turn,
    log of the distance in mm, and where no lens was measured log focal length, k1 and k2, and how
    far the lens's axis lies from the picture's middle, x and y over the picture's longer side.
    """

    values: FloatArray

    def view(self, lens: LensKnown, size_wh: tuple[int, int]) -> TableView:
        """The view with these parameters; its origin lies on the optical axis."""
        tilt_x, tilt_y, log_distance = self.values[:3]
        rotation = rotation_from_vector(np.array([tilt_x, tilt_y, 0.0]))
        used = lens if isinstance(lens, Lens) else lens_from(self.values[3:8], size_wh)
        return TableView(used, rotation, np.array([0.0, 0.0, float(np.exp(log_distance))]))


@dataclass(frozen=True, eq=False)
class _Known:
    """What is seen: corners (Q, 4, 2) px of cards, `frame_mm` wide and high where their corners
    lie, (M, 4, 2) of markers; what is known of the lens; how exact corners are, mm.
    """

    cards_px: FloatArray
    markers_px: FloatArray
    frame_mm: tuple[float, float]
    lens: LensKnown
    size_wh: tuple[int, int]
    corner_mm: float

    def __len__(self) -> int:
        return len(self.cards_px) + len(self.markers_px)

    @property
    def measured(self) -> Lens | None:
        """The lens, where it was measured."""
        return self.lens if isinstance(self.lens, Lens) else None

    @property
    def focal_px(self) -> float:
        """The likeliest focal length."""
        if isinstance(self.lens, FocalLength):
            return self.lens.px
        usual = FOCAL_SHARE * max(self.size_wh)
        return usual if self.lens is None else float(self.lens.matrix[0, 0])

    @property
    def size_spread(self) -> float:
        """How far the size of markers may be off."""
        return SIZE_SPREAD if len(self.cards_px) >= SCALE_CARDS else TIGHT_SIZE_SPREAD

    @property
    def start_scale(self) -> FloatArray:
        """How far each parameter may usually move."""
        own = [0.1, 0.1, 0.05] + ([] if self.measured else [0.1, 0.05, 0.05, 0.01, 0.01])
        return np.array(own + ([0.05] if len(self.markers_px) else []))

    def only(self, cards: Bools | NDArray[np.intp], markers: Bools | None = None) -> _Known:
        """With these cards and, where given, these markers alone."""
        kept = self.markers_px if markers is None else self.markers_px[markers]
        return replace(self, cards_px=self.cards_px[cards], markers_px=kept)


def lens_from(values: FloatArray, size_wh: tuple[int, int]) -> Lens:
    """A lens with square pixels: log f, k1, k2, and its axis off the picture's middle, over the
    longer side.
    """
    focal = float(np.exp(values[0]))
    x, y = (np.array(size_wh) - 1) / 2 + values[3:5] * max(size_wh)
    matrix = np.array([[focal, 0, x], [0, focal, y], [0, 0, 1.0]])
    distortion = np.array([values[1], values[2], 0.0, 0.0])
    return Lens(size_wh, matrix, distortion)


def view_from_quads(
    quads: Quads, lens: LensKnown, size_wh: tuple[int, int], card: CardSize
) -> tuple[TableView, Quads] | None:
    """Fit one camera to all outlines, as cards of known size in one plane.

    Returns the view and the outlines that agree; None where fewer than two do.
    Outlines that disagree (other rectangles) are left out one by one.
    """
    found = _from_shapes(quads, (), lens, size_wh, _outline_mm(card))
    if found is None:
        return None
    values, kept = found
    return CameraGuess(values).view(lens, size_wh), kept


def view_from_photo(
    image_bgr: NDArray[np.uint8],
    quads: Quads,
    markers: tuple[Marker, ...],
    lens: LensKnown,
    card: CardSize,
) -> tuple[TableView, Quads] | None:
    """As `view_from_quads`, sharpened in the photo: lines' middles instead of outlines.

    The squares of markers help, whatever their size where there are cards enough; two
    shapes are the least, of whichever kind. Returns the view and the agreeing cards, with
    their corners on the line's middle where the photo shows lines (`Quads.on_lines`).
    """
    size_wh = (image_bgr.shape[1], image_bgr.shape[0])
    found = _from_shapes(quads, markers, lens, size_wh, _outline_mm(card))
    if found is None:
        return None
    return _sharpened(image_bgr, found, markers, lens, card)


def view_from_frames(
    image_bgr: NDArray[np.uint8],
    frames_px: FloatArray,
    markers: tuple[Marker, ...],
    lens: LensKnown,
    card: CardSize,
) -> tuple[TableView, Quads] | None:
    """As `view_from_photo`, from frames (N, 4, 2) px of cards with corners on the line's middle."""
    size_wh = (image_bgr.shape[1], image_bgr.shape[0])
    frame_mm = (card.frame_width_mm, card.frame_height_mm)
    found = _from_shapes(Quads(frames_px), markers, lens, size_wh, frame_mm)
    if found is None:
        return None
    return _sharpened(image_bgr, found, markers, lens, card)


def _sharpened(
    image_bgr: NDArray[np.uint8],
    found: tuple[FloatArray, Quads],
    markers: tuple[Marker, ...],
    lens: LensKnown,
    card: CardSize,
) -> tuple[TableView, Quads]:
    """The fit to lines' middles, where at least half of the cards found show them and agree.

    Cards that curl show no straight lines: of those and the markers together half are enough, if
    the cards' outlines then fit about as well as before.
    """
    size_wh = (image_bgr.shape[1], image_bgr.shape[0])
    frame_mm = (card.frame_width_mm, card.frame_height_mm)
    values, kept = found
    for turn in range(2):
        view = CameraGuess(values).view(lens, size_wh)
        corners = _met(image_bgr, view, kept.corners_px)
        if turn == 0 and SCALE_CARDS <= len(corners) < len(kept) / 2:
            known = _Known(corners, _squares(()), frame_mm, lens, size_wh, FINE_CORNER_MM)
            near = _by_the_few(known, kept, values)
            nearer = corners if near is None else _met(image_bgr, near[0], near[1])
            if 2 * len(nearer) >= len(kept):
                corners = nearer
        squares = _squares(
            sharpen_markers(image_bgr, view.lens, markers).markers if markers else ()
        )
        few = 2 * len(corners) < len(kept)
        if few and 2 * (len(corners) + len(squares)) < len(kept) + len(markers):
            break  # a picture too poor to sharpen: outlines are better than few shapes
        known = _Known(corners, squares, frame_mm, lens, size_wh, FINE_CORNER_MM)
        better = _agreeing(known, values[: len(known.start_scale)], WORST_FINE_MM)
        if better is None or 2 * len(better[1]) < (len(corners) if few else len(kept)):
            break
        if not few:
            values, kept = better[0], replace(better[1], on_lines=True)
            continue
        outlines = _Known(
            kept.corners_px, _squares(()), _outline_mm(card), lens, size_wh, CORNER_MM
        )
        if _typical_off(outlines, better[0]) > STILL_FITS * _typical_off(outlines, values):
            break
        values = better[0]
    return CameraGuess(values).view(lens, size_wh), kept


def _met(image_bgr: NDArray[np.uint8], view: TableView, corners_px: FloatArray) -> FloatArray:
    """Corners (N, 4, 2) px of those outlines (Q, 4, 2) whose lines' middles are plain."""
    sharp = sharpen_frames(image_bgr, view, corners_px)
    return sharp[np.isfinite(sharp).all(axis=(1, 2))]


def _by_the_few(
    few: _Known, outlines: Quads, start: FloatArray
) -> tuple[TableView, FloatArray] | None:
    """The view by the few frames whose lines were plain, sought near `start`, and where by it a
    frame lies in every outline (Q, 4, 2) px; None where they do not all agree.

    An outline that runs round a pale band lies farther from the frame than lines are sought, and
    has the view by outlines wrong; but its middle is the card's.
    """
    agreed = _agreeing(few, start[: len(few.start_scale)], WORST_FINE_MM)
    if agreed is None or len(agreed[1]) < len(few):
        return None
    view = CameraGuess(agreed[0]).view(few.lens, few.size_wh)
    seen = view.to_mm(outlines.corners_px.reshape(-1, 2)).reshape(-1, 4, 2)
    lying, standing = _lying_standing(few.frame_mm)
    left = _smaller(_rigid_left(seen, lying), _rigid_left(seen, standing))
    return view, view.to_px((seen - left).reshape(-1, 2)).reshape(-1, 4, 2)


def _typical_off(known: _Known, values: FloatArray) -> float:
    """How far off (rms, mm) half of the cards' corners lie, for parameters of which the last may
    be the markers' size.
    """
    sets = values[None, : len(known.start_scale)]
    return float(np.median(np.sqrt((_misfits(known)(sets)[0] ** 2).mean(axis=(1, 2)))))


def _outline_mm(card: CardSize) -> tuple[float, float]:
    return card.frame_width_mm + card.line_mm, card.frame_height_mm + card.line_mm


def _squares(markers: tuple[Marker, ...]) -> FloatArray:
    return np.array([marker.corners_px for marker in markers]).reshape(-1, 4, 2)


def _from_shapes(
    quads: Quads,
    markers: tuple[Marker, ...],
    lens: LensKnown,
    size_wh: tuple[int, int],
    shape_mm: tuple[float, float],
) -> tuple[FloatArray, Quads] | None:
    """The parameters, and the cards that agree, of which the corners lie on such a rectangle."""
    corners, squares = quads.corners_px, _squares(markers)
    known = _Known(corners, squares, shape_mm, lens, size_wh, CORNER_MM)
    if len(known) < LEAST_SHAPES:
        return None
    few = known.only(_far_apart(corners.mean(axis=1), TRIED_QUADS)) if len(corners) else known
    tried = [_fit(few, _start(few, tilt), rounds=TRIED_ROUNDS) for tilt in TILTS]
    return _agreeing(known, min(tried, key=lambda one: one[1])[0], WORST_QUAD_MM)


def _agreeing(known: _Known, start: FloatArray, worst_mm: float) -> tuple[FloatArray, Quads] | None:
    """The fit to all shapes that agree within `worst_mm` (rms), and the cards among them."""
    values = start
    while len(known) >= LEAST_SHAPES:
        values, _ = _fit(known, values[: len(known.start_scale)])
        off = np.sqrt((_misfits(known)(values[None])[0] ** 2).mean(axis=(1, 2)))
        if off.max() < worst_mm:
            return values, Quads(known.cards_px)
        good = off < max(worst_mm, float(off.max()) * 0.999)
        cards = len(known.cards_px)
        known = known.only(good[:cards], good[cards:])
    return None


def _far_apart(spots: FloatArray, count: int) -> NDArray[np.intp]:
    """Indices of at most `count` of the spots (N, 2), each as far from the others as can be."""
    chosen = [int(np.linalg.norm(spots - spots.mean(axis=0), axis=1).argmax())]
    gap = np.linalg.norm(spots - spots[chosen[0]], axis=1)
    while len(chosen) < min(count, len(spots)):
        chosen.append(int(gap.argmax()))
        gap = np.minimum(gap, np.linalg.norm(spots - spots[chosen[-1]], axis=1))
    return np.array(sorted(chosen))


def _start(known: _Known, tilt: tuple[float, float]) -> FloatArray:
    corners = known.cards_px if len(known.cards_px) else known.markers_px
    size_mm = float(np.sqrt(np.prod(known.frame_mm))) if len(known.cards_px) else MARKER_MM
    sides = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2)
    size_px = float(np.median(np.sqrt(sides[:, 0] * sides[:, 1])))
    start = [tilt[0], tilt[1], np.log(known.focal_px * size_mm / max(size_px, 1.0))]
    free = [] if known.measured else [np.log(known.focal_px), 0.0, 0.0, 0.0, 0.0]
    return np.array([*start, *free])


def _fit(known: _Known, start: FloatArray, rounds: int = 30) -> tuple[FloatArray, float]:
    """The parameters of the least misfit near `start`, and its cost."""
    scale = known.start_scale
    start = np.concatenate([start, np.zeros(len(scale) - len(start))])
    off_mm = _misfits(known)
    usual_focal = np.log(FOCAL_SHARE * max(known.size_wh))

    def residuals(sets: FloatArray) -> FloatArray:
        off = off_mm(sets).reshape(len(sets), -1) / known.corner_mm
        soft = _soft(off)
        held = []
        if known.measured is None:
            held = [(sets[:, 3:4] - usual_focal) / FOCAL_SPREAD, sets[:, 4:6] / BEND_SPREAD]
            held.append(_soft(sets[:, 6:8] / AXIS_SPREAD))
        if isinstance(known.lens, FocalLength):
            held.append(_soft((sets[:, 3:4] - np.log(known.lens.px)) / TOLD_SPREAD))
        if len(known.markers_px):
            held.append(sets[:, -1:] / known.size_spread)
        return np.concatenate([soft, *held], axis=1)

    return fit_least_squares(residuals, start, scale, rounds)


def _soft(off: FloatArray) -> FloatArray:
    """Residuals whose squares grow as their size once they are large, not as its square."""
    return np.asarray(np.sign(off) * np.sqrt(2 * (np.sqrt(1 + np.minimum(off**2, 1e8)) - 1)))


def _misfits(known: _Known) -> Callable[[FloatArray], FloatArray]:
    """What takes sets of parameters (B, N) to misfits (B, Q + M, 4, 2): corners of cards, then of
    markers, in table mm less those of the best fitting shape, lying or standing.
    """
    corners = np.concatenate([known.cards_px, known.markers_px])
    px = corners.reshape(-1, 2)
    fixed = known.measured.to_rays(px) if known.measured else None
    middle, longer = (np.array(known.size_wh) - 1) / 2, max(known.size_wh)
    lying, standing = _lying_standing(known.frame_mm)
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * MARKER_MM / 2

    def off_mm(sets: FloatArray) -> FloatArray:
        rays = fixed if fixed is not None else _straightened(px - middle, sets[:, 3:8], longer)
        mm = _on_table(rays, sets[:, :3]).reshape(len(sets), -1, 4, 2)
        cards, markers = mm[:, : len(known.cards_px)], mm[:, len(known.cards_px) :]
        off = _smaller(_rigid_left(cards, lying), _rigid_left(cards, standing))
        if not len(known.markers_px):
            return off
        sized = square * (1 + sets[:, -1])[:, None, None, None]
        return np.concatenate([off, _rigid_left(markers, sized)], axis=1)

    return off_mm


def _lying_standing(frame_mm: tuple[float, float]) -> tuple[FloatArray, FloatArray]:
    """Corners (4, 2) of a frame so wide and high round its middle, lying and standing, mm."""
    half_w, half_h = frame_mm[0] / 2, frame_mm[1] / 2
    lying = np.array([[-half_h, -half_w], [half_h, -half_w], [half_h, half_w], [-half_h, half_w]])
    return lying, lying[:, ::-1][[0, 3, 2, 1]]


def _straightened(off_middle_px: FloatArray, lens: FloatArray, longer_px: int) -> FloatArray:
    """Rays (B, P, 2) of pixels off the middle (P, 2) for lenses (B, 5) as in `lens_from`."""
    points, axis = (np.ascontiguousarray(a).view(complex) for a in (off_middle_px, lens[:, 3:5]))
    bent = (points[:, 0] - axis * longer_px) / np.exp(lens[:, :1])
    radius = np.abs(bent)
    k1, k2 = lens[:, 1:2], lens[:, 2:3]
    true, most = radius.copy(), 3 * radius + 1e-9
    for _ in range(6):
        square = true**2
        slope = 1 + square * (3 * k1 + 5 * k2 * square)
        step = (true * (1 + square * (k1 + k2 * square)) - radius) / np.maximum(slope, 0.2)
        true = np.clip(true - step, 0, most)
        if np.abs(step).max() < STRAIGHT_ENOUGH:
            break
    bent *= true / np.maximum(radius, 1e-12)
    return np.asarray(bent.view(np.float64).reshape(*bent.shape, 2))


def _on_table(rays: FloatArray, planes: FloatArray) -> FloatArray:
    """Where rays (P, 2) or (B, P, 2) meet planes (B, 3), tilt and log distance: mm (B, P, 2)."""
    tilt = np.concatenate([planes[:, :2], np.zeros((len(planes), 1))], axis=1)
    turn = rotations(tilt)[:, :, :, None]
    distance = np.exp(planes[:, 2])[:, None]
    x, y = rays[..., 0], rays[..., 1]
    far = x * turn[:, 0, 2] + y * turn[:, 1, 2] + turn[:, 2, 2]
    # The camera's middle lies `distance` along its axis from the table's origin.
    depth = distance * turn[:, 2, 2] / np.maximum(far, 1e-3)
    out = np.empty((*depth.shape, 2))
    for k in (0, 1):
        local = x * turn[:, 0, k] + y * turn[:, 1, k] + turn[:, 2, k]
        out[..., k] = local * depth - distance * turn[:, 2, k]
    return out


def _rigid_left(mm: FloatArray, shape: FloatArray) -> FloatArray:
    """What is left of (..., 4, 2) after the best shift and turn of a shape (..., 4, 2)."""
    # As complex numbers: a turn is one product, and short columns take numpy long.
    points, own = (np.ascontiguousarray(some).view(complex)[..., 0] for some in (mm, shape))
    off = points - points.mean(axis=-1, keepdims=True)
    turn = (off * own.conj()).sum(axis=-1, keepdims=True)
    turn /= np.maximum(np.abs(turn), 1e-12)
    off -= turn * own
    return np.asarray(off.view(np.float64).reshape(mm.shape))


def _smaller(first: FloatArray, second: FloatArray) -> FloatArray:
    one, other = (np.einsum("...ij,...ij->...", off, off) for off in (first, second))
    pick = one <= other
    return np.where(pick[..., None, None], first, second)
