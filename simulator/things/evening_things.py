"""What stands and lies about on an evening's table: glasses, bottles, coasters, lit phones,
patterned sleeves.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.camera.camera import FloatArray
from simulator.camera.canvas import Canvas
from simulator.lighting.light import to_linear
from simulator.things.solids import Rgb, Solid, block, capsule, disc, fill, turned

Marks = tuple[tuple[FloatArray, Rgb], ...]


def rgb(values: NDArray[np.floating]) -> Rgb:
    """Three numbers as a colour."""
    red, green, blue = (float(v) for v in values)
    return red, green, blue


def bottle(rng: np.random.Generator, at: FloatArray) -> list[Solid]:
    """A dark bottle with a label: body, shoulder, neck."""
    radius = float(rng.uniform(30, 40))
    body, neck = float(rng.uniform(120, 190)), float(rng.uniform(11, 15))
    tones = np.array([[0.05, 0.12, 0.05], [0.10, 0.05, 0.02], [0.03, 0.03, 0.03], [0.3, 0.3, 0.28]])
    glass = rgb(tones[int(rng.integers(len(tones)))])
    label = rgb(to_linear(rng.uniform(0.4, 0.95, 3)))
    cap = rgb(to_linear(rng.uniform(0.1, 0.8, 3)))
    return [
        Solid(disc(at, radius), 0.0, body * 0.25, glass, glass),
        Solid(disc(at, radius * 1.01), body * 0.25, body * 0.8, label, label),
        Solid(disc(at, radius), body * 0.8, body, glass, glass),
        Solid(disc(at, radius), body, body + 35, glass, glass, taper=neck / radius),
        Solid(disc(at, neck), body + 35, body + 90, cap, glass),
    ]


def coaster(rng: np.random.Generator, at: FloatArray) -> list[Solid]:
    """A round or square mat with rings, or with dots of about a card dot's size."""
    radius, angle = float(rng.uniform(42, 52)), float(rng.uniform(0, 360))
    ground, ink = rgb(to_linear(rng.uniform(0.05, 0.9, 3))), rgb(to_linear(rng.uniform(0.1, 1, 3)))
    square = rng.random() < 0.3
    base = block(at, 2 * radius, 2 * radius, angle) if square else disc(at, radius)
    marks: Marks = ((disc(at, radius * 0.85), ink), (disc(at, radius * 0.78), ground))
    if rng.random() < 0.5:
        marks += tuple((disc(at + by, 2.3, 20), ink) for by in disc((0, 0), radius * 0.5, 8))
    return [Solid(base, 0.0, 3.0, ground, ground, marks)]


def lit_phone(rng: np.random.Generator, at: FloatArray) -> list[Solid]:
    """A phone whose screen shines: brighter than white paper, with rows of icons or text."""
    angle = float(rng.uniform(0, 360))
    black: Rgb = (0.015, 0.015, 0.018)
    screen = rgb(np.array([1.0, 1.0, 1.05]) * rng.uniform(0.3, 1.3))
    marks: Marks = ((block(at, 66, 142, angle), screen),)
    for row in range(5):
        for column in range(4):
            place = np.array([[-23.0 + 15.5 * column, -52.0 + 22.0 * row]])
            colour = rgb(to_linear(rng.uniform(0.1, 1.0, 3)) * 1.1)
            middle = turned(place, at, angle)[0]
            marks += ((block(middle, 10.5, 10.5, angle), colour),)
    return [Solid(block(at, 72, 149, angle), 0.0, 8.5, black, black, marks)]


def patterned_sleeve(rng: np.random.Generator, at: FloatArray, arm_from: FloatArray) -> list[Solid]:
    """An arm in a striped or dotted sleeve, from outside the picture."""
    way = arm_from - at
    way = way / max(float(np.hypot(*way)), 1e-6)
    across = np.array([-way[1], way[0]])
    cloth, ink = rgb(to_linear(rng.uniform(0.05, 0.9, 3))), rgb(to_linear(rng.uniform(0.1, 1, 3)))
    marks: Marks = ()
    dotted, angle = rng.random() < 0.4, float(np.rad2deg(np.arctan2(way[1], way[0])))
    step = float(rng.uniform(9, 22))
    for along in np.arange(10.0, 420.0, step):
        place = at + along * way
        if dotted:
            marks += tuple((disc(place + o * across, 2.4, 16), ink) for o in (-22, -8, 6, 20))
        else:
            marks += ((block(place, step * 0.4, 62, angle), ink),)
    outline = capsule(at, arm_from + 200 * way, 36, 58)
    return [Solid(outline, 5.0, 60.0, cloth, cloth, marks)]


def stand_glass(rng: np.random.Generator, canvas: Canvas, solid: Solid) -> None:
    """Draw a solid as a glass: seen through, with bright rims and streaks, and often a drink."""
    low = canvas.camera.to_px(solid.base_mm, 1.0)
    high = canvas.camera.to_px(solid.top_mm, solid.high_mm)
    fill(canvas, solid.hull_px(canvas), (0.55, 0.58, 0.58), 0.16)
    if rng.random() < 0.6:
        level = float(rng.uniform(0.2, 0.75))
        surface = low + (high - low) * level
        drink = rgb(to_linear(rng.uniform(0.05, 0.8, 3) * [1, 0.8, 0.5]))
        fill(canvas, _hull(np.concatenate([low, surface])), drink, 0.55)
        fill(canvas, surface, rgb(np.array(drink) * 1.3), 0.35)
    for ring, strength in ((low, 0.35), (high, 0.6)):
        fill(canvas, _band(ring, 0.93), (0.85, 0.87, 0.88), strength)
    for _ in range(int(rng.integers(1, 4))):
        i, wide = int(rng.integers(len(low))), int(rng.integers(1, 3))
        j = (i + wide) % len(low)
        streak = np.array([low[i], low[j], high[j], high[i]])
        fill(canvas, streak, (1.0, 1.0, 1.0), float(rng.uniform(0.15, 0.5)))


def glass(rng: np.random.Generator, at: FloatArray) -> list[Solid]:
    """The outer form of a drinking glass."""
    radius, height = float(rng.uniform(26, 38)), float(rng.uniform(70, 150))
    clear: Rgb = (0.5, 0.5, 0.5)
    return [Solid(disc(at, radius), 0.0, height, clear, clear, (), float(rng.uniform(0.95, 1.2)))]


def _hull(px: FloatArray) -> FloatArray:
    hull = cv2.convexHull(px.astype(np.float32))
    return np.asarray(hull, dtype=np.float64).reshape(-1, 2)


def _band(ring_px: FloatArray, inner: float) -> FloatArray:
    """The band between a ring (N, 2) and a smaller one, as one outline."""
    middle = ring_px.mean(axis=0)
    smaller = middle + (ring_px - middle) * inner
    return np.concatenate([ring_px, ring_px[:1], smaller[:1], smaller[::-1]])
