"""Reading a deck file, `tacta-deck/1`: every fault is refused with the place where it is.

Keys that the format does not know are passed over. All keys that it does know
are required (but a hollow shape's dots), so a misspelt one is noticed.
"""

from __future__ import annotations

import json
import math
from functools import cache
from importlib import resources
from pathlib import Path
from typing import NoReturn, cast, get_args

from geometry.deck import (
    Art,
    CardSize,
    Colour,
    Deck,
    Face,
    Point,
    Shape,
    ShapeKind,
    Suit,
)
from geometry.deck_faults import DeckError, refuse_faults
from geometry.wording import quoted

__all__ = ["DeckError", "load_deck", "parse_deck", "published_deck"]

FORMAT = "tacta-deck/1"
LARGEST_FILE_BYTES = 1_000_000
LARGEST_LENGTH_MM = 1000.0
"""No card is a metre wide: a larger figure is in another unit, or a slip of the pen."""
LONGEST_LIST = 200
CORNERS = {"triangle": 3, "square": 4, "rectangle": 4}


@cache
def published_deck() -> Deck:
    """The published game, which ships with the program."""
    text = resources.files("geometry").joinpath("data", "tacta.json").read_text("utf-8")
    return parse_deck(json.loads(text))


def load_deck(path: str | Path) -> Deck:
    """Read and check a deck file. DeckError, one sentence, if it cannot be used."""
    data = _read_json(Path(path))
    try:
        return parse_deck(data)
    except DeckError as fault:
        raise DeckError(f"deck file {path}: {fault}") from None


def parse_deck(data: object) -> Deck:
    """Check a decoded deck file and make the deck. DeckError names the first faulty place."""
    top = _mapping(data, "the deck")
    found = top.get("format")
    if found != FORMAT:
        _refuse("format", f"expected {FORMAT!r}, found {quoted(found)}")
    deck = Deck(
        name=_text(top, "name", ""),
        card=_card_size(_mapping(_need(top, "card", ""), "card")),
        art=_art(_mapping(_need(top, "art", ""), "art")),
        dot_diameter_mm=_length(top, "dot_diameter_mm", ""),
        badge_mm=_length(top, "badge_mm", ""),
        symbol_offset_mm=_point(_need(top, "symbol_offset_mm", ""), "symbol_offset_mm"),
        colours=tuple(_colour(c, where) for c, where in _items(top, "colours", "")),
        starting_colour=_colour(_need(top, "starting_colour", ""), "starting_colour"),
        starting_face=_face(_need(top, "starting_face", ""), "starting_face"),
        faces=tuple(_face(f, where) for f, where in _items(top, "faces", "")),
    )
    refuse_faults(deck)
    return deck


def _read_json(path: Path) -> object:
    def unusable(reason: str) -> DeckError:
        return DeckError(f"deck file {path} {reason}")

    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise unusable(f"cannot be read: {reason}") from None
    if len(raw) > LARGEST_FILE_BYTES:
        raise unusable(f"is larger than {LARGEST_FILE_BYTES:,} bytes, too large for a deck")
    try:
        return json.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise unusable("is not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise unusable(f"is not JSON: line {error.lineno}, {error.msg}") from None
    except RecursionError:
        raise unusable("is nested too deeply to be a deck") from None
    except ValueError:  # an integer of thousands of digits
        raise unusable("holds a number of thousands of digits") from None


def _card_size(card: dict[str, object]) -> CardSize:
    size = CardSize(
        width_mm=_length(card, "width_mm", "card"),
        height_mm=_length(card, "height_mm", "card"),
        corner_radius_mm=_length(card, "corner_radius_mm", "card"),
        frame_inset_mm=_length(card, "frame_inset_mm", "card"),
        line_mm=_length(card, "line_mm", "card"),
        thickness_mm=_length(card, "thickness_mm", "card"),
    )
    smaller = min(size.width_mm, size.height_mm)
    if 2 * size.corner_radius_mm > smaller:
        _refuse("card.corner_radius_mm", "the corners are rounder than the card is wide")
    if 2 * size.frame_inset_mm >= smaller:
        _refuse("card.frame_inset_mm", "the frame lies so far inside that nothing of it is left")
    return size


def _art(art: dict[str, object]) -> Art:
    for name in ("band", "fill"):
        if not isinstance(_need(art, name, "art"), bool):
            _refuse(f"art.{name}", f"expected true or false, found {quoted(art[name])}")
    for name in ("dots", "lines"):
        if _need(art, name, "art") not in ("white", "colour"):
            _refuse(f"art.{name}", f"expected 'white' or 'colour', found {quoted(art[name])}")
    return Art(
        band=bool(art["band"]),
        dots="white" if art["dots"] == "white" else "colour",
        lines="white" if art["lines"] == "white" else "colour",
        fill=bool(art["fill"]),
    )


def _colour(value: object, where: str) -> Colour:
    colour = _mapping(value, where)
    code = _text(colour, "hex", where)
    digits = code[1:]
    if not (len(code) == 7 and code[0] == "#" and set(digits) <= set("0123456789abcdefABCDEF")):
        _refuse(f"{where}.hex", f"expected a colour like '#0d93d0', found {quoted(code)}")
    polygons = _items(colour, "symbol_mm", where)
    symbol = tuple(_polygon(polygon, place, least=3) for polygon, place in polygons)
    return Colour(_text(colour, "name", where), code, symbol)


def _face(value: object, where: str) -> Face:
    face = _mapping(value, where)
    suit = _need(face, "suit", where)
    starting = where == "starting_face"
    if suit not in get_args(Suit) and not (starting and suit is None):
        known = ", ".join(repr(name) for name in get_args(Suit))
        _refuse(f"{where}.suit", f"expected one of {known}, found {quoted(suit)}")
    number = _need(face, "value", where)
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= 99:
        _refuse(f"{where}.value", f"expected a whole number of dots, found {quoted(number)}")
    shapes = tuple(_shape(s, place) for s, place in _items(face, "shapes", where))
    return Face(_text(face, "id", where), cast("Suit | None", suit), number, shapes)


def _shape(value: object, where: str) -> Shape:
    shape = _mapping(value, where)
    kind = _need(shape, "kind", where)
    if not isinstance(kind, str) or kind not in CORNERS:
        known = ", ".join(repr(name) for name in CORNERS)
        _refuse(f"{where}.kind", f"expected one of {known}, found {quoted(kind)}")
    outline = _polygon(_need(shape, "outline_mm", where), f"{where}.outline_mm", least=3)
    if len(outline) != CORNERS[kind]:
        _refuse(f"{where}.outline_mm", f"a {kind} has {CORNERS[kind]} corners, not {len(outline)}")
    dots = _points(shape.get("dots_mm", []), f"{where}.dots_mm")
    return Shape(cast("ShapeKind", kind), outline, dots)


def _polygon(value: object, where: str, least: int) -> tuple[Point, ...]:
    points = _points(value, where)
    if len(points) < least:
        _refuse(where, f"expected at least {least} points, found {len(points)}")
    return points


def _points(value: object, where: str) -> tuple[Point, ...]:
    return tuple(_point(item, f"{where}[{i}]") for i, item in enumerate(_sequence(value, where)))


def _point(value: object, where: str) -> Point:
    pair = _sequence(value, where)
    if len(pair) != 2:
        _refuse(where, f"expected a point [x, y], found {quoted(value)}")
    return (_number(pair[0], f"{where}[0]"), _number(pair[1], f"{where}[1]"))


def _length(mapping: dict[str, object], key: str, where: str) -> float:
    place = _below(where, key)
    length = _number(_need(mapping, key, where), place)
    if length <= 0:
        _refuse(place, f"expected a length above zero, found {length:g}")
    return length


def _number(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        _refuse(where, f"expected a number, found {quoted(value)}")
    if isinstance(value, float) and not math.isfinite(value):
        _refuse(where, f"expected a number, found {value}")
    if abs(value) > LARGEST_LENGTH_MM:
        _refuse(where, f"expected at most {LARGEST_LENGTH_MM:g} mm, found {quoted(value)}")
    return float(value)


def _text(mapping: dict[str, object], key: str, where: str) -> str:
    value = _need(mapping, key, where)
    if not isinstance(value, str) or not value.strip() or len(value) > LONGEST_LIST:
        _refuse(_below(where, key), f"expected a short text, found {quoted(value)}")
    return value


def _items(mapping: dict[str, object], key: str, where: str) -> list[tuple[object, str]]:
    """The items of a list that must not be empty, each with its place."""
    place = _below(where, key)
    values = _sequence(_need(mapping, key, where), place)
    if not values:
        _refuse(place, "is empty")
    return [(value, f"{place}[{i}]") for i, value in enumerate(values)]


def _need(mapping: dict[str, object], key: str, where: str) -> object:
    if key not in mapping:
        _refuse(_below(where, key), "is missing")
    return mapping[key]


def _mapping(value: object, where: str) -> dict[str, object]:
    if not isinstance(value, dict):
        _refuse(where, f"expected an object with named values, found {quoted(value)}")
    return cast("dict[str, object]", value)


def _sequence(value: object, where: str) -> list[object]:
    if not isinstance(value, list):
        _refuse(where, f"expected a list, found {quoted(value)}")
    if len(value) > LONGEST_LIST:
        _refuse(where, f"expected at most {LONGEST_LIST} items, found {len(value)}")
    return value


def _below(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key


def _refuse(where: str, reason: str) -> NoReturn:
    raise DeckError(f"{where}: {reason}")
