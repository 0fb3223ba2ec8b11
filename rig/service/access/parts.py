"""What the routes of access are given, and whoever asks who asks."""

from dataclasses import dataclass

from anyio import CapacityLimiter

from rig.service.access.asks import Asks
from rig.service.access.pairing import Pairing
from rig.service.http.web import parts_of
from rig.service.running.clock import Clock
from rig.service.running.settings import ServiceSettings
from rig.service.state.live_events import LiveEvents
from rig.store.store import Store


@dataclass(frozen=True, slots=True)
class AccessParts:
    """`lookups`: threads of their own for who asks, who then never waits behind others' work."""

    settings: ServiceSettings
    store: Store
    pairing: Pairing
    asks: Asks
    events: LiveEvents
    clock: Clock
    lookups: CapacityLimiter


access_parts = parts_of("access", AccessParts)
