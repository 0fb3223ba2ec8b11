"""From evidence to cards over one another, and what speaks against it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from geometry.rules import Rules
from vision.badge_witness import badge_leads, badge_likeness
from vision.belief import (
    CURLED_LINES,
    LINES_SHARE,
    TRUE_BADGE,
    believed_cards,
    hardly_seen,
    lines_seen,
)
from vision.by_law import Court, prefer_legal
from vision.card_counts import missing_cards
from vision.colours import Naming
from vision.cores import Meanwhile
from vision.coverage import cover
from vision.dots import SeenDots, find_dots
from vision.evidence import Evidence
from vision.faces import (
    Patches,
    cut_out,
    differences_mm2,
    looking_alike,
    score_faces,
    told_apart,
)
from vision.faint_badges import faint_leads, faint_likeness
from vision.find_cards import (
    FAR_REACH_MM,
    MOST_UNREAD,
    badge_centres,
    poses_from_badges,
    unread_badges,
    without_card,
)
from vision.haze import by_what_is_lit, haze_mm2, line_likeness, seen_in_haze, with_hazed
from vision.hidden_search import with_hidden
from vision.likely_badges import likely_badges
from vision.line_witness import line_leads
from vision.look_again import seen_again
from vision.marks import Marks, find_marks_and_holes
from vision.name_cards import (
    Named,
    alone_weight,
    badge_fit,
    badge_like,
    choose,
    dots_on,
    name_cards,
    placed,
    refine,
    weighed,
)
from vision.neighbour_search import plainly_framed, with_neighbour
from vision.reseat import reseated
from vision.settling import Settled, coloured, settle
from vision.stacking import Stack
from vision.start_card import find_start, where_cards_have_it
from vision.surplus import without_surplus
from vision.templates import Templates, draw_templates
from vision.twin_search import with_twins
from vision.unique_faces import Choices, find_choices
from vision.unknown_faces import likeliest_faces
from vision.white_lines import unexplained_lines

FloatArray = NDArray[np.float64]
Ints = NDArray[np.int64]
Map32 = NDArray[np.float32]
MOST_MISSED = 16
"""Cards sought in all that were not found by their badge."""
MOST_HIDDEN = 6
"""Of those by their lines alone; more would mean that something else is wrong."""
CURLED_BADGE = 0.2
"""Something like a badge, in a frame that plainly shows; one that lies where it should has 0.5."""
MOST_ROUNDS = 3
"""Searches for cards that are missing still when all faces are dealt."""
STANDS_MM = 3.0
"""Within so much of where it was found, a card that is looked at again is still the same."""
AS_LIKE = 0.05
"""Lines in a haze may be as much like those of several faces as correlations can tell."""
BELIEF_ROUNDS = 2
"""Without the cards that were not believed others lie elsewhere, and may not be believed either."""


@dataclass(frozen=True, eq=False)
class Table:
    """Everything read from the raster, cards as structure of arrays of length N.

    `visible` (N, P): where each card itself shows, on the templates' grid.
    `choices`: what else each card may be. `lines` (N,): how white, 0 to 1, the lines
    that each draws are seen. `haze` (N, 3): what tints its black and its ink.
    `dots` are those seen in the pixels alone, `unread` (K, 3) poses of badges that no card has.
    `hazed` (N,): cards that only their lines in a lamp's haze tell. `surplus` (S, 3): poses of
    what looks like a card, is taken for none as the colours' numbers are, and may be one.
    """

    named: Named
    naming: Naming
    stack: Stack
    visible: Map32
    choices: Choices
    lines: FloatArray
    haze: FloatArray
    dots: SeenDots
    unread: FloatArray
    templates: Templates
    hazed: NDArray[np.bool_]
    surplus: FloatArray


def reconstruct(evidence: Evidence, deck: Deck, rules: Rules | None = None) -> Table | None:
    """Explain the evidence by cards; None where there are none."""
    templates = draw_templates(deck)
    marks, holes = find_marks_and_holes(evidence)
    centres = badge_centres(marks, holes, deck)
    dots = Meanwhile(partial(find_dots, evidence, marks, deck))
    found = _found(evidence, marks, centres, deck, rules or Rules(), templates)
    if found is None:
        return None
    named, naming, stack, visible, unread = found
    start_row = 2 * len(deck.faces)
    equally_many = not (rules or Rules()).free_for_all
    settled = settle(evidence, named, naming, stack, visible, deck, templates, equally_many)
    surplus = np.empty((0, 3))
    if equally_many:
        settled, surplus = without_surplus(evidence, settled, deck, templates)
        settled = _with_lacking(evidence, settled, unread, deck, templates)
    named, naming, stack, visible = settled.named, settled.naming, settled.stack, settled.visible
    best = settled.best
    scores = by_what_is_lit(settled.scores, stack.patches, templates, visible)
    apart = differences_mm2(scores, best, templates)
    alike = looking_alike(templates)

    def told(cards: Ints, others: Ints) -> tuple[FloatArray, FloatArray, FloatArray]:
        return told_apart(scores, cards, best[cards], others, templates)

    faint = faint_likeness(evidence, stack.patches, visible, templates)

    def badges(cards: Ints) -> FloatArray:
        like = badge_likeness(stack.patches, visible, cards, templates)
        plain = badge_leads(like, best[cards], templates)
        return np.maximum(plain, faint_leads(faint[cards], best[cards], templates))

    def lines_told(cards: Ints, others: Ints) -> FloatArray:
        own, noise = best[cards], evidence.noise
        return line_leads(stack.patches, visible, cards, own, others, templates, noise)

    hazed_mm2 = haze_mm2(stack.patches, visible, templates)
    named, choices = find_choices(
        named, scores, apart, best, naming, start_row, alike, told, badges, lines_told, hazed_mm2
    )
    court = Court(deck, rules or Rules(), templates)
    hidden = range(len(named) - len(settled.covering), len(named))
    named, choices, stack = likeliest_faces(named, choices, naming, stack, court, hidden)
    named, choices, stack = prefer_legal(named, choices, naming, stack, court)
    unread = without_card(unread, named.poses)
    lines = lines_seen(named, stack.patches, visible, templates)
    named = _with_start_placed(named, stack.patches, visible, lines, deck, templates)
    hazed = seen_in_haze(named, stack.patches, visible, templates)
    if hazed.any():
        hazed &= ~believed_cards(evidence, named, stack, visible, deck, templates, CURLED_LINES)
    hazed |= _near(named.poses, settled.hazed)
    return Table(
        named, naming, stack, visible, choices, lines, settled.scores.haze, dots.result(), unread,
        templates, hazed, surplus,
    )  # fmt: skip


def _found(
    evidence: Evidence, marks: Marks, centres: FloatArray, deck: Deck, rules: Rules,
    templates: Templates,
) -> tuple[Named, Naming, Stack, Map32, FloatArray] | None:  # fmt: skip
    """All cards, by their badges, by their lines and by the rules; where each shows (N, P), and the
    poses (K, 3) of badges that no card has. None without cards.
    """
    equally_many = not rules.free_for_all
    poses = poses_from_badges(evidence, centres, deck)
    named, patches = name_cards(evidence, poses, deck, templates)
    if len(named) == 0:
        return None
    unread = unread_badges(evidence, centres, named.poses, deck)
    named = _with_unread(evidence, named, unread, deck, templates)
    named = _with_start(evidence, named, marks, deck, templates)
    badged = named.poses[badge_fit(evidence, named.poses, templates) > TRUE_BADGE]
    named, stack, visible = _explained(evidence, named, patches, deck, templates)
    if len(named) == 0:
        return None
    known = named, stack, visible
    named, stack, visible = _start_sought_again(evidence, known, marks, deck, templates)
    naming = coloured(named, stack.patches, visible, deck, templates, equally_many)
    lost = len(without_card(badged, named.poses)) > 0
    if lost or _some_missing(named, naming, deck, rules):
        found = _badges_sought_again(evidence, named, unread, deck)
        # A curled card's badge is not where its frame says, and so none by what it looks like.
        framed = poses[badge_like(evidence, poses, templates) > CURLED_BADGE]
        framed = plainly_framed(evidence, framed, named, stack.top, deck)
        # One that was not believed may be now: a curled card's lines are paler than they should be.
        left = without_card(unread, named.poses)
        again = np.concatenate([left, found, framed])
        more = _with_unread(evidence, named, again, deck, templates)
        unread = np.concatenate([unread, found])
        if len(more) == len(named):
            more = with_neighbour(evidence, named, stack, deck, templates, True) or named
        if len(more) > len(named):
            named, stack, visible = _explained(
                evidence, more, stack.patches, deck, templates, thorough=True
            )
            if len(named) == 0:
                return None
            known = named, stack, visible
            named, stack, visible = _start_sought_again(evidence, known, marks, deck, templates)
            naming = coloured(named, stack.patches, visible, deck, templates, equally_many)
    return named, naming, stack, visible, unread


def _with_lacking(
    evidence: Evidence, settled: Settled, unread: FloatArray, deck: Deck, templates: Templates
) -> Settled:
    """The same with cards that the colours' numbers say are missing.

    Those of which a strip peeks out under another card are sought first: that costs least.
    """
    if _missing(settled.named, settled.naming, deck) == 0:
        return settled
    found = with_twins(evidence, settled, deck, templates)
    if _missing(found.named, found.naming, deck) == 0:
        return found
    more = _with_missed(evidence, settled, unread, deck, templates)
    return found if more is settled else with_twins(evidence, more, deck, templates)


def _with_missed(
    evidence: Evidence, settled: Settled, unread: FloatArray, deck: Deck, templates: Templates
) -> Settled:
    """The same with cards that are seen only now: beside cards whose face was misread until the
    faces were dealt, or under and over others that were not believed.

    They count only if the colours' numbers of cards then say that fewer are missing.
    """
    finders = (partial(with_neighbour, overhanging=True), with_hidden, with_hazed)
    for _ in range(MOST_ROUNDS):
        missing = _missing(settled.named, settled.naming, deck)
        if missing == 0:
            break
        for finder in finders:
            more = finder(evidence, settled.named, settled.stack, deck, templates)
            if more is None:
                continue
            again = _with_found(evidence, more, settled.stack, unread, deck, templates)
            stands = finder is not with_hazed or _stands(more, again, templates)
            if stands and _missing(again.named, again.naming, deck) < missing:
                if finder is with_hazed:
                    found = np.concatenate([settled.hazed, more.poses[-1:, :3]])
                    again = replace(again, hazed=found)
                settled = again
                break
        else:
            break
    return settled


def _with_found(
    evidence: Evidence, more: Named, stack: Stack, unread: FloatArray, deck: Deck,
    templates: Templates,
) -> Settled:  # fmt: skip
    """All explained and dealt anew with a further card, the last of `more`, and with those whose
    badge plainly shows (`unread`) and that may be read now.
    """
    named, stack, visible = _explained(evidence, more, stack.patches, deck, templates, True)
    left = without_card(unread, named.poses)
    if len(left):
        more = _with_unread(evidence, named, left, deck, templates)
        named, stack, visible = _explained(evidence, more, stack.patches, deck, templates, True)
    naming = coloured(named, stack.patches, visible, deck, templates, True)
    return settle(evidence, named, naming, stack, visible, deck, templates, True)


def _stands(more: Named, again: Settled, templates: Templates) -> bool:
    """Whether the last of `more` lies among the cards where it was found, with the same face or
    one that its lines are as much like.
    """
    named = again.named
    near = np.flatnonzero(_near(named.poses, more.poses[-1:]))
    if len(near) != 1:
        return False
    like = line_likeness(again.stack.patches, again.visible, near, templates)[0]
    return bool(like[again.best[near[0]]] >= like.max() - AS_LIKE)


def _near(poses: FloatArray, found: FloatArray) -> NDArray[np.bool_]:
    """Which of the poses (N, 3 or 7) lie where a card was found, at any of (K, 3 or 7)."""
    gap = np.linalg.norm(poses[:, None, :2] - found[None, :, :2], axis=2)
    return np.asarray((gap < STANDS_MM).any(axis=1))


def _explained(
    evidence: Evidence, named: Named, known: Patches, deck: Deck, templates: Templates,
    thorough: bool = False,
) -> tuple[Named, Stack, Map32]:  # fmt: skip
    """The cards looked at again, those that only their lines tell, and of all those believed.

    Without cards, where none is believed, the other two are those of all. `known`: cards that
    were cut out before. Where it is known that cards are missing they are sought thoroughly: also
    where they overhang, and believed with paler lines if their badge is plain.
    """
    named, stack, visible = seen_again(evidence, named, known, deck, templates)
    moved = reseated(evidence, named, stack, visible, 2 * len(deck.faces), templates)
    if moved is not None:
        named, stack, visible = seen_again(evidence, moved, stack.patches, deck, templates)
    least = CURLED_LINES if thorough else LINES_SHARE
    hidden, believed = 0, None
    for _ in range(MOST_MISSED):
        # Hardly ever is a card missed: all that tells so is asked at once, on two cores.
        lines = Meanwhile(partial(unexplained_lines, evidence, named, stack.order, templates))
        # A frame where the rules want one says more than lines from which a card is guessed.
        more = with_neighbour(evidence, named, stack, deck, templates, thorough)
        if more is None:
            believed = believed_cards(evidence, named, stack, visible, deck, templates, least)
        lines.settle()
        if more is None and hidden < MOST_HIDDEN:
            more = with_hidden(evidence, named, stack, deck, templates)
            hidden += 1
        if more is None:
            break
        named, stack, visible = seen_again(evidence, more, stack.patches, deck, templates)
        believed = None
    for _ in range(BELIEF_ROUNDS):
        if believed is None:
            believed = believed_cards(evidence, named, stack, visible, deck, templates, least)
        believed |= seen_in_haze(named, stack.patches, visible, templates)
        if believed.all():
            break
        if not believed.any():
            return named.take(believed), stack, visible
        believed_in, believed = named.take(believed), None
        named, stack, visible = seen_again(evidence, believed_in, stack.patches, deck, templates)
    return named, stack, visible


def _badges_sought_again(
    evidence: Evidence, named: Named, unread: FloatArray, deck: Deck
) -> FloatArray:
    """Poses (K, 3) by badges that plainly show and are neither a card's nor among the `unread`."""
    known = np.concatenate([named.poses[:, :2], unread[:, :2]])
    spots = likely_badges(evidence, deck, known, MOST_UNREAD)
    return unread_badges(evidence, spots, named.poses, deck, FAR_REACH_MM)


def _with_unread(
    evidence: Evidence, named: Named, poses: FloatArray, deck: Deck, templates: Templates
) -> Named:
    """Cards whose badge plainly shows and whose frame was not found: placed by the badge."""
    if len(poses) == 0:
        return named
    free = cover(evidence.raster, named.poses, deck.card, 0.3).counts_on(poses, templates) == 0
    shown = (free | templates.badge).astype(np.float32)
    patches = weighed(cut_out(evidence, poses, templates), shown, templates)
    more = choose(poses, score_faces(patches, templates))
    return named.joined(refine(evidence, more, shown, templates, passes=6))


def _some_missing(named: Named, naming: Naming, deck: Deck, rules: Rules) -> bool:
    """Whether the numbers of cards say that some were missed, or say nothing.

    Players lay equally many (S3, E1); only a free-for-all ends before that (V4).
    """
    no_start = not (named.rows >= 2 * len(deck.faces)).any()
    return bool(rules.free_for_all or no_start or _missing(named, naming, deck))


def _missing(named: Named, naming: Naming, deck: Deck) -> int:
    """How many cards the colours lack by those that have most."""
    return missing_cards(naming.colour[named.rows < 2 * len(deck.faces)])


def _with_start(
    evidence: Evidence, named: Named, marks: Marks, deck: Deck, templates: Templates
) -> Named:
    coverage = cover(evidence.raster, named.poses, deck.card, 0.3)
    explained = _small_features(named, deck, templates)
    found = find_start(evidence, marks, named, explained, coverage, deck, templates)
    if found is None:
        return named
    pose, row, agreement = found
    more = named.with_card(pose, row, 1 - agreement)
    coverage = cover(evidence.raster, more.poses, deck.card, 0.4)
    last = more.take(np.array([len(named)]))
    weights = alone_weight(last.poses, coverage, templates)
    return named.joined(refine(evidence, last, weights, templates, passes=6))


def _start_sought_again(
    evidence: Evidence, known: tuple[Named, Stack, Map32], marks: Marks, deck: Deck,
    templates: Templates,
) -> tuple[Named, Stack, Map32]:  # fmt: skip
    """The cards as they are known, with the starting card where it had not been found: those that
    were found since then no longer stand for table round it.
    """
    named, stack, _ = known
    if (named.rows >= 2 * len(deck.faces)).any():
        return known
    more = _with_start(evidence, named, marks, deck, templates)
    if len(more) == len(named):
        return known
    return seen_again(evidence, more, stack.patches, deck, templates)


def _with_start_placed(
    named: Named, patches: Patches, visible: Map32, lines: FloatArray, deck: Deck,
    templates: Templates,
) -> Named:  # fmt: skip
    """The starting card, where it is hardly seen, as cards that lie on it have it."""
    poses = named.poses.copy()
    for card in np.flatnonzero(named.rows >= 2 * len(deck.faces)).tolist():
        if hardly_seen(card, named, patches, visible, lines, templates):
            agreed = where_cards_have_it(named, card, deck, templates)
            if agreed is not None:
                poses[card, :3] = agreed
    return replace(named, poses=poses)


def _small_features(named: Named, deck: Deck, templates: Templates) -> FloatArray:
    """Where known cards have dots and symbols, in table mm."""
    cards = np.arange(len(named))
    dots, owner = dots_on(named, cards, templates)
    flips = np.where(named.rows % 2 == 1, -1.0, 1.0)
    symbols = np.stack([flips, np.ones_like(flips)], axis=1) * deck.symbol_offset_mm
    spots, owner = np.concatenate([dots, symbols]), np.concatenate([owner, cards])
    return placed(named, spots, owner)
