"""Ink of another colour on what is read as a card's black or white.

A card that lies on this one and was missed may show little more than its ink: its lines may lie
where this one draws some, and its badge under others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Bools, FloatArray, Ints, Map32
from vision.drawing.pose_fit import place
from vision.drawing.templates import TEMPLATE_DENSITY, Templates
from vision.memo import Memo
from vision.naming.faces import Patches
from vision.naming.name_cards import Named
from vision.ordering.stacking import Stack

LIKENESS, OWN_LIKENESS, STRENGTH, NOISES = 0.94, 0.75, 0.6, 3.0
"""Of hue and strength to an ink in play; and its strength beside the picture's noise."""
BLEEDS_MM = 3.0
"""So far beyond its edge a JPEG may leave something of a card's colour."""
MOST_LIGHT = 0.5
"""Of the step from an ink's darkest channel to its brightest: so much brighter than a card's black
the darkest may be. A lamp's haze brightens all of them, and may have an ink's hue."""
LEAST_MM2 = 25.0
"""In one piece: of a missed card's ink 91 mm² showed on the starting card; where a dim, tinted
light makes black look like purple, grains join to 16."""


@dataclass(frozen=True, eq=False)
class Inked:
    """Cards whose ink is asked for: where each is `visible` (N, P), the name of its colour (N;
    empty for the starting card's), the `inks` (3,) of all colours in play, away from grey, and
    the picture's `noise` in grey levels.
    """

    named: Named
    stack: Stack
    visible: Map32
    colours: Sequence[str]
    noise: float
    templates: Templates

    @property
    def inks(self) -> Mapping[str, FloatArray]:
        """Mean ink (3,) of every colour on the table, away from grey."""
        by_colour: dict[str, list[FloatArray]] = {}
        for colour, ink in zip(self.colours, self.named.ink, strict=True):
            if colour:
                by_colour.setdefault(colour, []).append(ink)
        return {name: np.median(np.array(inks), axis=0) for name, inks in by_colour.items()}


Foreign = tuple[int, str, FloatArray]
_FOUND: Memo[Patches, tuple[Foreign, ...]] = Memo()


def foreign_inks(inked: Inked) -> tuple[Foreign, ...]:
    """Cards on which a patch of another colour's ink shows: each with that colour's name and the
    patch's places (K, 2), table mm.
    """
    named, stack = inked.named, inked.stack
    told = tuple(inked.colours), named.rows.tobytes(), named.ink.tobytes()
    asked = inked.visible, stack.top, *told
    return _FOUND.answer(stack.patches, asked, lambda: _foreign_inks(inked))


def _foreign_inks(inked: Inked) -> tuple[Foreign, ...]:
    named, inks, grid_mm = inked.named, inked.inks, inked.templates.grid_mm
    found = ((card, _foreign_ink(inked, inks, card)) for card in range(len(named)))
    return tuple(
        (card, one[0], np.asarray(place(named.poses[card][None], grid_mm[one[1]])[0], np.float64))
        for card, one in found
        if one is not None
    )


def _foreign_ink(
    inked: Inked, inks: Mapping[str, FloatArray], card: int
) -> tuple[str, Ints] | None:
    """The colour, and the places (K,) on the grid, of a patch of another colour's ink that shows
    on a card's black and white; None where there is no more than chance leaves.
    """
    own = inked.colours[card]
    others = {name: ink for name, ink in inks.items() if name != own}
    least = LEAST_MM2 * TEMPLATE_DENSITY**2
    if not others:
        return None
    found = _inked(inked, card, np.array(list(others.values())), inks.get(own))
    for colour, on in zip(others, found, strict=True):
        if on.sum() < least:
            continue
        some = (on & ~_beside_known(inked, card, colour)).astype(np.uint8)
        some = cv2.morphologyEx(some, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        _, pieces, stats, _ = cv2.connectedComponentsWithStats(some)
        area = stats[:, cv2.CC_STAT_AREA]
        area[0] = 0
        if area.max() >= least:
            return colour, np.flatnonzero(pieces == area.argmax()).astype(np.int64)
    return None


def _beside_known(inked: Inked, card: int, colour: str) -> Bools:
    """Where (H, W) on a card's grid a known card of a colour lies on top, or near by: its ink runs
    over its edge.
    """
    templates = inked.templates
    top = inked.stack.top.on(inked.named.poses[[card]], templates)[0].reshape(templates.shape_hw)
    known = [other + 1 for other, name in enumerate(inked.colours) if name == colour]
    reach = 2 * round(BLEEDS_MM * TEMPLATE_DENSITY) + 1
    near = cv2.dilate(np.isin(top, known).astype(np.uint8), np.ones((reach, reach), np.uint8))
    return np.asarray(near > 0)


def _inked(inked: Inked, card: int, inks: FloatArray, own: FloatArray | None) -> Bools:
    """Where each of some inks (C, 3) shows on what a card draws black or white, and not its `own`,
    of which a JPEG spreads the colour: maps (C, H, W) of the templates' grid.
    """
    templates, patches = inked.templates, inked.stack.patches
    shape, row = templates.shape_hw, int(inked.named.rows[card])
    shown = ((inked.visible[card] > 0.5) & (patches.weight[card] > 0.5)).reshape(shape)
    plain = cv2.erode(
        shown.astype(np.uint8), np.ones((3, 3), np.uint8),
        borderType=cv2.BORDER_CONSTANT, borderValue=0,
    ).astype(np.bool_)  # fmt: skip
    asked = plain & templates.clear_of_ink[row].reshape(shape)
    out = np.zeros((len(inks), *shape), np.bool_)
    seen = cv2.blur(patches.pixels[card].reshape(*shape, 4), (3, 3))[..., :3]
    black = asked & templates.black[row].reshape(shape)
    if not black.any():
        return out
    # Dim and tinted light may make a card's black look like an ink all over.
    more = seen.astype(np.float32) - np.median(seen[black], axis=0).astype(np.float32)
    light = more.min(axis=2)
    step = more.max(axis=2) - light
    strength = np.linalg.norm(inks, axis=1)
    least = np.maximum(STRENGTH * strength, NOISES * inked.noise)
    at = np.flatnonzero(asked & (step > least.min()) & (light < MOST_LIGHT * step))
    away = more.reshape(-1, 3)[at].astype(np.float64)
    away -= away.mean(axis=1, keepdims=True)
    length = np.linalg.norm(away, axis=1)[:, None]
    like = away @ (inks / strength[:, None]).T / np.maximum(length, 1e-6)
    on = (like > LIKENESS) & (length > least)
    if own is not None:
        on &= (away @ own < OWN_LIKENESS * np.linalg.norm(own) * length[:, 0])[:, None]
    out.reshape(len(inks), -1)[:, at] = on.T
    return out
