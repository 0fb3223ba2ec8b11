"""How `tacta score` says what it read: one JSON document a photo, or a table for people."""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from geometry.deck import Deck
from rig.command_line.photos.score_table import score_table
from rig.reading_json import reading_data, trouble_data
from rig.scoring import Scored
from rig.trouble import Trouble


class JsonReport:
    """One document a line on standard output, and nothing else there."""

    def read(self, photos: Sequence[Path], scored: Scored, overlay: Path | None) -> None:
        """Print the reading of a photo, or of several as one."""
        del overlay  # the caller named it
        names = [photo.name for photo in photos]
        data = reading_data(
            scored.reading, names[0], scored.answers, outcomes=scored.outcomes,
            photos=names if len(names) > 1 else (),
        )  # fmt: skip
        print(json.dumps(data), flush=True)

    def failed(self, photo: Path, trouble: Trouble) -> None:
        """Print the error as a document, and for the person on standard error."""
        print(json.dumps(trouble_data(trouble, photo.name)), flush=True)
        print(f"tacta: {trouble}", file=sys.stderr)


class TableReport:
    """A table a person likes to read."""

    def __init__(self, deck: Deck) -> None:
        self._deck = deck
        self._console = Console(highlight=False)

    def read(self, photos: Sequence[Path], scored: Scored, overlay: Path | None) -> None:
        """Print the scores, the illegal placements and the doubts."""
        title = ", ".join(photo.name for photo in photos)
        for part in score_table(scored.reading, title, self._deck, scored.outcomes):
            self._console.print(part)
        if overlay is not None:
            self._console.print(f"Overlay: {escape(str(overlay))}", soft_wrap=True)
        self._console.print()

    def failed(self, photo: Path, trouble: Trouble) -> None:
        """Print why a photo could not be read."""
        del photo  # the sentence names it
        print(f"tacta: {trouble}", file=sys.stderr)


Report = JsonReport | TableReport


@contextmanager
def progress_of(photo: Path) -> Iterator[Callable[[str], None]]:
    """A function to call as each stage begins; shown on standard error while someone watches."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _stage: None
        return
    with console.status(escape(photo.name)) as status:
        yield lambda stage: status.update(escape(f"{photo.name}: {stage}"))
