"""`tacta capture`: one picture from the camera into a file."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from rig.command_line import exit_status

CAMERA_VARIABLE = "TACTA_CAMERA"
CAMERA_HELP = "Which camera; see docs/cameras.md."


def capture(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where the picture is written.")],
    camera: Annotated[
        str, typer.Option(metavar="WORD", envvar=CAMERA_VARIABLE, help=CAMERA_HELP)
    ] = "auto",
    lens: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write the lens, where the camera knows it."),
    ] = None,
    wait: Annotated[
        float, typer.Option(min=1, max=600, help="Seconds to wait for the picture at most.")
    ] = 30.0,
) -> int:
    """Take one picture at full size and write it to FILE.

    Exit status: 0 written; 1 no picture; 2 wrong usage.
    """
    import json
    import logging

    from rig.cameras.choice import choose_camera
    from rig.cameras.live_camera import LiveCamera
    from rig.cameras.trouble import CameraTrouble
    from rig.command_line.kept.saved_file import save_bytes

    for path in (file, lens):
        if path is not None and not path.absolute().parent.is_dir():
            raise typer.BadParameter(f"there is no folder {path.absolute().parent}.")
    chosen = choose_camera(camera)
    logging.getLogger("rig").addHandler(logging.NullHandler())  # said on the screen instead
    live = LiveCamera(chosen)
    try:
        still = live.still(wait)
    except CameraTrouble as trouble:
        print(f"tacta: {trouble}", file=sys.stderr)
        return exit_status.BAD
    finally:
        live.close()
    width, height = still.size_wh
    save_bytes(file, still.data)
    print(f"{file}: {width} x {height} pixels from {chosen.name}")
    if still.locked is False:
        print("tacta: the camera did not hold its exposure for this picture.", file=sys.stderr)
    if lens is not None:
        known = still.known.get("lens")
        if known is None:
            print(f"tacta: {chosen.name} does not know its lens.", file=sys.stderr)
            return exit_status.BAD
        save_bytes(lens, json.dumps(known).encode())
        print(lens)
    return exit_status.GOOD
