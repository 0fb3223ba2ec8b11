"""Readings followed as `tacta follow` does, to the lines that it prints."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from geometry.deck_file import published_deck
from geometry.rules import Rules
from referee.ending import final_reading
from referee.following import begin, follow
from referee.second_look import looked_again
from rig.event_json import end_data, event_data
from vision.reading import Reading


def followed(
    readings: Sequence[Reading | None],
    frames: Sequence[str],
    players: Sequence[str],
    again: Reading | None = None,
) -> list[dict[str, Any]]:
    """The objects of `tacta follow --json` for pictures that were read already, the end last.
    `again`: the last picture read once more.
    """
    state, said = begin(published_deck(), Rules(), players), list[dict[str, Any]]()
    for reading, frame in zip(readings, frames, strict=True):
        events, state = follow(state, reading)
        said += [event_data(event, frame) for event in events]
    events, state = looked_again(state, readings[-1], again)
    said += [event_data(event, frames[-1]) for event in events]
    said.append(end_data(final_reading(state), frames[-1]))
    return [dict(json.loads(json.dumps(one))) for one in said]
