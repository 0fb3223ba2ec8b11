"""`python -m measuring.one_score KEPT.jsonl`: does the score, given true poses, find the truth?"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from measuring.one_score.figures import figures, lost
from measuring.one_score.plot import plot
from measuring.one_score.record import record_of
from measuring.one_score.trust import leads, trusted_share
from measuring.scenes.scene_files import scene_folders
from measuring.scenes.trial import Job
from measuring.shadow.kept import Record, kept_records
from vision.process import prepare_process
from vision.reading_config import ReadingConfig

FIRST_SEED = 3000


def main(
    kept: Annotated[Path, typer.Argument(help="JSON lines, one a scene; goes on where it ended.")],
    folder: Annotated[list[Path] | None, typer.Option(help="Scenes in here.")] = None,
    preset: Annotated[list[str] | None, typer.Option(help="A mix to simulate.")] = None,
    simulated: Annotated[int, typer.Option(min=0, help="How many scenes of each mix.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="The first one's seed.")] = FIRST_SEED,
    today: Annotated[bool, typer.Option(help="Compare with today's reading too.")] = False,
    moves: Annotated[bool, typer.Option(help="Weigh the truth's single moves.")] = True,
    loop: Annotated[bool, typer.Option(help="Let the loop find what lies there too.")] = False,
    alone: Annotated[bool, typer.Option(help="Let it find where, too.")] = False,
    only: Annotated[str, typer.Option(help="Only scenes whose name contains this.")] = "",
    processes: Annotated[int, typer.Option(min=1, help="How many at once.")] = 1,
    drawing: Annotated[Path | None, typer.Option(help="Write the plots, an SVG, here.")] = None,
    worst: Annotated[int, typer.Option(min=0, help="How many lost moves are listed.")] = 20,
) -> None:
    """Print how often the true table scores higher than what differs from it in one thing."""
    prepare_process()
    jobs = [Job(mix, None, mix, seed + i) for mix in preset or () for i in range(simulated)]
    for place in folder or ():
        jobs += [Job(place.name, path, seed=seed) for path in scene_folders(place)]
    asked = [job for job in jobs if only in job.name]
    work = partial(record_of, ReadingConfig(), moves, today, loop, alone)
    names = {job.name for job in asked}
    records = [r for r in kept_records(kept, asked, work, processes) if r["scene"] in names]
    console = Console(highlight=False)
    console.print(_table(records))
    share = trusted_share(leads(records)) if leads(records) else 1.0
    console.print(f"leads are likeliest as they came out when taken {share:.2f} times")
    if drawing is not None:
        drawing.write_text(plot(records, share), "utf-8")
    for line in lost(records)[:worst]:
        console.print(line, soft_wrap=True)


def _table(records: list[Record]) -> Table:
    """The figures of each group of scenes, and of all."""
    groups = list(dict.fromkeys(record["group"] for record in records))
    by_group = [[r for r in records if r["group"] == group] for group in groups]
    table = Table(
        "", "asked", *(f"{g} ({len(r)})" for g, r in zip(groups, by_group, strict=True)), "all"
    )
    columns = [figures(some) for some in (*by_group, records)]
    for row in zip(*columns, strict=True):
        cells = (
            f"{f.right} of {f.number}" + (f", {f.share:.2%}" if f.share is not None else "")
            for f in row
        )
        table.add_row(row[0].name, f"{row[0].asked:.1%}", *cells)
    seconds = sum(record["seconds"] for record in records) / max(len(records), 1)
    table.caption = f"{seconds:.1f} s a scene, today's reading aside"
    return table


if __name__ == "__main__":
    typer.run(main)
