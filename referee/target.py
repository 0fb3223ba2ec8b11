"""Where a card that lies wrong should lie: the nearest legal place, in its picture."""

from __future__ import annotations

import math

import cv2
import numpy as np

from geometry.moves import Placement, legal_placements
from geometry.pose import Pose
from geometry.rules import Rules
from referee.known_table import KnownCard, KnownTable
from vision.reading import Corners
from vision.together.matching import MM_PER_DEG

FARTHEST_MM = 40.0
"""A legal place farther off than about half a card was hardly meant."""


def target_pose(table: KnownTable, card: KnownCard, rules: Rules) -> Pose | None:
    """The legal pose nearest to where a card lies, on the cards that were there before it; None
    where there is none near. Millimetres of the known table.
    """
    place = [one.id for one in table.cards].index(card.id)
    below = table.layout.without([one.id for one in table.cards[place:]])
    colour, face = card.name
    if face == table.deck.starting_face.id:
        return None

    def off(one: Placement) -> float:
        mm = math.hypot(one.pose.x_mm - card.pose.x_mm, one.pose.y_mm - card.pose.y_mm)
        turn = abs((one.pose.angle_deg - card.pose.angle_deg + 180) % 360 - 180)
        return mm + MM_PER_DEG * turn

    same_side = [
        one
        for one in legal_placements(below, colour, face, rules)
        if one.pose.mirrored == card.pose.mirrored
    ]
    nearest = min(same_side, key=off, default=None)
    return None if nearest is None or off(nearest) > FARTHEST_MM else nearest.pose


def target_px(table: KnownTable, card: KnownCard, rules: Rules) -> Corners | None:
    """The corners of that place in the picture in which the card was seen last, (4, 2) pixels.

    The card's own outline tells how millimetres lie in the picture around it.
    """
    pose = target_pose(table, card, rules)
    if pose is None:
        return None
    corners = np.array(table.deck.card.corners_mm)
    at_mm = np.asarray(card.pose.to_table(corners), np.float32)
    at_px = np.asarray(card.outline_px, np.float32)
    if abs(cv2.contourArea(at_px)) < 1.0:
        return None
    to_px = cv2.getPerspectiveTransform(at_mm, at_px)
    target = np.asarray(pose.to_table(corners), np.float32).reshape(-1, 1, 2)
    a, b, c, d = cv2.perspectiveTransform(target, to_px).reshape(4, 2).tolist()
    return (a[0], a[1]), (b[0], b[1]), (c[0], c[1]), (d[0], d[1])
