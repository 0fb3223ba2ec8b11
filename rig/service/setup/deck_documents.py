"""A deck as the page draws its cards from it."""

from geometry.deck import Deck
from geometry.rules import RULE_NAMES
from rig.service.http.documents import Document


class SymbolDocument(Document):
    """A colour with its symbol (C6): polygons in millimetres, y down."""

    name: str
    hex: str
    symbol_mm: list[list[tuple[float, float]]]


class ShapeDocument(Document):
    """A shape of a face, card frame, millimetres."""

    kind: str
    outline_mm: list[tuple[float, float]]
    dots_mm: list[tuple[float, float]]


class FaceDocument(Document):
    """A face of the deck."""

    id: str
    suit: str | None
    value: int
    shapes: list[ShapeDocument]


class DeckDocument(Document):
    """What the page draws cards and symbols from."""

    name: str
    card_mm: tuple[float, float]
    colours: list[SymbolDocument]
    starting_colour: SymbolDocument
    faces: list[FaceDocument]
    starting_face: FaceDocument
    rules: list[str]


def deck_document(deck: Deck) -> DeckDocument:
    """Its colours with their symbols, and its faces."""
    return DeckDocument(
        name=deck.name,
        card_mm=(deck.card.width_mm, deck.card.height_mm),
        colours=[SymbolDocument.model_validate(colour) for colour in deck.colours],
        starting_colour=SymbolDocument.model_validate(deck.starting_colour),
        faces=[FaceDocument.model_validate(face) for face in deck.faces],
        starting_face=FaceDocument.model_validate(deck.starting_face),
        rules=list(RULE_NAMES),
    )
