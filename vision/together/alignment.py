"""How the frame of a reading lies in that of the known table, whatever the camera did."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from geometry.pose import Pose
from vision.reading import ReadCard
from vision.together.named_card import NamedCard

Floats = NDArray[np.float64]

NEAR_MM, NEAR_DEG = 8.0, 8.0
"""Cards of the same name that come so near each other may be one and the same; more than readings
of two cameras differ by across a table, less than a card that was laid elsewhere."""
FEWEST_TO_ALIGN = 3
MOST_SCALED = 0.02
"""Without a lens file one picture's millimetres are by so much another's at most."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """Takes places of a reading (mm) to those of the known table: turned, scaled, shifted."""

    turn_deg: float = 0.0
    scale: float = 1.0
    shift_mm: tuple[float, float] = (0.0, 0.0)

    def moved(self, pose: Pose) -> Pose:
        """A pose of the reading in the known table's frame."""
        (x_mm, y_mm) = self.places(np.array([[pose.x_mm, pose.y_mm]]))[0]
        return Pose(float(x_mm), float(y_mm), (pose.angle_deg + self.turn_deg) % 360, pose.mirrored)

    def places(self, at_mm: Floats) -> Floats:
        """Points (N, 2) of the reading in the known table's frame."""
        factor = self.scale * np.exp(1j * math.radians(self.turn_deg))
        turned = (at_mm @ np.array([1, 1j])) * factor
        return np.stack([turned.real + self.shift_mm[0], turned.imag + self.shift_mm[1]], axis=1)

    def back(self, to_mm: Floats) -> Floats:
        """Points (N, 2) of the known table's frame in the reading's; inverse of `places`."""
        factor = self.scale * np.exp(1j * math.radians(self.turn_deg))
        turned = ((to_mm - np.array(self.shift_mm)) @ np.array([1, 1j])) / factor
        return np.stack([turned.real, turned.imag], axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class _Named:
    """Pairs of a known and a read card of the same name: places (N, 2) mm, angles (N,) degrees."""

    at_mm: Floats
    at_deg: Floats
    to_mm: Floats
    to_deg: Floats

    def near(self, found: Alignment) -> NDArray[np.bool_]:
        """Which pairs come together by an alignment (N,)."""
        off = np.linalg.norm(found.places(self.at_mm) - self.to_mm, axis=1)
        turn = self.at_deg + found.turn_deg - self.to_deg
        return np.asarray((off < NEAR_MM) & (np.abs((turn + 90) % 180 - 90) < NEAR_DEG))


def align(
    known: Sequence[NamedCard], read: Sequence[ReadCard], fewest: int = FEWEST_TO_ALIGN
) -> Alignment:
    """How the reading's frame lies in the known table's: what most cards of the same name agree
    on, so that some that were moved or misnamed do not count.

    The frames are taken for the same unless another place of the camera brings more cards
    together, `fewest` at least: of a few cards one may have been moved.
    """
    pairs = _of_same_name(known, read)
    if len(pairs.at_deg) == 0:
        return Alignment()
    best = Alignment()
    keep = pairs.near(best)
    needed = fewest if keep.any() else fewest - 1
    for candidate in _by_one_card(pairs):
        near = pairs.near(candidate)
        if near.sum() >= needed and near.sum() > keep.sum():
            best, keep = candidate, near
    return _refined(pairs, best, keep)


def cards_in_common(known: Sequence[NamedCard], read: Sequence[ReadCard]) -> int:
    """How many cards of the same name lie alike in both, wherever the camera stood."""
    pairs = _of_same_name(known, read)
    if len(pairs.at_deg) == 0:
        return 0
    ways = (Alignment(), *_by_one_card(pairs))
    return max(int(pairs.near(way).sum()) for way in ways)


def _of_same_name(known: Sequence[NamedCard], read: Sequence[ReadCard]) -> _Named:
    both = [
        (card, one.pose) for one in known for card in read if one.name == (card.colour, card.face)
    ]
    at = np.array([[card.x_mm, card.y_mm] for card, _ in both]).reshape(-1, 2)
    to = np.array([[pose.x_mm, pose.y_mm] for _, pose in both]).reshape(-1, 2)
    at_deg = np.array([card.angle_deg for card, _ in both])
    return _Named(at, at_deg, to, np.array([pose.angle_deg for _, pose in both]))


def _by_one_card(pairs: _Named) -> list[Alignment]:
    """What each pair alone says, also where the card looks the same half turned."""
    found = []
    for at, at_deg, to, to_deg in zip(
        pairs.at_mm, pairs.at_deg, pairs.to_mm, pairs.to_deg, strict=True
    ):
        for half in (0.0, 180.0):
            turn = float(to_deg - at_deg + half + 180) % 360 - 180
            there = Alignment(turn).places(at[None])[0]
            found.append(Alignment(turn, 1.0, (float(to[0] - there[0]), float(to[1] - there[1]))))
    return found


def _refined(pairs: _Named, best: Alignment, keep: NDArray[np.bool_]) -> Alignment:
    """The least-squares alignment of the pairs that agree."""
    if not keep.any():
        return best
    if keep.sum() < FEWEST_TO_ALIGN:
        off = np.median(pairs.to_mm[keep] - best.places(pairs.at_mm[keep]), axis=0)
        shift = (best.shift_mm[0] + float(off[0]), best.shift_mm[1] + float(off[1]))
        return Alignment(best.turn_deg, best.scale, shift)
    found, agree = best, keep
    for _ in range(4):
        found = _similarity(pairs.at_mm[keep], pairs.to_mm[keep])
        off = np.linalg.norm(found.places(pairs.at_mm) - pairs.to_mm, axis=1)
        limit = max(2.5 * float(np.median(off[agree])), 0.5)
        closer = agree & (off <= limit)
        if (closer == keep).all() or closer.sum() < FEWEST_TO_ALIGN:
            break
        keep = closer
    return found


def _similarity(at: Floats, to: Floats) -> Alignment:
    """The least-squares similarity (Umeyama 1991) of points (N, 2), its scale held near 1."""
    middle, aim = at.mean(axis=0), to.mean(axis=0)
    first = (at - middle) @ np.array([1, 1j])
    second = (to - aim) @ np.array([1, 1j])
    spread = float(np.square(np.abs(first)).sum())
    if spread < 1.0:
        shift = aim - middle
        return Alignment(shift_mm=(float(shift[0]), float(shift[1])))
    factor = complex(np.vdot(first, second)) / spread
    scale = float(np.clip(abs(factor), 1 - MOST_SCALED, 1 + MOST_SCALED))
    turn = math.degrees(math.atan2(factor.imag, factor.real))
    turned = scale * np.exp(1j * math.radians(turn)) * complex(middle[0], middle[1])
    return Alignment(turn, scale, (float(aim[0] - turned.real), float(aim[1] - turned.imag)))
