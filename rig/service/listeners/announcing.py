"""From what happens in the service to what listeners are told, each once and with its score."""

import contextlib
import logging
import queue
import threading
from collections.abc import Iterator, Mapping
from importlib import metadata
from typing import Any

from referee.rounds.rounds_json import match_of
from rig.listeners.home_assistant import RigFacts
from rig.listeners.messenger import Line, Messenger
from rig.listeners.mqtt import BrokerLine
from rig.listeners.outbox import Listener
from rig.listeners.webhook import WebhookLine
from rig.service.access.routes import address
from rig.service.listeners.parts import ListenerParts
from rig.service.listeners.standing import frame_values, game_events, round_values, standing
from rig.service.matches.round_documents import round_document
from rig.store.matches import KeptRound
from rig.store.trouble import RowUnreadable
from rig.trouble import Trouble

_log = logging.getLogger(__name__)
LOOKED_BACK = 50
"""So many of the newest frames and matches are looked through at the start."""
Event = tuple[str, Mapping[str, Any]]


@contextlib.contextmanager
def announcing(parts: ListenerParts) -> Iterator[Messenger]:
    """Tell listeners what happens; first what happened and was not told before a stop."""
    messenger = Messenger(parts.outbox, parts.clock.now, lambda listener: _line(parts, listener))
    heard: queue.Queue[Event | None] = queue.Queue()
    thread = threading.Thread(target=_run, args=(parts, messenger, heard), name="tacta-announcing")

    def hear(name: str, data: Mapping[str, Any]) -> None:
        heard.put((name, data))

    parts.events.listeners.append(hear)
    thread.start()
    try:
        yield messenger
    finally:
        parts.events.listeners.remove(hear)
        heard.put(None)
        thread.join(5)
        messenger.close()


def _line(parts: ListenerParts, listener: Listener) -> Line:
    if listener.broker is None:
        return WebhookLine()
    colours = [colour.name for colour in parts.settings.deck.colours]
    facts = RigFacts(colours, metadata.version("tacta-rig"), address(parts.settings))
    return BrokerLine(lambda: standing(parts), facts)


def _run(parts: ListenerParts, messenger: Messenger, heard: queue.Queue[Event | None]) -> None:
    _safely(parts, catch_up)
    messenger.wake()
    while (event := heard.get()) is not None:
        name, data = event
        _safely(parts, lambda parts, name=name, data=data: announce(parts, name, data))
        messenger.wake()


def _safely(parts: ListenerParts, work: Any) -> None:
    try:
        work(parts)
    except Trouble as trouble:  # it was deleted meanwhile
        _log.info("not announced: %s", trouble)
    except Exception:  # noqa: BLE001 - what cannot be told must not stop what comes after it
        _log.exception("not announced")


def catch_up(parts: ListenerParts) -> None:
    """Tell what happened before the last stop and was not told; nothing if nobody was to hear."""
    is_heard = bool(parts.outbox.listeners())
    for frame in reversed(parts.store.frames.latest(LOOKED_BACK)):
        if frame.state == "read":
            with contextlib.suppress(RowUnreadable):
                _frame_read(parts, frame.id, is_heard)
    for match in reversed(parts.store.matches.latest(LOOKED_BACK)):
        for kept in parts.store.matches.rounds(match.id):
            _round(parts, kept, is_heard)
    _game(parts, is_heard)


def announce(parts: ListenerParts, name: str, data: Mapping[str, Any]) -> None:
    """Keep what listeners are told of an event of the service."""
    if name == "frame-read":
        _frame_read(parts, data["frame"], is_heard=True)
    elif name in ("frame-unread", "camera-changed", "match-deleted"):
        if name == "match-deleted":  # what was being put down of it just then goes as well
            parts.outbox.forget_match(data["match"])
        parts.outbox.add(name, parts.clock.now(), data)
    elif name == "game":
        _game(parts, is_heard=True)
    elif name == "round-changed":
        _round(parts, parts.store.matches.round(data["match"], data["number"]), is_heard=True)


def _game(parts: ListenerParts, is_heard: bool) -> None:
    for subject, said, data in game_events(parts.game.now()):
        if parts.outbox.state_of(subject) == said:
            continue
        if is_heard:
            parts.outbox.add("game-event", parts.clock.now(), data, (subject, said))
        else:
            parts.outbox.register(subject, said)


def _frame_read(parts: ListenerParts, frame: str, is_heard: bool) -> None:
    subject = f"frame {frame}"
    if parts.outbox.state_of(subject) == "read":
        return
    if not is_heard:
        parts.outbox.register(subject, "read")
        return
    data = frame_values(frame, parts.readings.read(frame))
    parts.outbox.add("frame-read", parts.clock.now(), data, (subject, "read"))


def _round(parts: ListenerParts, kept: KeptRound, is_heard: bool) -> None:
    state = str(kept.data["state"])
    subject = f"round {kept.match} {kept.number} {kept.data['begun_at']}"
    if parts.outbox.state_of(subject) == state:
        return
    if not is_heard or state == "open":
        parts.outbox.register(subject, state)
        return
    match = match_of(parts.store.matches.get(kept.match).data)
    data = round_values(round_document(parts.matches, match, kept))
    if state == "signed" and parts.outbox.state_of(subject) != "ended":
        parts.outbox.add("round-ended", parts.clock.now(), data, (subject, "ended"))
    parts.outbox.add(f"round-{state}", parts.clock.now(), data, (subject, state))
