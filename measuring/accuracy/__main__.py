"""`python -m measuring.accuracy`: read simulated scenes, write a page by condition with plots."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

from measuring.accuracy.page import FOLDER, measured_from, page, plots
from measuring.accuracy.sample import Asked, Sample, run_one
from measuring.scenes.workers import run_each
from rig.wording.catalogue import sentence

PAGE = Path("out/accuracy/accuracy.md")
FIRST_SEED = 20_000
"""Far from the seeds that the score sheet's baseline uses."""


def main(
    inside: Annotated[int, typer.Option(min=0, help="Scenes inside the range.")] = 1000,
    outside: Annotated[int, typer.Option(min=0, help="Scenes outside the range.")] = 300,
    faults: Annotated[int, typer.Option(min=0, help="Scenes full of broken rules.")] = 150,
    slipped: Annotated[int, typer.Option(min=0, help="Scenes of slipped legal cards.")] = 40,
    inks: Annotated[int, typer.Option(min=0, help="Scenes with inks of other printings.")] = 100,
    seed: Annotated[int, typer.Option(help="The first scene's seed.")] = FIRST_SEED,
    processes: Annotated[int, typer.Option(min=1, help="How many at once.")] = 2,
    pictures: Annotated[
        Path | None,
        typer.Option(help="Keep pictures here, to be read again; empty it for a new simulator."),
    ] = None,
    output: Annotated[
        Path, typer.Option(help="The page; plots go into a folder beside it.")
    ] = PAGE,
) -> None:
    """Measure the reading's accuracy by condition; fail on a silent mistake or a crash."""
    counts = {
        "hard": inside, "beyond": outside, "faults": faults, "slipped": slipped, "inks": inks
    }  # fmt: skip
    asked = [Asked(mix, seed + i, pictures) for mix, count in counts.items() for i in range(count)]
    samples = _run(asked, processes)
    measured = measured_from(samples)
    folder = output.parent / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    output.write_text(page(measured), "utf-8")
    for name, plot in plots(measured).items():
        (folder / name).write_text(plot, "utf-8")
    bad = [s for s in samples if s.outcome == "silent" or s.crashed]
    console = Console(highlight=False)
    for sample in bad:
        what = "wrong, called sure" if sample.reason is None else sentence(sample.reason)
        console.print(f"{sample.asked.preset}-{sample.asked.seed}: {what}", markup=False)
    console.print(f"{output} is written from {len(samples)} scenes.")
    sys.exit(1 if bad else 0)


def _run(asked: list[Asked], processes: int) -> list[Sample]:
    console = Console(stderr=True)
    found = run_each(run_one, asked, processes)
    return list(
        track(found, "Reading", len(asked), console=console, disable=not console.is_terminal)
    )


if __name__ == "__main__":
    typer.run(main)
