"""Frames' readings with the corrections that stand, and what has been worked out of them, kept."""

import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field

from geometry.layout import Layout
from geometry.rules import Rules
from geometry.showing import visible_dots
from referee.corrections.answers import Answer, called
from referee.corrections.applied import CorrectedTable, apply
from referee.corrections.in_play import asked_once_in_play
from referee.corrections.kinds import correction_of
from referee.corrections.misfits import CorrectionRefused, DoubtGone
from referee.corrections.replay import Replayed, replay
from referee.corrections.rulings import doubt_key
from referee.rounds.match import rules_of_round
from referee.rounds.rounds_json import match_of
from rig.service.http.trouble import NotRead
from rig.store.corrections import KeptCorrection
from rig.store.frame import Frame
from rig.store.joint_seen import Joint, joint_of
from rig.store.seen_json import deck_of, seen_of
from rig.store.store import Store
from rig.store.trouble import MatchUnknown, RowUnreadable
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
    joint: Joint | None = None
    """With which frames it was read as one."""

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


class FrameReadings:
    """The newest readings and what they came to, kept until a frame changes. Any thread may ask.

    `usual`: what placements are judged by where a frame ends no round.
    """

    def __init__(self, store: Store, usual: Rules) -> None:
        self._store = store
        self._usual = usual
        self._readings: OrderedDict[tuple[str, int, Rules], Read] = OrderedDict()
        self._summaries: OrderedDict[tuple[str, int, Rules], Summary] = OrderedDict()
        self._lock = threading.Lock()

    def read(self, frame: str, rules: Rules | None = None) -> Read:
        """A frame's reading with its corrections. NotRead if there is none."""
        kept = self._store.frames.get(frame)
        rules = rules_for(self._store, frame, self._usual) if rules is None else rules
        key = (frame, kept.version, rules)
        with self._lock:
            if key in self._readings:
                self._readings.move_to_end(key)
                return self._readings[key]
        read = read_frame(self._store, kept, rules)
        with self._lock:
            self._readings[key] = read
            while len(self._readings) > READINGS_KEPT:
                self._readings.popitem(last=False)
        return read

    def summary(self, frame: Frame) -> Summary | None:
        """What a frame came to, for a list; None if it is not read."""
        try:
            rules = rules_for(self._store, frame.id, self._usual)
        except (MatchUnknown, RowUnreadable):
            return None
        key = (frame.id, frame.version, rules)
        with self._lock:
            if key in self._summaries:
                return self._summaries[key]
        try:
            found = _summary(self.read(frame.id, rules))
        except (NotRead, RowUnreadable):
            return None
        with self._lock:
            self._summaries[key] = found
            while len(self._summaries) > SUMMARIES_KEPT:
                self._summaries.popitem(last=False)
        return found

    def answers(self, read: Read, key: str) -> tuple[Doubt, tuple[Answer, ...]]:
        """What the doubt of this key may turn out to be, all worked out. DoubtGone."""
        replayed = read.replayed
        if key in replayed.unjudged:
            return asked_once_in_play(self.table(read), key)
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
        seen = seen_in(self._store, read.frame.id)
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
    return Read(frame, rules, corrections, replayed, _joint(store, frame.id))


def _joint(store: Store, frame: str) -> Joint | None:
    texts = store.frames.seen(frame)
    return None if texts is None else joint_of(texts[0])


def seen_in(store: Store, frame: str) -> SeenTable:
    """What the pixels said, before any correction. NotRead if nothing was read, RowUnreadable."""
    texts = store.frames.seen(frame)
    if texts is None:
        raise NotRead(frame=frame)
    seen, deck = texts

    def made() -> SeenTable:
        return seen_of(seen, deck_of(deck))

    return store.readable.made("frames", frame, made)
