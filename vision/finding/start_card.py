"""The starting card: black with white lines, and no ink on its band."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from scipy.spatial import cKDTree

from geometry.deck import Deck
from geometry.fitting import pairings
from vision.arrays import Bools, FloatArray, Ints, Map32
from vision.cores import shared_out
from vision.drawing.coverage import Coverage, cover
from vision.drawing.pose_fit import place, turns
from vision.drawing.printed_deck import PrintedDeck
from vision.drawing.templates import Templates
from vision.evidence import Evidence, sample
from vision.finding.bandless import band_tint, pale_beside
from vision.finding.frames import BESIDE_KNOWN_MM, frames_seen, open_to_view
from vision.finding.neighbour_search import (
    CLEAR_MM,
    CLEAR_SHARE,
    LEAST_SHARE,
    LEAST_TABLE_MM,
)
from vision.naming.name_cards import Named
from vision.observing.dots import circle
from vision.observing.marks import Marks, small_marks
from vision.raster import look_up


class FoundStart(NamedTuple):
    """A starting card: pose (3,), template row, and how well its white and black agree with what
    is seen, at most 1; where it is `framed`, the share of its frame that is seen instead.
    """

    pose: FloatArray
    row: int
    agreement: float
    framed: bool = False

    @property
    def clear(self) -> bool:
        """Whether nothing else that may tell of it needs to be asked."""
        return self.agreement >= CLEAR_AGREEMENT


class StartHints(NamedTuple):
    """What tells of the starting card before cards do: the card as its frame or symbol has it, and
    poses (K, 3) of badges that no known card has, one of which may be its own.
    """

    known: FoundStart | None = None
    badges: FloatArray = np.empty((0, 3))


LEAST_AGREEMENT = 0.5
CLEAR_AGREEMENT, DOUBTFUL_AGREEMENT = 0.9, 0.75
FEW_SUPPORTERS, MANY_SUPPORTERS, SUPPORTED_AGREEMENT, SUPPORT = 2, 3, 0.3, 0.25
"""Where many cards, or few where some of its frame is seen, would each lie exactly on a starting
card at one place, less agreement will do, by so much: glare, curl and other printings' lines spoil
what is seen of it, not where the others lie. On 74 tables it came to at most 0.19 where many would
lie on bare table."""
SAME_MM, SAME_DEG = 3.0, 3.0
MOST_REFINED = 6
STEP_DEG = 3.0
MOST_SPOTS = 24
FEW_PLACES, SOME_PLACES = 200, 600
"""On so few places all poses are tried, on some more the `MOST_POSES` best and those near them; on
all places the best of these.
"""
MOST_POSES = 48
FEWEST_TRIED = 100
"""Poses tried by one thread."""
LEAST_FREE, LEAST_LIT = 0.15, 0.08
"""Share of the starting card that no known card may cover, and that is not washed out either."""
LEAST_SPREAD = 1e-3
SYMBOL_REACH_MM = 5.0
SYMBOL_PART = 0.3
"""What a starting card's symbol may have to do with how well the card agrees: without it, all other
lines agree by at most 0.03 less (in 200 pictures), a die's pip by all."""
_NEAR = np.array(
    [
        [x_mm, y_mm, angle]
        for x_mm in (-0.8, 0, 0.8)
        for y_mm in (-0.8, 0, 0.8)
        for angle in np.deg2rad([-1.5, 0, 1.5])
    ]
)


def start_by_symbol(
    evidence: Evidence, marks: Marks, players: FloatArray, printed: PrintedDeck
) -> FoundStart | None:
    """The starting card as its symbol, alone on black, places it where none of the `players`' cards
    (N, 3 or 9) lies that are known.

    None too where that symbol is all that says so: a dark die with one white pip on a table as
    bright as white, of which nothing is read.
    """
    coverage = cover(evidence.raster, players, printed.deck.card, BESIDE_KNOWN_MM)
    spots = _on_black(evidence, small_marks(marks, printed.deck))
    spots = spots[coverage.count_at(spots) == 0][:MOST_SPOTS]
    if len(spots) == 0:
        return None
    angles = np.deg2rad(np.arange(0, 360, STEP_DEG))
    look = _look(evidence, coverage, printed, np.empty((0, 3)))
    found = look.best_of(_around(spots, angles, printed.deck))
    if found is None:
        return None
    pose, row, agreement, _ = found
    besides = look.places[_off_symbol(printed.templates.grid_mm[look.places], printed.deck)]
    side = row - int(look.rows[0])
    borne_out = look.agreement(pose[None], besides)[0, side] > agreement - SYMBOL_PART
    return found if borne_out else None


def find_start(
    evidence: Evidence, named: Named, coverage: Coverage, hints: StartHints, printed: PrintedDeck
) -> FoundStart | None:
    """The starting card as it is known by its frame or its symbol; where that does not show
    clearly, by where cards that were laid on it legally would have it.

    None where nothing agrees with a starting card's white and black.
    """
    best = hints.known
    if best is not None and best.clear:
        return best
    look = _look(evidence, coverage, printed, named.poses)
    if best is not None and look.inked(best.pose[None]).any():
        best = None
    under = _under_cards(named, printed)
    supporters = supporters_of(under)
    if best is not None:
        # A symbol says no less of a place than a card does that would lie exactly there.
        there = about_there(under.poses, best.pose[None])[:, 0]
        supporters[there & (under.sides == best.row - printed.start_row)] += 1
    if printed.deck.starting_face.suit is not None and len(hints.badges):
        away = np.asarray(cKDTree(hints.badges[:, :2]).query(under.poses[:, :2])[0])
        supporters[away < SAME_MM] += 1
    framed = _by_frame(look, under, supporters)
    if best is not None and best.framed:
        return best if framed is None or framed.agreement < best.agreement else framed
    if framed is not None:
        return framed
    agreed = look.best_of(under.poses[supporters >= MANY_SUPPORTERS])
    other = look.best_of(under.poses)
    if best is None or best.agreement < DOUBTFUL_AGREEMENT or (other and other.clear):
        best = max((b for b in (best, other) if b), key=lambda b: b.agreement, default=None)
    found = best.agreement if best is not None else 0.0
    if agreed is not None and agreed.agreement >= max(SUPPORTED_AGREEMENT, found - SUPPORT):
        return agreed
    return best if found >= LEAST_AGREEMENT else None


def start_under(
    evidence: Evidence, alone: Named, coverage: Coverage, printed: PrintedDeck
) -> FoundStart | None:
    """A starting card that shows between cards that lie `alone`, where the most of these, and not
    few, would lie exactly on it, whatever is drawn on it; None where none would show, or its band
    has ink. `coverage` is that of all players' cards.
    """
    look, under = _look(evidence, coverage, printed, alone.poses), _under_cards(alone, printed)
    supporters = supporters_of(under)
    many = supporters >= MANY_SUPPORTERS
    poses, sides, supporters = under.poses[many], under.sides[many], supporters[many]
    places_mm = printed.templates.grid_mm[look.places]
    _, free, _ = open_to_view(evidence, poses, coverage, places_mm)
    shows = free.mean(axis=1) > LEAST_FREE
    shows[shows] = ~look.inked(poses[shows])
    if not shows.any():
        return None
    agreed = look.agreement(poses, look.places)[np.arange(len(poses)), sides]
    # What is drawn on it tells where as many cards would lie on either of two.
    best = int(np.where(shows, supporters + agreed / 2, 0).argmax())
    there = about_there(poses, poses[best, None])[:, 0] & (sides == sides[best])
    return FoundStart(_middle(poses[there]), int(look.rows[sides[best]]), float(agreed[best]))


def agreements(
    evidence: Evidence, poses: FloatArray, rows: Ints, coverage: Coverage, printed: PrintedDeck
) -> FloatArray:
    """How well (M,) starting cards at poses (M, 3), of template rows (M,), agree with what is seen
    where no other card lies: at most 1, and -1 where next to nothing shows.
    """
    look = _look(evidence, coverage, printed, np.empty((0, 3)))
    sides = look.agreement(poses[:, :3], look.places)
    return np.asarray(sides[np.arange(len(poses)), rows - printed.start_row])


def start_by_frame(
    evidence: Evidence, named: Named, coverage: Coverage, printed: PrintedDeck
) -> FoundStart | None:
    """The starting card where most of its frame is seen and cards would lie exactly on it, whatever
    colour a lamp gives its band.
    """
    under = _under_cards(named, printed)
    look = _look(evidence, coverage, printed, np.empty((0, 3)))
    return _by_frame(look, under, supporters_of(under), any_tint=True)


def _by_frame(
    look: _Look, under: Under, supporters: Ints, any_tint: bool = False
) -> FoundStart | None:
    """The starting card where most of its frame is seen round a band without ink, or of `any_tint`,
    whatever is drawn inside it: printings differ there. What agrees is the share of the frame that
    is seen.
    """
    # Turned half round, or turned over, a frame is the same.
    poses = np.column_stack([under.poses[:, :2], under.poses[:, 2] % np.pi])
    first = np.unique(np.round(poses, 1), axis=0, return_index=True)[1]
    poses, seen_mm, share = frames_seen(
        look.evidence, poses[first], look.coverage, look.printed.deck
    )
    # Chance hardly has a frame and a pale band where two cards would lie exactly on one.
    on_two = (supporters[first] >= FEW_SUPPORTERS) & (share >= LEAST_SHARE)
    clear = (on_two & (seen_mm * share >= LEAST_TABLE_MM)) | (
        (seen_mm >= CLEAR_MM) & (share >= CLEAR_SHARE)
    )
    if not any_tint:
        clear[clear] = look.inkless(poses[clear])
    if not clear.any():
        return None
    best = int((clear * supporters[first] * seen_mm * share).argmax())
    # Of those about there it lies where most of its frame is seen.
    best = int((clear * about_there(poses, poses[best, None])[:, 0] * seen_mm).argmax())
    ways = poses[best] + np.array([[0, 0, 0], [0, 0, np.pi]])
    there = about_there(under.poses, ways)
    cards = [[supporters[on & (under.sides == k)].max(initial=0) for k in (0, 1)] for on in there.T]
    # Which way it lies more cards say, or where as many say either, what is drawn inside.
    told = np.array(cards) + look.agreement(ways, look.places) / 2
    way, side = divmod(int(told.argmax()), 2)
    return FoundStart(ways[way], int(look.rows[side]), float(share[best]), True)


def _look(
    evidence: Evidence, coverage: Coverage, printed: PrintedDeck, players: FloatArray
) -> _Look:
    front = printed.start_row
    rows = np.array([front, front + 1])
    return _Look(evidence, coverage, printed, rows, _telling(printed.templates, front), players)


@dataclass(frozen=True, eq=False)
class _Look:
    """How well starting cards agree with what is seen where no known card lies; `players` (N, 3 or
    9) are where cards lie that have ink on their bands; without any, no band is said to have ink.
    """

    evidence: Evidence
    coverage: Coverage
    printed: PrintedDeck
    rows: Ints
    places: Ints
    players: FloatArray

    @cached_property
    def least_ink(self) -> float:
        """How coloured a band is at least that has ink, grey levels; NaN where no card tells."""
        shows = self.coverage.counts_on(self.players, self.printed.templates) <= 1
        return pale_beside(band_tint(self.evidence, self.players, shows, self.printed))

    def best_of(self, poses: FloatArray) -> FoundStart | None:
        """The best pose near any of these (M, 3), its template row and its agreement."""
        if len(poses) == 0:
            return None
        few, some = (
            self.places[:: max(1, len(self.places) // number)]
            for number in (FEW_PLACES, SOME_PLACES)
        )
        rough = self.agreement(poses, few).max(axis=1)
        poses = poses[np.argsort(-rough, kind="stable")[:MOST_POSES]]
        score = self.agreement(poses, some)
        for tried, places in ((MOST_REFINED, some), (1, self.places), (1, self.places)):
            tops = np.argsort(-score.max(axis=1), kind="stable")[: MOST_REFINED * tried]
            # Only where a card lies exactly is its band not the table beside it.
            tops = tops[~self.inked(poses[tops])][:tried] if tried == 1 else tops[:tried]
            if len(tops) == 0:
                return None
            poses = (poses[tops][:, None] + _NEAR).reshape(-1, 3)
            score = self.agreement(poses, places)
        best, side = divmod(int(score.argmax()), len(self.rows))
        return FoundStart(poses[best], int(self.rows[side]), float(score[best, side]))

    def inked(self, poses: FloatArray) -> Bools:
        """Which poses (M, 3) have ink where the band of a starting card would lie in sight: a
        player's card lies there.
        """
        return np.asarray(self._tint(poses) >= self.least_ink)

    def inkless(self, poses: FloatArray) -> Bools:
        """Where (M,) the band of a starting card at poses (M, 3) is in sight and has no ink."""
        return np.asarray(self._tint(poses) < self.least_ink)

    def _tint(self, poses: FloatArray) -> FloatArray:
        """How coloured (M,) bands at poses (M, 3) are where no known card lies."""
        shows = self.coverage.counts_on(poses, self.printed.templates) == 0
        return band_tint(self.evidence, poses, shows, self.printed)

    def agreement(self, poses: FloatArray, places: Ints) -> FloatArray:
        """Correlation (M, R) of white seen and drawn, where no known card lies."""
        templates = self.printed.templates

        def agree(part: slice) -> FloatArray:
            places_mm = templates.grid_mm[places]
            at, free, lit = open_to_view(self.evidence, poses[part], self.coverage, places_mm)
            seen = np.asarray(look_up(self.evidence.white, at) / np.float32(255), np.float32)
            drawn = templates.white[self.rows][:, places]
            out = _correlations(seen, drawn, lit.astype(np.float32))
            out[(free.mean(axis=1) <= LEAST_FREE) | (lit.mean(axis=1) <= LEAST_LIT)] = -1
            return out

        return np.concatenate(shared_out(agree, len(poses), FEWEST_TRIED))


def side_by_cards(named: Named, start: int, printed: PrintedDeck) -> int:
    """The side of the starting card, index `start`, on which more of the other cards lie exactly,
    1 for its back; its own where both have as many.
    """
    front, back = cards_by_side(named, start, printed)
    return int(named.rows[start]) % 2 if front == back else int(back > front)


def cards_by_side(named: Named, start: int, printed: PrintedDeck) -> tuple[int, int]:
    """How many cards lie exactly on a starting card about where this one, index `start`, lies, if
    that shows its front and if it shows its back.
    """
    under = under_others(named, start, printed)
    there = about_there(under.poses, named.poses[start, None, :3])[:, 0]
    front, back = (len(np.unique(under.owner[there & (under.sides == k)])) for k in (0, 1))
    return front, back


def where_cards_have_it(named: Named, start: int, printed: PrintedDeck) -> FloatArray | None:
    """Where (3,) the cards that lie on the starting card, index `start`, have it: in the middle, as
    a single card lies as far off its place as hands lay cards, and all of them together hardly.
    None where few lie on it.
    """
    under, own = under_others(named, start, printed), named.poses[start, None, :3]
    there = about_there(under.poses, own)[:, 0] & (under.sides == int(named.rows[start]) % 2)
    if len(np.unique(under.owner[there])) < MANY_SUPPORTERS:
        return None
    return _middle(under.poses[there])


def about_there(poses: FloatArray, others: FloatArray) -> Bools:
    """Which poses (M, 3) lie about where others (K, 3) do: (M, K)."""
    near = np.linalg.norm(poses[:, None, :2] - others[None, :, :2], axis=2) < SAME_MM
    near &= np.cos(poses[:, None, 2] - others[None, :, 2]) > np.cos(np.deg2rad(SAME_DEG))
    return np.asarray(near)


def _middle(poses: FloatArray) -> FloatArray:
    """The median (3,) of poses (M, 3) that lie about the same place."""
    turn = (poses[:, 2] - poses[0, 2] + np.pi) % (2 * np.pi) - np.pi
    return np.array([*np.median(poses[:, :2], axis=0), poses[0, 2] + np.median(turn)])


@dataclass(frozen=True, eq=False)
class Under:
    """Poses (M, 3) of starting cards on which a known card would lie exactly, which one (M,), and
    on which side (M,) the starting card then lies, 1 for its back.
    """

    poses: FloatArray
    owner: Ints
    sides: Ints


def supporters_of(under: Under) -> Ints:
    """How many different cards have a starting card about where each is, on the same side."""
    count = len(under.poses)
    if count == 0:
        return np.empty(0, np.int64)
    # Of thousands of poses only a few lie near each other.
    pairs = cKDTree(under.poses[:, :2]).query_pairs(SAME_MM, output_type="ndarray")
    one, other = pairs.T
    alike = np.cos(under.poses[one, 2] - under.poses[other, 2]) > np.cos(np.deg2rad(SAME_DEG))
    alike &= under.sides[one] == under.sides[other]
    own = np.arange(count)
    at = np.concatenate([own, one[alike], other[alike]])
    owner = np.concatenate([under.owner, under.owner[other[alike]], under.owner[one[alike]]])
    told = np.unique(np.stack([at, owner], axis=1), axis=0)
    return np.bincount(told[:, 0], minlength=count).astype(np.int64)


def under_others(named: Named, start: int, printed: PrintedDeck) -> Under:
    """Starting cards on which each card but the starting one, index `start`, would lie exactly."""
    others = np.flatnonzero(np.arange(len(named)) != start)
    return _under_cards(named.take(others), printed)


def _under_cards(named: Named, printed: PrintedDeck) -> Under:
    """Starting cards on which each known card would lie exactly, in all ways."""
    start, poses = printed.deck.starting_face, [np.empty((0, 3))]
    owner, sides = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for card, (pose, row) in enumerate(zip(named.poses, named.rows, strict=True)):
        face = printed.deck.face(printed.templates.faces[int(row) // 2])
        flip = -1.0 if row % 2 else 1.0
        for same_side in (True, False):
            ways = pairings(face, start, same_side)
            if not ways.shapes:
                continue
            on = place(pose[None], (ways.on_mm * [flip, 1.0]).reshape(-1, 2))[0].reshape(-1, 4, 2)
            own_flip = flip if same_side else -flip
            poses.append(_brought(ways.of_mm * [own_flip, 1.0], on))
            owner.append(np.full(len(on), card))
            sides.append(np.full(len(on), int(own_flip < 0)))
    return Under(np.concatenate(poses), np.concatenate(owner), np.concatenate(sides))


def _brought(own: FloatArray, on: FloatArray) -> FloatArray:
    """Poses (K, 3) that bring corners (K, 4, 2) onto others (K, 4, 2)."""
    middle, target = own.mean(axis=1), on.mean(axis=1)
    one, two = own - middle[:, None], on - target[:, None]
    cross = (one[..., 0] * two[..., 1] - one[..., 1] * two[..., 0]).sum(axis=1)
    turn = np.arctan2(cross, (one * two).sum(axis=(1, 2)))
    cos, sin = np.cos(turn), np.sin(turn)
    moved = np.stack(
        [cos * middle[:, 0] - sin * middle[:, 1], sin * middle[:, 0] + cos * middle[:, 1]], axis=1
    )
    return np.asarray(np.column_stack([target - moved, turn]))


def _on_black(evidence: Evidence, marks: Marks) -> FloatArray:
    """Marks (K, 2) with nothing white in a ring round them: a symbol stands alone on black.

    The most compact and clearest come first.
    """
    spots = marks.mass_mm
    outer = spots[:, None] + np.concatenate([circle(3.6, 16), circle(4.4, 16)])
    inner = spots[:, None] + circle(0.6, 4)
    raster = evidence.raster
    round_ = sample(evidence.least, raster.to_raster(outer)).max(axis=1)
    middle = sample(evidence.least, raster.to_raster(inner)).mean(axis=1)
    contrast = middle - round_
    order = np.argsort(-contrast)
    return np.asarray(spots[order[contrast[order] > 10 + 5 * evidence.noise]])


def _around(spots: FloatArray, angles: FloatArray, deck: Deck) -> FloatArray:
    """Poses whose symbol lies on each spot, at each angle."""
    offset = turns(angles) @ np.asarray(deck.symbol_offset_mm)
    middles = spots[:, None, :] - offset[None]
    turn = np.broadcast_to(angles[None, :, None], (*middles.shape[:2], 1))
    return np.concatenate([middles, turn], axis=2).reshape(-1, 3)


def _off_symbol(places_mm: FloatArray, deck: Deck) -> Bools:
    """Which places (K, 2) of a starting card, as it shows either side, are none of its symbol."""
    symbol = np.asarray(deck.symbol_offset_mm)
    gaps = [np.linalg.norm(places_mm - symbol * [flip, 1.0], axis=1) for flip in (1.0, -1.0)]
    return np.asarray(np.minimum(*gaps) > SYMBOL_REACH_MM)


@lru_cache(maxsize=4)
def _telling(templates: Templates, front: int) -> Ints:
    """A few hundred places of the grid: on the starting card's band and lines, and on the black
    beside them; `front` is its row, and its back's the next.
    """
    rows = [front, front + 1]
    row, column = np.divmod(np.arange(len(templates.grid_mm)), templates.shape_hw[1])
    coarse = (row % 3 == 0) & (column % 3 == 0)
    sure = ((templates.white[rows] > 0.75) | (templates.white[rows] < 0.1)).all(axis=0)
    return np.flatnonzero(coarse & sure)


def _correlations(seen: Map32, drawn: Map32, weight: Map32) -> FloatArray:
    """Weighted correlations (M, R) of rows of `seen` (M, K) with rows of `drawn` (R, K)."""
    total = np.maximum(weight.sum(axis=1), 1e-9)[:, None]
    weighed = seen * weight
    mean_seen = weighed.sum(axis=1)[:, None] / total
    mean_drawn = weight @ drawn.T / total
    cov = weighed @ drawn.T / total - mean_seen * mean_drawn
    spread_seen = np.einsum("mk,mk->m", weighed, seen)[:, None] / total - mean_seen**2
    spread_drawn = weight @ (drawn**2).T / total - mean_drawn**2
    spread = np.sqrt(np.maximum(spread_seen, 0) * np.maximum(spread_drawn, 0))
    # What is the same everywhere is like nothing: all that is left of it are rounding errors.
    alike = np.where(spread > LEAST_SPREAD, cov, 0.0) / np.maximum(spread, LEAST_SPREAD)
    return np.asarray(alike, np.float64)
