"""A printing of the game: how its cards are drawn, inked, cut and worn."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass

import numpy as np

from geometry.deck import Badges, Colour, Deck, Point, Suit
from simulator.cards.inks import Rgb, choose_inks_of_printing
from simulator.cards.start_designs import START_DESIGNS
from simulator.cards.symbols import OTHER_SYMBOLS, Polygons, altered
from simulator.cards.typefaces import TYPEFACES

PRINTINGS = ("deck", "random")
MOST_MISPRINT_MM = 0.5
_PLAIN_BADGES = Badges(0.92, 1.065, 0.4975, 0.4725, 0.0)
"""Of decks whose starting card has no badge: plain drawings."""


@dataclass(frozen=True, slots=True)
class Printing:
    """Lengths in mm. What is on the faces and where stays the deck's; see docs/simulator.md."""

    name: str
    symbols: tuple[tuple[str, Polygons], ...]
    """Of every colour and the starting colour, relative to `symbol_offsets_mm`."""
    symbol_offsets_mm: tuple[tuple[str, Point], ...]
    line_mm: float
    dot_mm: float
    badge_mm: float
    badges: Badges
    start_band: bool
    start_badge: Suit | None
    half_turned: tuple[tuple[str, str], ...] = ()
    """Face and colour of the cards whose badge and symbol are half turned against the shapes."""
    inks: tuple[tuple[str, Rgb], ...] = ()
    """sRGB from 0 to 1. None here: near the deck's, as the conditions ask."""
    line_corner_mm: float = 0.0
    """How far before a corner its lines begin to round it."""
    badge_shift_mm: Point = (0.0, 0.0)
    badge_rim: float = 0.085
    """Width of the white rim over the badge's."""
    typeface: str = "serif"
    digit_height: float = 0.56
    """Over the badge's."""
    digit_weight: float = 1.0
    band_gap_mm: float = 0.0
    """Black between the coloured band and the frame line."""
    cut_mm: float = 0.0
    """How much larger the card is cut than the deck's, on each side."""
    misprint_mm: float = 0.0
    """How far the print lies off the cut card, at most."""
    misprint_deg: float = 0.0
    play_mm: float = 0.0
    """How far badge and symbol of a card lie off their place, at most."""
    start_design: str = "deck"
    start_line_mm: float | None = None
    start_white: float = 1.0
    """Brightness of the starting card's lines over the white of the others."""
    black: float | None = None
    """Black as encoded, a share of white; None: as the conditions ask."""
    white: Rgb = (0.9, 0.894, 0.878)
    grain: float = 0.0
    """Standard deviation of the black's brightness, as a share of it."""
    grain_mm: float = 0.3
    scratches: float = 0.0
    """How many on a card, in the mean."""
    worn_mm: float = 0.0
    """Width of the white edge that wear shows, at most."""
    gloss: float = 1.0

    def symbol(self, colour: str) -> tuple[Polygons, Point]:
        """A colour's symbol, and where its origin is."""
        return dict(self.symbols)[colour], dict(self.symbol_offsets_mm)[colour]

    def ink(self, colour: str) -> Rgb | None:
        """A colour's ink, None where the conditions choose it."""
        return dict(self.inks).get(colour)

    def as_json(self) -> dict[str, object]:
        """What the truth says of it: all but the symbols' outlines."""
        values = asdict(self)
        del values["symbols"]
        values["inks"] = {name: [round(v, 4) for v in ink] for name, ink in self.inks}
        values["symbol_offsets_mm"] = {name: list(at) for name, at in self.symbol_offsets_mm}
        return {key: list(v) if isinstance(v, tuple) else v for key, v in values.items()}


def printing_of_deck(deck: Deck) -> Printing:
    """The deck file drawn exactly as it is."""
    start = deck.starting_face
    colours = (*deck.colours, deck.starting_colour)
    return Printing(
        name="deck",
        symbols=tuple((colour.name, colour.symbol_mm) for colour in colours),
        symbol_offsets_mm=tuple(
            (colour.name, _symbol_place(deck, colour, start.suit)) for colour in colours
        ),
        line_mm=deck.card.line_mm,
        dot_mm=deck.dot_diameter_mm,
        badge_mm=deck.badge_mm,
        badges=deck.badges if start.suit is not None else _PLAIN_BADGES,
        start_band=deck.art.band and start.suit is None,
        start_badge=start.suit,
    )


def _symbol_place(deck: Deck, colour: Colour, start_badge: Suit | None) -> Point:
    if colour is deck.starting_colour and start_badge is not None:
        return (0.0, 0.0)
    return deck.symbol_offset_mm


def draw_printing(rng: np.random.Generator, deck: Deck) -> Printing:
    """A printing drawn at random from the ranges of docs/simulator.md."""
    inks = choose_inks_of_printing(rng, deck.colours)
    start_badge = _start_badge(rng)
    symbols, offsets = _symbols(rng, deck, start_badge)
    return Printing(
        name="random",
        symbols=symbols,
        symbol_offsets_mm=offsets,
        inks=tuple(inks.items()),
        line_mm=_between(rng, 0.6, 1.2),
        line_corner_mm=_between(rng, 0.0, 1.6),
        dot_mm=_between(rng, 4.0, 4.8),
        badge_mm=_between(rng, 9.5, 12.0),
        badges=_badges(rng, deck),
        half_turned=_half_turned(rng, deck),
        badge_shift_mm=(_between(rng, -0.4, 0.4), _between(rng, -0.8, 0.8)),
        badge_rim=_between(rng, 0.05, 0.12),
        typeface=str(rng.choice(TYPEFACES)),
        digit_height=_between(rng, 0.5, 0.64),
        digit_weight=_between(rng, 0.8, 1.25),
        band_gap_mm=_between(rng, 0.3, 1.0) if rng.random() < 0.25 else 0.0,
        cut_mm=_between(rng, -0.4, 0.4),
        misprint_mm=_between(rng, 0.0, MOST_MISPRINT_MM),
        misprint_deg=_between(rng, 0.0, 0.3),
        play_mm=_between(rng, 0.0, 0.4),
        start_band=False,
        start_badge=start_badge,
        start_design=_start_design(rng),
        start_line_mm=_between(rng, 0.35, 0.8),
        start_white=_between(rng, 0.35, 1.0),
        # Mostly dark: pale blacks are worn ones, or ones that shine.
        black=0.10 + 0.35 * float(rng.beta(1.0, 1.6)),
        white=_white(rng),
        grain=_between(rng, 0.0, 0.25),
        grain_mm=_between(rng, 0.15, 0.6),
        scratches=_between(rng, 0.0, 5.0),
        worn_mm=0.6 * float(rng.beta(1.0, 1.5)),
        gloss=_between(rng, 0.3, 1.6),
    )


def printing_named(name: str, rng: np.random.Generator, deck: Deck) -> Printing:
    """The printing that conditions ask for: `deck` or `random`. ValueError for another name."""
    makers: Mapping[str, Callable[[], Printing]] = {
        "deck": lambda: printing_of_deck(deck),
        "random": lambda: draw_printing(rng, deck),
    }
    if name not in makers:
        raise ValueError(f"no such printing: {name}; there are {', '.join(PRINTINGS)}")
    return makers[name]()


def _between(rng: np.random.Generator, low: float, high: float) -> float:
    return float(rng.uniform(low, high))


def _white(rng: np.random.Generator) -> Rgb:
    level, warmth = rng.uniform(0.86, 0.95), rng.uniform(0.0, 0.06)
    return (float(level), float(level - warmth / 3), float(level - warmth))


def _badges(rng: np.random.Generator, deck: Deck) -> Badges:
    """Square and triangle about as the deck's."""
    like, size = deck.badges, _between(rng, 0.9, 1.06)
    return Badges(
        square=_between(rng, 0.88, 1.02),
        triangle_width=like.triangle_width * size,
        triangle_above=like.triangle_above * size,
        triangle_below=like.triangle_below * size,
        corner=_between(rng, 0.0, 0.15),
    )


def _half_turned(rng: np.random.Generator, deck: Deck) -> tuple[tuple[str, str], ...]:
    """Cards of the faces whose badge some colours have half turned."""
    cards = [(face, c.name) for face in sorted(deck.either_way) for c in deck.colours]
    return tuple(card for card in cards if rng.random() < 0.5)


def _start_badge(rng: np.random.Generator) -> Suit | None:
    suits: tuple[Suit | None, ...] = ("square", "square", "square", "circle", "triangle", None)
    return suits[int(rng.integers(len(suits)))]


def _start_design(rng: np.random.Generator) -> str:
    """The deck's own in half of all printings."""
    return "deck" if rng.random() < 0.5 else str(rng.choice(START_DESIGNS))


def _symbols(
    rng: np.random.Generator, deck: Deck, start_badge: Suit | None
) -> tuple[tuple[tuple[str, Polygons], ...], tuple[tuple[str, Point], ...]]:
    """Symbols of one style for all colours, and their places."""
    colours = (*deck.colours, deck.starting_colour)
    style = str(rng.choice(["deck", "altered", "altered", "other"]))
    others = [str(name) for name in rng.permutation(list(OTHER_SYMBOLS))]
    bolder = _between(rng, -0.25, 0.3)
    low = _between(rng, -0.6, 0.6)
    symbols: list[tuple[str, Polygons]] = []
    places: list[tuple[str, Point]] = []
    for colour, other in zip(colours, others, strict=False):
        symbols.append((colour.name, _symbol(rng, style, colour, other, bolder)))
        x, y = _symbol_place(deck, colour, start_badge)
        if (x, y) != (0.0, 0.0):
            x, y = x + _between(rng, -0.3, 0.3), y + low + _between(rng, -0.4, 0.4)
        places.append((colour.name, (x, y)))
    return tuple(symbols), tuple(places)


def _symbol(
    rng: np.random.Generator, style: str, colour: Colour, other: str, bolder_mm: float
) -> Polygons:
    if style == "deck":
        return colour.symbol_mm
    if style == "other":
        return altered(OTHER_SYMBOLS[other], size=_between(rng, 0.8, 1.15))
    upside_down = 180.0 if rng.random() < 0.25 else 0.0
    return altered(
        colour.symbol_mm,
        turn_deg=upside_down + float(rng.normal(0, 6)),
        bolder_mm=bolder_mm + _between(rng, -0.1, 0.1),
        size=_between(rng, 0.85, 1.15),
    )
