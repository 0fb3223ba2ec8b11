"""How exactly the place of each card is known, for the verdict on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from geometry.deck import CardSize
from geometry.spread import PoseSpread, spread_of
from vision.arrays import Bools, FloatArray
from vision.drawing.pose_fit import frame_offsets, frame_samples
from vision.evidence import Evidence
from vision.reconstruct import Reconstruction
from vision.view import TableView


@dataclass(frozen=True, slots=True)
class SpreadConfig:
    """What the place of a card is uncertain by, sigma.

    All but the misprint are fitted on how far 178 pairs of cards that touch lay off against each
    other on six simulated tables (seeds 795000 and 795001), so that these errors are likeliest
    under the mixture of `geometry/spread.py`; of a misprint 0.030 mm were left there.
    """

    print_mm: float = 0.12
    print_deg: float = 0.08
    """How far the print lies off the cut card: printings are simulated that lie off by up to 0.5 mm
    and 0.3 degrees, which makes 0.14 and 0.10 of all of them. With as much as on photographed
    prints, 0.2 and 0.15, half of the tables whose cards all lie well would not be sure."""
    lines_mm: float = 0.046
    lines_deg: float = 0.034
    """Of a card of whose frame `usual_lines_mm` are seen: by the root of how much is seen ..."""
    usual_lines_mm: float = 150.0
    """... half of the 266 mm that a whole one has ..."""
    least_lines_mm: float = 4.0
    """... and no less than this: of others it is not known at all what they were placed by."""
    height_mm: float = 0.18
    """How high a card lies against those near by: it seems shifted by that ..."""
    curl_deg: float = 0.024
    """... and by its curl turned, where the lens looks at it so aslant that it is shifted by as
    much as it is high."""


SPACING_MM, REACH_MM, WELL_MM = 1.0, 1.25, 0.6
"""Samples of a frame; how far off its line is sought, and how far off it may lie to be its own."""


def pose_spreads(
    table: Reconstruction, evidence: Evidence, size: CardSize, rough: TableView, view: TableView,
    heights: FloatArray,
) -> list[PoseSpread]:  # fmt: skip
    """The spread of each card's place in the millimetres of a view, by index. The table is in those
    of the rough one, its cards lie at heights (N,).
    """
    seen_mm = _lines_seen(table, evidence, size).sum(axis=1) * SPACING_MM
    px = rough.to_px(table.named.poses[:, :2])
    slant = view.to_mm(px, heights + 1.0) - view.to_mm(px, heights)
    return [
        spread_seen(float(mm), shift, SpreadConfig())
        for mm, shift in zip(seen_mm, slant, strict=True)
    ]


def spread_seen(lines_mm: float, slant: FloatArray, config: SpreadConfig) -> PoseSpread:
    """The spread of a card of whose frame so much is seen, and that seems shifted by `slant` (2,)
    mm for each mm that it is high.
    """
    share = config.usual_lines_mm / max(lines_mm, config.least_lines_mm)
    out = np.zeros((3, 3))
    out[:2, :2] = np.eye(2) * (config.print_mm**2 + share * config.lines_mm**2)
    out[:2, :2] += config.height_mm**2 * np.outer(slant, slant)
    out[2, 2] = (
        config.print_deg**2
        + share * config.lines_deg**2
        + config.curl_deg**2 * float(slant @ slant)
    )
    return spread_of(out)


def _lines_seen(table: Reconstruction, evidence: Evidence, size: CardSize) -> Bools:
    """Which samples (N, K) of each frame lie on a white line, where the card shows."""
    lines = frame_samples(size, SPACING_MM)
    off, found = frame_offsets(evidence, table.named.poses, lines, REACH_MM)
    near = table.templates.nearest(lines.places_mm)
    shows = (table.visible[:, near] > 0.5) & (table.stack.patches.weight[:, near] > 0.5)
    return np.asarray(found & shows & (np.abs(off) < WELL_MM))
