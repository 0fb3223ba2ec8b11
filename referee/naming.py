"""What all readings together say of a card: its name, its side, where it lies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from geometry.pose import Pose
from referee.known_table import KnownCard, KnownTable, Name, Side
from referee.sight import is_free
from vision.reading import Doubt, ReadCard
from vision.together.matching import REACH_MM, away
from vision.together.sides import is_same_side

TELLING_CARDS = 8
"""From so many cards on a table's inks tell its colours as well as ever; fewer tell them worse."""
COVERED_VOTE = 0.35
"""A vote of a reading that sees a card under others."""
OPEN_VOTE = 0.5
"""A vote of a reading that doubts the name itself."""
SWITCH = 0.3
"""By so much votes have to exceed those for the name that was said before another is said."""
TWICE_COST = 0.55
"""By so much votes have to exceed others before a name is thought to lie twice."""
STEADY_MM, STEADY_DEG = 0.8, 0.6
"""Readings of a card that lies still differ by less; of one nudged (T8) by more."""
DOUBTED = 0.5
"""A reading that doubts a card's name is so much of one that says the same."""
LEAST_SHARE, NUDGED_SHARE = 0.2, 0.6
"""How much of a reading's pose is taken over: at least, and where the card was nudged."""


def first_seen(card_id: int, card: ReadCard, pose: Pose, weight: float, is_open: bool) -> KnownCard:
    """A card as one reading has it, at a pose in the known table's frame."""
    name, times = (card.colour, card.face), _times(is_open)
    return KnownCard(
        card_id, name, pose, {name: weight}, card.outline_px, card.confidence,
        sides=(Side(pose, weight, times),), told={name: times}, here=times,
    )  # fmt: skip


def seen_again(
    table: KnownTable, known: KnownCard, card: ReadCard, pose: Pose, is_open: bool
) -> KnownCard:
    """A known card after one more reading of it, its name as it was: `settled` decides on names."""
    name: Name = (card.colour, card.face)
    weight = vote(len(table.cards), card, is_open, is_free(table, known.id))
    votes = {**known.votes, name: known.votes.get(name, 0.0) + weight}
    times = _times(is_open)
    known = replace(
        known, votes=votes, outline_px=card.outline_px, confidence=card.confidence,
        told={**known.told, name: known.told.get(name, 0.0) + times}, here=known.here + times,
    )  # fmt: skip
    return _lying(known, Side(pose, weight, times)) if name == known.name else known


def settled(cards: Sequence[KnownCard]) -> tuple[KnownCard, ...]:
    """The cards, each with the name for which most votes speak where no name lies twice: of all
    ways to give names, the one with most votes. One stays as it is where others speak no louder.
    """
    from scipy.optimize import linear_sum_assignment  # starts slowly; a rig does without at first

    free = [card for card in cards if not card.named]
    given = {card.name for card in cards if card.named}
    names = sorted({name for card in free for name in card.votes} - given)
    value = np.full((len(free), len(names) + len(free)), -1e3)
    for row, card in enumerate(free):
        for column, name in enumerate(names):
            if name in card.votes:
                stays = SWITCH if name == card.name else 0.0
                value[row, column] = card.votes[name] + stays
        value[row, len(names) + row] = card.votes.get(card.name, 0.0) - TWICE_COST
    rows, columns = linear_sum_assignment(-value)
    chosen = {
        free[row].id: names[column]
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
        if column < len(names)
    }
    return tuple(replace(card, name=chosen.get(card.id, card.name)) for card in cards)


def renamed(before: KnownCard, after: KnownCard, card: ReadCard, pose: Pose) -> KnownCard:
    """A card whose face has changed to that of a reading, lying as this reading has it; one of
    another colour lies as it did.
    """
    if after.name[1] == before.name[1] or (card.colour, card.face) != after.name:
        return after
    side = Side(pose, after.votes[after.name], after.told[after.name])
    return replace(after, pose=pose, readings=1, sides=(side,))


def pushed(known: KnownCard, pose: Pose, here: float) -> KnownCard:
    """A card that was moved and lies where a reading has it: its side as known where it was only
    pushed, as read where it lies elsewhere altogether. `here`: how many earlier readings had it
    there.
    """
    votes, times = sum(one.votes for one in known.sides), here
    if away(known.pose, pose)[0] <= REACH_MM:
        turn = (pose.angle_deg - known.pose.angle_deg + 180) % 360 - 180
        angle = pose.angle_deg if abs(turn) < 90 else (pose.angle_deg + 180) % 360
        pose = replace(pose, angle_deg=angle, mirrored=known.pose.mirrored)
        times = sum(one.readings for one in known.sides)
    return replace(known, pose=pose, readings=1, sides=(Side(pose, votes, times),), here=here)


def vote(cards: int, card: ReadCard, is_open: bool, is_free: bool) -> float:
    """How much a reading speaks for the name it gives a card."""
    told = min(1.0, cards / TELLING_CARDS) * card.confidence
    return told * (1.0 if is_free else COVERED_VOTE) * (OPEN_VOTE if is_open else 1.0)


def open_cards(doubts: Iterable[Doubt], cards: Iterable[int]) -> frozenset[int]:
    """The cards of a reading of which it doubts the name; all of them where no colour is clear."""
    asked = {doubt.card for doubt in doubts if doubt.kind in ("face", "colour", "card")}
    if None in asked:
        return frozenset(cards)
    return frozenset(card for card in asked if card is not None)


def _times(is_open: bool) -> float:
    return DOUBTED if is_open else 1.0


def _lying(known: KnownCard, seen: Side) -> KnownCard:
    """A card after a reading of how it lies: its side by votes, its place the readings' mean."""
    sides, met, pose = list[Side](), False, seen.pose
    for side in known.sides or (Side(known.pose, 0.0, 0.0),):
        if is_same_side(side.pose, pose):
            mean = _mean(side.pose, pose, known.readings)
            sides.append(Side(mean, side.votes + seen.votes, side.readings + seen.readings))
            met = True
        else:
            sides.append(side)
    if not met:
        sides.append(seen)
    best = max(sides, key=lambda side: side.votes).pose
    nudged = max(away(known.pose, pose)) > STEADY_MM
    readings = 1 if nudged else known.readings + 1
    return replace(known, pose=best, sides=tuple(sides), readings=readings)


def _mean(known: Pose, pose: Pose, readings: int) -> Pose:
    """The mean of all readings of a card that lies still; of one that was nudged more the last."""
    mm, deg = away(known, pose)
    nudged = mm > STEADY_MM or deg > STEADY_DEG
    share = NUDGED_SHARE if nudged else max(LEAST_SHARE, 1 / (readings + 1))
    turn = (pose.angle_deg - known.angle_deg + 180) % 360 - 180
    return Pose(
        known.x_mm + share * (pose.x_mm - known.x_mm),
        known.y_mm + share * (pose.y_mm - known.y_mm),
        (known.angle_deg + share * turn) % 360,
        known.mirrored,
    )
