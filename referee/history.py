"""A followed game as the steps that made it: readings, and what people said of them.

Pure. What is known is what the steps come to, so that one event is corrected, and everything after
it judged again, by going through the later steps once more.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from geometry.deck import Deck
from geometry.rules import Rules
from referee.events import Event, Note
from referee.following import Following, begin, follow
from referee.known_table import Name
from referee.placing import placed, statuses
from referee.said import reason_of
from referee.target import target_px
from referee.turn_clock import Taken, TurnClock, timed
from vision.reading import Corners, Reading
from vision.reason import Reason

QUIET = ("nothing", "waiting")
"""Kinds of events that say nothing of a card, and are no part of the round."""


@dataclass(frozen=True, slots=True)
class ReadAt:
    """A reading of the table at rest; `reading` None where the picture could not be read.

    `frame` and `picture`: the frame's id, and its name. `taken`: when that was, and how long a turn
    might last then.
    """

    frame: str
    picture: str
    reading: Reading | None
    taken: Taken = field(default_factory=Taken)


@dataclass(frozen=True, slots=True)
class Named:
    """A person said which card the one with this id is."""

    card: int
    name: Name
    by: str


@dataclass(frozen=True, slots=True)
class Ruled:
    """A person ruled that an illegal card stays, or that it does not."""

    card: int
    stays: bool
    by: str


@dataclass(frozen=True, slots=True)
class Playing:
    """Who plays: their colours in the order of turns."""

    players: tuple[str, ...]


Step = ReadAt | Named | Ruled | Playing


@dataclass(frozen=True, slots=True)
class Told:
    """An event as people are told of it, in the picture of `frame`.

    `reason`: the sentence. `target_px`: where the card should lie to be legal, in that picture;
    None where it lies well or no such place is near.
    """

    event: Event
    frame: str
    picture: str
    reason: Reason
    target_px: Corners | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A step, what happened by it as it is judged today, and what is known after it."""

    step: Step
    told: tuple[Told, ...]
    following: Following
    clock: TurnClock = field(default_factory=TurnClock)


@dataclass(frozen=True, slots=True)
class History:
    """A game so far. `names`: card id -> the name that a person gave it, and who; `rulings`:
    card id -> who ruled that it stays.
    """

    start: Following
    entries: tuple[Entry, ...] = ()
    names: Mapping[int, tuple[Name, str]] = field(default_factory=dict)
    rulings: Mapping[int, str] = field(default_factory=dict)

    @property
    def following(self) -> Following:
        """What is known after the last step."""
        return self.entries[-1].following if self.entries else self.start

    @property
    def clock(self) -> TurnClock:
        """Since when the present turn lasts."""
        return self.entries[-1].clock if self.entries else TurnClock()

    @property
    def last_read(self) -> ReadAt | None:
        """The newest reading of a table at rest."""
        for entry in reversed(self.entries):
            if isinstance(entry.step, ReadAt) and entry.following.at_rest:
                return entry.step
        return None


def begun(deck: Deck, rules: Rules, players: Sequence[str] = ()) -> History:
    """A game of which nothing is known yet."""
    return History(begin(deck, rules, players))


def replayed(deck: Deck, rules: Rules, players: Sequence[str], steps: Iterable[Step]) -> History:
    """The game that these steps made, as if they were done one after the other."""
    history = begun(deck, rules, players)
    for step in steps:
        history = done(history, step)
    return history


def done(history: History, step: Step) -> History:
    """The game after one more step.

    After `Named` the earlier entries from that card's laying on are judged again, and the step's
    own events are `corrected` ones: of each card that was said otherwise before.
    """
    if isinstance(step, ReadAt):
        return _with(history, _read(history.following, history.clock, step, history.names))
    if isinstance(step, Playing):
        now = replace(history.following, players=step.players)
        return _with(history, Entry(step, (), now, history.clock))
    if isinstance(step, Ruled):
        others = {card: by for card, by in history.rulings.items() if card != step.card}
        rulings = {**others, step.card: step.by} if step.stays else others
        entry = Entry(step, (), history.following, history.clock)
        return replace(_with(history, entry), rulings=rulings)
    return _renamed(history, step)


def _with(history: History, entry: Entry) -> History:
    return replace(history, entries=(*history.entries, entry))


def _read(
    following: Following, clock: TurnClock, step: ReadAt, names: Mapping[int, tuple[Name, str]]
) -> Entry:
    events, after = follow(following, step.reading)
    laid = [one.card.id for one in events if one.kind == "laid" and one.card is not None]
    if set(laid) & set(names):
        events, after = _with_names(events, after, laid, names)
    events, clock = timed(clock, step.taken, events, following, after)
    told = tuple(_told(one, step, after) for one in events)
    return Entry(step, told, after, clock)


def _with_names(
    events: tuple[Event, ...],
    after: Following,
    laid: Sequence[int],
    names: Mapping[int, tuple[Name, str]],
) -> tuple[tuple[Event, ...], Following]:
    """The events and the table after them with the names that people gave the cards just laid."""
    table = after.table
    for card_id in laid:
        if card_id in names:
            table = table.with_card(
                replace(table.card(card_id), name=names[card_id][0], named=True)
            )
    there = {one.id for one in table.cards}
    judged = [
        placed(table, after.rules, table.card(one.card.id), replace(one, sure=_sure(one, names)))
        if one.card is not None and one.card.id in there
        else one
        for one in events
    ]
    return tuple(judged), replace(after, table=table, said=statuses(table, after.rules))


def _sure(event: Event, names: Mapping[int, tuple[Name, str]]) -> bool:
    return event.sure or (event.card is not None and event.card.id in names)


def _told(event: Event, step: ReadAt, after: Following) -> Told:
    table, card = after.table, event.card
    target = None
    if card is not None and event.status in ("illegal", "borderline"):
        target = target_px(table, card, after.rules)
    return Told(event, step.frame, step.picture, reason_of(event, table, after.rules), target)


def _renamed(history: History, step: Named) -> History:
    names = {**history.names, step.card: (step.name, step.by)}
    place = _laid_at(history, step.card)
    entries = history.entries[:place]
    now = replace(history, entries=entries)
    for entry in history.entries[place:]:
        now = _with(now, _again(entry, now, names))
    later = now.entries[place:]
    told = tuple(_changed(history.entries[place:], later, now.following))
    return replace(_with(now, Entry(step, told, now.following, now.clock)), names=names)


def _laid_at(history: History, card: int) -> int:
    """The place of the entry in which a card was laid. KeyError if there was no such card."""
    for place, entry in enumerate(history.entries):
        for one in entry.told:
            if (
                one.event.kind == "laid"
                and one.event.card is not None
                and one.event.card.id == card
            ):
                return place
    raise KeyError(card)


def _again(entry: Entry, before: History, names: Mapping[int, tuple[Name, str]]) -> Entry:
    following, clock = before.following, before.clock
    if isinstance(entry.step, ReadAt):
        return _read(following, clock, entry.step, names)
    if isinstance(entry.step, Playing):
        following = replace(following, players=entry.step.players)
    return replace(entry, following=following, clock=clock)


def _changed(old: Sequence[Entry], new: Sequence[Entry], after: Following) -> Iterable[Told]:
    """What is said otherwise once these entries were judged again, a `corrected` event a card."""
    said, says = _last_said(old), _last_said(new)
    for card_id, told in says.items():
        before, event = said.get(card_id), told.event
        if before is None or event.card is None or before.event.card is None:
            continue
        was, name = before.event.card.name, event.card.name
        if (was, _verdict(before.event)) == (name, _verdict(event)):
            continue
        notes: tuple[Note, ...] = ("judged_again",) if was == name else ()
        corrected = replace(event, kind="corrected", was=was, notes=notes, late_s=None)
        reason = reason_of(corrected, after.table, after.rules)
        yield replace(told, event=corrected, reason=reason)


def _verdict(event: Event) -> tuple[object, ...]:
    return event.status, event.rule


def _last_said(entries: Iterable[Entry]) -> dict[int, Told]:
    """What was said last of each card's name and placement, by its id."""
    said = {}
    for entry in entries:
        for told in entry.told:
            if told.event.card is not None and told.event.kind in ("laid", "corrected", "moved"):
                said[told.event.card.id] = told
    return said
