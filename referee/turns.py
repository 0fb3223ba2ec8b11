"""Whose turn it is, how many cards are left, and when a round is over (T4, S3, E1, V4)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from geometry.rules import Rules
from referee.known_table import KnownCard, KnownTable
from vision.reading import Reading


def next_colour(players: Sequence[str], table: KnownTable, rules: Rules) -> str | None:
    """The colour whose turn it is; None where nobody said who plays, before the first card (S5
    decides), in a free-for-all, which has no turns, and when the round is over.
    """
    laid = _laid_by(players, table.cards)
    if rules.free_for_all or not laid or is_over(players, table, rules):
        return None
    left = cards_left(players, table, rules)
    first = players.index(laid[-1]) + 1
    order = (players[(first + step) % len(players)] for step in range(len(players)))
    return next((colour for colour in order if left[colour] > 0), None)


def cards_left(players: Sequence[str], table: KnownTable, rules: Rules) -> Mapping[str, int]:
    """How many cards of each colour in play are not on the table; the colours are those of the
    players, or those that lie there where nobody said who plays. Of suits in play alone (V1, V2).
    """
    start = table.deck.starting_face.id
    laid = Counter(one.name[0] for one in table.cards if one.name[1] != start)
    suits = rules.suits
    each = sum(suits is None or face.suit in suits for face in table.deck.faces)
    return {colour: max(0, each - laid[colour]) for colour in (players or sorted(laid))}


def is_over(players: Sequence[str], table: KnownTable, rules: Rules) -> bool:
    """Whether the round has ended: all cards are laid (E1), or one colour's in a free-for-all
    (V4). False while no card lies there.
    """
    left = cards_left(players, table, rules).values()
    return bool(left) and (min(left) == 0 if rules.free_for_all else max(left) == 0)


def in_turn(players: Sequence[str], table: KnownTable, rules: Rules) -> bool:
    """Whether the card laid last is of the colour whose turn it was (T4), as far as that is known:
    the first card may be anybody's; always where nobody said who plays, and in a free-for-all.
    """
    if not table.cards or table.cards[-1].name[0] not in players:
        return rules.free_for_all or not players or not _laid_by(players, table.cards)
    before = table.without(table.cards[-1].id)
    turn = next_colour(players, before, rules)
    return turn is None or turn == table.cards[-1].name[0]


def out_of_turn(players: Sequence[str], table: KnownTable, rules: Rules) -> tuple[int, ...]:
    """Cards of a colour other than the one whose turn it was (T4), by their ids: laid out of turn,
    or not of the colour that was read; those of a colour that nobody plays are among them. None
    where nobody said who plays.
    """
    start = table.deck.starting_face.id
    if not players:
        return ()
    strangers = [
        one.id for one in table.cards if one.name[0] not in players and one.name[1] != start
    ]
    if rules.free_for_all:
        return tuple(strangers)
    return (*strangers, *_out_of_order(players, table))


def _out_of_order(players: Sequence[str], table: KnownTable) -> Iterator[int]:
    """Cards that are not of the colours whose turns were next; of those laid between two pictures
    nobody knows the order.
    """
    laid = [one for one in table.cards if one.name[0] in players]
    laid.sort(key=lambda one: one.laid_with)
    last: int | None = None
    for _, together in groupby(laid, key=lambda one: one.laid_with):
        cards = list(together)
        colours = Counter(one.name[0] for one in cards)
        turns = _next_turns(players, last, len(cards), colours)
        excess = colours - Counter(turns)
        yield from (one.id for one in cards if excess[one.name[0]])
        last = players.index((turns if not excess else [one.name[0] for one in cards])[-1])


def _next_turns(
    players: Sequence[str], last: int | None, number: int, colours: Counter[str]
) -> list[str]:
    """The colours whose turns are next; at the beginning, from whichever colour fits best."""
    firsts = range(len(players)) if last is None else (last + 1,)
    ways = [[players[(first + k) % len(players)] for k in range(number)] for first in firsts]
    return min(ways, key=lambda turns: sum((colours - Counter(turns)).values()))


def turns_tell_all(players: Sequence[str], table: KnownTable) -> bool:
    """Whether the colours that were laid follow each other turn by turn, so that none is missing:
    each once in a round, in the same order throughout (T4), the last round perhaps unfinished.
    """
    start = table.deck.starting_colour.name
    colours = [one.name[0] for one in table.cards if one.name[0] != start]
    number = len(players) or len(set(colours))
    if number < 2:
        return False
    if players:
        return not out_of_turn(players, table, Rules())
    first = colours[:number]
    return len(set(first)) == len(first) and all(
        colour == first[place % number] for place, colour in enumerate(colours)
    )


def in_order(
    new: Sequence[int], reading: Reading, players: Sequence[str], table: KnownTable
) -> list[int]:
    """New cards in the order in which they were laid: the lowest first; of those that do not
    touch, in the order of turns.
    """
    order = [card.id for card in reading.cards if card.id in new]
    if len(order) < 2 or not players:
        return order
    colour = {card.id: card.colour for card in reading.cards}
    below = {card.id: set(card.over) for card in reading.cards}
    laid, out = _laid_by(players, table.cards), list[int]()
    turn = players.index(laid[-1]) + 1 if laid else 0
    while order:
        ready = [one for one in order if not below[one] & set(order)] or order[:1]
        waits = {one: _waits(colour[one], players, turn) for one in ready}
        first = min(ready, key=waits.__getitem__)
        out.append(first)
        order.remove(first)
        if colour[first] in players:
            turn = players.index(colour[first]) + 1
    return out


def _laid_by(players: Sequence[str], cards: Sequence[KnownCard]) -> list[str]:
    """The players' colours as they were laid."""
    return [one.name[0] for one in cards if one.name[0] in players]


def _waits(colour: str, players: Sequence[str], turn: int) -> int:
    """How many turns a colour waits until it lays; the starting card comes before all."""
    return (players.index(colour) - turn) % len(players) if colour in players else -1
