"""Frames of cards that are seen where no known card lies."""

from __future__ import annotations

import numpy as np

from geometry.deck import Deck
from vision.arrays import Bools, FloatArray, Map32
from vision.drawing.coverage import Coverage, cover
from vision.drawing.pose_fit import TWICE, fit_poses, frame_samples, place_each
from vision.evidence import Evidence
from vision.finding.find_cards import poses_from_centres
from vision.finding.neighbour_search import (
    CLEAR_SHARE,
    FINE_STEP_MM,
    LEAST_SHARE,
    LEAST_TABLE_MM,
)
from vision.naming.name_cards import Named
from vision.raster import look_up

BESIDE_KNOWN_MM = 0.3
"""Known cards cover so much more than their bodies."""


def frame_shows(start: int, named: Named, evidence: Evidence, deck: Deck) -> bool:
    """Whether most is seen of the frame of the starting card, index `start`, where no other card
    lies, whatever is drawn inside it.
    """
    others = np.delete(named.poses, start, axis=0)
    coverage = cover(evidence.raster, others, deck.card, BESIDE_KNOWN_MM)
    _, seen_mm, share = frames_seen(evidence, named.poses[start, None, :3], coverage, deck)
    return bool(seen_mm[0] >= LEAST_TABLE_MM and share[0] >= CLEAR_SHARE)


def frames_seen(
    evidence: Evidence, poses: FloatArray, coverage: Coverage, deck: Deck, most: int = 0
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Poses (M, 3) fitted to the frames that are seen about them, over how many mm (M,) each is
    seen, and over which share (M,) of what at most so many known cards cover.
    """
    lines = frame_samples(deck.card, FINE_STEP_MM)
    _, _, lit = open_to_view(evidence, poses, coverage, lines.places_mm, most)
    fit = fit_poses(evidence, poses, lines, TWICE, lit.astype(np.float64))
    seen = (fit.seen & lit).sum(axis=1)
    return fit.poses, seen * FINE_STEP_MM, seen / np.maximum(lit.sum(axis=1), 1)


def plain_frames(evidence: Evidence, spots_mm: FloatArray, named: Named, deck: Deck) -> FloatArray:
    """Poses (K, 3), up to a half turn, of frames about some of the spots (N, 2), of which enough is
    seen where no known card lies.
    """
    poses = poses_from_centres(evidence, spots_mm, deck)
    coverage = cover(evidence.raster, named.poses, deck.card, BESIDE_KNOWN_MM)
    poses, seen_mm, share = frames_seen(evidence, poses, coverage, deck)
    return np.asarray(poses[(seen_mm >= LEAST_TABLE_MM) & (share >= LEAST_SHARE)])


def open_to_view(
    evidence: Evidence, poses: FloatArray, coverage: Coverage, places_mm: FloatArray, most: int = 0
) -> tuple[Map32, Bools, Bools]:
    """Raster pixels (M, K, 2) of places (K, 2) on cards at poses (M, 3), where at most so many
    known cards lie (M, K), and where it is not washed out either.
    """
    table = place_each(poses, places_mm[None].astype(np.float32))
    at = evidence.raster.to_raster(table)
    free = coverage.count_at(table) <= most
    return at, free, free & (look_up(evidence.washed, at) == 0)
