"""`tacta follow`: pictures of one table in order in, what happened out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rig.command_line import exit_status

if TYPE_CHECKING:
    from geometry.deck import Deck
    from geometry.rules import Rules
    from referee.events import Event
    from referee.following import Following
    from referee.known_table import KnownTable
    from rig.replay.record import RecordedEvent
    from rig.scoring import Settings
    from vision.reading import Reading

_NO_TABLE = frozenset({"table-not-seen"})
"""Troubles with a picture that may still be one of the table: a hand, an arm, the dark."""


def follow(
    frames: Annotated[
        list[Path],
        typer.Argument(
            metavar="FRAME",
            help="Pictures of one table, in the order in which they were taken.",
            show_default=False,
            readable=False,
        ),
    ],
    lens: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Lens file of the camera.")
    ] = None,
    deck: Annotated[Path | None, typer.Option(metavar="FILE", help="Deck file.")] = None,
    rules: Annotated[Path | None, typer.Option(metavar="FILE", help="Rules file.")] = None,
    players: Annotated[
        str | None,
        typer.Option(metavar="COLOUR,...", help="The colours played, in the order of turns."),
    ] = None,
    game: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the game as a file to replay (tacta-game/1)."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", metavar="", help="Print one JSON object an event.")
    ] = False,
) -> int:
    """Follow a game from the first card on: name each card as it is laid, and judge it.

    Exit status: 0 followed and sure; 3 followed, but a person should look; 1 a picture could not be
    read as one; 2 wrong usage.
    """
    import sys

    from referee.ending import final_reading
    from referee.following import begin
    from referee.following import follow as step
    from referee.second_look import looked_again
    from rig import reading_from
    from rig.replay.game_json import recorded
    from rig.scoring import load_settings
    from rig.trouble import PhotoTrouble

    settings = load_settings(deck, lens, rules)
    state = begin(settings.deck, settings.rules, _colours(players, settings.deck))
    say: Said = JsonLines() if as_json else Lines(settings.rules)
    happened = []
    is_whole = True
    for frame in frames:
        reading = None
        try:
            reading = reading_from.read_from(frame, state.table, settings)
        except PhotoTrouble as trouble:
            is_whole = is_whole and trouble.key in _NO_TABLE
            print(f"tacta: {trouble}", file=sys.stderr)
        events, state = step(state, reading)
        for event in events:
            say.event(event, frame.name, state.table)
            happened.append(recorded(event, frame.name))
    events, state = looked_again(state, reading, _read_again(frames[-1], state, settings, reading))
    for event in events:
        say.event(event, frames[-1].name, state.table)
        happened.append(recorded(event, frames[-1].name))
    reading = final_reading(state)
    say.end(reading, frames[-1].name)
    if game is not None:
        _write_game(game, state, happened, reading)
    if not is_whole:
        return exit_status.BAD
    certain = reading.sure and reading.sure_without_illegal
    return exit_status.GOOD if certain else exit_status.LOOK


def _read_again(
    frame: Path, state: Following, settings: Settings, first: Reading | None
) -> Reading | None:
    """The last picture's second reading; None where its first says nothing of the cards."""
    from referee.following import has_something_over
    from rig import reading_from
    from rig.trouble import PhotoTrouble

    if first is None or has_something_over(first):
        return None
    try:
        return reading_from.read_again(frame, state.table, settings)
    except PhotoTrouble:
        return None


def _write_game(
    path: Path, state: Following, happened: Sequence[RecordedEvent | None], reading: Reading
) -> None:
    from rig.command_line.kept.saved_file import save_json
    from rig.replay.game_json import final_count, game_data
    from rig.replay.record import GameRecord

    record = GameRecord(
        deck=state.table.deck,
        rules=state.rules,
        players=state.players,
        play_area_mm=state.table.play_area_mm,
        events=tuple(one for one in happened if one is not None),
        end=final_count(reading),
    )
    save_json(path, game_data(record))


class JsonLines:
    """One object a line on standard output, and nothing else there."""

    def event(self, event: Event, frame: str, table: KnownTable) -> None:
        """Print what happened."""
        import json

        from rig.event_json import event_data

        del table
        print(json.dumps(event_data(event, frame)), flush=True)

    def end(self, reading: Reading, frame: str) -> None:
        """Print what the table came to."""
        import json

        from rig.event_json import end_data

        print(json.dumps(end_data(reading, frame)), flush=True)


class Lines:
    """A line a person likes to read for each event, and the table at the end."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def event(self, event: Event, frame: str, table: KnownTable) -> None:
        """Print what happened."""
        from referee.said import notes_of, reason_of
        from rig.wording.catalogue import sentence
        from vision.reason import Reason

        said = sentence(reason_of(event, table, self._rules))
        more = [sentence(note) for note in notes_of(event)]
        if not event.sure:
            more.append(sentence(Reason("event-unsure")))
        told = f" ({'; '.join(more)})" if more else ""
        print(f"{frame}: {said}{told}", flush=True)

    def end(self, reading: Reading, frame: str) -> None:
        """Print the scores and what to look at."""
        from rich.console import Console

        from rig.command_line.photos.score_table import score_table

        console = Console(highlight=False)
        for part in score_table(reading, frame, reading.seen.layout.deck):
            console.print(part)


Said = JsonLines | Lines


def _colours(players: str | None, deck: Deck) -> tuple[str, ...]:
    if players is None:
        return ()
    known = {colour.name for colour in deck.colours}
    named = tuple(name.strip() for name in players.split(","))
    if len(set(named)) != len(named) or not set(named) <= known:
        raise typer.BadParameter(
            f"expected different colours of the deck ({', '.join(sorted(known))}).",
            param_hint="--players",
        )
    return named
