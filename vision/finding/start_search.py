"""The search for the starting card among the cards that are known, and again as more are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple, TypeVar

import numpy as np

from vision.arrays import Bools, FloatArray, Ints
from vision.drawing.coverage import Coverage, cover
from vision.drawing.printed_deck import PrintedDeck
from vision.evidence import Evidence
from vision.finding.bandless import palest
from vision.finding.find_cards import without_card
from vision.finding.frames import BESIDE_KNOWN_MM, frame_shows, frames_seen
from vision.finding.look_again import seen_again
from vision.finding.neighbour_search import LEAST_SHARE
from vision.finding.start_card import (
    CLEAR_AGREEMENT,
    MANY_SUPPORTERS,
    SUPPORTED_AGREEMENT,
    FoundStart,
    StartHints,
    about_there,
    agreements,
    find_start,
    start_by_symbol,
    start_under,
    where_cards_have_it,
)
from vision.naming.faces import cut_out
from vision.naming.name_cards import Named, alone_weight, refine, top_weight
from vision.observing.marks import Marks
from vision.ordering.stacking import StackedCards, tops

Cards = TypeVar("Cards", bound=StackedCards)


class StartSigns(NamedTuple):
    """What may be a starting card's: small white marks, and poses (K, 3) of badges that no known
    card has.
    """

    marks: Marks
    unread: FloatArray


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
    coverage = cover(evidence.raster, poses, printed.deck.card, BESIDE_KNOWN_MM)
    bare, share = inkless_cards(evidence, poses, coverage, printed)
    if not share.any():
        return None, poses
    card = int(bare[0])
    row, _ = _start_at(evidence, poses, card, printed)
    apart = np.linalg.norm(poses[:, :2] - poses[card, :2], axis=1) > SAME_CARD_MM
    return FoundStart(poses[card], row, float(share[0]), True), poses[apart]


def inkless_cards(
    evidence: Evidence, poses: FloatArray, coverage: Coverage, printed: PrintedDeck
) -> tuple[Ints, FloatArray]:
    """Which of the cards (K,) at poses (N, 3 or 9) plainly have no ink on their band, those first
    whose frame is seen, the palest of them first, and the share of it (K,) that is; 0 where less is
    seen than of a card that lies there: where cards were found across one another a band lies on a
    pale table. `coverage` is theirs, by `BESIDE_KNOWN_MM` more than their bodies.
    """
    shows = coverage.counts_on(poses, printed.templates)
    bare, _ = palest(evidence, poses, shows <= 1, printed)
    if len(bare) == 0:
        return bare, np.zeros(0)
    _, _, share = frames_seen(evidence, poses[bare, :3], coverage, printed.deck, 1)
    share[share < LEAST_SHARE] = 0
    order = np.argsort(share == 0, kind="stable")
    return bare[order], share[order]


def with_found_start(
    evidence: Evidence, named: Named, hints: StartHints, printed: PrintedDeck
) -> Named:
    """The cards and the starting card, if one is found."""
    known = hints.known
    coverage = cover(evidence.raster, named.poses, printed.deck.card, BESIDE_KNOWN_MM)
    if known is None or not (known.framed or known.clear):
        inkless_one = _with_inkless_start(evidence, named, coverage, printed)
        if inkless_one is not None:
            return inkless_one
    found = find_start(evidence, named, coverage, hints, printed)
    return named if found is None else with_start(evidence, named, found, printed)


def with_start_under(
    evidence: Evidence, named: Named, alone: Bools, printed: PrintedDeck
) -> Named | None:
    """The players' cards and a starting card that shows between those of them that lie `alone`
    (N,): that touch no other player's. None where too few of these would lie on one, or it is known
    there.
    """
    if np.count_nonzero(alone) < MANY_SUPPORTERS:
        return None
    others = named.take(named.rows < printed.start_row)
    coverage = cover(evidence.raster, others.poses, printed.deck.card, BESIDE_KNOWN_MM)
    found = start_under(evidence, named.take(alone), coverage, printed)
    known = named.poses[named.rows >= printed.start_row, :3]
    if found is None or about_there(found.pose[None], known).any():
        return None
    return others.with_card(found.pose, found.row, START_FIT)


def with_start(evidence: Evidence, named: Named, found: FoundStart, printed: PrintedDeck) -> Named:
    """The cards and a starting card, where its lines have it."""
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
    bare, share = inkless_cards(evidence, named.poses, coverage, printed)
    if len(bare) == 0:
        return None
    # Some printings' starting cards have no frame: then its lines tell, though not as the deck's.
    some = bare[:1] if share.any() else bare
    sides = [_start_at(evidence, named.poses, int(card), printed) for card in some]
    best = int(np.argmax([agreed for _, agreed in sides]))
    row, agreed = sides[best]
    if not share.any() and agreed < SUPPORTED_AGREEMENT:
        return None
    card = int(some[best])
    others = np.flatnonzero(np.arange(len(named)) != card)
    if share.any():
        # Shifted along its frame onto another of its lines it shows some of that, too.
        known = FoundStart(named.poses[card, :3], row, float(share[0]), True)
        rest = named.take(others)
        free = cover(evidence.raster, rest.poses, printed.deck.card, BESIDE_KNOWN_MM)
        found = find_start(evidence, rest, free, StartHints(known), printed)
        if found is not None and found is not known:
            return with_start(evidence, rest, found, printed)
    return _turned_start(named, card, row)


def as_start(evidence: Evidence, named: Named, card: int, printed: PrintedDeck) -> Named:
    """The cards, one of them as the starting card, which comes last."""
    return _turned_start(named, card, _start_at(evidence, named.poses, card, printed)[0])


def _turned_start(named: Named, card: int, row: int) -> Named:
    """The cards, one of them as the starting card of a template row, which comes last."""
    rows, fit = named.rows.copy(), named.fit.copy()
    rows[card] = row
    fit[card] = min(float(fit[card]), START_FIT)
    others = np.flatnonzero(np.arange(len(named)) != card)
    return replace(named, rows=rows, fit=fit).take(np.append(others, card))


def start_sought_again(
    evidence: Evidence, signs: StartSigns, printed: PrintedDeck, known: StackedCards, before: int
) -> StackedCards:
    """The cards as they are known, with the starting card where it had not been found, or not
    clearly, when `before` others were known: those that were found since then no longer stand for
    table round it.
    """
    named = known.named
    start = named.rows >= printed.start_row
    others = named.take(~start)
    badges = without_card(signs.unread, named.poses)
    if start.any() and len(others) <= before and len(badges) == 0:
        return known
    coverage = cover(evidence.raster, others.poses, printed.deck.card, BESIDE_KNOWN_MM)
    agreed = partial(agreements, evidence, coverage=coverage, printed=printed)
    own = named.take(start)
    if start.any() and agreed(own.poses, own.rows).max() >= CLEAR_AGREEMENT:
        return known
    by_symbol = start_by_symbol(evidence, signs.marks, others.poses, printed)
    more = with_found_start(evidence, others, StartHints(by_symbol, badges), printed)
    # It is one that was missed, or one of the others whose band has no ink.
    found = more.take(more.rows >= printed.start_row)
    if len(found) == 0:
        return known
    if start.any():
        if about_there(found.poses[:, :3], own.poses[:, :3]).any():
            return known
        framed = frame_shows(len(more) - 1, more, evidence, printed.deck)
        framed &= not frame_shows(int(start.argmax()), named, evidence, printed.deck)
        if not framed and agreed(found.poses, found.rows).max() < CLEAR_AGREEMENT:
            return known
    return seen_again(evidence, more, known.stack.patches, printed)


def with_start_among_cards(
    evidence: Evidence, stacked: Cards, printed: PrintedDeck, better: Callable[[Named], bool]
) -> Cards:
    """The same with the starting card, where most of its frame is not seen, where the cards that
    lie on it have it, if that is `better`: what little shows of it may lie on another line. The
    very same where its frame shows, or too few cards lie on it.
    """
    named, stack = stacked.named, stacked.stack
    starts = np.flatnonzero(named.rows >= printed.start_row)
    if len(starts) != 1:
        return stacked
    start = int(starts[0])
    if frame_shows(start, named, evidence, printed.deck):
        return stacked
    there = where_cards_have_it(named, start, printed)
    if there is None:
        return stacked
    poses = named.poses.copy()
    poses[start, :3] = there
    named = replace(named, poses=poses)
    if not better(named):
        return stacked
    patches = cut_out(evidence, poses, printed.templates, stack.patches)
    top = tops(evidence, named, stack.order, printed.deck)
    visible = top_weight(poses, top, printed.templates)
    return replace(
        stacked, named=named, stack=replace(stack, patches=patches, top=top), visible=visible
    )


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
        evidence.raster, np.delete(poses, card, axis=0), printed.deck.card, BESIDE_KNOWN_MM
    )
    pair = np.repeat(poses[card][None], 2, axis=0)
    agreed = agreements(evidence, pair, rows, others, printed)
    return int(rows[agreed.argmax()]), float(agreed.max())
