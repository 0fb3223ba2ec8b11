"""A deck file from card readings: faces named and merged, compared with a known deck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from calibration.enrolment.card_picture import CardMeasure
from calibration.enrolment.deck_inks import colours_read, starting_colour
from calibration.enrolment.deck_reading import THICKNESS_MM, NotRead, Spread, consensus
from calibration.enrolment.face_reading import CardReading, is_ink
from calibration.enrolment.same_face import (
    mean_face,
    paired,
    rounded,
    rounded_points,
    same_shapes,
    same_side,
    shape_distance_mm,
)
from calibration.enrolment.starting_face import drawn_alike, known_starting_face, shapes_overlap
from geometry.deck import Art, CardSize, Deck, Face, Point, Shape
from vision.reason import Reason

FloatArray = NDArray[np.float64]

SAME_FORM, LEAST_SCALED = 0.008, 0.015
"""Printings of one form differ by less in height over width, and by less than this in size."""
READ_IN_ROUNDS = (
    Art(band=True, dots="white", lines="white", fill=True),
    Art(band=True, dots="white", lines="white", fill=False),
    Art(band=False, dots="colour", lines="white", fill=False),
)
"""The arts whose rounds are read, or whose readings say themselves what is not sure."""
KNOWN_MM = 0.3
"""A face read this near to a known one is that one, whose figures are more exact than a photo's."""
LARGEST_SIZE_GAP_MM = 1.0
"""Cards whose frames differ by more are another printing's, whose shapes are elsewhere, too."""


@dataclass(frozen=True, eq=False)
class Enrolment:
    """The deck, the faces that differ from the known deck, and doubts.

    `faces_as_read`: what the photos show, before faces of the known deck took the place of those
    that agree with them to `KNOWN_MM`.
    """

    deck: Deck
    differing: tuple[Reason, ...]
    doubts: tuple[Reason, ...]
    seen_faces: tuple[str, ...]
    faces_as_read: tuple[Face, ...]


@dataclass(eq=False)
class _Notes:
    differing: list[Reason] = field(default_factory=list)
    doubts: list[Reason] = field(default_factory=list)


def assemble(spreads: Sequence[Spread], base: Deck, name: str) -> Enrolment | NotRead:
    """Make a deck of everything read. What was not photographed is taken from `base`,
    where art and proportions are the same; else every card is needed, and NotRead says
    which is missing. ValueError without a single card.
    """
    cards = [card for spread in spreads for card in spread.cards]
    if not cards:
        raise ValueError("no cards were read")
    notes = _Notes()
    for spread in spreads:
        notes.doubts += [
            Reason(
                "enrol-unusable",
                {"photo": spread.photo, "x_mm": u.at_mm[0], "y_mm": u.at_mm[1], "why": u.reason},
            )
            for u in spread.unusable
        ]
    measure = consensus(spreads)
    starts = [card for card in cards if _is_start(card, cards)]
    plain = [card for card in cards if card.badge is not None and card not in starts]
    art = _art(plain or cards)
    if art not in READ_IN_ROUNDS:
        notes.doubts.append(Reason("enrol-other-art"))
    size = _card_size(measure, cards)
    if art == base.art:
        notes.doubts += _scale_doubt(size, base)
    alike = art == base.art and _proportions_differ_mm(size, base.card) < LARGEST_SIZE_GAP_MM
    if not starts and not alike:
        photos = ", ".join(spread.photo for spread in spreads)
        return NotRead(photos, Reason("enrol-start-missing", {"deck": base.name}))
    read = _faces_read(plain, base, notes)
    faces = _with_known(read, base, notes) if alike else read
    offset = _symbol_offset(cards, base)
    deck = Deck(
        name=name,
        card=size,
        art=art,
        dot_diameter_mm=rounded(_median([d.diameter_mm for c in cards for d in c.dots], 4.2)),
        badge_mm=rounded(_badge_size(plain, base)),
        symbol_offset_mm=offset,
        colours=colours_read(plain, base, offset, art, notes.doubts),
        starting_colour=starting_colour(starts, base, offset),
        starting_face=_starting_face(starts, base, size, notes),
        faces=faces,
    )
    seen = tuple(dict.fromkeys(_face_id(card) for card in plain))
    return Enrolment(deck, tuple(notes.differing), tuple(notes.doubts), seen, read)


def _is_start(card: CardReading, cards: Sequence[CardReading]) -> bool:
    """No dots, and where other cards have a band of ink, none.

    It may have a badge in its middle, as players' cards have.
    """
    if card.value:
        return False
    bands = [is_ink(other.band) for other in cards if other.value]
    banded = sum(bands) > len(bands) / 2
    return card.badge is None or not banded or not is_ink(card.band)


def _median(values: list[float], otherwise: float) -> float:
    return float(np.median(values)) if values else otherwise


def _card_size(measure: CardMeasure, cards: Sequence[CardReading]) -> CardSize:
    radii = [card.corner_radius_mm for card in cards if np.isfinite(card.corner_radius_mm)]
    return CardSize(
        width_mm=rounded(measure.width_mm),
        height_mm=rounded(measure.height_mm),
        corner_radius_mm=rounded(np.clip(_median(radii, 3.0), 0.2, 12.0)),
        frame_inset_mm=rounded(measure.inset_mm),
        line_mm=rounded(measure.line_mm),
        thickness_mm=THICKNESS_MM,
    )


def _proportions_differ_mm(one: CardSize, other: CardSize) -> float:
    """How far apart the two frames' sides are: shapes are measured from the frame."""
    return max(
        abs(one.frame_width_mm - other.frame_width_mm),
        abs(one.frame_height_mm - other.frame_height_mm),
    )


def _scale_doubt(size: CardSize, base: Deck) -> list[Reason]:
    """Cards of the known form, but all of them larger or smaller: the markers gave the scale."""
    wide, high = size.width_mm / base.card.width_mm, size.height_mm / base.card.height_mm
    share = (wide + high) / 2
    if abs(wide / high - 1) > SAME_FORM or abs(share - 1) < LEAST_SCALED:
        return []
    return [Reason("enrol-scaled", {"share": share, "deck": base.name})]


def _art(cards: Sequence[CardReading]) -> Art:
    """What most cards show: a band, white or coloured lines and dots, filled shapes."""
    dots = [dot.share for card in cards for dot in card.dots]
    lines = np.median([card.line for card in cards], axis=0)
    bands = [is_ink(card.band) for card in cards]
    fills = [is_ink(card.fill) for card in cards if card.fill is not None]
    return Art(
        band=bool(np.mean(bands) > 0.5),
        dots="colour" if dots and is_ink(np.median(dots, axis=0)) else "white",
        lines="colour" if is_ink(lines) else "white",
        fill=bool(fills) and bool(np.mean(fills) > 0.5),
    )


def _face_id(card: CardReading) -> str:
    suit = "none" if card.badge is None else card.badge.suit
    return f"{suit}-{card.value}"


def _face(card: CardReading, face_id: str) -> Face:
    shapes = tuple(
        Shape(
            shape.kind,
            rounded_points(shape.outline_mm),
            rounded_points([d.middle_mm for d in shape.dots]),
        )
        for shape in card.shapes
    )
    return Face(face_id, None if card.badge is None else card.badge.suit, card.value, shapes)


def _faces_read(cards: Sequence[CardReading], base: Deck, notes: _Notes) -> tuple[Face, ...]:
    read: dict[str, list[Face]] = {}
    for card in cards:
        _place(read, _face(card, _face_id(card)), base, card, notes)
    return tuple(mean_face(faces) for faces in read.values())


def _with_known(read: tuple[Face, ...], base: Deck, notes: _Notes) -> tuple[Face, ...]:
    """The faces read, with those of the known deck where they agree, or were not photographed."""
    known = {face.id: face for face in base.faces}
    found = [_known_or_read(face, known.get(face.id)) for face in read]
    seen = {face.id for face in read}
    rest = [face for key, face in known.items() if key not in seen]
    if rest:
        taken = tuple(face.id for face in rest)
        notes.doubts.append(
            Reason("enrol-faces-taken", {"count": len(rest), "deck": base.name, "faces": taken})
        )
    return tuple(sorted([*found, *rest], key=lambda face: _order(base, face.id)))


def _known_or_read(read: Face, known: Face | None) -> Face:
    if known is None or same_shapes(read, known) is None:
        return read
    pairs = zip(paired(read, known).shapes, known.shapes, strict=True)
    return known if all(shape_distance_mm(*pair) < KNOWN_MM for pair in pairs) else read


def _order(base: Deck, face_id: str) -> int:
    ids = [face.id for face in base.faces]
    return ids.index(face_id) if face_id in ids else len(ids)


def _place(
    read: dict[str, list[Face]], face: Face, base: Deck, card: CardReading, notes: _Notes
) -> None:
    """Put a face to those of its kind; the side is the known deck's, else the first one seen."""
    known = next((f for f in base.faces if f.id == face.id), None)
    if known is not None:
        side = same_side(face, known)
        if side is not None:
            read.setdefault(face.id, []).append(paired(side, known))
            return
    number = 0
    while True:
        key = face.id if number == 0 else f"{face.id}-{chr(ord('a') + number)}"
        if key not in read:
            break
        side = same_side(face, read[key][0])
        if side is not None:
            read[key].append(paired(side, read[key][0]))
            return
        number += 1
    if known is not None:
        notes.differing.append(Reason("enrol-face-differs", {"face": key, "deck": base.name}))
    if not card.upright:
        notes.doubts.append(Reason("enrol-face-turned", {"face": key}))
    read[key] = [replace(face, id=key)]


def _badge_size(cards: Sequence[CardReading], base: Deck) -> float:
    """The circles' width; where none is seen what it is by the others, as the known deck's."""
    share = {"circle": 1.0, "square": base.badges.square, "triangle": base.badges.triangle_width}
    seen = [card.badge for card in cards if card.badge is not None]
    circles = [badge for badge in seen if badge.suit == "circle"]
    sizes = [badge.size_mm / share[badge.suit] for badge in circles or seen]
    return _median(sizes, base.badge_mm)


def _symbol_offset(cards: Sequence[CardReading], base: Deck) -> Point:
    middles = [_symbol_middle(card) for card in cards if card.symbol]
    if not middles:
        return base.symbol_offset_mm
    x, y = np.median(np.array(middles), axis=0)
    return (0.0 if abs(x) < 0.3 else rounded(x), rounded(y))


def _symbol_middle(card: CardReading) -> FloatArray:
    points = np.concatenate([mark.outline_mm for mark in card.symbol])
    return np.asarray((points.max(axis=0) + points.min(axis=0)) / 2)


def _starting_face(
    starts: Sequence[CardReading], base: Deck, size: CardSize, notes: _Notes
) -> Face:
    if not starts:
        notes.doubts.append(Reason("enrol-start-taken", {"deck": base.name}))
        return base.starting_face
    face = _face(starts[0], base.starting_face.id)
    side = same_side(face, base.starting_face)
    if side is not None:
        return paired(side, base.starting_face)
    if not shapes_overlap(face, size):
        notes.differing.append(Reason("enrol-start-differs"))
        return face
    known = known_starting_face(base, size)
    alike = drawn_alike(face, known, size)
    code = "enrol-start-overlaps" if alike else "enrol-start-guessed"
    notes.doubts.append(Reason(code, {"deck": base.name}))
    return known
