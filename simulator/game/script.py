"""Plays a game by the rules, with all that goes on at a table beside laying cards."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from geometry.deck import Deck, Face
from geometry.layout import Card, Layout
from geometry.showing import over
from geometry.verdict import judge
from simulator.conditions import Conditions
from simulator.game.moments import GameMoment, Light, MomentKind
from simulator.play.faults import Wrong
from simulator.play.fitting import nudged
from simulator.play.rounds import (
    Played,
    ambiguous_part,
    deal,
    lay_wrongly,
    readable,
    rules_of,
    start_round,
    take_turn,
)

WRONGS = ("misaligned", "two_cards", "mismatched", "overhang")
HAND, TWO, WRONG, STAYS, NUDGE, SLIDE, QUIET = 0.5, 0.08, 0.12, 0.5, 0.1, 0.06, 0.06
"""How often a hand is seen before a turn, two cards are laid at a time, a card is laid wrongly, it
then stays, a card is nudged, one slides under another, and nothing happens."""
NUDGE_MM, NUDGE_DEG = 1.2, 0.8
LEAST_SLIVER_MM = 0.3
TRIES = 8


@dataclass(eq=False)
class GameScript:
    """A game as it goes on: what lies there, and what holds for the pictures from now on."""

    rng: np.random.Generator
    conditions: Conditions
    played: Played
    light: Light = "as it was"
    pushed: int = 0

    def moments(self, hand: list[tuple[str, Face]]) -> Iterator[GameMoment]:
        """One picture after the other, the first with the starting card alone."""
        yield self._moment("placed", (0,))
        waiting = list(hand)
        while waiting:
            number = 2 if len(waiting) > 1 and self._often(TWO) else 1
            turn, waiting = waiting[:number], waiting[number:]
            yield from self._turn(turn)
            yield from self._between()

    def _turn(self, turn: list[tuple[str, Face]]) -> Iterator[GameMoment]:
        """One player's card, or two players' before the next picture is taken."""
        before, laid = self.played, []
        if len(turn) == 1 and self._often(WRONG):
            yield from self._wrong_turn(*turn[0])
            return
        after = before
        for colour, face in turn:
            now = self._legally(after, colour, face)
            if len(now.layout.cards) > len(after.layout.cards):
                laid.append(now.layout.cards[-1].id)
            after = now
        if not laid:
            return
        yield from self._hand_at(after, laid[0])
        self.played = after
        yield self._moment("placed", tuple(laid))

    def _wrong_turn(self, colour: str, face: Face) -> Iterator[GameMoment]:
        """A card laid against a rule, that stays or is taken back and laid again."""
        conditions = self.conditions
        wrong = Wrong(
            WRONGS[int(self.rng.integers(len(WRONGS)))], conditions.past_mm, rules_of(conditions),
            conditions.least_shown, conditions.badges_shown, ambiguous_part(conditions),
        )  # fmt: skip
        before = self.played
        after = lay_wrongly(self.rng, before, colour, face, wrong)
        if after is None:
            after = self._legally(before, colour, face)
            if len(after.layout.cards) == len(before.layout.cards):
                return
            self.played = after
            yield self._moment("placed", (after.layout.cards[-1].id,))
            return
        card = after.layout.cards[-1].id
        yield from self._hand_at(after, card)
        self.played = after
        yield self._moment("placed", (card,))
        if self._often(STAYS):
            return
        yield from self._hand_at(after, card)
        self.played = before
        yield self._moment("taken_back", (card,))
        again = self._legally(before, colour, face)
        if len(again.layout.cards) > len(before.layout.cards):
            yield from self._hand_at(again, card)
            self.played = again
            yield self._moment("placed", (card,))

    def _legally(self, before: Played, colour: str, face: Face) -> Played:
        """The card laid by the rules, where all still can be counted by eye if that can be had."""
        for _ in range(TRIES):
            after = take_turn(self.rng, before, colour, face, self.conditions)
            if readable(after.layout, self.conditions):
                break
        return after

    def _between(self) -> Iterator[GameMoment]:
        """What may happen before the next turn."""
        if self._often(NUDGE):
            yield from self._nudge()
        if self._often(SLIDE):
            yield from self._slide()
        if self._often(QUIET):
            yield self._moment("nothing")
        what = float(self.rng.random())
        if what < 0.03:
            self.light = "lamp" if self.light != "lamp" else "as it was"
            yield self._moment("nothing", facts={"light": self.light})
        elif what < 0.06:
            self.light = "cloud" if self.light != "cloud" else "as it was"
            yield self._moment("nothing", facts={"light": self.light})
        elif what < 0.08:
            self.pushed += 1
            yield self._moment("nothing", facts={"camera": "pushed"})

    def _nudge(self) -> Iterator[GameMoment]:
        """A card pushed a little, so that every verdict stays what it was."""
        layout = self.played.layout
        verdicts = _statuses(layout, self.conditions)
        for _ in range(10):
            if len(layout.cards) < 2:
                return
            index = int(self.rng.integers(1, len(layout.cards)))
            card = layout.cards[index]
            pose = nudged(self.rng, card.pose, NUDGE_MM, NUDGE_DEG)
            pose = replace(pose, angle_deg=pose.angle_deg % 360)
            cards = (*layout.cards[:index], replace(card, pose=pose), *layout.cards[index + 1 :])
            moved = replace(layout, cards=cards)
            if _statuses(moved, self.conditions) == verdicts:
                self.played = replace(self.played, layout=moved)
                yield self._moment("nudged", (card.id,))
                return

    def _slide(self) -> Iterator[GameMoment]:
        """A card that slides under one that it lay on by a sliver, and did not cover."""
        layout = self.played.layout
        places = {card.id: at for at, card in enumerate(layout.cards)}
        slivers = [
            (upper, lower)
            for upper, lowers in over(layout, LEAST_SLIVER_MM).items()
            for lower in lowers
            if self.played.covers[places[upper]] != lower and lower != 0
        ]
        if not slivers:
            return
        upper, lower = slivers[int(self.rng.integers(len(slivers)))]
        moved = _moved_under(self.played, places[upper], places[lower])
        if _statuses(moved.layout, self.conditions) != _statuses(layout, self.conditions):
            return
        self.played = moved
        yield self._moment("slid_under", (upper,), facts={"under": lower})

    def _hand_at(self, after: Played, card: int) -> Iterator[GameMoment]:
        """A hand over where a card is about to be laid or taken, and the table as it was."""
        if self._often(HAND):
            pose = after.layout.card(card).pose
            sleeve = self._often(0.15)
            yield self._moment("hand", hand_mm=(pose.x_mm, pose.y_mm), sleeve=sleeve)

    def _moment(
        self,
        kind: MomentKind,
        cards: tuple[int, ...] = (),
        hand_mm: tuple[float, float] | None = None,
        sleeve: bool = False,
        facts: dict[str, object] | None = None,
    ) -> GameMoment:
        return GameMoment(
            kind, self.played, cards, hand_mm, sleeve, self.light, self.pushed, facts or {}
        )

    def _often(self, share: float) -> bool:
        return bool(self.rng.random() < share)


def play_game(
    rng: np.random.Generator, deck: Deck, conditions: Conditions
) -> tuple[tuple[str, ...], list[GameMoment]]:
    """The players' colours in their order, and the moments of a game of so many cards."""
    hand = deal(rng, deck, conditions)
    players = tuple(dict.fromkeys(colour for colour, _ in hand))
    script = GameScript(rng, conditions, start_round(rng, deck, len(hand) + 1))
    return players, list(script.moments(hand))


def _statuses(layout: Layout, conditions: Conditions) -> dict[int, tuple[str, str | None]]:
    verdicts = judge(layout, rules_of(conditions))
    return {card: (verdict.status, verdict.rule) for card, verdict in verdicts.items()}


def _moved_under(played: Played, upper: int, lower: int) -> Played:
    """The table with the card at one place of the stacking moved to just under another."""
    cards, covers = list(played.layout.cards), list(played.covers)
    card: Card = cards.pop(upper)
    covered = covers.pop(upper)
    cards.insert(lower, card)
    covers.insert(lower, covered)
    return Played(replace(played.layout, cards=tuple(cards)), tuple(covers))
