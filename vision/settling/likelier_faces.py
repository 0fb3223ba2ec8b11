"""Faces that shapes and badges leave open, or give to the wrong card, weighed by the likelihood."""

from __future__ import annotations

from dataclasses import astuple, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from vision.drawing.printed_deck import PrintedDeck
from vision.drawing.templates import Templates
from vision.evidence import Evidence
from vision.likelihood.config import LikelihoodConfig
from vision.likelihood.drawing import Guesses
from vision.likelihood.odds import guess_odds, uncovered_odds
from vision.likelihood.picture import LaidCards, Picture
from vision.memo import Memo
from vision.naming.badge_witness import shown_leads
from vision.naming.colours import Naming
from vision.naming.faces import score_faces
from vision.naming.name_cards import Named, top_weight
from vision.naming.others_badges import leads_by_others
from vision.naming.unique_faces import (
    Witness,
    by_colour,
    near_faces,
    others_possible,
    strike_out,
)
from vision.ordering.stacking import Stack, stack_up
from vision.settling.settling import Settled, aligned_as_dealt

FloatArray = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


_PICTURE: Memo[Evidence, Picture] = Memo()


class WeighedFaces(NamedTuple):
    """Cards, and the log-odds (N, H) of hypotheses against each card's own, NaN where they were not
    asked for; and the picture in which they were, if any were.
    """

    settled: Settled
    odds: FloatArray
    picture: Picture | None = None


def with_likelier_faces(
    evidence: Evidence, settled: Settled, alike: NDArray[np.bool_], printed: PrintedDeck,
    config: LikelihoodConfig,
) -> WeighedFaces:  # fmt: skip
    """The cards with the faces that are plainly likelier, each still one card's of a colour.

    Asked is about all other faces that are near by what a card draws, and that no other card of the
    colour surely has, `alike` (H, H) aside.
    """
    templates, start_row = printed.templates, printed.start_row
    odds = np.full(settled.scores.misfit.shape, np.nan)
    named, best = settled.named, settled.best
    possible = others_possible(named, best, alike, start_row)
    near = possible & near_faces(settled.scores, best, badges_of(settled, templates), templates)
    strike_out(near, best, by_colour(named, settled.naming, start_row))
    if not near.any():
        return WeighedFaces(settled, odds)
    picture = picture_of(evidence, settled, printed, config)
    for i in picture.judged:
        some = np.flatnonzero(near[i])
        if len(some):
            odds[i, best[i]] = 0.0
            odds[i, some] = _odds(picture, i, int(best[i]), some)
    chosen = _redealt(settled, odds, start_row, config)
    if np.array_equal(chosen, best):
        return WeighedFaces(settled, odds, picture)
    anew = _dealt_anew(evidence, settled, chosen, printed)
    if not _borne_out(picture_of(evidence, anew, printed, config), best, chosen):
        return WeighedFaces(settled, odds, picture)
    return WeighedFaces(anew, _against(odds, best, chosen), picture)


def badges_of(settled: Settled, templates: Templates) -> Witness:
    """What the cards' own badges say of their hypotheses, by the badges of the other cards where
    these tell.
    """
    best, patches, visible = settled.best, settled.stack.patches, settled.visible

    def leads(cards: Ints) -> FloatArray:
        shown = shown_leads(patches, visible, cards, best[cards], templates)
        others = leads_by_others(settled.named.rows, patches, visible, cards, templates)
        others = others[:, np.arange(shown.shape[1]) // 4]
        return np.where(np.isnan(others), shown, others)

    return leads


def laid_cards(named: Named, naming: Naming, stack: Stack) -> LaidCards:
    """Cards as they were read, for the likelihood."""
    return LaidCards(named.poses, named.rows, naming.colour, tuple(stack.order))


def picture_of(
    evidence: Evidence, settled: Settled, printed: PrintedDeck, config: LikelihoodConfig
) -> Picture:
    """The picture with the cards as they are settled; the same one as long as they are."""
    cards = laid_cards(settled.named, settled.naming, settled.stack)
    templates = printed.templates
    return _PICTURE.answer(
        evidence,
        (cards.poses, cards.rows, cards.colour, cards.order, templates, astuple(config)),
        lambda: Picture(evidence, cards, printed.deck.card, templates, config),
    )


def _borne_out(picture: Picture, before: Ints, chosen: Ints) -> bool:
    """Whether the cards of every colour, as they lie now, are together likelier what was `chosen`
    (N,) than what they were `before` (N,): one that was believed to lie on top may not come to lie
    there. A side that nothing tells may come out either way.
    """
    against = np.zeros(len(chosen))
    for i in np.flatnonzero(chosen != before).tolist():
        guesses = _guesses(picture, i, np.array([chosen[i], before[i]]))
        if i in picture.judged:
            against[i] = guess_odds(picture, i, guesses)[1]
    of_colours = np.zeros(len(picture.templates.colours))
    np.add.at(of_colours, picture.cards.colour, against)
    return bool((of_colours <= 0).all())


def _odds(picture: Picture, i: int, best: int, others: Ints) -> FloatArray:
    """The log-odds (H,) of hypotheses of card i against its own, `best`: a face may be taken for
    another as its card is thought to be covered where the two differ.
    """
    guesses = _guesses(picture, i, np.append(best, others))
    odds = guess_odds(picture, i, guesses)
    open_ = np.flatnonzero(odds > -picture.config.sure_odds)
    if len(open_) > 1:
        odds[open_] = np.maximum(odds[open_], uncovered_odds(picture, i, guesses.take(open_)))
    return np.asarray(odds[1:] - odds[0])


def _guesses(picture: Picture, i: int, some: Ints) -> Guesses:
    """Hypotheses (H,) of card i, which lies as the first of them has it."""
    turned = ((some ^ some[0]) & 1).astype(np.bool_)
    return Guesses(some // 2, turned, int(picture.cards.colour[i]))


def _redealt(settled: Settled, odds: FloatArray, start_row: int, config: LikelihoodConfig) -> Ints:
    """Each card's hypothesis (N,): of every colour, the likeliest way to deal its faces, where it
    is plainly likelier than the present one; a colour that has a face twice stays as it is.
    """
    chosen = settled.best.copy()
    for members in by_colour(settled.named, settled.naming, start_row):
        if len(np.unique(settled.best[members] // 4)) < len(members):
            continue
        likely = np.where(np.isnan(odds[members]), -np.inf, odds[members])
        likely[np.arange(len(members)), settled.best[members]] = 0.0
        ways = likely.reshape(len(members), -1, 4)
        per_face = ways.max(axis=2)
        cost = np.where(np.isfinite(per_face), -per_face, config.impossible)
        rows, faces = linear_sum_assignment(cost)
        if -float(cost[rows, faces].sum()) < config.sure_odds:
            continue
        for row, face in zip(rows.tolist(), faces.tolist(), strict=True):
            chosen[members[row]] = 4 * face + int(ways[row, face].argmax())
    return chosen


def _dealt_anew(
    evidence: Evidence, settled: Settled, chosen: Ints, printed: PrintedDeck
) -> Settled:
    """The cards with the hypotheses chosen (N,), as columns of their scores, and all that hangs on
    what they draw.
    """
    scores, named, templates = settled.scores, settled.named, printed.templates
    other = np.flatnonzero(chosen != settled.best)
    poses, fit = named.poses.copy(), named.fit.copy()
    poses[other, 2] += np.pi * ((chosen ^ settled.best)[other] & 1)
    fit[other] = scores.misfit[other, chosen[other]] / np.maximum(scores.energy[other], 1e-6)
    named = replace(named, poses=poses, rows=chosen // 2, fit=fit)
    named = aligned_as_dealt(evidence, named, settled, templates)
    stack = stack_up(evidence, named, printed.deck, templates, settled.stack.patches)
    visible = top_weight(named.poses, stack.top, templates)
    seen = score_faces(stack.patches, templates, visible)
    return replace(
        settled, named=named, stack=stack, visible=visible, scores=seen, best=2 * named.rows
    )


def _against(odds: FloatArray, best: Ints, chosen: Ints) -> FloatArray:
    """The log-odds (N, H) against those chosen (N,), of cards that lie as these have them."""
    cards = np.arange(len(odds))
    known = np.where(np.isnan(odds[cards, chosen]), 0.0, odds[cards, chosen])
    odds = odds - known[:, None]
    turned = ((chosen ^ best) & 1).astype(np.bool_)
    flipped = odds.reshape(len(odds), -1, 2)[..., ::-1].reshape(odds.shape)
    return np.where(turned[:, None], flipped, odds)
