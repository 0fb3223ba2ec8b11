"""`tacta plan`: which camera how high over which table, and what to expect of it."""

from pathlib import Path
from typing import Annotated

import typer

from rig.command_line import exit_status
from rig.wording.catalogue import sentence
from vision.reason import Reason


def plan(
    table: Annotated[
        str | None, typer.Option(metavar="WxH", help="The play area in mm, for instance 830x520.")
    ] = None,
    camera: Annotated[
        str | None, typer.Option(metavar="ID", help="One camera; without it all are compared.")
    ] = None,
    height: Annotated[
        float | None, typer.Option(min=1, metavar="MM", help="A given height above the table.")
    ] = None,
    drawing: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the plan of one camera, as SVG.")
    ] = None,
) -> int:
    """Say at which height a camera sees a whole table, and whether dots and placements will read.

    Exit status: 0 the camera will do; 3 it will not, or only just; 2 wrong usage.
    """
    from rich.console import Console
    from rich.table import Table

    from calibration.table.plan_drawing import plan_drawing
    from calibration.table.planning import camera_by_id, known_cameras, plan_rig, shows_all
    from rig.command_line.kept.saved_file import save_bytes

    area = _area(table or "830x520")
    if drawing is not None and camera is None:
        raise typer.BadParameter("a drawing needs --camera.", param_hint="--drawing")
    try:
        cameras = known_cameras() if camera is None else (camera_by_id(camera),)
    except KeyError:
        names = ", ".join(known.id for known in known_cameras())
        raise typer.BadParameter(
            f"there is no {camera!r}; there are {names}.", param_hint="--camera"
        ) from None
    plans = [plan_rig(kind, area, height) for kind in cameras]
    shown = Table(title=f"Play area {area[0]:.0f} x {area[1]:.0f} mm")
    for heading in ("camera", "height", "covers mm", "seen", "px/mm", "corner", "dots",
                    "placements"):  # fmt: skip
        shown.add_column(heading)
    for one in plans:
        shown.add_row(
            one.camera.id, f"{one.height_mm:.0f}",
            f"{one.covered_mm[0]:.0f} x {one.covered_mm[1]:.0f}",
            "all" if shows_all(one) else "part", f"{one.px_per_mm:.2f}",
            f"{one.px_per_mm_corner:.2f}", one.dots, one.verdicts,
        )  # fmt: skip
    Console().print(shown)
    if camera is None:
        return exit_status.GOOD
    one = plans[0]
    print(f"{one.camera.name} ({one.camera.source})")
    print(f"A stack of six cards leans {one.lean_mm:.1f} mm outwards in the corners.")
    for warning in one.warnings():
        print(f"warning: {sentence(warning)}")
    if not shows_all(one):
        print(f"warning: {sentence(Reason('plan-markers-outside'))}")
    if drawing is not None:
        print(save_bytes(drawing, plan_drawing(one).encode("utf-8")))
    good = one.dots != "no" and one.verdicts != "no" and shows_all(one)
    return exit_status.GOOD if good else exit_status.LOOK


def _area(text: str) -> tuple[float, float]:
    try:
        width, height = (float(part) for part in text.lower().split("x"))
    except ValueError:
        width = height = 0.0
    if not (100 <= width <= 5000 and 100 <= height <= 5000):
        raise typer.BadParameter(
            f"{text!r} is no play area; expected width x height in mm, for instance 830x520.",
            param_hint="--table",
        )
    return width, height
