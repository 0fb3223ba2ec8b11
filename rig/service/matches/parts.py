"""What the routes of matches and rounds are given."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from geometry.deck import Deck
from rig.listeners.outbox import Outbox
from rig.service.access.asks import Asks
from rig.service.frames.frame_readings import FrameReadings
from rig.service.frames.parts import FrameParts
from rig.service.http.web import parts_of
from rig.service.running.clock import Clock
from rig.service.state.live_events import LiveEvents
from rig.store.store import Store


@dataclass(frozen=True, slots=True)
class MatchParts:
    """`frames`: for the picture that ends a round. `changing` is that of the frames."""

    deck: Deck
    store: Store
    readings: FrameReadings
    events: LiveEvents
    outbox: Outbox
    frames: FrameParts
    clock: Clock
    asks: Asks
    changing: threading.RLock

    @contextmanager
    def change(self) -> Iterator[None]:
        """One change of matches and rounds: what it looked at stays so until it is kept, and all
        of it is kept or nothing. Nothing else is written meanwhile, so it does not wait in it.
        """
        with self.changing, self.store.database.transaction():
            yield


match_parts = parts_of("matches", MatchParts)
