"""What the board views cover, and what the next photo should show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.board_view import BoardView
from vision.reason import Reason

FloatArray = NDArray[np.float64]

CELLS = (6, 5)
ENOUGH_CELLS = 0.8
ENOUGH_VIEWS = 12
TILT_DEG = 15.0
DIRECTIONS = ("left", "top", "right", "bottom")
ALIKE_PX_SHARE = 0.02
_PLACES = (("top left", "top", "top right"), ("left", "middle", "right"),
           ("bottom left", "bottom", "bottom right"))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Wish:
    """What a next photo should show.

    key: `tilt` (the board so that its `what` edge is farther away), `place` (hold it in the
    picture's `what`), `more` (`what` more photos). `what` is a side, a place or a number.
    """

    key: Literal["tilt", "place", "more"]
    what: str

    @property
    def reason(self) -> Reason:
        """The wish for whoever words it."""
        if (self.key, self.what) == ("more", "1"):
            return Reason("wish-one-more")
        return Reason(f"wish-{self.key}", {"what": self.what})


@dataclass(frozen=True, eq=False)
class Coverage:
    """`cells` (rows, columns) counts corners in each part of the picture; `tilts` names the
    directions towards which the board has leant by 15 degrees or more.
    """

    cells: NDArray[np.int64]
    tilts: frozenset[str]
    views: int

    @property
    def share(self) -> float:
        """How much of the picture has seen corners, 0 to 1."""
        return float(np.mean(self.cells > 0))

    @property
    def complete(self) -> bool:
        """Whether there is enough of everything."""
        return not self.wishes()

    def wishes(self) -> tuple[Wish, ...]:
        """What the next photos should show, most urgent first."""
        wishes = []
        missing = [name for name in DIRECTIONS if name not in self.tilts]
        if missing:
            wishes.append(Wish("tilt", missing[0]))
        empty = self._emptiest()
        if empty is not None and (self.share < ENOUGH_CELLS or self._corner_empty()):
            wishes.append(Wish("place", empty))
        if self.views < ENOUGH_VIEWS:
            wishes.append(Wish("more", str(ENOUGH_VIEWS - self.views)))
        return tuple(wishes)

    def _corner_empty(self) -> bool:
        return bool(np.any(self.cells[[0, 0, -1, -1], [0, -1, 0, -1]] == 0))

    def _emptiest(self) -> str | None:
        rows, columns = np.nonzero(self.cells == 0)
        if len(rows) == 0:
            return None
        share_y, share_x = (rows + 0.5) / self.cells.shape[0], (columns + 0.5) / self.cells.shape[1]
        parts = np.minimum((share_y * 3).astype(int), 2) * 3 + np.minimum(
            (share_x * 3).astype(int), 2
        )
        part = int(np.bincount(parts, minlength=9).argmax())
        return _PLACES[part // 3][part % 3]


def coverage(views: Sequence[BoardView]) -> Coverage:
    """Count what views of one picture size cover. Works while photos still come in."""
    cells = np.zeros((CELLS[1], CELLS[0]), dtype=np.int64)
    tilts: set[str] = set()
    for view in views:
        share = view.corners_px / np.array(view.size_wh, dtype=np.float64)
        at = np.clip((share * CELLS).astype(int), 0, np.array(CELLS) - 1)
        np.add.at(cells, (at[:, 1], at[:, 0]), 1)
        tilts |= _leaning(view)
    return Coverage(cells, frozenset(tilts), len(views))


def alike(views: Sequence[BoardView]) -> bool:
    """Whether all views show the board in the same place and attitude."""
    if len(views) < 2:
        return False
    features = np.array([_attitude(view) for view in views])
    return bool(np.all(features.std(axis=0) < ALIKE_PX_SHARE))


def same_view(one: BoardView, other: BoardView) -> bool:
    """Whether two views of one picture size show the board in the same place and attitude."""
    return bool(np.all(np.abs(_attitude(one) - _attitude(other)) < ALIKE_PX_SHARE))


def choose_views(views: Sequence[BoardView], most: int) -> tuple[BoardView, ...]:
    """The views that differ most from one another, at most so many, in their order.

    Farthest-first: each next one is the farthest from those already chosen.
    """
    if len(views) <= most:
        return tuple(views)
    features = np.array([_attitude(view) for view in views])
    chosen = [int(np.argmax([len(view.corners_px) for view in views]))]
    apart = np.linalg.norm(features - features[chosen[0]], axis=1)
    while len(chosen) < most:
        following = int(apart.argmax())
        chosen.append(following)
        apart = np.minimum(apart, np.linalg.norm(features - features[following], axis=1))
    return tuple(views[i] for i in sorted(chosen))


def _image_of_board(view: BoardView) -> FloatArray:
    matrix, _ = cv2.findHomography(view.corners_mm, view.corners_px)
    return np.asarray(matrix, dtype=np.float64)


def _attitude(view: BoardView) -> FloatArray:
    """Where the board's image lies and how it is foreshortened, in shares of the picture."""
    width = view.size_wh[0]
    matrix = _image_of_board(view)
    middle = view.corners_px.mean(axis=0) / width
    size = np.sqrt(abs(np.linalg.det(np.cov(view.corners_px.T)))) / width**2
    perspective = matrix[2, :2] / matrix[2, 2] * 100
    return np.array([*middle, np.sqrt(size), *perspective])


def _leaning(view: BoardView) -> set[str]:
    """Which of the picture's sides the board's far edge points to.

    Judged for a lens whose focal length is 0.9 picture widths, in the board's
    own middle, which is near enough to count tilts with.
    """
    width, height = view.size_wh
    middle = (np.array([width, height]) - 1) / 2
    rays = (view.corners_px - middle) / (0.9 * width)
    flat = np.column_stack([view.corners_mm, np.zeros(len(view.corners_mm))])
    ok, turn, _ = cv2.solvePnP(flat, rays, np.eye(3), None, flags=cv2.SOLVEPNP_IPPE)
    if not ok:
        return set()
    normal = np.asarray(cv2.Rodrigues(np.asarray(turn))[0])[:, 2]
    if normal[2] < 0:
        normal = -normal
    # The plane's depth grows along minus the normal's sideways part.
    lean = np.rad2deg(np.arcsin(np.clip(-normal[:2], -1, 1)))
    sides = (-lean[0], -lean[1], lean[0], lean[1])
    return {name for name, angle in zip(DIRECTIONS, sides, strict=True) if angle > TILT_DEG}
