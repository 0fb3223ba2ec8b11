"""What the readings of a game leave to ask."""

from collections import Counter
from collections.abc import Iterator

from referee.known_table import KnownCard, KnownTable, Name
from referee.said import card_name
from vision.reason import CardName, Reason

DECISIVE = 0.5
"""By which votes for a card's name have to exceed those for any other: as much as one reading that
sees it free among a few others."""


def open_questions(table: KnownTable) -> Iterator[tuple[int, Reason]]:
    """Cards of which readings contradict each other, by id, and what to ask of each: two of one
    name, or one whose name the readings do not agree on.
    """
    names = Counter(card.name for card in table.cards)
    for card in table.cards:
        if card.named:
            continue
        second = other_name(card)
        if names[card.name] > 1:
            yield card.id, Reason("history-name-twice")
        elif second is not None:
            yield card.id, Reason("history-name-open", either(card, second, table))


def other_name(card: KnownCard) -> Name | None:
    """The name that readings speak for nearly as much as for the card's own; None where no person
    has to say which it is, or one did.
    """
    if card.named or card.lead >= DECISIVE or len(card.votes) == 1:
        return None
    others = [name for name in card.votes if name != card.name]
    return max(others, key=card.votes.__getitem__)


def either(card: KnownCard, second: Name, table: KnownTable) -> dict[str, CardName]:
    """The facts of a reason that asks which of two cards one is: as it is known, and the other."""
    return {"first": card_name(card.name, table), "second": card_name(second, table)}
