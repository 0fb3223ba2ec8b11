"""`tacta export`: rounds as CSV or JSON, and corrected frames as test scenes."""

from pathlib import Path
from typing import Annotated

import typer

from rig.command_line.table.serve import DataOption, data_folder


def export(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="rounds.csv, rounds.json, or with --scene a folder for the scene."
        ),
    ],
    data: DataOption = None,
    scene: Annotated[
        str | None, typer.Option(metavar="FRAME", help="Write this frame as a test scene.")
    ] = None,
) -> None:
    """Write every round to FILE, whole or not at all, as its ending says."""
    from rig.command_line.kept.export_scene import write_scene_of
    from rig.command_line.kept.kept_data import kept_store
    from rig.command_line.kept.saved_file import save_bytes
    from rig.service.matches.score_files import matches_csv, matches_json

    makers = {".csv": matches_csv, ".json": matches_json}
    if scene is None and file.suffix.lower() not in makers:
        raise typer.BadParameter("the name must end in .csv or .json.", param_hint="FILE")
    store = kept_store(data or data_folder())
    try:
        if scene is not None:
            write_scene_of(store, scene, file)
            print(file / "truth.json")
            return
        text = makers[file.suffix.lower()](store)
    finally:
        store.close()
    save_bytes(file, text.encode())
    print(file)
