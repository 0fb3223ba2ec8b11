"""The referee's state machine: from the known table and the next reading to what happened.

Pure: no clock, no disk, no picture. A reading says what one picture shows; what it cannot see, or
sees worse than an earlier one did, is known from before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from geometry.deck import Deck
from geometry.rules import Rules
from referee.changes import MOST_WAITS, Changes, Unsettled, changes, is_other_table
from referee.events import Event, Note
from referee.interpretation.colours_by_turn import (
    ByTurn,
    Picture,
    recoloured,
    told_by_turns,
    with_colours,
)
from referee.interpretation.lying_since import Outline, remembered, things, waited_for
from referee.interpretation.unread_cards import explained
from referee.known_table import KnownTable
from referee.laying import Turns, lay
from referee.naming import open_cards, pushed, renamed, seen_again, settled
from referee.placing import Statuses, counted_on, judged_again, placed, statuses
from referee.taken import TakenCard, taken_card
from vision.reading import Reading
from vision.together.matching import match


@dataclass(frozen=True, slots=True)
class Following:
    """What is known after some readings.

    `players`: their colours in the order of turns, none where nobody said. `last` is the last
    reading at rest and `pairs` says which known card each of its cards is, by their ids; `at_rest`:
    whether that was the latest picture. `said`: how each card was said to lie; `taken`: cards that
    lay there, the last one taken last. `by_turn`: known cards whose colour is another than was
    read, because of the order of turns, each with both. `things`: what the last pictures told to
    lie over the cards.
    """

    table: KnownTable
    rules: Rules
    players: tuple[str, ...] = ()
    unsettled: Unsettled = field(default_factory=Unsettled)
    last: Reading | None = None
    pairs: Mapping[int, int] = field(default_factory=dict)
    at_rest: bool = False
    said: Statuses = field(default_factory=dict)
    taken: tuple[TakenCard, ...] = ()
    by_turn: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    things: tuple[tuple[Outline, ...], ...] = ()


Step = tuple[tuple[Event, ...], Following]


def begin(deck: Deck, rules: Rules, players: Sequence[str] = ()) -> Following:
    """A game of which nothing is known yet. `players`: their colours in the order of turns."""
    return Following(KnownTable(deck), rules, tuple(players))


def follow(state: Following, reading: Reading | None) -> Step:
    """What happened since the last reading, and what is known now.

    `reading` None: the picture could not be read, so nothing is said of the cards.
    """
    events, after = _waiting(state) if reading is None else _followed(state, reading)
    return events, replace(after, things=remembered(state.things, reading))


def _followed(state: Following, reading: Reading) -> Step:
    known = explained(state.table, reading, match(state.table.cards, reading.cards))
    reading, found = known.reading, known.found
    if waited_for(reading, state.things):
        return _waiting(state)
    if not state.table.cards:
        state = replace(state, table=_framed(state.table, reading))
    if is_other_table(state.table, reading, found):
        return _waiting(state, ("other_table",))
    seen = changes(state.unsettled, state.table, state.rules, reading, found)
    if seen.many:
        return _too_much(state, seen)
    still_disturbed = state.unsettled.disturbed and bool(seen.apart or seen.lost)
    waits = seen.unsettled.waits + 1
    hidden = seen.hides_something(state.table, reading)
    if (still_disturbed or hidden) and waits <= MOST_WAITS:
        return _waiting(replace(state, unsettled=replace(seen.unsettled, waits=waits)))
    state, told = _coloured_by_turn(state, reading, seen)
    read, reading = reading, with_colours(reading, told)
    events, after = _changed(state, reading, seen)
    by_turn = {
        after.pairs[card.id]: (card.colour, told.colours[card.id])
        for card in read.cards
        if card.id in told.colours and card.id in after.pairs
    }
    return events, replace(after, by_turn={**_unseen(state.by_turn, after), **by_turn})


def _coloured_by_turn(
    state: Following, reading: Reading, seen: Changes
) -> tuple[Following, ByTurn]:
    """What is known, with what readings said of cards said of the colours that turns tell.

    What turns told before and do not tell of this reading is taken back.
    """
    found, lie = seen.found, state.table
    for card_id in seen.taken:
        lie = lie.without(card_id)
    picture = Picture(lie, reading, found, Turns(state.players, state.rules), state.by_turn)
    told = told_by_turns(picture)
    table, read = state.table, {card.id: card.colour for card in reading.cards}
    for card_id, read_id in found.pairs.items():
        was, now = state.by_turn.get(card_id), told.colours.get(read_id)
        card = table.card(card_id)
        if now is not None:
            table = table.with_card(recoloured(card, read[read_id], now))
        elif was is not None and was[0] == read[read_id]:
            table = table.with_card(recoloured(card, was[1], was[0]))
    return replace(state, table=table), told


def _unseen(by_turn: Mapping[int, tuple[str, str]], after: Following) -> dict[int, tuple[str, str]]:
    """What turns told of cards that the last reading lacks."""
    seen = set(after.pairs.values())
    return {card: pair for card, pair in by_turn.items() if card not in seen}


def has_something_over(reading: Reading) -> bool:
    """Whether something lies over the cards: a hand, a sleeve, a cup."""
    return bool(things(reading))


def _waiting(state: Following, notes: tuple[Note, ...] = ()) -> Step:
    return (Event("waiting", notes=notes),), replace(state, at_rest=False)


def _framed(table: KnownTable, reading: Reading) -> KnownTable:
    area, scale = reading.play_area_mm, reading.scale_px_per_mm
    return replace(table, play_area_mm=area, scale_px_per_mm=scale)


def _too_much(state: Following, seen: Changes) -> Step:
    """More has changed than a turn can: said once where cards lie elsewhere, and waited for."""
    disturbed = state.unsettled.disturbed or bool(seen.apart)
    after = replace(state, unsettled=replace(seen.unsettled, disturbed=disturbed), at_rest=False)
    is_said = disturbed and not state.unsettled.disturbed
    return (Event("disturbed" if is_said else "waiting"),), after


def _changed(state: Following, reading: Reading, seen: Changes) -> Step:
    """All that a reading changes, in the order: taken, corrected, moved, laid, judged again."""
    events, state = _taken_off(state, seen)
    names, table = _seen_again(state, reading, seen)
    events += names
    turns = Turns(state.players, state.rules)
    new = lay(table, reading, seen.found, turns, state.taken, state.unsettled.held)
    table = new.table
    events += new.events
    spoken = {one.card.id for one in events if one.card is not None}
    before = {card: status for card, status in state.said.items() if card not in spoken}
    again, suspects = judged_again(before, table, state.rules, state.unsettled.suspects)
    spoken |= {one.card.id for one in again if one.card is not None}
    events += again
    if seen.found.camera_pushed and len(seen.found.pairs) > 1:
        events = _with_note(events or [Event("nothing")], "camera_moved")
    after = replace(
        state,
        table=table,
        unsettled=replace(_after(seen), held=new.held, suspects=suspects),
        last=reading,
        pairs={read: card for card, read in seen.found.pairs.items()} | dict(new.pairs),
        at_rest=True,
        said={
            card: status if card in spoken else state.said.get(card, status)
            for card, status in statuses(table, state.rules).items()
        },
        taken=new.taken,
    )
    return tuple(events) or (Event("waiting" if new.held or seen.apart else "nothing"),), after


def _after(seen: Changes) -> Unsettled:
    lost = seen.lost
    return replace(
        seen.unsettled,
        absent={card: seen.unsettled.absent[card] for card in lost},
        lost=frozenset(lost),
        apart=seen.apart,
        waits=seen.unsettled.waits if lost else 0,
        disturbed=False,
    )


def _taken_off(state: Following, seen: Changes) -> tuple[list[Event], Following]:
    """The cards that are gone, each with what it leaves behind."""
    events = list[Event]()
    for card_id in seen.taken:
        gone = taken_card(state.table, card_id)
        table = state.table.without(card_id)
        illegal = state.said.get(card_id) == "illegal"
        notes: tuple[Note, ...] = ("removed_illegal",) if illegal else ()
        events.append(Event("taken_back", gone.card, scores=counted_on(table), notes=notes))
        state = replace(state, table=table, taken=(*state.taken, gone))
    return events, state


def _seen_again(
    state: Following, reading: Reading, seen: Changes
) -> tuple[list[Event], KnownTable]:
    """The known cards after one more reading, and those that turn out to be others or were moved.

    Of a card that seems to lie elsewhere, which the next reading has to confirm, nothing is taken.
    """
    table, read = state.table, {card.id: card for card in reading.cards}
    doubted = open_cards(reading.doubts, read)
    poses = {card: seen.found.poses[one] for card, one in seen.found.pairs.items()}
    for card_id, read_id in seen.found.pairs.items():
        if card_id in seen.apart:
            continue
        known = table.card(card_id)
        if card_id in seen.moved:
            known = pushed(known, poses[card_id], float(card_id in seen.seen_twice))
        known = seen_again(table, known, read[read_id], poses[card_id], read_id in doubted)
        table = table.with_card(known)
    for card in settled(table.cards):
        known = card
        if card.id in poses:
            one = read[seen.found.pairs[card.id]]
            known = renamed(table.card(card.id), card, one, poses[card.id])
        table = table.with_card(known)
    return list(_said_of(state, table, seen)), table


def _said_of(state: Following, table: KnownTable, seen: Changes) -> list[Event]:
    events = list[Event]()
    for before in state.table.cards:
        after = table.card(before.id)
        if after.name != before.name:
            event = Event("corrected", was=before.name, sure=after.lead > 0)
            events.append(placed(table, state.rules, after, event))
        elif before.id in seen.moved:
            events.append(placed(table, state.rules, after, Event("moved")))
    return events


def _with_note(events: Sequence[Event], note: Note) -> list[Event]:
    """The events, the first of them with one more note."""
    return [replace(events[0], notes=(*events[0].notes, note)), *events[1:]]
