"""The ink of every card, measured against its own black and white."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bools, FloatArray, Ints
from vision.cores import shared_out
from vision.drawing.templates import Templates
from vision.naming.faces import Patches

FEWEST_MEASURED = 48
"""Cards measured by one thread."""
FEWEST_PLACES = 8
"""Of ink, white and black each, below which a card's ink is not measured."""
MOST_PLACES = 300
"""About so many are measured; more say no more: noise moves their median by a third of a level."""
ASKED_FIRST = 900
"""Of ink and of black, of which there is much, about so many places are asked first."""
UNEVEN_SHARE, CLEAR_SHARE = 0.3, 0.34
"""Of the step from black to white: a card's own black varies by less in even light. Where it varies
more, the least hazy third of its ink and of its black is measured."""
DARKEST_INK, PALEST_INK = -1.0, 2.0
"""What would be darker than black, or brighter than white, by as much as white is brighter than
black is no ink's: a lamp's haze lay on the one and not on the other. Inks reach -0.5 and 1.1."""


@dataclass(frozen=True, eq=False)
class Tints:
    """Ink of every card (N, 3) BGR, 0 where the card is black and 1 where it is white, and
    how many grid places it was measured on (N,), none where it was not.
    """

    ink: FloatArray
    places: Ints


def measure_tints(
    patches: Patches, rows: Ints, visible: NDArray[np.float32], templates: Templates
) -> Tints:
    """Ink of each card against its own white and black, from what shows of it."""

    def measured(cards: slice) -> Tints:
        shows = Patches(patches.pixels[cards], patches.weight[cards])
        return _measured(shows, rows[cards], visible[cards], templates)

    parts = shared_out(measured, len(rows), FEWEST_MEASURED)
    return Tints(np.concatenate([p.ink for p in parts]), np.concatenate([p.places for p in parts]))


def _measured(
    patches: Patches, rows: Ints, visible: NDArray[np.float32], templates: Templates
) -> Tints:
    parts = [_parts(templates, row) for row in rows.tolist()]
    shows = (visible > 0.5) & (patches.weight > 0.5)
    inked, lit, dark = (
        _shown(patches, shows, [own[k] for own in parts], few)
        for k, few in enumerate((True, False, True))
    )
    inked = inked.take(inked.whiteness < 128)
    lit = lit.take(lit.whiteness > 153)
    counts = np.stack([of.counts(len(rows)) for of in (inked, lit, dark)], axis=1)
    measured = counts.min(axis=1) >= FEWEST_PLACES
    parted = _under_even_light(inked.thinned(), lit.thinned(), dark.thinned(), measured)
    ink, white, black = (
        of.quantiles(of.channels, len(rows), share)
        for of, share in zip(parted, (0.5, 0.75, 0.5), strict=True)
    )
    blackless = (counts[:, :2].min(axis=1) >= FEWEST_PLACES) & ~measured
    if blackless.any() and measured.any():
        # In the same light black is everywhere the same share of white.
        share = np.median(black[measured] / np.maximum(white[measured], 1.0), axis=0)
        black[blackless] = white[blackless] * share
        measured = measured | blackless
    tints = (ink - black) / np.maximum(white - black, 8.0)
    # One that cannot be an ink says nothing, and is no colour of its own.
    possible = (tints > DARKEST_INK).all(axis=1) & (tints < PALEST_INK).all(axis=1)
    possible &= measured
    tints[~possible] = 0
    return Tints(tints, np.where(possible, counts[:, 0], 0))


@dataclass(frozen=True, eq=False)
class _Pixels:
    """Pixels of several cards as words of four bytes (K,), BGR and white, and whose (K,) they are;
    each card's lie together.
    """

    words: NDArray[np.uint32]
    owner: Ints

    @property
    def whiteness(self) -> NDArray[np.uint8]:
        """How white (K,) they are."""
        return self.words.view(np.uint8)[3::4]

    @property
    def channels(self) -> NDArray[np.uint8]:
        """Their colours (K, 3), BGR."""
        return self.words.view(np.uint8).reshape(-1, 4)[:, :3]

    @property
    def least(self) -> NDArray[np.uint8]:
        """The smallest of the three channels (K, 1)."""
        b, g, r = self.channels.T
        return np.asarray(np.minimum(np.minimum(b, g), r))[:, None]

    def counts(self, cards: int) -> Ints:
        """How many each card has (N,)."""
        return np.asarray(np.bincount(self.owner, minlength=cards), np.int64)

    def take(self, keep: Bools) -> _Pixels:
        """Some of the pixels."""
        return _Pixels(np.compress(keep, self.words), np.compress(keep, self.owner))

    def joined(self, other: _Pixels) -> _Pixels:
        """These, and other cards' pixels."""
        return _Pixels(
            np.concatenate([self.words, other.words]), np.concatenate([self.owner, other.owner])
        )

    def thinned(self) -> _Pixels:
        """About `MOST_PLACES` of every card's, evenly, or all if they are fewer."""
        begin = np.flatnonzero(np.diff(self.owner, prepend=-1))
        end = np.append(begin, len(self.owner))[1:]
        every = np.maximum((end - begin) // MOST_PLACES, 1)
        some = [np.arange(*part) for part in zip(begin, end, every, strict=True)]
        kept = np.concatenate([np.empty(0, np.int64), *some])
        return _Pixels(np.take(self.words, kept), np.take(self.owner, kept))

    def quantiles(self, levels: NDArray[np.uint8], cards: int, share: float) -> FloatArray:
        """The values (N, C) that a share of each card's levels (K, C) lie below, 0 without any.

        Of grey levels the counts tell all that sorting would, for all cards at once.
        """
        channels = levels.shape[1]
        row = channels * self.owner[:, None] + np.arange(channels)
        histograms = np.bincount((256 * row + levels).ravel(), minlength=256 * channels * cards)
        below = histograms.reshape(-1, 256).cumsum(axis=1)
        last = np.repeat(np.maximum(self.counts(cards) - 1, 0), channels)
        at = share * last
        low = at.astype(np.int64)
        first, second = (
            (below <= k[:, None]).sum(axis=1) for k in (low, np.minimum(low + 1, last))
        )
        values = (first + (at - low) * (second - first)).reshape(-1, channels)
        return np.where(self.counts(cards)[:, None] > 0, values, 0.0)


def _shown(patches: Patches, shows: Bools, parts: list[Ints], few: bool) -> _Pixels:
    """Each card's pixels on a part of it (its places on the grid) as far as it `shows` (N, P): of a
    few of the places where that is asked for and enough of them show.
    """
    if not few:
        return _shown_on(patches, shows, np.arange(len(parts)), parts)
    thin = [places[:: max(1, len(places) // ASKED_FIRST)] for places in parts]
    some = _shown_on(patches, shows, np.arange(len(parts)), thin)
    lacking = some.counts(len(parts)) < MOST_PLACES
    again = np.flatnonzero(lacking)
    more = _shown_on(patches, shows, again, [parts[k] for k in again.tolist()])
    return some.take(~lacking[some.owner]).joined(more)


def _shown_on(patches: Patches, shows: Bools, cards: Ints, parts: list[Ints]) -> _Pixels:
    """The pixels of some cards (C,) on a part of each, as far as they show (N, P)."""
    owner = np.repeat(cards, [len(places) for places in parts])
    at = np.concatenate([np.empty(0, np.int64), *parts]) + owner * shows.shape[1]
    seen = np.flatnonzero(np.take(shows, at))
    words = np.take(patches.pixels.view(np.uint32), np.take(at, seen))
    return _Pixels(words, np.take(owner, seen))


def _under_even_light(
    inked: _Pixels, lit: _Pixels, dark: _Pixels, measured: Bools
) -> tuple[_Pixels, _Pixels, _Pixels]:
    """The same ink, white and black, of cards that lie half in a lamp's haze the rest alone.

    Ink in the haze and black beside it, or the other way round, are not each other's. `measured`
    (N,): cards of which enough shows.
    """
    cards = len(measured)
    low, high = (dark.quantiles(dark.least, cards, share)[:, 0] for share in (0.1, 0.9))
    step = lit.quantiles(lit.least, cards, 0.5)[:, 0] - low
    uneven = measured & (high - low >= UNEVEN_SHARE * step)
    if not uneven.any():
        return inked, lit, dark

    def clear(of: _Pixels) -> _Pixels:
        most = of.quantiles(of.least, cards, CLEAR_SHARE)[:, 0]
        return of.take(~uneven[of.owner] | (of.least[:, 0] <= most[of.owner]))

    return clear(inked), lit, clear(dark)


@lru_cache(maxsize=256)
def _parts(templates: Templates, row: int) -> tuple[Ints, Ints, Ints]:
    """Places of the grid, without the symbol, that are surely ink, white or black."""
    white, ink = templates.white[row], templates.ink[row]
    plain = ~templates.symbol
    return (
        np.flatnonzero(plain & (ink > 0.97)),
        np.flatnonzero(plain & (white > 0.7)),
        np.flatnonzero(plain & (white < 0.03) & (ink < 0.03)),
    )
