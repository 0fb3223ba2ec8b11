"""Pairs of cards weighed in one step."""

from __future__ import annotations

from collections.abc import Mapping

from vision.drawing.coverage import Coverage
from vision.drawing.overlap_places import Drawing, shared_places
from vision.drawing.templates import Templates
from vision.naming.faces import Patches
from vision.ordering.order import FINE, PairEvidence, compare_at


def compare_pairs(
    drawing: Drawing, patches: Patches, coverage: Coverage, templates: Templates,
    near: Coverage | None = None, thinning: Mapping[int, int] = FINE,
) -> PairEvidence:  # fmt: skip
    """Both orders of every pair, on the places where just these two bodies lie."""
    shared = shared_places(drawing, coverage, near, thinning, templates)
    return compare_at(shared, drawing, patches, templates)
