"""What the routes of the setup and of the lens are given."""

from dataclasses import dataclass

from rig.cameras.camera import Camera
from rig.service.frames.blurring import Blurring
from rig.service.frames.frame_readings import FrameReadings
from rig.service.http.web import parts_of
from rig.service.pictures.picture_maker import PictureMaker
from rig.service.running.again import Again
from rig.service.running.clock import Clock
from rig.service.running.settings import ServiceSettings
from rig.service.setup.lens_desk import LensDesk
from rig.service.setup.setup_desk import SetupDesk
from rig.store.store import Store
from rig.watcher.table_guard import TableGuard


@dataclass(frozen=True, slots=True)
class SetupParts:
    """`bench`: where what takes longer than a picture of the page is done, beside `maker`.

    `blurring`: of what lies round the table in photos, while that is wished.
    """

    settings: ServiceSettings
    store: Store
    readings: FrameReadings
    setup: SetupDesk
    lenses: LensDesk
    maker: PictureMaker
    bench: PictureMaker
    camera: Camera | None
    guard: TableGuard | None
    blurring: Blurring
    again: Again
    clock: Clock


setup_parts = parts_of("setup", SetupParts)
