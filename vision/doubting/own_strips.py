"""Strips of a card's own ink that run along its edge on the black of the cards under it.

Of a card of the same colour almost exactly under another a strip peeks out that looks as if the
upper card's band were wider there than it is elsewhere: only how wide bands usually look tells.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.arrays import FloatArray, Ints
from vision.doubting.doubt_context import DoubtContext
from vision.doubting.strips_on_black import FEWEST, colours_seen, in_stretches, on_black

STEP_MM = 0.2
ACROSS_MM = np.arange(-2.6, 4.01, STEP_MM)
BAND, BLACK = ACROSS_MM < -1.7, ACROSS_MM > 3.3
"""Where the card's own band is all there is, and where the card under it is black."""
BLACK_AT_MM = (0.6, 1.2, 1.8, 2.4, 3.0, 3.6, 4.0)
STRIP = (ACROSS_MM > 0.1) & (ACROSS_MM < 1.7)
EDGE = ACROSS_MM > -1.3
WITHIN, MOST_LOST = (ACROSS_MM > -1.3) & (ACROSS_MM < -0.1), 0.1
"""Blur lays beside a band what it takes from it; a strip beside it takes none."""
LEAST_INK = 15.0
"""Grey levels away from grey by which a band must differ from the black beside it."""
FEWEST_SIDES = 4
"""Fewer cards' sides do not say how wide bands usually look."""
LIKENESS, STRENGTH, WIDER_MM, LONE = 0.95, 0.45, 0.3, 0.7
"""Of hue and strength to the card's own band; how much wider it looks than bands usually do; and
which share of this no other card may come to. Of cards of one colour almost exactly under another,
1.1 to 1.7 mm off, strips came to 0.53 to 0.91, also in the upper one's shadow. On 38 free-for-alls
without any, one came to 0.44, where two others did as well (worn edges), one to 0.66 by its colour,
but to no width."""


@dataclass(frozen=True, eq=False)
class _Stretches:
    """Neighbouring places along cards' sides, 20 mm each: whose they are, `card` (S,), and on which
    side of it (S,); its `band` away from the black beside it (S, 3); and the picture across its
    edge, away from that black, (S, D, 3).
    """

    card: Ints
    side: Ints
    band: FloatArray
    across: FloatArray


def own_strip(scene: DoubtContext) -> int | None:
    """The card beside which its own ink goes on beyond its edge, on black, as a strip of another
    card's under it would, and beside no other card; None where there is none such.
    """
    seen = _stretches(scene)
    sides, of_side = np.unique(4 * seen.card + seen.side, return_inverse=True)
    if len(sides) < FEWEST_SIDES:
        return None
    share = (seen.across @ seen.band[..., None])[..., 0]
    share /= np.maximum(np.square(seen.band).sum(axis=1), 1e-6)[:, None]
    usual = np.median([share[of_side == k].mean(axis=0) for k in range(len(sides))], axis=0)
    wider = np.clip(share - usual, -0.5, 1.5)[:, EDGE].sum(axis=1) * STEP_MM
    left = (seen.across - usual[:, None] * seen.band[:, None])[:, STRIP].mean(axis=1)
    strip, own = (colour - colour.mean(axis=1, keepdims=True) for colour in (left, seen.band))
    strength, full = np.linalg.norm(strip, axis=1), np.linalg.norm(own, axis=1)
    hue = (strip * own).sum(axis=1) / np.maximum(strength * full, 1e-6)
    whole = (share - usual)[:, WITHIN].mean(axis=1) > -MOST_LOST
    told = (hue > LIKENESS) & (full > LEAST_INK) & (wider > WIDER_MM) & whole
    likely = np.zeros(int(seen.card.max()) + 1)
    np.maximum.at(likely, seen.card, np.where(told, strength / np.maximum(full, 1e-6), 0.0))
    card = int(likely.argmax())
    others = float(np.delete(likely, card).max(initial=0.0))
    return card if likely[card] > STRENGTH and others < LONE * likely[card] else None


def _stretches(scene: DoubtContext) -> _Stretches:
    """All stretches of which enough lies on plain black."""
    edges = scene.edges
    asked = on_black(scene, edges, np.arange(len(edges.at_mm)), BLACK_AT_MM)
    seen = np.zeros((*asked.shape, len(ACROSS_MM), 3))
    for k, off in enumerate(ACROSS_MM):
        seen[asked, k] = colours_seen(scene, edges.beyond(float(off))[asked])
    cards, sides, means = [], [], []
    for side in range(4):
        here = asked[:, edges.side == side]
        number = in_stretches(here.astype(np.float64))
        total = in_stretches(seen[:, edges.side == side])
        card, at = np.nonzero(number >= FEWEST)
        cards.append(card)
        sides.append(np.full(len(card), side, np.int64))
        means.append(total[card, at] / number[card, at, None, None])
    mean = np.concatenate(means)
    across = mean - mean[:, BLACK].mean(axis=1, keepdims=True)
    band = across[:, BAND].mean(axis=1)
    return _Stretches(np.concatenate(cards), np.concatenate(sides), band, across)
