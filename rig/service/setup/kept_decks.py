"""The decks that were enrolled here, and which one is played with, in a file of the data folder."""

import json
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from geometry.deck import Deck
from geometry.deck_file import parse_deck, published_deck
from rig.json_file import read_json
from rig.service.http.trouble import DeckThere, DeckUnknown
from rig.store.file_layer import DiskFiles, write_whole
from rig.trouble import SettingTrouble

FILE_NAME = "decks.json"
"""`{"chosen": name or null, "decks": [deck file, ...]}`; null is the published deck."""


class KeptDecks:
    """All methods may be called from any thread; what cannot be read is as if it were not there."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / FILE_NAME
        self._lock = threading.Lock()

    def all(self) -> list[Deck]:
        """The published deck, then those enrolled here, in the order in which they were."""
        with self._lock:
            return self._all()

    def chosen(self) -> Deck:
        """The deck to play with; the published one if that which was chosen cannot be read."""
        with self._lock:
            name = self._content().get("chosen")
            return next((deck for deck in self._all() if deck.name == name), published_deck())

    def choose(self, name: str) -> None:
        """Play with this deck from now on. DeckUnknown, StoreTrouble."""
        with self._lock:
            if all(deck.name != name for deck in self._all()):
                raise DeckUnknown(name=name)
            self._write({**self._content(), "chosen": name})

    def keep(self, document: Mapping[str, Any]) -> Deck:
        """Keep a deck file's values. DeckThere if one has its name, DeckError, StoreTrouble."""
        deck = parse_deck(dict(document))
        with self._lock:
            if any(other.name == deck.name for other in self._all()):
                raise DeckThere(name=deck.name)
            content = self._content()
            self._write({**content, "decks": [*content.get("decks", []), dict(document)]})
        return deck

    def _all(self) -> list[Deck]:
        found = [_deck(document) for document in self._content().get("decks", [])]
        return [published_deck(), *(deck for deck in found if deck is not None)]

    def _content(self) -> dict[str, Any]:
        return (self._read() if self._file.exists() else None) or {}

    def _read(self) -> dict[str, Any] | None:
        """What the file holds; None if it is not such a file."""
        try:
            content = read_json(self._file, "deck")
        except SettingTrouble:
            return None
        is_ours = isinstance(content, dict) and isinstance(content.get("decks", []), list)
        return content if is_ours and isinstance(content, dict) else None

    def _write(self, content: Mapping[str, Any]) -> None:
        if self._file.exists() and self._read() is None:  # what nobody can read is kept, too
            self._file.rename(self._file.with_name(f"{FILE_NAME}.unreadable-{time.time_ns()}"))
        text = json.dumps(content, indent=1) + "\n"
        write_whole(DiskFiles(), self._file, text.encode("utf-8"))


def _deck(document: object) -> Deck | None:
    try:
        return parse_deck(document)
    except ValueError:
        return None
