"""Lens calibrations under way, one for each phone: photos in, what to show next out, then a lens.

Works on plain values of `calibration.lens.lens_guide`; only the views are kept, no picture is.
"""

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.board import PRINTED_BOARD, Board, BoardFault, parse_board
from calibration.lens.board_search import found_charuco, found_chessboard
from calibration.lens.board_view import Refused, partly_seen
from calibration.lens.lens_fit import LEAST_VIEWS
from calibration.lens.lens_guide import LensGuide, left_out, shown
from calibration.lens.lens_quality import LensQuality
from calibration.lens.lens_record import Keep, may_replace
from rig.judged_lens import judged_lens
from rig.service.http.trouble import (
    LensBetterThere,
    LensBoardUnknown,
    LensBusy,
    LensNotBegun,
    LensNotComputed,
    LensOfAnotherCamera,
    LensTooFew,
    LensTooPoor,
)
from rig.service.setup.kept_lens import KeptLens
from rig.service.setup.lens_fitting import Fitted, fit_lens_beside
from vision.reason import Reason

Which = Literal["rig", "phone"]
Stage = Literal["taking", "computing", "computed", "failed"]
MOST_CALIBRATIONS = 8
SEARCHES = {"chessboard": found_chessboard, "charuco": found_charuco}
"""Boards whose size is found in the first photo that shows one."""


@dataclass(eq=False)
class LensCalibration:
    """One calibration: `which` camera's, the guide so far, and what was fitted, if anything.

    `sought`: the kind of board whose size is still to be found. `found`: it was, in a photo.
    """

    which: Which
    guide: LensGuide
    sought: str | None = None
    found: bool = False
    fitted: Fitted | None = None
    computing: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def stage(self) -> Stage:
        """Where it stands."""
        if self.computing:
            return "computing"
        if self.fitted is None:
            return "taking"
        return "failed" if self.fitted.lens is None else "computed"

    def show(self, image_bgr: NDArray[np.uint8]) -> None:
        """One more photo (H, W, 3), used or refused. LensBusy while the lens is computed."""
        grey = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
        with self.lock:
            if self.computing:
                raise LensBusy
            name = str(self.guide.taken + 1)
            if self.sought is not None and not self._find_board(grey, name):
                return
            before = self.guide.views
            self.guide = self._with_larger_board(shown(self.guide, grey, name), grey, name)
            if self.guide.views != before:
                self.fitted = None

    def _find_board(self, grey: NDArray[np.uint8], name: str) -> bool:
        board = SEARCHES[self.sought or ""]([grey])
        if board is None:
            missing = Refused(
                name, "no-board", Reason("board-kind-not-there", {"kind": str(self.sought)})
            )
            self.guide = left_out(self.guide, missing)
            return False
        self.guide = LensGuide(board, taken=self.guide.taken, refusals=self.guide.refusals)
        self.sought, self.found = None, True
        return True

    def _with_larger_board(self, guide: LensGuide, grey: NDArray[np.uint8], name: str) -> LensGuide:
        """The guide; begun again if only now the whole of a chessboard is seen.

        What was taken for it was a part, at the picture's edge.
        """
        refused, board = guide.refused, self.guide.board
        if not self.found or board.kind == "charuco" or refused is None:
            return guide
        whole = found_chessboard([grey]) if refused.kind == "wrong-board" else None
        if whole is None or whole.columns < board.columns or whole.rows < board.rows:
            return guide
        parts = (partly_seen(one.photo, board.columns, board.rows) for one in self.guide.views)
        refusals = (*self.guide.refusals, *parts)
        return shown(LensGuide(whole, taken=self.guide.taken, refusals=refusals), grey, name)

    def start_computing(self) -> None:
        """From now on no photo is taken. LensBusy, or LensTooFew."""
        with self.lock:
            if self.computing:
                raise LensBusy
            if len(self.guide.views) < LEAST_VIEWS:
                raise LensTooFew(found=len(self.guide.views), needed=LEAST_VIEWS)
            self.computing, self.fitted = True, None

    def compute(self) -> None:
        """Fit the lens; takes seconds. After `start_computing`."""
        fitted = None
        try:
            fitted = fit_lens_beside(self.guide, self.found)
        finally:
            with self.lock:
                self.computing, self.fitted = False, fitted

    def judged(self, which: Which, old: object, force: bool) -> tuple[dict[str, Any], Keep]:
        """The lens file, and what it replaces; a refusal where it is not to be saved.

        LensNotComputed, LensOfAnotherCamera, LensTooPoor, LensBetterThere.
        """
        fitted = self.fitted
        if fitted is None or fitted.lens is None or fitted.quality is None:
            raise LensNotComputed
        if self.which != which:
            raise LensOfAnotherCamera
        keep = may_replace(fitted.quality, fitted.lens.size_wh, old, force)
        if keep.outcome == "too-poor":
            raise LensTooPoor
        if not keep.save:
            raise LensBetterThere(**_both(fitted.quality, keep.before))
        return judged_lens(fitted.lens, fitted.quality), keep


class LensDesk:
    """The calibrations under way by whose they are, and the rig's own lens.

    `named`: the lens file's values that the service was started with, which go before what was
    calibrated on the page. `looking` is held by whoever looks at a photo: several at once would
    fill a small rig's memory.
    """

    def __init__(self, folder: Path, named: Mapping[str, Any] | None = None) -> None:
        self.kept = KeptLens(folder)
        self.named = named
        self.looking = threading.Lock()
        self._lock = threading.Lock()
        self._under_way: OrderedDict[str, LensCalibration] = OrderedDict()

    def lens_for(self, size_wh: tuple[int, int]) -> Mapping[str, Any] | None:
        """The lens file's values for the rig's camera's pictures of this size, if there are any."""
        return self.named or self.kept.for_picture(size_wh)

    def begin(self, who: str, which: Which, board: str) -> LensCalibration:
        """Begin anew for this phone ("" is this machine). LensBoardUnknown."""
        sought = board if board in SEARCHES else None
        begun = LensCalibration(which, LensGuide(_board(board)), sought)
        with self._lock:
            self._under_way[who] = begun
            self._under_way.move_to_end(who)
            while len(self._under_way) > MOST_CALIBRATIONS:
                self._under_way.popitem(last=False)
        return begun

    def of(self, who: str) -> LensCalibration | None:
        """The calibration of this phone, None if it has none."""
        with self._lock:
            return self._under_way.get(who)

    def under_way(self, who: str) -> LensCalibration:
        """The calibration of this phone. LensNotBegun."""
        found = self.of(who)
        if found is None:
            raise LensNotBegun
        return found

    def end(self, who: str) -> None:
        """Forget this phone's calibration."""
        with self._lock:
            self._under_way.pop(who, None)


def _board(text: str) -> Board:
    if text == "printed" or text in SEARCHES:
        return PRINTED_BOARD
    try:
        return parse_board(text)
    except BoardFault as fault:
        raise LensBoardUnknown(why=fault.reason) from fault


def _both(new: LensQuality, before: LensQuality | None) -> dict[str, str]:
    """What is stated of both, for a sentence."""
    old = new if before is None else before
    return {
        "px": f"{new.distortion_bound_px:.2f}",
        "percent": f"{new.focal_bound_percent:.2f}",
        "old_px": f"{old.distortion_bound_px:.2f}",
        "old_percent": f"{old.focal_bound_percent:.2f}",
    }
