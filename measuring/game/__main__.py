"""`python -m measuring.game`: plays and follows whole games, and prints how well that went."""

from __future__ import annotations

import json
import time
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from measuring.game.figures import table_of
from measuring.game.followed import followed
from measuring.game.kept_readings import read_game
from measuring.game.misread import Mistakes, misread_game
from measuring.game.score import GameScore, score_game
from measuring.scenes.workers import run_each
from vision.process import prepare_process

FIRST_SEED = 5000


def main(
    kept: Annotated[Path, typer.Argument(help="Readings and results; goes on where it ended.")],
    seed: Annotated[int, typer.Option(min=0, help="The first game's seed.")] = FIRST_SEED,
    count: Annotated[int, typer.Option(min=1, help="How many games.")] = 20,
    seconds: Annotated[
        float, typer.Option(help="No further game is begun after these; run it again for more.")
    ] = 1e9,
    misread: Annotated[
        float | None,
        typer.Option(help="No pictures: the truth as readings, this share of cards read wrongly."),
    ] = None,
    processes: Annotated[int, typer.Option(min=1, help="How many at once.")] = 1,
) -> None:
    """Follow simulated games; print how the cards were named and judged, and the final scores."""
    prepare_process()
    until_s = time.time() + seconds
    work = partial(game_score, kept, until_s, misread)
    seeds = range(seed, seed + count)
    found = list(zip(seeds, run_each(work, list(seeds), processes), strict=True))
    done = {number: score for number, score in found if score is not None}
    console = Console(highlight=False)
    console.print(table_of(done))
    if len(done) < count:
        console.print(f"{count - len(done)} games are still to be read; run it again.")


def game_score(kept: Path, until_s: float, misread: float | None, seed: int) -> GameScore | None:
    """One game read, followed and compared with the truth, and kept as JSON. None where pictures
    of it are still to be read after `until_s` (time.time).
    """
    if misread is None:
        game = read_game(seed, kept, until_s)
    else:
        game = misread_game(seed, Mistakes(misread))
    if game is None:
        return None
    frames = [event["frame"] for event in game.truth["events"]]
    said = followed(game.readings, frames, game.truth["players"], game.again)
    score = score_game(game.truth, said)
    folder = kept / "followed"
    folder.mkdir(parents=True, exist_ok=True)
    data = {"seed": seed, "score": asdict(score), "truth": game.truth["events"], "said": said}
    (folder / f"{game.name}.json").write_text(json.dumps(data), "utf-8")
    return score


if __name__ == "__main__":
    typer.run(main)
