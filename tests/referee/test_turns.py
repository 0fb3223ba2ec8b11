"""Whose turn it is, what is left, and when a round is over."""

from __future__ import annotations

from dataclasses import replace

from geometry.layout import Card
from geometry.rules import Rules
from referee.following import begin, follow
from referee.known_table import KnownTable
from referee.turns import cards_left, in_turn, is_over, next_colour, out_of_turn
from tests.referee.tables import DECK, RULES, colours, game, moved, played, read

FREE = Rules(free_for_all=True)


def table(number: int, seed: int = 1) -> KnownTable:
    layout = game(seed)
    return played([read(layout, number)], colours(layout))[1].table


def test_the_turn_goes_round_from_the_card_laid_last() -> None:
    layout = game(1)
    players = colours(layout)
    assert next_colour(players, table(1), RULES) is None  # nobody has begun (S5)
    for number in range(2, 9):
        turn = layout.cards[number].colour
        assert next_colour(players, table(number), RULES) == turn
        assert in_turn(players, table(number), RULES)
    assert next_colour((), table(5), RULES) is None
    assert next_colour(players, table(5), FREE) is None


def test_a_colour_out_of_turn_is_told_but_not_in_a_free_for_all() -> None:
    one, two, three = colours(game(1))
    wrong = (two, one, three)
    assert not in_turn(wrong, table(3), RULES)
    assert in_turn(wrong, table(3), FREE)
    assert in_turn((), table(3), RULES)
    assert out_of_turn(wrong, table(3), FREE) == ()


def test_a_colour_that_nobody_plays_is_told_by_all_rules() -> None:
    one, two, _ = colours(game(1))
    stranger = table(4).cards[3].id
    assert stranger in out_of_turn((one, two), table(4), RULES)
    assert out_of_turn((one, two), table(4), FREE) == (stranger,)


def test_of_cards_laid_between_two_pictures_the_order_is_free() -> None:
    layout = game(1)
    one, two, three = colours(layout)
    turned = (one, three, two)  # who lays second and third is the other way round
    by_one = played([read(layout, n) for n in range(1, 5)], turned)[1].table
    together = played([read(layout, 2), read(layout, 4)], turned)[1].table
    assert out_of_turn(turned, by_one, RULES)
    assert out_of_turn(turned, together, RULES) == ()
    two_of_one = replace(together.cards[-1], name=(one, "circle-6"))
    assert two_of_one.id in out_of_turn(turned, together.with_card(two_of_one), RULES)


def test_a_card_laid_on_its_own_colour_is_illegal_in_a_free_for_all() -> None:
    layout = game(1)
    on = {card.id - 40: card.over for card in read(layout, 13, noise_mm=0.0).cards}
    place, below = next(
        (place, lower - 40) for place, lowers in on.items() if place > 3 for lower in lowers
        if len(lowers) == 1 and lower > 40
    )  # fmt: skip

    def same_colour(card: Card) -> Card:
        return replace(card, colour=layout.cards[below].colour) if card.id == place else card

    state = begin(DECK, FREE)
    for number in (place, place + 1):
        events, state = follow(state, read(layout, number, same_colour))
    assert [(one.status, one.rule) for one in events] == [("illegal", "own_colour")]


def test_cards_that_are_left_of_the_suits_in_play() -> None:
    players = colours(game(1))
    assert cards_left(players, table(1), RULES) == dict.fromkeys(players, 18)
    after = cards_left(players, table(5), RULES)
    assert [after[colour] for colour in players] == [16, 17, 17]
    few = Rules(suits=frozenset({"circle"}))
    assert set(cards_left(players, table(1), few).values()) == {6}
    assert set(cards_left((), table(5), RULES)) == set(players)


def test_a_round_ends_with_its_cards() -> None:
    players = colours(game(1))
    one = table(2)
    laid = one.cards[1]
    copies = [replace(laid, id=100 + n) for n in range(17)]
    all_of_one = replace(one, cards=(*one.cards, *copies))
    assert not is_over(players, all_of_one, RULES)
    assert is_over(players, all_of_one, FREE)
    assert is_over(players[:1], all_of_one, RULES)
    assert next_colour(players[:1], all_of_one, RULES) is None
    assert next_colour(players[:2], all_of_one, RULES) == players[1]


def test_a_card_laid_free_though_it_had_a_place_is_told() -> None:
    layout = replace(game(1), play_area_mm=None)
    place = 4

    def aside(card: Card) -> Card:
        return moved(card, 900.0) if card.id == place else card

    ((*_,), (event,)), _ = played([read(layout, place), read(layout, place + 1, aside)])
    assert (event.status, event.notes) == ("free", ("place_existed",))
    said, _ = played([read(layout, place), read(layout, place + 1)])
    assert said[1][0].notes == ()
