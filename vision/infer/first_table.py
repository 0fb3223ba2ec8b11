"""A table to begin with: cards where proposals show plainly, of which nothing else is known.

What lies under no other card is seen whatever the order: there bands tell the inks, and what all
faces draw on average tells roughly what is printed. Nothing here is settled: the loop weighs it all
again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from geometry.deck import Deck
from vision.arrays import Bools
from vision.model.drawing import DrawnFaces, Print
from vision.model.footprint import Footprints
from vision.model.printing import Learner, Looks
from vision.model.score import TableScore
from vision.model.table import (
    CardId,
    PlacedCard,
    Table,
    with_hypothesis,
)
from vision.observe.observation import Observation, cells_of
from vision.propose.places import Proposal
from vision.reading_config import ReadingConfig

Margins = Mapping[tuple[CardId, CardId], float]


def first_table(
    seen: Observation, proposals: Sequence[Proposal], deck: Deck, prints: Footprints,
    faces: DrawnFaces, config: ReadingConfig,
) -> tuple[TableScore, Table]:  # fmt: skip
    """Cards at the places that show plainly, numbered as the proposals are, their inks named by
    numbers, with likely faces in a likely order; and the score by a first printing.
    """
    cards = [
        PlacedCard(CardId(k), proposals[k].place, faces.hypotheses[0], None)
        for k in _plain(proposals, config)
    ]
    alone = [_alone(card, cards, prints) for card in cards]
    inks = _ink_groups(seen, cards, alone, prints, faces, len(deck.colours) + 1, config)
    cards = [
        PlacedCard(c.id, c.place, c.hypothesis, ink) for c, ink in zip(cards, inks, strict=True)
    ]
    mean = np.stack([(faces.printed[:-1] == kind).mean(axis=0) for kind in Print])
    looks = []
    for card, there in zip(cards, alone, strict=True):
        taken = prints.of(card.place)
        kinds = mean[:, taken.on[there]].astype(np.float32)
        looks.append(Looks(taken.at[there], kinds, card.ink))
    learner = Learner(seen, faces, prints, config)
    printing = learner.taught_by(looks, cards, tuple(sorted(set(inks))))
    score = TableScore(learner, printing)
    named = []
    for card, there in zip(cards, alone, strict=True):
        gains = score.totals(card, there).gains[:-1, printing.inks.index(card.ink or "")]
        named.append(with_hypothesis(card, faces.hypotheses[int(gains.argmax())]))
    return score, _ordered(named, _margins(score, named))


def _plain(proposals: Sequence[Proposal], config: ReadingConfig) -> list[int]:
    """Which proposals show plainly and lie apart, those first that show most. Where a picture is
    blurred none may show plainly: those do then that show nearly as much as the one that shows
    most, as by a card or two alone all that is black and white looks like a starting card.
    """
    order = sorted(range(len(proposals)), key=lambda k: -proposals[k].share)
    least = min(config.plain_share, config.plain_of_most * proposals[order[0]].share)
    kept: list[int] = []
    for k in order:
        at = proposals[k].place
        near = (proposals[other].place for other in kept)
        off = [float(np.hypot(at.x_mm - o.x_mm, at.y_mm - o.y_mm)) for o in near]
        plain = proposals[k].share >= least
        if plain and min(off, default=np.inf) >= config.plain_apart_mm:
            kept.append(k)
    return kept


def _alone(card: PlacedCard, cards: Sequence[PlacedCard], prints: Footprints) -> Bools:
    """Which (N,) of a card's places no other card takes."""
    return prints.shows(card, [other for other in cards if other.id != card.id])


def _ink_groups(
    seen: Observation, cards: Sequence[PlacedCard], alone: Sequence[Bools], prints: Footprints,
    faces: DrawnFaces, number: int, config: ReadingConfig,
) -> list[str]:  # fmt: skip
    """A name for each card's ink: bands of like chroma share one. At most so many; too many are
    joined later.
    """
    band = (faces.printed[:-1] == Print.INK).all(axis=0)
    chroma = []
    for card, there in zip(cards, alone, strict=True):
        taken = prints.of(card.place)
        some = there & band[taken.on]
        some = some if some.any() else band[taken.on]
        cell = seen.cell.reshape(-1)[taken.at[some]]
        axes = np.unravel_index(cell, cells_of(config))[:2]
        chroma.append([axis.mean() if len(axis) else 0.0 for axis in axes])
    # As channels: OpenCV takes a single row of two numbers for two points.
    points = np.array(chroma, np.float32)[:, None]
    cv2.setRNGSeed(1)  # the same picture is read the same way
    criteria = (cv2.TERM_CRITERIA_COUNT + cv2.TERM_CRITERIA_EPS, 60, 1e-3)
    groups = cv2.kmeans(
        points, min(number, len(points)), None, criteria, 20, cv2.KMEANS_PP_CENTERS
    )[1]
    return [f"ink {group}" for group in groups.ravel().tolist()]


def _margins(score: TableScore, cards: Sequence[PlacedCard]) -> Margins:
    """For each two cards that touch, the first of a lower id, by how many nats the second explains
    better what both take and no other card does.
    """
    out = {}
    for card in cards:
        for other in cards:
            if other.id <= card.id:
                continue
            both = score.prints.overlap(card.place, other.place)
            if both is None:
                continue
            rest = [third for third in cards if third.id not in (card.id, other.id)]
            free = score.prints.shows(card, rest)[both.under]
            own = score.place_gains(card)[both.under]
            theirs = score.explained_at(card, Table((other,)))[both.under]
            out[card.id, other.id] = float((theirs - own)[free].sum())
    return out


def _ordered(cards: Sequence[PlacedCard], margins: Margins) -> Table:
    """An order that breaks only the weakest margins: the strongest are kept as long as they make no
    circle.
    """
    above: dict[CardId, set[CardId]] = {card.id: set() for card in cards}
    for (one, other), margin in sorted(margins.items(), key=lambda pair: -abs(pair[1])):
        low, high = (one, other) if margin > 0 else (other, one)
        if not _reaches(above, high, low):
            above[low].add(high)
    below_of = {card.id: 0 for card in cards}
    for highs in above.values():
        for high in highs:
            below_of[high] += 1
    by_id = {card.id: card for card in cards}
    order: list[PlacedCard] = []
    free = [card_id for card_id, number in below_of.items() if not number]
    while free:
        lowest = free.pop(0)
        order.append(by_id[lowest])
        for high in sorted(above[lowest]):
            below_of[high] -= 1
            if not below_of[high]:
                free.append(high)
    return Table(tuple(order))


def _reaches(above: Mapping[CardId, set[CardId]], start: CardId, end: CardId) -> bool:
    """Whether a chain of cards over one another leads from one up to another."""
    seen, left = {start}, [start]
    while left:
        for card in above[left.pop()] - seen:
            if card == end:
                return True
            seen.add(card)
            left.append(card)
    return False
