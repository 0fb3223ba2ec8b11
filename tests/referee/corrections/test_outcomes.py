"""The whole scores that are still possible: which answers go together, and how probably."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice, product
from math import prod

import pytest

from geometry.rules import Rules
from measuring.scenes.true_reading import true_table
from referee.corrections.answers import Answer, Asked, asked, asked_of, table_of
from referee.corrections.applied import CorrectedTable, apply, reading_of
from referee.corrections.base_rates import base_rates
from referee.corrections.combinations import Way, combinations, groups_of, ways_of
from referee.corrections.kinds import AnswerDoubt, LayOver, RemoveCard
from referee.corrections.outcomes import (
    MOST_COMBINED,
    Outcome,
    common_leaders,
    possible_outcomes,
)
from referee.corrections.replay import replay
from tests.referee.corrections.answered_tables import middle
from tests.referee.corrections.outcome_tables import there, tops
from tests.scenes import scene
from vision.assemble import assemble
from vision.reading import AnswerOdds, Doubt, DoubtKind, SeenTable
from vision.reason import Reason

RULES = Rules()


@pytest.fixture(scope="module")
def sure() -> SeenTable:
    """A table of which nothing is open."""
    return true_table(scene("panel-oak").truth)


def open_table(seen: SeenTable, *doubts: Doubt) -> CorrectedTable:
    raised = replace(seen, doubts=(*seen.doubts, *doubts))
    return CorrectedTable(raised, raised, RULES)


def told(table: CorrectedTable) -> tuple[Asked, tuple[Outcome, ...]]:
    found = asked(table)
    return found, possible_outcomes(table, found)


def chances(outcomes: Sequence[Outcome]) -> list[float]:
    return [one.probability for one in outcomes]


def named(answers: Sequence[Answer]) -> list[Answer]:
    return [one for one in answers if one.answer != "other"]


def test_where_nothing_is_open_there_is_nothing_to_tell(sure: SeenTable) -> None:
    found, outcomes = told(open_table(sure))
    assert found.reading.sure
    assert found.reading.sure_without_illegal
    assert outcomes == ()


def test_a_doubt_that_changes_no_score_is_not_combined(sure: SeenTable) -> None:
    doubt = Doubt("card", None, (10.0, 10.0), Reason("looks-wrong"))
    found, outcomes = told(open_table(sure, doubt))
    assert len(found.answers) == 1
    assert outcomes == ()


@pytest.mark.parametrize("log_odds", [-200.0, 0.0, 30.0, 200.0])
def test_a_single_doubt_comes_to_what_its_answers_say(sure: SeenTable, log_odds: float) -> None:
    found, outcomes = told(open_table(sure, there(sure, tops(sure)[0], log_odds)))
    (answers,) = found.answers
    assert [(one.scores, one.scores_without_illegal) for one in named(answers)] == [
        (one.scores, one.scores_without_illegal) for one in outcomes
    ]
    said = [one.probability or 0.0 for one in named(answers)]
    assert chances(outcomes) == pytest.approx(said)
    (other,) = [one.probability for one in answers if one.answer == "other"]
    assert 1 - sum(chances(outcomes)) == pytest.approx(other), "what is not named is not spread"


def test_doubts_of_different_cards_are_independent(sure: SeenTable) -> None:
    first, second = tops(sure)[:2]
    doubts = (there(sure, first, -10.0), there(sure, second, 40.0))
    table = open_table(sure, *doubts)
    found, outcomes = told(table)
    expected: dict[tuple[tuple[str, int], ...], float] = {}
    for pair in product(*map(named, found.answers)):
        after = table
        for answer in pair:
            assert isinstance(answer.correction, AnswerDoubt)
            after = apply(answer.correction, after)
        scores = reading_of(after).scores
        key = tuple(sorted(scores.items()))
        chance = prod(answer.probability or 0.0 for answer in pair)
        expected[key] = expected.get(key, 0.0) + chance
    assert len(expected) == 4
    assert {tuple(sorted(one.scores.items())): one.probability for one in outcomes} == {
        key: pytest.approx(chance) for key, chance in expected.items()
    }
    assert chances(outcomes) == sorted(chances(outcomes), reverse=True)
    assert sum(chances(outcomes)) == pytest.approx(0.75 * 0.75)


def test_of_doubts_of_one_card_one_answer_departs_at_a_time(sure: SeenTable) -> None:
    card = tops(sure)[0]
    one = sure.layout.card(card)
    colour = next(other.name for other in sure.layout.deck.colours if other.name != one.colour)
    ink = Doubt(
        "colour",
        card,
        middle(sure, card),
        Reason("colour-unclear", {"colour": one.colour, "rival": colour}),
        odds=(AnswerOdds("colour", one.colour, 0.0), AnswerOdds("colour", colour, -1.0)),
    )
    found, outcomes = told(open_table(sure, there(sure, card, -20.0), ink))
    shares = []
    for answers in found.answers:
        said = {(a.answer, a.value): a.probability or 0.0 for a in answers}
        read = said.get(("there", True), said.get(("colour", one.colour), 0.0))
        departs = said.get(("there", False), said.get(("colour", colour), 0.0))
        shares.append((read, departs, said["other", None]))
    (r1, d1, o1), (r2, d2, o2) = shares
    whole = r1 * r2 + d1 * r2 + r1 * d2 + o1 * r2 + r1 * o2
    assert sorted(chances(outcomes)) == pytest.approx(
        sorted([r1 * r2 / whole, d1 * r2 / whole, r1 * d2 / whole])
    )


def a_doubt(kind: DoubtKind, card: int | None, *steps: LayOver | RemoveCard) -> tuple[
    Doubt, tuple[Answer, ...]
]:  # fmt: skip
    doubt = Doubt(kind, card, (10.0, 10.0), Reason("looks-wrong"))
    given = (AnswerDoubt("a", "right", True), AnswerDoubt("a", "there", False, steps))
    return doubt, tuple(Answer(one.answer, one.value, {}, {}, (), one) for one in given)


def test_doubts_that_touch_a_common_card_belong_together() -> None:
    first, second = a_doubt("card", 1), a_doubt("card", 2)
    apart, bare = a_doubt("card", 9), a_doubt("missing", None)
    assert groups_of([first, second, apart, bare]) == [[first], [second], [apart], [bare]]
    order = a_doubt("order", 3, LayOver(2, 1))
    assert groups_of([first, second, apart, order, bare]) == [
        [apart],
        [first, second, order],
        [bare],
    ]
    again = a_doubt("face", 1)
    assert groups_of([first, again]) == [[first, again]]


def test_combinations_come_likeliest_first_and_each_once() -> None:
    groups = [
        [Way(0.5), Way(0.3), Way(0.1)],
        [Way(0.6), Way(0.4)],
        [Way(0.9)],
        [Way(0.7), Way(0.2), Way(0.05)],
    ]
    found = [one.weight for one in combinations(groups)]
    every = [prod(way.weight for way in ways) for ways in product(*groups)]
    assert found == pytest.approx(sorted(every, reverse=True))
    many = [[Way(0.6), Way(0.4)]] * 200
    assert len(list(islice(combinations(many), MOST_COMBINED))) == MOST_COMBINED


def test_no_more_combinations_than_the_bound_are_looked_at(
    sure: SeenTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was read is told though it is not among the likeliest."""
    doubts = [there(sure, card, 300.0) for card in tops(sure)[:4]]
    table = open_table(sure, *doubts)
    found, whole = told(table)
    assert len(found.answers) == len(doubts)
    monkeypatch.setattr("referee.corrections.outcomes.MOST_COMBINED", 3)
    outcomes = possible_outcomes(table, found)
    assert len(outcomes) <= 4 < len(whole)
    read = found.reading
    assert (read.scores, read.scores_without_illegal) in [
        (one.scores, one.scores_without_illegal) for one in outcomes
    ]
    assert sum(chances(outcomes)) < sum(chances(whole)) == pytest.approx(0.75**4)
    assert chances(outcomes) == sorted(chances(outcomes), reverse=True)


def test_in_a_hurry_nothing_more_is_judged(
    sure: SeenTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is known from the answers alone is told all the same."""
    table = open_table(sure, *(there(sure, card, -10.0) for card in tops(sure)[:2]))
    found, whole = told(table)

    def never(_table: CorrectedTable) -> None:
        raise AssertionError("judged")

    monkeypatch.setattr("referee.corrections.outcomes.reading_of", never)
    outcomes = possible_outcomes(table, found, lambda: True)
    assert len(outcomes) == 3
    assert set(chances(outcomes)) < set(chances(whole))


def test_combinations_that_do_not_go_together_are_not_told(
    borderline: SeenTable,
) -> None:
    """Whether card 33 lies legally is no question where it is not there, or lies on nothing."""
    below = next(one.over for one in assemble(borderline, RULES).cards if one.id == 33)
    table = open_table(borderline, *(there(borderline, card) for card in below))
    found, outcomes = told(table)
    scores = [dict(one.scores_without_illegal) for one in outcomes]
    for one in below:
        gone = reading_of(apply(RemoveCard(one), table))
        if all(doubt.kind != "verdict" for doubt in gone.doubts):
            assert dict(gone.scores_without_illegal) in scores
    assert found.reading.scores_without_illegal in scores
    assert len(outcomes) < 2 ** (1 + len(below))


def test_a_borderline_placement_comes_to_two_outcomes_and_nothing_else(
    borderline: SeenTable,
) -> None:
    found, outcomes = told(open_table(borderline))
    (answers,) = found.answers
    assert [one.scores_without_illegal for one in outcomes] == [
        one.scores_without_illegal for one in answers
    ]
    assert chances(outcomes) == pytest.approx([one.probability or 0.0 for one in answers])
    assert sum(chances(outcomes)) == pytest.approx(1)


def test_what_was_weighed_and_what_was_not_are_combined(borderline: SeenTable) -> None:
    far = next(card for card in tops(borderline) if card != 33)
    found, outcomes = told(open_table(borderline, there(borderline, far, -10.0)))
    expected = [
        (one.probability or 0.0) * (other.probability or 0.0)
        for one, other in product(*map(named, found.answers))
    ]
    assert chances(outcomes) == pytest.approx(sorted(expected, reverse=True))
    assert sum(chances(outcomes)) == pytest.approx(0.75), "weighed answers leave a quarter"


@pytest.mark.parametrize("kind", ["missing", "table"])
def test_what_cannot_be_named_leaves_what_was_read(sure: SeenTable, kind: DoubtKind) -> None:
    doubt = Doubt(kind, None, (10.0, 10.0), Reason("start-not-seen"), {"red": 1}, {"red": 1})
    found, (outcome,) = told(open_table(sure, doubt))
    read = found.reading
    assert (outcome.scores, outcome.scores_without_illegal) == (
        read.scores,
        read.scores_without_illegal,
    )
    (said, _none) = base_rates(kind, 1)
    assert (outcome.probability,) == pytest.approx(said)


@pytest.mark.parametrize("changes", [{}, {"red": 1}])
def test_of_answers_that_were_not_worked_out_what_was_read_is_by_base_rates(
    sure: SeenTable, changes: dict[str, int]
) -> None:
    """Though the doubt says that it changes no score: an answer may change one."""
    doubt = replace(there(sure, tops(sure)[0], -10.0), changes_scores_by=changes)
    table = open_table(sure, doubt)
    found = asked(table, lambda: True)
    assert found.unjudged
    (outcome,) = possible_outcomes(table, found)
    said, _none = base_rates("card", 1)
    assert (outcome.probability,) == pytest.approx(said)
    assert outcome.scores == found.reading.scores


def test_equal_scores_are_one_outcome(sure: SeenTable) -> None:
    """Another face with the same dots that show is the same score. What the named answers leave to
    1 is left, whether something else is offered or not.
    """
    group = [a_doubt("card", 1, RemoveCard(1))]
    (doubt, (read, other)) = group[0]
    weighed = (replace(read, probability=0.5), replace(other, probability=0.25))
    ways = ways_of([(doubt, weighed)])
    assert [way.weight for way in ways] == pytest.approx([0.5, 0.25])
    table = open_table(sure)
    reading = reading_of(table)
    same = tuple(
        replace(
            one,
            scores={**reading.scores, "nobody": 0},
            scores_without_illegal=reading.scores_without_illegal,
        )
        for one in weighed
    )
    raised = replace(doubt, changes_scores_by={"red": 1})
    found = Asked(replace(reading, doubts=(raised,)), (same,))
    (outcome,) = possible_outcomes(table, found)
    assert outcome.probability == pytest.approx(0.75)
    assert dict(outcome.scores) == dict(reading.scores)


def test_sureness_does_not_hang_on_outcomes(sure: SeenTable) -> None:
    seen = replace(sure, doubts=(there(sure, tops(sure)[0], -1e6),))
    replayed = replay(seen, (), RULES)
    assert len(replayed.outcomes) == 2
    assert max(chances(replayed.outcomes)) < 0.7
    assert not replayed.reading.sure


def test_a_reading_as_it_came_and_one_replayed_are_told_alike(borderline: SeenTable) -> None:
    reading = assemble(borderline, RULES)
    found = asked_of(reading, RULES)
    came = possible_outcomes(table_of(reading, RULES), found)
    assert came == replay(borderline, (), RULES).outcomes
    assert len(came) == 2


@pytest.mark.parametrize(
    ("scores", "leading"),
    [
        ([], ()),
        ([{"red": 3, "blue": 2}], ("red",)),
        ([{"red": 3, "blue": 2}, {"red": 9, "blue": 2}], ("red",)),
        ([{"red": 3, "blue": 2}, {"red": 3, "blue": 3}], ()),
        ([{"red": 3, "blue": 3, "pink": 1}, {"blue": 5, "red": 5}], ("red", "blue")),
        ([{"red": 3, "blue": 2}, {"red": 1, "blue": 2}], ()),
    ],
)
def test_who_leads_in_all_of_them(scores: list[dict[str, int]], leading: tuple[str, ...]) -> None:
    assert common_leaders([Outcome({}, one, 0.1) for one in scores]) == leading
