"""One simulated photograph with its truth, from a seed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from geometry.deck_file import published_deck
from geometry.showing import over
from rig.simulator.camera import Camera, FloatArray
from rig.simulator.canvas import Canvas
from rig.simulator.conditions import Conditions
from rig.simulator.light import Lamp, choose_lamp, to_linear
from rig.simulator.presets import draw_conditions
from rig.simulator.rounds import Played, play_round, spread_faces
from rig.simulator.sensor import expose
from rig.simulator.sheets import (
    card_sheet,
    choose_inks,
    heights_mm,
    marker_corners_mm,
    marker_sheet,
)
from rig.simulator.tables import table_texture
from rig.simulator.truth import truth_of
from rig.simulator.viewpoint import choose_camera
from vision.lens import Lens


@dataclass(frozen=True, eq=False)
class Scene:
    """A photograph (H, W, 3) uint8 blue green red, what is true of it, and its lens if known."""

    image_bgr: NDArray[np.uint8]
    truth: dict[str, object]
    lens: Lens | None
    conditions: Conditions


def simulate_scene(seed: int, preset: str | Conditions, deck: Deck | None = None) -> Scene:
    """Play, light and photograph a round. The same seed and preset give the same scene."""
    deck = deck if deck is not None else published_deck()
    play, look, light, noise = np.random.default_rng(seed).spawn(4)
    conditions = draw_conditions(look, preset) if isinstance(preset, str) else preset
    played = spread_faces(play, deck) if conditions.spread else play_round(play, deck, conditions)
    camera = choose_camera(look, played.layout, conditions)
    image = photograph(light, noise, played, camera, conditions)
    truth = truth_of(played, camera, conditions)
    return Scene(image, truth, camera.lens if conditions.lens_known else None, conditions)


def photograph(
    rng: np.random.Generator,
    noise: np.random.Generator,
    played: Played,
    camera: Camera,
    conditions: Conditions,
) -> NDArray[np.uint8]:
    """The picture of a table from a camera."""
    canvas = Canvas(camera)
    layout = played.layout
    middles = np.array([[card.pose.x_mm, card.pose.y_mm] for card in layout.cards])
    texture, scale = table_texture(rng, conditions.table)
    canvas.cover(texture, scale, rng.uniform(-500, 0, 2))
    if conditions.markers != "none" and layout.play_area_mm is not None:
        for number, corners in marker_corners_mm(layout.play_area_mm).items():
            canvas.lay(marker_sheet(number, corners.mean(axis=0)))
    px_per_mm = float(np.median(camera.scale_px_per_mm(middles)))
    _lay_cards(rng, canvas, played, px_per_mm, conditions)
    lamp = choose_lamp(rng, conditions, middles)
    linear = _lit(canvas, lamp, middles, conditions)
    return expose(linear, conditions, px_per_mm, noise)


def _lay_cards(
    rng: np.random.Generator,
    canvas: Canvas,
    played: Played,
    px_per_mm: float,
    conditions: Conditions,
) -> None:
    layout = played.layout
    inks = choose_inks(rng, layout.deck, conditions)
    below = {card: frozenset(ids) for card, ids in over(layout).items()}
    heights = heights_mm(layout, below)
    scale = float(np.clip(np.ceil(px_per_mm * 2.4), 4, 14))
    for card in layout.cards:
        ink = inks[card.colour]
        sheet = card_sheet(rng, layout.deck, card, ink, heights[card.id], scale, conditions)
        canvas.lay(sheet)


def _lit(
    canvas: Canvas, lamp: Lamp, middles_mm: FloatArray, conditions: Conditions
) -> NDArray[np.float32]:
    """Reflectance under the lamp, exposed so that the brightest white is as bright as asked."""
    light = lamp.falls_on(canvas.grid_on_table())
    brightest = float(lamp.falls_on(middles_mm).max())
    paper = float(to_linear(0.89))
    exposure = float(to_linear(conditions.white_level)) / (brightest * paper)
    field = canvas.from_grid(light * _vignette(canvas, conditions.vignette) * exposure)
    gains = np.asarray(conditions.cast, dtype=np.float32) / max(conditions.cast)
    return canvas.reflectance * (field * canvas.shade)[..., None] * gains


def _vignette(canvas: Canvas, strength: float) -> FloatArray:
    away = (canvas.rays**2).sum(axis=-1)
    return np.asarray(1 - strength * away / max(float(away.max()), 1e-9))
