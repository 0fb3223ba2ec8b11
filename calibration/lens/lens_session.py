"""A set of photographs of a board, from first look to lens: who is used, who is not, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from calibration.lens.board import Board
from calibration.lens.board_grid import LEAST_CORNERS, best_part
from calibration.lens.board_view import BoardView, Refused, sizes
from calibration.lens.lens_coverage import Coverage, alike, choose_views, coverage
from calibration.lens.lens_fit import LEAST_VIEWS, LensFit, NotFitted, fit_lens, rough_rms_px
from calibration.lens.lens_quality import LensQuality, assess
from vision.reason import Reason

MOST_VIEWS = 40
SURE_RMS_PX = 1.2
"""Below this a chessboard's size, where it was found, is not doubted."""
MUCH_BETTER = 0.5
ABOUT_AS_GOOD = 1.5


@dataclass(frozen=True, eq=False)
class LensSession:
    """What came of the photos: a fit with its quality, or why there is none; the photos refused;
    what the used ones cover and what is still wanted. `board`: what the chessboard turned out to
    be where its size was found, and the fit says another.
    """

    fit: LensFit | NotFitted
    quality: LensQuality | None
    refused: tuple[Refused, ...]
    coverage: Coverage
    board: Board | None = None


def calibrate_lens(
    found: Sequence[BoardView | Refused], sought: Board | None = None
) -> LensSession:
    """Fit a lens to what was found in each photo. A bad photo never stops the others.

    `sought`: the chessboard whose size was found, not stated. Where the fit is poor and much better
    with a row or a column less, what was taken for squares is something else.
    """
    session = _fitted(found)
    if sought is None or sought.kind != "chessboard" or _rms_px(session) < SURE_RMS_PX:
        return session
    views = [one for one in found if isinstance(one, BoardView)]
    refused = [one for one in found if isinstance(one, Refused)]
    board = _better_size(views, sought)
    if board is None:
        return session
    again = _fitted([*(cut(view, sought, board) for view in views), *refused])
    is_better = _rms_px(again) < MUCH_BETTER * _rms_px(session)
    return replace(again, board=board) if is_better else session


def _better_size(views: list[BoardView], sought: Board) -> Board | None:
    """The largest of the smaller boards by which the views agree much better; None without one."""
    rms_px = {
        board: rough_rms_px([cut(view, sought, board) for view in views])
        for board in smaller_boards(sought)
    }
    enough_px = min(MUCH_BETTER * rough_rms_px(views), ABOUT_AS_GOOD * min(rms_px.values()))
    good = [board for board, rms in rms_px.items() if rms < enough_px]
    return max(good, key=lambda board: board.columns * board.rows, default=None)


def smaller_boards(board: Board) -> list[Board]:
    """The same chessboard with a row, a column or both less."""
    sizes = [(board.columns - c, board.rows - r) for c, r in ((1, 0), (0, 1), (1, 1))]
    return [replace(board, columns=c, rows=r) for c, r in sizes if min(c, r) > LEAST_CORNERS]


def cut(view: BoardView, board: Board, smaller: Board) -> BoardView:
    """A view of a whole chessboard as one of a smaller: of its most regular corners."""
    (across, down), (columns, rows) = board.inner_wh, smaller.inner_wh
    grid = view.corners_px.reshape(down, across, 2)
    part = best_part(grid, rows, columns)
    return replace(view, corners_px=grid[part].reshape(-1, 2), corners_mm=smaller.corners_mm())


def _rms_px(session: LensSession) -> float:
    return float("inf") if session.quality is None else session.quality.held_out_rms_px


def _fitted(found: Sequence[BoardView | Refused]) -> LensSession:
    refused = [one for one in found if isinstance(one, Refused)]
    views, other_sizes = _of_one_size([one for one in found if isinstance(one, BoardView)])
    refused += other_sizes
    covered = coverage(views)
    if len(views) >= LEAST_VIEWS and alike(views):
        nothing = NotFitted(Reason("lens-photos-alike"))
        return LensSession(nothing, None, tuple(refused), covered)
    fit = fit_lens(choose_views(views, MOST_VIEWS))
    if isinstance(fit, NotFitted):
        return LensSession(fit, None, tuple(refused), covered)
    return LensSession(fit, assess(fit), (*refused, *fit.refused), coverage(fit.views))


def _of_one_size(views: list[BoardView]) -> tuple[tuple[BoardView, ...], list[Refused]]:
    """The views of the commonest picture size, and the others refused."""
    if not views:
        return (), []
    size, _ = Counter(view.size_wh for view in views).most_common(1)[0]
    refused = [
        Refused(
            view.photo, "other-size", Reason("size-not-the-others", sizes(view.size_wh, size))
        )
        for view in views
        if view.size_wh != size
    ]  # fmt: skip
    return tuple(view for view in views if view.size_wh == size), refused
