"""A lamp mirrored in the cards: how large it must be to burn out the share that is asked for."""

from dataclasses import dataclass, replace

import numpy as np

from geometry.layout import Layout
from simulator.camera.camera import FloatArray, PlacedLens
from simulator.conditions import Conditions
from simulator.lighting.light import to_linear

_WHITE_PART = 0.15
"""Share of a card that is white and burns out first."""
BURNT = 0.93
"""Linear light that burns out."""


@dataclass(frozen=True, eq=False)
class MirroredLamp:
    """A lamp or window seen in glossy things, with a hazy glow around it.

    `at_mm` and `half_mm` are in the lamp's own plane, `lamp_height_mm` above the table.
    Strengths are in linear shares of full scale.
    """

    camera: PlacedLens
    at_mm: FloatArray
    lamp_height_mm: float
    half_mm: FloatArray
    angle_rad: float
    softness_mm: float
    strength: float
    glow_mm: float
    glow_strength: float

    def __call__(self, table_mm: FloatArray, lean: FloatArray) -> FloatArray:
        """Mirrored light (...) at table points (..., 2) of a surface with a lean (..., 2)."""
        away = self._from_lamp(table_mm, lean)
        sharp = self.strength * self._square(away)
        glow = self.glow_strength * np.exp(-(away**2).sum(axis=-1) / (2 * self.glow_mm**2))
        return np.asarray(sharp + glow)

    def _from_lamp(self, table_mm: FloatArray, lean: FloatArray) -> FloatArray:
        eye = self.camera.position_mm
        away = table_mm - eye[:2]
        # A lean of s turns the mirrored ray by 2 s.
        meets = table_mm + (away / -eye[2] - 2 * lean) * self.lamp_height_mm
        cos, sin = np.cos(self.angle_rad), np.sin(self.angle_rad)
        turn = np.array([[cos, -sin], [sin, cos]])
        return np.asarray((meets - self.at_mm) @ turn)

    def _square(self, away: FloatArray) -> FloatArray:
        past = (np.abs(away) - self.half_mm) / self.softness_mm
        return np.asarray((1 / (1 + np.exp(np.clip(past, -30, 30)))).prod(axis=-1))

    def larger(self, factor: float) -> "MirroredLamp":
        """The same lamp, larger or smaller by a factor."""
        return replace(self, half_mm=self.half_mm * factor, softness_mm=self.softness_mm * factor)


@dataclass(frozen=True, eq=False)
class Mirrors:
    """All lamps and windows that are mirrored, each with the colour of its light."""

    lamps: tuple[MirroredLamp, ...]
    colours: tuple[tuple[float, float, float], ...]

    def seen_by(self, camera: PlacedLens) -> "Mirrors":
        """The same lamps, as another camera sees their mirror images."""
        return replace(self, lamps=tuple(replace(lamp, camera=camera) for lamp in self.lamps))

    def __call__(self, table_mm: FloatArray, lean: FloatArray) -> FloatArray:
        """Mirrored light (...) at table points (..., 2) of a surface with a lean (..., 2)."""
        return np.asarray(sum(lamp(table_mm, lean) for lamp in self.lamps))

    def tint(self, table_mm: FloatArray) -> FloatArray:
        """Colour (..., 3) of what is mirrored at table points (..., 2), brightest channel 1."""
        level = np.zeros(2)
        parts = [lamp(table_mm, level)[..., None] + 1e-6 for lamp in self.lamps]
        mixed = sum(p * np.asarray(c) for p, c in zip(parts, self.colours, strict=True))
        return np.asarray(mixed / np.asarray(mixed).max(axis=-1, keepdims=True))


def choose_glare(
    rng: np.random.Generator, camera: PlacedLens, layout: Layout, conditions: Conditions
) -> Mirrors | None:
    """What the cards mirror as the conditions ask, or None without glare and haze."""
    if conditions.burnt_share <= 0 and conditions.haze <= 0:
        return None
    first = _lamp_over_a_card(rng, camera, layout, conditions)
    if conditions.burnt_share > 0:
        first = _sized(first, _points_that_show(layout), conditions)
    else:
        first = replace(first, strength=0.0)
    lamps = [first]
    if conditions.haze > 0 and rng.random() < 0.5:
        second = _lamp_over_a_card(rng, camera, layout, conditions)
        lamps.append(replace(second, strength=0.0))
    return Mirrors(tuple(lamps), tuple(_lamp_colour(rng) for _ in lamps))


def _lamp_colour(rng: np.random.Generator) -> tuple[float, float, float]:
    warmth = float(rng.normal(0, 0.25))
    red, green, blue = (float(v) for v in np.exp([0.5 * warmth, 0.0, -warmth]))
    most = max(red, green, blue)
    return red / most, green / most, blue / most


def _lamp_over_a_card(
    rng: np.random.Generator, camera: PlacedLens, layout: Layout, conditions: Conditions
) -> MirroredLamp:
    """A lamp whose mirror image lies near some card."""
    white = float(to_linear(min(conditions.white_level, 1.0)))
    eye = camera.position_mm
    height = float(-eye[2] * rng.uniform(0.7, 2.0))
    card = layout.cards[int(rng.integers(len(layout.cards)))]
    spot = np.array([card.pose.x_mm, card.pose.y_mm]) + rng.normal(0, 15, 2)
    at = spot + (spot - eye[:2]) / -eye[2] * height
    spread = 1 + height / float(-eye[2])
    half = np.array([1.0, rng.uniform(0.4, 1.0)]) * 20 * spread
    return MirroredLamp(
        camera, at, height, half, float(rng.uniform(0, np.pi)),
        float(half.min() * rng.choice([0.04, 0.15, 0.4])), float(rng.uniform(1.0, 3.0)),
        float(rng.uniform(60, 220)) * spread, white * conditions.haze / (1 + conditions.haze),
    )  # fmt: skip


def _sized(lamp: MirroredLamp, points_mm: FloatArray, conditions: Conditions) -> MirroredLamp:
    """The lamp so large that it burns out the wanted share of the points (N, 2)."""
    white = float(to_linear(min(conditions.white_level, 1.0))) / (1 + conditions.haze)
    small, large = 0.02, 30.0
    level = np.zeros(2)
    for _ in range(30):
        middle = float(np.sqrt(small * large))
        mirrored = lamp.larger(middle)(points_mm, level)
        on_white = float((mirrored + white > BURNT).mean())
        elsewhere = float((mirrored > BURNT).mean())
        if _WHITE_PART * on_white + (1 - _WHITE_PART) * elsewhere > conditions.burnt_share:
            large = middle
        else:
            small = middle
    return lamp.larger(small)


def _points_that_show(layout: Layout) -> FloatArray:
    """Points of the cards that no other card covers, a few millimetres apart, (N, 2)."""
    size = layout.deck.card
    half = np.array([size.width_mm, size.height_mm]) / 2
    across, down = (np.linspace(-1, 1, n) * h * 0.97 for n, h in zip((17, 25), half, strict=True))
    raster = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)
    points = [card.pose.to_table(raster) for card in layout.cards]
    seen = []
    for index, own in enumerate(points):
        free = np.ones(len(own), dtype=bool)
        for above in layout.cards[index + 1 :]:
            free &= ~(np.abs(above.pose.to_card(own)) < half).all(axis=1)
        seen.append(own[free])
    return np.concatenate(seen)
