"""A game of drawn cards laid before a rig's camera, which reads them without a picture."""

from __future__ import annotations

import time
from typing import Any

from geometry.layout import Layout
from rig.service.frames.reader import SeenText
from rig.store.seen_json import seen_text
from tests.referee.tables import Change, read, same
from tests.rig.service.table_top import TableTop, jpeg
from vision.reading import Reading

LONGEST_S = 60.0


def look(rig: TableTop, reading: Reading | None, seed: int) -> str:
    """A photo that is read so is uploaded, and taken into the game; its id."""
    rig.reader.outcome = (
        RuntimeError("boom") if reading is None else SeenText(seen_text(reading.seen))
    )
    frame = str(rig.upload(jpeg(seed), f"{seed:03}.jpg").json()["id"])
    wait_for(rig, lambda game: game["doing"] != "reading" and taken_in(rig, frame))
    return frame


def taken_in(rig: TableTop, frame: str) -> bool:
    """Whether the game took a frame in, or refused it."""
    now = rig.assembly.game.followed.now()
    steps = [getattr(one.step, "frame", None) for one in now.history.entries]
    return frame in steps or (now.refused is not None and now.refused[0] == frame)


def lay(rig: TableTop, layout: Layout, number: int, change: Change = same) -> str:
    """The table with so many cards on it is seen; the photo's id."""
    return look(rig, read(layout, number, change), number)


def game_of(rig: TableTop, **headers: str) -> dict[str, Any]:
    answer = rig.get("/game", **headers)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def wait_for(rig: TableTop, is_so: Any) -> dict[str, Any]:
    """The game once it is so."""
    until = time.monotonic() + LONGEST_S
    while not is_so(found := game_of(rig)):
        assert time.monotonic() < until, found
        time.sleep(0.01)
    return found
