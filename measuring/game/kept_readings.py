"""Simulated games as readings, kept on disk: photographing and reading take seconds a picture."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from calibration.lens.lens_data import lens_data
from geometry.deck import Deck
from geometry.deck_file import published_deck
from geometry.rules import Rules
from referee.known_table import KnownTable
from rig import reading_from
from rig.lens_file import load_lens
from rig.scoring import Settings
from rig.store.seen_json import seen_of, seen_text
from rig.trouble import PhotoTrouble
from simulator.game import Film, film_game
from vision.assemble import assemble
from vision.reading import Reading

CARDS = 12
"""About so many cards a game, whatever the number of players; no player has fewer than two."""


@dataclass(frozen=True, slots=True)
class ReadGame:
    """A game's truth as `game.json` has it, and a reading a picture, None where there is none.
    `again`: the last picture read once more.
    """

    name: str
    truth: dict[str, Any]
    readings: tuple[Reading | None, ...]
    again: Reading | None = None


def read_game(seed: int, kept: Path, until_s: float = math.inf) -> ReadGame | None:
    """The game with that seed, each picture read as if nothing were known of the table. None where
    some are still to be read after `until_s` (time.time).

    What `kept` has of it is not done again; it has to be emptied for another simulator or reader.
    """
    folder = kept / f"game-{seed}"
    folder.mkdir(parents=True, exist_ok=True)
    film = short_film(seed)
    deck, rules = published_deck(), Rules()
    texts = list(_texts(film, folder, deck, until_s))
    if len(texts) <= len(film.moments):
        return None
    *readings, again = (
        None if text is None else assemble(seen_of(text, deck), rules) for text in texts
    )
    truth = json.loads(json.dumps(film.truth()))
    return ReadGame(folder.name, truth, tuple(readings), again)


def short_film(seed: int) -> Film:
    """The game of a seed with few enough cards to be read in minutes."""
    players = film_game(seed, cards_each=1).conditions.players
    return film_game(seed, cards_each=max(2, CARDS // players))


def _texts(film: Film, folder: Path, deck: Deck, until_s: float) -> Iterator[str | None]:
    """A text a picture, and one more for the last picture's second reading."""
    lens = lens_data(film.cameras[0].lens)
    with TemporaryDirectory() as place:
        lens_file, picture = Path(place) / "lens.json", Path(place) / "frame.jpg"
        lens_file.write_text(json.dumps(lens), "utf-8")
        settings = Settings(deck, Rules(), load_lens(lens_file))
        last = len(film.moments) - 1
        for number in range(last + 2):
            file = folder / ("again.json" if number > last else f"{number:03}.json")
            if not file.exists():
                if time.time() > until_s:
                    return
                picture.write_bytes(film.frame(min(number, last)).jpeg)
                read = reading_from.read_again if number > last else reading_from.read_from
                _write(file, _text(picture, settings, read))
            text = file.read_text("utf-8")
            yield text or None


def _text(
    picture: Path, settings: Settings, read: Callable[[Path, KnownTable, Settings], Reading]
) -> str:
    """What was seen; nothing where no table was."""
    try:
        reading = read(picture, KnownTable(settings.deck), settings)
    except PhotoTrouble:
        return ""
    return seen_text(reading.seen)


def _write(file: Path, text: str) -> None:
    """All of it or nothing, for a run that is ended on the way."""
    part = file.with_suffix(".part")
    part.write_text(text, "utf-8")
    part.replace(file)
