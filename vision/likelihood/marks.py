"""Badges and symbols as this picture's cards show them: their typeface and place are no deck's.

A face's badge is learned from the other cards read as that face, a colour's symbol from the other
cards of that colour: what a card is compared with never comes from itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.drawing.templates import Templates
from vision.likelihood.drawing import (
    INK_AT,
    MOVED_AT,
    WHITE_AT,
    Bools,
    Guesses,
    Ints,
    Map32,
    put,
)

FloatArray = NDArray[np.float64]
LEAST_SHARE, MOST_SHARE = -0.3, 1.3
FEWEST_OF_SUIT = 3


@dataclass(frozen=True, eq=False)
class SeenMarks:
    """White and ink (N, M, 2) that N cards show at their badges' and symbols' places, `index` (M,)
    of the `templates`' grid, as their own light makes them; `ink_by_white` (N,): by how many
    times as much as the white the ink is off. `whole` (N, 2): whether badge and symbol show; `face`
    and `colour` (N,): what the cards were read as. `least_off`: how much a share may be off however
    many cards tell it; `misprint_mm`: how far all may be.
    """

    templates: Templates
    index: Ints
    shares: Map32
    ink_by_white: FloatArray
    whole: Bools
    face: Ints
    colour: Ints
    least_off: float
    misprint_mm: float

    @cached_property
    def _upside_down(self) -> Bools:
        """Whose (N,) symbol is seen at the other end of the badge than it is drawn at. The places
        of marks turned half round are those of marks, in the reverse order.
        """
        symbol = self.templates.symbol[self.index]
        there, other = self.shares[:, symbol, 0], self.shares[:, symbol[::-1], 0]
        return np.asarray(other.mean(axis=1) > there.mean(axis=1))

    @cached_property
    def _upright(self) -> Map32:
        """The shares (N, M, 2) with marks that may be half turned as they are drawn."""
        turned = self._upside_down & self.templates.either_way[self.face]
        return np.where(turned[:, None, None], self.shares[:, ::-1], self.shares)

    @cached_property
    def _teach(self) -> Bools:
        """Whose badge, and whose symbol (N, 2), tell of others': whole ones, and no badge that
        looks like another suit's, as of a card that was misread.
        """
        badge, suit = self.templates.badge[self.index], self.templates.suit[2 * self.face]
        off = np.full((len(suit), suit.max() + 2), np.inf)
        for k in np.unique(suit).tolist():
            some = self.shares[(suit == k) & self.whole[:, 0]][:, badge]
            if len(some) >= FEWEST_OF_SUIT:
                apart = self.shares[:, badge] - np.median(some, axis=0)
                off[:, k] = np.abs(apart).mean(axis=(1, 2))
        own = off[np.arange(len(suit)), suit]
        own_suit = own <= off.min(axis=1)
        return np.asarray(self.whole & np.stack([own_suit, np.ones_like(own_suit)], axis=1))

    def put_in(self, columns: Map32, spread: Map32, card: int, guesses: Guesses, at: Ints) -> Bools:
        """Put what was seen in place of what is drawn into a card's `columns` (H, K, COLUMNS) of
        guesses at the templates' places `at` (H, K), and how much that may be off in place of how
        much it changes per mm into `spread` (H, K, 2); where (H, K) that was done.
        """
        templates, done = self.templates, np.zeros(at.shape, np.bool_)
        position = np.full(len(templates.grid_mm), -1)
        position[self.index] = np.arange(len(self.index))
        looks = {
            face: self._look(face, guesses.colour, card)
            for face in np.unique(guesses.rows // 2).tolist()
        }
        for h, row in enumerate(guesses.rows.tolist()):
            shares, off, ink_off = looks[row // 2]
            if self.templates.either_way[row // 2] and self._upside_down[card] != guesses.turned[h]:
                shares, off, ink_off = shares[::-1], off[::-1], ink_off[::-1]
            place = position[at[h]]
            here = np.flatnonzero((place >= 0) & np.isfinite(off[place]))
            place = place[here]
            some = columns[h, here]
            put(some, WHITE_AT, shares[place, 0])
            put(some, INK_AT, shares[place, 1])
            some[:, MOVED_AT:] = 0
            columns[h, here] = some
            spread[h, here, 0] = np.hypot(off[place], self.misprint_mm * spread[h, here, 0])
            # A digit's white lies on ink, a symbol's on black.
            ink = -np.maximum(ink_off[place], spread[h, here, 0])
            spread[h, here, 1] = np.where(templates.badge[self.index[place]], ink, 0)
            done[h, here] = True
        return done

    def _look(self, face: int, colour: int, card: int) -> tuple[Map32, FloatArray, FloatArray]:
        """What the marks (M, 2) of a face in a colour look like by all cards but one, how much they
        may be off (M,): by the cards of that face, else of its suit; infinite where none tell; and
        how much their ink may be off (M,).
        """
        templates = self.templates
        badge, others = templates.badge[self.index], np.arange(len(self.face)) != card
        out, off = np.zeros((len(self.index), 2), np.float32), np.full(len(self.index), np.inf)
        ink_off = np.zeros(len(self.index))
        suit = templates.suit[2 * self.face] == templates.suit[2 * face]
        of_face = (self.face == face) & others & self._teach[:, 0]
        of_badge = (of_face, 1) if of_face.any() else (suit, FEWEST_OF_SUIT)
        for part, (teach, fewest), places in (
            (0, of_badge, badge),
            (1, (self.colour == colour, 1), ~badge),
        ):
            some = self._upright[np.flatnonzero(teach & others & self._teach[:, part])][:, places]
            if len(some) < fewest:
                continue
            out[places] = np.median(some, axis=0)
            # Where the digits of a suit differ, that of another face may have either.
            apart = np.abs(some[..., 0] - out[places, 0]).max(axis=0) if fewest > 1 else 0.0
            off[places] = np.maximum(self.least_off, apart)
        tell = np.flatnonzero(suit & others & self._teach[:, 0])
        if np.isfinite(off[badge]).all():
            out[badge, 1], ink_off[badge] = self._ink(out[badge, 0], tell)
        return out, off, ink_off

    def _ink(self, white: Map32, tell: Ints) -> tuple[FloatArray, FloatArray]:
        """The ink (B,) of a badge of which the white (B,) is known, by cards of its suit that
        `tell`, and how much it may be off (B,): where another digit has another white it has
        another ink.
        """
        badge = self.templates.badge[self.index]
        some = self._upright[tell][:, badge]
        unlike = self.least_off * self.ink_by_white[tell][:, None]
        off = np.hypot(unlike, some[..., 0] - white)
        return np.average(some[..., 1], axis=0, weights=off**-2), off.min(axis=0)


def shares_of(over_black: Map32, white: FloatArray, ink: FloatArray, noise: FloatArray) -> Map32:
    """How much white and ink (M, 2), each (3,), make what is seen over black (M, 3)."""
    both = np.stack([white, ink], axis=1) / noise[:, None]
    found = np.linalg.lstsq(both, (over_black / noise).T, rcond=None)[0]
    return np.asarray(np.clip(found.T, LEAST_SHARE, MOST_SHARE), np.float32)


def ink_off_by_white(white: FloatArray, ink: FloatArray, noise: FloatArray) -> float:
    """By how many times as much as the share of white that of ink is off, each (3,), at least once:
    the more like white an ink is, or like black, the less is known of its share.
    """
    both = np.stack([white, ink], axis=1) / noise[:, None]
    of_white, beside_white = np.abs(np.diagonal(np.linalg.qr(both, mode="r"))).tolist()
    return float(max(of_white / max(beside_white, 1.0), 1.0))
