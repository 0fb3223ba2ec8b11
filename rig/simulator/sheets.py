"""The flat things on the table: cards with ink, wear and curl, and markers."""

from __future__ import annotations

import colorsys
from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from geometry.layout import Card, Layout
from rig.simulator.canvas import Image, Sheet
from rig.simulator.conditions import Conditions
from rig.simulator.light import to_linear
from vision.drawing.face_art import Part, Rgb, paint, palette, rgb_of

MARKER_MM = 60.0
MARKER_PAPER_MM = 84.0
MARKER_CENTRE_MM = 40.0

# Hue ranges in degrees, as printings and cameras have been seen to differ.
_HUES = {"green": (85.0, 148.0), "red": (3.0, 14.0), "purple": (228.0, 265.0)}
_YELLOW = (42.0, 52.0)


def choose_inks(rng: np.random.Generator, deck: Deck, conditions: Conditions) -> dict[str, Rgb]:
    """The printed colour of every player colour of this game, sRGB from 0 to 1."""
    return {
        colour.name: _ink(rng, colour.name, rgb_of(colour.hex), conditions.ink_shift)
        for colour in (*deck.colours, deck.starting_colour)
    }


def _ink(rng: np.random.Generator, name: str, typical: Rgb, shift: float) -> Rgb:
    hue, saturation, value = colorsys.rgb_to_hsv(*typical)
    if name == "white":
        return typical
    low, high = _HUES.get(name, (hue * 360 - 6, hue * 360 + 6))
    if name == "orange" and rng.random() < 0.25 * shift:
        low, high = _YELLOW
    anywhere = rng.uniform(low, high) / 360
    moved = hue + (anywhere - hue) * shift
    saturation = float(np.clip(saturation + rng.normal(0, 0.06) * shift, 0.3, 1))
    value = float(np.clip(value * (1 + rng.normal(0, 0.08) * shift), 0.2, 0.95))
    return colorsys.hsv_to_rgb(moved % 1.0, saturation, value)


def heights_mm(
    layout: Layout, over: Mapping[int, frozenset[int]], gap_mm: float = 0.0
) -> dict[int, float]:
    """Height of each card's face: a thickness and a gap more than the highest card below it."""
    heights: dict[int, float] = {}
    for card in layout.cards:
        below = max((heights[other] for other in over[card.id]), default=0.0)
        heights[card.id] = below + layout.deck.card.thickness_mm + (gap_mm if below else 0.0)
    return heights


def card_sheet(
    rng: np.random.Generator,
    deck: Deck,
    card: Card,
    ink: Rgb,
    height_mm: float,
    px_per_mm: float,
    conditions: Conditions,
) -> Sheet:
    """One card, printed, worn and bent as the conditions say."""
    black = float(conditions.black_level * np.exp(rng.normal(0, 0.08)))
    colours = palette(deck, card.colour, ink=ink)
    colours = to_linear(colours)
    colours[Part.BLACK] = black
    pose = card.pose
    texture = paint(
        deck, card.face, card.colour, px_per_mm, colours, pose.mirrored,
        conditions.symbols_mirrored,
    )  # fmt: skip
    if conditions.wear > 0:
        texture = _worn(rng, texture, px_per_mm, conditions.wear)
    curl = conditions.curl_mm
    bend = (float(rng.normal(0, curl / 3)), float(abs(rng.normal(0, curl)))) if curl else (0.0, 0.0)
    lean = rng.normal(0, 0.006, 2)
    return Sheet(
        texture, px_per_mm, pose.x_mm, pose.y_mm, pose.angle_deg, height_mm, bend,
        (float(lean[0]), float(lean[1])), gloss=1.0, is_card=True, reserved=True,
    )  # fmt: skip


def _worn(rng: np.random.Generator, texture: Image, px_per_mm: float, wear: float) -> Image:
    """Scratches across the face and white paper showing at the edges."""
    height, width = texture.shape[:2]
    cover = texture[..., 3]
    rubbed = np.zeros((height, width), dtype=np.float32)
    for _ in range(rng.poisson(6 * wear)):
        x, y = rng.uniform(0, width), rng.uniform(0, height)
        angle, length = rng.uniform(0, np.pi), rng.exponential(12) * px_per_mm
        end = (int(x + length * np.cos(angle)), int(y + length * np.sin(angle)))
        strength = float(rng.uniform(0.05, 0.35) * wear)
        cv2.line(rubbed, (int(x), int(y)), end, strength, 1, cv2.LINE_AA)
    edge = 1 - cv2.GaussianBlur(cover, (0, 0), 0.7 * px_per_mm)
    coarse = rng.random((max(2, height // 12), max(2, width // 12)), dtype=np.float32)
    patches = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    rubbed += np.clip(edge * 2.2 - 0.3, 0, 1) * np.clip(patches * 2 - 1, 0, 1) * wear * 0.8
    rubbed = np.clip(rubbed, 0, 0.9)[..., None]
    worn = texture.copy()
    worn[..., :3] = texture[..., :3] * (1 - rubbed) + 0.55 * rubbed * cover[..., None]
    return worn


def marker_corners_mm(play_area_mm: tuple[float, float]) -> dict[int, NDArray[np.float64]]:
    """Corners (4, 2) of the four black squares in the table frame, by id."""
    width, height = play_area_mm
    out = MARKER_CENTRE_MM
    centres = [(-out, -out), (width + out, -out), (width + out, height + out), (-out, height + out)]
    half = MARKER_MM / 2
    square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    return {number: square + centre for number, centre in enumerate(centres)}


def marker_sheet(number: int, centre_mm: NDArray[np.float64], px_per_mm: float = 6.0) -> Sheet:
    """A marker on its white paper."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    cells = 6
    side = round(MARKER_MM * px_per_mm / cells) * cells
    scale = side / MARKER_MM
    paper = round(MARKER_PAPER_MM * scale / 2) * 2 + side % 2
    picture = np.full((paper, paper), 0.78, dtype=np.float32)
    start = (paper - side) // 2
    code = cv2.aruco.generateImageMarker(dictionary, number, cells * 8)
    code = cv2.resize(code, (side, side), interpolation=cv2.INTER_NEAREST)
    picture[start : start + side, start : start + side] = np.where(code > 0, 0.78, 0.02)
    texture = np.dstack([picture, picture, picture, np.ones_like(picture)])
    return Sheet(texture, scale, float(centre_mm[0]), float(centre_mm[1]), 0.0, 0.1, reserved=True)
