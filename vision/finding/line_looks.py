"""Which white lines look like a card's, and which are seams and strips of table beside cards."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial import cKDTree

from vision.arrays import Bools, FloatArray, Ints
from vision.drawing.bend import complex_bends, is_bent, own_places
from vision.drawing.coverage import TopMap
from vision.drawing.pose_fit import place
from vision.drawing.templates import Templates
from vision.evidence import Evidence, sample
from vision.finding.white_lines import (
    ALONG,
    FAR_FROM_CARDS_MM,
    Segments,
    unexplained_lines,
)
from vision.medians import medians
from vision.memo import Memo
from vision.naming.name_cards import Named

LEAST_WHITE = 0.62
"""Of the nearest card's own white."""
BLACK_SHARE = 0.5
"""Of the line's brightness: black beside it is darker than that, in glare as well."""
MOSTLY_DARK = 0.7
"""Of a line's length: a line that crosses it is bright."""
INK_LIKENESS = 0.85
ACROSS_STEP_MM = 0.2
WIDEST_LINE_MM = 2.0
"""At half its height: 0.9 mm of line under a blur of 0.5 mm are 1.4 wide, a strip between cards
or a stripe of cloth is wider."""
MIXED_FROM_MM, MIXED_MM, LEAST_EXCESS = -1.2, 1.5, 0.05
"""From where, against the edge, a seam may lie; so far on either side it is unmixed; a line is
whiter than their mixture by such a share of white."""
MOST_TINT = 0.18
"""Lines are white; the balance is taken from them."""
TINT_SHARE, USUAL_TINT, TINTED = 75, 1.3, 0.32
"""In small, soft pictures a JPEG gives narrow lines something of the ink beside them: a line may be
so many times as tinted as that many per cent of known cards' lines are, up to the last figure."""
SEAM_MM = (-0.4, 1.7)
"""Blur makes a pale seam where a card's edge meets something else, so far beyond the edge."""
TABLE_MM, SAME_TABLE = (1.8, 6.0), 40.0
"""Beyond a seam lies the table if it looks the same, in grey levels, at both distances."""
MOST_ALIKE, GRAIN_LOG, GRAIN_TONE = 0.8, 0.35, 15.0
BAND_MM = 2.0
MOST_BENT_MM = 6.0
"""Bends shift no edge farther."""
GAP_MM = 2.4
"""Between two cards' edges that are both nearer than this no line of a third shows."""

NEARLY_ALL, MOST = 7, 5
"""Of the nine places along a line."""
ACROSS_MM = np.arange(-2.4, 2.41, ACROSS_STEP_MM)
INNER_MM, FAR_MM, BESIDE_MM = 0.7, 1.9, 2.0
"""Across a line: how far off its middle is sought, where it ends, and what lies beside it."""
LEAST_RISE, RISE_SHARE = 12.0, 0.25
"""Grey levels, and the share of its own brightness, by which a line is brighter than both sides, at
least; twice the picture's noise more."""
WHITE_PERCENT = 60
"""Of what cards always draw white, to be on the bright side of what shows of it."""
DRAWN_WHITE, BY_NEARLY_ALL, FEW_PLACES = 0.7, 0.9, 200

_LEFT_OVER: Memo[Evidence, Segments] = Memo()


def left_over_lines(
    evidence: Evidence, named: Named, order: list[int], top: TopMap, templates: Templates
) -> Segments:
    """Lines like a card's that the cards read so far do not account for; `top` is which shows."""
    lines = unexplained_lines(evidence, named, order, templates)

    def left_over() -> Segments:
        like, _ = line_looks(evidence, lines, named, templates, strict=False)
        some = lines.take(like)
        return some.take(~beside_edges(evidence, some, named, top, templates))

    # The lines are remembered themselves: the same ones come of the same cards.
    return _LEFT_OVER.answer(evidence, (lines,), left_over)


def printed_lines(
    evidence: Evidence, named: Named, order: list[int], top: TopMap, templates: Templates
) -> Segments:
    """Those of the lines left over that run on black or on ink in play."""
    lines = left_over_lines(evidence, named, order, top, templates)
    _, printed = line_looks(evidence, lines, named, templates, strict=True)
    # In a lamp's haze black is bright; on a card nothing but cards draws lines all the same.
    return lines.take(printed | _inside(lines, named, top, templates))


def line_looks(
    evidence: Evidence, segments: Segments, named: Named, templates: Templates, strict: bool
) -> tuple[Bools, Bools]:
    """Which segments (S,) look like a card's line (thin, on ink or black on both sides, and as
    white as the lines of the nearest card; where two colours meet, blur makes a pale seam), and
    beside which of them it looks printed, where a `strict` look is asked for; elsewhere all do.
    """
    printed = np.ones(len(segments.start_mm), np.bool_)
    if len(segments.start_mm) == 0 or len(named) == 0:
        return ~printed, printed
    middle = (segments.start_mm + segments.end_mm) / 2
    normal, spots, across = segments.normal, segments.spots(ALONG), ACROSS_MM
    places = spots[:, :, None] + normal[:, None, None] * across[:, None]
    level = medians(sample(evidence.least, evidence.raster.to_raster(places)), 1)
    inner = np.abs(across) < INNER_MM
    peak = level[:, inner].max(axis=1)
    far = np.abs(across) > FAR_MM
    sides = np.maximum(
        level[:, far & (across < 0)].mean(axis=1), level[:, far & (across > 0)].mean(axis=1)
    )
    wide = (level > ((peak + sides) / 2)[:, None]).sum(axis=1) * ACROSS_STEP_MM
    nearest = cKDTree(named.poses[:, :2]).query(middle)[1]
    white = _white_of(evidence, nearest, named, templates)
    thin = peak - sides > np.maximum(LEAST_RISE + 2 * evidence.noise, RISE_SHARE * peak)
    peak_at = np.argmax(np.where(inner, level, -1), axis=1)
    on_line = spots + (normal * across[peak_at, None])[:, None]
    beside = [on_line + (normal * side)[:, None] for side in (-BESIDE_MM, BESIDE_MM)]
    like = thin & (wide < WIDEST_LINE_MM) & (peak > LEAST_WHITE * white)
    like &= _beyond_cards(middle, named, templates) < FAR_FROM_CARDS_MM
    tint = _tint(evidence, on_line, beside)
    tinted = like & (tint >= MOST_TINT) & (tint < TINTED)
    # Beside glare lines and seams are tinted alike.
    around = np.stack([on_line, *beside], axis=1)[tinted]
    tinted[tinted] = ~evidence.is_washed(around).any(axis=(1, 2))
    if tinted.any():
        tinted &= tint < USUAL_TINT * _usual_tint(evidence, named, templates)
    like &= tinted | (tint < MOST_TINT)
    if strict:
        for places_beside in beside:
            printed &= _printed(evidence, places_beside, peak, named)
    return np.asarray(like), printed


def _stands_out(
    evidence: Evidence, segments: Segments, named: Named, templates: Templates
) -> Bools:
    """Which segments (S,) are whiter than any mixture of what lies on either side.

    Where an ink meets a table of the opposite hue, blur mixes them to a grey seam, of which the
    darkest channel is brighter than on either side, as on a line.
    """
    if len(segments.start_mm) == 0 or len(named) == 0:
        return np.ones(len(segments.start_mm), np.bool_)
    spots, normal = segments.spots(ALONG), segments.normal[:, None, None]
    across = ACROSS_MM[np.abs(ACROSS_MM) < 1 + ACROSS_STEP_MM / 2, None]
    seen = medians(_balanced(evidence, spots[:, :, None] + normal * across), 1)
    peak = seen.min(axis=2).argmax(axis=1)
    line = np.take_along_axis(seen, peak[:, None, None], axis=1)[:, 0]
    at = spots + normal[:, 0] * across[peak][:, None]
    one, two = (
        medians(_balanced(evidence, at + normal[:, 0] * side), 1) for side in (-MIXED_MM, MIXED_MM)
    )
    apart = two - one
    along = ((line - one) * apart).sum(axis=1) / np.maximum(np.square(apart).sum(axis=1), 1e-9)
    mixed = one + np.clip(along, 0.0, 1.0)[:, None] * apart
    nearest = cKDTree(named.poses[:, :2]).query((segments.start_mm + segments.end_mm) / 2)[1]
    white = _white_of(evidence, nearest, named, templates)
    return np.asarray((line - mixed).min(axis=1) > LEAST_EXCESS * white)


def _white_of(
    evidence: Evidence, cards: ArrayLike, named: Named, templates: Templates
) -> FloatArray:
    """How bright the own white of these cards (S,) is (S,)."""
    some, which = np.unique(np.asarray(cards, np.int64), return_inverse=True)
    return white_levels(evidence, named.take(some), templates)[which]


def white_levels(evidence: Evidence, named: Named, templates: Templates) -> FloatArray:
    """How bright each card's own white is (N,), in grey levels of `least`."""
    at = evidence.raster.to_raster(place(named.poses, _always_white(templates)))
    return np.asarray(np.percentile(sample(evidence.least, at), WHITE_PERCENT, axis=1), np.float64)


def _usual_tint(evidence: Evidence, named: Named, templates: Templates) -> float:
    """How far from grey all but the most tinted of the cards' own lines are, as a share."""
    at = evidence.raster.to_raster(place(named.poses, _always_white(templates)[::4]))
    level = sample(evidence.least, at)
    white = level >= np.percentile(level, WHITE_PERCENT, axis=1)[:, None]
    colour = evidence.colour_at(at).astype(np.float64)
    seen = np.array([np.median(own[on], axis=0) for own, on in zip(colour, white, strict=True)])
    tint = (seen.max(axis=1) - seen.min(axis=1)) / np.maximum(seen.max(axis=1), 1.0)
    return float(np.percentile(tint, TINT_SHARE))


@lru_cache(maxsize=4)
def _always_white(templates: Templates) -> FloatArray:
    """A few of the places (K, 2) that nearly all faces draw white, mm."""
    by_faces = (templates.white > DRAWN_WHITE).sum(axis=0)
    spots = np.flatnonzero(by_faces > BY_NEARLY_ALL * len(templates.white))
    return np.asarray(templates.grid_mm[spots[:: max(1, len(spots) // FEW_PLACES)]])


def beside_edges(
    evidence: Evidence, segments: Segments, named: Named, top: TopMap, templates: Templates
) -> Bools:
    """Which segments (S,) are seams along the edge of a card read so far, or strips of table
    where two cards lie side by side.

    A line is printed inside its card's band. Where the table itself begins beyond a
    seam, and goes on as it begins, no card peeks out there. What is no whiter than a mixture of
    what lies on either side is a seam wherever it lies along an edge.
    """
    if len(segments.start_mm) == 0:
        return np.zeros(0, np.bool_)
    spots, normal = segments.spots(ALONG), segments.normal[:, None]
    low, high = SEAM_MM
    which, beyond = _beyond_edges(spots, high, named, templates)
    seam, mixed = np.zeros((2, len(spots)), np.bool_)
    for found, least in ((seam, low), (mixed, MIXED_FROM_MM)):
        found[which[((beyond > least) & (beyond < high)).sum(axis=1) >= NEARLY_ALL]] = True
    mixed &= ~_stands_out(evidence, segments, named, templates)
    plain = np.zeros(len(seam), np.bool_)
    for side in (-1, 1):
        near, far = (spots + normal * side * off for off in TABLE_MM)
        bare = (top.at(near) == 0) & (top.at(far) == 0)
        alike = _same_table(_balanced(evidence, near), _balanced(evidence, far)) & bare
        plain |= (bare.sum(axis=1) >= 4) & (alike.sum(axis=1) >= MOST_ALIKE * bare.sum(axis=1))
    strip = _own_band(evidence, spots, normal, named, top)
    return np.asarray(
        (seam & plain) | mixed | strip | _between(spots, normal, named, top, templates)
    )


def _same_table(near: FloatArray, far: FloatArray) -> Bools:
    """Where two colours (..., 3) are much the same, or one colour lighter and darker: wood."""
    off = np.linalg.norm(near - far, axis=-1)
    share = far.sum(axis=-1) / np.maximum(near.sum(axis=-1), 1.0)
    toned = np.linalg.norm(near * share[..., None] - far, axis=-1)
    grain = (np.abs(np.log(np.maximum(share, 1e-3))) < GRAIN_LOG) & (toned < GRAIN_TONE)
    return np.asarray((off < SAME_TABLE) | grain)


def _inside(segments: Segments, named: Named, top: TopMap, templates: Templates) -> Bools:
    """Which segments (S,) lie on one card, clear of its band."""
    spots = segments.spots(ALONG)
    shown = top.at(spots).astype(np.int64) - 1
    own = _beyond_edge(spots, np.maximum(shown, 0), named, templates)
    clear = (shown >= 0) & (shown == shown[:, len(ALONG) // 2, None]) & (own < -BAND_MM)
    return np.asarray(clear.sum(axis=1) >= NEARLY_ALL)


def _between(
    spots: FloatArray, normal: FloatArray, named: Named, top: TopMap, templates: Templates
) -> Bools:
    """Which segments, by their spots (S, K, 2) and normals (S, 1, 2), part two cards that lie
    side by side.
    """
    sides = [spots + normal * off for off in (-GAP_MM, GAP_MM)]
    left, right = (top.at(side).astype(np.int64) - 1 for side in sides)
    both = (left >= 0) & (right >= 0) & (left != right)
    for side, other in zip(sides, (right, left), strict=True):
        both &= _beyond_edge(side, np.maximum(other, 0), named, templates) > 0
    return np.asarray(both.sum(axis=1) >= MOST)


def _own_band(
    evidence: Evidence, spots: FloatArray, normal: FloatArray, named: Named, top: TopMap
) -> Bools:
    """Which segments, by their spots (S, K, 2) and normals (S, 1, 2), are all that shows of a known
    card's band beside a card that lies over it: narrow as a line, but of that card's ink.
    """
    own, left, right = (
        top.at(spots + normal * off).astype(np.int64) - 1 for off in (0.0, -GAP_MM, GAP_MM)
    )
    strip = (own >= 0) & (left != own) & (right != own) & ((left >= 0) | (right >= 0))
    colour = _balanced(evidence, spots)
    away = colour - colour.mean(axis=2, keepdims=True)
    strength, ink = np.linalg.norm(away, axis=2), named.ink[np.maximum(own, 0)]
    inked = (away * ink).sum(axis=2) > INK_LIKENESS * strength * np.linalg.norm(ink, axis=2)
    inked &= strength > MOST_TINT * colour.max(axis=2)
    return np.asarray((strip & inked).sum(axis=1) >= NEARLY_ALL)


def _beyond_edges(
    spots: FloatArray, most_mm: float, named: Named, templates: Templates
) -> tuple[Ints, FloatArray]:
    """How far (M, K) the spots (S, K, 2) of segments lie beyond the nearest edges of cards, inside
    them below 0, and which segments (M,) these are: each with every card of which one of its spots
    may lie within `most_mm`.
    """
    reach = float(np.hypot(*templates.half_mm)) + most_mm
    middle = spots[:, spots.shape[1] // 2]
    longest = np.linalg.norm(spots - middle[:, None], axis=2).max(axis=1, initial=0.0)
    gap = np.linalg.norm(middle[:, None] - named.poses[:, :2], axis=2)
    which, cards = np.nonzero(gap < reach + longest[:, None])
    return which, _beyond_edge(spots[which], cards[:, None], named, templates)


def _beyond_edge(spots: FloatArray, cards: Ints, named: Named, templates: Templates) -> FloatArray:
    """How far (...) spots (..., 2) lie beyond the nearest edges of the cards (...), where these are
    seen: a card that curls shows its edge elsewhere.
    """
    half = templates.half_mm
    x, y = _from_cards(spots, named.poses[cards])
    beyond = np.asarray(np.maximum(np.abs(x) - half[0], np.abs(y) - half[1]))
    if is_bent(named.poses):
        near = np.nonzero(np.abs(beyond) < MOST_BENT_MM)
        poses = named.poses[np.broadcast_to(cards, beyond.shape)[near]]
        bends = complex_bends(poses) * np.exp(-1j * poses[:, 2, None])
        own = own_places(x[near] + 1j * y[near], bends)
        beyond[near] = np.maximum(np.abs(own.real) - half[0], np.abs(own.imag) - half[1])
    return beyond


def _from_cards(spots: FloatArray, poses: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Where spots (..., 2) lie in the frames of cards at poses (..., 3 or 9): x and y (...), mm."""
    x, y = (spots[..., k] - poses[..., k] for k in (0, 1))
    cos, sin = np.cos(poses[..., 2]), np.sin(poses[..., 2])
    return cos * x + sin * y, cos * y - sin * x


def _balanced(evidence: Evidence, places_mm: FloatArray) -> FloatArray:
    """The picture's colour at places (..., 2) in table mm (..., 3), grey levels."""
    seen = evidence.colour_at(evidence.raster.to_raster(places_mm))
    return np.asarray(seen, np.float64)


def _printed(
    evidence: Evidence, places_mm: FloatArray, line: NDArray[np.float32], named: Named
) -> Bools:
    """Where (S,) what lies at places (S, K, 2) beside lines is black, or ink of a colour in play.

    `line` (S,) is how bright the lines are.
    """
    colour = evidence.colour_at(evidence.raster.to_raster(places_mm)).astype(np.float64)
    mean = medians(colour, 1)
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
    half = templates.half_mm
    x, y = _from_cards(spots[:, None], named.poses)
    gap = np.hypot(np.maximum(np.abs(x) - half[0], 0.0), np.maximum(np.abs(y) - half[1], 0.0))
    return np.asarray(gap.min(axis=1))


def _tint(evidence: Evidence, line_mm: FloatArray, beside_mm: list[FloatArray]) -> FloatArray:
    """How far from grey (S,) lines (S, K, 2) are, as a share of their brightest channel.

    A lamp's haze tints a line and what lies beside it alike: the smaller of the
    tints of the line itself and of what it has more than the darker of both sides.
    """

    def colour(places_mm: FloatArray) -> FloatArray:
        seen = evidence.colour_at(evidence.raster.to_raster(places_mm))
        return np.asarray(medians(seen, 1), np.float64)

    line = colour(line_mm)
    above = line - np.minimum(*(colour(places) for places in beside_mm))
    tints = [
        (c.max(axis=1) - c.min(axis=1)) / np.maximum(c.max(axis=1), 1.0) for c in (line, above)
    ]
    return np.asarray(np.minimum(*tints))
