"""Which colour each card has: groups found in the picture, named by symbols and the deck."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter

from vision.drawing.templates import TEMPLATE_DENSITY, Templates
from vision.naming.faces import Patches

FloatArray = NDArray[np.float64]
Ints = NDArray[np.int64]
WHITEST = 1.2
"""A symbol may be seen so much whiter than it is drawn: what is white is a share of the clearest
white near by."""
MORE_BLUR_MM = (0.0, 0.2, 0.35, 0.5)
"""Sigmas by which symbols may be blurred beyond what they are drawn with (0.35 mm): in all up to
0.6 mm."""
GAMMAS = (1.0, 0.7)
"""A lens blurs light, and half as much light is more than half as bright in a picture: what is
blurred looks wider, and the gap between two bars paler."""
MOST_MIXED = 8.0
"""By so much another colour's symbol may fit cards of a colour better than their own, in all: by at
most 4.8 in 858 groups of 220 hard tables; by 11 to 160 where inks had run together in light of one
colour or on black that was pale (`beyond`)."""
PLAIN_INK = 0.98
"""How sure a colour is by its ink from which on no symbol says otherwise."""
GAINSAID = 0.4
"""How sure a colour is that the symbols gainsay: less than any is by its ink alone."""


@dataclass(frozen=True, eq=False)
class Naming:
    """Colour index of every card (N,), into the templates' colours, and how sure (N,), 0 to 1.

    `open_names`: pairs of colours of which it is not clear which group of cards is which, the one
    read first.
    """

    colour: Ints
    confidence: FloatArray
    runner_up: Ints
    open_names: tuple[tuple[int, int], ...] = ()


def symbol_scores(
    patches: Patches,
    mirrored: NDArray[np.bool_],
    visible: NDArray[np.float32],
    templates: Templates,
) -> FloatArray:
    """How well each colour's symbol (N, C, without the starting one) fits what each card shows.

    Log-likelihood-like: 0 where the symbol cannot be seen.
    """
    where = templates.symbol
    seen = np.asarray(patches.white[:, where] / np.float32(255), np.float32)
    weight = np.asarray(patches.weight[:, where] * visible[:, where], np.float32)
    total = np.maximum(weight.sum(axis=1), 1.0)[:, None]
    covered = weight.mean(axis=1) < 0.8
    drawn = blurred_symbols(templates)
    fits = -_misfits(seen, weight, drawn.reshape(-1, drawn.shape[-1])) / total
    fits = fits.reshape(len(seen), *drawn.shape[:-1])
    front, back = fits[:, :, 0], fits[:, :, 1]
    # Printings differ in whether a symbol is mirrored on the back.
    either = np.where(mirrored[:, None, None], np.maximum(front, back), front)
    # One lens drew them all: what explains most of them is how blurred they are.
    likeliest = either[~covered].max(axis=2).sum(axis=0).argmax()
    out = either[:, likeliest].astype(np.float64)
    out -= out.mean(axis=1, keepdims=True)
    out[covered] = 0
    return np.asarray(out * 160, np.float64)


@lru_cache(maxsize=4)
def blurred_symbols(templates: Templates) -> NDArray[np.float32]:
    """The colours' symbols (B, 2, C, S), front and back, at the symbol's places, as they may look:
    blurred so much or so much more, and light at their rims as in the picture or in the lens.
    """
    rows, columns = templates.shape_hw
    drawn = templates.symbols[:-1].reshape(-1, rows, columns)
    blurred = [
        gaussian_filter(drawn, (0, mm, mm)) for mm in np.multiply(MORE_BLUR_MM, TEMPLATE_DENSITY)
    ]
    looks = np.stack([np.clip(one, 0, 1) ** gamma for gamma in GAMMAS for one in blurred])
    sides = np.stack([looks, looks[..., ::-1]], axis=1)
    flat = sides.reshape(*sides.shape[:3], rows * columns)
    return np.ascontiguousarray(flat[..., templates.symbol], np.float32)


def _misfits(
    seen: NDArray[np.float32], weight: NDArray[np.float32], drawn: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Squared misfits (N, C) of what is seen (N, S) with drawings (C, S), as pale as fits best.

    Blur takes more of thin bars' whiteness than of a disc's.
    """
    likeness, own = (seen * weight) @ drawn.T, weight @ (drawn**2).T
    paleness = np.clip(likeness / np.maximum(own, np.float32(1e-6)), 0, WHITEST)
    energy = np.einsum("ns,ns->n", seen**2, weight)[:, None]
    return np.asarray(energy - 2 * paleness * likeness + paleness**2 * own)


def by_symbol(naming: Naming, cards: Ints, symbols: FloatArray) -> Naming:
    """The naming with some of the cards (K,) of the colours whose symbols (N, C) they plainly bear:
    what lies unseen over a card has ink of its own. The same object where none bears another's.
    """
    best = symbols[cards].argmax(axis=1)
    own = naming.colour[cards]
    plain = symbols[cards, best] - symbols[cards, own] > MOST_MIXED
    plain &= naming.confidence[cards] < PLAIN_INK
    if not plain.any():
        return naming
    colour, confidence = naming.colour.copy(), naming.confidence.copy()
    runner, told = naming.runner_up.copy(), cards[plain]
    colour[told], runner[told], confidence[told] = best[plain], own[plain], GAINSAID
    return replace(naming, colour=colour, confidence=confidence, runner_up=runner)
