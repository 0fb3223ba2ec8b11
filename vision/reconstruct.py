"""From evidence to cards over one another, and what speaks against it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.spatial import cKDTree

from geometry.deck import PRINTED_BADGES, Badges, Deck
from geometry.rules import Rules
from vision.arrays import Bools, FloatArray, Ints, Map32
from vision.cores import Meanwhile
from vision.drawing.printed_deck import PrintedDeck
from vision.drawing.templates import Templates, draw_templates
from vision.evidence import Evidence
from vision.finding.belief import (
    CURLED_LINES,
    LINES_SHARE,
    TRUE_BADGE,
    believed_cards,
    hardly_told,
    lines_seen,
)
from vision.finding.explain import HARDLY_SEEN, Seeking, explained, with_unread
from vision.finding.find_cards import (
    FAR_REACH_MM,
    badge_centres,
    badges_in_frames,
    plain_badges,
    plainly_cards,
    poses_from_blobs,
    poses_from_centres,
    unread_badges,
    without_card,
)
from vision.finding.frames import plain_frames
from vision.finding.haze import by_what_is_lit, lost_in_light, plainly_lit, seen_in_haze
from vision.finding.likely_badges import likely_badges
from vision.finding.look_again import lies_at
from vision.finding.neighbour_search import with_neighbours
from vision.finding.start_card import MANY_SUPPORTERS, FoundStart, StartHints, start_by_symbol
from vision.finding.start_search import (
    StartSigns,
    framed_start,
    played,
    start_sought_again,
    with_found_start,
    with_start_among_cards,
    with_start_under,
)
from vision.finding.white_beside import white_beside_mm2
from vision.likelihood.config import LikelihoodConfig
from vision.likelihood.picture import Picture
from vision.naming.colours import Naming
from vision.naming.faces import cut_out, differences_mm2, looking_alike, told_apart
from vision.naming.name_cards import (
    Named,
    badge_fit,
    name_cards,
    with_badges,
)
from vision.naming.unique_faces import (
    Choices,
    DealtCards,
    FaceWitnesses,
    find_choices,
    near_faces,
)
from vision.observing.dots import SeenDots, find_dots
from vision.observing.marks import Marks, find_marks_and_holes
from vision.ordering.stacking import Stack, StackedCards, turned_since
from vision.printing.badge_style import deck_as_printed
from vision.printing.learned_badges import with_learned_badges
from vision.settling.by_law import (
    Faults,
    LegalityChecker,
    OpenCards,
    card_in,
    cards_of,
    prefer_legal,
)
from vision.settling.lacking import Dealing, lacking_cards, with_lacking, with_uncounted
from vision.settling.likelier_faces import WeighedFaces, badges_of, with_likelier_faces
from vision.settling.presence import without_unlikely
from vision.settling.settling import Colouring, Settled, settle
from vision.settling.start_by_ink import with_start_by_ink

LEGAL_FACES, LIKELIER_FACES = "sought-legal", "sought-likelier"
MUCH_WHITE_MM2 = 60.0
"""Beside frames that are seen: a card's lines have 240, a dot 15, crumbs less."""
LIKELIEST = 32
"""Places that look most like badges, of which a cloth or a sleeve may hold dozens."""


@dataclass(frozen=True, eq=False)
class Reconstruction(StackedCards):
    """Everything read from the raster, cards as structure of arrays of length N.

    `choices`: what else each card may be. `lines` (N,): how white, 0 to 1, the lines
    that each draws are seen. `haze` (N, 3): what tints its black and its ink.
    `dots` are those seen in the pixels alone, `unread` (K, 3) poses of badges that no card has.
    `hazed` (N,): cards that only their lines in a lamp's haze tell.
    `badges`: the style of badges that the deck's cards have here. `picture`: that in which faces
    were weighed; what was found since may differ from the cards in it.
    """

    naming: Naming
    choices: Choices
    lines: FloatArray
    haze: FloatArray
    dots: SeenDots
    unread: FloatArray
    templates: Templates
    hazed: Bools
    badges: Badges = PRINTED_BADGES
    picture: Picture | None = None


@dataclass(frozen=True, eq=False)
class Found(StackedCards):
    """All cards that badges, lines and the rules tell of, before each face is dealt to one of a
    colour and what the colours' numbers say is missing is sought. Fields as in `Reconstruction`;
    `dots` may still have to be looked for.
    """

    naming: Naming
    unread: FloatArray
    dots: Meanwhile[SeenDots]
    deck: Deck


class CardSpots(NamedTuple):
    """What tells of cards before any is known: white marks, middles (K, 2) of what may be badges,
    poses (N, 3) of frames round them, and those (M, 3) of them that are plainly cards; and the
    deck as it is printed here.
    """

    marks: Marks
    centres: FloatArray
    poses: FloatArray
    plain: FloatArray
    deck: Deck


def card_spots(evidence: Evidence, deck: Deck) -> CardSpots:
    """Where badges and frames are seen; a fraction of the time that it takes to find all cards."""
    prepared = Meanwhile(evidence.prepare)
    marks, holes = find_marks_and_holes(evidence)
    prepared.settle()
    centres = badge_centres(marks, holes, deck)
    poses = poses_from_centres(evidence, centres, deck)
    deck = deck_as_printed(evidence, poses, deck)
    plain = np.empty((0, 3))
    if white_beside_mm2(evidence, poses, deck) > MUCH_WHITE_MM2:
        # In a coarse picture a badge's rim runs into its digit: it stands alone on black still.
        framed = poses_from_blobs(evidence, poses, deck)
        plain = plainly_cards(evidence, framed, PrintedDeck(deck, draw_templates(deck)))
        poses = np.concatenate([plain, without_card(poses, plain)])
    return CardSpots(marks, centres, poses, plain, deck)


def found_cards(
    evidence: Evidence, deck: Deck, rules: Rules | None = None, spots: CardSpots | None = None
) -> Found | None:
    """The cards seen; None where there are none. `Found.deck` is the deck as it is printed here;
    `spots` are what tells of them, where that is known.
    """
    spots = spots or card_spots(evidence, deck)
    deck = spots.deck
    dots = Meanwhile(partial(find_dots, evidence, spots.marks, deck))
    found = _found(evidence, spots, PrintedDeck(deck, draw_templates(deck)), rules or Rules())
    dots.settle()
    if found is None:
        return None
    stacked, naming, unread = found
    return Found(stacked.named, stacked.stack, stacked.visible, naming, unread, dots, deck)


def reconstruct(
    evidence: Evidence, deck: Deck, rules: Rules | None = None, found: Found | None = None
) -> Reconstruction | None:
    """Explain the evidence by cards, those `found` in it if that was asked before; None where there
    are none.
    """
    found = found or found_cards(evidence, deck, rules)
    if found is None:
        return None
    templates = with_learned_badges(found.stack.patches, found.visible, draw_templates(found.deck))
    printed = PrintedDeck(found.deck, templates)
    checker = LegalityChecker(found.deck, rules or Rules(), templates)
    settled = _counted(evidence, found, checker, printed)
    settled = _with_start_at_last(evidence, settled, found.unread, printed, checker)
    settled = _with_start_in_place(evidence, settled, printed, checker)
    weighed = _weighed(evidence, settled, printed)
    settled = weighed.settled
    stacked, choices = _legal(evidence, *_open(weighed, templates), settled, checker)
    named, patches, visible = stacked.named, stacked.stack.patches, stacked.visible
    return Reconstruction(
        named, stacked.stack, visible, settled.naming, choices,
        lines=lines_seen(named, patches, visible, templates),
        haze=settled.scores.haze,
        dots=found.dots.result(),
        unread=without_card(found.unread, named.poses),
        templates=templates,
        hazed=_hardly_lit(evidence, stacked, settled.hazed, printed),
        badges=found.deck.badges,
        picture=weighed.picture,
    )  # fmt: skip


def _counted(
    evidence: Evidence, found: Found, checker: LegalityChecker, printed: PrintedDeck
) -> Settled:
    """The cards with each face dealt, without those that are likelier none and with those that are
    missing, as far as numbers tell.
    """
    equally_many = not checker.rules.free_for_all
    settled = settle(evidence, found, found.naming, printed, equally_many)
    config = LikelihoodConfig()
    settled = without_unlikely(evidence, settled, printed, equally_many, config)
    if not equally_many:
        return with_uncounted(evidence, settled, printed)
    settled = with_start_by_ink(evidence, settled, printed, config)
    return with_lacking(evidence, settled, found.unread, printed)


def _weighed(evidence: Evidence, settled: Settled, printed: PrintedDeck) -> WeighedFaces:
    """The cards with the faces by which the picture is likelier, where there is time to ask."""
    if evidence.pace.leaves_out(LIKELIER_FACES):
        return WeighedFaces(settled, np.full(settled.scores.misfit.shape, np.nan))
    alike = looking_alike(printed.templates)
    return with_likelier_faces(evidence, settled, alike, printed, LikelihoodConfig())


def _open(weighed: WeighedFaces, templates: Templates) -> tuple[Named, Choices]:
    """The cards, each face dealt to one of a colour, and what else each of them may be."""
    settled = weighed.settled
    patches, visible, best = settled.stack.patches, settled.visible, settled.best
    scores = by_what_is_lit(settled.scores, patches, templates, visible)
    apart = differences_mm2(scores, best, templates)
    apart[lost_in_light(apart, best, patches, visible, templates)] = 0.0

    badges = badges_of(settled, templates)

    def told(cards: Ints, others: Ints) -> tuple[FloatArray, FloatArray, FloatArray]:
        return told_apart(scores, cards, best[cards], others, templates)

    return find_choices(
        DealtCards(settled.named, settled.naming, scores, best, templates.start_row),
        apart, looking_alike(templates),
        FaceWitnesses(
            told, badges, near_faces(scores, best, badges, templates), weighed.odds,
            LikelihoodConfig().sure_odds,
        ),
    )  # fmt: skip


def _legal(
    evidence: Evidence, named: Named, choices: Choices, settled: Settled, checker: LegalityChecker
) -> tuple[StackedCards, Choices]:
    """The cards as they lie by the rules, as far as the pixels leave faces and orders open, and
    what else each may be.
    """
    before = StackedCards(named, settled.stack, settled.visible)
    if evidence.pace.leaves_out(LEGAL_FACES):
        return before, choices
    read = prefer_legal(OpenCards(named, choices, settled.naming, settled.stack), checker)
    before = replace(before, stack=read.stack)
    stack, visible = turned_with(evidence, read.named, before, checker.templates)
    return StackedCards(read.named, stack, visible), read.choices


def turned_with(
    evidence: Evidence, named: Named, before: StackedCards, templates: Templates
) -> tuple[Stack, Map32]:
    """The cards cut out, and where (N, P) each shows, as some were turned half round since they
    lay as `before`.
    """
    turned, visible = turned_since(named, before)
    if not turned.any():
        return before.stack, visible
    patches = cut_out(evidence, named.poses, templates, before.stack.patches)
    return replace(before.stack, patches=patches), visible


def _with_start_at_last(
    evidence: Evidence, settled: Settled, unread: FloatArray, printed: PrintedDeck,
    checker: LegalityChecker,
) -> Settled:  # fmt: skip
    """The same with the starting card where cards lie that lie on nothing else, if none was found
    there.
    """
    named = settled.named
    dealing = Dealing(evidence, printed, unread, not checker.rules.free_for_all)
    order = settled.stack.order
    cards = cards_of(named, settled.naming, order, printed.templates)
    illegal, free, _ = checker.faults(cards, order)
    if illegal + free < MANY_SUPPORTERS:
        return settled
    players = [i for i in order if named.rows[i] < printed.start_row]
    alone = np.zeros(len(named), np.bool_)
    for i, verdict in checker.verdicts(cards, players).items():
        alone[i] = verdict.status == "free"
    under = with_start_under(evidence, named, alone, printed)
    if under is None:
        return settled

    def laid_on_it(faults: Faults) -> bool:
        fewer = illegal + free - sum(faults[:2])
        return fewer >= MANY_SUPPORTERS and faults[0] <= illegal

    # Known cards lie on it as they are read: to explain all anew takes a hundred times as long.
    colour = printed.deck.starting_colour.name
    start = replace(card_in(under, len(under) - 1, colour, printed.templates), id=len(named))
    if not laid_on_it(checker.faults({**cards, start.id: start}, [start.id, *players])):
        return settled
    anew = dealing.with_found(settled, under, trusted=True)
    after = cards_of(anew.named, anew.naming, anew.stack.order, printed.templates)
    return anew if laid_on_it(checker.faults(after, anew.stack.order)) else settled


def _with_start_in_place(
    evidence: Evidence, settled: Settled, printed: PrintedDeck, checker: LegalityChecker
) -> Settled:
    """The same with the starting card where the cards that lie on it have it, if fewer placements
    are illegal then, or borderline.
    """
    order = settled.stack.order

    def amiss(named: Named) -> int:
        cards = cards_of(named, settled.naming, order, printed.templates)
        verdicts = checker.verdicts(cards, order).values()
        return sum(verdict.status in ("illegal", "borderline") for verdict in verdicts)

    def fewer_amiss(moved: Named) -> bool:
        before = amiss(settled.named)
        return before > 0 and amiss(moved) < before

    return with_start_among_cards(evidence, settled, printed, fewer_amiss)


def _hardly_lit(
    evidence: Evidence, stacked: StackedCards, found: FloatArray, printed: PrintedDeck
) -> Bools:
    """Cards (N,) that only their lines in a lamp's haze tell, those among them that were `found`
    by these (poses (K, 3)) and are not told as plainly by what is lit of them as others are.
    """
    named, patches, visible = stacked.named, stacked.stack.patches, stacked.visible
    hazed = seen_in_haze(named, patches, visible, printed.templates)
    if hazed.any():
        hazed &= ~believed_cards(evidence, stacked, printed, CURLED_LINES)
    hazed |= hardly_told(evidence, stacked, printed)
    by_lines = lies_at(named.poses, found)
    if not by_lines.any():
        return hazed
    told = by_lines & plainly_lit(named, patches, visible)
    if told.any():
        told &= believed_cards(evidence, stacked, printed, LINES_SHARE)
    return np.asarray(hazed | (by_lines & ~told))


def _found(
    evidence: Evidence, spots: CardSpots, printed: PrintedDeck, rules: Rules
) -> tuple[StackedCards, Naming, FloatArray] | None:
    """All cards, by their badges, by their lines and by the rules, their colours, and the poses
    (K, 3) of badges that no card has. None without cards.
    """
    poses, plain = spots.poses, spots.plain
    framed, poses = framed_start(evidence, poses, printed)
    if framed is not None:
        plain = without_card(plain, framed[0][None])
    cards = with_badges(evidence, poses, printed.templates)
    cards = np.concatenate([plain, without_card(cards, plain)])
    named, patches = name_cards(evidence, cards, printed, len(plain))
    if len(named) == 0:
        return None
    started, unread = _started(evidence, spots, named, framed, printed)
    named, before = started, played(started, printed)
    badged = named.poses[badge_fit(evidence, named.poses, printed.templates) > TRUE_BADGE]
    colouring = Colouring(printed, not rules.free_for_all)
    seeking = Seeking(aside=colouring.of)
    stacked = explained(evidence, named, patches, printed, seeking)
    if len(stacked.named) == 0:
        return None
    sought_again = partial(start_sought_again, evidence, StartSigns(spots.marks, unread), printed)
    stacked = sought_again(stacked, before)
    named = stacked.named
    before = played(named, printed)
    naming = colouring.of(stacked)
    lost = len(without_card(np.concatenate([badged[:, :3], unread]), named.poses)) > 0
    lost = lost or _some_missing(named, naming, printed, rules)
    if lost and not evidence.pace.leaves_out(HARDLY_SEEN):
        more, unread = _more_sought(evidence, poses, stacked, unread, printed)
        if len(more) > len(named):
            patches, seeking = stacked.stack.patches, Seeking(thorough=True)
            stacked = explained(evidence, more, patches, printed, seeking)
            if len(stacked.named) == 0:
                return None
            stacked = sought_again(stacked, before)
            naming = colouring.of(stacked)
    return stacked, naming, unread


def _started(
    evidence: Evidence, spots: CardSpots, named: Named, framed: FoundStart | None,
    printed: PrintedDeck,
) -> tuple[Named, FloatArray]:  # fmt: skip
    """The cards with those that only a plain badge tells, and the starting card: the one that is
    `framed`, else by its symbol; and the poses (K, 3) of badges that no card has.
    """
    unread = unread_badges(evidence, spots.centres, named.poses, printed.deck)
    if framed is not None:
        unread = without_card(unread, framed[0][None])
    if len(unread):
        named = with_unread(evidence, named, unread, printed)
    known = framed or start_by_symbol(evidence, spots.marks, named.poses, printed)
    return with_found_start(evidence, named, StartHints(known, unread), printed), unread


def _more_sought(
    evidence: Evidence, poses: FloatArray, stacked: StackedCards, unread: FloatArray,
    printed: PrintedDeck,
) -> tuple[Named, FloatArray]:  # fmt: skip
    """The cards with more where some are missing: by badges that plainly show, by frames at poses
    (N, 3) or that plainly do, round something like a badge, or beside one of those known; and all
    badges seen.
    """
    named, stack = stacked.named, stacked.stack
    near = _spots_like_badges(evidence, named, unread, printed.deck)
    found = plain_badges(evidence, near, printed.deck)
    others = np.concatenate([named.poses[:, :3], found, unread])
    framed = badges_in_frames(evidence, without_card(poses, others), printed.deck)
    plain = plain_frames(evidence, near, named, printed.deck)
    plain = without_card(plain, np.concatenate([others, framed]))
    # One that was not believed may be now: a curled card's lines are paler than they should be.
    left = without_card(unread, named.poses)
    more = with_unread(evidence, named, np.concatenate([left, found, framed, plain]), printed)
    if len(more) == len(named):
        more = with_neighbours(evidence, named, stack, printed, True) or named
    return more, np.concatenate([unread, found])


def _spots_like_badges(
    evidence: Evidence, named: Named, unread: FloatArray, deck: Deck
) -> FloatArray:
    """Places (K, 2) near cards that look like a badge, neither a card's nor among the `unread`."""
    known = np.concatenate([named.poses[:, :2], unread[:, :2]])
    spots = likely_badges(evidence, deck, known, LIKELIEST)
    gap = np.asarray(cKDTree(named.poses[:, :2]).query(spots)[0])
    return np.asarray(spots[gap < FAR_REACH_MM])


def _some_missing(named: Named, naming: Naming, printed: PrintedDeck, rules: Rules) -> bool:
    """Whether the numbers of cards say that some were missed, or say nothing.

    Players lay equally many (S3, E1); only a free-for-all ends before that (V4).
    """
    no_start = not (named.rows >= printed.start_row).any()
    return bool(rules.free_for_all or no_start or lacking_cards(named, naming, printed))
