"""`python -m measuring.shadow`: read scenes, weigh every card by its likelihood,
and compare with today's confidence.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from measuring.scenes.scene_files import scene_folders
from measuring.scenes.trial import Job, scene_of
from measuring.shadow.kept import kept_records, read_records
from measuring.shadow.plot import plot
from measuring.shadow.records import read_of, record_of
from measuring.shadow.tables import tables
from rig.wording.catalogue import sentence
from vision.likelihood.config import LikelihoodConfig
from vision.read import explained_table
from vision.reading import NotSeen

FIRST_SEED = 800


def main(
    kept: Annotated[Path, typer.Argument(help="JSON lines, one a scene; goes on where it ended.")],
    folder: Annotated[list[Path] | None, typer.Option(help="Read the scenes in here.")] = None,
    preset: Annotated[list[str] | None, typer.Option(help="A mix to simulate.")] = None,
    simulated: Annotated[int, typer.Option(help="How many scenes of each mix.")] = 25,
    seed: Annotated[int, typer.Option(help="The first one's seed.")] = FIRST_SEED,
    retakes: Annotated[
        int, typer.Option(min=0, help="How often folders are read as another camera saw them.")
    ] = 0,
    lens: Annotated[bool, typer.Option(help="Give the lens to the reader.")] = True,
    only: Annotated[str, typer.Option(help="Only scenes whose name contains this.")] = "",
    processes: Annotated[int, typer.Option(min=1, help="How many at once.")] = 1,
    fitted_on: Annotated[
        Path | None, typer.Option(help="JSON lines of scenes that probabilities are fitted on.")
    ] = None,
    drawing: Annotated[Path | None, typer.Option(help="Write the plot, an SVG, here.")] = None,
) -> None:
    """Print how well the likelihood and today's confidence tell right cards from wrong ones."""
    jobs = [Job(mix, None, mix, seed + i, lens) for mix in preset or () for i in range(simulated)]
    for place in folder or ():
        for path in scene_folders(place):
            job = Job(place.name, path, with_lens=lens)
            jobs += [job, *(replace(job, retake=number) for number in range(retakes))]
    asked = [job for job in jobs if only in job.name]
    written = kept_records(kept, asked, partial(_record, LikelihoodConfig()), processes)
    records = [record for record in written if record["cards"]]
    known = records if fitted_on is None else [r for r in read_records(fitted_on) if r["cards"]]
    console = Console(highlight=False)
    for table in tables(records, known):
        console.print(table)
    if drawing is not None:
        drawing.write_text(plot(records, known), "utf-8")


def _record(config: LikelihoodConfig, job: Job) -> dict[str, Any]:
    """One scene's record; without cards where it was not read."""
    image, truth, lens = scene_of(job)
    found = explained_table(image, truth.layout.deck, lens, truth.rules)
    if isinstance(found, NotSeen):
        return {"scene": job.name, "cards": [], "made": [], "refused": sentence(found.reason)}
    return record_of(read_of(job.name, found, truth), config)


if __name__ == "__main__":
    typer.run(main)
