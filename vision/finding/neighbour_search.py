"""Cards whose badge is spoilt: sought where the rules let a card lie beside the cards read.

A card is laid so that one of its shapes exactly covers a matching one, so each card read leaves a
handful of places for its neighbours, over it or under it. A frame seen there, on what would be
bare table without it, is a card's.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from geometry.deck import Deck
from vision.arrays import Bools, FloatArray, Ints, Map32
from vision.drawing.bend import stacked
from vision.drawing.coverage import TopMap
from vision.drawing.pose_fit import TWICE, LineSamples, fit_poses, frame_samples, place
from vision.drawing.printed_deck import PrintedDeck
from vision.evidence import Evidence
from vision.finding.beside import about_the_same, poses_beside
from vision.finding.hidden_cards import fit_corners, not_burnt
from vision.finding.hidden_search import (
    BLANK_DOT_MM,
    LEAST_FREE,
    LEAST_GAIN_MM,
    WORSE_COST_MM,
    apart,
    blank_dots,
    first_of_each,
    known,
    mostly_blank,
    room,
    shown_fit,
    worse,
)
from vision.naming.faces import Patches, cut_out, score_faces
from vision.naming.name_cards import Named, choose, refine
from vision.ordering.stacking import Stack, meeting, stack_up
from vision.raster import look_up

ROUGH_STEP_MM, FINE_STEP_MM = 4.0, 1.5
ROUGH_OFF_MM = np.linspace(-2.5, 2.5, 7)
"""How far beside a frame that fits exactly its line is sought: people lay cards by hand."""
WHITE_LEVEL = 105
"""Of 255; noise and print reach it too, which is why the share counts."""
BUSY = 0.3
"""Checks, print and noise are white beside more than this of all places that frames might have."""
BUSY_OFF_MM = 1.0
"""There a frame is sought no farther beside its place, where most lie."""
LEAST_ROUGH, MOST_ROUGH = 0.5, 0.75
LEAST_SHARE, BUSY_SHARE = 0.55, 0.8
"""Of a frame on bare table: chance sees a third of it and less, and more on a busy one, where the
share must be greater by so much for each place in one that is white beyond the usual."""
LEAST_TABLE_MM = 25.0
"""Length of frame that must be seen where no card read lies."""
HARDLY_BARE_MM, LONG_MM, WHOLE_SHARE = 12.0, 80.0, 0.9
"""Less is enough where a card is missing and the frame is seen so long, on the table and on the
cards that it would lie over, nearly without a gap."""
ENOUGH_BARE_MM = 100.0
"""Of a frame's 266 mm: so much runs along two sides at least and tells where the card lies."""
BEST_FIT = 0.1
GOOD_FIT, POOR_FIT_MM, MOST_POOR = 0.25, 120.0, 0.6
"""A card that fits worse must show so much more frame, in mm for a whole misfit. In a lamp's glow
a card looks little like its face, and its frame shows all the same."""
CLEAR_MM, CLEAR_SHARE = 80.0, 0.75
"""So much of a frame, and such a share of what should be seen of it, is a card's."""
PLAIN_FIT = 0.2
"""Newspaper, on which the same length of a frame is seen by chance, fits by 0.35 and more."""
REACH_MM, FAR_REACH_MM = 2.0, 3.0
"""From how far a frame is fitted, and where a card is missing: a curl shows some of it there."""
LEAST_OVER_MM, OVER_SHARE = 15.0, 0.7
"""Of a frame that runs over a card so much must be seen there, and of what lies on it."""
MOST_TRIALS = 6


@dataclass(frozen=True, eq=False)
class _Frames:
    """Poses (N, 3) of frames, the length (N,) in mm seen where no card read lies, which share
    (N,) that is of what should be seen there, and whether (N,) that is more than chance sees, or
    only a face that plainly fits makes it a card's.
    """

    poses: FloatArray
    seen_mm: FloatArray
    share: FloatArray
    enough: Bools


class _Framed(NamedTuple):
    """A card, and the length of its frame that is seen on bare table."""

    seen_mm: float
    card: Named


def with_neighbours(
    evidence: Evidence, named: Named, stack: Stack, printed: PrintedDeck, overhanging: bool = False
) -> Named | None:
    """More cards that do not meet, where neighbours of the cards read fit; None where none is seen.

    An `overhanging` neighbour may cover more than the shape, or be covered; that is asked where a
    card is missing, and then less of its frame must be seen on bare table, and farther astray.
    """
    frames = _frames_seen(evidence, named, stack.top, printed.deck, overhanging)
    if len(frames.poses) == 0:
        return None
    worthy = []
    for found in _candidates(evidence, named, stack.top, frames, printed):
        worth = _worth(evidence, named, stack, found, printed)
        if worth is not None:
            worthy.append((worth, found.card))
    more: Named | None = None
    for _, card in sorted(worthy, key=lambda one: -one[0]):
        if more is None:
            more = card
        elif not meeting(more.poses, card.poses, printed.deck).any():
            more = more.joined(card)
    return None if more is None else named.joined(more)


def _worth(
    evidence: Evidence, named: Named, stack: Stack, found: _Framed, printed: PrintedDeck
) -> float | None:
    """How much speaks for a further card; None: too little."""
    one = found.card
    # What it changes is told by the cards that it meets, and by those that hide these.
    met = np.flatnonzero(meeting(named.poses, one.poses, printed.deck))
    beside = stacked(named.poses[met], one.poses)
    around = np.flatnonzero(meeting(named.poses, beside, printed.deck))
    few = named.take(around).joined(one)
    new = stack_up(evidence, few, printed.deck, printed.templates, stack.patches)
    old = shown_fit(named, stack, printed.templates, met)
    asked = np.append(np.searchsorted(around, met), len(around))
    fits = shown_fit(few, new, printed.templates, asked)
    fits[-1] = min(fits[-1], one.fit[0])
    blank, due = blank_dots(evidence, few, len(around), new, printed)
    gain = found.seen_mm - WORSE_COST_MM * worse(old, fits) - BLANK_DOT_MM * blank
    if gain < LEAST_GAIN_MM or mostly_blank(blank, due):
        return None
    # One that looks little like its face may have another card over it that is missed as well.
    return gain / max(float(fits[-1]), BEST_FIT)


def _frames_seen(
    evidence: Evidence, named: Named, top: TopMap, deck: Deck, overhanging: bool
) -> _Frames:
    """Frames of neighbours that are seen on what is bare table without them."""
    poses = poses_beside(named, deck, overhanging)
    poses = poses[~known(poses, named)]
    due_mm = HARDLY_BARE_MM if overhanging else LEAST_TABLE_MM
    poses, busy = _roughly_seen(evidence, poses, top, deck, due_mm)
    if len(poses) == 0:
        return _Frames(poses, np.zeros(0), np.zeros(0), np.zeros(0, np.bool_))
    lines = frame_samples(deck.card, FINE_STEP_MM)
    # Over other cards a frame is fitted with their help, where little of it lies beside them; under
    # them their lines lead astray.
    little = _bare(poses, lines, top).sum(axis=1) * FINE_STEP_MM < ENOUGH_BARE_MM
    helped, long_mm, whole = fit_corners(evidence, poses[little], top, deck)
    over, origin = _fit_over(evidence, poses[little], lines, top)
    plain = np.zeros(len(poses) + len(helped) + len(over), np.bool_)
    plain[len(poses) :][: len(helped)] = overhanging & (long_mm >= LONG_MM) & (whole >= WHOLE_SHARE)
    reach_mm = FAR_REACH_MM if overhanging else REACH_MM
    fitted = np.concatenate([_fit_bare(evidence, poses, lines, top, reach_mm), helped, over])
    poses = np.concatenate([poses, poses[little], poses[little][origin]])
    kept = about_the_same(fitted, poses) & ~known(fitted, named)
    fitted, plain = fitted[kept], plain[kept]
    seen, due = _seen_bare(evidence, fitted, lines, top, not_burnt(evidence, fitted, lines) > 0)
    share = seen / np.maximum(due, 1)
    least_mm = np.where(plain, HARDLY_BARE_MM, LEAST_TABLE_MM)
    enough = (seen * FINE_STEP_MM >= least_mm) & (share >= LEAST_SHARE + BUSY_SHARE * busy)
    found = enough.copy()
    if overhanging:
        found |= (seen * FINE_STEP_MM >= CLEAR_MM) & (share >= LEAST_SHARE)
    seen_mm = np.asarray(seen[found] * FINE_STEP_MM, np.float64)
    return _Frames(fitted[found], seen_mm, share[found], enough[found])


def _fit_bare(
    evidence: Evidence, poses: FloatArray, lines: LineSamples, top: TopMap,
    reach_mm: float = REACH_MM,
) -> FloatArray:  # fmt: skip
    """The poses (N, 3) fitted to lines that lie on bare table."""
    for reaches_mm in ((reach_mm,), TWICE):
        bare = _bare(poses, lines, top).astype(np.float64)
        poses = fit_poses(evidence, poses, lines, reaches_mm, bare).poses
    return poses


def _fit_over(
    evidence: Evidence, poses: FloatArray, lines: LineSamples, top: TopMap
) -> tuple[FloatArray, Ints]:
    """The poses (N, 3) fitted to lines on bare table and on one of the cards that they meet: those
    (M, 3) of which most of the frame is seen on that card, and which they are (M,).

    On the table two long sides may be all that shows, along which a card may be shifted; where it
    ends is seen on the card below, and may lie farther off than lines are sought from among others.
    """
    below = top.at(place(poses, lines.places_mm))
    met = [np.unique(own[own > 0], return_counts=True) for own in below]
    origin = np.repeat(np.arange(len(poses)), [len(cards) for cards, _ in met])
    if len(origin) == 0:
        return np.empty((0, 3)), origin
    card = np.concatenate([cards for cards, _ in met])[:, None]
    enough = np.concatenate([number for _, number in met]) * FINE_STEP_MM >= LEAST_OVER_MM
    origin, card = origin[enough], card[enough]
    fitted = poses[origin]
    for reaches_mm in ((FAR_REACH_MM,), TWICE):
        below = top.at(place(fitted, lines.places_mm))
        weights = ((below == 0) | (below == card)).astype(np.float64)
        fit = fit_poses(evidence, fitted, lines, reaches_mm, weights)
        fitted = fit.poses
    on_card = top.at(place(fitted, lines.places_mm)) == card
    seen = (fit.seen & on_card).sum(axis=1)
    kept = (seen * FINE_STEP_MM >= LEAST_OVER_MM) & (seen >= OVER_SHARE * on_card.sum(axis=1))
    return fitted[kept], origin[kept]


def _seen_bare(
    evidence: Evidence, poses: FloatArray, lines: LineSamples, top: TopMap, told: Bools
) -> tuple[Ints, Ints]:
    """How many (N,) of the places of frames on bare table are seen, of how many that are due: of
    those places (N, K) that are `told`.
    """
    bare = _bare(poses, lines, top) & told
    seen = fit_poses(evidence, poses, lines).seen & bare
    return seen.sum(axis=1), bare.sum(axis=1)


def _bare(poses: FloatArray, lines: LineSamples, top: TopMap) -> Bools:
    """Where (N, K) on frames no card read lies."""
    return np.asarray(top.at(place(poses, lines.places_mm)) == 0)


def _roughly_seen(
    evidence: Evidence, poses: FloatArray, top: TopMap, deck: Deck, least_mm: float
) -> tuple[FloatArray, float]:
    """The poses (K, 3) whose frame has white beside most of what would lie on bare table, so much
    at least, and by how much more than usual of that table is white.
    """
    lines = frame_samples(deck.card, ROUGH_STEP_MM)
    bare = _bare(poses, lines, top) & (not_burnt(evidence, poses, lines) > 0)
    enough = bare.sum(axis=1) * ROUGH_STEP_MM >= least_mm
    poses, bare = poses[enough], bare[enough]
    across = _white_across(evidence, poses, lines) & bare[..., None]
    white = across.any(axis=2)
    busy = max(0.0, float(white.sum() / max(bare.sum(), 1)) - BUSY)
    if busy > 0:
        white = across[..., np.abs(ROUGH_OFF_MM) < BUSY_OFF_MM].any(axis=2)
    least = min(LEAST_ROUGH + BUSY_SHARE * busy, MOST_ROUGH)
    return poses[white.sum(axis=1) >= least * bare.sum(axis=1)], busy


def _white_across(evidence: Evidence, poses: FloatArray, lines: LineSamples) -> Bools:
    """Where (N, K, A) it is white `ROUGH_OFF_MM` (A,) beside frames' lines."""
    places = place(poses, lines.places_mm)
    normals = place(poses * [0, 0, 1], lines.normals)
    across = places[:, :, None] + normals[:, :, None] * ROUGH_OFF_MM[:, None]
    values = look_up(evidence.white, evidence.raster.to_raster(across.astype(np.float32)))
    return np.asarray(values > WHITE_LEVEL)


def _candidates(
    evidence: Evidence, named: Named, top: TopMap, frames: _Frames, printed: PrintedDeck
) -> list[_Framed]:
    """The few likeliest cards with such frames, likeliest first."""
    order = np.argsort(-frames.seen_mm * frames.share, kind="stable")
    order = order[first_of_each(frames.poses[order])]
    poses, seen_mm, share = frames.poses[order], frames.seen_mm[order], frames.share[order]
    patches = cut_out(evidence, poses, printed.templates)
    lit = patches.weight > 0.5
    # It lies under the cards beside it, or over some: their lines and its own run on in each other.
    under = (top.on(poses, printed.templates) == 0) * lit
    over = room(evidence, poses, top, printed) * lit
    found, weight = _better(
        [_named(poses, patches, free, named, printed) for free in (under, over)]
    )
    poor = np.clip(found.fit - GOOD_FIT, 0.0, MOST_POOR)
    least_mm = np.where(seen_mm < LEAST_TABLE_MM, HARDLY_BARE_MM, LEAST_TABLE_MM)
    enough = frames.enough[order] | (found.fit <= PLAIN_FIT)
    enough &= seen_mm * share >= least_mm + POOR_FIT_MM * poor
    worth = seen_mm * share / np.maximum(found.fit, BEST_FIT)
    chosen = apart(found.poses, np.where(enough, worth, 0.0))
    chosen = chosen[:MOST_TRIALS]
    if len(chosen) == 0:
        return []
    fine = refine(evidence, found.take(chosen), weight[chosen], printed.templates, passes=5)
    return [_Framed(float(seen_mm[i]), fine.take(np.array([k]))) for k, i in enumerate(chosen)]


def _named(
    poses: FloatArray, patches: Patches, free: Map32, named: Named, printed: PrintedDeck
) -> tuple[Named, Map32]:
    """The likeliest cards by what is `free` (N, P) of them, and with which weight it spoke."""
    # Who is missed by the badge has none that can be read: what spoils it is not the card's.
    speaking = Patches(patches.pixels, patches.weight * free * ~printed.templates.badge)
    start_known = bool((named.rows >= printed.start_row).any())
    found = choose(poses, score_faces(speaking, printed.templates), not start_known)
    too_little = free.mean(axis=1) <= LEAST_FREE
    return replace(found, fit=np.where(too_little, np.inf, found.fit)), speaking.weight


def _better(either: list[tuple[Named, Map32]]) -> tuple[Named, Map32]:
    """Of two readings of each card the one that fits better."""
    (one, weight), (other, other_weight) = either
    first = np.arange(len(one)) + len(one) * (other.fit < one.fit)
    return one.joined(other).take(first), np.concatenate([weight, other_weight])[first]
