"""What the routes of backups are given."""

import threading
from dataclasses import dataclass

from rig.service.backups.backups import Backups
from rig.service.frames.blurring import Blurring
from rig.service.frames.reading_queue import ReadingQueue
from rig.service.http.web import parts_of
from rig.service.state.live_events import LiveEvents
from rig.store.checkup import Finding
from rig.store.store import Store


@dataclass(frozen=True, slots=True)
class BackupParts:
    """`findings` are found anew after a restore, which brings frames to read and to blur."""

    store: Store
    backups: Backups
    findings: list[Finding]
    events: LiveEvents
    queue: ReadingQueue
    blurring: Blurring
    changing: threading.RLock


backup_parts = parts_of("backups", BackupParts)
