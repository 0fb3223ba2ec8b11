"""From what happens in the service to what listeners are told, each once and with its score."""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
from collections.abc import Iterator, Mapping
from importlib import metadata
from typing import Any

from rig.listeners.home_assistant import RigFacts
from rig.listeners.messenger import Line, Messenger
from rig.listeners.mqtt import BrokerLine
from rig.listeners.outbox import Listener
from rig.listeners.webhook import WebhookLine
from rig.rounds.rounds_json import match_of
from rig.service.desk import Desk
from rig.service.round_documents import round_document
from rig.service.routes.access import address
from rig.service.standing import frame_values, round_values, standing
from rig.store.matches import KeptRound
from rig.trouble import Trouble

_log = logging.getLogger(__name__)
LOOKED_BACK = 50
"""So many of the newest frames and matches are looked through at the start."""
Event = tuple[str, Mapping[str, Any]]


@contextlib.contextmanager
def announcing(desk: Desk) -> Iterator[Messenger]:
    """Tell listeners what happens; first what happened and was not told before a stop."""
    messenger = Messenger(desk.outbox, desk.now, lambda listener: _line(desk, listener))
    heard: queue.Queue[Event | None] = queue.Queue()
    thread = threading.Thread(target=_run, args=(desk, messenger, heard), name="tacta-announcing")
    desk.events.listener = lambda name, data: heard.put((name, data))
    thread.start()
    try:
        yield messenger
    finally:
        desk.events.listener = None
        heard.put(None)
        thread.join(5)
        messenger.close()


def _line(desk: Desk, listener: Listener) -> Line:
    if listener.broker is None:
        return WebhookLine()
    colours = [colour.name for colour in desk.settings.deck.colours]
    facts = RigFacts(colours, metadata.version("tacta-rig"), address(desk.settings))
    return BrokerLine(lambda: standing(desk), facts)


def _run(desk: Desk, messenger: Messenger, heard: queue.Queue[Event | None]) -> None:
    _safely(desk, catch_up)
    messenger.wake()
    while (event := heard.get()) is not None:
        name, data = event
        _safely(desk, lambda desk, name=name, data=data: announce(desk, name, data))
        messenger.wake()


def _safely(desk: Desk, work: Any) -> None:
    try:
        work(desk)
    except Trouble as trouble:  # it was deleted meanwhile
        _log.info("not announced: %s", trouble)
    except Exception:  # noqa: BLE001 - what cannot be told must not stop what comes after it
        _log.exception("not announced")


def catch_up(desk: Desk) -> None:
    """Tell what happened before the last stop and was not told; nothing if nobody was to hear."""
    is_heard = bool(desk.outbox.listeners())
    for frame in reversed(desk.store.frames.latest(LOOKED_BACK)):
        if frame.state == "read":
            _frame_read(desk, frame.id, is_heard)
    for match in reversed(desk.store.matches.latest(LOOKED_BACK)):
        for kept in desk.store.matches.rounds(match.id):
            _round(desk, kept, is_heard)


def announce(desk: Desk, name: str, data: Mapping[str, Any]) -> None:
    """Keep what listeners are told of an event of the service."""
    if name == "frame-read":
        _frame_read(desk, data["frame"], is_heard=True)
    elif name in ("frame-unread", "camera-changed", "match-deleted"):
        if name == "match-deleted":  # what was being put down of it just then goes as well
            desk.outbox.forget_match(data["match"])
        desk.outbox.add(name, desk.now(), data)
    elif name == "round-changed":
        _round(desk, desk.store.matches.round(data["match"], data["number"]), is_heard=True)


def _frame_read(desk: Desk, frame: str, is_heard: bool) -> None:
    subject = f"frame {frame}"
    if desk.outbox.state_of(subject) == "read":
        return
    if not is_heard:
        desk.outbox.register(subject, "read")
        return
    data = frame_values(frame, desk.read(frame))
    desk.outbox.add("frame-read", desk.now(), data, (subject, "read"))


def _round(desk: Desk, kept: KeptRound, is_heard: bool) -> None:
    state = str(kept.data["state"])
    subject = f"round {kept.match} {kept.number} {kept.data['begun_at']}"
    if desk.outbox.state_of(subject) == state:
        return
    if not is_heard or state == "open":
        desk.outbox.register(subject, state)
        return
    match = match_of(desk.store.matches.get(kept.match).data)
    data = round_values(round_document(desk, match, kept))
    if state == "signed" and desk.outbox.state_of(subject) != "ended":
        desk.outbox.add("round-ended", desk.now(), data, (subject, "ended"))
    desk.outbox.add(f"round-{state}", desk.now(), data, (subject, state))
