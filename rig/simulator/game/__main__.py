"""`python -m rig.simulator.game FOLDER`: play games and film them, a folder each."""

from pathlib import Path
from typing import Annotated

import typer

from rig.simulator.game.filming import LIGHTS, film_game
from rig.simulator.game.folder import write_game


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
