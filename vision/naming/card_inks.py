"""A card's ink told through a lamp's haze: by the light that its fine structure gives and takes.

In linear light a haze is added to black, ink and white alike, and changes slowly: what is left of a
card once what changes slowly is taken off is what the card draws. How much more light than black
its ink gives, by channel, is then told however much of the light is the lamp's.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.arrays import FloatArray, Map32
from vision.drawing.pose_fit import place
from vision.drawing.templates import TEMPLATE_DENSITY, Templates
from vision.evidence import Evidence, sample
from vision.naming.colours import GAINSAID, Naming
from vision.naming.name_cards import Named
from vision.observing.haze_light import LIT, linear_light

FINE_MM, CLEAR_PLACES = 1.5, 2
"""Sigma of what counts as haze; places of the grid that are left out round what does not show."""
FEWEST_PLACES, LEAST_DRAWN = 200, 20.0
"""Of a card, and the squared fine structure of the ink drawn on them: less does not tell."""
UNSURE, TOLD = 0.98, 0.99
"""A less sure colour is asked so, and so sure it is where its own ink tells it."""
MOST_KNOWN, FEWEST_KNOWN = 6, 2
"""Cards of each colour, those that show most, say what its ink is."""
NEARER = 0.4
"""An ink is told where it is nearest to that colour's, by so much nearer than to any other's."""


def colours_told(
    evidence: Evidence, named: Named, naming: Naming, visible: Map32, templates: Templates
) -> Naming:
    """The naming, surer of cards whose ink is plainly that of the other cards of its colour: but
    not of those whose symbols gainsay it, since in some light inks look alike.

    `visible` (N, P): where each card shows on the templates' grid.
    """
    played = named.rows < templates.start_row
    by_ink = naming.confidence > GAINSAID
    unsure = np.flatnonzero(played & by_ink & (naming.confidence < UNSURE))
    if len(unsure) == 0:
        return naming
    known = _known_inks(evidence, named, naming, visible, templates)
    told = naming.confidence.copy()
    for card in unsure.tolist():
        own = int(naming.colour[card])
        if own not in known or len(known) < 2:
            continue
        ink = _ink(evidence, named, visible, card, templates)
        far = {colour: float(np.linalg.norm(ink - known[colour])) for colour in known}
        if far.pop(own) < NEARER * min(far.values()):
            told[card] = TOLD
    return replace(naming, confidence=told)


def _known_inks(
    evidence: Evidence, named: Named, naming: Naming, visible: Map32, templates: Templates
) -> dict[int, FloatArray]:
    """The ink (3,) of every colour, by those of the sure cards of it that show most."""
    played = named.rows < templates.start_row
    sure = np.flatnonzero(played & (naming.confidence >= UNSURE))
    shows = visible[sure].mean(axis=1)
    out = {}
    for colour in np.unique(naming.colour[sure]).tolist():
        own = np.flatnonzero(naming.colour[sure] == colour)
        most = sure[own[np.argsort(-shows[own], kind="stable")[:MOST_KNOWN]]]
        inks = np.array([_ink(evidence, named, visible, k, templates) for k in most.tolist()])
        inks = inks[np.isfinite(inks).all(axis=1)]
        if len(inks) >= FEWEST_KNOWN:
            middle = np.median(inks, axis=0)
            out[colour] = middle / np.linalg.norm(middle)
    return out


def _ink(
    evidence: Evidence, named: Named, visible: Map32, card: int, templates: Templates
) -> FloatArray:
    """How much more light than black a card's ink gives: a direction (3,); NaN where too little
    shows that is not burnt out.
    """
    shape, row = templates.shape_hw, int(named.rows[card])
    at = evidence.raster.to_raster(place(named.poses[card][None], templates.grid_mm)[0])
    seen = sample(evidence.raster.image_bgr, at)
    shown = (visible[card] > 0.5) & (seen.max(axis=1) < LIT) & ~templates.symbol
    reach = 2 * CLEAR_PLACES + 1
    asked = cv2.erode(
        (shown & ~templates.badge).astype(np.uint8).reshape(shape),
        np.ones((reach, reach), np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0,
    ).astype(np.float32)  # fmt: skip
    light = linear_light(evidence, seen).astype(np.float32).reshape(*shape, 3)
    near = np.maximum(_smooth(asked), 1e-3)

    def fine(flat: Map32) -> FloatArray:
        left = (flat - _smooth(flat * asked) / near) * asked
        return np.asarray(left.ravel(), np.float64)

    drawn = np.stack([fine(of[row].reshape(shape)) for of in (templates.ink, templates.white)])
    if asked.sum() < FEWEST_PLACES or float(drawn[0] @ drawn[0]) < LEAST_DRAWN:
        return np.full(3, np.nan)
    seen_fine = np.stack([fine(channel) for channel in cv2.split(light)], axis=1)
    more = np.linalg.lstsq(drawn.T, seen_fine, rcond=None)[0][0]
    return np.asarray(more / max(float(np.linalg.norm(more)), 1e-9))


def _smooth(flat: Map32) -> Map32:
    spread = FINE_MM * TEMPLATE_DENSITY
    return np.asarray(
        cv2.GaussianBlur(flat, (0, 0), spread, borderType=cv2.BORDER_CONSTANT), np.float32
    )
