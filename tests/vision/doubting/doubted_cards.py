"""Cards that are doubted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tests.vision.doubting.doubt_scenes import (
    scene_of,
)
from vision.doubting.doubt_context import DoubtContext


def unsure_of(seen: DoubtContext, others: Mapping[int, tuple[str, float]]) -> DoubtContext:
    """The scene where some cards may as well be of another colour, this surely of the own."""
    sure, runner = seen.table.naming.confidence.copy(), seen.table.naming.runner_up.copy()
    for card, (rival, confidence) in others.items():
        sure[card] = confidence
        runner[card] = seen.table.templates.colours.index(rival)
    naming = replace(seen.table.naming, confidence=sure, runner_up=runner)
    return scene_of(replace(seen.table, naming=naming), seen.evidence, seen.rules)
