"""Which answers to a reading's doubts may be right together, and how probable that is.

Doubts about the same card speak of the same thing: of their answers that depart from what was
read one at most is taken at a time. Doubts about other cards are independent of them.
"""

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from math import prod

from referee.corrections.answers import OTHER, Answer
from referee.corrections.kinds import AnswerDoubt
from vision.reading import Doubt

OpenDoubt = tuple[Doubt, tuple[Answer, ...]]
"""A doubt and its answers, as `Asked` has them."""


@dataclass(frozen=True, slots=True)
class Departure:
    """An answer that departs from what was read."""

    doubt: Doubt
    answer: Answer


@dataclass(frozen=True, slots=True)
class Way:
    """One way in which a group of doubts may turn out; `departure` None: all as read.

    `weight`: its probability, 0 to 1.
    """

    weight: float
    departure: Departure | None = None


@dataclass(frozen=True, slots=True)
class Combination:
    """One way of each group: what departs from what was read, and how probable that is, 0 to 1."""

    weight: float
    departures: tuple[Departure, ...]


def groups_of(doubts: Iterable[OpenDoubt]) -> list[list[OpenDoubt]]:
    """The doubts, those together that concern a common card or whose answers change one."""
    groups: list[tuple[set[int], list[OpenDoubt]]] = []
    for one in doubts:
        cards = _cards(one)
        joined = [group for group in groups if cards & group[0]]
        groups = [group for group in groups if not cards & group[0]]
        members = [member for _, group in joined for member in group]
        groups.append((cards.union(*(touched for touched, _ in joined)), [*members, one]))
    return [members for _, members in groups]


def ways_of(group: Sequence[OpenDoubt]) -> list[Way]:
    """The ways of a group that can be named, the likeliest first; they sum to 1 with those that are
    not: what a doubt's named answers leave to 1.
    """
    read = [_probability(_as_read(one)) for one in group]
    ways = [Way(prod(read))]
    unnamed = 0.0
    for place, (doubt, answers) in enumerate(group):
        others_read = prod(share for at, share in enumerate(read) if at != place)
        named = [one for one in answers if one.answer != OTHER]
        unnamed += max(0.0, 1 - sum(map(_probability, named))) * others_read
        for answer in named:
            if answer is not _as_read((doubt, answers)):
                weight = _probability(answer) * others_read
                ways.append(Way(weight, Departure(doubt, answer)))
    whole = sum(way.weight for way in ways) + unnamed
    normed = [Way(way.weight / whole, way.departure) for way in ways]
    return sorted(normed, key=lambda way: -way.weight)


def combinations(groups: Sequence[Sequence[Way]]) -> Iterator[Combination]:
    """Every choice of one way from each group, the likeliest first; each group's ways as
    `ways_of` has them.
    """
    first = (0,) * len(groups)
    turn = count()  # of two that weigh the same the one that was found first
    waiting = [(-_weight(groups, first), next(turn), first)]
    seen = {first}
    while waiting:
        _, _, places = heapq.heappop(waiting)
        taken = [ways[at].departure for ways, at in zip(groups, places, strict=True)]
        departures = tuple(one for one in taken if one is not None)
        yield Combination(_weight(groups, places), departures)
        for group, at in enumerate(places):
            further = (*places[:group], at + 1, *places[group + 1 :])
            if at + 1 < len(groups[group]) and further not in seen:
                seen.add(further)
                heapq.heappush(waiting, (-_weight(groups, further), next(turn), further))


def all_as_read(groups: Sequence[Sequence[Way]]) -> Combination:
    """The combination in which nothing departs from what was read."""
    return Combination(
        prod(way.weight for ways in groups for way in ways if way.departure is None), ()
    )


def _weight(groups: Sequence[Sequence[Way]], places: Sequence[int]) -> float:
    return prod(ways[at].weight for ways, at in zip(groups, places, strict=True))


def _probability(answer: Answer) -> float:
    if answer.probability is None:
        raise ValueError(f"expected an answer to a doubt, found {answer}")
    return answer.probability


def _as_read(one: OpenDoubt) -> Answer:
    """The answer that changes nothing: a borderline placement counts as legal."""
    doubt, answers = one
    for answer in answers:
        given = answer.correction
        as_legal = doubt.kind == "verdict" and answer.value is True
        if isinstance(given, AnswerDoubt) and (as_legal or not given.steps):
            return answer
    raise ValueError(f"expected what was read among the answers to {doubt}, found {answers}")


def _cards(one: OpenDoubt) -> set[int]:
    """The cards that a doubt is about, and that its answers change."""
    doubt, answers = one
    cards = set() if doubt.card is None else {doubt.card}
    for answer in answers:
        for step in answer.correction.steps if isinstance(answer.correction, AnswerDoubt) else ():
            cards |= {getattr(step, name) for name in ("card", "other") if hasattr(step, name)}
    return cards
