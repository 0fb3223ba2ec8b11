"""Which outlines and sizes the badges of this printing have: those most like what is seen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache, partial

import numpy as np

from geometry.deck import DRAWN_BADGES, PRINTED_BADGES, Badges, Deck
from vision.arrays import FloatArray, Map32
from vision.drawing.pose_fit import place_each
from vision.drawing.templates import badge_drawn, badge_shape_hw, draw_templates, places_of
from vision.evidence import Evidence
from vision.naming.badge_witness import LEAST_APART
from vision.naming.faces import unit_rows
from vision.naming.name_cards import LEAST_BADGE, badge_like, half_turned
from vision.raster import look_up

MOST_COMPARED = 24
"""Badges, those that are plainest, of which styles are told apart by a dozen."""
SIZES = (0.86, 0.93, 1.0, 1.08)
"""Of badges as printings have them, over the deck's; those of one suit as well."""
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
    """The deck with badges of the size, and then those of each suit of the size, that is most like
    what cards at poses (N, 3) show.
    """
    shape_hw = badge_shape_hw(deck.badge_mm, draw_templates(deck).shape_hw)
    seen = _middles(evidence, poses, shape_hw)

    likeness = cache(partial(_likeness, seen, deck, shape_hw))

    def likest(styles: Iterable[Badges]) -> Badges:
        return max(styles, key=likeness)

    badges = likest(deck.badges.scaled(size, size, size) for size in SIZES)
    for suit in ("circle", "square", "triangle"):
        badges = likest(badges.scaled(**{suit: size}) for size in SIZES)
    plainly = likeness(badges) - likeness(deck.badges) > LEAST_APART
    return replace(deck, badges=badges) if plainly else deck


def _middles(evidence: Evidence, poses: FloatArray, shape_hw: tuple[int, int]) -> Map32:
    """How white (N, W, K) the middles of cards at poses (N, 3) are at places of a grid of so many
    rows and columns, each lying in W ways: half turned or not, and a little off its place.
    """
    places_mm = places_of(*shape_hw)
    off_mm = np.array([(x, y) for x in OFF_MM for y in OFF_MM])
    ways_mm = (places_mm + off_mm[:, None]).reshape(-1, 2).astype(np.float32)
    ways = [place_each(way, ways_mm[None]) for way in (poses, half_turned(poses))]
    at = evidence.raster.to_raster(np.stack(ways, axis=1))
    seen = look_up(evidence.white, at).astype(np.float32)
    return unit_rows(seen.reshape(-1, len(places_mm))).reshape(len(poses), -1, len(places_mm))


def _likeness(seen: Map32, deck: Deck, shape_hw: tuple[int, int], badges: Badges) -> float:
    """How well, in the mean, what is seen (N, W, K) is like some suit's badge without a value."""
    suits = {face.suit for face in deck.faces if face.suit is not None}
    drawn = [
        badge_drawn(deck.badge_mm, badges, suit, 0, shape_hw)[0].ravel() for suit in sorted(suits)
    ]
    return float((seen @ unit_rows(np.array(drawn)).T).max(axis=(1, 2)).mean())
