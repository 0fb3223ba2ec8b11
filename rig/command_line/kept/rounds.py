"""`tacta rounds`: what has been played, as a table."""

from typing import Annotated

import typer

from rig.command_line.table.serve import DataOption, data_folder


def rounds(
    data: DataOption = None,
    matches: Annotated[int, typer.Option(min=1, max=1000, help="The newest so many matches.")] = 5,
) -> None:
    """Print the newest matches with their rounds and totals."""
    from rich.console import Console

    from rig.command_line.kept.kept_data import kept_store
    from rig.command_line.kept.rounds_table import match_table

    store = kept_store(data or data_folder())
    console = Console(highlight=False)
    try:
        found = store.matches.latest(matches)
        for match in reversed(found):
            console.print(match_table(match, store.matches.rounds(match.id)))
    finally:
        store.close()
    if not found:
        console.print("No match has been played yet.")
