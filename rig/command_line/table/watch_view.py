"""What `tacta watch` shows: a live view in a terminal, else one line at each change."""

import time
from types import TracebackType
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.console import Group
from rich.live import Live
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from rig.cameras.camera import CameraState, Preview
from rig.watcher.watcher import Sight

_COLUMNS, _LINES = 64, 24
_FACT_LINES = 11
"""What stands below the picture, with the frame and a line to spare; the rest of the terminal is
the picture's."""
_STYLES = {"fresh": "green", "starting": "yellow", "slow": "yellow", "lost": "red"}


class LineView:
    """A line with the time whenever the camera's state or the sight changes."""

    def __init__(self) -> None:
        self._said: tuple[str, ...] = ()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        pass

    def show(self, sight: Sight, preview: Preview | None, saved: str) -> None:
        """Print what changed since the last time."""
        del preview
        moved = "" if sight.moved is None else sight.moved.sentence
        beside = sight.sentence if sight.key != "blind" else "", moved, saved
        # Seconds in the camera's sentence would make every line a new one.
        said = (sight.camera.condition, sight.camera.reason, *beside)
        if said != self._said:
            self._said = said
            told = (*_told(sight.camera), *beside)
            print(time.strftime("%H:%M:%S"), *(part for part in told if part), flush=True)


class LiveView:
    """The picture in coarse blocks, and beside it what the watcher makes of it."""

    def __init__(self) -> None:
        self._live = Live(refresh_per_second=4, screen=False)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._live.stop()

    def show(self, sight: Sight, preview: Preview | None, saved: str) -> None:
        """Draw the present state."""
        width, height = self._live.console.size
        lines = picture_lines(width, height)
        picture = Text("no picture yet") if preview is None else blocks(preview.grey, lines)
        self._live.update(Panel(Group(picture, _facts(sight, saved)), title="tacta watch"))


def picture_lines(columns: int, lines: int) -> int:
    """How many lines the picture may take in a terminal of this size, at least one."""
    by_width = (columns - 4) * _LINES // _COLUMNS
    return max(1, min(_LINES, lines - _FACT_LINES, by_width))


def blocks(grey: NDArray[np.uint8], lines: int = _LINES) -> Text:
    """A grey picture (H, W) uint8 as half blocks, two pixels a character."""
    size = (_COLUMNS * lines // _LINES, lines * 2)
    cells = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    text = Text()
    for upper, lower in zip(cells[::2], cells[1::2], strict=True):
        for top, bottom in zip(upper, lower, strict=True):
            text.append("▀", f"rgb({top},{top},{top}) on rgb({bottom},{bottom},{bottom})")
        text.append("\n")
    return text


def _facts(sight: Sight, saved: str) -> Table:
    table = Table.grid(padding=(0, 2))
    state = sight.camera
    style = _STYLES[state.condition]
    table.add_row("camera", Text(" ".join(_told(state)).strip(), style=style))
    table.add_row("table", sight.sentence)
    if sight.moved is not None:
        table.add_row("moved", Text(sight.moved.sentence, style="red"))
    table.add_row("quiet for", f"{sight.quiet_s:.1f} s")
    table.add_row("moving", f"{100 * sight.moving:.1f} % of the picture")
    table.add_row("cards", "seen" if sight.cards else "none seen")
    wish = "waiting until the table is still" if sight.waiting else "-"
    table.add_row("picture", escape(f"{wish}   {sight.captures} taken   {saved}"))
    return table


def _told(state: CameraState) -> tuple[str, str]:
    is_well = state.condition == "fresh"
    sentence = state.sentence if is_well else f"[{state.condition}] {state.sentence}"
    return sentence, state.advice if state.condition in ("slow", "lost") else ""
