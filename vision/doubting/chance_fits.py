"""Fits that would be chance: where two cards lie on one another exactly, one was laid on the other.

A measurement and no rule (decision 9). In another reading the two may have come to lie so without
being meant for each other; but a card lies as exactly as that, turned as exactly, in a few places
of a square millimetre each, and a hand that lays it anywhere else hits none of them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from geometry.layout import Layout
from geometry.rules import Rules
from geometry.verdict import Verdict, judge
from vision.arrays import Bools
from vision.doubting.doubt_context import DoubtContext
from vision.drawing.pose_fit import frame_offsets, frame_samples
from vision.settling.by_law import LINED_UP

EXACT_MM, EXACT_DEG = 1.25, 1.5
"""So exactly lie nine in ten of the cards that hands lay well, as they are measured."""
SPACING_MM, REACH_MM, WELL_MM = 1.0, 1.5, 0.8
"""Samples of a card's frame; how far off they are sought and may lie."""
LEAST_ALONG_MM = 4.0
"""Of a frame that is seen along the card, and as much across it: less does not say where it lies.
In 47 readings of path-traced tables with lamps' mirror images on them, none of about 100 cards that
had fewer than four places seen 2 mm apart lay more than half a millimetre off."""


@dataclass(frozen=True, eq=False)
class ChanceFits:
    """What fits as a scene was read, and which cards' places and faces the pixels tell."""

    scene: DoubtContext

    @cached_property
    def open(self) -> frozenset[int]:
        """Cards whose face the pixels leave open."""
        return frozenset(k for k, others in enumerate(self.scene.table.choices) if others)

    @cached_property
    def held(self) -> Bools:
        """Cards (N,) that lie where their own lines are seen, both along them and across: of others
        the place may have been taken from what they fit.
        """
        scene, table = self.scene, self.scene.table
        lines = frame_samples(scene.deck.card, SPACING_MM)
        off, found = frame_offsets(scene.evidence, table.named.poses, lines, REACH_MM)
        near = table.templates.nearest(lines.places_mm)
        found &= (table.visible[:, near] > 0.5) & (np.abs(off) < WELL_MM)
        counts = [(found[:, np.abs(lines.normals[:, k]) > 0.5]).sum(axis=1) for k in (0, 1)]
        return np.asarray((np.min(counts, axis=0) * SPACING_MM >= LEAST_ALONG_MM) & ~table.hazed)

    @cached_property
    def _fits_alone(self) -> Rules:
        """The rules, without those by which a card that fits may be illegal all the same."""
        rules = self.scene.rules
        return replace(rules, off=rules.off.union(LINED_UP))

    @cached_property
    def _lined_up(self) -> Mapping[int, Verdict]:
        """The verdicts on the layout as read by these."""
        return judge(self.scene.layout, self._fits_alone)

    def needed_by_order(self, other: Layout) -> bool:
        """Whether in another order two cards would fit each other by chance, as nobody can lay
        them.

        As read, one card lies just as it should on a second, and that one on a third. In the other
        order the first lay alone on the table, and the second, laid on the third, came to fit it as
        well. Of a face that the rules may have chosen that proves nothing, but where one of the
        three is open and lies exactly on the others' shapes, it does.
        """
        unproved = {i for i in self.open if not self.held[i]}
        verdicts = judge(other, self.scene.rules)
        return fits_by_chance(self.scene.verdicts, verdicts, unproved, self.open)

    def needed_by_face(self, other: Layout) -> bool:
        """Whether with other faces two cards would fit each other by chance.

        As read, one lies exactly on the other, a shape of the one on an equal shape of the other,
        and on no third card; with the other face there is no such shape, and yet the frames
        overlap in just the shape of the card whose face is known. That it may cover more besides,
        or a card of its colour, makes the fit no likelier: of 56,000 other faces under cards that
        were thrown on them none had a shape there.
        """
        changed, pairs = self._lost_with(other)
        # Of cards that are open as well it is asked only where it hangs on them.
        return any(self.open & pair <= changed for pair in pairs)

    def _lost_with(self, other: Layout) -> tuple[frozenset[int], tuple[frozenset[int], ...]]:
        """The cards that another layout has otherwise, and the fits of one of them with another
        card that it loses, where the pixels tell both cards' places.
        """
        new = {card.id: card for card in other.cards}
        changed = frozenset(card.id for card in self.scene.layout.cards if new[card.id] != card)
        lost = lost_fits(self._lined_up, judge(other, self._fits_alone))
        told = (pair for pair in lost if len(changed & pair) == 1 and self.held[[*pair]].all())
        return changed, tuple(told)


def fits_by_chance(
    verdicts: Mapping[int, Verdict],
    other: Mapping[int, Verdict],
    unproved: Collection[int],
    open_: Collection[int] = (),
) -> bool:
    """Whether a card that fits a second, which fits a third, would lie there by chance by the
    `other` verdicts: without `unproved` cards, and where one face is `open_` only if all fit
    exactly.
    """
    for first in verdicts.values():
        second = verdicts.get(first.covers) if first.covers is not None else None
        if second is None or not first.status == second.status == "legal":
            continue
        three = {first.card, second.card, second.covers}
        if not three.isdisjoint(unproved) or len(three.intersection(open_)) > 1:
            continue
        if not three.isdisjoint(open_) and not (exact(first) and exact(second)):
            continue
        alone, both = other[first.card], other[second.card]
        if alone.status == "free" and (both.status, both.rule) == ("illegal", "two_cards"):
            return True
    return False


def lost_fits(
    verdicts: Mapping[int, Verdict], other: Mapping[int, Verdict]
) -> tuple[frozenset[int], ...]:
    """Pairs of cards that fit exactly by the verdicts, and of which one then lies wrongly on the
    other by the `other` ones, as its shapes do not meet equal ones.
    """
    return tuple(
        frozenset((card, verdict.covers))
        for card, verdict in verdicts.items()
        if verdict.covers is not None
        and verdict.status == "legal"
        and exact(verdict)
        and other[card].status == "illegal"
        and other[card].rule in ("mismatched", "misaligned")
        and other[card].on == verdict.on
    )


def exact(verdict: Verdict) -> bool:
    """Whether a card lies as exactly on another as hands lay them."""
    if verdict.offset_mm is None or verdict.offset_deg is None:
        return False
    return verdict.offset_mm <= EXACT_MM and verdict.offset_deg <= EXACT_DEG
