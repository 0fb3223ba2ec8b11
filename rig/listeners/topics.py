"""What is published at a broker: events as they happen, and retained, how things stand."""

import json
from collections.abc import Mapping
from typing import Any

AVAILABILITY = "availability"
ONLINE, OFFLINE = "online", "offline"
EVENTS = "events"
STATES = ("camera", "frame", "round", "game")
"""Retained: the camera's condition, the newest photo's score, the newest round, the game."""
States = Mapping[str, Mapping[str, Any]]


def payload_of(values: Mapping[str, Any]) -> bytes:
    """Values as they are published."""
    return json.dumps(values, sort_keys=True).encode()
