"""What each thing that is printed looks like on this table, and what is no card: densities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bools, FloatArray, Ints, Map32
from vision.memo import LastAsked
from vision.model.badges import Badges
from vision.model.bare import BareLogs, NoCard
from vision.model.densities import learned_densities, with_outliers
from vision.model.drawing import OF_INK, SHARED, DrawnFaces, Print
from vision.model.footprint import Footprints
from vision.model.table import PlacedCard, Table
from vision.observe.observation import Observation, cells_of
from vision.reading_config import ReadingConfig

KEPT = 3
"""Of so many tables what they taught is kept: one, what is tried instead, and one more."""


@dataclass(frozen=True, eq=False)
class Printing:
    """What this table's print looks like, learned from it as it is explained.

    Log densities over the cells of an observation, each with its share of outliers: `logs`
    (S + K I, cells) of the S kinds of print that all inks share, and of the I of each of the K
    `inks`. `bare` (H, W) is the log density of each place as what is no card, less how likely
    its level is on a card: a level, which light that ends on a card changes, says whether a card
    lies there, not what it is; `of_levels` is what levels add to its sum. `anything` (cells,) is
    the density of all that the picture shows, which outliers have: whatever a table explains, it
    stays as it is.
    """

    inks: tuple[str, ...]
    logs: Map32
    bare: Map32
    of_levels: float
    anything: FloatArray

    @property
    def shared(self) -> Map32:
        """The densities (S, cells) of the kinds that all inks share."""
        return self.logs[: len(SHARED)]

    @property
    def of_ink(self) -> Map32:
        """The densities (K, I, cells) of the kinds of each ink."""
        return self.logs[len(SHARED) :].reshape(len(self.inks), len(OF_INK), -1)

    @cached_property
    def shared_by_cell(self) -> Map32:
        """The densities `shared` (cells S,), those of a cell beside one another."""
        return np.ascontiguousarray(self.shared.T).reshape(-1)

    @cached_property
    def inks_by_cell(self) -> Map32:
        """The densities `of_ink` (cells I, K), those of a cell beside one another."""
        return np.ascontiguousarray(self.of_ink.transpose(2, 1, 0)).reshape(-1, len(self.inks))

    def rows(self, ink: str | None) -> Ints:
        """The rows (S + I,) of `logs` of all kinds of print on a card of this ink; of the starting
        card (None) those of the first, which it has nothing of.
        """
        number = 0 if ink is None else self.inks.index(ink)
        rows = np.arange(len(SHARED) + len(OF_INK))
        rows[len(SHARED) :] += number * len(OF_INK)
        return rows


@dataclass(frozen=True, eq=False)
class Looks:
    """What a card shows: flat indices `at` (N,) of places, the kind of print that is drawn there
    (N,) uint8, or for each kind how likely it is (kinds, N) float32, and the card's ink.
    """

    at: NDArray[np.int32]
    kinds: NDArray[np.uint8] | Map32
    ink: str | None


class Learner:
    """What tables teach over one observation; what does not hang on the table is asked once, and
    what the tables taught that were asked for last is kept.
    """

    def __init__(
        self, seen: Observation, faces: DrawnFaces, prints: Footprints, config: ReadingConfig
    ) -> None:
        """Nothing is learned yet."""
        self.seen, self.faces, self.prints, self.config = seen, faces, prints, config
        self._no_card = NoCard(seen, prints, config)
        self._kept: LastAsked[tuple[Table, tuple[str, ...]], Printing] = LastAsked(KEPT)
        self._badges: LastAsked[Table, Badges] = LastAsked(1)

    def taught(self, table: Table, inks: tuple[str, ...]) -> Printing:
        """The densities by a table as it is explained, and of what is no card by the rest."""

        def learned() -> Printing:
            shown = self.prints.shown(table)
            looks = [self._looks(card, shown[card.id]) for card in table.cards]
            return self._learned(looks, inks, self._no_card.logs(table.cards))

        return self._kept.answer((table, inks), learned)

    def badges_of(self, table: Table) -> Badges:
        """What the badges of a table look like, as it is explained."""
        return self._badges.answer(
            table,
            lambda: Badges(
                self.seen, self.faces, self.prints, self.config,
                [card for card in table.cards if card.ink is not None], self.prints.shown(table),
            ),
        )  # fmt: skip

    def taught_by(
        self, looks: Sequence[Looks], cards: Sequence[PlacedCard], inks: tuple[str, ...]
    ) -> Printing:
        """The densities by looks at cards, and of what is no card by where none of them lies."""
        on_cards = np.zeros(self.seen.cell.shape, np.bool_)
        for look in looks:
            on_cards.reshape(-1)[look.at] = True
        return self._learned(looks, inks, self._no_card.logs_beside(cards, on_cards))

    def with_no_card_beside(self, printing: Printing, cards: Sequence[PlacedCard]) -> Printing:
        """A printing with what is no card learned where none of these cards lies."""
        bare = self._no_card.logs(cards)
        return replace(printing, bare=bare.at_places, of_levels=bare.of_levels)

    @property
    def anything_explains(self) -> float:
        """The sum of the log densities of anything over all places that cards may take."""
        return self._no_card.anything_explains

    def _looks(self, card: PlacedCard, shows: Bools) -> Looks:
        taken = self.prints.of(card.place)
        return Looks(taken.at[shows], self.faces.drawn(card.hypothesis)[taken.on[shows]], card.ink)

    def _learned(self, looks: Sequence[Looks], inks: tuple[str, ...], bare: BareLogs) -> Printing:
        config, cells = self.config, int(np.prod(cells_of(self.config)))
        shared = np.zeros((len(SHARED), cells))
        of_ink = np.zeros((len(inks), len(OF_INK), cells))
        for ink in dict.fromkeys(look.ink for look in looks):
            counts = _counts([look for look in looks if look.ink == ink], self.seen.cell, cells)
            shared += counts[: len(SHARED)]
            if ink is not None:
                of_ink[inks.index(ink)] += counts[len(SHARED) :]
        places = (
            np.bincount(self.faces.printed[-1], minlength=len(Print)) / self.faces.starting.sum()
        )
        for kind, like in _like_start(shared, config).items():
            shared[kind] += config.start_places * float(places[kind]) * like
        # What may be a symbol or its other end looks like both: a few cards alone would teach
        # little.
        shared[Print.EITHER_SYMBOL] += (shared[Print.SYMBOL] + shared[Print.NO_SYMBOL]) / 2
        of_ink[of_ink.sum(axis=(1, 2)) == 0] = _like_any_ink(of_ink, config)
        line = OF_INK.index(Print.INK_LINE)
        of_ink[:, line] = _as_white_as_all(of_ink[:, line], config)
        densities = learned_densities(np.concatenate([shared, of_ink.reshape(-1, cells)]), config)
        logs = with_outliers(densities, self._no_card.anything, config).astype(np.float32)
        return Printing(inks, logs, bare.at_places, bare.of_levels, self._no_card.anything)


def _counts(looks: Sequence[Looks], cell: NDArray[np.int32], cells: int) -> FloatArray:
    """How often (kinds, cells) each kind looks like what on some cards; `cell` numbers all
    places.
    """
    cell = cell.reshape(-1)
    if looks[0].kinds.ndim == 2:
        own = cell[np.concatenate([look.at for look in looks])]
        likely = np.concatenate([look.kinds for look in looks], axis=1)
        return np.array([np.bincount(own, kind, cells) for kind in likely])
    own = cell[np.concatenate([look.at for look in looks])]
    spot = np.concatenate([look.kinds for look in looks]).astype(np.int64) * cells + own
    counts = np.bincount(spot, minlength=len(Print) * cells)
    return counts.reshape(-1, cells).astype(np.float64)


def _like_start(shared: FloatArray, config: ReadingConfig) -> dict[Print, FloatArray]:
    """What (cells,) each kind that only a starting card has may look like: black, lines, and
    what lies beside those, as others have them; where the deck draws one of these, as likely as
    not that.
    """
    lines, edges = config.start_line_share, config.start_edge_share
    black, line, edge = (
        shared[kind] / max(shared[kind].sum(), 1.0)
        for kind in (Print.BLACK, Print.LINE, Print.EDGE)
    )
    anything = (1 - lines - edges) * black + lines * line + edges * edge
    own = config.start_as_deck
    return {
        Print.START: anything,
        Print.START_BAND: anything,
        Print.START_LINE: own * line + (1 - own) * anything,
        Print.START_CLEAR: own * black + (1 - own) * anything,
    }


def _as_white_as_all(lines: FloatArray, config: ReadingConfig) -> FloatArray:
    """Counts (K, cells) of lines beside each ink, as white as those beside all inks are together,
    and of each whiteness of the chroma that they have beside that ink: lines are one paper's white,
    and an ink of which no line is white lies nowhere.
    """
    across, along, *whites = cells_of(config)
    by_white = lines.reshape(len(lines), across * along, int(np.prod(whites)))
    together = by_white.sum(axis=0)
    white = together.sum(axis=0)
    # Of a whiteness that an ink hardly shows the others say which chroma it has.
    chroma = by_white + config.few_lines * together / np.maximum(white, 1.0)
    of_each = chroma / np.maximum(chroma.sum(axis=1, keepdims=True), 1e-9)
    number = by_white.sum(axis=(1, 2), keepdims=True)
    return np.asarray((of_each * white * number / max(white.sum(), 1.0)).reshape(lines.shape))


def _like_any_ink(of_ink: FloatArray, config: ReadingConfig) -> FloatArray:
    """Counts (I, cells) of an ink that was not seen: as white as the others, of any chroma; half of
    what lies beside it, lines and black, of theirs.
    """
    together = of_ink.sum(axis=0)
    across, along, *_ = cells_of(config)
    grid = together.reshape(len(together), across * along, -1)
    any_chroma = np.broadcast_to(grid.mean(axis=1, keepdims=True), grid.shape)
    out = (together + any_chroma.reshape(together.shape)) / 2
    ink = OF_INK.index(Print.INK)
    out[ink] = any_chroma.reshape(together.shape)[ink]
    return np.asarray(out)
