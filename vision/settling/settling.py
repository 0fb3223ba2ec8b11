"""Colours named and faces dealt, once it is known which cards there are."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from vision.arrays import FloatArray, Ints, Map32
from vision.drawing.alignment import ShownDrawings, align_bent
from vision.drawing.bend import FLAT, is_bent, widened
from vision.drawing.printed_deck import PrintedDeck
from vision.drawing.templates import Templates
from vision.evidence import Evidence
from vision.finding.haze import heeding_haze, washed_out
from vision.finding.look_again import REFINED, seen_again
from vision.naming.badge_witness import heeding_badges
from vision.naming.colours import Naming
from vision.naming.faces import FaceScores, Patches, score_faces
from vision.naming.ink_groups import name_colours
from vision.naming.name_cards import Named, top_weight
from vision.naming.symbols import symbol_looks
from vision.naming.tints import measure_tints
from vision.naming.unique_faces import settle_faces
from vision.ordering.stacking import StackedCards, stack_up, turned_since
from vision.settling.card_counts import colours_left, counted_colours


@dataclass(frozen=True, eq=False)
class Settled(StackedCards):
    """The cards with their colours and each face dealt to one of a colour: their `scores`, and each
    card's hypothesis `best` (N,), as columns of the scores. `hazed` (K, 3): poses at which cards
    were found in a lamp's haze.
    """

    naming: Naming
    scores: FaceScores
    best: Ints
    hazed: FloatArray = field(default_factory=lambda: np.empty((0, 3)))


@dataclass(frozen=True, eq=False)
class FaceEvidence:
    """What cards tell of their faces: the `scores` by what they draw, and those with their badges,
    and lines in a haze, `heeded`.
    """

    scores: FaceScores
    heeded: FaceScores


def face_evidence(patches: Patches, visible: Map32, templates: Templates) -> FaceEvidence:
    """What cards tell of their faces, cut out as these patches, that show in these places (N, P);
    their colours have no part in it.
    """
    scores = score_faces(patches, templates, visible)
    heeded = heeding_haze(scores, patches, visible, templates)
    return FaceEvidence(scores, heeding_badges(heeded, patches, visible, templates))


def settle(
    evidence: Evidence, stacked: StackedCards, naming: Naming, printed: PrintedDeck,
    equally_many: bool,
) -> Settled:  # fmt: skip
    """The cards with each face dealt, and what hangs on it. `equally_many`: of each colour."""
    rows, templates = stacked.named.rows, printed.templates
    faces = face_evidence(stacked.stack.patches, stacked.visible, templates)
    named, best = settle_faces(stacked.named, faces.heeded, naming, printed.start_row)
    if not np.array_equal(best, 2 * rows):
        # Where cards lie, who lies on top and where a card shows its ink is told by what they draw,
        # and some draw something else now.
        named = aligned_as_dealt(evidence, named, stacked, templates)
        stack = stack_up(evidence, named, printed.deck, templates, stacked.stack.patches)
        stacked = StackedCards(named, stack, top_weight(named.poses, stack.top, templates))
        naming = coloured(stacked, printed, equally_many)
        faces = face_evidence(stack.patches, stacked.visible, templates)
        named, best = settle_faces(named, faces.heeded, naming, printed.start_row)
    return Settled(named, stacked.stack, stacked.visible, naming, faces.scores, best)


def aligned_as_dealt(
    evidence: Evidence, named: Named, before: StackedCards, templates: Templates
) -> Named:
    """The cards with those that draw something else than they did `before` aligned by that."""
    turned, shown = turned_since(named, before)
    other = np.flatnonzero(turned | (named.rows != before.named.rows))
    drawn = ShownDrawings(named.rows[other], shown[other], templates)
    poses = widened(named.poses)
    poses[other] = widened(align_bent(evidence, named.poses[other], drawn, REFINED))
    return replace(named, poses=poses if is_bent(poses) else poses[:, :FLAT])


def settled_again(
    evidence: Evidence, named: Named, known: Patches, printed: PrintedDeck, equally_many: bool
) -> Settled:
    """Cards looked at again where they show, coloured and with each face dealt; `known` are some
    cut out before.
    """
    stacked = seen_again(evidence, named, known, printed)
    naming = coloured(stacked, printed, equally_many)
    return settle(evidence, stacked, naming, printed, equally_many)


@dataclass(eq=False)
class Colouring:
    """Asks for the colours of cards as they lie; for the same ones that it was asked about last it
    knows them. `equally_many`: whether players lay as many cards as each other.
    """

    printed: PrintedDeck
    equally_many: bool
    _last: tuple[StackedCards, Naming] | None = None

    def of(self, stacked: StackedCards) -> Naming:
        """The cards' colours."""
        if self._last is None or self._last[0] is not stacked:
            self._last = stacked, coloured(stacked, self.printed, self.equally_many)
        return self._last[1]


def coloured(stacked: StackedCards, printed: PrintedDeck, equally_many: bool) -> Naming:
    """The cards' colours by their inks and symbols, and by numbers where those are equal."""
    rows, patches, visible = stacked.named.rows, stacked.stack.patches, stacked.visible
    tints = measure_tints(patches, rows, visible, printed.templates)
    looks = symbol_looks(patches, visible, printed)
    start = rows >= printed.start_row
    naming = name_colours(tints, looks, rows // 2, printed.deck, start)
    washed = washed_out(patches, visible)
    if equally_many:
        return counted_colours(naming, washed, ~start)
    return colours_left(naming, rows // 2, washed, ~start)
