"""What can happen on a table between two readings."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from geometry.rules import RuleName
from referee.known_table import KnownCard, Name

EventKind = Literal["laid", "moved", "taken_back", "disturbed", "corrected", "waiting", "nothing"]
PlacementStatus = Literal["legal", "illegal", "borderline", "free"]
Note = Literal[
    "several_laid", "out_of_turn", "place_existed", "removed_illegal", "camera_moved",
    "other_table", "judged_again",
]  # fmt: skip
"""What else is to be said of an event: `laid` with others in one picture; not by the colour whose
turn it was (T4); touching nothing though it could have gone somewhere (T6, K2); `taken_back`, an
illegal card (T9); the whole table lies elsewhere in the picture; the picture is of other cards;
`corrected`, the verdict and not the name."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened, or why nothing is said.

    `card` as it is known after it, None for `disturbed`, `waiting` and `nothing`; `was`: the name
    that was said before, of `corrected`. `status` is None for the starting card and a card that is
    gone. `sure`: nothing speaks for another name, and the placement is not borderline. `scores`:
    visible dots of the colours on the table after it. `late_s`: by so many seconds a card was laid
    later than its turn may last (V3), None where it was not or turns are not timed.
    """

    kind: EventKind
    card: KnownCard | None = None
    was: Name | None = None
    status: PlacementStatus | None = None
    rule: RuleName | None = None
    on: tuple[int, ...] = ()
    offset_mm: float | None = None
    offset_deg: float | None = None
    sure: bool = True
    scores: Mapping[str, int] | None = None
    notes: tuple[Note, ...] = ()
    late_s: float | None = None
