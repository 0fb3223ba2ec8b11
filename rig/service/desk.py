"""The rig's desk: everything a request needs, in one value that the routes are given."""

from __future__ import annotations

import struct
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, cast

from anyio import CapacityLimiter

from geometry.layout import Layout
from geometry.rules import Rules
from geometry.showing import visible_dots
from rig.cameras.camera import Camera
from rig.corrections.answers import Answer, asked_once, called
from rig.corrections.applied import CorrectedTable, apply
from rig.corrections.kinds import correction_of
from rig.corrections.replay import Replayed, replay
from rig.corrections.rulings import doubt_key
from rig.corrections.trouble import CorrectionRefused, DoubtGone
from rig.listeners.outbox import Outbox
from rig.photo import PhotoDamaged
from rig.photo_privacy import without_private_parts
from rig.rounds.match import rules_of_round
from rig.rounds.rounds_json import match_of
from rig.service.backups import Backups
from rig.service.blurring import Blurring
from rig.service.lens_desk import LensDesk
from rig.service.live_events import LiveEvents
from rig.service.lookout import Lookout
from rig.service.meters import Meters
from rig.service.pairing import Pairing
from rig.service.picture_maker import MakerHere, PictureMaker
from rig.service.reading_queue import ReadingQueue
from rig.service.settings import ServiceSettings
from rig.service.setup_desk import SetupDesk
from rig.service.small_picture_maker import SmallPictureMaker
from rig.service.trouble import NotRead
from rig.store.checkup import Finding
from rig.store.corrections import KeptCorrection
from rig.store.frames import Frame
from rig.store.seen_json import deck_of, seen_of
from rig.store.store import Store
from rig.watcher.table_guard import TableGuard
from vision.reading import Doubt, SeenTable

READINGS_KEPT = 24
SUMMARIES_KEPT = 2000
ANSWERS_S = 1.0
"""Of a thread's processor time, in which answers to a reading's doubts are worked out before it is
shown; those of other doubts once somebody asks for them."""


@dataclass(frozen=True, slots=True)
class Read:
    """A frame's reading as it stands now, and what it stands on."""

    frame: Frame
    rules: Rules
    corrections: list[KeptCorrection]
    replayed: Replayed

    @property
    def idle(self) -> list[int]:
        """The ids of the corrections that find no hold any more."""
        standing = [kept for kept in self.corrections if kept.undone_by is None]
        return [standing[place].id for place in self.replayed.idle]


@dataclass(frozen=True, slots=True)
class Summary:
    """What a frame came to, in a few figures; `open`: doubts and illegal cards left to answer."""

    scores: Mapping[str, int]
    sure: bool
    open: int
    dots: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Colour -> kind of shape -> dots that show."""
    illegal: Mapping[str, int] = field(default_factory=dict)
    """Colour -> illegal cards."""


@dataclass(slots=True)
class Again:
    """Serving again from the start, with what has been chosen meanwhile. `stop` ends this run."""

    is_asked: bool = False
    stop: Callable[[], None] = lambda: None

    def ask(self) -> None:
        """Once what is being answered has been answered."""
        self.is_asked = True
        self.stop()


@dataclass(frozen=True, slots=True)
class Desk:
    """The store, the reader, the camera with its lens and its table's guard, the live events.

    `findings`: what was found at start; what takes longer to find is added meanwhile.
    `changing` is held while a frame's corrections or a round change, so that
    nobody signs a score that another phone is just correcting. `lookups`, `captures`:
    threads of their own for who asks, and for whoever waits for the camera. `bench`: where
    what takes longer than a picture of the page is done, beside `maker`. `blurring`: of what lies
    round the table in photos, while that is wished.
    """

    settings: ServiceSettings
    store: Store
    queue: ReadingQueue
    events: LiveEvents
    meters: Meters
    pairing: Pairing
    lenses: LensDesk
    outbox: Outbox
    blurring: Blurring
    camera: Camera | None = None
    guard: TableGuard | None = None
    lookout: Lookout = field(default_factory=Lookout)
    findings: list[Finding] = field(default_factory=list)
    backups: Backups = field(default=cast("Backups", None))
    maker: PictureMaker = field(default=cast("PictureMaker", None))
    small: SmallPictureMaker = field(default=cast("SmallPictureMaker", None))
    bench: PictureMaker = field(default_factory=MakerHere)
    setup: SetupDesk = field(default=cast("SetupDesk", None))
    again: Again = field(default_factory=Again)
    clock: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))
    lookups: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(8))
    captures: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(8))
    changing: threading.RLock = field(default_factory=threading.RLock)
    _readings: OrderedDict[tuple[str, int, Rules], Read] = field(default_factory=OrderedDict)
    _summaries: OrderedDict[tuple[str, int, Rules], Summary] = field(default_factory=OrderedDict)
    _readings_lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        """What nobody gave is made plainly: pictures in this process, backups beside the photos."""
        made = {
            "backups": Backups(self.store),
            "maker": MakerHere(),
            "setup": SetupDesk(self.store.folder),
        }
        for name, value in made.items():
            if getattr(self, name) is None:
                object.__setattr__(self, name, value)
        if getattr(self, "small") is None:  # noqa: B009 - never None by its type
            object.__setattr__(self, "small", SmallPictureMaker(self.store, self.maker))

    def now(self) -> str:
        """The time as it is written down: UTC, ISO 8601, to the millisecond."""
        return self.clock().astimezone(UTC).isoformat(timespec="milliseconds")[:-6] + "Z"

    def clean(self, data: bytes, kind: str, name: str) -> bytes:
        """A photo without what tells on people. PhotoTrouble."""
        parts = self.maker.make("metadata", data, name) if kind == "heic" else ()
        try:
            return without_private_parts(data, kind, name, parts)
        except (struct.error, ValueError, IndexError) as error:
            raise PhotoDamaged(name=name) from error

    def lens_for(self, size_wh: tuple[int, int]) -> Mapping[str, Any] | None:
        """The lens file's values for the camera's pictures of this size, if there are any.

        What the service was started with goes before what was calibrated on the page.
        """
        return self.settings.lens or self.lenses.kept.for_picture(size_wh)

    def read(self, frame: str, rules: Rules | None = None) -> Read:
        """A frame's reading with its corrections. NotRead if there is none."""
        kept = self.store.frames.get(frame)
        rules = rules_for(self.store, frame, self.settings.rules) if rules is None else rules
        key = (frame, kept.version, rules)
        with self._readings_lock:
            if key in self._readings:
                self._readings.move_to_end(key)
                return self._readings[key]
        read = read_frame(self.store, kept, rules)
        with self._readings_lock:
            self._readings[key] = read
            while len(self._readings) > READINGS_KEPT:
                self._readings.popitem(last=False)
        return read

    def summary(self, frame: Frame) -> Summary | None:
        """What a frame came to, for a list; None if it is not read."""
        rules = rules_for(self.store, frame.id, self.settings.rules)
        key = (frame.id, frame.version, rules)
        with self._readings_lock:
            if key in self._summaries:
                return self._summaries[key]
        try:
            found = _summary(self.read(frame.id, rules))
        except NotRead:
            return None
        with self._readings_lock:
            self._summaries[key] = found
            while len(self._summaries) > SUMMARIES_KEPT:
                self._summaries.popitem(last=False)
        return found

    def answers(self, read: Read, key: str) -> tuple[Doubt, tuple[Answer, ...]]:
        """What the doubt of this key may turn out to be, all worked out. DoubtGone."""
        replayed = read.replayed
        if key in replayed.unjudged:
            return asked_once(self.table(read), key)
        for doubt, answers in zip(replayed.reading.doubts, replayed.answers, strict=True):
            if doubt_key(doubt) == key:
                return doubt, answers
        raise DoubtGone

    def placement(self, read: Read, card: int) -> tuple[Answer, ...]:
        """What may be answered to this illegal placement. DoubtGone."""
        known = read.replayed.placements.get(card)
        return called(self.table(read), card) if known is None else known

    def table(self, read: Read) -> CorrectedTable:
        """The table after the corrections that stand, ready for one more."""
        seen = seen_in(self.store, read.frame.id)
        table = CorrectedTable(seen, seen, read.rules)
        for kept in read.corrections:
            if kept.undone_by is None:
                try:
                    table = apply(correction_of(kept.data), table)
                except CorrectionRefused:
                    continue
        return table


def _summary(read: Read) -> Summary:
    reading, agreed = read.replayed.reading, read.replayed.agreed
    left = [item for item in reading.illegal if item.card not in agreed]
    return Summary(
        reading.scores_without_illegal,
        reading.sure_without_illegal,
        len(reading.doubts) + len(left),
        dots_by_shape(reading.seen.layout),
        Counter(reading.seen.layout.card(item.card).colour for item in reading.illegal),
    )


def dots_by_shape(layout: Layout) -> dict[str, dict[str, int]]:
    """The visible dots of each colour by the kind of shape that they lie in."""
    found: dict[str, Counter[str]] = {}
    visible = visible_dots(layout)
    for card in layout.cards:
        kinds = [s.kind for s in layout.deck.face(card.face).shapes for _ in s.dots_mm]
        shown = [kind for kind, shows in zip(kinds, visible[card.id], strict=True) if shows]
        found.setdefault(card.colour, Counter()).update(shown)
    return {colour: dict(count) for colour, count in found.items()}


def rules_for(store: Store, frame: str, usual: Rules) -> Rules:
    """What a frame's placements are judged by: its round's rules, else the usual ones."""
    rounds = store.matches.rounds_of_frame(frame)
    if not rounds:
        return usual
    match = match_of(store.matches.get(rounds[-1].match).data)
    return rules_of_round(match.way, rounds[-1].number)


def read_frame(store: Store, frame: Frame, rules: Rules) -> Read:
    """A frame's reading, replayed from what was seen and the corrections that stand."""
    corrections = store.corrections.of(frame.id)
    standing = [correction_of(kept.data) for kept in corrections if kept.undone_by is None]
    ends_s = time.thread_time() + ANSWERS_S
    replayed = replay(
        seen_in(store, frame.id), standing, rules, lambda: time.thread_time() > ends_s
    )
    return Read(frame, rules, corrections, replayed)


def seen_in(store: Store, frame: str) -> SeenTable:
    """What the pixels said, before any correction. NotRead if nothing was read."""
    texts = store.frames.seen(frame)
    if texts is None:
        raise NotRead(frame=frame)
    return seen_of(texts[0], deck_of(texts[1]))
