"""Which card of a reading is which card of the truth, and how far off it lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from geometry.deck import Deck, Face
from geometry.layout import Card
from geometry.pose import PointsMm, Pose
from measuring.scenes.truth import Truth
from vision.assemble import middle_px
from vision.reading import ReadCard, Reading

FOUND_MM = 12.0
"""Farther apart than this, two cards are not the same one."""
_MISNAMED_MM = 4.0
"""What a wrong colour or face counts in millimetres, so that of two cards on top of each
other each is matched with the one of its name."""
_GRID_MM = 0.1


@dataclass(frozen=True, slots=True)
class Match:
    """A card of the truth and the card that was read for it, by their ids."""

    true: int
    read: int
    named: bool
    side_right: bool
    off_mm: float
    off_deg: float


def match_cards(reading: Reading, truth: Truth) -> list[Match]:
    """The cards found, each matched with at most one card read.

    They are matched in the picture, so that it does not matter in which frame
    the reading gives millimetres. `off_mm` and `off_deg` are in the table
    frame; where the reading has no play area, its own frame is first laid
    rigidly over the true one.
    """
    pairs = _pairs(reading, truth)
    places = _in_true_frame(reading, pairs, [card for _, card in pairs])
    deck = truth.layout.deck
    return [
        _match(card, read, place, deck) for (card, read), place in zip(pairs, places, strict=True)
    ]


def laid_over_truth(reading: Reading, truth: Truth) -> list[tuple[ReadCard, Pose]]:
    """All cards of a reading, the lowest first, and where each lies in the true frame."""
    cards = {card.id: card for card in reading.cards}
    order = [cards[card.id] for card in reading.seen.layout.cards if card.id in cards]
    pairs = _pairs(reading, truth)
    places = _in_true_frame(reading, pairs, order)
    return [
        (card, Pose(float(x), float(y), float(angle), card.mirrored))
        for card, (x, y, angle) in zip(order, places, strict=True)
    ]


def is_own_mirror_image(face: Face) -> bool:
    """Whether the back looks like the front, so that nobody can tell the side."""
    return _shapes(face, 1) == _shapes(face, -1)


def _shapes(face: Face, flip: int) -> list[tuple[object, ...]]:
    return sorted(
        (shape.kind, _outline(shape.outline_mm, flip), _outline(shape.dots_mm, flip))
        for shape in face.shapes
    )


def _outline(points: tuple[tuple[float, float], ...], flip: int) -> tuple[tuple[int, int], ...]:
    """The points as a comparable value, on a grid that forgives rounding."""
    return tuple(sorted((round(flip * x / _GRID_MM), round(y / _GRID_MM)) for x, y in points))


def _pairs(reading: Reading, truth: Truth) -> list[tuple[Card, ReadCard]]:
    if not reading.cards or not truth.layout.cards:
        return []
    true_px = truth.camera.to_px(_middles(truth.layout.cards))
    read_px = np.array([middle_px(card.outline_px) for card in reading.cards])
    gaps = np.linalg.norm(true_px[:, None] - read_px[None], axis=2) / reading.scale_px_per_mm
    names = np.array(
        [
            [(card.colour != read.colour) + (card.face != read.face) for read in reading.cards]
            for card in truth.layout.cards
        ]
    )
    rows, columns = linear_sum_assignment(np.minimum(gaps, FOUND_MM) + _MISNAMED_MM * names)
    return [
        (truth.layout.cards[i], reading.cards[j])
        for i, j in zip(rows, columns, strict=True)
        if gaps[i, j] < FOUND_MM
    ]


def _middles(cards: tuple[Card, ...]) -> PointsMm:
    return PointsMm(np.array([[card.pose.x_mm, card.pose.y_mm] for card in cards]))


def _in_true_frame(
    reading: Reading, pairs: list[tuple[Card, ReadCard]], cards: Sequence[ReadCard]
) -> NDArray[np.float64]:
    """(N, 3): x and y in mm and the angle in degrees of read cards, in the true frame, over which
    the pairs are laid.
    """
    read = _places_read(cards)
    if reading.play_area_mm is not None or len(pairs) < 2:
        return read
    true = _middles(tuple(card for card, _ in pairs))
    paired = _places_read([card for _, card in pairs])[:, :2]
    rotation = _rotation(paired, true)
    moved = (read[:, :2] - paired.mean(axis=0)) @ rotation.T + true.mean(axis=0)
    turn = np.rad2deg(np.arctan2(rotation[1, 0], rotation[0, 0]))
    return np.column_stack([moved, read[:, 2] + turn])


def _places_read(cards: Sequence[ReadCard]) -> NDArray[np.float64]:
    return np.array([[card.x_mm, card.y_mm, card.angle_deg] for card in cards]).reshape(-1, 3)


def _rotation(points: NDArray[np.float64], onto: NDArray[np.float64]) -> NDArray[np.float64]:
    """The 2 x 2 rotation that lays centred points (N, 2) best over others (Kabsch)."""
    u, _, vt = np.linalg.svd((points - points.mean(axis=0)).T @ (onto - onto.mean(axis=0)))
    sign = np.sign(np.linalg.det(vt.T @ u.T))
    return np.asarray(vt.T @ np.diag([1.0, sign]) @ u.T)


def _match(card: Card, read: ReadCard, place: NDArray[np.float64], deck: Deck) -> Match:
    pose = card.pose
    either_side = is_own_mirror_image(deck.face(card.face))
    return Match(
        true=card.id,
        read=read.id,
        named=card.colour == read.colour and card.face == read.face,
        side_right=either_side or pose.mirrored == read.mirrored,
        off_mm=float(np.hypot(place[0] - pose.x_mm, place[1] - pose.y_mm)),
        off_deg=abs((float(place[2]) - pose.angle_deg + 180) % 360 - 180),
    )
