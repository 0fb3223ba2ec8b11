"""Where a card could be laid so that one of its shapes covers an equal one of another card.

Relative poses do not depend on the table, so each pair of faces is worked out once.
"""

from functools import lru_cache

import numpy as np
import shapely
from numpy.typing import NDArray

from geometry.deck import CardSize, Deck, Face, Shape
from geometry.layout import Card, Layout
from geometry.pose import Pose
from geometry.rectangles import Rectangles, cards_upright, gaps_mm, past_edge_mm, places_of

FloatArray = NDArray[np.float64]
_SAME_MM = 0.2


def _pose_of(matrix: FloatArray) -> Pose:
    """The pose whose matrix (2, 3) this is."""
    mirrored = bool(np.linalg.det(matrix[:, :2]) < 0)
    angle = float(np.rad2deg(np.arctan2(-matrix[0, 1], matrix[1, 1])))
    return Pose(float(matrix[0, 2]), float(matrix[1, 2]), angle % 360, mirrored)


def compose(outer: Pose, inner: Pose) -> Pose:
    """The pose of a card whose pose is `inner` in the card frame of a card at `outer`."""
    first = np.vstack([inner.matrix(), [0, 0, 1]])
    return _pose_of(outer.matrix() @ first)


@lru_cache(maxsize=2048)
def relative_poses(
    deck: Deck, below_id: str, above_id: str, exact: bool = True
) -> tuple[Pose, ...]:
    """Poses of a face in the card frame of another with two equal shapes in one place.

    Exact: the frames share just that shape. Otherwise: they share more, which
    looks right at the shape and is not allowed.
    """
    below, above = deck.face(below_id), deck.face(above_id)
    found: list[Pose] = []
    for lower in below.shapes:
        for upper in above.shapes:
            poses = _onto(lower, upper)
            found += [p for p in poses if _shares_only(deck.card, lower, p) == exact]
    return tuple(found)


def _onto(lower: Shape, upper: Shape) -> list[Pose]:
    """Poses that take the upper shape's outline onto the lower's."""
    if lower.kind != upper.kind or len(lower.outline_mm) != len(upper.outline_mm):
        return []
    target = np.asarray(lower.outline_mm)
    poses: list[Pose] = []
    for mirrored in (False, True):
        source = np.asarray(upper.outline_mm) * ([-1, 1] if mirrored else [1, 1])
        for order in (source, source[::-1]):
            for turn in range(len(order)):
                angle, shift, error = _rigid(np.roll(order, turn, axis=0), target)
                if error < _SAME_MM:
                    pose = Pose(float(shift[0]), float(shift[1]), angle, mirrored)
                    if not any(_alike(pose, other) for other in poses):
                        poses.append(pose)
    return poses


def _alike(one: Pose, other: Pose) -> bool:
    return one.mirrored == other.mirrored and bool(
        np.allclose(one.matrix(), other.matrix(), atol=0.1)
    )


def _rigid(source: FloatArray, target: FloatArray) -> tuple[float, FloatArray, float]:
    """Turn (degrees) and shift that take points (N, 2) onto others, and the largest error."""
    from_middle, to_middle = source.mean(axis=0), target.mean(axis=0)
    one, two = source - from_middle, target - to_middle
    cross = float((one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]).sum())
    angle = np.arctan2(cross, float((one * two).sum()))
    cos, sin = np.cos(angle), np.sin(angle)
    turn = np.array([[cos, -sin], [sin, cos]])
    shift = to_middle - turn @ from_middle
    error = np.hypot(*(source @ turn.T + shift - target).T).max()
    return float(np.rad2deg(angle)), shift, float(error)


def _shares_only(card: CardSize, lower: Shape, pose: Pose) -> bool:
    corners = np.array(card.frame_corners_mm)
    shared = shapely.Polygon(corners).intersection(shapely.Polygon(pose.to_table(corners)))
    rest = shared.difference(shapely.Polygon(lower.outline_mm).buffer(0.3))
    return bool(rest.area < 1.0)


def fits(deck: Deck, below: Card, above: Face, exact: bool = True) -> list[Pose]:
    """Poses on the table at which the face covers one equal shape of the card below."""
    relative = relative_poses(deck, below.face, above.id, exact)
    return [compose(below.pose, pose) for pose in relative]


def touched_mm(layout: Layout, pose: Pose) -> FloatArray:
    """How deep the body of a card at this pose reaches past each card's white line (N,).

    Negative: how far off it stays.
    """
    size = layout.deck.card
    cores, _ = cards_upright(size, places_of([pose] * len(layout.cards)))
    _, frames = cards_upright(size, places_of([card.pose for card in layout.cards]))
    return np.asarray(size.corner_radius_mm - gaps_mm(cores, frames))


def past_edge(layout: Layout, pose: Pose) -> float:
    """How far a card at this pose reaches past the play area, mm; negative: how far off."""
    if layout.play_area_mm is None:
        return -np.inf
    size = layout.deck.card
    cores: Rectangles = cards_upright(size, places_of([pose]))[0]
    return float(past_edge_mm(cores, size.corner_radius_mm, layout.play_area_mm)[0])


def nudged(rng: np.random.Generator, pose: Pose, slip_mm: float, slip_deg: float) -> Pose:
    """The pose after a hand has slipped."""
    dx, dy = rng.normal(0, slip_mm, 2)
    turn = rng.normal(0, slip_deg)
    return Pose(
        pose.x_mm + float(dx), pose.y_mm + float(dy), pose.angle_deg + float(turn), pose.mirrored
    )
