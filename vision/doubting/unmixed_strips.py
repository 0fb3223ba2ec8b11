"""Strips along a card's edge that no mixture of what lies on either side of it explains.

Of a card almost exactly under another a few tenths of a millimetre show: all of such a strip is
blurred with the upper card's band and with the table. Such a mixture, in whatever shadow, has no
hue that neither of the two has; a strip of a third ink has. How far chance and the table's own
pattern lead is measured on the same picture, farther out, where no such strip is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.doubting.scene import Scene
from vision.doubting.strips_on_black import FEWEST, colours_seen, in_stretches
from vision.evidence import sample

FloatArray = NDArray[np.float64]
Bools = NDArray[np.bool_]
Offs = tuple[float, ...]
BAND_MM: Offs = (-2.4, -1.8, -1.2)
STRIP_MM: tuple[Offs, ...] = ((0.3, 0.6), (0.6, 0.9), (0.9, 1.2))
TABLE_MM: tuple[Offs, ...] = ((1.8, 2.1, 2.4), (3.0, 3.6))
"""Beyond the card's edge: where its band is, where a strip may be, and where the table is."""
NO_STRIP_MM: tuple[Offs, ...] = ((1.8, 2.1), (2.1, 2.4))
FARTHER_MM: tuple[Offs, ...] = ((3.0, 3.6), (4.2, 5.0))
"""The same where no narrow strip reaches: what is found there is none."""
LIKENESS, STRENGTH, ERRORS, OVER_CHANCE = 0.9, 0.18, 5.0, 2.0
"""Of what no mixture explains: likeness in hue to an ink in play, its strength as a share of that
ink's, in standard errors of the mean, and by how much it exceeds what is found beside all other
cards where no strip is. Strips of 0.3 to 1 mm came to 0.22 to 0.75 and 2.9 to 11 times as much as
chance; on 69 free-for-alls without any none came to 0.18 and twice as much as chance, checked
cloths included."""
LEAST_ERROR, FLATTEST = 0.3, 1e-3
"""Grey levels: a mean is no surer than that; and two hues are nearly one by so much."""


def unmixed_strip(scene: Scene) -> int | None:
    """The card along which most plainly a narrow strip of another ink than its own runs over the
    table, or the starting card; None where there is no such strip.
    """
    if len(scene.inks) < 2:
        return None
    strength = _unmixed(scene, STRIP_MM, TABLE_MM)
    card = int(strength.argmax())
    if strength[card] < STRENGTH:
        return None
    chance = np.delete(_unmixed(scene, NO_STRIP_MM, FARTHER_MM, told=False), card)
    return card if strength[card] > OVER_CHANCE * chance.max(initial=0.0) else None


def _unmixed(
    scene: Scene, strips_mm: tuple[Offs, ...], tables_mm: tuple[Offs, ...], told: bool = True
) -> FloatArray:
    """How strong (N,) the likeliest strip of another ink is beside each card, as a share of that
    ink, where no mixture of the card's band and the table, at any such distance, explains it; only
    what is beyond the errors, if it is to be `told`.
    """
    offs = sorted({off for group in (*strips_mm, *tables_mm) for off in group})
    edges, asked = scene.edges, _on_table(scene, sorted({*STRIP_MM[0], *offs}))

    def hue(group: Offs) -> FloatArray:
        colour = np.mean([colours_seen(scene, edges.beyond(off)[asked]) for off in group], axis=0)
        out = np.zeros((*asked.shape, 3))
        out[asked] = colour - colour.mean(axis=1, keepdims=True)
        return out

    band = hue(BAND_MM)
    strips, tables = ([hue(group) for group in groups] for groups in (strips_mm, tables_mm))
    inks = np.array(list(scene.inks.values()))
    best = np.zeros((len(inks), len(asked)))
    for side in range(4):
        here = edges.side == side
        number = in_stretches(asked[:, here].astype(np.float64))
        if not (number >= FEWEST).any():
            continue
        of_band = _mean(band[:, here], number)
        for strip in (each[:, here] for each in strips):
            # Whatever the distance at which the table is looked at.
            found = np.full(best.shape, np.inf)
            for table in (each[:, here] for each in tables):
                mean = _mean(strip, number)
                left = mean - nearest_mixture(mean, of_band, _mean(table, number))
                share, plain = _like_inks(left, _errors(strip - table, number, inks), inks)
                dull = ~plain if told else np.zeros_like(plain)
                share[dull | (number < FEWEST)] = 0.0
                found = np.minimum(found, share.max(axis=2))
            best = np.maximum(best, found)
    names = list(scene.inks)
    for card in scene.layout.cards:
        best[[name == card.colour for name in names], card.id] = 0.0
    return np.asarray(best.max(axis=0))


def nearest_mixture(seen: FloatArray, first: FloatArray, second: FloatArray) -> FloatArray:
    """What comes nearest to some hues (..., 3) of all that two others, and grey, mix to: the
    nearest point of the triangle between 0 and those two.
    """
    zero = np.zeros_like(seen)
    corners = (zero, first), (zero, second), (first, second)
    nearest = _within(seen, first, second)
    inside = np.isfinite(nearest).all(axis=-1, keepdims=True)
    away = np.full(seen.shape[:-1], np.inf)
    out = np.zeros_like(seen)
    for start, end in corners:
        step = end - start
        share = ((seen - start) * step).sum(axis=-1) / np.maximum(
            np.square(step).sum(axis=-1), 1e-9
        )
        point = start + share.clip(0, 1)[..., None] * step
        off = np.linalg.norm(seen - point, axis=-1)
        out = np.where((off < away)[..., None], point, out)
        away = np.minimum(away, off)
    return np.where(inside, nearest, out)


def _within(seen: FloatArray, first: FloatArray, second: FloatArray) -> FloatArray:
    """The point of the plane of two hues that is nearest to some (..., 3), where it lies within
    their triangle; else, and where the two are nearly one hue, not a number.
    """
    a, b, c = (first * first).sum(-1), (second * second).sum(-1), (first * second).sum(-1)
    p, q = (seen * first).sum(-1), (seen * second).sum(-1)
    flat = a * b - c * c
    by = np.where(flat > FLATTEST * a * b, flat, np.nan)
    one, other = (p * b - q * c) / by, (q * a - p * c) / by
    inside = (one >= 0) & (other >= 0) & (one + other <= 1)
    point = one[..., None] * first + other[..., None] * second
    return np.asarray(np.where(inside[..., None], point, np.nan))


def _like_inks(left: FloatArray, error: FloatArray, inks: FloatArray) -> tuple[FloatArray, Bools]:
    """Of what is left (N, S, 3) the strength as shares of each ink (C, N, S), 0 of what has another
    hue; and what of it is plain, by its standard errors (C, N, S).
    """
    strength = np.linalg.norm(inks, axis=1)
    along = np.moveaxis(left @ (inks / np.maximum(strength, 1e-6)[:, None]).T, 2, 0)
    like = along > LIKENESS * np.linalg.norm(left, axis=2)
    share = along / np.maximum(strength, 1e-6)[:, None, None]
    return np.where(like, share, 0.0), along > ERRORS * error


def _errors(values: FloatArray, number: FloatArray, inks: FloatArray) -> FloatArray:
    """Standard errors (C, N, S) of the means of values (N, E, 3), along each ink's hue (C, 3)."""
    hues = inks / np.maximum(np.linalg.norm(inks, axis=1), 1e-6)[:, None]
    along = values @ hues.T
    varies = _mean(np.square(along), number) - np.square(_mean(along, number))
    error = np.sqrt(np.maximum(varies, 0) / np.maximum(number, 1)[..., None])
    return np.moveaxis(np.maximum(error, LEAST_ERROR), 2, 0)


def _mean(values: FloatArray, number: FloatArray) -> FloatArray:
    """Means (N, S, K) of values (N, E, K), 0 where not asked, over each stretch along a side."""
    return np.asarray(in_stretches(values) / np.maximum(number, 1.0)[..., None])


def _on_table(scene: Scene, offs: Sequence[float]) -> Bools:
    """Where (N, E) along the cards' edges, so far beyond them, lies nothing but the table, the
    starting card or the card itself, also beside its neighbours, and no glare.
    """
    top, edges, evidence = scene.top, scene.edges, scene.evidence
    count = len(edges.at_mm)
    own = np.arange(1, count + 1)[:, None]
    start = next((card.id for card in scene.layout.cards if card.colour not in scene.inks), -1) + 1
    out = np.ones(edges.at_mm.shape[:2], np.bool_)
    for off in BAND_MM:
        out &= top.at(edges.beyond(off)) == own
    for off in offs:
        here = top.at(edges.beyond(off))
        free = (here == 0) | (here == own) | ((here == start) & (start > 0))
        # Who shows is known to half a millimetre; a place before or after may be on another side.
        out &= free & np.roll(free, 1, axis=1) & np.roll(free, -1, axis=1)
        out[out] = sample(evidence.washed, evidence.raster.to_raster(edges.beyond(off)[out])) < 127
    return out
