"""Which card of a reading is which known card, whatever the camera did in between."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from geometry.pose import Pose
from vision.reading import ReadCard
from vision.together.alignment import FEWEST_TO_ALIGN, Alignment, align
from vision.together.named_card import NamedCard

REACH_MM, REACH_DEG = 15.0, 15.0
"""A card read so far from where it lay, or so turned, is that card still; a placement on one of its
shapes lies farther off."""
MM_PER_DEG, MM_OTHER_NAME = 0.3, 6.0
"""What a degree, and another name, count for beside a distance."""
PUSHED_MM, PUSHED_DEG = 8.0, 1.0
"""The camera was pushed where its whole picture of the table lies so much elsewhere."""
_NONE = 1e6


@dataclass(frozen=True, slots=True)
class Matching:
    """`pairs`: read card's id by known card's. `poses`: where each read card lies, by its id, in
    the known table's frame. `new` and `missing`: ids of read and of known cards without a partner.
    """

    pairs: Mapping[int, int]
    poses: Mapping[int, Pose]
    new: tuple[int, ...]
    missing: tuple[int, ...]
    alignment: Alignment = field(default_factory=Alignment)

    def with_pair(self, known: int, read: int) -> Matching:
        """The same with one more known card found among the new ones."""
        return Matching(
            {**self.pairs, known: read},
            self.poses,
            tuple(one for one in self.new if one != read),
            tuple(one for one in self.missing if one != known),
            self.alignment,
        )

    @property
    def camera_pushed(self) -> bool:
        """Whether the whole table lies elsewhere in the reading's frame."""
        turn = abs((self.alignment.turn_deg + 180) % 360 - 180)
        return math.hypot(*self.alignment.shift_mm) > PUSHED_MM or turn > PUSHED_DEG


def pose_of(card: ReadCard) -> Pose:
    """Where a read card lies, in its reading's frame."""
    return Pose(card.x_mm, card.y_mm, card.angle_deg, card.mirrored)


def match(
    known: Sequence[NamedCard], read: Sequence[ReadCard], fewest: int = FEWEST_TO_ALIGN
) -> Matching:
    """Match by place, once the whole table is aligned by the cards that have the same name,
    `fewest` of them at least.
    """
    from scipy.optimize import linear_sum_assignment  # starts slowly; a rig does without at first

    alignment = align(known, read, fewest)
    poses = {card.id: alignment.moved(pose_of(card)) for card in read}
    cost = np.array([[_cost(one, card, poses[card.id]) for card in read] for one in known]).reshape(
        len(known), len(read)
    )
    rows, columns = linear_sum_assignment(cost)
    pairs = {
        known[i].id: read[k].id
        for i, k in zip(rows.tolist(), columns.tolist(), strict=True)
        if cost[i, k] < _NONE
    }
    seen = set(pairs.values())
    return Matching(
        pairs,
        poses,
        tuple(card.id for card in read if card.id not in seen),
        tuple(one.id for one in known if one.id not in pairs),
        alignment,
    )


def away(pose: Pose, other: Pose) -> tuple[float, float]:
    """How far two poses are from each other: mm, and degrees but for half a turn."""
    mm = math.hypot(pose.x_mm - other.x_mm, pose.y_mm - other.y_mm)
    deg = abs((pose.angle_deg - other.angle_deg + 90) % 180 - 90)
    return mm, deg


def _cost(known: NamedCard, card: ReadCard, pose: Pose) -> float:
    mm, deg = away(known.pose, pose)
    if mm > REACH_MM or deg > REACH_DEG:
        return _NONE
    return mm + MM_PER_DEG * deg + MM_OTHER_NAME * (known.name != (card.colour, card.face))
