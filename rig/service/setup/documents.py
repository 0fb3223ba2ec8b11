"""What the service answers about decks, as models."""

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
