"""What else lies on the table: cups, dice, pencils, phones, hands, dominoes, other cards.

Clutter stays off cards and markers unless it is called "hand over cards".
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from simulator.camera.camera import FloatArray
from simulator.camera.canvas import Canvas, Sheet
from simulator.lighting.light import Lamp, to_linear
from simulator.tabletop.sheets import CardPrint
from simulator.things.evening_things import (
    bottle,
    coaster,
    glass,
    lit_phone,
    patterned_sleeve,
    stand_glass,
)
from simulator.things.props import flat_thing
from simulator.things.rulebook import rulebook
from simulator.things.solids import (
    Rgb,
    Solid,
    block,
    capsule,
    darken,
    disc,
    free_of,
    shadow_mm,
    stand,
    turned,
)

SOLIDS = ("cup", "die", "dice", "pencil", "phone", "domino", "counters", "hand", "sleeve")
FLATS = ("other cards", "paper", "dotted paper", "newspaper")
EVENING = ("glass", "bottle", "rulebook", "lit phone", "patterned sleeve", "coaster")
CLUTTER = (*SOLIDS, *FLATS, *EVENING, "hand over cards")

_TRIES = 60


def _colour(rng: np.random.Generator, low: float = 0.05, high: float = 0.9) -> Rgb:
    return _rgb(to_linear(rng.uniform(low, high, 3)))


def _rgb(values: NDArray[np.floating]) -> Rgb:
    red, green, blue = (float(v) for v in values)
    return red, green, blue


def scatter(
    rng: np.random.Generator, canvas: Canvas, lamp: Lamp, names: tuple[str, ...], prints: CardPrint
) -> None:
    """Put these things down, flat ones first, each at a random place that is free. `prints` is
    what the game's own rulebook shows.
    """
    for name in sorted(names, key=lambda n: n not in (*FLATS, "rulebook")):
        if name not in CLUTTER:
            raise ValueError(f"no such clutter: {name}; there are {', '.join(CLUTTER)}")
        book = rulebook(rng, prints) if name == "rulebook" else None
        for _ in range(_TRIES):
            at = _somewhere(rng, canvas)
            if book is not None:
                if _lay_flat(canvas, replace(book, x_mm=float(at[0]), y_mm=float(at[1]))):
                    break
            elif name in FLATS:
                if _lay_flat(canvas, flat_thing(rng, name, at)):
                    break
            elif _put_down(rng, canvas, lamp, name, at):
                break


def _somewhere(rng: np.random.Generator, canvas: Canvas) -> FloatArray:
    width, height = canvas.size_wh
    px = rng.uniform((-0.02 * width, -0.02 * height), (1.02 * width, 1.02 * height))
    return np.asarray(canvas.camera.to_table(px[None])[0])


def _lay_flat(canvas: Canvas, sheet: Sheet) -> bool:
    border = sheet.to_table(sheet.border_mm())
    px = canvas.camera.to_px(border, sheet.height_mm)
    if not free_of(canvas, px) or _beside_table(canvas, px):
        return False
    canvas.lay(sheet)
    return True


def _beside_table(canvas: Canvas, px: FloatArray) -> bool:
    """Whether any of these points (N, 2) in the picture is over the floor."""
    last = np.array(canvas.size_wh) - 1
    inside = np.round(px[((px >= 0) & (px <= last)).all(axis=1)]).astype(int)
    return bool(canvas.floor[inside[:, 1], inside[:, 0]].any())


def _put_down(
    rng: np.random.Generator, canvas: Canvas, lamp: Lamp, name: str, at: FloatArray
) -> bool:
    if name == "hand over cards":
        parts = _hand(rng, at, _outside(rng, canvas))
    elif name == "patterned sleeve":
        parts = patterned_sleeve(rng, at, _outside(rng, canvas))
    elif name in ("hand", "sleeve"):
        parts = _hand(rng, at, _outside(rng, canvas), sleeve_only=name == "sleeve")
    else:
        parts = _MAKERS[name](rng, at)
    over_cards = name == "hand over cards"
    if name in _ON_TABLE and any(_beside_table(canvas, p.hull_px(canvas)) for p in parts[:1]):
        return False
    if not over_cards and not all(free_of(canvas, part.hull_px(canvas)) for part in parts):
        return False
    for part in parts:
        depth = float(rng.uniform(0.25, 0.5)) * (0.4 if name == "glass" else 1.0)
        darken(canvas, shadow_mm(part, lamp), depth, 1 + part.high_mm / 12)
    for part in parts:
        if name == "glass":
            stand_glass(rng, canvas, part)
        else:
            stand(canvas, part, lamp)
    return True


def _outside(rng: np.random.Generator, canvas: Canvas) -> FloatArray:
    """A point past the edge of the picture, where an arm comes from."""
    width, height = canvas.size_wh
    edge = np.array([[-0.1 * width, height / 2], [1.1 * width, height / 2],
                     [width / 2, -0.1 * height], [width / 2, 1.1 * height]])  # fmt: skip
    px = edge[int(rng.integers(4))] + rng.normal(0, 0.15, 2) * [width, height]
    return np.asarray(canvas.camera.to_table(px[None])[0])


def _cup(rng: np.random.Generator, at: FloatArray) -> list[Solid]:
    radius, height = float(rng.uniform(28, 45)), float(rng.uniform(50, 130))
    wall = _colour(rng, 0.15, 0.9)
    drink = (disc(at, radius * 0.88), _rgb(to_linear(rng.uniform(0.05, 0.5, 3) * [1, 0.7, 0.5])))
    marks = (drink,) if rng.random() < 0.6 else ()
    return [Solid(disc(at, radius), 0.0, height, wall, wall, marks, float(rng.uniform(0.9, 1.15)))]


_PIPS = {
    1: [(0, 0)], 2: [(-1, -1), (1, 1)], 3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (1, 1), (-1, 1)], 5: [(-1, -1), (1, -1), (0, 0), (1, 1), (-1, 1)],
    6: [(-1, -1), (1, -1), (1, 0), (1, 1), (-1, 1), (-1, 0)],
}  # fmt: skip


def _pips(
    number: int, at: FloatArray, angle: float, step: float, radius: float, colour: Rgb
) -> tuple[tuple[FloatArray, Rgb], ...]:
    places = turned(np.array(_PIPS[number], dtype=np.float64) * step, at, angle)
    return tuple((disc(place, radius, 20), colour) for place in places)


def _die(rng: np.random.Generator, at: FloatArray) -> list[Solid]:
    side, angle = float(rng.uniform(12, 18)), float(rng.uniform(0, 360))
    light_pips = rng.random() < 0.7
    body = _colour(rng, 0.02, 0.6) if light_pips else (0.8, 0.8, 0.77)
    ink: Rgb = (0.8, 0.8, 0.78) if light_pips else (0.02, 0.02, 0.02)
    pips = _pips(int(rng.integers(1, 7)), at, angle, side * 0.27, side * 0.115, ink)
    return [Solid(block(at, side, side, angle), 0.0, side, body, body, pips)]


def _dice(rng: np.random.Generator, at: FloatArray) -> list[Solid]:
    return [s for _ in range(3) for s in _die(rng, at + rng.uniform(-40, 40, 2))]


def _domino(rng: np.random.Generator, at: FloatArray) -> list[Solid]:
    """Black with white pips of about a card dot's size: made to be taken for dots."""
    angle = float(rng.uniform(0, 360))
    body: Rgb = (0.02, 0.02, 0.02) if rng.random() < 0.6 else _colour(rng, 0.05, 0.6)
    marks: tuple[tuple[FloatArray, Rgb], ...] = ()
    for offset in (-12.0, 12.0):
        half = turned(np.array([[0.0, offset]]), at, angle)[0]
        marks += _pips(int(rng.integers(1, 7)), half, angle, 6.0, 2.1, (0.8, 0.8, 0.78))
    return [Solid(block(at, 24, 48, angle), 0.0, 6.0, body, body, marks)]


def _counters(rng: np.random.Generator, at: FloatArray) -> list[Solid]:
    """White and coloured counters, some as small as a dot."""
    found = []
    for _ in range(int(rng.integers(3, 9))):
        colour = (0.78, 0.78, 0.76) if rng.random() < 0.5 else _colour(rng)
        place = at + rng.uniform(-35, 35, 2)
        found.append(Solid(disc(place, float(rng.uniform(2.0, 7))), 0.0, 2.0, colour, colour))
    return found


def _pencil(rng: np.random.Generator, at: FloatArray) -> list[Solid]:
    way = float(rng.uniform(0, 2 * np.pi))
    end = at + float(rng.uniform(90, 180)) * np.array([np.cos(way), np.sin(way)])
    body = _colour(rng, 0.2, 0.9)
    return [Solid(capsule(at, end, 3.6, 3.6), 0.0, 7.0, body, body)]


def _phone(rng: np.random.Generator, at: FloatArray) -> list[Solid]:
    angle = float(rng.uniform(0, 360))
    body: Rgb = (0.015, 0.015, 0.018)
    glass = _rgb(to_linear(rng.uniform(0.05, 0.25, 3)))
    marks = ((block(at, 67, 143, angle), glass),)
    return [Solid(block(at, 72, 149, angle), 0.0, 9.0, body, body, marks)]


def _hand(
    rng: np.random.Generator, at: FloatArray, arm_from: FloatArray, sleeve_only: bool = False
) -> list[Solid]:
    """An arm from outside the picture, with fingers or only a sleeve."""
    tone = to_linear(np.array([0.87, 0.66, 0.54]) * rng.uniform(0.35, 1.05))
    skin, side = _rgb(tone), _rgb(tone * 0.8)
    cloth = _colour(rng)
    way = arm_from - at
    way = way / max(float(np.hypot(*way)), 1e-6)
    across = np.array([-way[1], way[0]])
    wrist = at + 90 * way
    parts = [
        Solid(capsule(wrist + 30 * way, arm_from + 200 * way, 38, 60), 5.0, 60.0, cloth, cloth)
    ]
    if sleeve_only:
        return parts
    parts.insert(0, Solid(capsule(at + 25 * way, wrist + 20 * way, 40, 27), 5.0, 30.0, skin, side))
    for offset, length in ((-30, 45), (-11, 70), (9, 75), (27, 62)):
        root = at + 20 * way + offset * across
        tip = at - length * way + offset * 1.35 * across + rng.normal(0, 6, 2)
        parts.insert(0, Solid(capsule(root, tip, 10.5, 8.5), 2.0, 18.0, skin, side))
    return parts


_MAKERS: dict[str, Callable[[np.random.Generator, FloatArray], list[Solid]]] = {
    "cup": _cup,
    "die": _die,
    "dice": _dice,
    "pencil": _pencil,
    "phone": _phone,
    "domino": _domino,
    "counters": _counters,
    "glass": glass,
    "bottle": bottle,
    "lit phone": lit_phone,
    "coaster": coaster,
}
_ON_TABLE = tuple(_MAKERS)
"""What does not come in from beside the table."""
