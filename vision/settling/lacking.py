"""What the colours' numbers of cards say is missing: players lay equally many (S3, E1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, NamedTuple

import numpy as np

from geometry.deck import Deck
from vision.arrays import FloatArray
from vision.drawing.printed_deck import PrintedDeck
from vision.evidence import Evidence
from vision.finding.explain import Seeking, explained, with_unread
from vision.finding.find_cards import without_card
from vision.finding.hidden_search import with_hidden
from vision.finding.neighbour_search import with_neighbours
from vision.finding.washed_search import with_glowing, with_washed
from vision.naming.colours import Naming
from vision.naming.name_cards import Named
from vision.ordering.stacking import Stack
from vision.settling.card_counts import missing_cards
from vision.settling.settling import Settled, coloured, settle

Finder = Callable[[Evidence, Named, Stack, PrintedDeck], Named | None]
"""Finds one more card, the last of those that it returns."""
DetectionSource = Literal["lines", "place"]
"""What tells of a card that was missed: its lines and badge as of any other, or hardly more than
its place."""
LACKING = "sought-lacking"
MOST_ROUNDS = 3
"""Searches for cards that are missing still when all faces are dealt."""


class Search(NamedTuple):
    """A way to find one more card, and what tells of the card that it finds."""

    find: Finder
    by: DetectionSource


Searches = Callable[[Settled], Sequence[Search]]
"""The searches worth their time with the cards as they are settled, in this order."""


def with_lacking(
    evidence: Evidence, settled: Settled, unread: FloatArray, printed: PrintedDeck
) -> Settled:
    """The same with cards that the colours' numbers say are missing and that are seen only now:
    beside cards whose face was misread until the faces were dealt, or under and over others that
    were not believed.
    """

    def lacking(known: Settled) -> int:
        return lacking_cards(known.named, known.naming, printed)

    def fewer_lack(more: Settled, known: Settled) -> bool:
        return lacking(more) < lacking(known)

    def seen_only_now(known: Settled) -> Sequence[Search]:
        return _that_show_only_now() if lacking(known) else ()

    dealing = Dealing(evidence, printed, unread, True)
    return dealing.with_searched(settled, seen_only_now, fewer_lack)


def with_uncounted(evidence: Evidence, settled: Settled, printed: PrintedDeck) -> Settled:
    """The same with cards that only a lamp's haze shows, where no numbers say one is missing."""

    def one_more(more: Settled, known: Settled) -> bool:
        return len(more.named) > len(known.named)

    dealing = Dealing(evidence, printed, np.empty((0, 3)), False)
    return dealing.with_searched(settled, lambda known: (_by_glow(known),), one_more)


@dataclass(frozen=True, eq=False)
class Dealing:
    """Explains and deals all anew with further cards, and with those whose badge plainly shows
    (`unread`, (K, 3)) and that may be read now. `equally_many`: of each colour.
    """

    evidence: Evidence
    printed: PrintedDeck
    unread: FloatArray
    equally_many: bool

    def with_searched(
        self, settled: Settled, searches: Searches, better: Callable[[Settled, Settled], bool]
    ) -> Settled:
        """The same with cards that are found, search after search, as long as each makes it
        `better`.
        """
        for _ in range(MOST_ROUNDS):
            for search in searches(settled):
                more = self._with_found_by(settled, search)
                if more is not None and better(more, settled):
                    settled = more
                    break
            else:
                break
        return settled

    def _with_found_by(self, settled: Settled, search: Search) -> Settled | None:
        """The same with what a search finds; None where that is nothing."""
        if self.evidence.pace.leaves_out(LACKING):
            return None
        more = search.find(self.evidence, settled.named, settled.stack, self.printed)
        if more is None:
            return None
        hazed = settled.hazed
        if search.by == "place":
            # All that tells of it has been asked.
            hazed = np.concatenate([hazed, more.poses[-1:, :3]])
        return replace(self._anew(more, settled.stack, hazed, hazed), hazed=hazed)

    def with_found(self, settled: Settled, more: Named, trusted: bool = False) -> Settled:
        """All with a further card, the last of `more`, which is believed whatever its lines say if
        it is `trusted`; those that were found in a haze stay where they were.
        """
        hazed = settled.hazed
        believed = np.concatenate([hazed, more.poses[-1:, :3]]) if trusted else hazed
        return replace(self._anew(more, settled.stack, believed, hazed), hazed=hazed)

    def _anew(self, more: Named, stack: Stack, trusted: FloatArray, placed: FloatArray) -> Settled:
        """All with further cards, the last of `more`. Those that lie at `trusted` poses are
        believed, and those that were `placed` in a haze stay where they were.
        """
        evidence, printed = self.evidence, self.printed
        seeking = Seeking(thorough=True, trusted=trusted, placed=placed)
        stacked = explained(evidence, more, stack.patches, printed, seeking)
        left = without_card(self.unread, stacked.named.poses)
        if len(left):
            more = with_unread(evidence, stacked.named, left, printed)
            stacked = explained(evidence, more, stacked.stack.patches, printed, seeking)
        naming = coloured(stacked, printed, self.equally_many)
        return settle(evidence, stacked, naming, printed, self.equally_many)


def _that_show_only_now() -> tuple[Search, ...]:
    """Searches for what neither badges nor lines told before the faces were dealt."""
    return (
        Search(partial(with_neighbours, overhanging=True), "lines"),
        Search(with_hidden, "lines"),
        Search(with_washed, "place"),
    )


def _by_glow(settled: Settled) -> Search:
    """Finds cards that glow from edge to edge, but where one is known in that haze: what is left
    of one makes another there.
    """

    def glowing(
        evidence: Evidence, named: Named, stack: Stack, printed: PrintedDeck
    ) -> Named | None:
        more = with_glowing(evidence, named, stack, printed)
        return None if more is None or _meets(more.poses[-1], settled.hazed, printed.deck) else more

    return Search(glowing, "place")


def _meets(pose: FloatArray, others: FloatArray, deck: Deck) -> bool:
    """Whether a card at a pose (3 or 9,) may meet one at any of the others (K, 3)."""
    reach_mm = np.hypot(deck.card.width_mm, deck.card.height_mm)
    return bool((np.linalg.norm(others[:, :2] - pose[:2], axis=1) < reach_mm).any())


def lacking_cards(named: Named, naming: Naming, printed: PrintedDeck) -> int:
    """How many cards the colours lack by those that have most."""
    return missing_cards(naming.colour[named.rows < printed.start_row])
