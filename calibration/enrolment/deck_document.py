"""A deck as its file's JSON values, `tacta-deck/1`."""

from __future__ import annotations

from geometry.deck import Colour, Deck, Face, Shape
from geometry.deck_file import FORMAT


def deck_document(deck: Deck) -> dict[str, object]:
    """The deck file's JSON values; `geometry.deck_file.parse_deck` reads them back."""
    card = deck.card
    return {
        "format": FORMAT,
        "name": deck.name,
        "card": {
            "width_mm": card.width_mm,
            "height_mm": card.height_mm,
            "corner_radius_mm": card.corner_radius_mm,
            "frame_inset_mm": card.frame_inset_mm,
            "line_mm": card.line_mm,
            "thickness_mm": card.thickness_mm,
        },
        "art": {
            "band": deck.art.band,
            "dots": deck.art.dots,
            "lines": deck.art.lines,
            "fill": deck.art.fill,
        },
        "dot_diameter_mm": deck.dot_diameter_mm,
        "badge_mm": deck.badge_mm,
        "symbol_offset_mm": list(deck.symbol_offset_mm),
        "colours": [_colour(colour) for colour in deck.colours],
        "starting_colour": _colour(deck.starting_colour),
        "starting_face": _face(deck.starting_face),
        "faces": [_face(face) for face in deck.faces],
    }


def _colour(colour: Colour) -> dict[str, object]:
    polygons = [[list(point) for point in polygon] for polygon in colour.symbol_mm]
    return {"name": colour.name, "hex": colour.hex, "symbol_mm": polygons}


def _face(face: Face) -> dict[str, object]:
    shapes = [_shape(shape) for shape in face.shapes]
    return {"id": face.id, "suit": face.suit, "value": face.value, "shapes": shapes}


def _shape(shape: Shape) -> dict[str, object]:
    drawn: dict[str, object] = {
        "kind": shape.kind,
        "outline_mm": [list(point) for point in shape.outline_mm],
    }
    if shape.dots_mm:
        drawn["dots_mm"] = [list(point) for point in shape.dots_mm]
    return drawn
