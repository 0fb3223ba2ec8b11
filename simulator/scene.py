"""One simulated photograph with its truth, from a seed."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from geometry.deck_file import published_deck
from geometry.layout import Layout
from simulator.camera.camera import PlacedLens
from simulator.camera.photograph import Moment, photograph
from simulator.camera.viewpoint import card_corners_mm, choose_camera
from simulator.cards.printing import printing_named
from simulator.conditions import Conditions
from simulator.play.rounds import play_round, spread_faces
from simulator.presets import draw_conditions
from simulator.truth import truth_of
from vision.lens import Lens

_TRIES, _COS_APART = 20, float(np.cos(np.deg2rad(15.0)))
"""Cameras that see a table from another side are so far apart, seen from its middle."""


@dataclass(frozen=True, eq=False)
class SimulatedScene:
    """A photograph (H, W, 3) uint8 blue green red as its JPEG decodes, what is true of it,
    and its lens where that is known to the reader.
    """

    image_bgr: NDArray[np.uint8]
    truth: dict[str, object]
    lens: Lens | None
    conditions: Conditions
    jpeg: bytes


def conditions_of(seed: int, preset: str) -> Conditions:
    """The conditions of the scene that this mix makes of this seed."""
    return draw_conditions(_streams(seed)[0], preset)


def _streams(seed: int) -> list[np.random.Generator]:
    """Random streams of a scene: its conditions', its round's, its camera's, its picture's, its
    printing's.
    """
    return np.random.default_rng(seed).spawn(5)


def _elsewhere(
    rng: np.random.Generator, first: PlacedLens, layout: Layout, conditions: Conditions
) -> PlacedLens:
    """A camera tilted by 12 degrees at least, that sees the cards from another side than the first
    one does, if one of a few does.
    """
    tilted = replace(conditions, tilt_deg=max(conditions.tilt_deg, rng.uniform(12, 25)))
    middle = np.append(card_corners_mm(layout).mean(axis=0), 0.0)
    camera = first
    for _ in range(_TRIES):
        camera = choose_camera(rng, layout, tilted)
        one, other = first.position_mm - middle, camera.position_mm - middle
        if one @ other < _COS_APART * np.linalg.norm(one) * np.linalg.norm(other):
            break
    return camera


def simulate_scene(
    seed: int,
    preset: str | Conditions,
    deck: Deck | None = None,
    printing: str | None = None,
    view: int = 0,
) -> SimulatedScene:
    """Play, light and photograph a round. The same seed and preset give the same scene.

    `printing` (`deck` or `random`) takes the place of the conditions' own. `view`: from 1 on, the
    same table in the same light from another place, tilted by 12 degrees at least.
    """
    deck = deck if deck is not None else published_deck()
    _, play, look, picture, press = _streams(seed)
    conditions = conditions_of(seed, preset) if isinstance(preset, str) else preset
    if printing is not None:
        conditions = replace(conditions, printing=printing)
    played = spread_faces(play, deck) if conditions.spread else play_round(play, deck, conditions)
    camera, moment = choose_camera(look, played.layout, conditions), None
    if view:
        own = np.random.default_rng([seed, view])
        moment = Moment(own, played.layout, first=camera)
        camera = _elsewhere(own, camera, played.layout, conditions)
    printed = printing_named(conditions.printing, press, deck)
    photo = photograph(picture, played.layout, camera, conditions, printed, moment)
    truth = truth_of(played, camera, conditions, photo) | {"printing": printed.as_json()}
    lens = camera.lens if conditions.lens_known else None
    return SimulatedScene(photo.image_bgr, truth, lens, conditions, photo.jpeg)
