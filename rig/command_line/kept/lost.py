"""`tacta lost`: files that belong to no frame, and a way on for a rig that is read-only."""

from typing import Annotated

import typer

from rig.command_line.table.serve import DataOption, data_folder


def lost(
    data: DataOption = None,
    set_aside: Annotated[
        bool,
        typer.Option("--set-aside", help="Move unknown photos to lost/, so that the rig goes on."),
    ] = False,
) -> None:
    """List the files in lost/, and the photos that the database does not know."""
    import contextlib

    from rig.command_line.kept.kept_data import kept_store
    from rig.store.store import serving

    folder = data or data_folder()
    store = kept_store(folder)
    with contextlib.ExitStack() as stack:
        stack.callback(store.close)
        if set_aside:
            stack.enter_context(serving(folder))
            store.set_aside(store.unknown_photos())
        for name in store.lost_files():
            print(store.lost / name)
        for name in store.unknown_photos():
            print(f"{store.pictures / name} (unknown to the database)")
