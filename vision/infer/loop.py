"""The loop: a table is changed as long as its score gains, and the printing is learned again.

Nothing else accepts a card, a face, a side, an ink or an order.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence, Set
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
from vision.pace import Pace
from vision.propose.places import Proposal
from vision.reading_config import ReadingConfig

BETTER = "sought-better"
"""What is not looked for once there is no time: other cards that explain the picture better."""


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
    pace: Pace | None = None,
) -> Explained:  # fmt: skip
    """What lies at some places, if anything, and in which order: faces, sides, inks, presence.

    Of the proposals many may be false. Cards are numbered as the proposals are, inks are named by
    numbers. ValueError where there are no places. Where the time of a `pace` is over, the table is
    left as it is by then.
    """
    if not proposals:
        raise ValueError("expected a place at least")
    pace = pace or Pace()
    pace.say("begin")
    faces = draw_faces(deck, config)
    prints = Footprints(seen, faces)
    prints.only_at(proposal.place for proposal in proposals)
    score, table = first_table(seen, proposals, deck, prints, faces, config)
    hues = ColourHues.of(deck, config)
    table = inks_joined(score, table, hues)
    score = _taught(score, table)
    asked = {card.id for card in table.cards}
    return settled(score, table, Pool(proposals), asked, hues, pace)


def settled(
    score: TableScore, table: Table, pool: Pool, asked: Set[CardId], hues: ColourHues,
    pace: Pace, known_inks: Set[str | None] = frozenset(),
) -> Explained:  # fmt: skip
    """A table changed as long as its score gains, from some cards that are asked on, and what is
    proposed besides. While its inks are those that are known, none is asked whether it is one.

    By what a table teaches another one may score higher that scores less by what it teaches
    itself: of all that were reached that is kept which scores highest by its own.
    """
    missed: dict[frozenset[CardId], NearMiss] = {}
    kept = {card.id for card in table.cards} - asked
    reached: dict[frozenset[object], tuple[float, Table]] = {}
    for _ in range(score.config.rounds):
        if pace.leaves_out(BETTER):
            break
        before = table
        moves = _moves(score, pool, asked, missed, hues, known_inks)
        for stage, moved in moves:
            pace.say(stage)
            table = moved(table)
            if pace.leaves_out(BETTER):
                break
        pace.say("learn")
        score = _taught(score, table)
        state = frozenset(_as_it_lies(score, table).items())
        going_round = state in reached
        reached[state] = score.total(table), table
        if going_round:
            before, score = _best(score, table, reached)
            table = before
        if not _changed(score, before, table) and not pace.leaves_out(BETTER):
            table = _as_taught(score, table, pool, kept, missed.values())
            score = learned_again(score, table)
        places = _changed(score, before, table)
        touch = score.prints.touch
        asked = {c.id for c in table.cards if any(touch(c.place, place) for place in places)}
        pool.ask_near(score, places)
        if not places:
            break
    reached[frozenset(_as_it_lies(score, table).items())] = score.total(table), table
    table, score = _best(score, table, reached)
    if pace.leaves_out(BETTER):
        return Explained(table, score)
    pace.say("proposals")
    left_out = (*pool.left_out(score, table), *pool.elsewhere(score, table))
    return Explained(table, score, left_out)


def _moves(
    score: TableScore, pool: Pool, asked: Set[CardId], missed: dict[frozenset[CardId], NearMiss],
    hues: ColourHues, known_inks: Set[str | None],
) -> tuple[tuple[str, Callable[[Table], Table]], ...]:  # fmt: skip
    """What a round changes of a table, in this order: of what stage it is, and the change."""

    def inks_again(table: Table) -> Table:
        if {card.ink for card in table.cards} == known_inks:
            return table
        table = ink_dissolved(score, inks_joined(score, table, hues))
        return ink_parted(score, table, hues)

    return (
        ("cards", lambda table: cards_again(score, table, asked)),
        ("pairs", lambda table: flipped(score, table, asked, missed)),
        ("proposals", lambda table: pool.added(score, table)),
        ("proposals", lambda table: pool.exchanged(score, table)),
        ("inks", inks_again),
        ("start", lambda table: start_found(score, table)),
    )


def _as_taught(
    score: TableScore, table: Table, pool: Pool, kept: Set[CardId], missed: Collection[NearMiss]
) -> Table:
    """A table that no move betters, with the first change that betters it by what it teaches."""
    after = taken_off(score, table, kept)
    pool.taken({card.id for card in table.cards} - {card.id for card in after.cards})
    if not _changed(score, table, after):
        after = pool.exchanged_as_taught(score, after)
    if not _changed(score, table, after):
        after = flipped_as_taught(score, after, missed)
    if not _changed(score, table, after):
        after = pool.added_unlearned(score, after)
    return after


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
