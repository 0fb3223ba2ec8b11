"""What every face should look like: for each, how white and how inked each place is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from geometry.deck import PRINTED_BADGES, Badges, Deck, Face, Suit
from vision.cores import shared_out
from vision.drawing.bend import FLAT, NEARER, WHOLE, is_bent
from vision.drawing.face_art import CardSide, Part, badge_labels, face_labels
from vision.raster import Raster

FloatArray = NDArray[np.float64]
Ints = NDArray[np.int64]
Map32 = NDArray[np.float32]
Bools = NDArray[np.bool_]
TEMPLATE_DENSITY = 2.0
"""Template pixels per mm: 0.5 mm steps show a line of 0.9 mm and a dot of 4.2 mm well."""
THINNING = 4
"""Where whole faces are compared one place in four is enough: lines are two places wide."""
LEAST_LINE_MM = 0.9
"""Finer lines are drawn so wide: no less is what blur leaves of them, and they are found."""
SUPERSAMPLING = 4
LEAST_LEFT = 0.5
"""Of a lens' height above the table: no card bends half as high."""
FEWEST_WARPS = 6
"""Cards warped by one thread; fewer are done before another one has begun."""
BLUR_MM = 0.35
BADGE_REACH = 0.75
"""Of the circle's diameter, from the card's middle: no badge of any printing reaches farther."""
AS_DRAWN = 0.52
"""How much of marks that printings have either way up is drawn the deck's way up: that one is taken
where shapes leave both open, and what the two differ by is too little to tell them apart."""
LEAST_DRAWN, CLEAR_PLACES = 0.1, 2
"""Of white or ink, before a place counts as drawn; and round ink so many places do as well."""


@dataclass(frozen=True, eq=False)
class Templates:
    """Faces as they lie, drawn on one grid over the whole card.

    `grid_mm` (P, 2): places as seen (x right, y down, the card's middle the origin; for a mirrored
    card x is minus the card frame's), row by row; `shape_hw` is the grid's (rows, columns). `white`
    and `ink` (T, P) float32 from 0 to 1, the rest is black: row `2 * f` shows face f, row `2 * f +
    1` its back, the starting face last. `faces` names the faces. `badge` (P,) is True on the badge,
    `symbol` (P,) on the colour's symbol. `symbols` (C, P) is white for each colour's symbol, front
    side, the starting colour last. `dots_mm` holds each row's dots (D, 2), as seen as well. `suit`
    (T,) numbers the badges' suits; of `either_way` faces (F,) some colours have badge and symbol
    half turned: these are drawn both ways up at once. `outline` (P,) is True where the outlines of
    badges show, and near: where no face draws a digit or a symbol; `rim` (T, P) where each row's
    badge is white whatever stands in it. `badge_known` (T,) says of which rows the badge is known,
    not only its suit. `learned` are the templates with badges as this table's cards show them:
    `badge_known` then says of which rows one is seen, `badge_often` (T,) of which on two cards or
    more, and `badge_mm2` (T,) by how much of their drawing these cards' shapes name them;
    `badge_alike`: how well, by correlation, badges of one face look like each other's, 1 where no
    face is seen twice.
    """

    grid_mm: FloatArray
    shape_hw: tuple[int, int]
    faces: tuple[str, ...]
    white: Map32
    ink: Map32
    badge: NDArray[np.bool_]
    symbol: NDArray[np.bool_]
    colours: tuple[str, ...]
    symbols: Map32
    dots_mm: tuple[FloatArray, ...]
    suit: Ints
    either_way: NDArray[np.bool_]
    outline: NDArray[np.bool_]
    rim: NDArray[np.bool_]
    badge_known: NDArray[np.bool_]
    badge_often: NDArray[np.bool_]
    badge_mm2: FloatArray
    badge_alike: float = 1.0
    learned: Templates | None = None

    @property
    def start_row(self) -> int:
        """The first of the rows that are the starting card's."""
        return len(self.white) - 2

    @cached_property
    def half_mm(self) -> FloatArray:
        """How far (2,) the outermost places lie from the card's middle, along x and y."""
        return np.asarray(np.abs(self.grid_mm).max(axis=0))

    @cached_property
    def marks(self) -> NDArray[np.bool_]:
        """Where (P,) badges and symbols lie, either way up."""
        return _either_end(self.badge, self.symbol)

    @cached_property
    def clear_of_ink(self) -> NDArray[np.bool_]:
        """Where (T, P) a face draws no ink, within 1 mm of the place either."""
        reach = np.ones((2 * CLEAR_PLACES + 1,) * 2, np.uint8)
        near = [cv2.dilate(ink.reshape(self.shape_hw), reach).ravel() for ink in self.ink]
        return np.asarray(np.array(near) < LEAST_DRAWN)

    @cached_property
    def black(self) -> NDArray[np.bool_]:
        """Where (T, P) a face draws neither white nor, within 1 mm, ink."""
        return np.asarray(self.clear_of_ink & (self.white < LEAST_DRAWN))

    def nearest(self, places_mm: FloatArray) -> NDArray[np.int64]:
        """The places (K,) of the grid nearest to places (K, 2) on the card."""
        rows, columns = self.shape_hw
        middle = np.array([columns - 1, rows - 1]) / 2
        column, row = np.rint(places_mm * TEMPLATE_DENSITY + middle).astype(np.int64).T
        return np.asarray(row * columns + column, np.int64)


@lru_cache(maxsize=4)
def draw_templates(deck: Deck) -> Templates:
    """Draw every face of a deck once, both sides."""
    line_mm = max(deck.card.line_mm, LEAST_LINE_MM)
    deck = replace(deck, card=replace(deck.card, line_mm=line_mm))
    colours = tuple(colour.name for colour in deck.colours)
    faces = tuple(face.id for face in deck.faces)
    white, ink = _faces_drawn(deck)
    rows, columns = white.shape[1:]
    grid, symbols = places_of(rows, columns), _symbols_drawn(deck)
    whites, inks = (drawn.reshape(len(drawn), -1) for drawn in (white, ink))
    badge = _near(grid, (0.0, 0.0), deck.badge_mm * 0.55)
    symbol = _near(grid, deck.symbol_offset_mm, 3.0)
    whites[: 2 * len(faces), symbol] = symbols[:-1, symbol].mean(axis=0)
    marks = _either_end(badge, symbol)
    for name in deck.either_way.intersection(faces):
        for row in (2 * faces.index(name), 2 * faces.index(name) + 1):
            for side in (whites[row], inks[row]):
                either = AS_DRAWN * side + (1 - AS_DRAWN) * side[::-1]
                side[marks] = either[marks]
    return Templates(
        grid,
        (rows, columns),
        (*faces, deck.starting_face.id),
        whites,
        inks,
        badge,
        symbol,
        (*colours, deck.starting_colour.name),
        symbols,
        tuple(
            np.asarray(face.dots_mm, np.float64).reshape(-1, 2) * [flip, 1.0]
            for face in (*deck.faces, deck.starting_face)
            for flip in (1.0, -1.0)
        ),
        np.repeat(_suits(deck), 2),
        np.array([face in deck.either_way for face in (*faces, deck.starting_face.id)]),
        _outline_places(deck, whites, grid, badge) & ~(symbol | symbol[::-1]),
        _rims_drawn(deck, (rows, columns)),
        np.ones(len(whites), np.bool_),
        np.ones(len(whites), np.bool_),
        np.zeros(len(whites)),
    )


def _outline_places(deck: Deck, whites: Map32, grid_mm: FloatArray, badge: Bools) -> Bools:
    """Places (P,) in the middle of the card, but for where badges of one suit differ, or near."""
    differ, suits = np.zeros_like(badge), np.repeat(_suits(deck), 2)
    for suit in np.unique(suits[suits >= 0]):
        differ |= np.ptp(whites[suits == suit], axis=0) > LEAST_DRAWN
    differ &= badge
    near_mm = CLEAR_PLACES / TEMPLATE_DENSITY
    near = cKDTree(grid_mm[differ]).query(grid_mm)[0] <= near_mm
    return np.asarray(_near(grid_mm, (0.0, 0.0), deck.badge_mm * BADGE_REACH) & ~near)


def _rims_drawn(deck: Deck, shape_hw: tuple[int, int]) -> Bools:
    """Where (T, P) the badges of the templates' rows are white without a value."""
    out = np.zeros((2 * len(deck.faces) + 2, *shape_hw), np.bool_)
    for number, face in enumerate(deck.faces):
        white, ink = np.zeros((2, *shape_hw), np.float32)
        _put_badge(white, ink, deck, replace(face, value=0))
        out[2 * number : 2 * number + 2] = white > LEAST_DRAWN
    return out.reshape(len(out), -1)


def _faces_drawn(deck: Deck) -> tuple[Map32, Map32]:
    """White and ink (T, rows, columns) of the templates' rows, with the first colour's symbol."""
    white, ink = (drawn.copy() for drawn in _without_badges(_plain(deck)))
    for number, face in enumerate(deck.faces):
        for row in (2 * number, 2 * number + 1):
            _put_badge(white[row], ink[row], deck, face)
    for row, mirrored in ((-2, False), (-1, True)):
        w, i = _reduced(deck, deck.starting_face.id, deck.starting_colour.name, mirrored)
        white[row], ink[row] = np.maximum(w, i), 0
    return white, ink


def _symbols_drawn(deck: Deck) -> Map32:
    """White (C, P) of the first face in each colour, and of the starting card."""
    out, plain = [], _plain(deck)
    for colour in deck.colours:
        white, ink = _reduced(plain, deck.faces[0].id, colour.name, False)
        _put_badge(white, ink, deck, deck.faces[0])
        out.append(white.ravel())
    start = _reduced(deck, deck.starting_face.id, deck.starting_colour.name, False)[0]
    return np.stack([*out, start.ravel()])


def _plain(deck: Deck) -> Deck:
    """The deck with faces without badges: the same whatever badges a printing has."""
    faces = tuple(replace(face, suit=None) for face in deck.faces)
    return replace(deck, badges=PRINTED_BADGES, faces=faces)


@lru_cache(maxsize=4)
def _without_badges(deck: Deck) -> tuple[Map32, Map32]:
    """White and ink (T, rows, columns) of a deck whose faces have no badges, the starting card's
    rows left empty.
    """
    colour = deck.colours[0].name
    sides = [(face.id, mirrored) for face in deck.faces for mirrored in (False, True)]
    drawn = np.array([_reduced(deck, face, colour, mirrored) for face, mirrored in sides])
    white, ink = np.concatenate([drawn, np.zeros_like(drawn[:2])]).swapaxes(0, 1)
    return white, ink


def _put_badge(white: Map32, ink: Map32, deck: Deck, face: Face) -> None:
    """Draw a face's badge in the middle of white and ink (rows, columns); writes both."""
    rows, columns = white.shape
    piece_hw = badge_shape_hw(deck.badge_mm, (rows, columns))
    there = _middle_of((rows, columns), piece_hw)
    over = badge_drawn(deck.badge_mm, deck.badges, face.suit, face.value, piece_hw)
    for drawn, put in zip((white, ink), over, strict=True):
        drawn[there] += put - over.sum(axis=0) * drawn[there]


def badge_shape_hw(badge_mm: float, shape_hw: tuple[int, int]) -> tuple[int, int]:
    """How many places (rows, columns) in the middle of a grid hold all badges of about a size."""
    reach = int(np.ceil(BADGE_REACH * badge_mm * TEMPLATE_DENSITY))
    rows, columns = (min(2 * reach + side % 2, side) for side in shape_hw)
    return rows, columns


def in_the_middle(
    there: NDArray[np.bool_], shape_hw: tuple[int, int], piece_hw: tuple[int, int]
) -> NDArray[np.bool_]:
    """What of a grid (P,) lies on a piece (K,) of so many rows and columns in its middle."""
    return there.reshape(shape_hw)[_middle_of(shape_hw, piece_hw)].ravel()


def _middle_of(shape_hw: tuple[int, int], piece_hw: tuple[int, int]) -> tuple[slice, slice]:
    """The rows and the columns of a piece in the middle of a grid."""
    first = [(whole - piece) // 2 for whole, piece in zip(shape_hw, piece_hw, strict=True)]
    rows, columns = (slice(a, a + size) for a, size in zip(first, piece_hw, strict=True))
    return rows, columns


@lru_cache(maxsize=512)
def badge_drawn(
    badge_mm: float, badges: Badges, suit: Suit | None, value: int, shape_hw: tuple[int, int]
) -> Map32:
    """White and ink (2, rows, columns) of a badge in the middle of a piece of a grid."""
    face, density = Face("", suit, value, ()), TEMPLATE_DENSITY * SUPERSAMPLING
    size_wh = SUPERSAMPLING * shape_hw[1], SUPERSAMPLING * shape_hw[0]
    labels = badge_labels(badge_mm, badges, face, size_wh, density)
    return np.stack([_shrunk(labels, [Part.MARK]), _shrunk(labels, [Part.BADGE])])


def _either_end(badge: NDArray[np.bool_], symbol: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The places (P,) of a badge, and of a symbol at either end of it."""
    return np.asarray(badge | symbol | symbol[::-1])


def _suits(deck: Deck) -> Ints:
    """The number of each face's suit (F,), the starting face last with one of its own."""
    names = [face.suit for face in deck.faces]
    return np.array([*(names.index(name) for name in names), -1], np.int64)


class TableMap(NamedTuple):
    """A map `image` (H, W) or (H, W, C) with `density` pixels per table mm, whose pixel (0, 0) lies
    at `origin_mm`.
    """

    image: NDArray[Any]
    origin_mm: tuple[float, float]
    density: float


def on_grid(
    table_map: TableMap, poses: FloatArray, templates: Templates,
    interpolation: int = cv2.INTER_LINEAR,
) -> NDArray[Any]:  # fmt: skip
    """A map's values (N, P) or (N, P, C) at the templates' places of cards at poses (N, 3 or 9).

    The values keep the map's type and are 0 outside it. One warp a card: only of bent ones are the
    places written down as coordinates.
    """
    image, origin_mm, density = table_map
    rows, columns = templates.shape_hw
    channels = image.shape[2:]
    out = np.empty((len(poses), rows, columns, *channels), image.dtype)
    matrices = _grid_to_map(poses, origin_mm, density, templates.shape_hw)
    bent = is_bent(poses)
    in_px = np.repeat([density, 1 / density], [NEARER - FLAT, WHOLE - NEARER])
    bends = poses[:, FLAT:] * in_px if bent else np.zeros((len(poses), WHOLE - FLAT))
    boxes = _boxes_px(matrices, bends, templates.shape_hw, image.shape[:2])
    matrices[..., 2] -= boxes[:, 0]

    def warp(part: slice) -> None:
        for card, matrix, bend, ((x0, y0), (x1, y1)) in zip(
            out[part], matrices[part], bends[part], boxes[part].tolist(), strict=True
        ):
            if x0 >= x1 or y0 >= y1:
                card[:] = 0
                continue
            # A turned card jumps from row to row: next to each other they stay in the cache.
            near = np.ascontiguousarray(image[y0:y1, x0:x1])
            if bent and bend.any():
                at_x, at_y = _bent_grid(matrix, bend, (rows, columns))
                cv2.remap(
                    near, at_x, at_y, interpolation, dst=card,
                    borderMode=cv2.BORDER_CONSTANT, borderValue=0,
                )  # fmt: skip
                continue
            cv2.warpAffine(
                near, matrix, (columns, rows), dst=card,
                flags=interpolation | cv2.WARP_INVERSE_MAP,
                borderMode=cv2.BORDER_CONSTANT, borderValue=0,
            )  # fmt: skip

    shared_out(warp, len(poses), FEWEST_WARPS)
    return out.reshape(len(poses), rows * columns, *channels)


def on_grid_of(
    image: NDArray[Any], raster: Raster, poses: FloatArray, templates: Templates
) -> NDArray[Any]:
    """`on_grid` of a map of the raster's own size, bilinear."""
    return on_grid(TableMap(image, raster.origin_mm, raster.density), poses, templates)


@lru_cache(maxsize=4)
def thinned(templates: Templates, every: int = THINNING) -> NDArray[np.bool_]:
    """One in so many (4, 8 or 16) of the grid's places (P,)."""
    grid = np.divmod(np.arange(len(templates.grid_mm)), templates.shape_hw[1])
    return one_in(every, *grid)


def one_in(number: int, row: Ints, column: Ints) -> NDArray[np.bool_]:
    """One in so many (4, 8 or 16) of a grid's places (P,), as on a chessboard's diagonals.

    Every row or column of lines is met: none runs between them.
    """
    apart = number // 2 - 1  # a mask of bits: remainders take five times as long
    return np.asarray(((row & 1) == 0) & ((column & apart) == ((row >> 1) & apart)))


def _grid_to_map(
    poses: FloatArray, origin_mm: tuple[float, float], density: float, shape_hw: tuple[int, int]
) -> FloatArray:
    """Matrices (N, 2, 3) from the grid's column and row to map pixels."""
    scale = density / TEMPLATE_DENSITY
    cos, sin = np.cos(poses[:, 2]) * scale, np.sin(poses[:, 2]) * scale
    turn = np.stack([np.stack([cos, -sin], -1), np.stack([sin, cos], -1)], -2)
    middle = np.array([(shape_hw[1] - 1) / 2, (shape_hw[0] - 1) / 2])
    shift = (poses[:, :2] - np.asarray(origin_mm)) * density - turn @ middle
    return np.concatenate([turn, shift[:, :, None]], axis=2)


def _boxes_px(
    matrices: FloatArray, bends: FloatArray, shape_hw: tuple[int, int], map_hw: tuple[int, ...]
) -> Ints:
    """The part of a map (N, 2, 2) that holds each card's grid: low corner, and beyond the high one,
    x before y. Nothing lies between them where a card is off the map.
    """
    half = np.array([(shape_hw[1] - 1) / 2, (shape_hw[0] - 1) / 2])
    turn = matrices[..., :2]
    middle = turn @ half + matrices[..., 2]
    squares = np.repeat(np.square(half / TEMPLATE_DENSITY), 2)
    shift = (np.abs(bends[:, :4]) * squares).reshape(-1, 2, 2).sum(axis=1)
    reach, share = np.abs(turn) @ half, (shift * np.abs(bends[:, 4:])).sum(axis=1, keepdims=True)
    reach += (shift + share * reach) / np.maximum(1 - share, LEAST_LEFT)
    low, high = np.floor(middle - reach) - 1, np.ceil(middle + reach) + 2
    ends = np.stack([low, high], axis=1)
    return np.asarray(np.clip(ends, 0, np.array(map_hw[1::-1])), np.int64)


def _bent_grid(
    matrix: FloatArray, bend: FloatArray, shape_hw: tuple[int, int]
) -> tuple[Map32, Map32]:
    """Map pixels x and y (rows, columns) of the grid of a card whose bend (6,) shows as so many
    map pixels per square mm, and grows by such shares of them: one term a column and one a row,
    added up, and the whole seen from nearer.
    """
    (x, y), (column, row) = steps_mm(shape_hw), (np.arange(n) for n in shape_hw[::-1])
    share = (bend[4:] @ bend[:2]) * x**2, (bend[4:] @ bend[2:4]) * y**2
    left = 1 - np.add.outer(*(one.astype(np.float32) for one in share[::-1]))
    middle = matrix[:, :2] @ [(len(x) - 1) / 2, (len(y) - 1) / 2] + matrix[:, 2]
    # All is seen from the lens: what a place is moved by, and where it lies from the card's middle.
    along = np.outer(matrix[:, 0], column) + np.outer(bend[:2], x**2)
    down = (
        np.outer(matrix[:, 1], row) + (matrix[:, 2] - middle)[:, None] + np.outer(bend[2:4], y**2)
    )
    # Single numbers are good to a few thousandths of a pixel, and added in a quarter of the time.
    at_x, at_y = (
        np.add.outer(down[k].astype(np.float32), along[k].astype(np.float32)) / left
        + np.float32(middle[k])
        for k in (0, 1)
    )
    return at_x, at_y


def steps_mm(shape_hw: Sequence[int]) -> tuple[FloatArray, FloatArray]:
    """Where a grid's columns and rows lie: x and y, in mm from the card's middle."""
    height, width = shape_hw
    x = (np.arange(width) - (width - 1) / 2) / TEMPLATE_DENSITY
    y = (np.arange(height) - (height - 1) / 2) / TEMPLATE_DENSITY
    return np.asarray(x), np.asarray(y)


def places_of(rows: int, columns: int) -> FloatArray:
    """The places (P, 2) of a grid round a card's middle, mm, row by row."""
    return np.asarray(np.stack(np.meshgrid(*steps_mm((rows, columns))), axis=-1).reshape(-1, 2))


def _near(grid_mm: FloatArray, at: tuple[float, float], radius_mm: float) -> NDArray[np.bool_]:
    return np.asarray(np.hypot(grid_mm[:, 0] - at[0], grid_mm[:, 1] - at[1]) < radius_mm)


def _reduced(deck: Deck, face: str, colour: str, mirrored: bool) -> tuple[Map32, Map32]:
    """White and ink shares of one face, averaged down and blurred a little as a lens does; as much
    drawn the one way up as the other, so that its edges are no wider on one side.
    """
    density = TEMPLATE_DENSITY * SUPERSAMPLING
    ways = [
        face_labels(deck, CardSide(face, colour, mirrored, half_turned=turned), density)
        for turned in (False, True)
    ]
    labels = np.stack([ways[0], ways[1][::-1, ::-1]], axis=-1)
    lines_white = deck.art.lines == "white" or face == deck.starting_face.id
    white_parts = [Part.MARK]
    ink_parts = [Part.BAND, Part.FILL, Part.BADGE]
    (white_parts if lines_white else ink_parts).append(Part.LINE)
    (white_parts if deck.art.dots == "white" else ink_parts).append(Part.DOT)
    return _shrunk(labels, white_parts), _shrunk(labels, ink_parts)


def _shrunk(labels: NDArray[np.uint8], parts: list[Part]) -> Map32:
    """Which share of each place of the grid is one of these parts, blurred a little."""
    counted = np.zeros(256, np.float32)
    counted[parts] = 1
    rows, columns = (side // SUPERSAMPLING for side in labels.shape[:2])
    margin_y, margin_x = (side % SUPERSAMPLING // 2 for side in labels.shape[:2])
    cut = labels[margin_y:, margin_x:][: rows * SUPERSAMPLING, : columns * SUPERSAMPLING]
    part = cv2.LUT(np.ascontiguousarray(cut), counted)
    shares = cv2.resize(part, (columns, rows), interpolation=cv2.INTER_AREA)
    share = shares.mean(axis=2)
    return np.asarray(cv2.GaussianBlur(share, (0, 0), BLUR_MM * TEMPLATE_DENSITY), np.float32)
