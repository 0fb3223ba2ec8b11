"""Photos on their way from the store through a reader and back, one after the other.

One queue, two lanes: a photo that takes long keeps its own, and the others go through the spare
reader, if there is one, until it is done. Each reader is a process that can be killed.
"""

import asyncio
import contextlib
import time
from concurrent.futures import ThreadPoolExecutor

from geometry.deck import Deck
from rig.processes.killable import Stopped
from rig.service.frames.blurring import Blurring
from rig.service.frames.reader import Job, Outcome, Reader, SeenText, Unread, failed, too_hard
from rig.service.state.live_events import LiveEvents
from rig.service.state.meters import Meters
from rig.store.frame import Frame, FrameState
from rig.store.seen_json import deck_digest, deck_text
from rig.store.store import Store
from rig.store.trouble import FrameUnknown, StoreFull, StoreReadOnly, StoreTrouble, StoreUnusable
from rig.trouble import Trouble

SLOW_S = 1.0
"""A reading that lasts longer is slow: the next photo goes through the spare reader."""
STAGES = {"rectify": "table_found", "report": "cards_found"}
"""The reader's stages that mean something to people, as a stage begins."""
AGAIN_S = 10.0
"""What could not be kept, for want of room or of a disk, is tried again after this."""
MOST_TRIES = 3
"""So often a frame may be being read when the rig stops; after that it is to blame."""


class ReadingQueue:
    """Reads the frames that wait. Every method but `close` belongs to the event loop's thread."""

    def __init__(
        self,
        store: Store,
        reader: Reader,
        deck: Deck,
        events: LiveEvents,
        meters: Meters,
        blurring: Blurring,
        spare: Reader | None = None,
    ) -> None:
        self._store = store
        self._readers = [reader, *([] if spare is None else [spare])]
        self._deck = deck_text(deck)
        self._events = events
        self._meters = meters
        self._blurring = blurring
        self._waiting: asyncio.Queue[str] = asyncio.Queue()
        self._order: list[str] = []
        self._done: dict[str, list[asyncio.Future[Outcome]]] = {}
        self._unkept: dict[str, Outcome] = {}
        self._threads = [
            ThreadPoolExecutor(1, thread_name_prefix=f"tacta-reading-{lane}")
            for lane in range(len(self._readers))
        ]

    @property
    def length(self) -> int:
        """How many frames wait."""
        return self._waiting.qsize()

    def place(self, frame: str) -> int | None:
        """How many photos are read before this one, itself included; None: it does not wait."""
        order = list(self._order)
        return order.index(frame) + 1 if frame in order else None

    def add(self, frame: str) -> asyncio.Future[Outcome]:
        """Have a frame read, once however often it is asked; the future holds what came of it."""
        done: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        listeners = self._done.setdefault(frame, [])
        listeners.append(done)
        if len(listeners) == 1:
            self._order.append(frame)
            self._waiting.put_nowait(frame)
        return done

    async def run(self) -> None:
        """Read for ever, what was left unread before first."""
        loop = asyncio.get_running_loop()
        for frame in await loop.run_in_executor(None, self._left_over):
            self.add(frame)
        free: asyncio.Queue[int] = asyncio.Queue()
        free.put_nowait(0)
        spare = list(range(1, len(self._readers)))
        under_way: set[asyncio.Task[None]] = set()
        try:
            while True:
                frame = await self._waiting.get()
                try:
                    async with asyncio.timeout(SLOW_S if spare else None):
                        lane = await free.get()
                except TimeoutError:
                    lane = spare.pop()
                self._order.remove(frame)
                task = asyncio.create_task(self._read_in(lane, frame, free))
                for beside in (task, asyncio.create_task(self._ready_the_spare(task))):
                    under_way.add(beside)
                    beside.add_done_callback(under_way.discard)
        finally:
            for task in under_way:
                task.cancel()

    async def _ready_the_spare(self, reading: asyncio.Task[None]) -> None:
        """Start the spare reader as soon as a reading is slow, before another photo needs it."""
        await asyncio.wait({reading}, timeout=SLOW_S)
        if not reading.done() and len(self._readers) > 1:
            await self._start(1)

    async def _read_in(self, lane: int, frame: str, free: asyncio.Queue[int]) -> None:
        loop = asyncio.get_running_loop()
        try:
            outcome = await loop.run_in_executor(self._threads[lane], self._read, frame, lane)
        except (StoreFull, StoreUnusable, StoreReadOnly) as error:
            self._finish(frame, error)
            loop.call_later(AGAIN_S, self.add, frame)
        except Exception as error:  # noqa: BLE001 - whoever waits for the frame is told
            self._finish(frame, error)
        else:
            self._finish(frame, outcome)
        finally:
            free.put_nowait(lane)

    def _left_over(self) -> list[str]:
        """What was left unread, but for frames that the rig has fallen over too often."""
        with contextlib.suppress(StoreTrouble):  # they wait, and are tried when they can be kept
            for frame in self._store.frames.tried(MOST_TRIES):
                hard = too_hard(frame.name, f"the rig stopped {MOST_TRIES} times while reading it")
                self._say_unread(frame.id, hard)
        return self._store.frames.unread()

    def add_left_over_soon(self) -> None:
        """Have what is unread read, from any thread: a backup may have brought some."""
        loop, frames = self._events.loop, self._store.frames.unread()
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(lambda: [self.add(frame) for frame in frames])

    async def start_reader(self) -> None:
        """Have the reader get ready; one that cannot says so with the first photo."""
        await self._start(0)

    async def _start(self, lane: int) -> None:
        with contextlib.suppress(OSError, Stopped):
            start = self._readers[lane].start
            await asyncio.get_running_loop().run_in_executor(self._threads[lane], start)

    def _finish(self, frame: str, outcome: Outcome | Exception) -> None:
        for done in self._done.pop(frame, []):
            if done.done():  # its request has gone away
                continue
            if isinstance(outcome, Exception):
                done.set_exception(outcome)
                done.exception()  # nobody need be waiting
            else:
                done.set_result(outcome)

    def _read(self, frame_id: str, lane: int) -> Outcome:
        """In the reading thread: read one frame and keep what came of it."""
        frames = self._store.frames
        frame = frames.get(frame_id)
        if frame_id not in self._unkept:
            frames.begin_reading(frame_id)
        self._events.tell_soon("frame-progress", frame=frame_id, stage="captured")
        outcome = self._unkept.pop(frame_id, None) or self._timed_outcome(frame, lane)
        try:
            self._keep(frame_id, outcome)
        except (StoreFull, StoreUnusable, StoreReadOnly):
            self._unkept = {frame_id: outcome}  # the reading is not done again
            raise
        return outcome

    def _timed_outcome(self, frame: Frame, lane: int) -> Outcome:
        begun = time.monotonic()
        outcome = self._outcome(frame, lane)
        self._meters.count("tacta_reading_seconds_total", time.monotonic() - begun)
        return outcome

    def _keep(self, frame_id: str, outcome: Outcome) -> None:
        """Keep what came of a frame, and tell it. StoreFull, StoreUnusable."""
        frames = self._store.frames
        if isinstance(outcome, SeenText):
            picture = self._blurring.blurred(frames.get(frame_id), outcome.text, self._deck)
            digest = deck_digest(self._deck)
            frames.set_seen(frame_id, outcome.text, self._deck, digest, picture)
            self._events.tell_soon("frame-progress", frame=frame_id, stage="scored")
            self._events.tell_soon("frame-read", frame=frame_id)
            self._meters.count("tacta_readings_total", outcome="read")
            return
        self._say_unread(frame_id, outcome)

    def _say_unread(self, frame_id: str, outcome: Unread) -> None:
        trouble = {"key": outcome.key, "facts": dict(outcome.facts), "sentence": outcome.sentence}
        state: FrameState = "not_seen" if outcome.not_seen else "failed"
        self._store.frames.set_state(frame_id, state, trouble)
        self._events.tell_soon("frame-unread", frame=frame_id, code=outcome.key)
        self._meters.count("tacta_readings_total", outcome=state)

    def _outcome(self, frame: Frame, lane: int) -> Outcome:
        job = Job(self._store.frames.path(frame), frame.name, frame.lens)

        def on_stage(stage: str) -> None:
            if stage in STAGES:
                self._events.tell_soon("frame-progress", frame=frame.id, stage=STAGES[stage])

        try:
            return self._readers[lane].read(job, on_stage)
        except (FrameUnknown, Trouble, Stopped):
            raise
        except Exception as error:  # noqa: BLE001 - a reader's fault must not stop the queue
            return failed(frame.name, " ".join(f"{type(error).__name__}: {error}".split())[:200])

    def close(self) -> None:
        """Stop the readers; a frame that is being read is read again at the next start."""
        for reader, thread in zip(self._readers, self._threads, strict=True):
            with contextlib.suppress(OSError):
                reader.close()
            thread.shutdown(wait=False, cancel_futures=True)
