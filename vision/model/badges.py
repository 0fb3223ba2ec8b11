"""What badges look like on a table, and what a card's badge says of its face.

How a printing draws its badges is learned: each face's is the deck's own, in one size for all, and
what cards of its suit, of its value, and of itself show besides, each drawn towards the
deck's own. What lies there is compared wherever it sits to a fraction of a millimetre and however
bright it is: the share of it that is unlike a face's badge, over the share that is left of what is
no badge, tells how likely that face is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Bools, FloatArray, Ints, Map32
from vision.memo import LastAsked
from vision.model.badge_art import SIZES, BadgeArt
from vision.model.drawing import DrawnFaces
from vision.model.footprint import Footprint, Footprints
from vision.model.table import CardId, Place, PlacedCard
from vision.observe.observation import Observation
from vision.reading_config import ReadingConfig

ALIGNED = 3
"""So often at most cards are laid on what they are taken to show, and that is learned again."""
PLAIN = 0.9
"""A badge of which so much shows teaches."""
OF_SUIT_OR_VALUE, OF_FACE = 0.2, 1.0
"""What cards of a suit, a value or a face show besides counts against so many that are as drawn.
Tried on 2,177 badges of 60 pictures: with less and with more, more faces are mistaken."""
MOST_TOLD = 256
"""Of so many places it is kept what their badges say."""


@dataclass(frozen=True, eq=False)
class BadgeSays:
    """What a card's badge says: at `places` (M,) of its footprint, in nats of one look, what each
    face's gains there (2 F, M), upright and then turned, over no badge.
    """

    places: Ints
    nats: Map32


class Badges:
    """What the badges of a table look like, and what each says."""

    def __init__(
        self, seen: Observation, faces: DrawnFaces, prints: Footprints, config: ReadingConfig,
        cards: Sequence[PlacedCard], shown: Mapping[CardId, Bools],
    ) -> None:  # fmt: skip
        """Learn them of some players' cards, of which (N,) places of each footprint are shown."""
        self._seen, self._faces, self._prints, self._config = seen, faces, prints, config
        self._number = _numbers(faces)
        self._told: LastAsked[Place, BadgeSays] = LastAsked(MOST_TOLD)
        self._shows = {card.place: shown[card.id] for card in cards}
        number = {face: k for k, face in enumerate(faces.badges.faces)}
        plain = [c for c in cards if self._weights(c.place).mean() >= PLAIN]
        self._teachers = {card.place: k for k, card in enumerate(plain)}
        own = np.array([number[card.hypothesis.face] for card in plain], np.int64)
        windows = [
            w[::-1, ::-1] if card.hypothesis.turned else w
            for card, w in zip(plain, (self._windows(card.place) for card in plain), strict=True)
        ]
        self._learned = _learned(faces.badges, own, windows)

    def says(self, place: Place) -> BadgeSays:
        """What the badge of a card at a place says."""
        return self._told.answer(place, lambda: self._compared(place))

    def _compared(self, place: Place) -> BadgeSays:
        weights, config = self._weights(place), self._config
        art = self._learned.art(self._teachers.get(place))
        windows, both = self._windows(place), np.concatenate([art, art[:, ::-1]])
        weighted = windows * weights
        energy = np.maximum((weighted * windows).sum(axis=1), 1.0)
        like = np.maximum(weighted @ both.T, 0)
        bright = like / np.maximum(both**2 @ weights, 1e-6)
        # The share (S, 2 F) of what each window shows that each badge explains, as bright as fits.
        explained = bright * like / energy[:, None]
        at, badge = explained.argmax(axis=0), np.arange(len(both))
        best = explained[at, badge]
        turned = np.roll(badge, len(art))
        swaps = np.tile(self._faces.badges.either_way, 2) & (best[turned] > best)
        badge = np.where(swaps, turned, badge)
        at, best = at[badge], best[badge]
        gains = np.log(config.badge_chance / (1 - best + config.badge_rest))
        gains *= config.badge_looks * float(weights.mean()) / 2
        # What a badge gains lies where it explains what shows: what is hidden by another table
        # gains nothing.
        shown = windows[at]
        off = shown - bright[at, badge][:, None] * both[badge]
        parts = (shown**2 - off**2) * weights / energy[at][:, None]
        by_place = parts * (gains / np.maximum(best, 1e-6))[:, None]
        there, number = self._on_disc(self._prints.of(place))
        times = np.bincount(number, minlength=len(weights))
        one_look = config.looks_per_mm2 / self._seen.density**2
        nats = by_place[:, number] / (times[number] * one_look)
        return BadgeSays(there, nats.astype(np.float32))

    def _weights(self, place: Place) -> Map32:
        """Which (P,) of the disc show, 0 or 1; of what is no card of the table all that is seen."""
        taken = self._prints.of(place)
        at_mm = self._faces.badges.places[:, ::-1] / self._config.density
        spot = np.rint(self._seen_at(place, at_mm)).astype(int)
        across, down = (spot - taken.corner[::-1]).T
        rows, columns = taken.number.shape
        inside = (across >= 0) & (across < columns) & (down >= 0) & (down < rows)
        number = taken.number[np.where(inside, down, 0), np.where(inside, across, 0)]
        shows = self._shows.get(place)
        out: Bools = inside & (number >= 0)
        if shows is not None:
            out &= shows[number]
        return np.asarray(out, np.float32)

    def _on_disc(self, taken: Footprint) -> tuple[Ints, Ints]:
        """The places of a footprint that lie on the disc, and which of the disc's each is."""
        number = self._number[taken.on]
        there = np.flatnonzero(number >= 0)
        return there, number[there]

    def _windows(self, place: Place) -> Map32:
        """What lies in the disc (S, P), a bit off each way."""
        art, seen = self._faces.badges, self._seen
        ticks = (np.arange(art.side) - art.side // 2) / (2 * self._config.density)
        x, y = (axis.reshape(-1) for axis in np.meshgrid(ticks, ticks))
        right, down = self._seen_at(place, np.stack([x, y], axis=1)).T.astype(np.float32)
        white = cv2.remap(seen.white, right[None], down[None], cv2.INTER_LINEAR)[0]
        return np.asarray(white[art.windows], np.float32)

    def _seen_at(self, place: Place, at_mm: FloatArray) -> FloatArray:
        """Where points (N, 2) of a card lie in the observation: column and row."""
        seen = self._seen
        at = place.pose.to_table(at_mm)
        eye, high = np.array(seen.lens_mm[:2]), seen.lens_mm[2]
        at = eye + (at - eye) * high / (high - place.height_mm)
        return np.asarray((at - seen.origin_mm) * seen.density)


def _numbers(faces: DrawnFaces) -> Ints:
    """For each place of the drawn grid which of the disc's it is, -1 where it is none."""
    rows, columns = faces.shape_hw
    out = np.full(rows * columns, -1)
    down, right = faces.badges.places.T
    out[(rows // 2 + down) * columns + columns // 2 + right] = np.arange(len(down))
    return out


@dataclass(frozen=True, eq=False)
class _Learned:
    """What teachers showed besides the deck's badges `own` (F, P): the sums (G, P) by suit, value
    and face, of how many each (G,) they are, and the part (N, 3, P) of each teacher in those three.
    `groups` (F, 3) numbers them for each face, `of` (N,) are the teachers' faces.
    """

    own: Map32
    groups: Ints
    sums: Map32
    counts: Map32
    of: Ints
    parts: Map32

    def art(self, without: int | None = None) -> Map32:
        """How white (F, P) badges are by all teachers, or by all but one."""
        sums, counts = self.sums, self.counts
        if without is not None:
            some = self.groups[self.of[without]]
            sums, counts = sums.copy(), counts.copy()
            sums[some] -= self.parts[without]
            counts[some] -= 1
        means = sums / (counts + _drawn(self.groups))[:, None]
        return np.asarray(self.own + means[self.groups].sum(axis=1), np.float32)


def _drawn(groups: Ints) -> Map32:
    """For each group (G,) of so many cards it is taken for granted that they are as drawn."""
    out = np.full(groups.max() + 1, OF_SUIT_OR_VALUE, np.float32)
    out[groups[:, 2]] = OF_FACE
    return out


def _learned(art: BadgeArt, of: Ints, windows: Sequence[Map32]) -> _Learned:
    """What teachers of some faces (N,) show in their windows (S, P), the right way up."""
    number = int(art.groups.max()) + 1
    shape = (len(of), 3, art.own.shape[2])
    parts, sums = np.zeros(shape, np.float32), np.zeros((number, shape[2]), np.float32)
    counts = np.bincount(art.groups[of].reshape(-1), minlength=number).astype(np.float32)
    some = [
        np.concatenate([w, w[::-1, ::-1]]) if art.either_way[face] else w
        for face, w in zip(of, windows, strict=True)
    ]
    size = int(np.abs(SIZES - 1).argmin())
    if not len(of):
        return _Learned(art.own[size], art.groups, sums, counts, of, parts)
    laid = [_laid(some, own[of]) for own in art.own]
    size = int(np.argmin([unlike for _, unlike in laid]))
    shown, drawn = laid[size][0], art.own[size]
    for _ in range(ALIGNED):
        own = drawn * float((shown * drawn[of]).sum() / (drawn[of] ** 2).sum())
        rest, kept = shown - own[of], _drawn(art.groups)
        for k in range(3):
            group = art.groups[of, k]
            parts[:, k], sums[np.unique(group)] = rest, 0
            np.add.at(sums, group, rest)
            rest = rest - (sums / (counts + kept)[:, None])[group]
        learned = _Learned(own, art.groups, sums, counts, of, parts)
        again = _laid(some, learned.art()[of])[0]
        if np.array_equal(again, shown):
            break
        shown = again
    return learned


def _laid(windows: Sequence[Map32], drawn: Map32) -> tuple[Map32, float]:
    """Of each teacher's windows the one (N, P) that is most like what it is taken to show (N, P),
    however bright; and how unlike these are, in the mean.
    """
    shown, unlike = [], []
    for some, art in zip(windows, drawn, strict=True):
        like = np.maximum(some @ art, 0) ** 2 / np.maximum((some**2).sum(axis=1), 1.0)
        best = int(like.argmax())
        shown.append(some[best])
        unlike.append(1 - float(like[best] / max(float(art @ art), 1e-6)))
    return np.array(shown), float(np.mean(unlike))
