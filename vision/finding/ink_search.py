"""The search for cards of which ink shows on a card that was read, and hardly a line.

A card that lies exactly on another one has its frame on the lines of the shape below: no line is
left over. Its band, and the shape that shows, are of another colour than what is drawn there.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from vision.drawing.coverage import TopMap
from vision.drawing.pose_fit import fit_poses, frame_samples, place, turns
from vision.drawing.templates import Templates
from vision.evidence import Evidence
from vision.finding.beside import about_the_same, poses_beside
from vision.finding.foreign_ink import Foreign, Inked, foreign_inks
from vision.finding.hidden_cards import FEWEST_SAMPLES, corner_poses, not_burnt
from vision.finding.hidden_search import (
    LEAST_LINE_MM,
    LEAST_SHARE,
    WORST_HIDDEN_FIT,
    WORST_SHOWN_FIT,
    apart,
    blank_dots,
    first_of_each,
    known,
)
from vision.finding.line_corners import corners_on
from vision.finding.line_looks import left_over_lines
from vision.naming.colours import Naming
from vision.naming.faces import cut_out, score_faces
from vision.naming.name_cards import Named, choose, refine, weighed
from vision.ordering.stacking import Stack, meeting, stack_up

FloatArray = NDArray[np.float64]
Ints = NDArray[np.int64]
Map32 = NDArray[np.float32]
_Found = tuple[int, float, Named]
"""How many cards it fits, the length of its frame that is seen, less what is not, and the card."""
ON_CARD = 0.9
"""Of a patch of ink: so much of it lies on the card whose ink it is."""
EXPLAINED = 0.8
"""So much of it is where that card, though it curls, shows and draws its ink."""
DRAWN = 0.5
"""Of a place: so much of it is ink where ink is drawn."""
SAME_MM, CLEARLY = 4.0, 1.5
"""Of two cards elsewhere that fit as many others, one must show so much more of its frame."""
STEP_MM = 1.5
FEWEST_FITTED = 2
"""Cards that it must fit exactly: a corner of ink lies on several cards that would fit one, on no
two that would fit two."""
PLAIN_MM, PLAIN_FIT = 100.0, 0.3
"""Or so much of its frame must show, and its face fit better than print, which does by 0.35."""
MOST_SPOTS = 100
"""Of a patch of ink, all over it."""
MOST_TRIALS = 4
LEAST_GAIN_MM2 = 25.0
"""By so much less the cards' drawings must miss what is seen: by the least ink that is asked."""
BLANK_DOT_MM2 = 14.0
"""A dot that should show and does not speaks against a card by its own area."""


def with_inked(
    evidence: Evidence, named: Named, stack: Stack, deck: Deck, templates: Templates,
    naming: Naming, visible: Map32,
) -> Named | None:  # fmt: skip
    """One more card, of which ink shows on one that was read; None where none explains it.

    It fits two of those read exactly, or plainly shows its frame, and leaves clearly less of the
    picture unexplained.
    """
    start = named.rows >= 2 * len(deck.faces)
    names = [templates.colours[k] for k in naming.colour.tolist()]
    colours = ["" if none else name for name, none in zip(names, start, strict=True)]
    inked = Inked(named, stack, visible, colours, evidence.noise, templates)
    inks = foreign_inks(inked)
    if not inks:
        return None
    beside = [poses_beside(named.take(np.array([k])), deck) for k in range(len(named))]
    by_law = [
        one
        for card, _, spots in inks
        for one in _found(evidence, inked, np.concatenate(beside), beside, card, spots, deck)
    ]
    found = by_law or _astray(evidence, inked, beside, inks, deck)
    found.sort(key=lambda one: one[:2], reverse=True)
    if not found or any(_rivals(found[0], other) for other in found[1:]):
        return None
    return named.joined(found[0][2])


def _astray(
    evidence: Evidence, inked: Inked, beside: list[FloatArray], inks: Sequence[Foreign], deck: Deck
) -> list[_Found]:
    """Cards that lie anywhere, by their square corners on lines that no card accounts for."""
    named, stack = inked.named, inked.stack
    left = left_over_lines(evidence, named, stack.order, stack.top, inked.templates)
    poses = corner_poses(corners_on(evidence, left), deck)
    return [
        one
        for card, _, spots in inks
        for one in _found(evidence, inked, poses, beside, card, spots, deck)
    ]


def _found(
    evidence: Evidence, inked: Inked, poses: FloatArray, beside: list[FloatArray], card: int,
    spots: FloatArray, deck: Deck,
) -> list[_Found]:  # fmt: skip
    """The cards, likely by their frame at any of the poses (M, 3), that explain a patch of ink, at
    places (K, 2), on one of the cards; `beside`: where each known card would have others.
    """
    spots = spots[:: max(1, len(spots) // MOST_SPOTS)]
    out: list[_Found] = []
    for worth, one in _candidates(evidence, inked, poses, card, spots, deck):
        fitted = sum(bool(about_the_same(one.poses[0, :3], own).any()) for own in beside)
        plain = worth >= PLAIN_MM and bool(one.fit[0] <= PLAIN_FIT)
        if not plain and fitted < FEWEST_FITTED:
            continue
        explaining = _explaining(evidence, inked, one, spots, deck)
        if explaining is not None:
            out.append((fitted, worth, explaining))
    return out


def _rivals(best: _Found, other: _Found) -> bool:
    """Whether a further card that was found may as well lie elsewhere."""
    apart_mm = float(np.hypot(*(best[2].poses[0, :2] - other[2].poses[0, :2])))
    return apart_mm > SAME_MM and other[0] == best[0] and CLEARLY * other[1] > best[1]


def _candidates(
    evidence: Evidence, inked: Inked, poses: FloatArray, card: int, spots: FloatArray, deck: Deck
) -> list[tuple[float, Named]]:
    """The few likeliest cards, at any of the poses (M, 3), that have the places (K, 2) of a patch
    of ink on them that shows on one of the cards; each with the length of frame in mm that is
    seen, less what is not.
    """
    named, stack, templates = inked.named, inked.stack, inked.templates
    poses = poses[_on_card(poses, spots, deck) >= ON_CARD]
    poses = poses[~known(poses, named)]
    if len(poses) == 0:
        return []
    fitted, length, share = _fitted(evidence, poses, stack.top, card, deck)
    kept = about_the_same(fitted, poses) & ~known(fitted, named)
    kept &= (length >= LEAST_LINE_MM) & (share >= LEAST_SHARE)
    order = np.flatnonzero(kept)
    order = order[np.argsort(-(length * share)[order], kind="stable")]
    order = order[first_of_each(fitted[order])]
    if len(order) == 0:
        return []
    poses = fitted[order]
    patches = cut_out(evidence, poses, templates)
    below = stack.top.on(poses, templates)
    free = ((below == 0) | (below == card + 1)).astype(np.float32)
    speaking = weighed(patches, free * (patches.weight > 0.5), templates)
    found = choose(poses, score_faces(speaking, templates))
    likely = (length * share**2)[order]
    chosen = apart(found.poses, np.where(found.fit < WORST_HIDDEN_FIT, likely, 0.0))[:MOST_TRIALS]
    if len(chosen) == 0:
        return []
    fine = refine(evidence, found.take(chosen), speaking.weight[chosen], templates, passes=5)
    return [(float(likely[i]), fine.take(np.array([k]))) for k, i in enumerate(chosen)]


def _fitted(
    evidence: Evidence, poses: FloatArray, top: TopMap, card: int, deck: Deck
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The poses (N, 3) fitted to lines on the table and on one of the cards, on which they lie; of
    what their frames show there the length (N,) in mm that is seen, and its share (N,).
    """
    lines = frame_samples(deck.card, STEP_MM)

    def free(poses: FloatArray) -> NDArray[np.bool_]:
        below = top.at(place(poses, lines.places_mm))
        return np.asarray((below == 0) | (below == card + 1))

    for within_mm, passes in ((2.0, 1), (1.25, 2)):
        fit = fit_poses(evidence, poses, lines, within_mm, free(poses).astype(np.float64), passes)
        poses = fit.poses
    shown = free(poses)
    due = (shown * not_burnt(evidence, poses, lines)).sum(axis=1)
    seen = (fit.seen & shown).sum(axis=1).astype(np.float64)
    return poses, seen * STEP_MM, np.asarray(seen / np.maximum(due, FEWEST_SAMPLES))


def _on_card(poses: FloatArray, spots: FloatArray, deck: Deck) -> FloatArray:
    """Which share (N,) of some spots (K, 2) lies on cards at poses (N, 3)."""
    half = np.array([deck.card.width_mm, deck.card.height_mm]) / 2
    own = np.einsum("nkj,nji->nki", spots[None] - poses[:, None, :2], turns(poses[:, 2]))
    return np.asarray((np.abs(own) < half).all(axis=2).mean(axis=1), np.float64)


def _explaining(
    evidence: Evidence, inked: Inked, one: Named, spots: FloatArray, deck: Deck
) -> Named | None:
    """The further card with the face that it shows in the order told with it; None where it does
    not fit, draws no ink at the ink's places (K, 2), or leaves no less of the cards unexplained.
    """
    named, stack, templates = inked.named, inked.stack, inked.templates
    last = len(named)
    new = stack_up(evidence, named.joined(one), deck, templates, stack.patches)
    shown = (new.top.on(one.poses, templates) == last + 1).astype(np.float32)
    scores = score_faces(new.patches.take(np.array([last])), templates, shown)
    one = choose(one.poses, scores)
    if one.fit[0] > WORST_SHOWN_FIT:
        return None
    on = np.asarray(new.top.at(spots) == last + 1, np.float64)
    if (on * _drawn_inked(one, spots, templates)).mean() < EXPLAINED:
        return None
    trial = named.joined(one)
    met = np.flatnonzero(meeting(named.poses, one.poses, deck))
    before, after = (_misfits_mm2(trial, some, met, templates).sum() for some in (stack, new))
    own = float(scores.misfit.min() * scores.area_mm2[0])
    blank, _ = blank_dots(evidence, trial, last, new, deck, templates)
    gain = before - after - own - BLANK_DOT_MM2 * blank
    return one if gain >= LEAST_GAIN_MM2 else None


def _drawn_inked(one: Named, spots: FloatArray, templates: Templates) -> NDArray[np.bool_]:
    """At which places (K, 2) on the table, on it or beside it, a card (the only one) draws ink."""
    own = (spots - one.poses[0, :2]) @ turns(one.poses[:1, 2])[0]
    half = templates.half_mm
    ink = cv2.dilate(templates.ink[int(one.rows[0])].reshape(templates.shape_hw), np.ones((3, 3)))
    drawn = ink.reshape(-1)[templates.nearest(np.clip(own, -half, half))] > DRAWN
    return np.asarray(drawn & (np.abs(own) <= half).all(axis=1))


def _misfits_mm2(named: Named, stack: Stack, cards: Ints, templates: Templates) -> FloatArray:
    """By how much (K,) some cards' drawings miss what shows of them, in mm²."""
    visible = stack.top.on(named.poses[cards], templates) == cards[:, None] + 1
    patches = stack.patches.take(cards)
    scores = score_faces(patches, templates, visible.astype(np.float32))
    own = np.take_along_axis(scores.misfit, 2 * named.rows[cards, None], axis=1)[:, 0]
    return np.asarray(own * scores.area_mm2, np.float64)
