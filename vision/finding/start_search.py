"""The search for the starting card among the cards that are known, and again as more are."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from vision.arrays import FloatArray
from vision.drawing.coverage import Coverage, cover
from vision.drawing.printed_deck import PrintedDeck
from vision.evidence import Evidence
from vision.finding.bandless import palest
from vision.finding.look_again import seen_again
from vision.finding.neighbour_search import LEAST_SHARE, LEAST_TABLE_MM
from vision.finding.start_card import (
    BESIDE_START_MM,
    CLEAR_AGREEMENT,
    FoundStart,
    about_there,
    agreements,
    find_start,
    frames_seen,
    start_by_symbol,
)
from vision.naming.name_cards import Named, alone_weight, refine
from vision.observing.marks import Marks
from vision.ordering.stacking import StackedCards

SAME_CARD_MM = 6.0
"""No other card's middle lies so near the starting card's."""
START_FIT = 0.4
"""Misfit of a starting card at most: its lines need not be those of the deck."""


def framed_start(
    evidence: Evidence, poses: FloatArray, printed: PrintedDeck
) -> tuple[FoundStart | None, FloatArray]:
    """The starting card among the poses (N, 3) at which frames are seen, and the other poses: its
    band alone has no ink. What agrees is the share of its frame that is seen.
    """
    if len(poses) == 0:
        return None, poses
    coverage = cover(evidence.raster, poses, printed.deck.card, BESIDE_START_MM)
    shows = coverage.counts_on(poses, printed.templates)
    bare, _ = palest(evidence, poses, shows <= 1, printed)
    _, seen_mm, share = frames_seen(evidence, poses[bare], coverage, printed.deck, 1)
    framed = np.flatnonzero(share >= LEAST_SHARE)
    if len(framed) == 0 or seen_mm[framed[0]] < LEAST_TABLE_MM:
        return None, poses
    card = int(bare[framed[0]])
    row, _ = _start_at(evidence, poses, card, printed)
    apart = np.linalg.norm(poses[:, :2] - poses[card, :2], axis=1) > SAME_CARD_MM
    return FoundStart(poses[card], row, float(share[framed[0]]), True), poses[apart]


def _with_start(evidence: Evidence, named: Named, marks: Marks, printed: PrintedDeck) -> Named:
    """The cards and the starting card, if one is found."""
    by_symbol = start_by_symbol(evidence, marks, named.poses, printed)
    return with_found_start(evidence, named, by_symbol, printed)


def with_found_start(
    evidence: Evidence, named: Named, known: FoundStart | None, printed: PrintedDeck
) -> Named:
    """The cards and the starting card, if one is found; `known`: what its frame or symbol tells."""
    coverage = cover(evidence.raster, named.poses, printed.deck.card, BESIDE_START_MM)
    if known is None or not (known.framed or known.clear):
        inkless_one = _with_inkless_start(evidence, named, coverage, printed)
        if inkless_one is not None:
            return inkless_one
    found = find_start(evidence, named, coverage, known, printed)
    if found is None:
        return named
    more = named.with_card(found.pose, found.row, 1 - found.agreement)
    coverage = cover(evidence.raster, more.poses, printed.deck.card, 0.4)
    last = more.take(np.array([len(named)]))
    weights = alone_weight(last.poses, coverage, printed.templates)
    return named.joined(refine(evidence, last, weights, printed.templates, passes=6))


def _with_inkless_start(
    evidence: Evidence, named: Named, coverage: Coverage, printed: PrintedDeck
) -> Named | None:
    """The cards, where one of them plainly has no ink on its band: that is the starting card,
    whatever its lines look like. None where none is, or one is already known for it.
    """
    start_row = printed.start_row
    if (named.rows >= start_row).any():
        return None
    shows = coverage.counts_on(named.poses, printed.templates) <= 1
    bare, tint = palest(evidence, named.poses, shows, printed)
    if len(bare) == 0:
        return None
    alike = bare[tint == tint[0]]
    card = int(alike[np.argmin(named.fit[alike])])
    rows, fit = named.rows.copy(), named.fit.copy()
    rows[card], _ = _start_at(evidence, named.poses, card, printed)
    fit[card] = min(float(fit[card]), START_FIT)
    others = np.flatnonzero(np.arange(len(named)) != card)
    return replace(named, rows=rows, fit=fit).take(np.append(others, card))


def start_sought_again(
    evidence: Evidence, marks: Marks, printed: PrintedDeck, known: StackedCards, before: int
) -> StackedCards:
    """The cards as they are known, with the starting card where it had not been found, or not
    clearly, when `before` others were known: those that were found since then no longer stand for
    table round it.
    """
    named = known.named
    start = named.rows >= printed.start_row
    others = named.take(~start)
    if start.any() and len(others) <= before:
        return known
    coverage = cover(evidence.raster, others.poses, printed.deck.card, BESIDE_START_MM)
    agreed = partial(agreements, evidence, coverage=coverage, printed=printed)
    own = named.take(start)
    if start.any() and agreed(own.poses, own.rows).max() >= CLEAR_AGREEMENT:
        return known
    more = _with_start(evidence, others, marks, printed)
    # It is one that was missed, or one of the others whose band has no ink.
    found = more.take(more.rows >= printed.start_row)
    if len(found) == 0:
        return known
    if start.any() and (
        about_there(found.poses[:, :3], own.poses[:, :3]).any()
        or agreed(found.poses, found.rows).max() < CLEAR_AGREEMENT
    ):
        return known
    return seen_again(evidence, more, known.stack.patches, printed)


def played(named: Named, printed: PrintedDeck) -> int:
    """How many of the cards are none that start the game."""
    return int((named.rows < printed.start_row).sum())


def _start_at(
    evidence: Evidence, poses: FloatArray, card: int, printed: PrintedDeck
) -> tuple[int, float]:
    """The template row of a starting card where one of the cards at poses (N, 3 or 9) lies, the
    side of it that agrees better with what the others leave in sight, and how well that does.
    """
    rows = printed.start_row + np.arange(2)
    others = cover(
        evidence.raster, np.delete(poses, card, axis=0), printed.deck.card, BESIDE_START_MM
    )
    pair = np.repeat(poses[card][None], 2, axis=0)
    agreed = agreements(evidence, pair, rows, others, printed)
    return int(rows[agreed.argmax()]), float(agreed.max())
