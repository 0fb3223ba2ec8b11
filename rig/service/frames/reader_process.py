"""The reader's process: photos in, what was seen out, one after the other, until nobody asks."""

import contextlib
import importlib
import json
import time
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from geometry.deck import Deck
from geometry.rules import Rules
from rig.lens_file import parse_lens
from rig.photo.damaged_reading import with_damage
from rig.photo.decoding import decode_photo_told
from rig.photo.focal import lens_known
from rig.photo.trouble import PhotoTooHard
from rig.processes.killable import limit_memory
from rig.service.http.limits import PHOTO_PIXELS
from rig.service.running.practice import practice_picture
from rig.store.seen_json import deck_of, seen_text
from rig.trouble import Trouble
from rig.wording.catalogue import sentence, trouble_sentence
from rig.wording.kept_reasons import facts_data
from vision.pace import Pace
from vision.reading import NotSeen, Reading

READER = "rig.photo.dim:read_in_dim_light"
MEMORY_BYTES = 1_500_000_000
"""Beyond what it has after practising; a photo of 25 megapixels takes about half of this."""
Read = Callable[..., Reading | NotSeen]


def serve(line: Connection, deck: str, rules: Rules, reader: str) -> None:
    """Answer on `line` until the other end closes it, which is also how the rig's death shows."""
    module, function = reader.split(":")
    read: Read = getattr(importlib.import_module(module), function)
    try:
        if not line.poll():
            practise(read, deck_of(deck), rules)
        limit_memory(MEMORY_BYTES)
        while True:
            path, name, lens, hurried_s = line.recv()
            until = time.monotonic() + hurried_s
            line.send(_answer(read, Path(path), name, lens, deck, rules, line, until))
    except (EOFError, OSError, KeyboardInterrupt):
        return


def practise(read: Read, deck: Deck, rules: Rules) -> None:
    """Read a drawn picture: what a reader makes once and keeps is then made before any photo."""
    with contextlib.suppress(Exception):  # a fault shows in the first photo's answer
        read(practice_picture(deck), deck, None, rules)


def _answer(
    read: Read,
    path: Path,
    name: str,
    lens: Mapping[str, Any] | None,
    deck: str,
    rules: Rules,
    line: Connection,
    until: float,
) -> tuple[str, str]:
    try:
        data = path.read_bytes()
        image, damage = decode_photo_told(data, name, PHOTO_PIXELS)
        line.send(("decoded", ""))
        measured = None if lens is None else parse_lens(dict(lens))
        known = lens_known(measured, image, data, name)
        found = read(
            image, deck_of(deck), known, rules,
            Pace(lambda stage: line.send(("stage", stage)), lambda: time.monotonic() > until),
        )  # fmt: skip
    except Trouble as trouble:
        return _unread(trouble.key, facts_data(trouble.facts), str(trouble))
    except (ConnectionError, EOFError):
        raise
    except MemoryError:
        hard = PhotoTooHard(name=name, why="too much memory")
        return _unread(hard.key, {"name": name, "why": "too much memory"}, str(hard))
    except Exception as error:  # noqa: BLE001 - one photo's fault must not end the process
        why = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        facts = {"name": name, "why": why}
        return _unread("reading-failed", facts, trouble_sentence("reading-failed", facts))
    if isinstance(found, NotSeen):
        facts = facts_data({"name": name, "why": found.reason})
        return _unread("table-not-seen", facts, sentence(found.reason), not_seen=True)
    height, width = image.shape[:2]
    return "seen", seen_text(with_damage(found, damage, (width, height), rules).seen)


def _unread(
    key: str, facts: Mapping[str, Any], english: str, not_seen: bool = False
) -> tuple[str, str]:
    document = {"key": key, "facts": dict(facts), "sentence": english, "not_seen": not_seen}
    return "unread", json.dumps(document)
