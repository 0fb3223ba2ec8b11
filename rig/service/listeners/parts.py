"""What the routes of the listeners are given, and whoever tells them."""

from dataclasses import dataclass

from rig.cameras.camera import Camera
from rig.listeners.outbox import Outbox
from rig.service.frames.frame_readings import FrameReadings
from rig.service.game.followed_game import FollowedGame
from rig.service.http.web import parts_of
from rig.service.matches.parts import MatchParts
from rig.service.running.clock import Clock
from rig.service.running.settings import ServiceSettings
from rig.service.state.live_events import LiveEvents
from rig.store.store import Store


@dataclass(frozen=True, slots=True)
class ListenerParts:
    """`matches`: to say what a round came to; `game`: what happens in the one that is followed."""

    settings: ServiceSettings
    store: Store
    readings: FrameReadings
    events: LiveEvents
    outbox: Outbox
    camera: Camera | None
    matches: MatchParts
    clock: Clock
    game: FollowedGame


listener_parts = parts_of("listeners", ListenerParts)
