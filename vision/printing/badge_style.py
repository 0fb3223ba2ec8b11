"""Which outlines and sizes the badges of this printing have: those most like what is seen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

import numpy as np

from geometry.deck import DRAWN_BADGES, PRINTED_BADGES, Deck, Suit
from vision.arrays import FloatArray, Map32, unit_rows
from vision.drawing.pose_fit import place_each
from vision.drawing.templates import (
    badge_drawn,
    badge_shape_hw,
    draw_templates,
    in_the_middle,
    places_of,
)
from vision.evidence import Evidence
from vision.naming.name_cards import LEAST_BADGE, badge_like, half_turned
from vision.raster import look_up

MOST_COMPARED = 24
"""Badges, those that are plainest, of which styles are told apart by a dozen."""
SIZES = (0.84, 0.88, 0.92, 0.96, 1.0, 1.04, 1.08, 1.12)
"""Of badges as printings have them, over the deck's; those of each suit as well."""
Sizes = tuple[float, ...]
"""Of each of the suits, in this order."""
SUITS: tuple[Suit, ...] = ("circle", "square", "triangle")
OFF_MM = (-0.5, 0.0, 0.5)
"""Of their place, along either side of the card."""


def deck_as_printed(evidence: Evidence, poses: FloatArray, deck: Deck) -> Deck:
    """The deck with badges in the style that cards at rough poses (N, 3), each known up to a half
    turn, show; as it is where they show none.
    """
    styles = list(dict.fromkeys((deck.badges, PRINTED_BADGES, DRAWN_BADGES)))
    if len(poses) == 0 or all(face.suit is None for face in deck.faces):
        return deck
    decks = [replace(deck, badges=style) for style in styles]
    likeness = np.array([badge_like(evidence, poses, draw_templates(d)) for d in decks])
    plain = np.argsort(-likeness.max(axis=0), kind="stable")[:MOST_COMPARED]
    plain = plain[likeness.max(axis=0)[plain] > LEAST_BADGE]
    if len(plain) == 0:
        return deck
    best = decks[int(likeness[:, plain].mean(axis=1).argmax())]
    return _in_size(evidence, poses[plain], best)


def _in_size(evidence: Evidence, poses: FloatArray, deck: Deck) -> Deck:
    """The deck with badges of the size, and then those of each suit of the size, of which outlines
    are most like those that cards at poses (N, 3) show.
    """
    templates = draw_templates(deck)
    shape_hw = badge_shape_hw(deck.badge_mm, templates.shape_hw)
    # What stands in them differs more from typeface to typeface than their outlines do.
    outline = np.flatnonzero(in_the_middle(templates.outline, templates.shape_hw, shape_hw))
    seen = _middles(evidence, poses, places_of(*shape_hw)[outline])

    @cache
    def likeness(sizes: Sizes) -> FloatArray:
        """How well each badge, the way it lies likeliest, is like each suit's (N, S)."""
        outlines = [_drawn(deck, suit, sizes, shape_hw)[outline] for suit in SUITS]
        like = seen @ unit_rows(np.array(outlines)).T
        return np.asarray(like.max(axis=1), np.float64)

    def likest(some: Iterable[Sizes]) -> Sizes:
        return max(some, key=lambda sizes: float(likeness(sizes).max(axis=1).mean()))

    of_all = sizes = likest((size,) * len(SUITS) for size in SIZES)
    # The sizes of some may tell what others are.
    for k in (*range(len(SUITS)), *range(len(SUITS))):
        sizes = likest((*sizes[:k], size, *sizes[k + 1 :]) for size in SIZES)
    shown = np.bincount(likeness(sizes).argmax(axis=1), minlength=len(SUITS)) > 0
    sizes = tuple(np.where(shown, sizes, of_all).tolist())
    return replace(deck, badges=deck.badges.scaled(*sizes))


def _middles(evidence: Evidence, poses: FloatArray, places_mm: FloatArray) -> Map32:
    """How white (N, W, K) cards at poses (N, 3) are at places (K, 2) on them, each lying in W ways:
    half turned or not, and a little off its place.
    """
    off_mm = np.array([(x, y) for x in OFF_MM for y in OFF_MM])
    ways_mm = (places_mm + off_mm[:, None]).reshape(-1, 2).astype(np.float32)
    ways = [place_each(way, ways_mm[None]) for way in (poses, half_turned(poses))]
    at = evidence.raster.to_raster(np.stack(ways, axis=1))
    seen = look_up(evidence.white, at).astype(np.float32)
    return unit_rows(seen.reshape(-1, len(places_mm))).reshape(len(poses), -1, len(places_mm))


def _drawn(deck: Deck, suit: Suit, sizes: Sizes, shape_hw: tuple[int, int]) -> Map32:
    """White (K,) of a suit's badge without a value on a grid of so many rows and columns."""
    # The circle's size is that of all rims; other suits' have no part in it: it is not drawn anew.
    own = {name: size for name, size in zip(SUITS, sizes, strict=True) if name in ("circle", suit)}
    badges = deck.badges.scaled(**own)
    return np.asarray(badge_drawn(deck.badge_mm, badges, suit, 0, shape_hw)[0].ravel())
