"""From what happens in the service to what the followed game takes in, in a thread of its own."""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
import time
from collections.abc import Iterator, Mapping
from typing import Any

from referee.rounds.rounds_json import round_of
from rig.service.game.followed_game import FollowedGame
from rig.service.running.lookout import Lookout
from rig.service.state.live_events import LiveEvents
from rig.store.store import Store
from rig.trouble import Trouble

_log = logging.getLogger(__name__)
AGAIN_S = 3.0
"""After a picture that said nothing of the cards, another is taken so much later."""
MOST_AGAIN = 3
"""What lies over the cards for longer was put there: the next picture is taken when it moves."""
LOOKED_BACK = 300
"""So many of the newest frames are looked through at the start."""
_TAKEN_IN = ("frame-read", "frame-unread")
Heard = tuple[str, Mapping[str, Any]]


class Hearing:
    """What one thread does: one frame after the other."""

    def __init__(self, followed: FollowedGame, store: Store, lookout: Lookout) -> None:
        self._game, self._store, self._lookout = followed, store, lookout
        self._heard: queue.Queue[Heard | None] = queue.Queue()
        self._again_at_s: float | None = None
        self._again = 0

    def hear(self, name: str, data: Mapping[str, Any]) -> None:
        """Take note of an event of the service; never waits."""
        if name in (*_TAKEN_IN, "frame-added", "frame-deleted", "round-changed", "game"):
            self._heard.put((name, data))

    def end(self) -> None:
        """Take in nothing more."""
        self._heard.put(None)

    def run(self) -> None:
        """Take in what was read while nobody followed, and then what is heard."""
        self._safely("start", {})
        while True:
            try:
                heard = self._heard.get(timeout=self._wait_s())
            except queue.Empty:
                self._again_at_s = None
                self._lookout.ask()
                continue
            if heard is None:
                return
            self._safely(*heard)

    def _wait_s(self) -> float | None:
        if self._again_at_s is None:
            return None
        return max(0.0, self._again_at_s - time.monotonic())

    def _safely(self, name: str, data: Mapping[str, Any]) -> None:
        try:
            self._take(name, data)
        except Trouble as trouble:  # said on the page; the frame is scored as ever
            _log.info("not followed: %s", trouble)
        except Exception:  # noqa: BLE001 - one frame's fault must not end the following
            _log.exception("not followed")

    def _take(self, name: str, data: Mapping[str, Any]) -> None:
        if name == "start":
            self._catch_up()
        elif name == "frame-added":
            self._game.expect(data["frame"], is_unread=True)
        elif name == "frame-deleted":
            self._game.expect(data["frame"], is_unread=False)
        elif name in _TAKEN_IN:
            self._follow(data["frame"])
        elif name == "round-changed":
            self._on_round(data["match"], int(data["number"]))
        self._lookout.follow(self._game.now().settings.following)

    def _follow(self, frame: str) -> None:
        now = self._game.now()
        if now.game is None or not now.settings.following:
            return
        try:
            now = self._game.follow(frame)
        finally:
            self._game.expect(frame, is_unread=False)
        if now.doing in ("waiting", "disturbed") and self._again < MOST_AGAIN:
            self._again += 1
            self._again_at_s = time.monotonic() + AGAIN_S
        elif now.doing not in ("waiting", "disturbed"):
            self._again, self._again_at_s = 0, None

    def _catch_up(self) -> None:
        """What was read and not taken in before the power went."""
        now = self._game.now()
        if now.game is None or not now.settings.following:
            return
        after = self._game.follows_from()
        for frame in reversed(self._store.frames.latest(LOOKED_BACK)):
            if frame.seq <= after:
                continue
            if frame.state in ("waiting", "reading"):
                self._game.expect(frame.id, is_unread=True)
            else:
                with contextlib.suppress(Trouble):
                    self._follow(frame.id)
        self._lookout.ask()

    def _on_round(self, match: str, number: int) -> None:
        """The round was ended as ever: so is its game; the next round's is followed as well."""
        now = self._game.now()
        if now.game is None or now.settings.match != match:
            return
        kept = self._store.matches.round(match, number)
        is_open = round_of(kept.data).state == "open"
        same = now.settings.round == number
        if same and not is_open and not now.has_ended and kept.frame is not None:
            self._game.finish(kept.frame)
        elif not same and is_open and now.has_ended:
            self._game.set_up(following=True)


@contextlib.contextmanager
def hearing(
    followed: FollowedGame, store: Store, lookout: Lookout, events: LiveEvents
) -> Iterator[Hearing]:
    """Take frames into the game as they are read."""
    found = Hearing(followed, store, lookout)
    thread = threading.Thread(target=found.run, name="tacta-game")
    events.listeners.append(found.hear)
    thread.start()
    try:
        yield found
    finally:
        events.listeners.remove(found.hear)
        found.end()
        thread.join(5)
