"""What only one reading showed: an end is not sure of it until a second one agrees."""

from collections.abc import Iterator
from dataclasses import replace

from referee.following import Following, Step, follow, has_something_over
from referee.known_table import KnownCard, KnownTable
from vision.reading import Doubt, Reading

AGREEING = 2.0
"""So many readings have to agree on a card, its name and where it lies; one that doubts the name
counts half."""
_QUIET = ("nothing", "waiting")


def seen_once(table: KnownTable) -> tuple[int, ...]:
    """Cards that hardly more than one reading gave their name, or has where they lie, by their ids;
    not those that a person named.
    """
    return tuple(card.id for card in table.cards if not card.named and not _is_confirmed(card))


def looked_again(state: Following, first: Reading | None, second: Reading | None) -> Step:
    """The last picture read once more, and what that changes.

    `first` is its first reading. Nothing changes where one of the two says nothing of the cards,
    or more changes than a turn; a picture that lacks a card lacks it once, however often it is
    read. What the first reading doubts stays in doubt.
    """
    if first is None or second is None or has_something_over(first):
        return (), state
    events, after = follow(state, second)
    if not after.at_rest or any(one.kind == "taken_back" for one in events):
        return (), state
    if state.at_rest and after.last is not None:
        doubts = (*after.last.doubts, *_still_doubted(state, after, first, after.last))
        after = replace(after, last=replace(after.last, doubts=doubts))
    return tuple(one for one in events if one.kind not in _QUIET), after


def _is_confirmed(card: KnownCard) -> bool:
    return card.told.get(card.name, 0.0) >= AGREEING and card.here >= AGREEING


def _still_doubted(
    state: Following, after: Following, first: Reading, second: Reading
) -> Iterator[Doubt]:
    """The first reading's doubts that the second has not, of the second's cards."""
    read = {known: card for card, known in after.pairs.items()}
    raised = {(doubt.reason.code, doubt.card) for doubt in second.doubts}
    for doubt in first.doubts:
        known = None if doubt.card is None else state.pairs.get(doubt.card)
        card = None if known is None else read.get(known)
        if (doubt.reason.code, card) not in raised:
            yield replace(doubt, card=card, odds=())
