"""Starting cards of several designs: thin lines on black, which lie where shapes may lie."""

from collections.abc import Callable, Mapping

from geometry.deck import CardSize, Deck, Point

Outline = tuple[Point, ...]

_SQUARE = 0.498
_RECTANGLE = 0.255
_LEG = 0.459


def start_outlines(design: str, deck: Deck) -> tuple[Outline, ...]:
    """Outlines that a design draws, mm from the card's middle. ValueError for an unknown design."""
    if design not in _DESIGNS:
        raise ValueError(f"no such starting card: {design}; there are {', '.join(START_DESIGNS)}")
    return _DESIGNS[design](deck)


def _as_in_the_deck(deck: Deck) -> tuple[Outline, ...]:
    return tuple(shape.outline_mm for shape in deck.starting_face.shapes)


def _one_of_each(deck: Deck) -> tuple[Outline, ...]:
    """The older drawing's: a square, a long rectangle and two triangles."""
    card = deck.card
    return (
        _square(card, -1, -1), _long(card, 1), _corner(card, -1, 1), _on_side(card, -1),
    )  # fmt: skip


def _corners(deck: Deck) -> tuple[Outline, ...]:
    return tuple(_square(deck.card, x, y) for x in (-1, 1) for y in (-1, 1)) + _diagonals(deck)


def _triangles(deck: Deck) -> tuple[Outline, ...]:
    card = deck.card
    corners = tuple(_corner(card, x, y) for x in (-1, 1) for y in (-1, 1))
    return corners + tuple(_on_side(card, x) for x in (-1, 1)) + _ends(card)


def _strips(deck: Deck) -> tuple[Outline, ...]:
    card = deck.card
    return tuple(_long(card, x) for x in (-1, 1)) + tuple(_short(card, y) for y in (-1, 1))


def _diagonals(deck: Deck) -> tuple[Outline, ...]:
    """Two lines from corner to corner of the frame, through its middle."""
    x, y = _half(deck.card)
    return ((-x, -y), (x, y)), ((x, -y), (-x, y))


_DESIGNS: Mapping[str, Callable[[Deck], tuple[Outline, ...]]] = {
    "deck": _as_in_the_deck,
    "one of each": _one_of_each,
    "corners": _corners,
    "triangles": _triangles,
    "strips": _strips,
    "diagonals": _diagonals,
}
START_DESIGNS = tuple(_DESIGNS)


def _half(card: CardSize) -> Point:
    return card.frame_width_mm / 2, card.frame_height_mm / 2


def _square(card: CardSize, right: int, down: int) -> Outline:
    x, y = _half(card)
    side = _SQUARE * card.frame_width_mm
    return (
        (right * x, down * y), (right * (x - side), down * y),
        (right * (x - side), down * (y - side)), (right * x, down * (y - side)),
    )  # fmt: skip


def _corner(card: CardSize, right: int, down: int) -> Outline:
    x, y = _half(card)
    leg = _LEG * card.frame_width_mm
    return (right * x, down * y), (right * (x - leg), down * y), (right * x, down * (y - leg))


def _on_side(card: CardSize, right: int) -> Outline:
    x, _ = _half(card)
    reach = _LEG * card.frame_width_mm / 2**0.5
    return (right * x, -reach), (right * x, reach), (right * (x - reach), 0.0)


def _ends(card: CardSize) -> tuple[Outline, ...]:
    _, y = _half(card)
    reach = _LEG * card.frame_width_mm / 2**0.5
    return tuple(((-reach, s * y), (reach, s * y), (0.0, s * (y - reach))) for s in (-1, 1))


def _long(card: CardSize, right: int) -> Outline:
    x, y = _half(card)
    deep = _RECTANGLE * card.frame_width_mm
    return (right * x, -y), (right * x, y), (right * (x - deep), y), (right * (x - deep), -y)


def _short(card: CardSize, down: int) -> Outline:
    x, y = _half(card)
    deep = _RECTANGLE * card.frame_width_mm
    return (-x, down * y), (x, down * y), (x, down * (y - deep)), (-x, down * (y - deep))
