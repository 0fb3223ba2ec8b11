"""Proposed places where no card lies yet: added, or exchanged for one that lies there, by gains."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import hypot

from vision.infer.inks import learned_again
from vision.infer.one_card import (
    LEAST_GAIN,
    AtMost,
    Chance,
    best_above,
    best_in_each_ink,
    best_with,
    worth,
)
from vision.model.hypothesis import Hypothesis
from vision.model.score import TableScore
from vision.model.table import CardId, Place, PlacedCard, Table
from vision.propose.places import Proposal
from vision.reading_config import ReadingConfig

LEFT_OUT = -float("inf")
"""Nats that are said to be gained by what plainly gains too little even to be told of."""


class Pool:
    """All proposals, and of those that lie on no table what adding each would gain at most."""

    def __init__(self, proposals: Sequence[Proposal], ids: Sequence[CardId] | None = None) -> None:
        """Nothing is asked yet. What lies at each place would have these `ids`, else its number."""
        ids = [CardId(k) for k in range(len(proposals))] if ids is None else ids
        self._places = {k: one.place for k, one in zip(ids, proposals, strict=True)}
        self._shares = {k: one.share for k, one in zip(ids, proposals, strict=True)}
        self._gains: dict[CardId, float] = {}
        self._tried: set[tuple[CardId, CardId]] = set()
        self._taken: set[CardId] = set()

    @property
    def places(self) -> tuple[Place, ...]:
        """Where all proposals lie."""
        return tuple(self._places.values())

    def added(self, score: TableScore, table: Table) -> Table:
        """The table with every proposal that gains, the one that gains most first."""
        fresh: dict[CardId, Chance] = {}
        while True:
            there = {card.id for card in table.cards}
            known = there | self._gains.keys() | self._taken
            new = [card_id for card_id in self._places if card_id not in known]
            at_most = AtMost(score, table) if new else None
            for card_id in new:
                card, self._gains[card_id] = self._card(score, card_id), LEFT_OUT
                if at_most and at_most.gain(card) >= -score.config.left_out_nats:
                    fresh[card_id] = best_with(score, table, card)
                    self._gains[card_id] = fresh[card_id].gain
            left = {k: gain for k, gain in self._gains.items() if k not in there | self._taken}
            best = max(left, key=left.__getitem__, default=None)
            if best is None or left[best] <= LEAST_GAIN:
                return table
            chance = fresh.get(best) or best_with(score, table, self._card(score, best))
            self._gains[best] = chance.gain
            # Others gain less by then as a rule: the next is taken if it still gains as much.
            rest = (gain for k, gain in left.items() if k != best)
            if chance.gain > max(LEAST_GAIN, max(rest, default=0.0)):
                table = chance.table
                fresh = {}

    def added_unlearned(self, score: TableScore, table: Table) -> Table:
        """The table with a proposal more that gains where what is no card is learned without its
        places, as it is without those of every card on the table: a card that nothing explains has
        taught that no card looks so. Of those where much is bare some are tried, those first of
        whose frames most shows; the first of those that gain most is taken that gains by all that
        it teaches: the table round a card that does not lie there is less well explained then.
        """
        there = {card.id for card in table.cards} | self._taken
        covered = score.prints.covered(card.place for card in table.cards)
        bare = [
            card_id
            for card_id, place in self._places.items()
            if card_id not in there
            and score.prints.share_beside(place, covered) >= score.config.added_bare
        ]
        chances = []
        for card_id in sorted(bare, key=lambda k: -self._shares[k])[: score.config.added_trials]:
            card = self._card(score, card_id)
            chance = best_above(score.with_no_card_beside(table, card), table, card, LEAST_GAIN)
            if chance is not None and chance.gain > LEAST_GAIN:
                chances.append(chance)
        for chance in sorted(chances, key=lambda chance: -chance.gain):
            card = self._card(score, chance.card)
            inked = best_in_each_ink(score.with_no_card_beside(table, card), table, card)
            gains = [_as_taught(score, table, one) for one in inked]
            if max(gains) > LEAST_GAIN:
                return inked[gains.index(max(gains))].table
        return table

    def exchanged(self, score: TableScore, table: Table) -> Table:
        """The table with proposals in the place of cards that they crowd out, where that gains:
        those that show at least as much of their frame as the card does.
        """
        there = {card.id for card in table.cards}
        for card_id, place in self._places.items():
            if card_id in there | self._taken:
                continue
            for card in [one for one in table.cards if _is_near(one, place, score.config)]:
                less = self._shares[card_id] < self._shares[card.id]
                if less or (card_id, card.id) in self._tried:
                    continue
                self._tried.add((card_id, card.id))
                least = worth(score, table, card) + LEAST_GAIN
                rest = table.without(card.id)
                chance = best_above(score, rest, self._card(score, card_id), least)
                if chance is not None and chance.gain > least:
                    table = chance.table
                    there = {other.id for other in table.cards}
                    self.ask_near(score, [place, card.place])
                    break
        return table

    def exchanged_as_taught(self, score: TableScore, table: Table) -> Table:
        """The table with the first proposal in the place of a card that gains by what the table
        teaches with it, of those few that lose least by what it taught without.
        """
        config = score.config
        near = sorted(self._instead(score, table, config.taught_nats), key=lambda one: -one.gain)
        for chance in near[: config.taught_trials]:
            if _as_taught(score, table, chance) > LEAST_GAIN:
                return chance.table
        return table

    def elsewhere(self, score: TableScore, table: Table) -> Iterator[Chance]:
        """Proposals in the place of cards that they crowd out, though what is lost by it is
        little.
        """
        for chance in self._instead(score, table, score.config.left_out_nats):
            taken = chance.card in self._taken
            yield replace(chance, gain=_as_taught(score, table, chance)) if taken else chance

    def _instead(self, score: TableScore, table: Table, lost: float) -> Iterator[Chance]:
        """Proposals in the place of cards that they crowd out, where no more nats are lost by it,
        those too that were taken off once.
        """
        there = {card.id for card in table.cards}
        free = {k: place for k, place in self._places.items() if k not in there}
        for card in table.cards:
            near = [k for k, place in free.items() if _is_near(card, place, score.config)]
            if near:
                has = worth(score, table, card)
                rest, least = table.without(card.id), has - lost
                for card_id in near:
                    chance = best_above(score, rest, self._card(score, card_id), least)
                    if chance is not None and chance.gain > least:
                        yield replace(chance, gain=chance.gain - has, instead=card.id)

    def left_out(self, score: TableScore, table: Table) -> Iterator[Chance]:
        """Proposals that lie on no table, though what they would lose is little."""
        there = {card.id for card in table.cards}
        for card_id, gain in self._gains.items():
            if card_id not in there | self._taken and gain > -score.config.left_out_nats:
                yield best_with(score, table, self._card(score, card_id))
        for card_id in sorted(self._taken - there):
            chance = best_with(score, table, self._card(score, card_id))
            yield replace(chance, gain=_as_taught(score, table, chance))

    def taken(self, cards: Iterable[CardId]) -> None:
        """Some cards were taken off by what the table teaches without them: by what it taught with
        them they would gain, and are added no more.
        """
        self._taken.update(cards)

    def ask_near(self, score: TableScore, places: Iterable[Place]) -> None:
        """What touches some places is asked again."""
        touch = score.prints.touch
        near = {k for k, own in self._places.items() if any(touch(own, p) for p in places)}
        self._gains = {k: gain for k, gain in self._gains.items() if k not in near}
        self._tried = {pair for pair in self._tried if pair[0] not in near}

    def _card(self, score: TableScore, card_id: CardId) -> PlacedCard:
        """A proposal as a card, of which nothing is known."""
        start = Hypothesis(score.faces.hypotheses[-1].face)
        return PlacedCard(card_id, self._places[card_id], start, None)


def _as_taught(score: TableScore, table: Table, chance: Chance) -> float:
    """What a table with one card more gains by what it teaches, over the one without, nats."""
    return learned_again(score, chance.table).total(chance.table) - score.total(table)


def _is_near(card: PlacedCard, place: Place, config: ReadingConfig) -> bool:
    """Whether a card's middle lies so near that of a place that one crowds the other out."""
    gap = hypot(card.place.x_mm - place.x_mm, card.place.y_mm - place.y_mm)
    return gap <= config.exchange_mm
