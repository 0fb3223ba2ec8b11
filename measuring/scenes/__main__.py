"""`make scenes`: read the fixtures and simulated scenes, print the score sheet, compare."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

from measuring.scenes.accuracy_tables import write_tables
from measuring.scenes.baseline import drops, read_baseline, write_baseline
from measuring.scenes.scene_files import scene_folders
from measuring.scenes.seeds import reported_seed
from measuring.scenes.sheet import sheets
from measuring.scenes.sheet_table import faults, sheet_tables
from measuring.scenes.trial import READERS, Job, Trial, run_job
from measuring.scenes.workers import run_each

FIXTURES = Path("tests/fixtures/scenes")
BASELINE = Path("tests/fixtures/baseline.json")
PAGE = Path("docs/accuracy.md")
FIRST_SEED = 1000
TODAY = "today"
"""The reader that the baseline is of."""
MIXES = ("ordinary", "printed", "real", "over")
"""Drawn by the deck file; in printings drawn at random; these on real tables; any of them with
something over the cards.
"""


def main(
    simulated: Annotated[int, typer.Option(help="How many simulated scenes of each mix.")] = 120,
    preset: Annotated[list[str] | None, typer.Option(help="A mix to simulate.")] = None,
    seed: Annotated[int, typer.Option(help="The first simulated scene's seed.")] = FIRST_SEED,
    reported: Annotated[
        str | None, typer.Option(help="Take the first seed from this commit's hash instead.")
    ] = None,
    fixtures: Annotated[bool, typer.Option(help="Read the fixtures.")] = True,
    retakes: Annotated[
        int, typer.Option(min=0, help="How often each is read as another camera might take it.")
    ] = 4,
    lens: Annotated[bool, typer.Option(help="Give the lens to the reader.")] = True,
    folder: Annotated[
        list[Path] | None, typer.Option(help="Read the scenes in this folder as well.")
    ] = None,
    deck: Annotated[
        Path | None, typer.Option(help="Read with this deck file, not with each scene's own.")
    ] = None,
    printing: Annotated[
        str | None, typer.Option(help="Simulate cards in this printing: deck or random.")
    ] = None,
    reader: Annotated[str, typer.Option(help="Who reads: today or one.")] = TODAY,
    together: Annotated[
        int, typer.Option(min=1, help="Photographs of each simulated table that are read as one.")
    ] = 1,
    only: Annotated[str, typer.Option(help="Only scenes whose name contains this.")] = "",
    processes: Annotated[int, typer.Option(min=1, help="How many at once.")] = 2,
    update: Annotated[
        bool, typer.Option("--update", help="Rewrite the baseline, and docs/accuracy.md.")
    ] = False,
) -> None:
    """Print the score sheet, and fail where it is worse than the baseline."""
    jobs = [Job("fixtures", path, with_lens=lens) for path in scene_folders(FIXTURES) if fixtures]
    jobs += [
        Job("retaken", path, with_lens=lens, retake=number)
        for path in scene_folders(FIXTURES)
        if fixtures
        for number in range(retakes)
    ]
    for place in folder or []:
        jobs += [Job(place.name, path, with_lens=lens) for path in scene_folders(place)]
    if reported is not None:
        try:
            seed = reported_seed(reported)
        except ValueError as error:
            raise typer.BadParameter(str(error)) from error
    for mix in preset if preset is not None else MIXES:
        group = mix if printing is None else f"{mix}, {printing}"
        jobs += [
            Job(group, None, mix, seed + i, lens, printing=printing, together=together)
            for i in range(simulated)
        ]
    _check_reader(reader, update)
    jobs = [replace(job, deck=deck, reader=reader) for job in jobs if only in job.name]
    console = Console(highlight=False)
    trials = _run(jobs, processes)
    found = sheets(trials)
    for line in faults(trials):
        console.print(line, soft_wrap=True)
    for table in sheet_tables(found):
        console.print(table)
    if update:
        write_baseline(BASELINE, found)
        write_tables(PAGE, read_baseline(BASELINE))
        console.print(f"{BASELINE} and the tables in {PAGE} are rewritten.")
        return
    worse = list(drops(found, read_baseline(BASELINE))) if reader == TODAY else []
    for line in worse:
        console.print(f"[red]worse than the baseline:[/red] {line}", soft_wrap=True)
    sys.exit(1 if worse else 0)


def _check_reader(reader: str, update: bool) -> None:
    """Typer's error where nobody is called so, or another's figures would become the baseline."""
    if reader not in READERS:
        raise typer.BadParameter(f"expected one of {', '.join(READERS)}, found {reader}")
    if reader != TODAY and update:
        raise typer.BadParameter(f"the baseline is what the reader {TODAY} reaches")


def _run(jobs: list[Job], processes: int) -> list[Trial]:
    console = Console(stderr=True)
    return list(
        track(
            run_each(run_job, jobs, processes),
            "Reading",
            total=len(jobs),
            console=console,
            disable=not console.is_terminal,
        )
    )


if __name__ == "__main__":
    typer.run(main)
