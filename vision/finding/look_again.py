"""Cards looked at again where they really show: who lies on top, which face and side, where."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.arrays import Bools, FloatArray, Map32
from vision.drawing.alignment import ShownDrawings, align
from vision.drawing.printed_deck import PrintedDeck
from vision.drawing.templates import TEMPLATE_DENSITY
from vision.evidence import Evidence
from vision.finding.haze import heeding_haze, washed_out
from vision.finding.start_card import side_by_cards
from vision.naming.faces import Patches, cut_out, score_faces
from vision.naming.name_cards import Named, choose, refine_and_bend, top_weight
from vision.ordering.stacking import StackedCards, roughly_stacked, stack_up, tops

STANDS_MM = 3.0
"""Within so much of where it was found, a card that is looked at again is still the same."""
REFINED = 4
"""Times that every pose is moved towards what is seen; those that then still move go on."""
PLAIN_SIDE_MM2 = 4.0
"""By so much more of the drawing one side fits than the other, where shapes show: 50 and more."""


def seen_again(
    evidence: Evidence, named: Named, known: Patches, printed: PrintedDeck
) -> StackedCards:
    """Order the cards, look at each where it really shows (face, side, pose), order again.

    `known`: cards that were cut out before.
    """
    deck, templates = printed.deck, printed.templates
    stack = roughly_stacked(evidence, named, printed, known)
    visible = top_weight(named.poses, stack.top, templates)
    scores = score_faces(stack.patches, templates, visible)
    again = choose(named.poses, heeding_haze(scores, stack.patches, visible, templates))
    start = named.rows >= printed.start_row
    sides = _start_sides(evidence, named, start, visible, printed)
    rows = np.where(start, sides.rows, again.rows)
    poses = np.where(start[:, None], sides.poses, again.poses)
    ink = np.where(start[:, None], 0.0, again.ink)
    turned = np.flatnonzero((poses != named.poses).any(axis=1))
    named = replace(again, poses=poses, rows=rows, ink=ink)
    if len(turned):
        top = tops(evidence, named, stack.order, deck)
        visible[turned] = top.on(poses[turned], templates) == turned[:, None] + 1
    # Where hardly anything else shows, lines in a haze must do.
    dim = (stack.patches.least_weight <= 0.5) & ~washed_out(stack.patches, visible)
    shown = visible.copy()
    shown[dim] *= stack.patches.weight[dim] > 0.5
    named = refine_and_bend(evidence, named, shown, templates, passes=REFINED)
    stack = stack_up(evidence, named, deck, templates, stack.patches)
    return StackedCards(named, stack, top_weight(named.poses, stack.top, templates))


def _start_sides(
    evidence: Evidence, named: Named, start: Bools, visible: Map32, printed: PrintedDeck
) -> Named:
    """Look at starting cards again where they show: front or back, whichever fits better; where
    neither plainly does, the one on which more of the other cards lie exactly.
    """
    rows, poses = named.rows.copy(), named.poses.copy()
    for i in np.flatnonzero(start):
        front = int(rows[i]) // 2 * 2
        pair = np.repeat(poses[i][None], 2, axis=0)
        sides = np.array([front, front + 1], np.int64)
        shown = np.repeat(visible[i][None], 2, axis=0)
        fitted, _ = align(evidence, pair, ShownDrawings(sides, shown, printed.templates), 4)
        seen = cut_out(evidence, fitted, printed.templates)
        off = (
            (seen.white / np.float32(255) - printed.templates.white[sides]) ** 2
            * shown
            * seen.weight
        )
        off_mm2 = off.sum(axis=1) / TEMPLATE_DENSITY**2
        best = int(off_mm2.argmin())
        if abs(off_mm2[1] - off_mm2[0]) < PLAIN_SIDE_MM2:
            best = side_by_cards(named, int(i), printed)
        rows[i], poses[i] = sides[best], fitted[best]
    return replace(named, rows=rows, poses=poses)


def lies_at(poses: FloatArray, found: FloatArray) -> Bools:
    """Which of the poses (N, 3 or 9) lie where a card was found, at any of (K, 3 or 9)."""
    gap = np.linalg.norm(poses[:, None, :2] - found[None, :, :2], axis=2)
    return np.asarray((gap < STANDS_MM).any(axis=1))
