"""What of a reading counts: what lies elsewhere, what is missed, what has to be seen once more."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from geometry.pose import Pose
from geometry.rules import Rules
from geometry.verdict import judge
from referee.known_table import KnownTable
from referee.sight import can_be_taken, is_free, missed_in_sight
from vision.reading import Reading
from vision.together.alignment import cards_in_common
from vision.together.matching import REACH_MM, Matching, away

MOVED_MM, MOVED_DEG = 2.5, 2.5
"""A card read farther from where it lay was moved; of one that lies still readings differ less."""
MANY = 3
"""More changes of known cards than a turn makes: somebody knocked against them, or took them."""
ABSENT_READINGS, MANY_ABSENT_READINGS = 2, 3
"""So many readings on end have to lack a card, and as many cards as no turn takes, before they are
said to be gone: a hand hides them as well."""
MOST_WAITS = 3
"""So many readings on end that each lack another card are waited for; a game goes on after them."""
FEWEST_TO_TELL = 4
"""A table of fewer cards cannot be told from another."""
OF_HANDS = frozenset({"lines-unexplained", "dot-unexplained", "foreign-ink", "looks-wrong"})
"""Doubts of what else is seen: a reading with one says half as much of cards that it lacks."""


@dataclass(frozen=True, slots=True)
class Unsettled:
    """What the last reading showed that has to be seen once more. `absent`: for how many readings
    on end each card was missed in plain sight, and `lost` those that the last one missed; `apart`:
    where it had cards that lay elsewhere; `waits`: how many readings were waited for; `disturbed`:
    whether more had changed than a turn can. `held`: where it had new cards that may be none;
    `suspects`: cards said to lie legally that do not seem to.
    """

    absent: Mapping[int, float] = field(default_factory=dict)
    lost: frozenset[int] = frozenset()
    apart: Mapping[int, Pose] = field(default_factory=dict)
    waits: int = 0
    disturbed: bool = False
    held: tuple[Pose, ...] = ()
    suspects: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Changes:
    """What a reading changes on a known table: `moved` cards and those `taken` (the topmost first)
    are certain; `apart` lie elsewhere, which the next reading has to confirm; `lost` are missed.
    `seen_twice`: cards that two readings on end have at one place, apart from where they lay.
    """

    found: Matching
    moved: tuple[int, ...]
    taken: tuple[int, ...]
    apart: Mapping[int, Pose]
    lost: tuple[int, ...]
    unsettled: Unsettled
    seen_twice: frozenset[int] = frozenset()

    @property
    def many(self) -> bool:
        """Whether more has changed than a turn can, without a second reading that says so."""
        return len(self.apart) + self.lately >= MANY

    def hides_something(self, table: KnownTable, reading: Reading) -> bool:
        """Whether a card is missed for the first time, so that a hand may hide it and more.

        Not where the reading has a card more, of which nothing is in doubt, and lacks a single one
        on which others lie, or the starting card on a table with markers: nobody took it (T9, S4),
        and the reading overlooks it.
        """
        if all(self.unsettled.absent[card] > 1 for card in self.lost):
            return False
        new = set(self.found.new)
        doubted = {doubt.card for doubt in reading.doubts}
        if not new or new & doubted or len(self.lost) > 1:
            return True
        start = table.card(self.lost[0]).name[1] == table.deck.starting_face.id
        return is_free(table, self.lost[0]) and not (start and reading.play_area_mm)

    @property
    def lately(self) -> int:
        """How many cards are missed, those aside that have been for long."""
        absent = self.unsettled.absent
        return sum(absent[card] < MANY_ABSENT_READINGS for card in self.lost)


def changes(
    before: Unsettled, table: KnownTable, rules: Rules, reading: Reading, found: Matching
) -> Changes:
    """What a reading at rest shows of the known cards, with what the last one left unsettled."""
    found = _slid_along(table, reading, found)
    lost = missed_in_sight(table, found)
    apart = _apart(table, found)
    slid = {card for card in apart if away(table.card(card).pose, apart[card])[0] > REACH_MM}
    seen_twice = frozenset(card for card in apart if _agrees(before.apart.get(card), apart[card]))
    few = len(apart) + len(lost) < MANY
    if few:
        laid_anew = {
            card
            for card, pose in apart.items()
            if is_free(table, card) and (card in before.absent or _fits(table, rules, card, pose))
        }
        moved = [card for card in apart if card in seen_twice | slid | laid_anew]
    else:
        moved = list(apart) if seen_twice == set(apart) else []
    absent = _absent(before, reading, lost)
    taken = _taken(before, table, lost, absent)
    left = {card: pose for card, pose in apart.items() if card not in moved}
    still = tuple(card for card in lost if card not in taken)
    after = replace(before, absent=absent, lost=frozenset(lost), apart=apart)
    return Changes(found, tuple(moved), taken, left, still, after, seen_twice)


def is_other_table(table: KnownTable, reading: Reading, found: Matching) -> bool:
    """Whether a picture shows other cards altogether: hardly a card in common, by name and by place
    or by place alone; a table that was knocked over has the same cards still.
    """
    read = reading.cards
    least = min(len(table.cards), len(read))
    if least < FEWEST_TO_TELL or len(found.pairs) * 2 >= least:
        return False
    names = {one.name for one in table.cards} & {(card.colour, card.face) for card in read}
    return cards_in_common(table.cards, read) < 2 and len(names) * 2 < least


def _slid_along(table: KnownTable, reading: Reading, found: Matching) -> Matching:
    """Cards that are missed where they lay and lie elsewhere by the same name: slid along."""
    name = {card.id: (card.colour, card.face) for card in reading.cards}
    gone = set(missed_in_sight(table, found))
    for read in found.new:
        same = [one for one in gone if table.card(one).name == name[read]]
        if len(same) == 1 and is_free(table, same[0], gone):
            found = found.with_pair(same[0], read)
            gone.remove(same[0])
    return found


def _apart(table: KnownTable, found: Matching) -> dict[int, Pose]:
    """Known cards that lie elsewhere in a reading, and where."""
    out = {}
    for card_id, read_id in found.pairs.items():
        mm, deg = away(table.card(card_id).pose, found.poses[read_id])
        if mm > MOVED_MM or deg > MOVED_DEG:
            out[card_id] = found.poses[read_id]
    return out


def _fits(table: KnownTable, rules: Rules, card_id: int, pose: Pose) -> bool:
    """Whether a card lies legally on another where it seems to lie: nudged back (T8) or laid again,
    for no error of measuring makes a card fit.
    """
    there = table.with_card(replace(table.card(card_id), pose=pose))
    verdict = judge(there.layout, rules, (card_id,))[card_id]
    return verdict.status == "legal"


def _agrees(before: Pose | None, pose: Pose) -> bool:
    if before is None:
        return False
    mm, deg = away(before, pose)
    return mm <= MOVED_MM and deg <= MOVED_DEG


def _absent(before: Unsettled, reading: Reading, lost: Collection[int]) -> dict[int, float]:
    hint = any(doubt.reason.code in OF_HANDS for doubt in reading.doubts)
    return {card: before.absent.get(card, 0.0) + (0.5 if hint else 1.0) for card in lost}


def _taken(
    before: Unsettled, table: KnownTable, lost: Collection[int], absent: Mapping[int, float]
) -> tuple[int, ...]:
    """Lost cards that are gone: the same ones are missed by readings on end, nothing lies on them.

    Of readings that miss different cards, as where a hand moves, each counts for less.
    """
    needed = ABSENT_READINGS if len(lost) < MANY else MANY_ABSENT_READINGS
    if frozenset(lost) != before.lost:
        needed += 1
    return can_be_taken(table, [card for card in lost if absent[card] >= needed])
