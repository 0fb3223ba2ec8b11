"""Strips of ink that run along a card's edge on the black of the cards under it.

Of a card almost exactly under another a strip peeks out, over the table or over other cards.
`vision/doubting/strip_fit.py` asks what shows over the table; here is asked what shows over cards,
on what these draw black.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bools, FloatArray, Ints
from vision.doubting.doubt_context import DoubtContext
from vision.drawing.card_edges import Edges
from vision.drawing.drawn_black import drawn_black

Number = TypeVar("Number", np.float64, np.int64, np.complex128)
STRIP_MM, PAST_MM = (0.6, 0.9), (3.0, 4.0)
"""Beyond the upper card's edge: where a strip shows, and where the black is as it is without."""
WITHIN_MM = 1.5
STRETCH, FEWEST = 10, 7
"""Neighbouring places along a side, 2 mm apart, that are asked together, and of which so many must
tell: one alone is lost in noise."""
LIKENESS, STRENGTH, ERRORS = 0.9, 0.4, 5.0
"""Of hue and strength to an ink in play: narrow strips are blurred with the black beside them; and
in standard errors of the mean: dark, coarse grain has any hue."""
EVERY, GLANCE, GLANCED = 2, (0.8, 0.3), 4
"""At a glance: of the places, so likely and strong, and so many of five neighbouring ones."""
LIKE_OWN, HALF_OWN, STRONGER = 0.7, 0.3, 0.5
"""So much of the upper card's own hue is its own band, blurred; with some of it more is asked. Of
cards almost exactly under others three strips came to 0.54, 0.93 and 0.96 of an ink's strength, one
of 0.9 mm in a haze to 0.44. On 45 free-for-alls without any nothing did but in a lamp's glare."""


def strip_on_black(scene: DoubtContext, cards: Ints | None = None) -> int | None:
    """The card, of some (K,) or of all, along which most plainly a strip of another ink than its
    own shows on the black of a card under it; None where there is no such strip.
    """
    if len(scene.inks) < 2:
        return None
    cards = np.arange(len(scene.table.named)) if cards is None else cards
    inks, own = np.array(list(scene.inks.values())), _own_inks(scene)[cards]
    best: tuple[float, int] | None = None
    for away, error in _beyond_sides(scene, cards):
        strength = np.linalg.norm(away, axis=2)
        hue = away / np.maximum(strength, 1e-6)[..., None]
        like = hue @ _unit(inks).T
        of_own = (hue * own[:, None]).sum(axis=2)
        share = strength / np.linalg.norm(inks, axis=1)[like.argmax(axis=2)]
        least = np.where(of_own < HALF_OWN, STRENGTH, STRONGER)
        told = (like.max(axis=2) > LIKENESS) & (share > least) & (strength > ERRORS * error)
        told &= (of_own < LIKE_OWN) & np.asarray(own.any(axis=1))[:, None]
        share = np.where(told, share, 0.0).max(axis=1)
        if share.any() and (best is None or share.max() > best[0]):
            best = float(share.max()), int(cards[share.argmax()])
    return None if best is None else best[1]


def cards_at_a_glance(scene: DoubtContext) -> Ints:
    """The cards (K,) beside which, over another card, another ink than theirs may run: a glance at
    some places that saves a closer look at most cards.
    """
    if len(scene.inks) < 2:
        return np.empty(0, np.int64)
    edges = scene.edges.thinned(EVERY)
    number = np.arange(1, len(edges.at_mm) + 1)[:, None]
    off_mm, past_mm = float(np.mean(STRIP_MM)), float(np.mean(PAST_MM))
    under = scene.top.at(edges.beyond(past_mm))
    asked = (under > 0) & (under != number)
    asked[asked] = scene.top.at(edges.beyond(off_mm)[asked]) > 0
    past = colours_seen(scene, edges.beyond(past_mm)[asked])
    away, tint = (
        colour - colour.mean(axis=1, keepdims=True)
        for colour in (colours_seen(scene, edges.beyond(off_mm)[asked]) - past, past)
    )
    strength, inks = np.linalg.norm(away, axis=1), np.array(list(scene.inks.values()))
    hue = away / np.maximum(strength, 1e-6)[:, None]
    like = hue @ _unit(inks).T
    likest = np.linalg.norm(inks, axis=1)[like.argmax(axis=1)]
    told = (like.max(axis=1) > GLANCE[0]) & (strength > GLANCE[1] * likest)
    # Beside black: what is as coloured farther out is another card's ink.
    told &= np.linalg.norm(tint, axis=1) < strength
    told &= (hue * _own_inks(scene)[np.nonzero(asked)[0]]).sum(axis=1) < LIKE_OWN
    run = np.zeros(asked.shape, np.int64)
    run[asked] = told
    return np.flatnonzero((in_stretches(run, STRETCH // EVERY) >= GLANCED).any(axis=1))


def _own_inks(scene: DoubtContext) -> FloatArray:
    """The hues (N, 3) of the cards' own inks, by id; 0 of the starting card."""
    return _unit(np.array([scene.inks.get(name, np.zeros(3)) for name in _colours(scene)]))


def _colours(scene: DoubtContext) -> list[str]:
    """The cards' colours, by id."""
    return [card.colour for card in sorted(scene.layout.cards, key=lambda card: card.id)]


def _unit(vectors: FloatArray) -> FloatArray:
    """Vectors (N, 3) of length 1; zeros stay zeros."""
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1), 1e-6)[:, None])


def _beyond_sides(scene: DoubtContext, cards: Ints) -> Iterator[tuple[FloatArray, FloatArray]]:
    """For each of the four sides, of all stretches along that side of some cards (K,), by what
    colour, away from grey, they differ from the black past them, (K, S, 3), and its standard error
    (K, S); infinite where too few places tell, and where the black is brighter in every colour: no
    ink is darker than that, but what lies beside a streak of glare is.
    """
    edges = scene.edges.take(cards)
    asked = on_black(scene, edges, cards, (*STRIP_MM, *PAST_MM))
    more, varied = np.zeros((*asked.shape, 3)), np.zeros((*asked.shape, 1))
    strip, past = (
        np.mean([colours_seen(scene, edges.beyond(off)[asked]) for off in offs], axis=0)
        for offs in (STRIP_MM, PAST_MM)
    )
    more[asked] = strip - past
    varied[asked] = np.square(_from_grey(strip - past)).sum(axis=-1, keepdims=True)
    values = np.concatenate([more, varied, asked[..., None]], axis=2)
    for side in range(4):
        total = in_stretches(values[:, edges.side == side])
        if not total.size:
            continue
        number = np.maximum(total[..., 4], 1.0)
        brighter = (total[..., :3] > 0).any(axis=2)
        mean = _from_grey(total[..., :3] / number[..., None])
        varies = np.maximum(total[..., 3] / number - np.square(mean).sum(axis=2), 0.0)
        error = np.sqrt(varies / number)
        yield mean, np.where(brighter & (total[..., 4] >= FEWEST), error, np.inf)


def _from_grey(colours: FloatArray) -> FloatArray:
    """How far colours (..., 3) are from grey."""
    return np.asarray(colours - colours.mean(axis=-1, keepdims=True))


def in_stretches(values: NDArray[Number], stretch: int = STRETCH) -> NDArray[Number]:
    """Sums (N, S, ...) of values (N, E, ...) over each `stretch` neighbours along a side."""
    total = np.cumsum(values, axis=1)
    total = np.concatenate([np.zeros_like(total[:, :1]), total], axis=1)
    return np.asarray(total[:, stretch:] - total[:, :-stretch])


def colours_seen(scene: DoubtContext, places_mm: FloatArray) -> FloatArray:
    """Colours (K, 3) at places (K, 2), rough table mm."""
    raster = scene.evidence.raster
    return scene.evidence.colour_at(raster.to_raster(places_mm)).astype(np.float64)


def on_black(scene: DoubtContext, edges: Edges, cards: Ints, offs_mm: Sequence[float]) -> Bools:
    """Where (K, E) at such distances beyond the edges that show of cards (K,) lies nothing but what
    one other card draws black, and no glare.
    """
    top, evidence = scene.top, scene.evidence
    named, templates = scene.table.named, scene.table.templates
    number = cards[:, None] + 1
    under = top.at(edges.beyond(PAST_MM[0]))
    out = np.asarray((top.at(edges.beyond(-WITHIN_MM)) == number) & (under != number) & (under > 0))
    for off in offs_mm:
        at = edges.beyond(off)
        here = top.at(at)
        # Who shows is known to half a millimetre.
        out &= (here == under) | ((here == number) & (off < PAST_MM[0]))
        out &= ~evidence.is_washed(at)
        below = under[out].astype(np.int64) - 1
        out[out] = drawn_black(named.poses, named.rows, templates, below, at[out])
    return out
