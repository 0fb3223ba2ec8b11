"""The game that is followed: each step kept before it is told, and judged again when corrected."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace

from geometry.deck import Deck
from geometry.rules import Rules
from referee.changes import is_other_table
from referee.history import History, Named, Playing, ReadAt, Ruled, Step, begun, done
from referee.kept_game import GameSettings, settings_data, settings_of, step_data
from referee.turn_clock import Taken
from rig.service.game.binding import open_round, rules_of
from rig.service.game.kept_history import game_of, loaded, seen_again, seen_texts
from rig.service.game.now import KeptSettings, Mark, Now, Numbered
from rig.service.game.trouble import EventUnknown, FrameOlder, NothingFollowed, OtherTable
from rig.service.game.view import news
from rig.service.running.clock import Clock, seconds_of
from rig.service.state.live_events import LiveEvents
from rig.store.frame import Frame
from rig.store.store import Store
from rig.store.trouble import FrameUnknown
from rig.trouble import Trouble
from vision.reading import Reading
from vision.together.matching import match


class FollowedGame:
    """Every method from any thread; one change at a time."""

    def __init__(
        self, store: Store, deck: Deck, usual: Rules, events: LiveEvents, clock: Clock
    ) -> None:
        """`usual`: the rules of a game that is no round of a match."""
        self.changing = threading.RLock()
        self._store, self._deck, self._usual = store, deck, usual
        self._events, self._clock = events, clock
        self._now: Now | None = None
        self.listeners: list[Callable[[Now, tuple[Numbered, ...]], None]] = []
        """Told of what happened, in the thread in which it did: they must not take long."""

    def now(self) -> Now:
        """The game as it stands."""
        found = self._now
        if found is None or found.game is None:  # then a match that began says who plays
            with self.changing:
                found = self._now
                if found is None or found.game is None:
                    found = self._now = loaded(self._store, self._deck, self._usual)
        return found

    def kept(self, number: int) -> list[KeptSettings]:
        """So many of the games that are kept and have a picture, the newest first."""
        return [
            KeptSettings(one.id, one.begun_at, settings_of(one.data))
            for one in self._store.games.latest(number)
        ]

    def game(self, game: str) -> Now:
        """A game that is kept, followed again step by step; the one that is followed as it stands.

        GameUnknown.
        """
        now = self.now()
        if now.game == game:
            return now
        kept = game_of(self._store, self._store.games.get(game), self._deck, self._usual)
        return replace(kept, settings=replace(kept.settings, following=False))

    def reload(self) -> None:
        """Look at what is kept again."""
        with self.changing:
            self._now = None

    def set_up(
        self,
        following: bool | None = None,
        players: tuple[str, ...] | None = None,
        hide_scores: bool | None = None,
        turn_s: int | None = None,
    ) -> Now:
        """Follow, or no longer, and how; a game that has ended is followed by another. `turn_s`: 0
        for turns that may last as long as they do.
        """
        with self.changing:
            now = self.now()
            if now.game is None or (now.has_ended and following):
                now = self._begin(replace(now.settings, following=bool(following), frame=None))
            settings = now.settings
            if following is not None:
                newest = self._store.frames.latest(1)
                after = newest[0].seq if newest and not settings.following else settings.after
                settings = replace(settings, following=following, after=after)
            if hide_scores is not None:
                settings = replace(settings, hide_scores=hide_scores)
            if turn_s is not None:
                settings = replace(settings, turn_s=turn_s or None)
            self._keep_settings(settings)
            if players is not None:
                self._play(players)
            self._tell()
            return self.now()

    def _play(self, players: tuple[str, ...]) -> None:
        """From now on these colours play, and take turns where the rules have turns."""
        now = self.now()
        turns = () if now.history.following.rules.free_for_all else players
        if not now.history.entries:
            self._keep_settings(replace(now.settings, players=players, turns=turns))
            rules = rules_of(self._store, now.settings, self._usual)
            self._now = replace(self.now(), history=begun(self._deck, rules, turns))
        elif now.history.following.players != turns:
            self._keep(Playing(turns))

    def afresh(self) -> Now:
        """Forget the game that is followed, and follow another in the same way."""
        with self.changing:
            now = self.now()
            if now.game is None:
                return now
            if not now.has_ended:
                self._store.games.delete(now.game)
            self._now = None
            players = now.history.following.players or now.settings.players
            turns = now.history.following.players
            self._begin(replace(now.settings, frame=None, players=players, turns=turns))
            self._tell()
            return self.now()

    def finish(self, frame: str) -> None:
        """The game was ended by this frame."""
        with self.changing:
            self._keep_settings(replace(self.now().settings, following=False, frame=frame))
            self._now = replace(self.now(), unread={}, refused=None)
            self._tell()

    def expect(self, frame: str, is_unread: bool) -> None:
        """A frame waits for its reading, or does no longer."""
        with self.changing:
            now = self.now()
            if is_unread and (now.game is None or not now.settings.following):
                return
            if is_unread is not (frame in now.unread):
                unread = _without(now.unread, frame)
                if is_unread:
                    unread[frame] = self._taken_s(frame)
                self._now = replace(now, unread=unread)
                self._tell()

    def follow(self, frame_id: str) -> Now:
        """Take a frame that was read, or could not be, into the game; once, however often asked.

        NothingFollowed, FrameUnknown, FrameOlder, OtherTable.
        """
        with self.changing:
            now = self.now()
            if now.game is None or now.has_ended:
                raise NothingFollowed
            frame = self._store.frames.get(frame_id)
            last = _last(now)
            is_again = last is not None and last.frame == frame_id
            if is_again and (frame.state != "read" or (last and last.reading is not None)):
                return now
            try:
                reading = self._reading(now, frame, is_again)
            except (FrameOlder, OtherTable) as trouble:
                self._now = replace(
                    now, refused=(frame_id, trouble), unread=_without(now.unread, frame_id)
                )
                self._tell()
                raise
            self._bind()
            unread = _without(now.unread, frame_id)
            self._now = replace(self.now(), refused=None, unread=unread)
            taken = Taken(seconds_of(frame.taken_at), self.now().settings.turn_s)
            self._tell(self._keep(ReadAt(frame.id, frame.name, reading, taken)))
            return self.now()

    def name(self, event: int, name: tuple[str, str], by: str) -> Now:
        """A person says which card an event was about. EventUnknown."""
        with self.changing:
            self._tell(self._keep(Named(self.card(event), name, by)))
            return self.now()

    def rule(self, event: int, stays: bool, by: str) -> Now:
        """A person rules that an illegal card stays, or not. EventUnknown."""
        with self.changing:
            self._tell(self._keep(Ruled(self.card(event), stays, by)))
            return self.now()

    def follows_from(self) -> int:
        """Frames that were kept after this one, by their order, are to be followed."""
        now = self.now()
        for entry in reversed(now.history.entries):
            if isinstance(entry.step, ReadAt):
                try:
                    return max(now.settings.after, self._store.frames.get(entry.step.frame).seq)
                except (FrameUnknown, Trouble):
                    continue
        return now.settings.after

    def _reading(self, now: Now, frame: Frame, is_again: bool) -> Reading | None:
        """What a frame showed; `is_again`: the last one, which could not be read at first."""
        if not is_again and frame.seq <= self.follows_from():
            raise FrameOlder(frame=frame.id)
        if frame.state != "read":
            return None
        reading = seen_again(self._store, frame.id, now.history.following.rules)
        table = now.history.following.table
        if is_other_table(table, reading, match(table.cards, reading.cards)):
            raise OtherTable(frame=frame.id)
        return reading

    def card(self, event: int) -> int:
        """The id of the card that an event is about. NothingFollowed, EventUnknown."""
        now = self.now()
        if now.game is None or now.has_ended:
            raise NothingFollowed
        found = now.event(event)
        if found is None or found.told.event.card is None:
            raise EventUnknown(event=event)
        return found.told.event.card.id

    def _taken_s(self, frame: str) -> float:
        """When a frame was taken; now, where that is not known."""
        try:
            taken_s = seconds_of(self._store.frames.get(frame).taken_at)
        except Trouble:
            taken_s = None
        return self._clock.seconds() if taken_s is None else taken_s

    def _begin(self, settings: GameSettings) -> Now:
        newest = self._store.frames.latest(1)
        settings = replace(settings, after=newest[0].seq if newest else 0, match=None, round=None)
        game, at = secrets.token_hex(8), self._clock.now()
        kept = self._store.games.begin(game, at, settings_data(settings))
        history = begun(self._deck, self._usual, settings.turns)
        self._now = Now(kept.id, settings, history)
        self._bind()
        return self._now

    def _bind(self) -> None:
        """A game in which nothing was laid yet is the round that is open, if one is."""
        now = self.now()
        found = open_round(self._store)
        same = found is not None and (found.id, found.number) == (
            now.settings.match, now.settings.round,
        )  # fmt: skip
        if found is None or same or now.history.following.table.cards:
            return
        settings = replace(
            now.settings, match=found.id, round=found.number,
            players=found.players, turns=found.turns,
        )  # fmt: skip
        self._keep_settings(settings)
        rules = rules_of(self._store, settings, self._usual)
        history: History = begun(self._deck, rules, settings.turns)
        for entry in now.history.entries:
            history = done(history, entry.step)
        self._now = replace(self.now(), history=history)

    def _keep_settings(self, settings: GameSettings) -> None:
        now = self.now()
        if settings == now.settings or now.game is None:
            return
        self._store.games.change(now.game, settings_data(settings))
        self._now = replace(now, settings=settings)

    def _keep(self, step: Step) -> frozenset[int]:
        """Keep a step and take it into the game: the numbers of the events that are told anew."""
        now = self.now()
        if now.game is None:
            raise NothingFollowed
        before = {one.number: one.told for one in now.events()}
        rulings = now.history.rulings
        history = done(now.history, step)
        mark = Mark(now.marks[-1].number + 1 if now.marks else 1, self._clock.now())
        seen = seen_texts(step, self._deck)
        self._store.games.add(now.game, mark.number, mark.at, step_data(step), seen)
        self._now = after = replace(now, history=history, marks=(*now.marks, mark))
        touched = {step.card} if isinstance(step, Named | Ruled) else set[int]()
        touched |= set(rulings) ^ set(history.rulings)
        return frozenset(
            one.number
            for one in after.events()
            if before.get(one.number) != one.told
            or (one.told.event.card is not None and one.told.event.card.id in touched)
        )

    def _tell(self, numbers: frozenset[int] = frozenset()) -> None:
        now = self.now()
        self._events.tell_soon("game", **news(now, numbers))
        told = tuple(one for one in now.events() if one.number in numbers)
        for listener in tuple(self.listeners):
            listener(now, told)


def _without(unread: Mapping[str, float], frame: str) -> dict[str, float]:
    return {one: taken_s for one, taken_s in unread.items() if one != frame}


def _last(now: Now) -> ReadAt | None:
    """The picture that was taken in last."""
    for entry in reversed(now.history.entries):
        if isinstance(entry.step, ReadAt):
            return entry.step
    return None
