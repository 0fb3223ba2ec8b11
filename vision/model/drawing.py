"""What every face draws at each place of a card, as kinds of print."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property, lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from vision.arrays import Bools, FloatArray, Ints, Map32
from vision.drawing.face_art import CardSide, Labels, Part, face_labels
from vision.model.badge_art import BadgeArt, badge_art
from vision.model.hypothesis import Hypothesis, hypotheses_of
from vision.reading_config import ReadingConfig

FINE = 8
"""Pixels a mm that faces are drawn with before places are told apart."""
PURE, MOSTLY, SOME = 0.99, 0.5, 0.05
"""Shares of what lies round a place: all one thing, that thing, and that thing as well."""
DIGITS = 3
"""Of shares: what is drawn alike either way round shall be taken alike."""


class Print(IntEnum):
    """What is printed at a place. Each has one density for the table, those from INK on one for
    each of its inks.
    """

    BLACK = 0
    LINE = 1
    DOT = 2
    EDGE = 3
    """Near an edge between black and white."""
    START = 4
    """Within a starting card: black or a line, as printings differ in where they have those."""
    CUT = 5
    """Near a card's cut edge: ink, paper, shadow or what lies below."""
    SYMBOL = 6
    """Where a face has its colour's symbol, black and white ..."""
    NO_SYMBOL = 7
    """... and where it would have it the other way up."""
    SIGN = 8
    """Where the deck's own badge has its rim and its digit ..."""
    AROUND = 9
    """... and near a card's middle beside that badge."""
    EITHER_SYMBOL = 10
    """Where the symbol is, either way up, of a face that some colours have half turned: it does not
    tell how such a card lies."""
    START_BAND = 11
    """Between a starting card's frame and its cut edge: some printings have paper there."""
    START_LINE = 12
    """Where the deck draws a line within its starting card, whichever way that lies ..."""
    START_CLEAR = 13
    """... and where it draws black: a printing may have lines of its own."""
    INK = 14
    INK_LINE = 15
    """A line beside ink."""
    INK_EDGE = 16
    """Near an edge of ink."""
    BADGE = 17
    """Within the deck's own badge ..."""
    BADGE_EDGE = 18
    """... and near an edge of it."""


OF_START = (Print.START, Print.START_BAND, Print.START_LINE, Print.START_CLEAR)
SHARED = tuple(kind for kind in Print if kind < Print.INK)
OF_INK = tuple(kind for kind in Print if kind >= Print.INK)
PLAIN = np.zeros(len(Print), np.uint8)
PLAIN[[Print.BLACK, Print.START, Print.START_LINE, Print.START_CLEAR]] = 1
PLAIN[[Print.LINE, Print.INK_LINE, Print.DOT]] = 2
PLAIN[Print.INK] = 3
PLAIN.setflags(write=False)
"""Things that are plainly different, for each kind; 0 where little is told."""


@dataclass(frozen=True, eq=False)
class DrawnAlike:
    """Places at which the same hypotheses draw one kind are a group, so that totals under all of
    them are a short product of what groups gain.

    `group` (kinds, P) int32 is the number of a place's group, -1 where no hypothesis draws that
    kind there; `draws` (G, T) float32 is 1 where a hypothesis draws a group. What only a starting
    card draws is no group: nothing else has it.
    """

    group: NDArray[np.int32]
    draws: Map32

    def at(self, on: NDArray[np.integer[Any]]) -> DrawnAt:
        """What is drawn at places `on` (N,) of the drawn grid."""
        begin, number, kind, group = self._by_place
        times = number.take(on)
        before = times.cumsum(dtype=np.int32)
        total = int(before[-1]) if len(on) else 0
        before -= times
        some = np.repeat(begin.take(on) - before, times)
        some += np.arange(total, dtype=np.int32)
        return DrawnAt(times, kind.take(some), group.take(some))

    @cached_property
    def _by_place(
        self,
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.uint8], NDArray[np.uint16]]:
        """For each place the first of what is drawn there, and how much is; the kinds and groups of
        all that is drawn.
        """
        place, kind = np.nonzero(self.group.T >= 0)
        number = np.bincount(place, minlength=self.group.shape[1]).astype(np.int32)
        begin = number.cumsum(dtype=np.int32) - number
        group = self.group.T[place, kind].astype(np.uint16)
        return begin, number, kind.astype(np.uint8), group


@dataclass(frozen=True, eq=False)
class DrawnAt:
    """What may be drawn at some places, place by place: at how many kinds (N,) each, those kinds
    (E,), by their order, and the groups (E,) of those that draw them.
    """

    times: NDArray[np.int32]
    kind: NDArray[np.uint8]
    group: NDArray[np.uint16]


@dataclass(frozen=True, eq=False)
class DrawnFaces:
    """All hypotheses, drawn on one grid of places that covers a card as it lies and
    `cut_outside_mm` round it.

    `printed` (T, P) uint8 holds a `Print` for each of the T `hypotheses`, row by row of a grid of
    `shape_hw`, `density` places a mm, whose middle is the card's. `covers` (P,) is False beyond
    the card's rounded corners. `shared` and `of_ink` group the places of the kinds that all inks
    share, and of those of each ink. So many `colours` of cards there are. `badges` are the deck's.
    """

    hypotheses: tuple[Hypothesis, ...]
    printed: NDArray[np.uint8]
    shape_hw: tuple[int, int]
    density: float
    covers: Bools
    shared: DrawnAlike
    of_ink: DrawnAlike
    colours: int
    badges: BadgeArt

    def row(self, hypothesis: Hypothesis) -> int:
        """The row of a hypothesis; the starting card has one, whichever way it lies. KeyError where
        this deck has none such.
        """
        last = self.hypotheses[-1]
        return self._rows[last if hypothesis.face == last.face else hypothesis]

    @cached_property
    def around(self) -> NDArray[np.unsignedinteger[Any]]:
        """The numbers of all places, with a margin of one place (rows + 2, columns + 2); of what
        lies beyond the card their number.
        """
        places = len(self.covers)
        own = np.where(self.covers, np.arange(places), places).reshape(self.shape_hw)
        return np.pad(own, 1, constant_values=places).astype(np.min_scalar_type(places))

    @cached_property
    def starting(self) -> Bools:
        """Where (P,) the starting card draws what nothing else does."""
        return np.isin(self.printed[-1], OF_START)

    @cached_property
    def badge_rows(self) -> Ints:
        """Which (T - 1,) of all badges, upright and then turned, each players' hypothesis has."""
        faces = self.badges.faces
        return np.array([faces.index(h.face) + len(faces) * h.turned for h in self.hypotheses[:-1]])

    @cached_property
    def player_kinds(self) -> tuple[Ints, Bools]:
        """Which of some sets of kinds (P,) players' cards draw at each place, and those sets
        (Z, kinds).
        """
        players = self.printed[:-1]
        drawn = np.stack([(players == kind).any(axis=0) for kind in Print], axis=1)
        sets, number = np.unique(drawn, axis=0, return_inverse=True)
        return number.reshape(-1), sets

    @cached_property
    def _rows(self) -> Mapping[Hypothesis, int]:
        return {hypothesis: row for row, hypothesis in enumerate(self.hypotheses)}

    def drawn(self, hypothesis: Hypothesis) -> NDArray[np.uint8]:
        """What (P,) a hypothesis draws."""
        return np.asarray(self.printed[self.row(hypothesis)])


@lru_cache(maxsize=4)
def draw_faces(deck: Deck, config: ReadingConfig) -> DrawnFaces:
    """Draw all that a deck's cards may show."""
    hypotheses = hypotheses_of(deck)
    grid, shape_hw = _grid(deck, config)
    inside = _inside_mm(deck, grid)
    rows = []
    for hypothesis in hypotheses:
        if hypothesis.face == deck.starting_face.id:
            rows.append(_start(deck, grid, inside, config))
        elif hypothesis.turned:
            rows.append(rows[-1][::-1])
        else:
            rows.append(_face(deck, hypothesis, grid, inside, config))
    printed = np.array(rows, np.uint8)
    shared, of_ink = (_drawn_alike(printed, kinds) for kinds in (SHARED, OF_INK))
    covers = inside > -config.cut_outside_mm
    return DrawnFaces(
        hypotheses, printed, shape_hw, config.density, covers, shared, of_ink, len(deck.colours),
        badge_art(deck, config),
    )  # fmt: skip


def face_drawn(deck: Deck, hypothesis: Hypothesis, config: ReadingConfig) -> NDArray[np.uint8]:
    """What (P,) any face draws by the deck, the right way up, as `Print`."""
    grid, _ = _grid(deck, config)
    return _face(deck, hypothesis, grid, _inside_mm(deck, grid), config)


def _drawn_alike(printed: NDArray[np.uint8], kinds: tuple[Print, ...]) -> DrawnAlike:
    """The groups of places (T, P) that the same hypotheses draw as each of some kinds."""
    groups, draws, number = [], [], 0
    for kind in kinds:
        drawn_as = printed == kind if kind not in OF_START else np.zeros_like(printed, np.bool_)
        bits = np.packbits(drawn_as, axis=0)
        drawn = np.flatnonzero(bits.any(axis=0))
        first, group = np.unique(bits[:, drawn], axis=1, return_index=True, return_inverse=True)[1:]
        row = np.full(printed.shape[1], -1, np.int32)
        row[drawn] = number + group.reshape(-1)
        groups.append(row)
        draws.append((printed[:, drawn[first]] == kind).T)
        number += len(first)
    return DrawnAlike(np.stack(groups), np.concatenate(draws).astype(np.float32))


def _grid(deck: Deck, config: ReadingConfig) -> tuple[FloatArray, tuple[int, int]]:
    """Places (P, 2) round the card's middle, mm, and their (rows, columns), both odd."""
    size = deck.card
    half = [
        int(np.ceil((side / 2 + config.cut_outside_mm) * config.density))
        for side in (size.width_mm, size.height_mm)
    ]
    x, y = (np.arange(-n, n + 1) / config.density for n in half)
    return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2), (len(y), len(x))


def _inside_mm(deck: Deck, grid: FloatArray) -> FloatArray:
    """How far (P,) places lie within a card's cut edge, mm; negative outside."""
    size = deck.card
    core = np.array([size.width_mm, size.height_mm]) / 2 - size.corner_radius_mm
    past = np.abs(grid) - core
    beyond = np.hypot(*np.maximum(past, 0).T) + np.minimum(past.max(axis=1), 0)
    return np.asarray(size.corner_radius_mm - beyond)


def _start(
    deck: Deck, grid: FloatArray, inside: FloatArray, config: ReadingConfig
) -> NDArray[np.uint8]:
    """What a starting card draws, whatever its printing, and whichever way it lies: by its frame it
    is found, and by the deck's own lines where its printing has those.
    """
    sides = [
        face_drawn(deck, Hypothesis(deck.starting_face.id, way), config) for way in (False, True)
    ]
    ways = np.stack([*sides, *(side[::-1] for side in sides)])
    within = np.full(len(grid), Print.START)
    within[(ways == Print.BLACK).all(axis=0)] = Print.START_CLEAR
    within[np.isin(ways, (Print.LINE, Print.INK_LINE)).all(axis=0)] = Print.START_LINE
    within[inside < config.band_mm] = Print.START_BAND
    half = np.array([deck.card.frame_width_mm, deck.card.frame_height_mm]) / 2
    off_frame = np.abs((np.abs(grid) - half).max(axis=1))
    within[off_frame < deck.card.line_mm / 2] = Print.LINE
    return np.where(inside < config.cut_inside_mm, Print.CUT, within).astype(np.uint8)


def _face(
    deck: Deck, hypothesis: Hypothesis, grid: FloatArray, inside: FloatArray, config: ReadingConfig
) -> NDArray[np.uint8]:
    """What a face draws, the right way up."""
    side = CardSide(hypothesis.face, deck.colours[0].name, hypothesis.mirrored)
    labels = face_labels(deck, side, FINE)
    here, near = 1 / config.density, 2 * config.edge_mm + 1 / config.density
    ink = _share(labels, (Part.BAND, Part.FILL), near, grid)
    line, dot = (_share(labels, (part,), here, grid) for part in (Part.LINE, Part.DOT))
    white = line + dot
    any_white = _share(labels, (Part.LINE, Part.DOT), near, grid)
    # Beyond the cut edge nothing is drawn: the band seems to end there.
    alone = ink + _share(labels, (Part.OUTSIDE,), near, grid)
    out = np.where(ink > SOME, Print.INK_EDGE, Print.EDGE)
    out[any_white + alone < 1 - PURE] = Print.BLACK
    out[alone > PURE] = Print.INK
    out[(white > MOSTLY) & (line > dot)] = Print.LINE
    out[(out == Print.LINE) & (ink > SOME)] = Print.INK_LINE
    out[dot > MOSTLY] = Print.DOT
    # Badges are printings' own: the densities of these kinds say how much like the deck's own. How
    # symbols are drawn differs as well, but not which way up they are.
    plain = (out == Print.BLACK) | (out == Print.EDGE)
    across, along = deck.symbol_offset_mm
    across = -across if hypothesis.mirrored else across
    ways = (Print.SYMBOL, Print.NO_SYMBOL)
    if hypothesis.face in deck.either_way:
        ways = (Print.EITHER_SYMBOL, Print.EITHER_SYMBOL)
    for way, kind in zip((1.0, -1.0), ways, strict=True):
        near = np.hypot(*(grid - [way * across, way * along]).T) < config.symbol_mm
        out[plain & near] = kind
    sign, inner = (_share(labels, (part,), here, grid) for part in (Part.MARK, Part.BADGE))
    badge = np.select(
        [sign > MOSTLY, inner > 1 - SOME, sign + inner < SOME],
        [Print.SIGN, Print.BADGE, Print.AROUND],
        Print.BADGE_EDGE,
    )
    marks = plain & (np.hypot(*grid.T) < config.mark_mm)
    out[marks] = badge[marks]
    out[inside < config.cut_inside_mm] = Print.CUT
    return out.astype(np.uint8)


def _share(labels: Labels, parts: tuple[Part, ...], side_mm: float, grid: FloatArray) -> FloatArray:
    """Which share (P,) of a square round each place has one of these parts."""
    side = round(side_mm * FINE)
    drawn = np.isin(labels, parts).astype(np.float32)
    outside = float(Part.OUTSIDE in parts)
    pad = side + FINE
    drawn = cv2.copyMakeBorder(drawn, *(pad,) * 4, cv2.BORDER_CONSTANT, value=outside)
    mean = cv2.blur(drawn, (side, side))
    middle = (np.array(drawn.shape[::-1]) - 1) / 2
    # Between the pixels, or a face that is its own mirror image would be drawn lopsidedly.
    at = (grid * FINE + middle).astype(np.float32)
    shares = cv2.remap(mean, at[None], None, cv2.INTER_LINEAR)[0]
    return np.asarray(np.round(shares, DIGITS), np.float64)


def told_apart(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> Bools:
    """Where (N,) two drawings are plainly different things: black, white or ink, away from edges,
    cuts and marks, of which a picture tells little.
    """
    mine, theirs = PLAIN[one], PLAIN[other]
    return np.asarray((mine != theirs) & (mine > 0) & (theirs > 0))
