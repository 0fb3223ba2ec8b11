"""Doubts about ink of another colour on what is read as a card's black or white.

A card that lies on this one and was missed may show little more than its ink: its lines may lie
where this one draws some, and its badge under others.
"""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.layout import Card
from vision.pose_fit import place
from vision.reading import Doubt
from vision.scene import Scene
from vision.templates import TEMPLATE_DENSITY

FloatArray = NDArray[np.float64]
Image8 = NDArray[np.uint8]
LIKENESS, OWN_LIKENESS, STRENGTH, NOISES = 0.94, 0.75, 0.6, 3.0
"""Of hue and strength to an ink in play; and its strength beside the picture's noise."""
LEAST_DRAWN, CLEAR_PLACES = 0.1, 2
"""Of the grid, half a millimetre each: round ink that is drawn."""
BLEEDS_MM = 3.0
"""So far beyond its edge a JPEG may leave something of a card's colour."""
MOST_LIGHT = 0.5
"""Of the step from an ink's darkest channel to its brightest: so much brighter than a card's black
the darkest may be. A lamp's haze brightens all of them, and may have an ink's hue."""
LEAST_MM2 = 25.0
"""In one piece: of a missed card's ink 91 mm² showed on the starting card; where a dim, tinted
light makes black look like purple, grains join to 16."""


def foreign_ink_doubts(scene: Scene) -> Iterable[Doubt]:
    """Cards on which another colour's ink shows, unless the numbers of cards say that none was
    missed.
    """
    if scene.none_is_missing or not scene.inks:
        return
    for card in scene.layout.cards:
        spot = _foreign_ink(scene, card)
        if spot is not None:
            reason = "another colour's ink shows on this card: one may have been missed on it"
            changes = scene.any_colour
            yield Doubt("missing", card.id, scene.at_px(spot), reason, changes, changes)


def _foreign_ink(scene: Scene, card: Card) -> FloatArray | None:
    """The middle (2,), rough table mm, of a patch of another colour's ink that shows on a card's
    black and white; None where there is no more than chance leaves.
    """
    others = {name: ink for name, ink in scene.inks.items() if name != card.colour}
    least = LEAST_MM2 * TEMPLATE_DENSITY**2
    if not others:
        return None
    found = _inked(scene, card.id, np.array(list(others.values())), scene.inks.get(card.colour))
    for colour, inked in zip(others, found, strict=True):
        if inked.sum() < least:
            continue
        some = (inked & ~_beside_known(scene, card.id, colour)).astype(np.uint8)
        some = cv2.morphologyEx(some, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        _, pieces, stats, _ = cv2.connectedComponentsWithStats(some)
        area = stats[:, cv2.CC_STAT_AREA]
        area[0] = 0
        if area.max() >= least:
            patch = np.flatnonzero(pieces == area.argmax())
            middle = scene.table.templates.grid_mm[patch].mean(axis=0)
            return np.asarray(place(scene.table.named.poses[card.id][None], middle[None])[0, 0])
    return None


def _beside_known(scene: Scene, card: int, colour: str) -> NDArray[np.bool_]:
    """Where (H, W) on a card's grid a known card of a colour lies on top, or near by: its ink runs
    over its edge.
    """
    table, templates = scene.table, scene.table.templates
    top = table.stack.top.on(table.named.poses[[card]], templates)[0].reshape(templates.shape_hw)
    known = [other.id + 1 for other in scene.layout.cards if other.colour == colour]
    reach = 2 * round(BLEEDS_MM * TEMPLATE_DENSITY) + 1
    near = cv2.dilate(np.isin(top, known).astype(np.uint8), np.ones((reach, reach), np.uint8))
    return np.asarray(near > 0)


def _inked(scene: Scene, card: int, inks: FloatArray, own: FloatArray | None) -> NDArray[np.bool_]:
    """Where each of some inks (C, 3) shows on what a card draws black or white, and not its `own`,
    of which a JPEG spreads the colour: maps (C, H, W) of the templates' grid.
    """
    table, templates = scene.table, scene.table.templates
    shape, patches = templates.shape_hw, table.stack.patches
    reach = np.ones((2 * CLEAR_PLACES + 1,) * 2, np.uint8)
    shown = ((table.visible[card] > 0.5) & (patches.weight[card] > 0.5)).reshape(shape)
    plain = cv2.erode(
        shown.astype(np.uint8), np.ones((3, 3), np.uint8),
        borderType=cv2.BORDER_CONSTANT, borderValue=0,
    ).astype(np.bool_)  # fmt: skip
    drawn = cv2.dilate(templates.ink[int(table.named.rows[card])].reshape(shape), reach)
    asked = plain & (drawn < LEAST_DRAWN)
    out = np.zeros((len(inks), *shape), np.bool_)
    seen = cv2.blur(patches.pixels[card].reshape(*shape, 4), (3, 3))[..., :3]
    white = templates.white[int(table.named.rows[card])].reshape(shape)
    black = asked & (white < LEAST_DRAWN)
    if not black.any():
        return out
    # Dim and tinted light may make a card's black look like an ink all over.
    more = seen.astype(np.float32) - np.median(seen[black], axis=0).astype(np.float32)
    light = more.min(axis=2)
    step = more.max(axis=2) - light
    strength = np.linalg.norm(inks, axis=1)
    least = np.maximum(STRENGTH * strength, NOISES * scene.evidence.noise)
    at = np.flatnonzero(asked & (step > least.min()) & (light < MOST_LIGHT * step))
    away = more.reshape(-1, 3)[at].astype(np.float64)
    away -= away.mean(axis=1, keepdims=True)
    length = np.linalg.norm(away, axis=1)[:, None]
    like = away @ (inks / strength[:, None]).T / np.maximum(length, 1e-6)
    inked = (like > LIKENESS) & (length > least)
    if own is not None:
        inked &= (away @ own < OWN_LIKENESS * np.linalg.norm(own) * length[:, 0])[:, None]
    out.reshape(len(inks), -1)[:, at] = inked.T
    return out
