"""What could be instead of what was read, by the kind of a doubt: to be judged, the read one first.

The reader says what it doubts by a kind, a place and a code with facts; which card it means, and
what else it may be, follows from these.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import shapely

from geometry.layout import Card
from geometry.showing import over, visible_dots
from referee.corrections.applied import CorrectedTable
from referee.corrections.kinds import (
    ChangeColour,
    ChangeFace,
    ChangeSide,
    Correction,
    CountDot,
    LayOver,
    MoveCard,
    OverruleVerdict,
    RemoveCard,
)
from vision.assemble import middle_px
from vision.reading import Doubt
from vision.together.places import Places

MOST_FACES = 3
"""More faces than these are no help to choose among."""
_HALF_CARD = 0.5
_OF_PLACE = frozenset({"height-unsure", "together-verdict-differs", "together-place-differs"})
"""Codes of doubts of kind `card` about where it lies: what they ask is whether it lies legally."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """An answer, and the corrections that follow from it; none for what was read."""

    answer: str
    value: str | int | bool | None
    steps: tuple[Correction, ...] = ()


def proposals(doubt: Doubt, table: CorrectedTable) -> Iterator[Proposal]:
    """What was read, then what else it may be; the same name may come with several placings."""
    by_id = {card.id: card for card in table.seen.layout.cards}
    card = None if doubt.card is None else by_id.get(doubt.card)
    if doubt.kind == "missing":
        yield Proposal("missing", False)
    elif card is None:
        yield Proposal("right", True)
    elif doubt.kind == "verdict":
        yield Proposal("legal", True, (OverruleVerdict(card.id, True),))
        yield Proposal("legal", False, (OverruleVerdict(card.id, False),))
    elif doubt.kind == "face":
        yield from _faces(doubt, card, table)
    elif doubt.kind == "colour":
        yield from _colours(doubt, card)
    elif doubt.kind == "order":
        yield from _orders(doubt, card, table)
    elif doubt.kind == "dot":
        yield from _dots(doubt, card, table)
    else:
        yield from _cards(doubt, card)


def _faces(doubt: Doubt, card: Card, table: CorrectedTable) -> Iterator[Proposal]:
    deck = table.seen.layout.deck
    if doubt.reason.code == "twice-now":
        yield Proposal("face", card.face)
        held = {other.face for other in table.seen.layout.cards if other.colour == card.colour}
        free = [face.id for face in deck.faces if face.id not in held]
        yield from (
            Proposal("face", face, (ChangeFace(card.id, face),)) for face in free[:MOST_FACES]
        )
        yield Proposal("there", False, (RemoveCard(card.id),))
    elif doubt.reason.code in ("side-unclear", "side-differs"):
        yield Proposal("side", card.pose.mirrored)
        flip = ChangeSide(card.id, not card.pose.mirrored)
        yield Proposal("side", not card.pose.mirrored, (flip,))
        yield Proposal("side", not card.pose.mirrored, (flip, _turned(card)))
    elif doubt.reason.code in ("face-unclear", "face-differs"):
        rival = str(doubt.reason.facts["rival"])
        yield Proposal("face", card.face)
        change = _exchanged(card, rival, table)
        flip = ChangeSide(card.id, not card.pose.mirrored)
        for placing in ((), (flip,), (_turned(card),), (flip, _turned(card))):
            yield Proposal("face", rival, (*change, *placing))
    else:
        yield Proposal("right", True)


def _exchanged(card: Card, face: str, table: CorrectedTable) -> tuple[Correction, ...]:
    """The card with this face; where another of its colour has it, the two exchange theirs."""
    holders = [
        other.id
        for other in table.seen.layout.cards
        if (other.colour, other.face) == (card.colour, face) and other.id != card.id
    ]
    return (ChangeFace(card.id, face), *(ChangeFace(one, card.face) for one in holders[:1]))


def _turned(card: Card) -> MoveCard:
    pose = card.pose
    return MoveCard(card.id, pose.x_mm, pose.y_mm, (pose.angle_deg + 180) % 360)


def _colours(doubt: Doubt, card: Card) -> Iterator[Proposal]:
    yield Proposal("colour", card.colour)
    for named in ("colour", "rival"):
        name = doubt.reason.facts.get(named, card.colour)
        if name != card.colour:
            yield Proposal("colour", str(name), (ChangeColour(card.id, str(name)),))


def _orders(doubt: Doubt, card: Card, table: CorrectedTable) -> Iterator[Proposal]:
    """The other of the two is the neighbour with which the card's middle is the doubt's place."""
    outlines = {seen.id: seen.outline_px for seen in table.seen.cards}
    below = over(table.seen.layout, 0.0)
    near = [*below[card.id], *(upper for upper, under in below.items() if card.id in under)]
    here = np.array(middle_px(outlines[card.id]))
    apart = {
        other: float(np.hypot(*((here + middle_px(outlines[other])) / 2 - doubt.at_px)))
        for other in near
    }
    other = min(apart, key=lambda one: apart[one], default=None)
    size_px = table.seen.layout.deck.card.height_mm * table.seen.scale_px_per_mm
    if other is None or apart[other] > _HALF_CARD * size_px:
        yield Proposal("right", True)
        return
    upper, lower = (card.id, other) if other in below[card.id] else (other, card.id)
    yield Proposal("over", upper)
    yield Proposal("over", lower, (LayOver(lower, upper),))


def _dots(doubt: Doubt, card: Card, table: CorrectedTable) -> Iterator[Proposal]:
    outside = doubt.reason.code == "dots-outside"
    dot = None if outside else _dot_at(doubt.at_px, card, table)
    if dot is None:
        yield Proposal("right", True)
        return
    shows = _shows(card, dot, table)
    yield Proposal("dot", shows)
    yield Proposal("dot", not shows, (CountDot(card.id, dot, not shows),))
    outlines = {seen.id: shapely.Polygon(seen.outline_px) for seen in table.seen.cards}
    place = shapely.Point(doubt.at_px)
    for other in over(table.seen.layout, 0.0)[card.id] if shows else ():
        if outlines[other].contains(place):
            yield Proposal("over", other, (LayOver(other, card.id),))


def _dot_at(at_px: tuple[float, float], card: Card, table: CorrectedTable) -> int | None:
    """The card's dot nearest to a place in the picture, by its place among the face's dots."""
    dots = np.array(table.seen.layout.deck.face(card.face).dots_mm).reshape(-1, 2)
    if not len(dots):
        return None
    try:
        place = Places(table.as_seen).to_mm(at_px)
    except ValueError:
        return None
    on_table = np.asarray(card.pose.to_table(dots))
    apart = np.linalg.norm(on_table - place, axis=1)
    nearest = int(apart.argmin())
    return nearest if apart[nearest] < table.seen.layout.deck.dot_diameter_mm else None


def _shows(card: Card, dot: int, table: CorrectedTable) -> bool:
    told = table.dots.get((card.id, dot))
    return visible_dots(table.seen.layout)[card.id][dot] if told is None else told


def _cards(doubt: Doubt, card: Card) -> Iterator[Proposal]:
    if doubt.reason.code in _OF_PLACE:
        yield Proposal("right", True)
        yield Proposal("legal", True, (OverruleVerdict(card.id, True),))
        yield Proposal("legal", False, (OverruleVerdict(card.id, False),))
        return
    yield Proposal("there", True)
    yield Proposal("there", False, (RemoveCard(card.id),))
