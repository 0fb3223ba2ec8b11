"""Each card exists once per colour: faces are settled for a whole colour at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from vision.drawing.templates import Templates
from vision.naming.badge_correlation import BADGE_LEAD
from vision.naming.colours import Naming
from vision.naming.faces import FaceScores, differences_mm2, without_badges
from vision.naming.name_cards import Named

FloatArray = NDArray[np.float64]
Ints = NDArray[np.int64]
LEAST_APART_MM2 = 4.0
"""Two readings that differ on less of what shows cannot be told apart by it: a fifth of a dot."""
LEAST_LEADS = (0.5, 0.3)
"""Of the ink and white in which two readings differ, the right one explains nearly all; where
they differ on `WIDE_MM2` and more, less will do."""
WIDE_MM2 = 60.0

NEAR_LEAD = 0.7
"""Other readings that the own one leads by less are looked at closer, and weighed by the
likelihood. On drawn tables nine cards of ten lead by more; a wrong face led by 0.58
(docs/decisions/0015)."""
PLAIN_LEAD, PLAIN_MM2, PLAIN_SHARE = 0.6, 12.0, 0.4
"""Where glare and clutter are left out, the right reading leads by this much on what is left; that
must be nearly as much as a dot, and a good part of all in which the two readings differ."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Another reading of a card that the pixels allow: a template row, and whether the card
    lies turned by 180 degrees from where the present reading has it.
    """

    row: int
    turned: bool


CompareFaces = Callable[[Ints, Ints], tuple[FloatArray, FloatArray, FloatArray]]
"""By how much, for cards (K,) and hypotheses (K,), the reading explains the card better than the
hypothesis where either does, on how much they differ there, and on how much in all: mm² (K,).
"""
Witness = Callable[[Ints], FloatArray]
"""How much better (K, H) the badges of cards (K,) look like their own reading's than like every
hypothesis's, as a share of how far apart the two are; 0 where a badge does not say.
"""
Choices = tuple[tuple[Choice, ...], ...]


@dataclass(frozen=True, eq=False)
class FaceWitnesses:
    """What else is asked about faces than how well all of a card fits. `near` (N, H): which are
    looked at closer, as `near_faces` has them. `odds` (N, H): log-odds of
    hypotheses against each card's own, NaN where unknown; what is likelier by over `sure_odds` is
    open, and what is as much less likely is not, unless its drawing fits plainly better: the two
    contradict each other.
    """

    told: CompareFaces
    badges: Witness
    near: NDArray[np.bool_]
    odds: FloatArray
    sure_odds: float


class DealtCards(NamedTuple):
    """Cards, each of a colour and with a face of its own: `best` (N,) are their hypotheses, as
    columns of `scores`; rows from `start_row` on are starting cards'.
    """

    named: Named
    naming: Naming
    scores: FaceScores
    best: Ints
    start_row: int


def settle_faces(
    named: Named, scores: FaceScores, naming: Naming, start_row: int
) -> tuple[Named, Ints]:
    """Give every face of a colour to one card, so that the squared misfits add up to the least.

    Returns the cards, and for each its hypothesis (N,), as columns of `scores`.
    Starting cards (rows from `start_row` on) stay as they are.
    """
    faces = start_row // 2
    costs = _costs(scores)
    per_face = costs.reshape(len(costs), -1, 4).min(axis=2)[:, :faces]
    rows, fit, poses = named.rows.copy(), named.fit.copy(), named.poses.copy()
    best = 2 * rows
    for members in by_colour(named, naming, start_row):
        if len(members) > faces:
            continue
        dealt = linear_sum_assignment(per_face[members])[1]
        for card, face in zip(members, dealt, strict=True):
            best[card] = 4 * face + int(costs[card, 4 * face : 4 * face + 4].argmin())
            rows[card] = best[card] // 2
            poses[card, 2] += np.pi * (best[card] % 2)
            fit[card] = scores.misfit[card, best[card]] / max(float(scores.energy[card]), 1e-6)
    return replace(named, poses=poses, rows=rows, fit=fit), best


def hypothesis_leads(scores: FaceScores, best: Ints, templates: Templates) -> FloatArray:
    """By how much (N, H) each card's own hypothesis, `best` (N,), explains it better than every
    other, as a share of that on which the two differ.
    """
    apart_mm2 = differences_mm2(scores, best, templates)
    return np.asarray(_gaps(scores, best) / np.maximum(apart_mm2, LEAST_APART_MM2))


def near_faces(
    scores: FaceScores, best: Ints, badges: Witness, templates: Templates
) -> NDArray[np.bool_]:
    """Which hypotheses (N, H) are near each card's own, `best` (N,): it leads them by little, by
    all that shows, or by its shapes alone where its badge does not plainly gainsay them. A badge
    that is printed off its place, or in another typeface, looks like any where the card has it.
    """
    near = hypothesis_leads(scores, best, templates) < NEAR_LEAD
    shapes = hypothesis_leads(without_badges(scores, templates), best, templates) < NEAR_LEAD
    cards = np.flatnonzero((shapes & ~near).any(axis=1))
    near[cards] |= shapes[cards] & (badges(cards) < BADGE_LEAD)
    return np.asarray(near)


def _gaps(scores: FaceScores, best: Ints) -> FloatArray:
    costs = _costs(scores)
    return np.asarray(costs - np.take_along_axis(costs, best[:, None], axis=1))


def _costs(scores: FaceScores) -> FloatArray:
    """Squared misfits (N, H) in mm² of what shows: the more shows, the more it says."""
    return np.asarray(scores.misfit * scores.area_mm2[:, None])


def others_possible(
    named: Named, best: Ints, alike: NDArray[np.bool_], start_row: int
) -> NDArray[np.bool_]:
    """Which hypotheses (N, H) would look otherwise than each card's own, `best` (N,): none of a
    starting card, and none that is one.
    """
    possible = ~alike[best]
    possible[:, start_row * 2 :] = False
    possible[named.rows >= start_row] = False
    return np.asarray(possible)


def by_colour(named: Named, naming: Naming, start_row: int) -> list[Ints]:
    """The cards of each colour, starting cards (rows from `start_row` on) aside."""
    played = named.rows < start_row
    colours = np.unique(naming.colour[played])
    return [np.flatnonzero((naming.colour == colour) & played) for colour in colours]


def find_choices(
    dealt: DealtCards, apart_mm2: FloatArray, alike: NDArray[np.bool_], witnesses: FaceWitnesses
) -> tuple[Named, Choices]:
    """What else each card may be, nearest first, as far as the pixels and the deal allow.

    `apart_mm2` (N, H): on how much of what shows of each card a hypothesis
    differs from its own. A face that another card of the colour
    surely has is left out, and so is what looks the same wherever it shows,
    `alike` (H, H). Named's `margin` becomes how clearly the nearest other reading is worse: 1 if
    the pixels look just like the own, 0 if they do not tell.
    """
    named, naming, scores, best, start_row = dealt
    gap = _gaps(scores, best)
    lead = gap / np.maximum(apart_mm2, LEAST_APART_MM2)
    least = _least_leads(apart_mm2)
    better_drawn = lead < -least
    possible = others_possible(named, best, alike, start_row)
    open_ = possible & ((lead < least) | (apart_mm2 < LEAST_APART_MM2))
    near = open_ | (possible & witnesses.near)
    _look_closer(open_, near, lead, apart_mm2, witnesses.told)
    _heed_badges(open_, witnesses.badges)
    with np.errstate(invalid="ignore"):
        open_ |= possible & (witnesses.odds > witnesses.sure_odds)
        open_ &= ~((witnesses.odds < -witnesses.sure_odds) & ~better_drawn)
    strike_out(open_, best, by_colour(named, naming, start_row))
    faces = np.arange(gap.shape[1]) // 4
    margin = np.where(faces[None] < start_row // 2, lead, np.inf)
    margin[alike[best]] = np.inf
    clear = np.clip(margin.min(axis=1), 0.0, 1.0)
    choices = []
    for card in range(len(best)):
        some = np.flatnonzero(open_[card])
        some = some[np.argsort(gap[card, some], kind="stable")]
        choices.append(tuple(Choice(int(h) // 2, bool((h ^ best[card]) & 1)) for h in some))
    return replace(named, margin=clear), tuple(choices)


def _least_leads(apart_mm2: FloatArray) -> FloatArray:
    """Which share of that on which two readings differ the right one must explain."""
    return np.interp(apart_mm2, (LEAST_APART_MM2, WIDE_MM2), LEAST_LEADS)


def _look_closer(
    open_: NDArray[np.bool_], near: NDArray[np.bool_], lead: FloatArray, apart_mm2: FloatArray,
    told: CompareFaces,
) -> None:  # fmt: skip
    """Of what is `near` (N, H) close what is plain once glare and clutter are left out, and open
    what nothing else tells apart; writes `open_` and `lead`.
    """
    cards, others = np.nonzero(near & (apart_mm2 >= LEAST_APART_MM2))
    if len(cards) == 0:
        return
    gap, apart, in_all = told(cards, others)
    plain = gap >= PLAIN_LEAD * apart
    plain &= apart >= np.maximum(PLAIN_MM2, PLAIN_SHARE * in_all)
    was = open_[cards, others]
    untold = gap < _least_leads(apart) * np.maximum(apart, LEAST_APART_MM2)
    open_[cards, others] = (was | untold) & ~plain
    closed = was & plain
    lead[cards[closed], others[closed]] = gap[closed] / apart[closed]


def _heed_badges(open_: NDArray[np.bool_], badges: Witness) -> None:
    """Close what the card's own badge plainly gainsays; writes `open_`."""
    cards = np.flatnonzero(open_.any(axis=1))
    if len(cards) == 0:
        return
    open_[cards] &= badges(cards) < BADGE_LEAD


def strike_out(open_: NDArray[np.bool_], best: Ints, colours: Sequence[Ints]) -> None:
    """Take from every card the faces that others of its colour surely have, over and over; `open_`
    (N, H) are all cards' open hypotheses, which are written, `best` (N,) their own.
    """
    faces, held = np.arange(open_.shape[1]) // 4, best // 4
    for members in colours:
        own = faces == held[members, None]
        while True:
            rivals = open_[members] & ~own
            sure = ~rivals.any(axis=1)
            struck = rivals & own[sure].any(axis=0)
            if not struck.any():
                break
            open_[members] &= ~struck
