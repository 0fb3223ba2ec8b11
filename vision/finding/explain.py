"""Cards looked at again until nothing is missed of what shows, and all that stay are believed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from vision.arrays import FloatArray
from vision.cores import Meanwhile
from vision.drawing.bend import is_bent
from vision.drawing.coverage import cover
from vision.drawing.printed_deck import PrintedDeck
from vision.evidence import Evidence
from vision.finding.belief import (
    CURLED_LINES,
    LEAST_RIGHT,
    LINES_SHARE,
    believed_cards,
    share_right,
)
from vision.finding.beside import about_the_same, poses_beside
from vision.finding.haze import seen_in_haze
from vision.finding.hidden_search import with_hidden
from vision.finding.look_again import lies_at, seen_again
from vision.finding.neighbour_search import with_neighbours
from vision.finding.reseat import NOWHERE, reseated
from vision.finding.white_lines import unexplained_lines
from vision.naming.faces import Patches, cut_out, score_faces
from vision.naming.name_cards import Named, choose, refine, weighed
from vision.ordering.stacking import Stack, StackedCards

HARDLY_SEEN = "sought-hardly-seen"
MOST_MISSED = 16
"""Times in all that cards are sought that were not found by their badge."""
MOST_HIDDEN = 6
"""Of those by their lines alone; more would mean that something else is wrong."""
BELIEF_ROUNDS = 2
"""Without the cards that were not believed others lie elsewhere, and may not be believed either."""
Aside = Callable[[StackedCards], object]
"""What is asked of cards that seem to stay as they are, while another core looks on."""


def _nothing(_stacked: StackedCards) -> None:
    """There is nothing else to do."""


@dataclass(frozen=True, eq=False)
class Seeking:
    """How cards are looked for that badges do not tell of, and which are believed all the same.

    Where it is known that cards are missing they are sought thoroughly: also where they overhang,
    and believed with paler lines if their badge is plain. Cards that lie at `trusted` poses
    (K, 3 or 9) are believed. Where they were `placed` by lines in a haze they stay. `aside` is
    called meanwhile with cards that most likely stay, as what is returned.
    """

    thorough: bool = False
    trusted: FloatArray = field(default_factory=lambda: NOWHERE)
    placed: FloatArray = field(default_factory=lambda: NOWHERE)
    aside: Aside = _nothing

    @property
    def least_lines(self) -> float:
        """How white the lines of a card must be whose badge is plain."""
        return CURLED_LINES if self.thorough else LINES_SHARE


QUICKLY = Seeking()


def explained(
    evidence: Evidence, named: Named, known: Patches, printed: PrintedDeck,
    seeking: Seeking = QUICKLY,
) -> StackedCards:  # fmt: skip
    """The cards looked at again, those that only their lines tell, and of all those believed.

    Without cards, where none is believed, the rest is that of all. `known`: cards that were cut
    out before.
    """
    stacked = _looked_at(evidence, named, known, printed, seeking.placed)
    hidden, believed = 0, None
    patches, templates = stacked.stack.patches, printed.templates
    right = share_right(stacked.named, patches, stacked.visible, templates)
    # Another game's cards leave lines without end, which no card of this deck explains.
    seek = (right is None or right >= LEAST_RIGHT) and not evidence.pace.leaves_out(HARDLY_SEEN)
    for _ in range(MOST_MISSED if seek else 0):
        named, stack = stacked.named, stacked.stack
        # Hardly ever is a card missed: all that tells so is asked at once, on two cores.
        lines = Meanwhile(partial(unexplained_lines, evidence, named, stack.order, templates))
        # A frame where the rules want one says more than lines from which a card is guessed.
        more = with_neighbours(evidence, named, stack, printed, seeking.thorough)
        if more is None:
            believed = believed_cards(evidence, stacked, printed, seeking.least_lines)
            seeking.aside(stacked)
        lines.settle()
        if more is None and hidden < MOST_HIDDEN:
            more = _hidden(evidence, named, stack, printed, seeking.thorough)
            hidden += 1
        if more is None or evidence.pace.leaves_out(HARDLY_SEEN):
            break
        stacked, believed = seen_again(evidence, more, stack.patches, printed), None
    for _ in range(BELIEF_ROUNDS):
        named, patches = stacked.named, stacked.stack.patches
        if believed is None:
            believed = believed_cards(evidence, stacked, printed, seeking.least_lines)
        believed |= seen_in_haze(named, patches, stacked.visible, templates)
        believed |= lies_at(named.poses, seeking.trusted)
        if believed.all():
            break
        if not believed.any():
            return replace(stacked, named=named.take(believed))
        stacked = seen_again(evidence, named.take(believed), patches, printed)
        believed = None
    return stacked


def _looked_at(
    evidence: Evidence, named: Named, known: Patches, printed: PrintedDeck, placed: FloatArray
) -> StackedCards:
    """The cards where they lie, and how; those that were `placed` (K, 3) by the rules may lie
    otherwise.
    """
    stacked = seen_again(evidence, named, known, printed)
    if is_bent(stacked.named.poses):
        # A curled card may have been bent to a wrong face's lines: as it lies now its own may fit.
        stacked = seen_again(evidence, stacked.named, stacked.stack.patches, printed)
    moved = reseated(evidence, stacked, printed, placed)
    if moved is None:
        return stacked
    return seen_again(evidence, moved, stacked.stack.patches, printed)


def _hidden(
    evidence: Evidence, named: Named, stack: Stack, printed: PrintedDeck, thorough: bool
) -> Named | None:
    """One more card that only lines tell; where that fits none of the cards read, rather some that
    lie beside these, be it carelessly, if frames show there.
    """
    more = with_hidden(evidence, named, stack, printed)
    if more is None or thorough:
        return more
    if about_the_same(more.poses[-1, :3], poses_beside(named, printed.deck)).any():
        return more
    return with_neighbours(evidence, named, stack, printed, True) or more


def with_unread(evidence: Evidence, named: Named, poses: FloatArray, printed: PrintedDeck) -> Named:
    """Cards whose badge plainly shows and whose frame was not found: placed by the badge."""
    templates = printed.templates
    if len(poses) == 0:
        return named
    free = (
        cover(evidence.raster, named.poses, printed.deck.card, 0.3).counts_on(poses, templates) == 0
    )
    shown = (free | templates.badge).astype(np.float32)
    patches = weighed(cut_out(evidence, poses, templates), shown, templates)
    more = choose(poses, score_faces(patches, templates))
    return named.joined(refine(evidence, more, shown, templates, passes=6))
