"""A deck as the page draws its cards from it."""

from geometry.deck import Colour, Deck, Face
from geometry.rules import RULE_NAMES
from rig.service.setup.documents import DeckDocument, FaceDocument, ShapeDocument, SymbolDocument


def deck_document(deck: Deck) -> DeckDocument:
    """Its colours with their symbols, and its faces."""
    return DeckDocument(
        name=deck.name,
        card_mm=(deck.card.width_mm, deck.card.height_mm),
        colours=[_colour(colour) for colour in deck.colours],
        starting_colour=_colour(deck.starting_colour),
        faces=[_face(face) for face in deck.faces],
        starting_face=_face(deck.starting_face),
        rules=list(RULE_NAMES),
    )


def _colour(colour: Colour) -> SymbolDocument:
    symbol = [list(polygon) for polygon in colour.symbol_mm]
    return SymbolDocument(name=colour.name, hex=colour.hex, symbol_mm=symbol)


def _face(face: Face) -> FaceDocument:
    shapes = [
        ShapeDocument(
            kind=shape.kind, outline_mm=list(shape.outline_mm), dots_mm=list(shape.dots_mm)
        )
        for shape in face.shapes
    ]
    return FaceDocument(id=face.id, suit=face.suit, value=face.value, shapes=shapes)
