from __future__ import annotations

import json
from dataclasses import replace

import pytest

from geometry.deck import Suit
from geometry.deck_file import published_deck
from geometry.layout import Card, Layout
from geometry.pose import Pose
from geometry.rules import Rules, Tolerance
from measuring.scenes.true_reading import true_table
from referee.corrections.replay import corrected
from referee.rounds.inventory import expected_cards, inventory
from referee.rounds.match import (
    Match,
    Player,
    WayToPlay,
    check_match,
    rules_of_round,
    suits_of_round,
    team_mates_side_by_side,
)
from referee.rounds.misfits import (
    AlreadySigned,
    MatchFault,
    PlayerUnknown,
    RoundEnded,
    RoundNotEnded,
    RoundNotSigned,
    RoundSigned,
)
from referee.rounds.round import (
    THE_TABLE,
    Result,
    Round,
    Signature,
    ended,
    opened_again,
    signed,
    valid_signatures,
)
from referee.rounds.rounds_json import match_data, match_of, round_data, round_of
from referee.rounds.standings import announced, announced_sure, free_cards, result_of, standings
from tests.scenes import scene

DECK = published_deck()
ADA, BOB = Player("Ada", "blue"), Player("Bob", "red")
PLAIN = Match((ADA, BOB))
TWO: frozenset[Suit] = frozenset({"circle", "square"})


def way(**changes: object) -> Match:
    return replace(PLAIN, way=replace(WayToPlay(), **changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("match", "where"),
    [
        (Match(()), "players"),
        (Match((ADA, Player("Ada", "red"))), "players"),
        (Match((Player("", "blue"),)), "players[0].name"),
        (Match((Player("x" * 41, "blue"),)), "players[0].name"),
        (Match((ADA, Player("Bob", "mauve"))), "players[1].colour"),
        (Match((ADA, Player("Bob", "white"))), "players[1].colour"),
        (Match(tuple(Player(name, "blue") for name in "abc")), "players"),
        (way(limited_space=True, suits=TWO), "limited_space"),
        (way(limited_space=True, target=100), "target"),
        (way(limited_space=True, sabotage=True), "limited_space"),
        (way(sabotage=True), "sabotage"),
        (way(sabotage=True, suits=frozenset({"circle"})), "sabotage"),
        (Match((ADA,), WayToPlay(sabotage=True, suits=TWO)), "sabotage"),
        (way(suits=frozenset()), "suits"),
    ],
)
def test_what_cannot_be_played_is_refused_with_its_place(match: Match, where: str) -> None:
    with pytest.raises(MatchFault) as caught:
        check_match(match, DECK)
    assert caught.value.facts["where"] == where


@pytest.mark.parametrize(
    "match",
    [PLAIN, way(suits=TWO), way(sabotage=True, suits=TWO, free_for_all=True), way(target=100)],
)
def test_what_can_be_played_is_taken(match: Match) -> None:
    check_match(match, DECK)


def test_teams_sit_apart() -> None:
    cid = Player("Cid", "blue")
    assert team_mates_side_by_side([ADA, BOB, cid, Player("Dee", "red")]) == ()
    assert team_mates_side_by_side([ADA, BOB, cid]) == (("Cid", "Ada"),)
    assert team_mates_side_by_side([ADA, cid]) == ()
    assert Match((ADA, BOB, cid)).side("blue") == ("Ada", "Cid")


def test_limited_space_is_three_rounds_of_one_suit_each() -> None:
    limited = WayToPlay(limited_space=True)
    suits = [suits_of_round(limited, number) for number in (1, 2, 3)]
    assert set().union(*(s for s in suits if s)) == {"circle", "square", "triangle"}
    assert [len(s or ()) for s in suits] == [1, 1, 1]
    with pytest.raises(ValueError, match="3 rounds"):
        suits_of_round(limited, 4)


def test_the_way_to_play_makes_the_rules() -> None:
    assert rules_of_round(WayToPlay(), 1) == Rules()
    house = WayToPlay(
        tolerance=Tolerance(legal_mm=4, illegal_mm=5),
        free_for_all=True,
        suits=TWO,
        off=frozenset({"overhang"}),
    )
    assert rules_of_round(house, 7) == Rules(house.tolerance, True, TWO, house.off)
    assert rules_of_round(replace(house, sabotage=True), 7) == rules_of_round(house, 7)


@pytest.mark.parametrize(
    ("played", "count"),
    [(PLAIN, 37), (way(suits=TWO), 25), (way(limited_space=True), 13)],
)
def test_cards_expected(played: Match, count: int) -> None:
    cards = expected_cards(played, 1, DECK)
    assert len(cards) == len(set(cards)) == count
    assert cards[0] == ("white", "start")


def laid(match: Match) -> Layout:
    cards = expected_cards(match, 1, DECK)
    return Layout(
        DECK, tuple(Card(i, c, f, Pose(100.0 * i, 0, 0)) for i, (c, f) in enumerate(cards))
    )


def test_a_complete_table_misses_nothing() -> None:
    found = inventory(PLAIN, 1, laid(PLAIN))
    assert (found.missing, found.unexpected, found.twice) == ((), (), ())


def test_missing_unexpected_and_double_cards_are_named() -> None:
    full = laid(PLAIN)
    gone = full.cards[5]
    odd = (
        Card(90, "green", "circle-1", gone.pose),
        Card(91, full.cards[7].colour, full.cards[7].face, gone.pose),
    )
    table = replace(full, cards=(*full.without([5]).cards, *odd))
    found = inventory(PLAIN, 1, table)
    assert found.missing == ((gone.colour, gone.face),)
    assert found.unexpected == (90, 91)
    assert found.twice == ((full.cards[7].colour, full.cards[7].face),)
    assert not found.missing_is_fine


def test_a_suit_that_is_left_out_is_unexpected() -> None:
    found = inventory(way(suits=TWO), 1, laid(PLAIN))
    assert found.missing == ()
    assert len(found.unexpected) == 12


def test_a_free_for_all_ends_when_one_has_no_cards_left() -> None:
    match = way(free_for_all=True)
    full = laid(match)
    red = [card.id for card in full.cards if card.colour == "red"]
    found = inventory(match, 1, full.without(red[:4]))
    assert found.missing_is_fine
    assert not found.nobody_finished
    blue = next(card.id for card in full.cards if card.colour == "blue")
    assert inventory(match, 1, full.without([red[0], blue])).nobody_finished
    assert not inventory(match, 1, full.without([0])).missing_is_fine, "the start is missing"


RESULT = Result({"blue": 40, "red": 40}, {"blue": 38, "red": 40}, True, False)


def finished(number: int, blue: int, red: int, first: str | None = None) -> Round:
    scores = {"blue": blue, "red": red}
    return Round(number, "t", "signed", "t", first, result=Result(scores, scores, True, True))


def test_rounds_add_up_to_a_target_and_ties_are_shared() -> None:
    match = way(target=70)
    first = standings(match, [finished(1, 30, 35)])
    assert (first.totals, first.leaders, first.over) == ({"blue": 30, "red": 35}, ("red",), False)
    assert first.winners == ()
    both = standings(match, [finished(1, 30, 35), finished(2, 45, 40)])
    assert (both.totals["blue"], both.over, both.winners) == (75, True, ("blue", "red"))


def test_totals_are_as_sure_as_the_least_sure_of_the_scores_that_count() -> None:
    scores = {"blue": 30, "red": 35}
    doubted = Round(2, "t", "signed", "t", result=Result(scores, scores, True, False))
    assert standings(PLAIN, [finished(1, 30, 35)]).sure
    assert not standings(PLAIN, [finished(1, 30, 35), doubted]).sure
    assert standings(way(illegal_stay=True), [doubted]).sure


def test_a_tie_can_go_to_who_finished_first() -> None:
    rounds = [finished(1, 40, 40, "red")]
    assert standings(way(target=40, one_winner=True), rounds).winners == ("red",)
    assert standings(way(target=40), rounds).winners == ("blue", "red")
    behind = [finished(1, 41, 40, "red")]
    assert standings(way(target=40, one_winner=True), behind).winners == ("blue",)


def test_limited_space_is_over_after_three_rounds() -> None:
    match = way(limited_space=True)
    rounds = [finished(n, 10, n) for n in (1, 2, 3)]
    assert not standings(match, rounds[:2]).over
    assert standings(match, rounds).winners == ("blue",)


def test_unsigned_rounds_do_not_count() -> None:
    open_round = Round(2, "t", "ended", "t")
    assert standings(PLAIN, [open_round]).totals == {"blue": 0, "red": 0}
    assert standings(PLAIN, [open_round]).leaders == ()


def test_illegal_cards_come_off_unless_the_house_lets_them_stay() -> None:
    assert announced(PLAIN, RESULT) == RESULT.without_illegal
    assert not announced_sure(PLAIN, RESULT)
    assert announced(way(illegal_stay=True), RESULT) == RESULT.as_it_lies
    assert announced_sure(way(illegal_stay=True), RESULT)


def test_a_reading_gives_a_result_for_the_colours_in_play() -> None:
    reading = corrected(true_table(scene("two-walnut").truth), [], Rules())
    match = Match((Player("A", "red"), Player("B", "blue")))
    result = result_of(match, 1, reading)
    assert result.as_it_lies == {"red": reading.scores["red"], "blue": 0}
    assert free_cards(reading) == tuple(card.id for card in reading.cards if card.free)


def sign(round_: Round, player: str, version: int = 3) -> Round:
    return signed(round_, PLAIN, Signature(player, "t", version), RESULT)


def test_everybody_signs() -> None:
    over = ended(Round(1, "t0"), "t1", "red")
    assert (over.state, over.ended_at, over.finished_first) == ("ended", "t1", "red")
    half = sign(over, "Ada")
    assert (half.state, half.result) == ("ended", None)
    full = sign(half, "Bob")
    assert (full.state, full.result) == ("signed", RESULT)
    assert sign(over, THE_TABLE).state == "signed"
    again = opened_again(full)
    assert (again.state, again.signatures, again.result) == ("ended", (), None)


def test_a_correction_voids_the_signatures_before_it() -> None:
    half = sign(ended(Round(1, "t"), "t"), "Ada", version=3)
    later = sign(half, "Bob", version=4)
    assert later.state == "ended"
    assert [signature.player for signature in later.signatures] == ["Bob"]
    assert valid_signatures(half, 4) == ()
    assert sign(later, "Ada", version=4).state == "signed"


def test_what_comes_too_early_or_twice_is_refused() -> None:
    over = ended(Round(1, "t"), "t")
    with pytest.raises(RoundEnded):
        ended(over, "t")
    with pytest.raises(RoundNotEnded):
        sign(Round(1, "t"), "Ada")
    with pytest.raises(AlreadySigned):
        sign(sign(over, "Ada"), "Ada")
    with pytest.raises(PlayerUnknown):
        sign(over, "Eve")
    with pytest.raises(RoundSigned):
        sign(sign(over, THE_TABLE), "Ada")
    with pytest.raises(RoundNotSigned):
        opened_again(over)


def test_matches_and_rounds_come_back_from_json() -> None:
    match = Match(
        (ADA, BOB),
        WayToPlay(
            suits=TWO,
            free_for_all=True,
            sabotage=True,
            tolerance=Tolerance(1, 2, 3, 4),
            off=frozenset({"overhang"}),
            illegal_stay=True,
            target=100,
            one_winner=True,
        ),
    )
    assert match_of(json.loads(json.dumps(match_data(match)))) == match
    assert match_of(json.loads(json.dumps(match_data(PLAIN)))) == PLAIN
    for round_ in (Round(1, "t"), sign(ended(Round(2, "t"), "t", "red"), THE_TABLE)):
        assert round_of(json.loads(json.dumps(round_data(round_)))) == round_
