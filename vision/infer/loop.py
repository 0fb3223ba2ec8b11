"""The loop: a table is changed as long as its score gains, and the printing is learned again.

Nothing else accepts a card, a face, a side, an ink or an order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from geometry.deck import Deck
from vision.infer.first_table import first_table
from vision.infer.inks import ink_dissolved, ink_parted, inks_joined, learned_again
from vision.infer.one_card import LEAST_GAIN, Chance, cards_again
from vision.infer.pairs import NearMiss, flipped, flipped_as_taught
from vision.infer.pool import Pool
from vision.infer.start import start_found
from vision.infer.taken_off import taken_off
from vision.model.drawing import draw_faces
from vision.model.footprint import Footprints
from vision.model.ink_hues import ColourHues
from vision.model.score import TableScore
from vision.model.table import CardId, Place, Table
from vision.observe.observation import Observation
from vision.pace import Pace, Progress
from vision.propose.places import Proposal
from vision.reading_config import ReadingConfig


@dataclass(frozen=True, eq=False)
class Explained:
    """The table that was found, the score by the printing that it teaches, and what may lie there
    besides, or instead of a card.
    """

    table: Table
    score: TableScore
    left_out: tuple[Chance, ...] = ()


def explain_places(
    seen: Observation, proposals: Sequence[Proposal], deck: Deck, config: ReadingConfig,
    say: Progress | None = None,
) -> Explained:  # fmt: skip
    """What lies at some places, if anything, and in which order: faces, sides, inks, presence.

    Of the proposals many may be false. Cards are numbered as the proposals are, inks are named by
    numbers. `say` is called with each stage as it begins. ValueError where there are no places.
    """
    if not proposals:
        raise ValueError("expected a place at least")
    say = say or Pace().say
    say("begin")
    faces = draw_faces(deck, config)
    prints = Footprints(seen, faces)
    prints.only_at(proposal.place for proposal in proposals)
    score, table = first_table(seen, proposals, deck, prints, faces, config)
    hues = ColourHues.of(deck, config)
    table = inks_joined(score, table, hues)
    score = _taught(score, table)
    asked = {card.id for card in table.cards}
    return settled(score, table, Pool(proposals), asked, hues, say)


def settled(
    score: TableScore, table: Table, pool: Pool, asked: Set[CardId], hues: ColourHues,
    say: Progress, known_inks: Set[str | None] = frozenset(),
) -> Explained:  # fmt: skip
    """A table changed as long as its score gains, from some cards that are asked on, and what is
    proposed besides. While its inks are those that are known, none is asked whether it is one.

    By what a table teaches another one may score higher that scores less by what it teaches
    itself: of all that were reached that is kept which scores highest by its own.
    """
    config = score.config
    missed: dict[frozenset[CardId], NearMiss] = {}
    kept = {card.id for card in table.cards} - asked
    reached: dict[frozenset[object], tuple[float, Table]] = {}
    for _ in range(config.rounds):
        before = table
        say("cards")
        table = cards_again(score, table, asked)
        say("pairs")
        table = flipped(score, table, asked, missed)
        say("proposals")
        table = pool.added(score, table)
        table = pool.exchanged(score, table)
        if {card.ink for card in table.cards} != known_inks:
            say("inks")
            table = inks_joined(score, table, hues)
            table = ink_dissolved(score, table)
            table = ink_parted(score, table, hues)
        say("start")
        table = start_found(score, table)
        say("learn")
        score = _taught(score, table)
        state = frozenset(_as_it_lies(score, table).items())
        going_round = state in reached
        reached[state] = score.total(table), table
        if going_round:
            before, score = _best(score, table, reached)
            table = before
        if not _changed(score, before, table):
            table = taken_off(score, table, kept)
            pool.taken({card.id for card in before.cards} - {card.id for card in table.cards})
            if not _changed(score, before, table):
                table = pool.exchanged_as_taught(score, table)
            if not _changed(score, before, table):
                table = flipped_as_taught(score, table, missed.values())
            if not _changed(score, before, table):
                table = pool.added_unlearned(score, table)
            score = learned_again(score, table)
        places = _changed(score, before, table)
        touch = score.prints.touch
        asked = {c.id for c in table.cards if any(touch(c.place, place) for place in places)}
        pool.ask_near(score, places)
        if not places:
            break
    reached[frozenset(_as_it_lies(score, table).items())] = score.total(table), table
    table, score = _best(score, table, reached)
    say("proposals")
    left_out = (*pool.left_out(score, table), *pool.elsewhere(score, table))
    return Explained(table, score, left_out)


def _taught(score: TableScore, table: Table) -> TableScore:
    """The score by what a table teaches, badges and all."""
    return learned_again(score, table).with_badges_of(table)


def _best(
    score: TableScore, table: Table, reached: Mapping[frozenset[object], tuple[float, Table]]
) -> tuple[Table, TableScore]:
    """Of the tables that were reached the one that scores highest by what it teaches itself, and
    that score; the last one, whose score is given, if none is plainly better.
    """
    nats, best = max(reached.values(), key=lambda one: one[0])
    if nats > score.total(table) + LEAST_GAIN:
        return best, _taught(score, best)
    return table, score


def _changed(score: TableScore, before: Table, after: Table) -> set[Place]:
    """The places of cards that differ from what they were, or in what lies over them."""
    old, new = (_as_it_lies(score, table) for table in (before, after))
    return {place for place in {*old, *new} if old.get(place) != new.get(place)}


def _as_it_lies(score: TableScore, table: Table) -> dict[Place, tuple[object, ...]]:
    """For each place what lies there, and which places of those over it."""
    return {
        card.place: (
            card.hypothesis,
            card.ink,
            frozenset(
                over.place
                for over in table.cards[rank + 1 :]
                if score.prints.touch(card.place, over.place)
            ),
        )
        for rank, card in enumerate(table.cards)
    }
