"""What the routes of the state are given."""

from dataclasses import dataclass

from rig.cameras.camera import Camera
from rig.service.access.parts import AccessParts
from rig.service.backups.backups import Backups
from rig.service.frames.parts import FrameParts
from rig.service.frames.reading_queue import ReadingQueue
from rig.service.http.web import parts_of
from rig.service.matches.parts import MatchParts
from rig.service.running.settings import ServiceSettings
from rig.service.state.live_events import LiveEvents
from rig.service.state.meters import Meters
from rig.store.checkup import Finding
from rig.store.store import Store
from rig.watcher.table_guard import TableGuard


@dataclass(frozen=True, slots=True)
class StateParts:
    """`findings`: what was found at start; what takes longer to find is added meanwhile.

    `access`, `frames` and `matches`: to say who may listen, and to show the newest of each.
    """

    settings: ServiceSettings
    store: Store
    queue: ReadingQueue
    events: LiveEvents
    meters: Meters
    camera: Camera | None
    guard: TableGuard | None
    findings: list[Finding]
    backups: Backups
    access: AccessParts
    frames: FrameParts
    matches: MatchParts


state_parts = parts_of("state", StateParts)
