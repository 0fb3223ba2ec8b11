"""The flat things on the table: cards with ink, wear and curl, and markers."""

import colorsys
from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from geometry.layout import Card, Layout
from geometry.pose import Pose
from simulator.camera.canvas import Sheet
from simulator.cards.brush import Part
from simulator.cards.card_art import Misprint, Side, draw_misprint, paint_face
from simulator.cards.inks import Rgb, rgb_of
from simulator.cards.printing import Printing
from simulator.cards.wear import used, worn
from simulator.conditions import Conditions
from simulator.lighting.light import to_linear

MARKER_MM = 60.0
MARKER_PAPER_MM = 84.0
MARKER_CENTRE_MM = 40.0

# Hue ranges in degrees, as printings and cameras have been seen to differ.
_HUES = {"green": (85.0, 148.0), "red": (3.0, 14.0), "purple": (228.0, 265.0)}
_YELLOW = (42.0, 52.0)
_SCATTER = 0.8


def choose_inks(
    rng: np.random.Generator, deck: Deck, conditions: Conditions, printing: Printing
) -> dict[str, Rgb]:
    """The printed colour of every player colour of this game, sRGB from 0 to 1."""
    near = {
        colour.name: _ink(rng, colour.name, rgb_of(colour.hex), conditions.ink_shift)
        for colour in (*deck.colours, deck.starting_colour)
    }
    return near | dict(printing.inks)


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


@dataclass(frozen=True, slots=True, eq=False)
class CardPrint:
    """What a card's sheet is made from: deck, printing and its inks, and how large it is drawn."""

    deck: Deck
    printing: Printing
    inks: Mapping[str, Rgb]
    px_per_mm: float


def card_sheet(
    rng: np.random.Generator,
    prints: CardPrint,
    card: Card,
    height_mm: float,
    conditions: Conditions,
) -> Sheet:
    """One card, printed, worn and bent as the conditions say."""
    deck, printing, scale = prints.deck, prints.printing, prints.px_per_mm
    dirt = float(np.exp(rng.normal(0, 0.08)))
    own = rng.spawn(1)[0] if printing.black is not None else None
    misprint = draw_misprint(own, printing) if own is not None else None
    colours = colours_of_parts(prints, card.colour, conditions.black_level, dirt)
    side = Side(deck.face(card.face), card.colour, card.pose.mirrored, conditions.symbols_mirrored)
    texture = paint_face(deck, printing, side, scale, colours, misprint)
    if own is not None:
        texture = used(own, texture, scale, printing)
    if conditions.wear > 0:
        texture = worn(rng, texture, scale, conditions.wear)
    curl = conditions.curl_mm
    bend = (float(rng.normal(0, curl / 3)), float(abs(rng.normal(0, curl)))) if curl else (0.0, 0.0)
    lean = rng.normal(0, 0.006, 2)
    x, y, angle = _cut_card(card.pose, misprint)
    return Sheet(
        texture, scale, x, y, angle, height_mm, bend, (float(lean[0]), float(lean[1])),
        gloss=printing.gloss, is_card=True, reserved=True,
    )  # fmt: skip


def _cut_card(pose: Pose, misprint: Misprint | None) -> tuple[float, float, float]:
    """Where the cut card lies whose print has this pose: x, y and angle."""
    if misprint is None:
        return pose.x_mm, pose.y_mm, pose.angle_deg
    angle = np.deg2rad(pose.angle_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    x, y = turn @ misprint.middle_mm
    return pose.x_mm + float(x), pose.y_mm + float(y), pose.angle_deg - misprint.turn_deg


def colours_of_parts(
    prints: CardPrint, colour: str, black: float, dirt: float
) -> NDArray[np.float32]:
    """Reflectance of every `Part` of a card of a colour: (8, 3), linear red green blue.

    A printing whose black is pale scatters light: as much is added to its inks.
    """
    printing, art = prints.printing, prints.deck.art
    starting = colour == prints.deck.starting_colour.name
    table = np.zeros((len(Part), 3), dtype=np.float32)
    tint, white = prints.inks[colour], printing.white
    table[[Part.BAND, Part.FILL, Part.BADGE]] = tint
    table[Part.LINE] = white if art.lines == "white" or printing.black is not None else tint
    table[Part.DOT] = white if art.dots == "white" else tint
    table[Part.MARK] = white
    table = to_linear(table)
    if starting:
        table[[Part.LINE, Part.MARK]] *= np.float32(printing.start_white)
    if printing.black is not None:
        black = float(to_linear(printing.black))
        table[[Part.BAND, Part.FILL, Part.BADGE]] += np.float32(_SCATTER * black)
    table[Part.BLACK] = black * dirt
    return table


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
