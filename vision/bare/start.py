"""Whether a frame is the starting card's, and how that lies."""

from __future__ import annotations

import numpy as np

from geometry.deck import CardSize, Deck
from vision.arrays import FloatArray
from vision.drawing.coverage import cover
from vision.drawing.printed_deck import PrintedDeck
from vision.drawing.templates import Templates, draw_templates, on_grid_of
from vision.evidence import Evidence
from vision.finding.start_card import agreements

MOST_INK = 0.45
"""How coloured, from channel to channel as a share of white, what has no ink is at most."""
LEAST_RISE, LEAST_LEVELS = 0.2, 15.0
"""By which its white is brighter than its black, as a share of that, and in grey levels."""
FRAME_LINE_MM = 0.5
"""How far from its frame's outline a card is white."""
LIKELY_LINES = 0.35
"""Agreement with the deck's drawing from which its side is believed; printings differ there."""


def start_pose(
    evidence: Evidence, frame_mm: FloatArray, deck: Deck
) -> tuple[FloatArray, int] | None:
    """Pose (3,) and side of the starting card in an outline (4, 2) of a frame; None where that has
    ink, or is not white lines on black.
    """
    templates = draw_templates(deck)
    printed = PrintedDeck(deck, templates)
    up = frame_mm[:2].mean(axis=0) - frame_mm[2:].mean(axis=0)
    if np.linalg.norm(up) < np.linalg.norm(frame_mm[1] - frame_mm[0]):
        up = frame_mm[[1, 2]].mean(axis=0) - frame_mm[[3, 0]].mean(axis=0)
    angle = float(np.arctan2(up[0], -up[1]))
    poses = np.array([[*frame_mm.mean(axis=0), angle + half] for half in (0.0, np.pi)])
    if not _is_inkless(evidence, poses[:1], templates, deck.card):
        return None
    coverage = cover(evidence.raster, np.empty((0, 3)), deck.card)
    ways = np.repeat(poses, 2, axis=0)
    rows = printed.start_row + np.array([0, 1, 0, 1])
    agreed = agreements(evidence, ways, rows, coverage, printed)
    best = int(agreed.argmax())
    return (ways[best], best % 2) if agreed[best] >= LIKELY_LINES else (ways[0], 0)


def _is_inkless(evidence: Evidence, pose: FloatArray, templates: Templates, card: CardSize) -> bool:
    """Whether a card at a pose (1, 3) is lines on black, and all of it has their colour: that of
    white in the light there.
    """
    raster = evidence.raster
    pixels = on_grid_of(raster.image_bgr, raster, pose, templates)[0].astype(np.float64)
    half = np.array([card.frame_width_mm, card.frame_height_mm]) / 2
    away = (np.abs(templates.grid_mm) - half).max(axis=1)
    inside = away < -1.0
    black = np.percentile(pixels[inside], 25, axis=0)
    white = np.median(pixels[np.abs(away) < FRAME_LINE_MM], axis=0)
    rise = white - black
    if (rise < np.maximum(LEAST_RISE * white, 8.0 * evidence.noise)).any():
        return False
    if rise.max() < LEAST_LEVELS:
        return False
    tint = np.ptp((pixels - black) / rise, axis=1)
    return bool(np.percentile(tint[inside], 90) < MOST_INK and _band_tint(tint, away) < MOST_INK)


def _band_tint(tint: FloatArray, away_mm: FloatArray) -> float:
    """The median tint on the band round the frame."""
    band = (away_mm > FRAME_LINE_MM + 0.5) & (away_mm < FRAME_LINE_MM + 2.0)
    return float(np.median(tint[band])) if band.any() else 0.0
