"""`tacta replay`: a game that was followed, step by step, and as a film."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rig.replay.film import Photos


def replay(
    game: Annotated[
        Path,
        typer.Argument(
            metavar="GAME",
            help="Game file (tacta-game/1), as `tacta follow --game` writes it.",
            show_default=False,
            readable=False,
        ),
    ],
    webp: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the whole game as one animated WebP, under 5 MB."),
    ] = None,
    photos: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Where the pictures are that were followed. Without it: a drawn plan.",
        ),
    ] = None,
    language: Annotated[
        str, typer.Option(metavar="en|fr", help="Language of the sentences: en or fr.")
    ] = "en",
) -> int:
    """Step through a followed game: what happened at each step, with the scores after it.

    Exit status: 0; 2 the game file cannot be used.
    """
    if photos is not None and not photos.is_dir():
        raise typer.BadParameter(f"{photos} is no folder.", param_hint="--photos")
    if language not in ("en", "fr"):
        raise typer.BadParameter("expected en or fr.", param_hint="--language")
    from rig.replay.game_file import GameUnusable, load_game
    from rig.replay.steps import said_at, steps_of

    record = load_game(game)
    for line in said_at(steps_of(record, language)):
        print(line, flush=True)
    if webp is not None:
        from rig.command_line.kept.saved_file import save_bytes
        from rig.replay.film import FilmTooLarge, NothingToReplay, film
        from rig.replay.photos import photos_in

        shown: Photos | None = None if photos is None else photos_in(photos)
        try:
            save_bytes(webp, film(record, shown, language))
        except NothingToReplay:
            raise GameUnusable(path=game, why="nothing happens in it") from None
        except FilmTooLarge:
            raise GameUnusable(path=game, why="it is too long for a film of 5 MB") from None
    return 0
