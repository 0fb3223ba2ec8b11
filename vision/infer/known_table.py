"""A known table: a picture is explained by what was read before, and only where it disagrees with
that is anything proposed and tried.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from geometry.deck import Deck
from vision.arrays import Bools
from vision.infer.disagreement import not_table, unexplained_white, worse_explained
from vision.infer.inks import first_score, learned_again
from vision.infer.loop import Explained, settled
from vision.infer.one_card import LEAST_GAIN
from vision.infer.pool import Pool
from vision.model.drawing import draw_faces
from vision.model.footprint import Footprints
from vision.model.ink_hues import ColourHues
from vision.model.printing import Learner
from vision.model.score import TableScore
from vision.model.table import CardId, Place, Table, with_ink
from vision.observe.observation import Observation
from vision.pace import Pace
from vision.propose.known_places import KnownPlaces
from vision.propose.near_white import proposed_near
from vision.propose.places import Proposal
from vision.reading_config import ReadingConfig


@dataclass(frozen=True, eq=False)
class GoneOn:
    """The table that explains a picture best, going on from a known one.

    `asked`: its cards that are not as they were known, those that the picture disagreed with, and
    all that touch these. `over` (H, W): where something shows that is neither card nor table: on
    cards, or where a known card lay.
    """

    found: Explained
    asked: frozenset[CardId]
    over: Bools


def gone_on(
    seen: Observation, known: KnownPlaces, deck: Deck, config: ReadingConfig,
    pace: Pace | None = None,
) -> GoneOn | None:  # fmt: skip
    """What lies in a picture, by what was known; None where more has changed than a turn does.
    Where the time of a `pace` is over, the loop leaves the table as it is by then.
    """
    faces, before = draw_faces(deck, config), known.table
    prints = Footprints(seen, faces)
    white = unexplained_white(seen, before, faces, prints, config)
    new = proposed_near(seen, white, before, deck.card, config)
    pool = _pool(known, new)
    prints.only_at(pool.places)
    score = first_score(Learner(seen, faces, prints, config), before)
    worse = worse_explained(score, before, white)
    differs = {
        card.id
        for card, share in zip(before.cards, known.of_shown.tolist(), strict=True)
        if share < config.known_share or worse.mm2[card.id] > config.worse_mm2
    }
    asked = differs | _touching(score, before, (proposal.place for proposal in new))
    found = Explained(before, score)
    if asked or new:
        hues = ColourHues.of(deck, config)
        found = settled(score, before, pool, asked, hues, pace or Pace(), _inks(before))
        found = _with_new_inks(found, before)
        worse = worse_explained(found.score, found.table)
    table, score = found.table, found.score
    if _changes(before, table) > config.most_changed:
        return None
    gone = [card for card in before.cards if card.id not in {c.id for c in table.cards}]
    over = worse.places | not_table(score, table, gone)
    changed = [*gone, *(c for c in table.cards if c.id in differs or c not in before.cards)]
    asked = _touching(score, table, (card.place for card in changed))
    return GoneOn(found, frozenset(asked), over)


def _with_new_inks(found: Explained, before: Table) -> Explained:
    """The table with each new card in an ink of its own, where it is likelier by what it teaches
    then: what an ink that was not seen looks like is known of no other card.
    """
    table, score = found.table, found.score
    there = {card.id for card in before.cards}
    for card in table.cards:
        if card.id in there or card.ink is None:
            continue
        other = table.with_card(with_ink(card, f"ink {card.id}"))
        by_other = learned_again(score, other)
        total = by_other.total(other)
        if total > score.total(table) + LEAST_GAIN:
            table, score = other, by_other
    return replace(found, table=table, score=score)


def _pool(known: KnownPlaces, new: Iterable[Proposal]) -> Pool:
    """What lay there, and proposals besides, numbered from the next number on."""
    cards = known.table.cards
    first = max(card.id for card in cards) + 1
    lay = zip(cards, known.shares.tolist(), strict=True)
    proposals = {card.id: Proposal(card.place, share) for card, share in lay}
    proposals |= {CardId(first + k): proposal for k, proposal in enumerate(new)}
    return Pool(tuple(proposals.values()), tuple(proposals))


def _inks(table: Table) -> frozenset[str | None]:
    return frozenset(card.ink for card in table.cards)


def _touching(score: TableScore, table: Table, places: Iterable[Place]) -> set[CardId]:
    """The cards that lie at some places, or touch what does."""
    touch = score.prints.touch
    return {c.id for place in places for c in table.cards if touch(c.place, place)}


def _changes(before: Table, after: Table) -> int:
    """How many cards are not as they were: laid, taken off, moved, or something else."""
    was = {card.id: card for card in before.cards}
    now = {card.id: card for card in after.cards}
    another = sum(was[k] != now[k] for k in was.keys() & now.keys())
    return another + max(len(was.keys() - now.keys()), len(now.keys() - was.keys()))
