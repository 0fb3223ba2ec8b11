"""How high cards lie, by their size: what lies nearer to the lens looks larger."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from geometry.deck import CardSize
from vision.arrays import Bools, FloatArray, Ints
from vision.drawing.bend import FLAT, NEARER, is_bent
from vision.drawing.pose_fit import frame_offsets, frame_samples
from vision.evidence import Evidence
from vision.heights.heights import Stacked
from vision.locating.edges import middle_ones
from vision.medians import SIGMA_OF_MEDIAN
from vision.reconstruct import Reconstruction

SPACING_MM = 3.0
REACH_MM = 1.5
FEWEST_ON_SIDE = 6
"""Samples of a side's line; fewer do not say where it lies."""
FEWEST_CARDS = 8
"""Of which both sides are seen: fewer do not say how exact the sizes are."""
EVERY_PLACE, UNCOVERED, MOST_MEASURED = 7, 0.97, 16
"""By so many of a card's places it is asked whether it is uncovered; so many tell the scale."""
ALIKE, MOST_SIZES = 0.003, 0.8
"""By this share most of the sizes seen differ from the middle one: by 0.0008 to 0.0017 on five
simulated tables; with a lens file of a focal length 0.75 or 1.35 times as long, of 0.2 more or less
distortion or a middle a tenth aside by 0.005 to 0.02."""
LEAST_SIGMA_MM = 0.4
TILT = 0.002
"""Sigma of how much higher cards look a millimetre farther along the table: a plane that is a
little aslant, or a lens that is, makes all cards in one part of the table look larger."""
LITTLE_PARALLAX, HIDDEN_CURL_MM = 0.2, 0.8
"""Where the lens looks straight down a curl does not show, and yet makes a card look larger."""
CLEARLY, LIKELIER = 9.0, 1.0
"""How much likelier one height must be than another (twice the logarithm), so that the other is
ruled out, three deviations, and so that it is taken."""


Lead = Callable[[Stacked, Stacked], float]
"""How much likelier the second way to lie is than the first, as twice the logarithm."""


@dataclass(frozen=True, eq=False)
class HeightWitness:
    """How high cards at places `at_mm` (N, 2) look (N,), mm, nan where that is not seen, and how
    exact that is for each (N,): all of them may look higher alike, and more so towards one side.
    """

    looks_mm: FloatArray
    sigma_mm: FloatArray
    at_mm: FloatArray

    def lead(self, heights: FloatArray, others: FloatArray) -> float:
        """How much likelier other heights (N,) are than these (N,), as twice the logarithm."""
        return self._misfit(heights) - self._misfit(others)

    def _misfit(self, heights: FloatArray) -> float:
        """The squared distance of heights (N,) from what is seen, by its covariance."""
        off = (self.looks_mm - heights)[self._seen]
        return float(off @ self._precision @ off)

    @cached_property
    def _seen(self) -> Bools:
        return np.asarray(np.isfinite(self.looks_mm))

    @cached_property
    def _precision(self) -> FloatArray:
        at = self.at_mm[self._seen] - self.at_mm[self._seen].mean(axis=0)
        alike = TILT**2 * (at @ at.T + np.square(at).sum(axis=1).mean())
        return np.asarray(np.linalg.inv(np.diag(self.sigma_mm[self._seen] ** 2) + alike))


@dataclass(frozen=True, eq=False)
class HeightFindings:
    """The likeliest heights (N,), and the other ways to lie that are not ruled out."""

    heights: FloatArray
    open: tuple[Stacked, ...]


def tell_heights(lain: Stacked, others: Sequence[Stacked], lead: Lead) -> HeightFindings:
    """Take the other heights that are likelier, and leave out those that are clearly less likely.

    Only heights are taken, the likeliest first, and the rest asked once more: another order is
    left open at most. What was given up for a small lead stays open.
    """
    ways, moved = list(others), [other.heights != lain.heights for other in others]
    told, taken = lain, np.zeros(len(lain.heights), np.bool_)

    def with_(k: int) -> Stacked:
        return Stacked(ways[k].order, np.where(moved[k], ways[k].heights, told.heights))

    while True:
        free = [k for k in range(len(ways)) if not (moved[k] & taken).any()]
        leads = {k: lead(told, with_(k)) for k in free if ways[k].order == lain.order}
        best = max(leads, key=lambda k: leads[k], default=None)
        if best is None or leads[best] < LIKELIER:
            break
        told, taken = with_(best), taken | moved[best]
        ways[best] = lain  # as it lay before is now another way
    left = [with_(k) for k in range(len(ways)) if moved[k].any()]
    open_ = [
        other
        for other in left
        if not (np.array_equal(other.heights, told.heights) and other.order == told.order)
        and lead(told, other) > -CLEARLY
    ]
    return HeightFindings(told.heights, tuple(open_))


def height_witness(
    table: Reconstruction, evidence: Evidence, card: CardSize, heights: FloatArray
) -> HeightWitness | None:
    """How high the cards look, against how large cards look as a rule at `heights` (N,).

    None where it is not known where the lens stands, or too few cards are seen on both sides.
    """
    if evidence.raster.lens_mm is None:
        return None
    lens_mm = float(evidence.raster.lens_mm[2])
    growth = _growth(table, evidence, card)
    half = np.array([card.frame_width_mm, card.frame_height_mm]) / 2
    # A line is seen as exactly on a long card as on a short one, and says more of its size.
    weight = np.where(np.isnan(growth), 0.0, half**2)
    total = weight.sum(axis=1)
    known = total > 0
    if known.sum() < FEWEST_CARDS:
        return None
    high = np.nansum((growth * lens_mm - _curl(table, evidence, half)) * weight, axis=1)
    looks = np.where(known, high / np.maximum(total, 1e-9), np.nan)
    away = looks - heights
    looks = looks - np.nanmedian(away)
    spread = np.abs(looks - heights) * np.sqrt(total)
    sigma = SIGMA_OF_MEDIAN * float(np.median(spread[known])) / np.sqrt(np.maximum(total, 1e-9))
    slant = np.linalg.norm(evidence.raster.parallax(table.named.poses[:, :2]), axis=1)
    unseen = np.where(slant < LITTLE_PARALLAX, HIDDEN_CURL_MM, 0.0)
    at_mm = table.named.poses[:, :2]
    return HeightWitness(looks, np.hypot(np.maximum(sigma, LEAST_SIGMA_MM), unseen), at_mm)


def sizes_seen(table: Reconstruction, evidence: Evidence, card: CardSize) -> FloatArray:
    """How large (K,) some of the cards that nothing covers look, over what they are."""
    sizes = 1 + _growth(table, evidence, card, _uncovered(table)).mean(axis=1)
    return np.asarray(sizes[np.isfinite(sizes)])


def sizes_alike(table: Reconstruction, evidence: Evidence, card: CardSize) -> bool:
    """Whether some of the cards that nothing covers, wherever they lie and however they are turned,
    look equally wide and equally long: what bends or stretches the table does so to its cards.
    """
    growth = _growth(table, evidence, card, _uncovered(table))
    seen = growth[np.isfinite(growth)]
    if len(seen) < FEWEST_CARDS:
        return False
    return bool(np.quantile(np.abs(seen - np.median(seen)), MOST_SIZES) < ALIKE)


def _uncovered(table: Reconstruction) -> Ints:
    return np.flatnonzero(table.visible[:, ::EVERY_PLACE].mean(axis=1) > UNCOVERED)[:MOST_MEASURED]


def _growth(
    table: Reconstruction, evidence: Evidence, card: CardSize, cards: Ints | slice = slice(None)
) -> FloatArray:
    """By what share (n, 2) these cards look wider and longer than they are; nan where not seen."""
    lines = frame_samples(card, SPACING_MM)
    poses = table.named.poses[cards]
    off, found = frame_offsets(evidence, poses, lines, REACH_MM)
    near = table.templates.nearest(lines.places_mm)
    found &= (table.visible[cards][:, near] > 0.5) & (
        table.stack.patches.weight[cards][:, near] > 0.5
    )
    sides = np.full((len(poses), 2, 2), np.nan)
    half = np.abs(lines.places_mm).max(axis=0)
    for axis in (0, 1):
        for k, side in enumerate((-1, 1)):
            own = lines.normals[:, axis] == side
            seen = np.where(found[:, own], off[:, own], np.nan)
            sides[:, axis, k] = middle_ones(seen, FEWEST_ON_SIDE)
    return np.asarray(sides.sum(axis=2) / (2 * half))


def _curl(table: Reconstruction, evidence: Evidence, half_mm: FloatArray) -> FloatArray:
    """How much higher (N, 2) than its middle a card's sides lie, and its ends, as it is bent."""
    poses = table.named.poses
    if not is_bent(poses):
        return np.zeros((len(poses), 2))
    unit = evidence.raster.parallax(poses[:, :2])[:, None] / half_mm[:, None] ** 2
    own = (poses[:, FLAT:NEARER].reshape(-1, 2, 2) * unit).sum(axis=2)
    heights = own / np.maximum(np.square(unit).sum(axis=2), 1e-12)
    # Along a side the ends' curl counts by the mean of its square, a third.
    return np.asarray(heights + heights[:, ::-1] / 3)
