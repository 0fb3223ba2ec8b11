"""Guiding a person through a lens calibration, photo by photo: live, and as plain data.

Pure steps for a page or a terminal: a guide and the next photo give the next guide.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.lens.board import PRINTED_BOARD, Board
from calibration.lens.board_view import BoardView, Refused, find_board, sizes
from calibration.lens.lens_coverage import (
    CELLS,
    ENOUGH_VIEWS,
    Coverage,
    Wish,
    coverage,
    same_view,
)
from calibration.lens.lens_fit import LEAST_VIEWS
from vision.reason import Reason


@dataclass(frozen=True, eq=False)
class LensGuide:
    """What was shown so far: `views` that are used, and why the last photo was not, if so.

    `refusals`: every photo that was left out, the last one included.
    """

    board: Board = PRINTED_BOARD
    views: tuple[BoardView, ...] = ()
    refused: Refused | None = None
    refusals: tuple[Refused, ...] = ()
    taken: int = 0
    covered: Coverage = field(default_factory=lambda: coverage(()))

    @property
    def complete(self) -> bool:
        """Whether there are enough photos of everything."""
        return self.covered.complete

    @property
    def wishes(self) -> tuple[Wish, ...]:
        """What the next photos should show, most urgent first."""
        return self.covered.wishes()

    def as_json(self) -> dict[str, Any]:
        """What a page shows beside the wishes and refusals, as plain data; corners are in shares of
        the picture.

        `cells` are counts of corners by rows of the picture's parts, `columns` x `rows` of them.
        """
        last = self.views[-1] if self.views and self.refused is None else None
        return {
            "board": str(self.board),
            "taken": self.taken,
            "used": len(self.views),
            "needed": LEAST_VIEWS,
            "wanted": ENOUGH_VIEWS,
            "complete": self.complete,
            "columns": CELLS[0],
            "rows": CELLS[1],
            "cells": self.covered.cells.tolist(),
            "tilts": sorted(self.covered.tilts),
            "corners": [] if last is None else _shares(last),
        }


def shown(guide: LensGuide, grey: NDArray[np.uint8], photo: str) -> LensGuide:
    """The guide after one more photo (H, W) uint8, which is used or refused with the reason.

    Refused are also photos of another size than the first one used, and those
    that show the board as an earlier one does.
    """
    found = _not_again(guide, find_board(grey, guide.board, photo))
    if isinstance(found, Refused):
        return left_out(guide, found)
    views = (*guide.views, found)
    return replace(guide, views=views, refused=None, taken=guide.taken + 1, covered=coverage(views))


def left_out(guide: LensGuide, refused: Refused) -> LensGuide:
    """The guide after a photo that is not used."""
    return replace(
        guide, refused=refused, refusals=(*guide.refusals, refused), taken=guide.taken + 1
    )


def _not_again(guide: LensGuide, found: BoardView | Refused) -> BoardView | Refused:
    if isinstance(found, Refused) or not guide.views:
        return found
    first_wh = guide.views[0].size_wh
    if found.size_wh != first_wh:
        why = Reason("size-not-the-first", sizes(found.size_wh, first_wh))
        return Refused(found.photo, "other-size", why)
    if any(same_view(found, earlier) for earlier in guide.views):
        return Refused(found.photo, "alike", Reason("board-seen-before"))
    return found


def _shares(view: BoardView) -> list[list[float]]:
    shares = (view.corners_px + 0.5) / np.array(view.size_wh)
    return [[round(float(x), 4), round(float(y), 4)] for x, y in shares]
