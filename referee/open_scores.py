"""Which colours' dots a doubt could still change while a game goes on."""

from geometry.score import scores
from geometry.showing import visible_dots
from referee.following import Following
from referee.history import History
from referee.known_table import KnownCard, KnownTable
from referee.open_questions import DECISIVE, open_questions
from referee.turns import out_of_turn

_OF_CARDS = ("card", "face", "colour")


def open_scores(history: History) -> frozenset[str]:
    """The colours of which the dots as they lie, or without illegal cards, are not certain yet.

    All of them after more has changed than a turn can, and where it is not known which colours a
    card may be of.
    """
    state, table = history.following, history.following.table
    white = table.deck.starting_colour.name
    every = {*state.players, *(card.name[0] for card in table.cards)} - {white}
    if state.unsettled.disturbed:
        return frozenset(every)
    asked = {card for card, _ in open_questions(table)}
    strangers = set(out_of_turn(state.players, table, state.rules))
    doubted = _said_unsure(history)
    found = set[str]()
    for card in table.cards:
        is_borderline = state.said.get(card.id) == "borderline"
        if is_borderline and card.id not in history.rulings:
            found |= _with_and_without(table, card)
        unclear = card.id in doubted and (card.lead < DECISIVE or card.id in strangers)
        if not card.named and (card.id in asked or unclear):
            found |= every if card.id in strangers else _it_may_be_of(state, card) or every
    return frozenset(every & found)


def _said_unsure(history: History) -> set[int]:
    """The cards of which the last that was said was not sure, by their ids."""
    sure: dict[int, bool] = {}
    for entry in history.entries:
        for told in entry.told:
            if told.event.card is not None:
                sure[told.event.card.id] = told.event.sure
    return {card for card, is_sure in sure.items() if not is_sure}


def _with_and_without(table: KnownTable, card: KnownCard) -> set[str]:
    """The colours whose dots differ if a card is taken off."""
    there, gone = (
        scores(one.layout, visible_dots(one.layout)) for one in (table, table.without(card.id))
    )
    return {colour for colour in {*there, *gone} if there.get(colour, 0) != gone.get(colour, 0)}


def _it_may_be_of(state: Following, card: KnownCard) -> set[str]:
    """The colours that a card's name may change: those of the names that readings gave it, and
    those of the last reading's doubts of it. None where neither says what else it may be.
    """
    names = {name for name in card.votes if name != card.name}
    doubts = [] if state.last is None else state.last.doubts
    about = [
        doubt
        for doubt in doubts
        if doubt.kind in _OF_CARDS
        and (doubt.card is None or state.pairs.get(doubt.card) == card.id)
    ]
    is_twice = sum(one.name == card.name for one in state.table.cards) > 1
    if is_twice or not (names or about):
        return set()
    colours = {colour for doubt in about for colour in doubt.changes_scores_by}
    return {card.name[0], *(colour for colour, _ in names), *colours}
