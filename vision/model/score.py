"""The score of a table: how well it explains an observation.

    score(T) = kappa * sum over places (log P(features | what shows there by T, a card or none)
                                        - log P(features | anything))  +  log prior(T)

Every place is explained by the one thing that shows there, so the score is additive: what two
tables draw alike cancels to the last digit. By one printing a place where no card shows is alike on
all tables; what is no card is learned from such places, so that by what each of two tables teaches
itself it is not: then a card that is not there leaves the table round it less well explained.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array

from geometry.deck import Deck
from vision.arrays import Bools, FloatArray, Ints, Map32
from vision.memo import LastAsked
from vision.model.badges import Badges, BadgeSays
from vision.model.drawing import PLAIN, DrawnAlike, Print, draw_faces
from vision.model.footprint import MOST_TAKEN, DrawnThere, Footprint, Footprints
from vision.model.hypothesis import Hypothesis
from vision.model.printing import Learner, Printing
from vision.model.prior import log_prior, one_more
from vision.model.table import Place, PlacedCard, Table
from vision.observe.observation import Observation
from vision.reading_config import ReadingConfig

INKED = int(PLAIN[Print.INK])
BARE = 200
"""A thing that no card shows."""
MOST_GAINS = 256
"""Of so many cards, as what they are, is kept what they gain place by place."""


@dataclass(frozen=True, eq=False)
class Totals:
    """What a card that shows at some places gains there over no card, by what it may be.

    `gains` (T, K): nats, for each of the drawn hypotheses and each of the table's `inks`; the
    starting card's are the same for all inks.
    """

    hypotheses: tuple[Hypothesis, ...]
    inks: tuple[str, ...]
    gains: FloatArray

    def of(self, hypothesis: Hypothesis, ink: str | None) -> float:
        """What one of them gains."""
        column = 0 if ink is None else self.inks.index(ink)
        return float(self.gains[self.hypotheses.index(hypothesis), column])

    def best(self) -> tuple[Hypothesis, str, float]:
        """What gains most, and how much; of equal ones the first."""
        row, column = np.unravel_index(int(self.gains.argmax()), self.gains.shape)
        return self.hypotheses[row], self.inks[column], float(self.gains[row, column])


class TableScore:
    """The score of tables over one observation, with what this table's print looks like."""

    def __init__(self, learner: Learner, printing: Printing, badges: Badges | None = None) -> None:
        """Score tables by a printing that was learned, and by badges, where they were."""
        self._learner, self.printing, self.badges = learner, printing, badges
        self.seen, self.faces = learner.seen, learner.faces
        self.prints, self.config = learner.prints, learner.config
        self._nats = self.config.looks_per_mm2 / self.seen.density**2
        self._totals: dict[tuple[Place, bytes], Totals] = {}
        cells = printing.logs.shape[1]
        self._first = {ink: printing.rows(ink) * cells for ink in (None, *printing.inks)}
        """For each ink, and the starting card's None, where the densities of each kind begin."""
        self._bare: LastAsked[Place, Map32] = LastAsked(MOST_TAKEN)
        self._one_more: tuple[Table, FloatArray] | None = None
        self._gains: dict[tuple[Place, Hypothesis, str | None], Map32] = {}

    def taught_by(self, table: Table, inks: tuple[str, ...]) -> TableScore:
        """The score by what a table teaches, with some inks."""
        printing = self._learner.taught(table, inks)
        if printing is self.printing:
            return self
        return TableScore(self._learner, printing, self.badges)

    def with_no_card_beside(self, table: Table, card: PlacedCard) -> TableScore:
        """The score with what is no card learned where neither a table's cards nor one more lie."""
        printing = self._learner.with_no_card_beside(self.printing, (*table.cards, card))
        return TableScore(self._learner, printing, self.badges)

    def with_badges_of(self, table: Table) -> TableScore:
        """The score by what the badges of a table look like, however its cards are changed."""
        badges = self._learner.badges_of(table)
        if badges is self.badges:
            return self
        return TableScore(self._learner, self.printing, badges)

    def in_nats(self, looks: float) -> float:
        """What sums over places, in nats of one look each, count for."""
        return float(looks) * self._nats

    def total(self, table: Table) -> float:
        """The score of a whole table, nats over a picture that anything explains."""
        shown = self.prints.shown(table)
        explained = sum(self.explains(card, shown[card.id]) for card in table.cards)
        return explained + self._empty + self.prior(table)

    @cached_property
    def _empty(self) -> float:
        """What no card explains over anything, nats, were there none at any place that is reached
        and says something. Levels are left out: what they say is over how likely they are on cards,
        which each table teaches otherwise, so that only of cards' places they tell tables apart.
        """
        at = self.prints.reached
        at = np.flatnonzero(self.seen.says) if at is None else at
        bare = float(self.printing.bare.reshape(-1)[at].sum(dtype=np.float64))
        bare -= self.printing.of_levels
        return (bare - self._learner.anything_explains) * self._nats

    def prior(self, table: Table) -> float:
        """The log prior of a table."""
        return log_prior(table, self.faces.colours, self.config)

    def prior_of_one_more(self, table: Table) -> FloatArray:
        """What (T, K) a card more adds to the log prior of a table, by what it is; what was asked
        last is kept.
        """
        if self._one_more is None or self._one_more[0] is not table:
            faces, inks = self.faces, self.printing.inks
            prior = one_more(table, faces.hypotheses, inks, faces.colours, self.config)
            prior.setflags(write=False)
            self._one_more = table, prior
        return self._one_more[1]

    def explains(self, card: PlacedCard, shows: Bools) -> float:
        """What a card gains over no card where it shows (N,), nats."""
        return float(self.place_gains(card)[shows].sum()) * self._nats

    def place_gains(self, card: PlacedCard) -> Map32:
        """What (N,) each place of a card's footprint gains over no card, in nats of one look."""
        key = card.place, card.hypothesis, card.ink
        if key not in self._gains:
            if len(self._gains) >= MOST_GAINS:
                self._gains.clear()
            taken = self.prints.of(card.place)
            spot = self._first[card.ink].take(self.faces.drawn(card.hypothesis).take(taken.on))
            spot += taken.cell
            gains = self.printing.logs.reshape(-1).take(spot)
            gains -= self._bare_at(card.place)
            if self.badges is not None and card.ink is not None:
                said = self.badges.says(card.place)
                gains[said.places] += said.nats[
                    self.faces.badge_rows[self.faces.row(card.hypothesis)]
                ]
            gains.setflags(write=False)
            self._gains[key] = gains
        return self._gains[key]

    def _bare_at(self, place: Place) -> Map32:
        """The log density (N,) as no card of what the places of a footprint look like."""
        return self._bare.answer(
            place, lambda: self.printing.bare.reshape(-1).take(self.prints.of(place).at)
        )

    def totals(self, card: PlacedCard, shows: Bools) -> Totals:
        """What a card gains over no card where it shows (N,), by all that it may be; what was asked
        once is kept.
        """
        key = card.place, np.packbits(shows).tobytes()
        if key not in self._totals:
            gains = self.gains_each(card, np.where(shows, 0, 1), 1)[0]
            gains.setflags(write=False)
            self._totals[key] = Totals(self.faces.hypotheses, self.printing.inks, gains)
        return self._totals[key]

    def gains_each(self, card: PlacedCard, first: Ints, number: int) -> FloatArray:
        """What a card gains over no card (number, T, K), nats, by all that it may be, under ever
        fewer others: `first` (N,) says from which number on each of its places shows. One product
        for all of them.
        """
        taken, printing = self.prints.of(card.place), self.printing
        shared, of_ink = self.prints.drawn(card.place)
        gains = _summed(self.faces.shared, shared, printing.shared_by_cell[:, None], first, number)
        gains = gains + _summed(self.faces.of_ink, of_ink, printing.inks_by_cell, first, number)
        gains[:, -1] += self._starting(taken, first, number)[:, None]
        if self.badges is not None:
            gains[:, :-1] += self._badge_gains(self.badges.says(card.place), first, number)
        bare = np.bincount(first, self._bare_at(card.place), number + 1)[:number]
        # What shows under ever fewer others is what showed before and what shows besides.
        return np.asarray((gains - bare[:, None, None]).cumsum(axis=0) * self._nats)

    def _badge_gains(self, said: BadgeSays, first: Ints, number: int) -> FloatArray:
        """What a badge says of players' cards (number, T - 1, 1), under ever fewer others."""
        shows = np.zeros((len(said.places), number + 1), np.float32)
        shows[np.arange(len(said.places)), first[said.places]] = 1
        by_face = said.nats @ shows[:, :number]
        return np.asarray(by_face[self.faces.badge_rows].T[:, :, None], np.float64)

    def most_each(self, card: PlacedCard, first: Ints, number: int) -> FloatArray:
        """What a card gains at most (number, 2), nats, as any player's card and as the starting
        card, under ever fewer others, as `gains_each` has it: each place is taken for what explains
        it best of all that is drawn there by any face, in any ink.
        """
        taken = self.prints.of(card.place)
        spot = self.faces.player_kinds[0].take(taken.on) * self._highest.shape[1] + taken.cell
        player = self._highest.reshape(-1).take(spot) - self._bare_at(card.place)
        if self.badges is not None:
            said = self.badges.says(card.place)
            player[said.places] += said.nats.max(axis=0)
        start = self.place_gains(replace(card, hypothesis=self.faces.hypotheses[-1], ink=None))
        sums = [np.bincount(first, some, number + 1)[:number] for some in (player, start)]
        return np.asarray(np.cumsum(sums, axis=1).T * self._nats)

    @cached_property
    def _highest(self) -> Map32:
        """The highest log density (Z, cells) of each set of kinds in any ink."""
        printing = self.printing
        best = np.concatenate([printing.shared, printing.of_ink.max(axis=0)])
        return np.stack([best[some].max(axis=0) for some in self.faces.player_kinds[1]])

    def _starting(self, taken: Footprint, first: Ints, number: int) -> FloatArray:
        """The sums (number,) of the log densities of what a starting card alone draws."""
        there = self.faces.starting.take(taken.on)
        logs = self.printing.logs[self.faces.printed[-1].take(taken.on), taken.cell]
        return np.asarray(np.bincount(first, logs * there, number + 1)[:number], np.float64)

    def gain(self, table: Table, other: Table, card: PlacedCard) -> float:
        """The score of another table less that of a table that differs in one card alone: in what
        it is, in the order, or in its being there; `card` is that of either.
        """
        before, after = self.explained_at(card, table), self.explained_at(card, other)
        prior = self.prior(other) - self.prior(table)
        return float((after - before).sum()) * self._nats + prior

    def explained_at(self, card: PlacedCard, table: Table) -> FloatArray:
        """What (N,) the places of a card's footprint gain over no card by what a table shows
        there, in nats of one look; the card need not lie there.
        """
        out = np.zeros(len(self.prints.of(card.place).at))
        for number, both in self.prints.touching(card.place, table.cards):
            out[both.under] = self.place_gains(table.cards[number]).take(both.over)
        return out

    def things_at(self, card: PlacedCard, table: Table) -> NDArray[np.uint8]:
        """What (N,) a table plainly shows at the places of a card's footprint (`PLAIN`), each ink
        for itself; 0 near edges, and where no card lies `BARE`.
        """
        out = np.full(len(self.prints.of(card.place).at), BARE, np.uint8)
        for number, both in self.prints.touching(card.place, table.cards):
            other = table.cards[number]
            on = self.prints.of(other.place).on.take(both.over)
            things = PLAIN[self.faces.drawn(other.hypothesis)[on]]
            if other.ink is not None:
                things = things + np.uint8(self.printing.inks.index(other.ink)) * (things == INKED)
            out[both.under] = things
        return out

    def differs_mm2(self, table: Table, other: Table, card: PlacedCard) -> float:
        """On how many mm² of a card's footprint two tables plainly show different things."""
        one, two = self.things_at(card, table), self.things_at(card, other)
        return float(((one != two) & (one > 0) & (two > 0)).sum()) / self.seen.density**2


def _summed(
    alike: DrawnAlike, there: DrawnThere, logs: Map32, first: Ints, number: int
) -> FloatArray:
    """The sums (number, T, K) of log densities (spots, K) over what may be drawn at places that
    show from number `first` (N,) on, by all that may be drawn there.
    """
    groups = len(alike.draws)
    rows = (first * groups).astype(np.int32).take(there.place)
    rows += there.group
    shape = (number + 1) * groups, len(logs)  # the last of them never show
    if logs.shape[1] == 1:
        sums = np.bincount(rows, logs[:, 0].take(there.spot), shape[0]).astype(np.float32)
    else:
        once = np.ones(len(rows), np.float32)
        sums = coo_array((once, (rows, there.spot)), shape=shape, copy=False) @ logs
    by_group = sums[: number * groups].reshape(number, groups, -1)
    return np.asarray(by_group.transpose(0, 2, 1) @ alike.draws, np.float64).transpose(0, 2, 1)


def learned_score(
    seen: Observation, table: Table, deck: Deck, config: ReadingConfig,
    inks: tuple[str, ...] = (),
) -> TableScore:  # fmt: skip
    """The score by the printing that a table teaches, as it is explained, with its own inks and
    others, of which nothing is known.
    """
    faces = draw_faces(deck, config)
    prints = Footprints(seen, faces)
    shown = {card.ink for card in table.cards if card.ink is not None}
    inks = tuple(sorted(shown.union(inks)))
    learner = Learner(seen, faces, prints, config)
    return TableScore(learner, learner.taught(table, inks))
