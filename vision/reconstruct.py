"""From evidence to cards over one another, and what speaks against it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from vision.alignment import align
from vision.colours import Naming, measure_tints, name_colours, symbol_scores
from vision.coverage import TopMap, cover, top_map
from vision.dots import SeenDots, dot_whiteness, find_dots
from vision.evidence import Evidence
from vision.faces import Patches, cut_out, score_faces
from vision.find_cards import poses_from_badges
from vision.hidden_cards import (
    LEAST_LINE_MM,
    Segments,
    all_lines,
    corner_poses,
    fit_corners,
    line_like,
    lines_explained,
    shows_over,
    unexplained_lines,
)
from vision.marks import Marks, find_marks
from vision.name_cards import (
    Named,
    alone_weight,
    badge_fit,
    choose,
    name_cards,
    refine,
    top_weight,
    weighed,
)
from vision.order import Drawing, PairEvidence, bottom_up, compare_pairs
from vision.pose_fit import fit_poses, frame_samples, place
from vision.reading import NotSeen
from vision.start_card import find_start
from vision.templates import Templates, draw_templates
from vision.unique_faces import settle_faces

FloatArray = NDArray[np.float64]
Ints = NDArray[np.int64]
LEAST_PLACES = 6
MOST_HIDDEN = 6
MOST_TRIED = 24
"""Cards sought without their badge; more would mean that something else is wrong."""
LEAST_SHARE = 0.6
LEAST_GAIN_MM = 12.0
MOST_TRIALS = 3
WORSE_COST_MM = 60.0
GOOD_FIT = 0.25
UNLIKELY_FIT = 0.55
CLEAR_BADGE = 0.5
BLANK_DOT_MM = 12.0
"""A dot that should show and does not speaks against a card like this much line."""
LEAST_FREE = 0.08
WORST_HIDDEN_FIT = 0.55


@dataclass(frozen=True, eq=False)
class Table:
    """Everything read from the raster, cards as structure of arrays of length N.

    `order` runs from the lowest card to the topmost; `pairs` holds the
    evidence of who lies on whom and `against` the pairs that had to give way.
    `visible` (N, P): where each card itself shows, on the templates' grid.
    """

    named: Named
    naming: Naming
    order: list[int]
    pairs: PairEvidence
    against: list[tuple[int, int]]
    visible: NDArray[np.float32]
    patches: Patches
    dots: SeenDots
    marks: Marks
    templates: Templates


def reconstruct(evidence: Evidence, deck: Deck) -> Table | NotSeen:
    """Explain the evidence by cards; `NotSeen` where there are none."""
    templates = draw_templates(deck)
    marks = find_marks(evidence)
    named = name_cards(evidence, poses_from_badges(evidence, marks, deck), deck, templates)
    if len(named) == 0:
        return NotSeen(
            "No cards were found in the picture: check that the table is in view, "
            "in focus and lit, and take it again."
        )
    named = _aligned(evidence, named, deck, templates)
    named = _with_start(evidence, named, marks, deck, templates)
    named, order, pairs, against = _ordered(evidence, named, deck, templates)
    named, order, pairs, against, visible = _seen_again(evidence, named, order, deck, templates)
    for _ in range(MOST_HIDDEN):
        more = _with_hidden(evidence, named, order, deck, templates)
        if more is None:
            break
        named, order, pairs, against = _ordered(evidence, more, deck, templates)
        named, order, pairs, against, visible = _seen_again(
            evidence, named, order, deck, templates
        )
    believed = _believed(evidence, named, deck, templates)
    if not believed.all():
        named = named.take(believed)
        named, order, pairs, against = _ordered(evidence, named, deck, templates)
        named, order, pairs, against, visible = _seen_again(
            evidence, named, order, deck, templates
        )
    patches = cut_out(evidence, named.poses, templates)
    naming = _coloured(named, patches, visible, deck, templates)
    scores = score_faces(weighed(patches, visible, templates), templates)
    named = settle_faces(named, scores, naming, 2 * len(deck.faces))
    return Table(
        named, naming, order, pairs, against, visible, patches,
        find_dots(evidence, marks, deck), marks, templates,
    )  # fmt: skip


def _aligned(evidence: Evidence, named: Named, deck: Deck, templates: Templates) -> Named:
    coverage = cover(evidence.raster, named.poses, deck.card, 0.4)
    return refine(evidence, named, alone_weight(named.poses, coverage, templates), templates)


def _with_start(
    evidence: Evidence, named: Named, marks: Marks, deck: Deck, templates: Templates
) -> Named:
    coverage = cover(evidence.raster, named.poses, deck.card, 0.3)
    explained = _small_features(named, deck, templates)
    found = find_start(evidence, marks, explained, coverage, deck, templates)
    if found is None:
        return named
    pose, row, agreement = found
    more = named.with_card(pose, row, 1 - agreement)
    coverage = cover(evidence.raster, more.poses, deck.card, 0.4)
    weights = alone_weight(more.poses, coverage, templates)
    weights[:-1] = 0
    return refine(evidence, more, weights, templates, passes=6)


def _with_hidden(
    evidence: Evidence, named: Named, order: list[int], deck: Deck, templates: Templates
) -> Named | None:
    """One more card, found by lines that no card explains; None where none helps.

    A card is believed in only if it leaves less unexplained than before.
    """
    left = _left_over(evidence, named, order, templates)
    before = float(left.length_mm.sum())
    if before < LEAST_GAIN_MM:
        return None
    best: tuple[float, Named] | None = None
    for one in _hidden_candidates(evidence, named, order, left, deck, templates):
        trial, trial_order, _, _ = _ordered(evidence, named.joined(one), deck, templates)
        after = float(_left_over(evidence, trial, trial_order, templates).length_mm.sum())
        gain = before - after - WORSE_COST_MM * _worse(
            evidence, named, order, trial, trial_order, deck, templates
        )
        gain -= BLANK_DOT_MM * _blank_dots(evidence, trial, trial_order, deck, templates)
        if gain >= LEAST_GAIN_MM and (best is None or gain > best[0]):
            best = (gain, trial)
    return None if best is None else best[1]


def _left_over(
    evidence: Evidence, named: Named, order: list[int], templates: Templates
) -> Segments:
    """Lines like a card's that the cards read so far do not account for."""
    lines = unexplained_lines(evidence, named, order, templates)
    return lines.take(line_like(evidence, lines, named, templates))


def _worse(
    evidence: Evidence, named: Named, order: list[int], trial: Named, trial_order: list[int],
    deck: Deck, templates: Templates,
) -> float:  # fmt: skip
    """How much worse the cards fit where they show, with one more card than without it.

    In shares of a black card's misfit, summed over cards; the new card counts
    for what it misses a good fit by.
    """
    old = _shown_fit(evidence, named, order, deck, templates)
    new = _shown_fit(evidence, trial, trial_order, deck, templates)
    return float((new[: len(old)] - old).sum() + max(0.0, new[-1] - GOOD_FIT))


def _blank_dots(
    evidence: Evidence, trial: Named, order: list[int], deck: Deck, templates: Templates
) -> int:
    """How many dots of the last card should show by the order and are not white."""
    last = len(trial) - 1
    face = deck.face(templates.faces[int(trial.rows[last]) // 2])
    if not face.dots_mm:
        return 0
    flip = -1.0 if trial.rows[last] % 2 else 1.0
    spots = place(trial.poses[last][None], np.asarray(face.dots_mm) * [flip, 1.0])[0]
    top = top_map(evidence.raster, trial.poses, order, deck.card)
    white, burnt = dot_whiteness(evidence, spots, deck)
    return int(((top.at(spots) == last + 1) & (white < 0.3) & (burnt < 0.2)).sum())


def _shown_fit(
    evidence: Evidence, named: Named, order: list[int], deck: Deck, templates: Templates
) -> FloatArray:
    top = top_map(evidence.raster, named.poses, order, deck.card, 0.3)
    visible = top_weight(named.poses, top, templates)
    patches = cut_out(evidence, named.poses, templates)
    scores = score_faces(weighed(patches, visible, templates), templates)
    own = np.take_along_axis(scores.misfit, 2 * named.rows[:, None], axis=1)[:, 0]
    return np.asarray(own / np.maximum(scores.energy, 1e-3))


def _hidden_candidates(
    evidence: Evidence, named: Named, order: list[int], left: Segments,
    deck: Deck, templates: Templates,
) -> list[Named]:  # fmt: skip
    """The few likeliest cards that would account for lines left over, likeliest first."""
    poses = corner_poses(left, all_lines(evidence), deck)
    poses = poses[~_known(poses, named)]
    if len(poses) == 0:
        return []
    top = top_map(evidence.raster, named.poses, order, deck.card, 0.3)
    poses, length, share = fit_corners(evidence, poses, top, deck)
    explained = lines_explained(poses, left, deck)
    likely = np.flatnonzero(
        (length >= LEAST_LINE_MM) & (share >= LEAST_SHARE) & (explained >= LEAST_GAIN_MM)
    )
    likely = likely[np.argsort(-(explained * share)[likely])][:MOST_TRIED]
    if len(likely) == 0:
        return []
    patches = cut_out(evidence, poses[likely], templates)
    free = _room(evidence, poses[likely], top, deck, templates)
    lit = patches.weight > 0.5
    speaking = weighed(patches, free * lit, templates)
    found = choose(poses[likely], score_faces(speaking, templates))
    enough = (free * lit).mean(axis=1) > LEAST_FREE
    worth = np.where(
        enough & (found.fit < WORST_HIDDEN_FIT), (explained * share**2)[likely] / found.fit, 0
    )
    chosen = _apart(found.poses, worth)[:MOST_TRIALS]
    if len(chosen) == 0:
        return []
    fine = refine(evidence, found.take(chosen), speaking.weight[chosen], templates, passes=5)
    return [fine.take(np.array([k])) for k in range(len(fine))]


def _known(poses: FloatArray, named: Named) -> NDArray[np.bool_]:
    """Which poses (M,) are those of cards already read, within 6 mm and 5 degrees."""
    gap = np.linalg.norm(poses[:, None, :2] - named.poses[None, :, :2], axis=2)
    turn = np.abs(np.sin(poses[:, None, 2] - named.poses[None, :, 2]))
    return np.asarray(((gap < 6) & (turn < 0.09)).any(axis=1))


def _room(
    evidence: Evidence, poses: FloatArray, top: TopMap, deck: Deck, templates: Templates
) -> NDArray[np.float32]:
    """1 (N, P) where a candidate may show: on the table, and on the cards that it lies over."""
    lines = frame_samples(deck.card, 1.5)
    fit = fit_poses(evidence, poses, lines, 1.0)
    below = top.at(place(poses, lines.places_mm))
    shows = shows_over(fit.seen, below)
    under = top.at(place(poses, templates.grid_mm))
    room = under == 0
    for i in range(len(poses)):
        for card in np.unique(below[i][shows[i]]):
            room[i] |= under[i] == card
    return room.astype(np.float32)


def _apart(poses: FloatArray, worth: FloatArray) -> Ints:
    """The worthiest poses, best first, leaving out any that shares most of a better one's place."""
    chosen: list[int] = []
    for i in np.argsort(-worth):
        if worth[i] <= 0:
            break
        if all(np.hypot(*(poses[i, :2] - poses[k, :2])) > 4 for k in chosen):
            chosen.append(int(i))
    return np.array(chosen, dtype=np.int64)


def _small_features(named: Named, deck: Deck, templates: Templates) -> FloatArray:
    """Where known cards have dots and symbols, in table mm."""
    spots = []
    for pose, row in zip(named.poses, named.rows, strict=True):
        face = deck.face(templates.faces[row // 2])
        flip = -1.0 if row % 2 else 1.0
        own = np.array([*face.dots_mm, deck.symbol_offset_mm], dtype=np.float64)
        own[:, 0] *= flip
        spots.append(place(pose[None], own)[0])
    return np.concatenate(spots) if spots else np.empty((0, 2))


def _ordered(
    evidence: Evidence, named: Named, deck: Deck, templates: Templates
) -> tuple[Named, list[int], PairEvidence, list[tuple[int, int]]]:
    patches = cut_out(evidence, named.poses, templates)
    coverage = cover(evidence.raster, named.poses, deck.card)
    drawing = Drawing(named.poses, named.rows, named.ink)
    pairs = compare_pairs(drawing, patches, coverage, templates)
    above = {
        (int(a), int(b)) if lead > 0 else (int(b), int(a)): abs(float(lead)) * np.sqrt(places)
        for (a, b), lead, places in zip(pairs.pairs, pairs.lead, pairs.places, strict=True)
        if places >= LEAST_PLACES
    }
    order, against = bottom_up(len(named), above)
    return named, order, pairs, against


def _seen_again(
    evidence: Evidence, named: Named, order: list[int], deck: Deck, templates: Templates
) -> tuple[Named, list[int], PairEvidence, list[tuple[int, int]], NDArray[np.float32]]:
    """With the order known, look at each card where it really shows: face, pose, order again."""
    top = top_map(evidence.raster, named.poses, order, deck.card, 0.3)
    visible = top_weight(named.poses, top, templates)
    patches = cut_out(evidence, named.poses, templates)
    scores = score_faces(weighed(patches, visible, templates), templates)
    again = choose(named.poses, scores)
    start = named.rows >= 2 * len(deck.faces)
    named = _start_sides(evidence, named, start, visible, templates)
    rows = np.where(start, named.rows, again.rows)
    poses = np.where(start[:, None], named.poses, again.poses)
    ink = np.where(start[:, None], 0.0, again.ink)
    named = Named(poses, rows, again.fit, again.margin, again.rivals, ink)
    top = top_map(evidence.raster, named.poses, order, deck.card, 0.3)
    visible = top_weight(named.poses, top, templates)
    named = refine(evidence, named, visible, templates, passes=3)
    named, order, pairs, against = _ordered(evidence, named, deck, templates)
    top = top_map(evidence.raster, named.poses, order, deck.card, 0.3)
    return named, order, pairs, against, top_weight(named.poses, top, templates)


def _believed(
    evidence: Evidence, named: Named, deck: Deck, templates: Templates
) -> NDArray[np.bool_]:
    """Cards (N,) that fit where they show, or at least show their badge."""
    start = named.rows >= 2 * len(deck.faces)
    badge = badge_fit(evidence, named.poses, templates)
    return np.asarray(start | (named.fit < UNLIKELY_FIT) | (badge > CLEAR_BADGE))


def _start_sides(
    evidence: Evidence,
    named: Named,
    start: NDArray[np.bool_],
    visible: NDArray[np.float32],
    templates: Templates,
) -> Named:
    """Look at starting cards again where they show: front or back, whichever fits better."""
    rows, poses = named.rows.copy(), named.poses.copy()
    for i in np.flatnonzero(start):
        front = int(rows[i]) // 2 * 2
        pair = np.repeat(poses[i][None], 2, axis=0)
        sides = np.array([front, front + 1], np.int64)
        shown = np.repeat(visible[i][None], 2, axis=0)
        fitted, _ = align(evidence, pair, sides, shown, templates, 4)
        seen = cut_out(evidence, fitted, templates)
        off = (seen.white / np.float32(255) - templates.white[sides]) ** 2 * shown * seen.weight
        best = int(off.sum(axis=1).argmin())
        rows[i], poses[i] = sides[best], fitted[best]
    return replace(named, rows=rows, poses=poses)


def _coloured(
    named: Named,
    patches: Patches,
    visible: NDArray[np.float32],
    deck: Deck,
    templates: Templates,
) -> Naming:
    tints = measure_tints(patches, named.rows, visible, templates)
    symbols = symbol_scores(patches, named.rows % 2 == 1, visible, templates)
    start = named.rows >= 2 * len(deck.faces)
    return name_colours(tints, symbols, named.rows // 2, deck, start)
