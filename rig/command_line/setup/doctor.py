"""`tacta doctor`: what is in order, what is not, and what to do about it."""

from typing import Annotated

import typer

from rig.command_line import exit_status
from rig.command_line.table.capture import CAMERA_HELP, CAMERA_VARIABLE
from rig.command_line.table.serve import DataOption, data_folder
from rig.wording.catalogue import sentence

_COLOURS = {"good": "green", "look": "yellow", "bad": "red", "unknown": "dim"}


def doctor(
    camera: Annotated[
        str, typer.Option(metavar="WORD", envvar=CAMERA_VARIABLE, help=CAMERA_HELP)
    ] = "auto",
    data: DataOption = None,
    accept_table: Annotated[
        bool, typer.Option("--accept-table", help="Camera and table stay as they are now.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document, and nothing else.")
    ] = False,
) -> int:
    """Check camera, disk, clock, table and light, and say what to do about each.

    Exit status: 0 all good; 3 works, but a person should look; 1 something is
    bad; 2 wrong usage.
    """
    import json
    import logging

    from rich.console import Console
    from rich.markup import escape

    from rig.cameras.choice import choose_camera
    from rig.cameras.live_camera import LiveCamera
    from rig.doctor.examination import examine

    chosen = choose_camera(camera)
    logging.getLogger("rig").addHandler(logging.NullHandler())  # said on the screen instead
    live = LiveCamera(chosen)
    console = Console(soft_wrap=True, highlight=False)
    findings = []
    try:
        for finding in examine(live, chosen.kind, data or data_folder(), accept_table=accept_table):
            findings.append(finding)
            if not as_json:
                mark = f"[{_COLOURS[finding.status]}]{finding.status:<8}[/]"
                console.print(f"{mark} {finding.check:<8} {escape(sentence(finding.found))}")
                if finding.advice:
                    console.print(f"{'':<18}{escape(sentence(finding.advice))}")
    finally:
        live.close()
    if as_json:
        document = {"format": "tacta-doctor/1", "checks": [found.as_json() for found in findings]}
        print(json.dumps(document))
    worst = {finding.status for finding in findings}
    if "bad" in worst:
        return exit_status.BAD
    return exit_status.LOOK if worst - {"good"} else exit_status.GOOD
