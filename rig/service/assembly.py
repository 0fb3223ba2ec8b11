"""The service put together: each thing is made once, and each room is given what it uses."""

import threading
from dataclasses import dataclass
from pathlib import Path

from anyio import CapacityLimiter

from rig.cameras.camera import Camera
from rig.listeners.outbox import Outbox
from rig.service.access.asks import Asks
from rig.service.access.pairing import Pairing
from rig.service.access.parts import AccessParts
from rig.service.backups.backups import Backups
from rig.service.backups.parts import BackupParts
from rig.service.frames.blurring import Blurring
from rig.service.frames.frame_readings import FrameReadings
from rig.service.frames.parts import FrameParts
from rig.service.frames.reader import Reader
from rig.service.frames.reading_queue import ReadingQueue
from rig.service.game.followed_game import FollowedGame
from rig.service.game.parts import GameParts
from rig.service.listeners.parts import ListenerParts
from rig.service.matches.parts import MatchParts
from rig.service.pictures.picture_maker import PictureMaker
from rig.service.pictures.small_picture_maker import SmallPictureMaker
from rig.service.running.again import Again
from rig.service.running.clock import Clock
from rig.service.running.lookout import Lookout
from rig.service.running.settings import ServiceSettings
from rig.service.setup.lens_desk import LensDesk
from rig.service.setup.parts import SetupParts
from rig.service.setup.setup_desk import SetupDesk
from rig.service.state.live_events import LiveEvents
from rig.service.state.meters import Meters
from rig.service.state.parts import StateParts
from rig.store.store import Store
from rig.watcher.table_guard import TableGuard

_LOOKUPS, _CAPTURES = 8, 8


@dataclass(frozen=True, slots=True)
class Outside:
    """What the service is put on, beside its store: in tests other things than on a rig.

    `spare`: a second reader. `pictures`, `bench`: for the page's pictures, and for what takes
    longer. `backups`: the folder for backups on a second disk. `blur`: what lies round the table
    in photos, as long as nobody has chosen.
    """

    reader: Reader
    spare: Reader | None = None
    pictures: PictureMaker | None = None
    bench: PictureMaker | None = None
    camera: Camera | None = None
    guard: TableGuard | None = None
    lookout: Lookout | None = None
    backups: Path | None = None
    blur: bool = False


@dataclass(frozen=True, slots=True)
class Assembly:
    """What each room of the service is given."""

    access: AccessParts
    frames: FrameParts
    matches: MatchParts
    game: GameParts
    setup: SetupParts
    backups: BackupParts
    state: StateParts
    listeners: ListenerParts


def assemble(settings: ServiceSettings, store: Store, outside: Outside) -> Assembly:
    """The service on this store. Whoever calls closes the store and the listeners' outbox."""
    clock, events, meters = Clock(), LiveEvents(), Meters()
    maker, bench = outside.pictures or PictureMaker(), outside.bench or PictureMaker()
    blurring = Blurring(store, maker, events, outside.blur)
    queue = ReadingQueue(
        store, outside.reader, settings.deck, events, meters, blurring, outside.spare
    )
    readings = FrameReadings(store, settings.rules)
    lenses, outbox = LensDesk(store.folder, settings.lens), Outbox(store.folder)
    backups, findings = Backups(store, outside.backups), store.check_up()
    changing = threading.RLock()
    asks = Asks(clock.seconds)
    access = AccessParts(
        settings, store, Pairing(store.phones), asks, events, clock, CapacityLimiter(_LOOKUPS)
    )
    frames = FrameParts(
        store=store,
        queue=queue,
        readings=readings,
        events=events,
        meters=meters,
        camera=outside.camera,
        lookout=outside.lookout or Lookout(),
        lens_for=lenses.lens_for,
        captures=CapacityLimiter(_CAPTURES),
        maker=maker,
        small=SmallPictureMaker(store, maker),
        clock=clock,
        changing=changing,
    )
    matches = MatchParts(
        settings.deck, store, readings, events, outbox, frames, clock, asks, changing
    )
    followed = FollowedGame(store, settings.deck, settings.rules, events, clock)
    game = GameParts(settings.deck, followed, frames, matches, bench)
    setup = SetupParts(
        settings=settings,
        store=store,
        readings=readings,
        setup=SetupDesk(store.folder),
        lenses=lenses,
        maker=maker,
        bench=bench,
        camera=outside.camera,
        guard=outside.guard,
        blurring=blurring,
        again=Again(),
        clock=clock,
    )
    state = StateParts(
        settings=settings,
        store=store,
        queue=queue,
        events=events,
        meters=meters,
        camera=outside.camera,
        guard=outside.guard,
        findings=findings,
        backups=backups,
        access=access,
        frames=frames,
        matches=matches,
    )
    return Assembly(
        access,
        frames,
        matches,
        game,
        setup,
        BackupParts(store, backups, findings, events, queue, blurring, changing),
        state,
        ListenerParts(
            settings, store, readings, events, outbox, outside.camera, matches, clock, followed
        ),
    )
