"""`python -m measuring.game.film FOLDER`: games on the simulated table, played and filmed.

A folder a game: `NNN.jpg` in order, `game.json` with what is true, `lens.json`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from calibration.lens.lens_data import lens_data
from simulator.game import Film, film_game
from simulator.game.filming import LIGHTS


def write_game(folder: Path, film: Film) -> None:
    """Photograph the game into a folder, which is made. OSError where it cannot be written."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "lens.json").write_text(json.dumps(lens_data(film.cameras[0].lens)), "utf-8")
    for frame in film.frames():
        (folder / frame.name).write_bytes(frame.jpeg)
    (folder / "game.json").write_text(json.dumps(film.truth()), "utf-8")


def main(
    folder: Annotated[Path, typer.Argument(help="Where the games are written.")],
    seed: Annotated[int, typer.Option(min=0, help="The first game's seed.")] = 0,
    count: Annotated[int, typer.Option(min=1, help="How many games.")] = 1,
    light: Annotated[str | None, typer.Option(help="ordinary or hard; else either.")] = None,
    players: Annotated[int | None, typer.Option(min=2, max=6, help="Else two to six.")] = None,
    cards: Annotated[
        int | None, typer.Option(min=1, max=18, help="Cards a player; else five to eight.")
    ] = None,
) -> None:
    """Play games by the rules, film them, and write FOLDER/game-SEED with what is true of them."""
    if light is not None and light not in LIGHTS:
        raise typer.BadParameter(f"there is no {light!r}; there are {', '.join(LIGHTS)}.")
    for number in range(seed, seed + count):
        target = folder / f"game-{number}"
        write_game(target, film_game(number, light, players, cards))
        typer.echo(target)


if __name__ == "__main__":
    typer.run(main)
