"""Where the cards of the joined table lie: on each other as the photographs have it.

Without a lens file millimetres are off by a few across a table, in each photograph otherwise, but
hardly between cards that touch. So x, y and angle of all cards together minimise

    sum over photographs of w ( sum over pairs |(P_a - P_b) - (p_a - p_b)|² + h sum |P_a - p_a|² )

over pairs that overlap, p where the photograph has the cards and w how finely it shows them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from geometry.pose import Pose
from geometry.showing import over
from vision.together.names import Named
from vision.together.photographs import Floats, Member

BY_ITSELF = 0.05
"""What the place of a card by itself counts for beside how it lies to those that it touches."""
POOR = 0.05
"""What a photograph that is doubted as a whole counts for."""


def placed(
    cards: Sequence[Named], members: Sequence[Member], poor: Sequence[bool]
) -> Mapping[int, Pose]:
    """The pose of each card, in the joined frame. `poor`: the photographs doubted as a whole."""
    index = {card.id: k for k, card in enumerate(cards)}
    rows: list[tuple[int, int | None, float]] = []
    wanted: list[Floats] = []
    for member, is_poor in zip(members, poor, strict=True):
        weight = member.photo.reading.scale_px_per_mm**2 * (POOR if is_poor else 1.0)
        scale = member.alignment.scale  # what touches lies as each photograph measures it
        own = {one: _measured(pose, cards[index[one]].pose) for one, pose in member.poses.items()}
        for one, measured in own.items():
            rows.append((index[one], None, weight * BY_ITSELF))
            wanted.append(measured)
        for upper, lower in pairs_of(member):
            rows.append((index[upper], index[lower], weight))
            wanted.append((own[upper] - own[lower]) / [scale, scale, 1.0])
    matrix = np.zeros((len(rows), len(cards)))
    root = np.sqrt([weight for _, _, weight in rows])
    for k, (one, other, _) in enumerate(rows):
        matrix[k, one] = 1.0
        if other is not None:
            matrix[k, other] = -1.0
    found = np.linalg.lstsq(matrix * root[:, None], np.array(wanted) * root[:, None], rcond=None)[0]
    return {
        card.id: replace(card.pose, x_mm=float(x), y_mm=float(y), angle_deg=float(angle) % 360)
        for card, (x, y, angle) in zip(cards, found, strict=True)
    }


def pairs_of(member: Member) -> Sequence[tuple[int, int]]:
    """The pairs of cards that overlap in a photograph, the upper one first, by the joined ids."""
    joined = {own: one for one, own in member.ids.items()}
    below = over(member.photo.reading.seen.layout, 0.0)
    return [(joined[a], joined[b]) for a, under in below.items() for b in under]


def _measured(pose: Pose, side: Pose) -> Floats:
    """x, y and angle (3,) of a card; its angle that of the side it shows, however it was read."""
    turn = (pose.angle_deg - side.angle_deg + 90) % 180 - 90
    return np.array([pose.x_mm, pose.y_mm, side.angle_deg + turn])
