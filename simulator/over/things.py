"""The things themselves: what is put over the cards, made of limbs and of upright solids."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from simulator.camera.camera import FloatArray
from simulator.lighting.light import to_linear
from simulator.over.limbs import Cloth, Limb
from simulator.things.evening_things import Marks, lit_phone, rgb
from simulator.things.solids import Rgb, Solid, block, capsule, disc, turned

Piece = Limb | Solid
_CARDS_MM = 1.0
"""How high a thing lies that lies on cards."""
_WHITE: Rgb = (0.78, 0.78, 0.75)


@dataclass(frozen=True, slots=True, eq=False)
class Aim:
    """Where a thing is put: its middle (or its fingers' root), which way it points (radians; an
    arm's is where it comes from), and how far away, mm, an arm leaves the picture.
    """

    at_mm: FloatArray
    angle: float
    reach_mm: float

    @property
    def way(self) -> FloatArray:
        """The way it points, of length 1."""
        return np.array([np.cos(self.angle), np.sin(self.angle)])

    def along(self, mm: float, across_mm: float = 0.0) -> FloatArray:
        """A point of the table so far along and across."""
        way = self.way
        return np.asarray(self.at_mm + mm * way + across_mm * np.array([-way[1], way[0]]))


def some_colour(rng: np.random.Generator, inks: Sequence[Rgb], black: float) -> Rgb:
    """Any colour, often a card's ink or its black (linear reflectance)."""
    kind = float(rng.random())
    if kind < 0.35:
        return rgb(np.array(inks[int(rng.integers(len(inks)))]) * rng.uniform(0.7, 1.1))
    if kind < 0.5:
        return (black, black, black)
    if kind < 0.58:
        return _WHITE
    return rgb(to_linear(rng.uniform(0.05, 0.9, 3)))


def _cloth(rng: np.random.Generator, inks: Sequence[Rgb], black: float) -> Cloth:
    colour = some_colour(rng, inks, black)
    stripe_mm = float(rng.uniform(6, 25)) if rng.random() < 0.25 else 0.0
    stripe = some_colour(rng, inks, black)
    return Cloth(
        colour, stripe, stripe_mm, bool(rng.random() < 0.4), float(rng.uniform(0.02, 0.12))
    )


def _arm(rng: np.random.Generator, aim: Aim, inks: Sequence[Rgb], black: float) -> list[Piece]:
    """A hand with its fingers over the cards, its forearm, and a sleeve, short or long."""
    tone = Cloth(rgb(to_linear(np.array([0.87, 0.66, 0.54]) * rng.uniform(0.35, 1.05))), folds=0.02)
    size, low = float(rng.uniform(0.82, 1.12)), float(rng.uniform(2, 25))
    bare = float(rng.uniform(90, 130) if rng.random() < 0.7 else rng.uniform(200, 350)) * size
    sleeve = Limb(
        aim.along(bare), aim.along(max(aim.reach_mm, bare + 60)),
        float(rng.uniform(34, 46)) * size, float(rng.uniform(48, 64)) * size, low,
        _cloth(rng, inks, black),
    )  # fmt: skip
    parts: list[Piece] = []
    hand = 1.0 if rng.random() < 0.5 else -1.0
    spread = float(rng.uniform(0.9, 1.7))
    for across, length in ((-29.0, 40.0), (-10.0, 55.0), (9.0, 58.0), (27.0, 50.0)):
        root = aim.along(0.0, hand * across * size)
        tip = aim.along(-length * size, hand * (across * spread) * size + float(rng.normal(0, 5)))
        parts.append(Limb(tip, root, 7.5 * size, 9.5 * size, low, tone, 0.9))
    thumb = aim.along(15.0 * size, hand * float(rng.uniform(48, 68)) * size)
    parts.append(
        Limb(thumb, aim.along(55 * size, hand * 22 * size), 9 * size, 13 * size, low, tone)
    )
    palm = Limb(aim.along(15 * size), aim.along(62 * size), 40 * size, 31 * size, low, tone, 0.45)
    wrist = Limb(aim.along(70 * size), aim.along(bare + 20), 27 * size, 33 * size, low, tone, 0.8)
    return [*parts, palm, wrist, sleeve]


def _sleeve(rng: np.random.Generator, aim: Aim, inks: Sequence[Rgb], black: float) -> list[Piece]:
    """An elbow on the cards: the forearm goes out of the picture, the upper arm up and away."""
    cloth = _cloth(rng, inks, black)
    thick, low = float(rng.uniform(38, 60)), float(rng.uniform(1, 10))
    fore = Limb(aim.at_mm, aim.along(aim.reach_mm), thick, thick * 1.15, low, cloth)
    if rng.random() < 0.5:
        return [fore]
    turn = aim.angle + float(rng.choice([-1, 1])) * float(rng.uniform(0.3, 0.9))
    upper = Aim(aim.at_mm, turn, aim.reach_mm)
    return [fore, Limb(aim.at_mm, upper.along(aim.reach_mm), thick, thick * 1.3, low + 5, cloth)]


def _cup(rng: np.random.Generator, aim: Aim, inks: Sequence[Rgb], black: float) -> list[Piece]:
    radius, height = float(rng.uniform(27, 46)), float(rng.uniform(45, 120))
    wall = some_colour(rng, inks, black)
    inside = rgb(np.array(wall) * 0.75) if rng.random() < 0.5 else _WHITE
    drink = rgb(to_linear(rng.uniform(0.05, 0.5, 3) * [1, 0.7, 0.5]))
    taper = float(rng.uniform(0.95, 1.2))
    rim = radius * taper
    marks = ((disc(aim.at_mm, rim * 0.92), inside), (disc(aim.at_mm, rim * 0.82), drink))
    body = Solid(disc(aim.at_mm, radius), _CARDS_MM, height, wall, wall, marks, taper)
    if rng.random() < 0.4:
        return [body]
    end = aim.along(radius + 22)
    handle = Solid(capsule(aim.at_mm, end, 6, 8), height * 0.35, height * 0.8, wall, wall)
    return [handle, body]


def _phone(rng: np.random.Generator, aim: Aim, inks: Sequence[Rgb], black: float) -> list[Piece]:
    kind = float(rng.random())
    if kind < 0.25:
        return [*lit_phone(rng, aim.at_mm)]
    angle = float(np.rad2deg(aim.angle))
    width, length = float(rng.uniform(66, 80)), float(rng.uniform(138, 166))
    if kind < 0.65:  # its screen up, dark
        body: Rgb = (0.015, 0.015, 0.018)
        glass = rgb(to_linear(rng.uniform(0.05, 0.25, 3)))
        marks: Marks = ((block(aim.at_mm, length - 6, width - 5, angle), glass),)
        return [Solid(block(aim.at_mm, length, width, angle), _CARDS_MM, 9.5, body, body, marks)]
    body = some_colour(rng, inks, black)  # its back up, with the lenses
    lens: Rgb = (0.01, 0.01, 0.012)
    corner = np.array([length / 2 - 14, width / 2 - 14])
    lenses = np.array([[0.0, 0.0], [20.0, 0.0], [9.0, 17.0]]) - corner
    places = turned(lenses, aim.at_mm, angle)
    marks = tuple((disc(place, 7.5, 24), lens) for place in places)
    return [Solid(block(aim.at_mm, length, width, angle), _CARDS_MM, 10.0, body, body, marks)]


def _napkin(rng: np.random.Generator, aim: Aim, inks: Sequence[Rgb], black: float) -> list[Piece]:
    """A folded paper napkin: four fields that catch the light a little differently."""
    side, angle = float(rng.uniform(90, 170)), float(np.rad2deg(aim.angle))
    colour = _WHITE if rng.random() < 0.5 else some_colour(rng, inks, black)
    edge, one = np.linspace(-1, 1, 7)[:-1], np.ones(6)
    sides = ((edge, -one), (one, edge), (-edge, one), (-one, -edge))
    ring = np.concatenate([np.column_stack(part) for part in sides])
    outline = turned(ring * side / 2 * (1 + rng.uniform(-0.03, 0.01, (24, 1))), aim.at_mm, angle)
    marks: Marks = ()
    for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        place = turned(np.array([[x, y]]) * side / 4, aim.at_mm, angle)[0]
        tone = rgb(np.array(colour) * rng.uniform(0.88, 1.06))
        marks += ((block(place, side / 2.06, side / 2.06, angle), tone),)
    if rng.random() < 0.35:
        ink, step = some_colour(rng, inks, black), float(rng.uniform(12, 22))
        count = int(side / step) // 2
        for i in range(-count + 1, count):
            for j in range(-count + 1, count):
                place = turned(np.array([[i, j]]) * step, aim.at_mm, angle)[0]
                marks += ((disc(place, step * 0.18, 16), ink),)
    return [Solid(outline, 0.3, float(rng.uniform(1.5, 5)), colour, colour, marks)]


def _book(rng: np.random.Generator, aim: Aim, inks: Sequence[Rgb], black: float) -> list[Piece]:
    angle, wide = float(np.rad2deg(aim.angle)), float(rng.uniform(95, 150))
    tall, thick = wide * float(rng.uniform(1.25, 1.5)), float(rng.uniform(6, 40))
    cover = some_colour(rng, inks, black)
    pages: Rgb = (0.62, 0.6, 0.52)
    title = some_colour(rng, inks, black)
    lines = turned(np.array([[0.0, -tall * 0.25], [0.0, -tall * 0.14]]), aim.at_mm, angle)
    marks = tuple(
        (block(place, wide * share, tall * 0.06, angle), title)
        for place, share in zip(lines, (0.7, 0.45), strict=True)
    )
    leaves = Solid(block(aim.at_mm, wide - 4, tall - 4, angle), _CARDS_MM + 1, thick, pages, pages)
    below = Solid(block(aim.at_mm, wide, tall, angle), _CARDS_MM, _CARDS_MM + 1, cover, cover)
    top = Solid(block(aim.at_mm, wide, tall, angle), thick, thick + 1.5, cover, cover, marks)
    return [below, leaves, top]


Maker = Callable[[np.random.Generator, Aim, Sequence[Rgb], float], list[Piece]]
MAKERS: dict[str, Maker] = {
    "arm": _arm,
    "sleeve": _sleeve,
    "cup": _cup,
    "phone": _phone,
    "napkin": _napkin,
    "book": _book,
}
OVER = tuple(MAKERS)
"""What a scene can have over its cards."""
FROM_OUTSIDE = ("arm", "sleeve")
