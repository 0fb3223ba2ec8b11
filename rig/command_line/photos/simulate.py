"""`tacta simulate`: photographs of simulated rounds, each with its truth and its lens."""

from pathlib import Path
from typing import Annotated

import typer


def simulate(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Where the scenes are written, a folder each.")
    ],
    seed: Annotated[int, typer.Option(min=0, help="The first scene's seed.")] = 0,
    count: Annotated[int, typer.Option(min=1, max=10_000, help="How many scenes.")] = 1,
    preset: Annotated[
        str, typer.Option(metavar="NAME", help="The mix of conditions; see docs/simulator.md.")
    ] = "ordinary",
    printing: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="How the cards are drawn: deck (as the deck file) or random; else the mix's own.",
        ),
    ] = None,
) -> int:
    """Play rounds by the rules, photograph them, and write FOLDER/NAME/image.jpg with its truth.

    truth.json says what lies on the table; lens.json is a lens file for `tacta
    score --lens`. The same seed gives the same scene.
    """
    from rig.command_line.kept.saved_file import FileNotWritten
    from rig.scene_folder import write_scene
    from simulator import PRESETS, PRINTINGS, simulate_scene

    if preset not in PRESETS:
        raise typer.BadParameter(
            f"there is no {preset!r}; there are {', '.join(PRESETS)}.", param_hint="--preset"
        )
    if printing is not None and printing not in PRINTINGS:
        raise typer.BadParameter(
            f"there is no {printing!r}; there are {', '.join(PRINTINGS)}.", param_hint="--printing"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = f"it cannot be made ({error.strerror})."
        raise typer.BadParameter(why, param_hint="FOLDER") from error
    for number in range(seed, seed + count):
        scene = simulate_scene(number, preset, printing=printing)
        target = folder / f"{preset}-{number}"
        try:
            write_scene(target, scene.jpeg, scene.truth, scene.lens)
        except OSError as error:
            raise FileNotWritten(path=target, why=error.strerror or error) from error
        print(target / "image.jpg")
    return 0
