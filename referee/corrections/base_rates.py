"""How often doubts turn out to be what was read, something else that is named, or neither: how
probable answers are that the picture does not weigh.

Counted on 424 simulated tables, whose truth is known, over the doubts that could change a score:
`python -m measuring.shadow.answers` prints the counts (decision 16). Of kind `table` none was
raised there: it has the counts of all others but placements.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from vision.reading import Doubt


@dataclass(frozen=True, slots=True)
class DoubtCounts:
    """How many doubts of one kind turned out to be what was read, `another` answer that is named,
    or something `other` that is not.
    """

    as_read: int
    another: int
    other: int


COUNTED: Mapping[str, DoubtCounts] = MappingProxyType(
    {
        "card": DoubtCounts(as_read=12, another=0, other=4),
        "face": DoubtCounts(as_read=11, another=0, other=4),
        "colour": DoubtCounts(as_read=6, another=1, other=0),
        "order": DoubtCounts(as_read=8, another=0, other=0),
        "dot": DoubtCounts(as_read=7, another=1, other=0),
        "missing": DoubtCounts(as_read=13, another=0, other=4),
        "cards-too-few": DoubtCounts(as_read=2, another=0, other=3),
        "table": DoubtCounts(as_read=59, another=2, other=15),
        "verdict": DoubtCounts(as_read=47, another=0, other=0),
    }
)


def counted_as(doubt: Doubt) -> str:
    """Among which doubts one is counted: those of its kind, or of its reason where that has counts
    of its own: unequal numbers say that a card was missed, whatever the picture shows.
    """
    return doubt.reason.code if doubt.reason.code in COUNTED else doubt.kind


def base_rates(counted: str, named: int) -> tuple[tuple[float, ...], float]:
    """How probable each of the `named` answers to a doubt is, 1 or more, what was read first, and
    that it is none of them: they sum to 1. `counted`: among which doubts, as `counted_as` says.

    Each of the three ways has (n + 1) / (N + 3), n of all N of these doubts having turned out
    so, by Laplace's rule: nothing is said to be impossible, or certain. The answers but the first
    share evenly what `another` has; where there are none, it is none of them that has it. A
    borderline placement is legal or illegal, and nothing else: two ways, (n + 1) / (N + 2).
    """
    found = COUNTED[counted]
    counts = [found.as_read, found.another]
    if counted != "verdict":
        counts.append(found.other)
    as_read, another, *other = ((n + 1) / (sum(counts) + len(counts)) for n in counts)
    none = sum(other)
    if named == 1:
        return (as_read,), another + none
    return (as_read, *[another / (named - 1)] * (named - 1)), none
