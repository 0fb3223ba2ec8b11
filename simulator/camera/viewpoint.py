"""Where the camera stands for a layout, and which lens it has."""

from dataclasses import replace

import numpy as np

from geometry.layout import Layout
from simulator.camera.camera import FloatArray, Glass, PlacedLens, Stand, place_camera
from simulator.conditions import Conditions
from simulator.tabletop.sheets import MARKER_MM, MARKER_PAPER_MM, marker_corners_mm

HUGE_PIXELS = 12_000_000
_PLACES = 8


def card_corners_mm(layout: Layout) -> FloatArray:
    """Corners of all cards on the table, (4 N, 2), mm."""
    corners = np.array(layout.deck.card.corners_mm)
    return np.concatenate([card.pose.to_table(corners) for card in layout.cards])


def choose_glass(rng: np.random.Generator, lens: str) -> Glass:
    """A lens of a kind: plain, mild, wide, fisheye, phone."""
    centre = tuple(float(v) for v in rng.normal(0, 0.006, 2))
    offset = (centre[0], centre[1])
    if lens == "plain":
        return Glass(float(rng.uniform(0.72, 0.95)), (0.0,) * 5)
    if lens == "mild":
        bend = float(rng.uniform(-0.12, 0.06))
        more = (-0.3 * bend, *rng.normal(0, 0.0004, 2), 0.0)
        return Glass(float(rng.uniform(0.72, 0.9)), _numbers(bend, *more), False, offset)
    if lens == "wide":
        bend = float(rng.uniform(-0.26, -0.18))
        more = (-0.28 * bend, *rng.normal(0, 0.0006, 2), -0.006)
        return Glass(float(rng.uniform(0.5, 0.6)), _numbers(bend, *more), False, offset)
    if lens == "fisheye":
        return Glass(
            float(rng.uniform(0.45, 0.55)),
            _numbers(*rng.normal(0, (0.03, 0.012, 0.004, 0.001))),
            True,
            offset,
        )
    if lens == "phone":
        bend = float(rng.uniform(-0.03, 0.03))
        return Glass(float(rng.uniform(0.55, 0.85)), _numbers(bend, -0.3 * bend, 0, 0, 0))
    raise ValueError(f"no such lens: {lens}")


def _numbers(*values: float) -> tuple[float, ...]:
    return tuple(float(value) for value in values)


def choose_camera(rng: np.random.Generator, layout: Layout, conditions: Conditions) -> PlacedLens:
    """A camera that sees the cards (and markers) as large as the conditions ask.

    Where that makes a huge picture, other places are tried, less and less tilted.
    """
    cameras = [_some_camera(rng, layout, conditions)]
    while len(cameras) < _PLACES and _pixels(cameras[-1]) > HUGE_PIXELS:
        tilt = conditions.tilt_deg * (1 - max(0, len(cameras) - 2) / _PLACES)
        aspect = conditions.aspect if len(cameras) < 3 else 4 / 3
        easier = replace(conditions, tilt_deg=tilt, aspect=aspect)
        cameras.append(_some_camera(rng, layout, easier))
    return min(cameras, key=_pixels)


def _pixels(camera: PlacedLens) -> int:
    width, height = camera.lens.size_wh
    return width * height


def _some_camera(rng: np.random.Generator, layout: Layout, conditions: Conditions) -> PlacedLens:
    glass = choose_glass(rng, conditions.lens)
    heading = float(rng.uniform(0, 360))
    turn = conditions.turn_deg + rng.normal(0, 2) + (heading + 180 if conditions.held else 0)
    stand = Stand(conditions.tilt_deg, heading, turn)
    cards = card_corners_mm(layout)
    margin = float(rng.uniform(0.015, 0.05)) - conditions.cut_off / 2
    margin = margin if conditions.margin is None else conditions.margin
    aspect = conditions.aspect
    if conditions.picture_wh is not None:
        aspect = conditions.picture_wh[0] / conditions.picture_wh[1]
    wanted = _to_be_seen(cards, layout, conditions)
    rotation, translation = place_camera(stand, glass, wanted, aspect, margin)
    width = _width_px(glass, rotation, translation, cards, conditions, aspect)
    lens = glass.on_sensor(width, round(width / aspect))
    return PlacedLens(lens, rotation, translation)


def _to_be_seen(cards_mm: FloatArray, layout: Layout, conditions: Conditions) -> FloatArray:
    """The points (N, 2) on the table that belong into the picture: of cards and markers."""
    if conditions.markers == "none" or layout.play_area_mm is None:
        return cards_mm
    paper = (MARKER_PAPER_MM - MARKER_MM) / 2
    corners = np.concatenate(list(marker_corners_mm(layout.play_area_mm).values()))
    outwards = np.sign(corners - corners.mean(axis=0))
    return np.concatenate([cards_mm, corners + outwards * paper])


def _width_px(
    glass: Glass,
    rotation: FloatArray,
    translation: FloatArray,
    cards_mm: FloatArray,
    conditions: Conditions,
    aspect: float,
) -> int:
    """Picture width at which the card seen smallest has the wanted scale."""
    if conditions.picture_wh is not None:
        return conditions.picture_wh[0]
    trial = 2000
    lens = glass.on_sensor(trial, round(trial / aspect))
    smallest = float(PlacedLens(lens, rotation, translation).scale_px_per_mm(cards_mm).min())
    width = trial * conditions.px_per_mm / smallest
    most = np.sqrt(conditions.most_pixels * aspect)
    least = trial * min(conditions.px_per_mm, conditions.least_px_per_mm) / smallest
    return int(np.ceil(max(least, min(width, most)) / 4) * 4)
