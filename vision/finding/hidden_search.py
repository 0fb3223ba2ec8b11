"""The search for cards whose badge is not seen: each must leave less unexplained than before."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from vision.arrays import Bools, FloatArray, Ints, Map32
from vision.drawing.coverage import TopMap
from vision.drawing.pose_fit import fit_poses, frame_samples, place, turns
from vision.drawing.printed_deck import PrintedDeck
from vision.drawing.templates import Templates
from vision.evidence import Evidence, sample
from vision.finding.beside import about_the_same, poses_beside
from vision.finding.hidden_cards import (
    corner_poses,
    fit_corners,
    in_picture,
    lines_explained,
    shows_over,
)
from vision.finding.line_corners import corners_on
from vision.finding.line_looks import left_over_lines
from vision.finding.white_lines import ALONG, Segments
from vision.naming.faces import Patches, cut_out, score_faces
from vision.naming.name_cards import Named, choose, dots_on, placed, refine, weighed
from vision.observing.dots import dot_whiteness
from vision.ordering.stacking import Stack, meeting, stack_up

LEAST_LINE_MM = 28.0
"""A frame must be seen along this much of its length before a card is believed in."""
MOST_FITTED, MOST_TRIED = 3000, 24
MOST_TRIALS = 3
FITTED_MM = 4.0
"""Farther no candidate's lines are moved when it is fitted; none that is likely in the end was."""
SAME_FIT_MM = 1.0
"""Poses that were fitted to within about this are one."""
LEAST_SHARE = 0.6
LEAST_FREE = 0.05
EDGE_MM = 3.0
"""A card that curls shows its lines so far beyond its edge at most."""
LEAST_GAIN_MM = 12.0
"""Length of line that a further card must account for, less what it makes worse."""
STRAY_GAIN_MM = 30.0
"""The same for a card that fits none of those read; most cards lie where the rules want them."""
LEAST_GAIN_SHARE = 0.15
"""Of all that is left over: on print and checked cloth chance lays any frame on some of it."""
PLAIN_GAIN_MM, PLAIN_SHARE, PLAIN_FIT = 80.0, 0.85, 0.15
"""What accounts for so much, shows so much of its frame and fits so well is a card among any print:
newspaper fits by 0.35 and more."""
WORST_SHOWN_FIT = 0.45
"""Where the card shows, when its place among the others is known; true ones reach 0.1 to 0.4."""
MOSTLY_INSIDE = 0.8
"""Of a frame: so much of it in the picture."""
WORSE_COST_MM = 60.0
GOOD_FIT = 0.25
WORST_HIDDEN_FIT = 0.65
MANY_BLANK, MOSTLY_BLANK = 3, 0.75
"""So many dots that should show and do not, and this share of those due, make a card none."""
BLANK_DOT_MM = 12.0
_RING_MM = np.array([[3.4, 0.0], [0.0, 3.4], [-3.4, 0.0], [0.0, -3.4]])
"""A dot that should show and does not speaks against a card like this much line."""


def with_hidden(
    evidence: Evidence, named: Named, stack: Stack, printed: PrintedDeck
) -> Named | None:
    """One more card, found by lines that no card explains; None where none helps.

    A card is believed in only if it leaves less unexplained than before.
    """
    deck = printed.deck
    left = _left_over(evidence, named, stack, printed.templates)
    before = float(left.length_mm.sum())
    if before < LEAST_GAIN_MM:
        return None
    best: tuple[float, Named] | None = None
    candidates = _candidates(evidence, named, stack, left, printed)
    if not candidates:
        return None
    beside = poses_beside(named, deck)
    for share, one in candidates:
        trial = named.joined(one)
        new = stack_up(evidence, trial, deck, printed.templates, stack.patches)
        old, fits = fits_with_and_without(trial, new, stack, printed)
        if fits[-1] > _worst_fit(evidence, one.poses[:, :3], deck):
            continue
        blank, _ = blank_dots(evidence, trial, len(named), new, printed)
        cost = WORSE_COST_MM * worse(old, fits) + BLANK_DOT_MM * blank
        fitting = about_the_same(trial.poses[-1, :3], beside).any()
        least = cost + (LEAST_GAIN_MM if fitting else STRAY_GAIN_MM)
        plain = share >= PLAIN_SHARE and fits[-1] <= PLAIN_FIT
        by_share = LEAST_GAIN_SHARE * before
        least = max(least, min(by_share, PLAIN_GAIN_MM) if plain else by_share)
        # Elsewhere nothing changes, and yet chance finds other lines in print; and they are sought
        # anew only where the card may account for so many.
        gain = length_on(trial.poses[-1], left, deck)
        if gain < least:
            continue
        gain -= length_on(
            trial.poses[-1], _left_over(evidence, trial, new, printed.templates), deck
        )
        worth = (gain - cost) * share**2
        if gain >= least and (best is None or worth > best[0]):
            best = (worth, trial)
    return None if best is None else best[1]


def _worst_fit(evidence: Evidence, pose: FloatArray, deck: Deck) -> float:
    """How badly a card at a pose (1, 3) may fit where it shows: half outside the picture the half
    of a frame is enough, and other games' cards have that too.
    """
    inside = in_picture(evidence, pose, frame_samples(deck.card)).mean()
    return WORST_SHOWN_FIT if inside >= MOSTLY_INSIDE else PLAIN_FIT


def worse(old: FloatArray, new: FloatArray) -> float:
    """How much worse the cards fit where they show, with one more card than without it.

    In shares of a black card's misfit, summed over cards; the new card counts
    for what it misses a good fit by.
    """
    return float((new[: len(old)] - old).sum() + max(0.0, new[-1] - GOOD_FIT))


def blank_dots(
    evidence: Evidence, named: Named, card: int, stack: Stack, printed: PrintedDeck
) -> tuple[int, int]:
    """How many dots of a card should show by the order and are not white, and how many should."""
    dots, owner = dots_on(named, np.array([card]), printed.templates)
    if len(dots) == 0:
        return 0, 0
    spots = placed(named, dots, owner)
    white, burnt = dot_whiteness(evidence, spots, printed.deck)
    ground = sample(evidence.least, evidence.raster.to_raster(spots[:, None] + _RING_MM))
    readable = (burnt < 0.2) & (ground.min(axis=1) < 0.8 * evidence.washed_level)
    due = (stack.top.at(spots) == card + 1) & readable
    return int((due & (white < 0.3)).sum()), int(due.sum())


def mostly_blank(blank: int, due: int) -> bool:
    """Whether a card lacks so many of the dots that it should show that it is none."""
    return blank >= MANY_BLANK and blank >= MOSTLY_BLANK * due


def fits_with_and_without(
    trial: Named, new: Stack, stack: Stack, printed: PrintedDeck
) -> tuple[FloatArray, FloatArray]:
    """How badly those cards fit where they show that meet the last card of `trial`: without it
    (K,), as they lie in `stack`, and with it (K + 1,), itself last.
    """
    last = len(trial) - 1
    met = np.flatnonzero(meeting(trial.poses[:last], trial.poses[last:], printed.deck))
    return (
        shown_fit(trial, stack, printed.templates, met),
        shown_fit(trial, new, printed.templates, np.append(met, last)),
    )


def shown_fit(named: Named, stack: Stack, templates: Templates, cards: Ints) -> FloatArray:
    """How badly (K,) some cards fit where they show, as a share of a black card's misfit."""
    if len(cards) == 0:
        return np.empty(0)
    visible = stack.top.on(named.poses[cards], templates) == cards[:, None] + 1
    scores = score_faces(stack.patches.take(cards), templates, visible.astype(np.float32))
    own = np.take_along_axis(scores.misfit, 2 * named.rows[cards, None], axis=1)[:, 0]
    return np.asarray(own / np.maximum(scores.energy, 1e-3))


def _left_over(evidence: Evidence, named: Named, stack: Stack, templates: Templates) -> Segments:
    return left_over_lines(evidence, named, stack.order, stack.top, templates)


def length_on(pose: FloatArray, lines: Segments, deck: Deck) -> float:
    """How many mm of the lines lie on a card at the pose (3 or 9,), or by its edge."""
    half = np.array([deck.card.width_mm, deck.card.height_mm]) / 2 + EDGE_MM
    own = (lines.spots(ALONG) - pose[:2]) @ turns(pose[2:3])[0]
    on = (np.abs(own) < half).all(axis=2).mean(axis=1)
    return float(on @ lines.length_mm)


def _candidates(
    evidence: Evidence, named: Named, stack: Stack, left: Segments, printed: PrintedDeck
) -> list[tuple[float, Named]]:
    """The few likeliest cards that would account for lines left over, each with the share of
    its uncovered frame that is seen, likeliest first.
    """
    deck = printed.deck
    poses = corner_poses(corners_on(evidence, left), deck)
    poses = poses[~known(poses, named)]
    # Hundreds of lines lead to thousands of cards, of which nine in ten run beside all of them.
    along = lines_explained(poses, left, deck, FITTED_MM)
    likely = np.argsort(-along, kind="stable")[:MOST_FITTED]
    poses = poses[np.sort(likely[along[likely] >= LEAST_GAIN_MM])]
    if len(poses) == 0:
        return []
    top = stack.top
    poses, length, share = fit_corners(evidence, poses, top, deck)
    explained = lines_explained(poses, left, deck)
    likely = np.flatnonzero(
        (length >= LEAST_LINE_MM) & (share >= LEAST_SHARE) & (explained >= LEAST_GAIN_MM)
    )
    likely = likely[np.argsort(-(explained * share)[likely], kind="stable")]
    # Many corners lead to one card: what is fitted twice must not crowd out the next.
    likely = likely[first_of_each(poses[likely])][:MOST_TRIED]
    if len(likely) == 0:
        return []
    start_known = bool((named.rows >= printed.start_row).any())
    found, weight = _read_over(evidence, poses[likely], top, start_known, printed)
    likeliest = (explained * share**2)[likely] / np.maximum(found.fit, 1e-3)
    worth = np.where(found.fit < WORST_HIDDEN_FIT, likeliest, 0)
    chosen = apart(found.poses, worth)[:MOST_TRIALS]
    if len(chosen) == 0:
        return []
    fine = refine(evidence, found.take(chosen), weight[chosen], printed.templates, passes=5)
    shares = share[likely][chosen]
    return [(float(shares[k]), fine.take(np.array([k]))) for k in range(len(fine))]


def _read_over(
    evidence: Evidence, poses: FloatArray, top: TopMap, start_known: bool, printed: PrintedDeck
) -> tuple[Named, Map32]:
    """The likeliest cards at poses (N, 3), and with which weight (N, P) each place spoke; they fit
    endlessly badly where too little shows.

    Where one's lines run on in those of a known card it seems to lie over that: what fits no face
    there is asked once more as one that lies under all.
    """
    patches = cut_out(evidence, poses, printed.templates)
    lit = patches.weight > 0.5

    def read(at: FloatArray, some: Patches, free: Map32) -> tuple[Named, Map32]:
        speaking = weighed(some, free, printed.templates)
        found = choose(at, score_faces(speaking, printed.templates), not start_known)
        enough = free.mean(axis=1) > LEAST_FREE
        return replace(found, fit=np.where(enough, found.fit, np.inf)), speaking.weight

    found, weight = read(poses, patches, room(evidence, poses, top, printed) * lit)
    asked = np.flatnonzero(found.fit >= WORST_HIDDEN_FIT)
    if len(asked) == 0:
        return found, weight
    bare = (top.on(poses[asked], printed.templates) == 0).astype(np.float32)
    under, weight[asked] = read(poses[asked], patches.take(asked), bare * lit[asked])
    which = np.arange(len(poses))
    which[asked] = len(poses) + np.arange(len(asked))
    return found.joined(under).take(which), weight


def known(poses: FloatArray, named: Named) -> Bools:
    """Which poses (M,) are those of cards already read, within 6 mm and 5 degrees."""
    x, y = (poses[:, None, k] - named.poses[None, :, k] for k in (0, 1))
    pose, card = np.nonzero(x * x + y * y < 36)
    same = np.abs(np.sin(poses[pose, 2] - named.poses[card, 2])) < 0.09
    out = np.zeros(len(poses), np.bool_)
    out[pose[same]] = True
    return out


def room(
    evidence: Evidence, poses: FloatArray, top: TopMap, printed: PrintedDeck
) -> NDArray[np.float32]:
    """1 (N, P) where a candidate may show: on the table, and on the cards that it lies over."""
    lines = frame_samples(printed.deck.card)
    fit = fit_poses(evidence, poses, lines, (1.0,))
    below = top.at(place(poses, lines.places_mm))
    shows = shows_over(fit.seen, below)
    under = top.on(poses, printed.templates)
    room = under == 0
    for i in range(len(poses)):
        for card in np.unique(below[i][shows[i]]):
            room[i] |= under[i] == card
    return np.asarray(room, np.float32)


def first_of_each(poses: FloatArray) -> Ints:
    """The first of all poses (N, 3) that were fitted to the same place, half turns aside."""
    turn = np.rad2deg(poses[:, 2]) % 180
    keys = np.column_stack([np.round(poses[:, :2] / SAME_FIT_MM), np.round(turn / 2) % 90])
    return np.sort(np.unique(keys, axis=0, return_index=True)[1])


def apart(poses: FloatArray, worth: FloatArray) -> Ints:
    """The worthiest poses, best first, leaving out any that shares most of a better one's place."""
    chosen: list[int] = []
    for i in np.argsort(-worth):
        if worth[i] <= 0:
            break
        if all(np.hypot(*(poses[i, :2] - poses[k, :2])) > 4 for k in chosen):
            chosen.append(int(i))
    return np.array(chosen, dtype=np.int64)
