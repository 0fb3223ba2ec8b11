"""What the colours' numbers of cards say is missing: players lay equally many (S3, E1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from vision.drawing.templates import Templates
from vision.evidence import Evidence
from vision.finding.explain import explained, with_unread
from vision.finding.find_cards import without_card
from vision.finding.haze import line_likeness, with_hazed
from vision.finding.hidden_search import with_hidden
from vision.finding.ink_search import with_inked
from vision.finding.look_again import lies_at
from vision.finding.neighbour_search import with_neighbour
from vision.finding.washed_search import with_glowing, with_washed
from vision.naming.colours import Naming
from vision.naming.name_cards import Named
from vision.ordering.stacking import Stack
from vision.settling.card_counts import missing_cards
from vision.settling.settling import Settled, coloured, settle
from vision.settling.twin_search import with_counted_twins, with_twins

FloatArray = NDArray[np.float64]
Finder = Callable[[Evidence, Named, Stack, Deck, Templates], Named | None]
"""Finds one more card, the last of those that it returns."""
MOST_ROUNDS = 3
"""Searches for cards that are missing still when all faces are dealt."""
AS_LIKE = 0.05
"""Lines in a haze may be as much like those of several faces as correlations can tell."""


def with_lacking(
    evidence: Evidence, settled: Settled, unread: FloatArray, deck: Deck, templates: Templates
) -> Settled:
    """The same with cards that the colours' numbers say are missing.

    Those of which ink shows on another card are sought first, for nothing else looks like it, then
    those of which a strip peeks out under another: that costs least.
    """
    if lacking_cards(settled.named, settled.naming, deck) == 0:
        return settled
    settled = _with_counted_ink(evidence, settled, unread, deck, templates)
    found = with_twins(evidence, settled, deck, templates)
    if lacking_cards(found.named, found.naming, deck) == 0:
        return found
    more = _with_missed(evidence, settled, unread, deck, templates)
    if more is not settled:
        found = with_twins(evidence, more, deck, templates)
    return with_counted_twins(evidence, found, deck, templates)


def _with_counted_ink(
    evidence: Evidence, settled: Settled, unread: FloatArray, deck: Deck, templates: Templates
) -> Settled:
    """The same with cards of which ink shows on others, as long as fewer are missing with them."""
    for _ in range(MOST_ROUNDS):
        missing = lacking_cards(settled.named, settled.naming, deck)
        finder = _inked_finder(settled)
        more = finder(evidence, settled.named, settled.stack, deck, templates) if missing else None
        if more is None:
            break
        again = with_found(evidence, settled, more, unread, deck, templates, True)
        if lacking_cards(again.named, again.naming, deck) >= missing:
            break
        if not lies_at(more.poses[-1:], again.named.poses).all():
            break
        settled = again
    return settled


def _with_missed(
    evidence: Evidence, settled: Settled, unread: FloatArray, deck: Deck, templates: Templates
) -> Settled:
    """The same with cards that are seen only now: beside cards whose face was misread until the
    faces were dealt, or under and over others that were not believed.

    They count only if the colours' numbers of cards then say that fewer are missing.
    """
    finders = (partial(with_neighbour, overhanging=True), with_hidden, with_hazed, with_washed)
    for _ in range(MOST_ROUNDS):
        missing = lacking_cards(settled.named, settled.naming, deck)
        if missing == 0:
            break
        for finder in finders:
            more = finder(evidence, settled.named, settled.stack, deck, templates)
            if more is None:
                continue
            own = more.poses[-1:, :3]
            hazed = np.concatenate([settled.hazed, own])
            found_in_haze = finder in (with_hazed, with_washed)
            placed = hazed if found_in_haze else settled.hazed
            # Where only its place tells of a card, all that tells of it has been asked.
            trusted = hazed if finder is with_washed else settled.hazed
            again = _with_found(
                evidence, more, settled.stack, unread, deck, templates, trusted, placed
            )
            stands = finder is not with_hazed or _stands(more, again, templates)
            if stands and lacking_cards(again.named, again.naming, deck) < missing:
                settled = replace(again, hazed=hazed if found_in_haze else settled.hazed)
                break
        else:
            break
    return settled


def _inked_finder(settled: Settled) -> Finder:
    """Finds cards of which ink shows on others, as these are settled."""
    return partial(with_inked, naming=settled.naming, visible=settled.visible)


def with_uncounted(
    evidence: Evidence, settled: Settled, deck: Deck, templates: Templates
) -> Settled:
    """The same with cards that only their ink on others tells, or their lines in a lamp's haze,
    where no numbers say that one is missing.
    """
    for _ in range(MOST_ROUNDS):
        for finder in (_inked_finder(settled), with_hazed, with_glowing):
            again = _with_uncounted_one(evidence, settled, finder, deck, templates)
            if again is not None:
                settled = again
                break
        else:
            break
    return settled


def _with_uncounted_one(
    evidence: Evidence, settled: Settled, finder: Finder, deck: Deck, templates: Templates
) -> Settled | None:
    """The same with one more card that a finder finds; None where none stands there."""
    more = finder(evidence, settled.named, settled.stack, deck, templates)
    if more is None:
        return None
    # Where only its place tells of a card, all that tells of it has been asked.
    by_place, in_haze = finder is with_glowing, finder in (with_hazed, with_glowing)
    hazed = np.concatenate([settled.hazed, more.poses[-1:, :3]]) if in_haze else settled.hazed
    if by_place and _meets(more.poses[-1], settled.hazed, deck):
        # What is left of one card in the haze makes another there.
        return None
    trusted = hazed if by_place else settled.hazed
    again = _with_found(
        evidence, more, settled.stack, np.empty((0, 3)), deck, templates, trusted, hazed, False
    )
    if len(again.named) <= len(settled.named):
        return None
    stands = by_place or (
        _stands(more, again, templates)
        if in_haze
        else bool(lies_at(more.poses[-1:], again.named.poses).all())
    )
    return replace(again, hazed=hazed) if stands else None


def _meets(pose: FloatArray, others: FloatArray, deck: Deck) -> bool:
    """Whether a card at a pose (3 or 9,) may meet one at any of the others (K, 3)."""
    reach_mm = np.hypot(deck.card.width_mm, deck.card.height_mm)
    return bool((np.linalg.norm(others[:, :2] - pose[:2], axis=1) < reach_mm).any())


def with_found(
    evidence: Evidence, settled: Settled, more: Named, unread: FloatArray, deck: Deck,
    templates: Templates, equally_many: bool,
) -> Settled:  # fmt: skip
    """All explained and dealt anew with a further card, the last of `more`; those that were found
    in a haze stay where they were.
    """
    stack, hazed = settled.stack, settled.hazed
    again = _with_found(evidence, more, stack, unread, deck, templates, hazed, hazed, equally_many)
    return replace(again, hazed=hazed)


def _with_found(
    evidence: Evidence, more: Named, stack: Stack, unread: FloatArray, deck: Deck,
    templates: Templates, trusted: FloatArray, placed: FloatArray, equally_many: bool = True,
) -> Settled:  # fmt: skip
    """All explained and dealt anew with a further card, the last of `more`, and with those whose
    badge plainly shows (`unread`) and that may be read now. Those that lie at `trusted` poses are
    believed, and those that were `placed` in a haze stay where they were.
    """
    again = partial(
        explained, deck=deck, templates=templates, thorough=True, trusted=trusted, placed=placed
    )
    named, stack, visible = again(evidence, more, stack.patches)
    left = without_card(unread, named.poses)
    if len(left):
        more = with_unread(evidence, named, left, deck, templates)
        named, stack, visible = again(evidence, more, stack.patches)
    naming = coloured(named, stack.patches, visible, deck, templates, equally_many)
    return settle(evidence, named, naming, stack, visible, deck, templates, equally_many)


def _stands(more: Named, again: Settled, templates: Templates) -> bool:
    """Whether the last of `more` lies among the cards where it was found, with the same face or
    one that its lines are as much like.
    """
    named = again.named
    near = np.flatnonzero(lies_at(named.poses, more.poses[-1:]))
    if len(near) != 1:
        return False
    like = line_likeness(again.stack.patches, again.visible, near, templates)[0]
    return bool(like[again.best[near[0]]] >= like.max() - AS_LIKE)


def lacking_cards(named: Named, naming: Naming, deck: Deck) -> int:
    """How many cards the colours lack by those that have most."""
    return missing_cards(naming.colour[named.rows < 2 * len(deck.faces)])
