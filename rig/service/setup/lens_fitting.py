"""Fitting a lens in a process of its own: it takes a while, and nothing else may wait for it."""

import os
from dataclasses import dataclass
from multiprocessing.connection import Connection

from calibration.lens.board import Board
from calibration.lens.board_view import BoardView, Refused
from calibration.lens.lens_fit import LensFit
from calibration.lens.lens_guide import LensGuide
from calibration.lens.lens_plot import distortion_drawing, residuals_drawing
from calibration.lens.lens_quality import LensQuality
from calibration.lens.lens_session import calibrate_lens
from rig.processes.killable import Ended, KillableProcess
from vision.lens import Lens
from vision.reason import Reason

LONGEST_S = 600.0
_GENTLY = 10
"""How much the process gives way to the one that reads photos."""
BROKEN_OFF = Reason("lens-broken-off")


@dataclass(frozen=True, eq=False)
class Fitted:
    """What came of the views: the lens with its quality and drawings, or why there is none.

    `refused` are the photos that were left out; `drawings` are SVGs by name.
    """

    reason: Reason | None
    refused: tuple[Refused, ...]
    lens: Lens | None
    quality: LensQuality | None
    drawings: dict[str, str]


def fit_lens_beside(guide: LensGuide, is_found: bool = False) -> Fitted:
    """Fit the guide's views in another process, and wait for it. Never raises for bad views.

    `is_found`: the board's size was found, not stated, so that the fit checks it.
    """
    sought = guide.board if is_found else None
    process = KillableProcess(_fit, (), "tacta-lens")
    try:
        found: Fitted = next(process.ask((guide.views, sought), LONGEST_S, LONGEST_S))
    except Ended:
        return Fitted(BROKEN_OFF, (), None, None, {})
    finally:
        process.close()
    return found


def _fit(line: Connection) -> None:
    os.nice(_GENTLY)
    line.send(fit_views(*line.recv()))


def fit_views(views: tuple[BoardView, ...], sought: Board | None = None) -> Fitted:
    """Fit a lens to board views of one picture size; `sought` as in `calibrate_lens`."""
    session = calibrate_lens(views, sought)
    if not isinstance(session.fit, LensFit) or session.quality is None:
        reason = BROKEN_OFF if isinstance(session.fit, LensFit) else session.fit.reason
        return Fitted(reason, session.refused, None, None, {})
    drawings = {
        "distortion": distortion_drawing(session.fit),
        "residuals": residuals_drawing(session.fit),
    }
    return Fitted(None, session.refused, session.fit.lens, session.quality, drawings)
