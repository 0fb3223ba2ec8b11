"""Sheets about cards: the size check, the practice cards, and a deck drawn back."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources

import numpy as np

from calibration.printed.sheet_page import GREY, WHITE, Rgb, SheetPage
from calibration.printed.sheet_words import words, written
from geometry.deck import Colour, Deck, Face, Point
from geometry.deck_file import parse_deck, published_deck

_INK_BLACK: Rgb = (26, 26, 26)
_GAP_MM = 3.0
_TOP_MM = 20.0


@cache
def practice_deck() -> Deck:
    """The practice cards' deck, which ships with the program."""
    text = resources.files("calibration").joinpath("data", "practice.json").read_text("utf-8")
    return parse_deck(json.loads(text))


def draw_card_check(page: SheetPage, deck: Deck | None = None) -> None:
    """One page with an angle to lay a card in, and scales round its expected size."""
    page.begin("card-title", "card-how")
    card = (deck or published_deck()).card
    x, y = page.middle_mm - card.width_mm / 2, 70.0
    page.rectangle(x - 6, y - 6, 46, 6)
    page.rectangle(x - 6, y, 6, 60)
    right, bottom = x + card.width_mm, y + card.height_mm
    for step in range(-8, 9):
        off, long = step / 2, 12.0 if step == 0 else 7.0 if step % 2 == 0 else 4.5
        page.line((right + off, y + 20), (right + off, y + 20 - long), 0.12)
        page.line((x + 20, bottom + off), (x + 20 + long, bottom + off), 0.12)
        if step % 4 == 0 and step != 0:
            page.text(right + off - 1, y + 23, f"{int(off):+d}", 4.5)
            page.text(x + 14, bottom + off + 0.6, f"{int(off):+d}", 4.5)
    width, height = (written(mm, page.language) for mm in (card.width_mm, card.height_mm))
    page.text(right - 8, y + 5, f"{words('width', page.language)} {width} mm", 7)
    page.text(x + 34, bottom + 1, f"{words('height', page.language)} {height} mm", 7)


def draw_practice_cards(page: SheetPage) -> None:
    """Pages with every practice card, fronts only, to cut out."""
    draw_deck(page, practice_deck(), "practice-title", "practice-how", every_colour=True)


def draw_deck(page: SheetPage, deck: Deck, title: str, how: str, every_colour: bool) -> None:
    """Every face in card size, six a page; in the first colour only unless `every_colour`."""
    colours = deck.colours if every_colour else deck.colours[:1]
    cards = [(face, colour) for colour in colours for face in deck.faces]
    cards.append((deck.starting_face, deck.starting_colour))
    card = deck.card
    across = max(1, int((page.paper_mm[0] - 20) // (card.width_mm + _GAP_MM)))
    down = max(1, int((page.paper_mm[1] - _TOP_MM - 14) // (card.height_mm + _GAP_MM)))
    width = across * (card.width_mm + _GAP_MM) - _GAP_MM
    left = page.middle_mm - width / 2 + 2
    for number, (face, colour) in enumerate(cards):
        place = number % (across * down)
        if place == 0:
            page.begin(title, how)
        x = left + (place % across) * (card.width_mm + _GAP_MM)
        y = _TOP_MM + (place // across) * (card.height_mm + _GAP_MM)
        draw_card(page, deck, face, colour, (x + card.width_mm / 2, y + card.height_mm / 2))
    if not every_colour:
        _swatches(page, deck)


def draw_card(page: SheetPage, deck: Deck, face: Face, colour: Colour, middle: Point) -> None:
    """A card's front with its middle at a place on the page."""
    card, ink = deck.card, rgb_of(colour.hex)
    x, y = middle[0] - card.width_mm / 2, middle[1] - card.height_mm / 2
    body = ink if deck.art.band else _INK_BLACK
    page.rounded(x, y, card.width_mm, card.height_mm, card.corner_radius_mm, body)
    inset = card.frame_inset_mm
    page.rectangle(x + inset, y + inset, card.frame_width_mm, card.frame_height_mm, _INK_BLACK)
    line = WHITE if deck.art.lines == "white" else ink
    for shape in face.shapes:
        if shape.filled and deck.art.fill:
            page.outline(_moved(shape.outline_mm, middle), ink)
    half_w, half_h = card.frame_width_mm / 2, card.frame_height_mm / 2
    frame = ((-half_w, -half_h), (half_w, -half_h), (half_w, half_h), (-half_w, half_h))
    for outline in (*(shape.outline_mm for shape in face.shapes), frame):
        page.loop(_moved(outline, middle), card.line_mm, line)
    for dot in face.dots_mm:
        page.disc(
            middle[0] + dot[0], middle[1] + dot[1], deck.dot_diameter_mm,
            WHITE if deck.art.dots == "white" else ink,
        )  # fmt: skip
    _badge(page, deck, face, ink, middle)
    for polygon in colour.symbol_mm:
        dx, dy = deck.symbol_offset_mm
        page.outline(_moved(polygon, (middle[0] + dx, middle[1] + dy)), WHITE)


def _badge(page: SheetPage, deck: Deck, face: Face, ink: Rgb, middle: Point) -> None:
    if face.suit is None:
        return
    size = deck.badge_mm
    for share, fill in ((1.0, WHITE), (0.83, ink)):
        if face.suit == "circle":
            page.disc(*middle, size * share, fill)
        else:
            page.outline(_moved(_suit_outline(face.suit, size * share), middle), fill)
    drop = 0.1 * size if face.suit == "triangle" else 0.0
    page.text_in_middle(middle[0], middle[1] + drop, str(face.value), size * 1.9, WHITE)


def _suit_outline(suit: str, size: float) -> list[Point]:
    if suit == "square":
        half = 0.46 * size
        return [(-half, -half), (half, -half), (half, half), (-half, half)]
    radius = 0.62 * size
    angles = np.deg2rad([-90.0, 30.0, 150.0])
    return [(radius * float(np.cos(a)), radius * float(np.sin(a)) + 0.1 * size) for a in angles]


def _swatches(page: SheetPage, deck: Deck) -> None:
    """Colours and symbols of the whole deck, on a page of their own."""
    page.begin("enrolled-title", "enrolled-how")
    for number, colour in enumerate((*deck.colours, deck.starting_colour)):
        y = 40.0 + 24 * number
        page.rectangle(25, y, 40, 18, rgb_of(colour.hex))
        page.rectangle(67, y, 18, 18, _INK_BLACK)
        for polygon in colour.symbol_mm:
            page.outline([(76 + 2 * px, y + 9 + 2 * py) for px, py in polygon], WHITE)
        page.text(90, y + 10, f"{colour.name}  {colour.hex}", 10)
    card = deck.card
    lengths = {
        "width": card.width_mm, "height": card.height_mm, "inset": card.frame_inset_mm,
        "dot": deck.dot_diameter_mm,
    }  # fmt: skip
    figures = {name: written(mm, page.language, 2) for name, mm in lengths.items()}
    page.text(25, 230, words("measures", page.language).format(**figures), 9, GREY)


def rgb_of(hex_colour: str) -> Rgb:
    """Red, green and blue from 0 to 255."""
    value = hex_colour.lstrip("#")
    return int(value[:2], 16), int(value[2:4], 16), int(value[4:6], 16)


def _moved(points: tuple[Point, ...] | list[Point], by: Point) -> list[Point]:
    return [(x + by[0], y + by[1]) for x, y in points]
