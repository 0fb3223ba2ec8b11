"""`tacta watch`: what the camera and the watcher see, live in the terminal."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rig.command_line import exit_status
from rig.command_line.table.capture import CAMERA_HELP, CAMERA_VARIABLE

if TYPE_CHECKING:
    from collections.abc import Callable

    from rig.cameras.camera import Still
    from rig.watcher.watch_state import Why

_REFRESH_S = 0.25


def watch(
    camera: Annotated[
        str, typer.Option(metavar="WORD", envvar=CAMERA_VARIABLE, help=CAMERA_HELP)
    ] = "auto",
    save: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write pictures there: one at each press of Enter."),
    ] = None,
    by_itself: Annotated[
        bool, typer.Option("--by-itself", help="Also take one when a round seems to be over.")
    ] = False,
    button: Annotated[
        int | None,
        typer.Option(
            min=0, metavar="PIN", help="Also take one when the button on this pin is pressed."
        ),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(min=1, help="Stop after so many seconds; without it: Ctrl-C.")
    ] = None,
) -> int:
    """Show what the camera sees: hands, stillness, and when a picture would be taken.

    In a terminal a live view, else one line at each change. Exit status: 0;
    2 wrong usage.
    """
    import logging
    import time

    from rig.cameras.choice import choose_camera
    from rig.cameras.live_camera import LiveCamera
    from rig.command_line.table.watch_view import LineView, LiveView
    from rig.watcher.button import Button
    from rig.watcher.table_guard import TableGuard
    from rig.watcher.watch_state import Habits
    from rig.watcher.watcher import Watcher

    if save is None and (by_itself or button is not None):
        raise typer.BadParameter("say where pictures go with --save FOLDER.", param_hint="--save")
    saver = _Saver(save)
    logging.getLogger("rig").addHandler(logging.NullHandler())  # said on the screen instead
    live = LiveCamera(choose_camera(camera))
    watcher = Watcher(live, saver.take, Habits(by_itself=by_itself), TableGuard())
    pressed = None
    view = LiveView() if sys.stdout.isatty() else LineView()
    until_s = time.monotonic() + (seconds if seconds is not None else float("inf"))
    try:
        pressed = None if button is None else Button(button, watcher.ask)
        if save is not None and sys.stdin.isatty():
            _ask_at_enter(watcher.ask)
        with view:
            while time.monotonic() < until_s:
                view.show(watcher.sight(), live.latest_preview(), saver.last)
                time.sleep(_REFRESH_S)
    except KeyboardInterrupt:
        return exit_status.GOOD
    finally:
        if pressed is not None:
            pressed.close()
        watcher.close()
        live.close()
    return exit_status.GOOD


class _Saver:
    """Writes stills into a folder, named by the time."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self.last = ""
        if folder is not None:
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                why = f"{folder} cannot be made ({error.strerror})."
                raise typer.BadParameter(why, param_hint="--save") from error

    def take(self, still: "Still", why: "Why") -> None:
        from datetime import datetime

        from rig.command_line.kept.saved_file import save_bytes
        from rig.trouble import Trouble

        if self._folder is None:
            return
        path = self._folder / f"{datetime.now():%Y-%m-%d-%H%M%S-%f}.jpg"
        try:
            save_bytes(path, still.data)
        except Trouble as trouble:
            self.last = str(trouble)
            return
        self.last = f"{path} ({why})"


def _ask_at_enter(ask: "Callable[[], None]") -> None:
    """Ask for a picture at each line that is typed, in a thread that dies with the program."""
    import threading

    def listen() -> None:
        for _ in sys.stdin:
            ask()

    threading.Thread(target=listen, daemon=True).start()
