"""A deck's colours from card readings: inks told apart, symbols traced, names found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.colour_difference import lab_of_hex
from calibration.enrolment.face_reading import CardReading, is_ink, symbol_polygons
from geometry.deck import Art, Colour, Deck, Point
from vision.reason import Reason

FloatArray = NDArray[np.float64]

PAPER_WHITE = 0.87
"""Linear light of printed white; typical colours are given against it."""
SAME_COLOUR_LAB = 14.0
TYPICAL_COLOUR_LAB = 45.0


def ink_of(card: CardReading, art: Art) -> FloatArray | None:
    """The card's colour, light (3,) BGR against white: its band, fill, dots or lines."""
    places: list[FloatArray | None] = [card.band] if art.band else []
    places += [card.fill] if art.fill else []
    places += [dot.share for dot in card.dots] if art.dots == "colour" else []
    places.append(card.line)
    return next((p for p in places if p is not None and is_ink(p)), None)


def _hex(share: FloatArray) -> str:
    light = np.clip(share[::-1] * PAPER_WHITE, 0, 1)
    code = np.where(light < 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    return "#" + "".join(f"{round(float(v) * 255):02x}" for v in np.clip(code, 0, 1))


def colours_read(
    cards: Sequence[CardReading], base: Deck, offset: Point, art: Art, doubts: list[Reason]
) -> tuple[Colour, ...]:
    """The colours of the cards read; the rest of the known deck's where the art is the same."""
    groups: list[list[CardReading]] = []
    for card in cards:
        ink = ink_of(card, art)
        if ink is None:
            doubts.append(Reason("enrol-no-colour", {"dots": card.value}))
            continue
        lab = lab_of_hex(_hex(ink))
        for group in groups:
            first = ink_of(group[0], art)
            if first is not None and _lab_gap(lab, lab_of_hex(_hex(first))) < SAME_COLOUR_LAB:
                group.append(card)
                break
        else:
            groups.append([card])
    seen = [_colour_of(group, offset, art) for group in groups]
    named = _named(seen, base)
    if art != base.art:
        return tuple(named)
    rest = [c for c in base.colours if c.name not in {colour.name for colour in named}]
    by_name = {colour.name: colour for colour in (*named, *rest)}
    order = [c.name for c in base.colours if c.name in by_name]
    return tuple(by_name[n] for n in (*order, *(n for n in by_name if n not in order)))


def _lab_gap(one: FloatArray, other: FloatArray) -> float:
    return float(np.linalg.norm(one - other))


def _colour_of(group: list[CardReading], offset: Point, art: Art) -> Colour:
    inks = [ink for card in group if (ink := ink_of(card, art)) is not None]
    symbol: tuple[tuple[Point, ...], ...] = ()
    with_symbol = [card for card in group if card.symbol]
    if with_symbol:
        typical = _typical_symbol(with_symbol)
        symbol = tuple(tuple(p) for p in symbol_polygons(typical.symbol, offset))
    if not symbol:
        symbol = (((-1.5, -1.5), (1.5, -1.5), (1.5, 1.5), (-1.5, 1.5)),)
    return Colour("", _hex(np.median(inks, axis=0)), symbol)


def _typical_symbol(cards: list[CardReading]) -> CardReading:
    """The card whose symbol has the middling area: neither frayed nor merged."""
    return sorted(cards, key=lambda c: sum(m.area_mm2 for m in c.symbol))[len(cards) // 2]


def _named(colours: list[Colour], base: Deck) -> list[Colour]:
    """Names of the known deck's nearest colours, each used once; the rest are numbered."""
    gaps = [
        (_lab_gap(lab_of_hex(colour.hex), lab_of_hex(known.hex)), i, known.name)
        for i, colour in enumerate(colours)
        for known in base.colours
    ]
    names: dict[int, str] = {}
    for gap, i, name in sorted(gaps):
        if i not in names and name not in names.values() and gap < TYPICAL_COLOUR_LAB:
            names[i] = name
    return [
        replace(colour, name=names.get(i, f"colour-{i + 1}")) for i, colour in enumerate(colours)
    ]


def starting_colour(starts: Sequence[CardReading], base: Deck, offset: Point) -> Colour:
    """The known deck's starting colour, with the symbol that was read."""
    for card in starts:
        polygons = symbol_polygons(card.symbol, offset)
        if polygons:
            return replace(base.starting_colour, symbol_mm=tuple(tuple(p) for p in polygons))
    return base.starting_colour
