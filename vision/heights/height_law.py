"""How likely it is that hands laid the cards so: at a wrong height a card seems to lie astray."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from geometry.verdict import Verdict
from vision.arrays import FloatArray

ASTRAY, ASTRAY_MM2 = 0.03, 100.0
"""The share of cards that are laid askew, and the area over which those lie evenly."""
SLIPS_MM = (0.35, 0.7)
"""Hands, and measuring, put a card off by no less and no more (sigma, either way)."""
MEDIAN_OF_RAYLEIGH = 1.1774


def law_lead(verdicts: Mapping[int, Verdict], others: Mapping[int, Verdict]) -> float:
    """How much likelier the other verdicts on the same cards are, as twice the logarithm.

    A card that is laid well lies within half a millimetre of its place; one that is not lies
    anywhere. That it fits by chance, seen at a wrong height, is as unlikely as a dart's hit. Only
    cards that cover the same shapes of the same card either way are compared; where another
    rule were newly broken, nothing speaks for the others.
    """
    slip = _slip_mm(verdicts)
    lead, broken = 0.0, False
    for card, verdict in verdicts.items():
        other = others[card]
        if verdict == other:
            continue
        if _laid_on(verdict) is not None and _laid_on(verdict) == _laid_on(other):
            off = np.array([verdict.offset_mm, other.offset_mm], np.float64)
            before, after = np.log(_likelihood(off, slip))
            lead += 2 * float(after - before)
        broken |= other.rule is not None and other.rule not in (verdict.rule, "misaligned")
    return min(lead, 0.0) if broken else lead


def _laid_on(verdict: Verdict) -> tuple[int | None, int | None, int | None] | None:
    """The card and the two shapes it was laid by; None where its offset is not known."""
    if verdict.offset_mm is None or verdict.rule not in (None, "misaligned"):
        return None
    return verdict.covers, verdict.shape_on, verdict.shape_of


def _slip_mm(verdicts: Mapping[int, Verdict]) -> float:
    """By how much cards lie off on this table (sigma, along x and along y)."""
    off = [
        verdict.offset_mm
        for verdict in verdicts.values()
        if verdict.status == "legal" and verdict.offset_mm is not None
    ]
    usual = float(np.median(off)) / MEDIAN_OF_RAYLEIGH if off else SLIPS_MM[1]
    return float(np.clip(usual, *SLIPS_MM))


def _likelihood(off_mm: FloatArray, slip_mm: float) -> FloatArray:
    """How likely corners (K,) so far off are, per square millimetre."""
    well = np.exp(-np.square(off_mm / slip_mm) / 2) / (2 * np.pi * slip_mm**2)
    return np.asarray((1 - ASTRAY) * well + ASTRAY / ASTRAY_MM2)
