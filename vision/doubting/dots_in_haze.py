"""Dots that a lamp's haze all but hides, told by their colour; what noise makes is none."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bools, FloatArray, Ints
from vision.doubting.doubt_context import DoubtContext
from vision.drawing.pose_fit import turns
from vision.drawing.templates import TEMPLATE_DENSITY
from vision.evidence import sample
from vision.finding.line_looks import white_levels
from vision.observing.dots import circle, disc_places
from vision.observing.haze_light import GAMMA, LIT, InkedDiscs, paler_by, tint_kept

HAZED, HAZED_BY = 1.5, 10.0
"""The ink round a hazed dot is brighter than that round most dots, so many times, and grey levels
more."""
PALER = 2.3
"""Dots that are hardly seen in haze are paler by 2.3 to 9; of 3000 places in haze where another
face has a dot, and this card none, none was by more than 1.8."""
BESIDE_LIT, PALER_BESIDE = 200.0, 3.5
"""Of a dot that lies in a narrow streak of glare in part, what is no brighter is asked: near to a
streak's edge a JPEG's colour runs, and of 220 places without a dot three were paler by so much."""
PALER_IF_CERTAIN, PALER_BESIDE_IF_CERTAIN = 2.0, 3.0
"""The same where no other face is open to the card and the numbers of cards say that none was
missed: nothing is left that could hide the dot, and more than nothing is seen of it."""
IN_GLARE = 0.6
"""Of a disc: so much of it brighter than black in a haze that is read, no dot is told there."""
INKED = 0.9
"""How much of a place must be ink, as drawn, for it to count as ink."""
FAINT, LIT_UP = 0.12, 200.0
"""Of what a card's white lines give of light: in 28 scenes, in haze too, none gave less than 0.28
where it was not as bright as glare."""
TINT_KEPT = 0.5
"""Of its ring's tint: of 800 dots, in every light, none kept more than 0.42; lamps' tips and specks
keep 0.55 to 1.7."""


def told_by_colour(
    scene: DoubtContext, at_mm: FloatArray, owners: Ints, usual_mm: FloatArray
) -> Bools:
    """Which dots due at (K, 2), of the cards `owners` (K,), lie in haze and are seen as paler than
    their own cards' ink there. `usual_mm` (M, 2): all dots that are due.
    """
    out = np.zeros(len(at_mm), np.bool_)
    if len(at_mm) == 0 or scene.deck.art.dots != "white":
        return out
    hazed_level = HAZED * float(np.median(_levels(scene, usual_mm).min(axis=1))) + HAZED_BY
    levels = _levels(scene, at_mm)
    hazed = levels.min(axis=1) > hazed_level
    beside = ~hazed & (levels.max(axis=1) > scene.evidence.washed_level)
    certain = np.array([scene.none_is_missing and not scene.table.choices[k] for k in owners])
    for some, lit, least, enough in (
        (hazed, LIT, PALER, PALER_IF_CERTAIN),
        (beside, BESIDE_LIT, PALER_BESIDE, PALER_BESIDE_IF_CERTAIN),
    ):
        if some.any():
            paler = _paler_by(scene, at_mm[some], owners[some], lit)
            out[some] = paler > np.where(certain[some], enough, least)
    return out


def in_glare(scene: DoubtContext, at_mm: FloatArray) -> Bools:
    """Of which discs at (K, 2) a glare, however narrow, hides so much that no dot can be told."""
    evidence = scene.evidence
    at = evidence.raster.to_raster(disc_places(at_mm, scene.deck))
    return np.asarray((sample(evidence.least, at) > evidence.washed_level).mean(axis=1) > IN_GLARE)


def _paler_by(scene: DoubtContext, at_mm: FloatArray, owners: Ints, lit: float) -> FloatArray:
    """By how much (K,) discs are paler than the ink of the cards `owners` (K,) round them."""
    top = scene.top

    def shown(places: FloatArray) -> Bools:
        return np.asarray(top.at(places) == owners[:, None] + 1)

    def inked(places: FloatArray) -> Bools:
        return _drawn_ink(scene, owners, places) > INKED

    discs = InkedDiscs(at_mm, scene.table.named.ink[owners], scene.deck.dot_diameter_mm)
    return paler_by(scene.evidence, discs, shown, inked, lit)


def no_paler(scene: DoubtContext, at_mm: FloatArray, known_mm: FloatArray) -> Bools:
    """Which of the discs at (K, 2) are no paler than what lies round them, as no dot on ink is.

    Dots are `known` (M, 2) in this picture: in its light a disc must keep more tint than they.
    """
    if len(at_mm) == 0 or scene.deck.art.dots != "white":
        return np.zeros(len(at_mm), np.bool_)
    size = scene.deck.dot_diameter_mm
    kept, usual = (tint_kept(scene.evidence, spots, size) for spots in (at_mm, known_mm))
    return np.asarray(kept > max(TINT_KEPT, float(usual.max(initial=0.0))))


def too_faint(scene: DoubtContext, at_mm: FloatArray) -> Bools:
    """Which of the discs at (K, 2) on cards add far less light to their ground than white does on
    the same card: a haze adds as much to both, so noise in a dim picture is told from dots.
    A dot of ink adds hardly any light.
    """
    if len(at_mm) == 0 or scene.deck.art.dots != "white":
        return np.zeros(len(at_mm), np.bool_)
    top, evidence = scene.top.at(at_mm).astype(np.int64), scene.evidence
    inner = sample(evidence.least, evidence.raster.to_raster(disc_places(at_mm, scene.deck)))
    disc, ring = inner.mean(axis=1), np.median(_levels(scene, at_mm), axis=1)
    white = white_levels(evidence, scene.table.named, scene.table.templates)
    # One that lies half in glare is no measure for what is seen of it beside that.
    white = np.minimum(white[top - 1], np.median(white))
    more = (disc / 255) ** GAMMA - (ring / 255) ** GAMMA
    return np.asarray((top > 0) & (disc < LIT_UP) & (more < FAINT * (white / 255) ** GAMMA))


def _levels(scene: DoubtContext, at_mm: FloatArray) -> FloatArray:
    """How bright (K, 8) the ink round dots is: grey levels of `least`."""
    ring = circle(scene.deck.dot_diameter_mm / 2 + 0.7, 8)
    evidence = scene.evidence
    return sample(evidence.least, evidence.raster.to_raster(at_mm[:, None] + ring)).astype(float)


def _drawn_ink(scene: DoubtContext, cards: Ints, places_mm: FloatArray) -> NDArray[np.float32]:
    """How inked (K, M) the cards (K,) are at table places (K, M, 2), as drawn."""
    named, templates = scene.table.named, scene.table.templates
    rows, columns = templates.shape_hw
    away = places_mm - named.poses[cards, None, :2]
    local = np.einsum("kji,kmj->kmi", turns(named.poses[cards, 2]), away) * TEMPLATE_DENSITY
    column = np.rint(local[..., 0] + (columns - 1) / 2).astype(np.int64).clip(0, columns - 1)
    row = np.rint(local[..., 1] + (rows - 1) / 2).astype(np.int64).clip(0, rows - 1)
    return np.asarray(templates.ink[named.rows[cards, None], row * columns + column])
