"""What the routes of frames and their corrections are given."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from anyio import CapacityLimiter

from rig.cameras.camera import Camera
from rig.service.frames.frame_readings import FrameReadings
from rig.service.frames.reading_queue import ReadingQueue
from rig.service.http.web import parts_of
from rig.service.pictures.picture_maker import PictureMaker
from rig.service.pictures.small_picture_maker import SmallPictureMaker
from rig.service.running.clock import Clock
from rig.service.running.lookout import Lookout
from rig.service.state.live_events import LiveEvents
from rig.service.state.meters import Meters
from rig.store.store import Store


@dataclass(frozen=True, slots=True)
class FrameParts:
    """`lens_for`: the lens file's values for the camera's pictures of this size (width, height).

    `captures`: threads for whoever waits for the camera. `changing` is held while a frame's
    corrections or a round change, so that nobody signs a score that another phone is just
    correcting.
    """

    store: Store
    queue: ReadingQueue
    readings: FrameReadings
    events: LiveEvents
    meters: Meters
    camera: Camera | None
    lookout: Lookout
    lens_for: Callable[[tuple[int, int]], Mapping[str, Any] | None]
    captures: CapacityLimiter
    maker: PictureMaker
    small: SmallPictureMaker
    clock: Clock
    changing: threading.RLock


frame_parts = parts_of("frames", FrameParts)
