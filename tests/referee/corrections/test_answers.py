"""Each doubt's answers: what they promise is what follows when one is given."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, repeat

import pytest

from geometry.rules import Rules
from geometry.showing import over, visible_dots
from geometry.spread import even_spread
from referee.corrections.answers import Answer, asked, asked_of, asked_once, called
from referee.corrections.applied import CorrectedTable, apply
from referee.corrections.base_rates import COUNTED, DoubtCounts, base_rates
from referee.corrections.kinds import (
    AnswerDoubt,
    ChangeFace,
    CountDot,
    OverruleVerdict,
    RemoveCard,
)
from referee.corrections.misfits import DoubtGone
from referee.corrections.replay import replay
from referee.corrections.rulings import doubt_key
from tests.referee.corrections.answered_tables import (
    RULES,
    a_dot,
    by_name,
    check,
    middle,
    names,
    ordered,
)
from vision.assemble import assemble
from vision.reading import AnswerKind, AnswerOdds, Doubt, DoubtKind, SeenTable
from vision.reason import Reason


def doubted(
    seen: SeenTable,
    kind: DoubtKind,
    card: int | None,
    reason: Reason,
    changes: dict[str, int] | None = None,
    at_px: tuple[float, float] | None = None,
) -> SeenTable:
    place = at_px or (middle(seen, card) if card is not None else (10.0, 10.0))
    changes = changes or {}
    return replace(seen, doubts=(Doubt(kind, card, place, reason, changes, changes),))


def test_without_time_no_answer_is_named_and_nothing_gets_sure(borderline: SeenTable) -> None:
    reading = assemble(borderline, Rules())
    assert not reading.sure_without_illegal
    whole, hurried = asked_of(reading, Rules()), asked_of(reading, Rules(), lambda: True)
    assert names(whole.answers[0]) == [("legal", True), ("legal", False)]
    assert names(hurried.answers[0]) == [("right", True), ("other", None)]
    assert whole.unjudged == frozenset()
    assert hurried.unjudged == {doubt_key(reading.doubts[0])}
    for found in (whole, hurried):
        assert not found.reading.sure_without_illegal
        assert found.reading.doubts[0].changes_scores_without_illegal_by


def test_a_doubt_that_was_not_judged_leaves_nothing_sure(borderline: SeenTable) -> None:
    """It says that it changes no score; an answer may change one all the same."""
    card = next(one for one in replay(borderline, (), RULES).reading.cards if one.visible_dots)
    seen = doubted(borderline, "card", card.id, Reason("looks-wrong"))
    hurried = replay(seen, (), RULES, lambda: True)
    assert len(hurried.unjudged) == len(hurried.reading.doubts) == 2
    assert not hurried.reading.sure
    assert not hurried.reading.sure_without_illegal


def test_a_placement_near_a_limit_is_as_probably_legal_as_it_is_measured(
    borderline: SeenTable,
) -> None:
    """Seen to a quarter of a mm it may well be illegal; as it truly is, it is borderline."""
    (as_it_is,) = replay(borderline, (), RULES).answers
    spread = even_spread(0.25, 0.2)
    cards = tuple(replace(card, spread=spread) for card in borderline.cards)
    near = replay(replace(borderline, cards=cards), (), RULES)
    by_card = {
        doubt.card: told for doubt, told in zip(near.reading.doubts, near.answers, strict=True)
    }
    (one,) = [doubt for doubt in near.reading.doubts if doubt.card == 33]
    against = one.odds[1].log_odds
    legal, illegal = (
        next(a.probability for a in by_card[33] if a.value is value) for value in (True, False)
    )
    assert legal is not None
    assert illegal is not None
    assert legal + illegal == pytest.approx(1.0)
    assert math.log(illegal / legal) == pytest.approx(against)
    assert as_it_is[0].probability == pytest.approx(48 / 49)
    assert legal < 0.97


def test_an_illegal_placement_says_what_either_answer_comes_to(borderline: SeenTable) -> None:
    before = replay(borderline, (), RULES)
    assert list(before.placements) == [item.card for item in before.reading.illegal] == [19, 32]
    for card, answers in before.placements.items():
        assert ordered(answers) == [("legal", False), ("legal", True)]
        assert {one.probability for one in answers} == {None}, "nothing is in doubt"
        assert answers[0].scores_without_illegal != answers[1].scores_without_illegal
        for answer, legal in zip(answers, (False, True), strict=True):
            assert answer.correction == OverruleVerdict(card, legal)
            after = replay(borderline, (OverruleVerdict(card, legal),), RULES)
            assert dict(after.reading.scores) == answer.scores
            assert dict(after.reading.scores_without_illegal) == answer.scores_without_illegal
            assert tuple(item.card for item in after.reading.illegal) == answer.illegal
        agreed = replay(borderline, (OverruleVerdict(card, False),), RULES)
        assert agreed.placements[card] == answers, "it may be called legal later"
        overruled = replay(borderline, (OverruleVerdict(card, True),), RULES)
        assert card not in overruled.placements


def test_without_time_a_placement_is_judged_when_asked(borderline: SeenTable) -> None:
    table = CorrectedTable(borderline, borderline, RULES)
    hurried, whole = asked(table, lambda: True), asked(table)
    assert hurried.placements == {}
    assert {card: called(table, card) for card in (19, 32)} == whole.placements
    with pytest.raises(DoubtGone):
        called(table, 33)


def test_what_there_was_no_time_for_is_worked_out_when_asked(borderline: SeenTable) -> None:
    table = CorrectedTable(borderline, borderline, RULES)
    whole, hurried = asked(table), asked(table, lambda: True)
    for doubt, answers in zip(whole.reading.doubts, whole.answers, strict=True):
        assert doubt_key(doubt) in hurried.unjudged
        assert asked_once(table, doubt_key(doubt)) == (doubt, answers)
    with pytest.raises(DoubtGone):
        asked_once(table, "verdict-999")


def test_what_could_change_a_score_is_judged_first(borderline: SeenTable) -> None:
    """Two cards that nobody counts on are asked about before the borderline one."""
    other = doubted(borderline, "order", None, Reason("order-unclear")).doubts
    card = borderline.layout.cards[5]
    idle = doubted(borderline, "face", card.id, Reason("side-unclear")).doubts
    seen = replace(borderline, doubts=(*other, *idle))
    doubts = replay(seen, (), RULES).reading.doubts
    assert [one.kind for one in doubts] == ["order", "face", "verdict"]
    turns = chain([False], repeat(True))
    found = asked(CorrectedTable(seen, seen, RULES), lambda: next(turns))
    assert found.unjudged == {doubt_key(doubts[1])}
    assert names(found.answers[2]) == [("legal", True), ("legal", False)]


def test_a_borderline_card_is_legal_or_not(borderline: SeenTable) -> None:
    assert names(check(borderline)) == [("legal", True), ("legal", False)]


def test_another_face(borderline: SeenTable) -> None:
    card = borderline.layout.cards[5]
    face = next(f.id for f in borderline.layout.deck.faces if f.id != card.face)
    seen = doubted(
        borderline, "face", card.id, Reason("face-unclear", {"face": card.face, "rival": face})
    )
    assert names(check(seen))[:2] == [("face", card.face), ("face", face)]


def test_two_cards_that_exchange_their_faces(borderline: SeenTable) -> None:
    card, other = [one for one in borderline.layout.cards if one.colour == "red"][:2]
    seen = doubted(
        borderline,
        "face",
        card.id,
        Reason("face-unclear", {"face": card.face, "rival": other.face}),
    )
    correction = by_name(check(seen))[1].correction
    assert isinstance(correction, AnswerDoubt)
    assert ChangeFace(other.id, card.face) in correction.steps


def test_front_or_back(borderline: SeenTable) -> None:
    card = borderline.layout.cards[5]
    seen = doubted(borderline, "face", card.id, Reason("side-unclear"))
    mirrored = card.pose.mirrored
    assert names(check(seen))[:2] == [("side", mirrored), ("side", not mirrored)]


def test_colours(borderline: SeenTable) -> None:
    card = next(one for one in borderline.layout.cards if one.colour == "red")
    seen = doubted(
        borderline, "colour", card.id, Reason("colour-unclear", {"colour": "red", "rival": "blue"})
    )
    assert names(check(seen)) == [("colour", "red"), ("colour", "blue"), ("other", None)]


def test_which_lies_on_top(borderline: SeenTable) -> None:
    upper, lower = next((c, below[0]) for c, below in over(borderline.layout).items() if below)
    (ax, ay), (bx, by) = middle(borderline, upper), middle(borderline, lower)
    reason = Reason("order-unclear")
    seen = doubted(borderline, "order", upper, reason, at_px=((ax + bx) / 2, (ay + by) / 2))
    assert names(check(seen))[:2] == [("over", upper), ("over", lower)]
    far = doubted(borderline, "order", upper, reason, at_px=(ax + 5000, ay))
    assert names(check(far))[0] == ("right", True), "the other card is gone"


@pytest.mark.parametrize("shows", [True, False])
def test_a_dot_shows_or_not(borderline: SeenTable, shows: bool) -> None:
    card, dot, at_px = a_dot(borderline, shows)
    colour = borderline.layout.card(card).colour
    reason = Reason("dot-not-seen" if shows else "dot-half-hidden")
    by = -1 if shows else 1
    seen = doubted(borderline, "dot", card, reason, {colour: by}, at_px)
    answers = check(seen)
    assert names(answers)[:2] == [("dot", shows), ("dot", not shows)]
    before = replay(borderline, (), RULES).reading
    after = replay(borderline, (CountDot(card, dot, not shows),), RULES).reading
    assert after.scores[colour] == before.scores[colour] + by
    told = next(one for one in after.cards if one.id == card)
    measured = next(one for one in before.cards if one.id == card)
    assert told.visible_dots == measured.visible_dots + by
    assert told.hidden_dots == measured.hidden_dots - by


def test_a_dot_of_an_illegal_card_counts_only_as_it_lies(borderline: SeenTable) -> None:
    before = replay(borderline, (), RULES).reading
    shown = visible_dots(borderline.layout)
    card, dot = next(
        (item.card, dot)
        for item in before.illegal
        for dot, visible in enumerate(shown[item.card])
        if visible
    )
    after = replay(borderline, (CountDot(card, dot, False),), RULES).reading
    assert sum(after.scores.values()) == sum(before.scores.values()) - 1
    assert after.scores_without_illegal == before.scores_without_illegal


def test_whether_a_card_is_there(borderline: SeenTable) -> None:
    seen = doubted(borderline, "card", 5, Reason("looks-wrong"), {"red": 1})
    answers = by_name(check(seen))
    assert names(answers)[:2] == [("there", True), ("there", False)]
    assert isinstance(answers[1].correction, AnswerDoubt)
    assert answers[1].correction.steps == (RemoveCard(5),)


@pytest.mark.parametrize("kind", ["missing", "table"])
def test_what_cannot_be_named_is_something_else(borderline: SeenTable, kind: DoubtKind) -> None:
    seen = doubted(borderline, kind, None, Reason("start-not-seen"), {"red": 1, "green": 1})
    answers = by_name(check(seen))
    before = replay(borderline, (), RULES).reading
    assert [one.answer for one in answers] == ["missing" if kind == "missing" else "right", "other"]
    assert answers[1].scores["red"] == before.scores["red"] + 1
    read = replay(seen, (), RULES).reading
    assert (read.sure, read.sure_without_illegal) == (False, False)


def test_every_score_an_answer_changes_is_unsure(borderline: SeenTable) -> None:
    """Though the doubt itself says that it changes none."""
    card = next(one for one in replay(borderline, (), RULES).reading.cards if one.visible_dots)
    seen = doubted(borderline, "card", card.id, Reason("looks-wrong"))
    reading = replay(seen, (), RULES).reading
    assert not reading.sure
    assert not reading.sure_without_illegal


def test_an_answer_to_a_doubt_that_is_gone_is_refused(borderline: SeenTable) -> None:
    (answer, _) = check(borderline)
    assert answer.correction is not None
    table = apply(answer.correction, CorrectedTable(borderline, borderline, RULES))
    with pytest.raises(DoubtGone):
        apply(answer.correction, table)
    assert asked(table).answers == ()


def with_odds(seen: SeenTable, *odds: tuple[AnswerKind, str | int | bool, float]) -> SeenTable:
    (doubt,) = seen.doubts
    told = tuple(AnswerOdds(*one) for one in odds)
    return replace(seen, doubts=(replace(doubt, odds=told),))


def chances(answers: Sequence[Answer]) -> list[float]:
    """The probabilities of a doubt's answers: all have one."""
    said = [one.probability for one in answers if one.probability is not None]
    assert len(said) == len(answers)
    return said


def test_the_likeliest_answer_comes_first(borderline: SeenTable) -> None:
    seen = doubted(borderline, "card", 5, Reason("looks-wrong"))
    likely = with_odds(seen, ("there", True, 0.0), ("there", False, 500.0))
    answers = check(likely)
    assert ordered(answers) == [("there", False), ("other", None), ("there", True)]
    absent, something, there = chances(answers)
    assert sum(chances(answers)) == pytest.approx(1)
    assert there < something < absent < 1
    unlikely = with_odds(seen, ("there", True, 0.0), ("there", False, -500.0))
    said = chances(check(unlikely))
    assert ordered(check(unlikely)) == [("there", True), ("other", None), ("there", False)]
    assert said == pytest.approx([absent, something, there])


def test_something_else_is_offered_where_a_score_may_change(borderline: SeenTable) -> None:
    """A doubted card may be wrong in several ways at once; a covered one's face changes nothing."""
    reason = Reason("looks-wrong")
    counts = [any(visible_dots(borderline.layout)[card.id]) for card in borderline.layout.cards]
    shown, hidden = counts.index(True), counts.index(False)
    assert names(check(doubted(borderline, "card", shown, reason)))[-1] == ("other", None)
    placed = check(doubted(borderline, "card", hidden, reason))
    changes = {tuple(one.scores.items()) for one in placed}
    is_offered = ("other", None) in names(placed)
    assert is_offered == (len(changes) > 1)


def test_a_borderline_placement_is_legal_or_illegal(borderline: SeenTable) -> None:
    before = replay(borderline, (), RULES)
    found = [
        answers
        for doubt, answers in zip(before.reading.doubts, before.answers, strict=True)
        if doubt.kind == "verdict"
    ]
    assert found
    assert all(names(one) == [("legal", True), ("legal", False)] for one in found)


def test_of_colours_only_those_that_are_asked_about_share_the_probability(
    borderline: SeenTable,
) -> None:
    card = next(one for one in borderline.layout.cards if one.colour == "red")
    seen = doubted(
        borderline, "colour", card.id, Reason("colour-unclear", {"colour": "red", "rival": "blue"})
    )
    odds: list[tuple[AnswerKind, str, float]] = [("colour", "red", 0.0), ("colour", "blue", -2.0)]
    two = check(with_odds(seen, *odds))
    assert check(with_odds(seen, *odds, ("colour", "green", 3.0))) == two
    assert sum(chances(two)) == pytest.approx(1)


def by_base_rates(kind: DoubtKind, answers: Sequence[Answer]) -> bool:
    """Whether they are as probable as such doubts turned out, the likeliest first."""
    named = [one for one in answers if one.answer != "other"]
    said, none = base_rates(kind, len(named))
    expected = [*said, none][: len(answers)]
    assert chances(answers) == sorted(chances(answers), reverse=True)
    return chances(by_name(answers)) == expected


@pytest.mark.parametrize(
    "odds",
    [
        [],
        [("there", True, 0.0)],
        [("face", "circle-1", 0.0)],
        [("over", 1, 0.0), ("over", 0, 5.0)],  # card 1 on top is not that the card is there
    ],
)
def test_where_an_answer_was_not_weighed_all_are_by_base_rates(
    borderline: SeenTable, odds: list[tuple[AnswerKind, str | int | bool, float]]
) -> None:
    seen = with_odds(doubted(borderline, "card", 5, Reason("looks-wrong")), *odds)
    answers = check(seen)
    assert names(answers) == [("there", True), ("there", False), ("other", None)]
    assert by_base_rates("card", answers)
    weighed = with_odds(seen, ("there", True, 0.0), ("there", False, -50.0))
    assert not by_base_rates("card", check(weighed))


def test_the_likeliest_by_base_rates_comes_first(
    borderline: SeenTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = doubted(borderline, "missing", None, Reason("start-not-seen"), {"red": 1})
    for counts, first in (
        (DoubtCounts(as_read=9, another=0, other=1), ("missing", False)),
        (DoubtCounts(as_read=1, another=0, other=9), ("other", None)),
    ):
        counted = {**COUNTED, "missing": counts}
        monkeypatch.setattr("referee.corrections.base_rates.COUNTED", counted)
        assert ordered(check(seen))[0] == first


def test_without_time_what_was_read_is_by_base_rates(borderline: SeenTable) -> None:
    seen = doubted(borderline, "card", 5, Reason("looks-wrong"), {"red": 1})
    seen = with_odds(seen, ("there", True, 0.0), ("there", False, -50.0))
    hurried = replay(seen, (), RULES, lambda: True)
    for doubt, answers in zip(hurried.reading.doubts, hurried.answers, strict=True):
        assert names(answers) == [("right", True), ("other", None)]
        assert by_base_rates(doubt.kind, answers)
        assert sum(chances(answers)) == pytest.approx(1)


def test_a_card_that_somebody_changed_is_weighed_no_more(borderline: SeenTable) -> None:
    card = borderline.layout.cards[5]
    face = next(one.id for one in borderline.layout.deck.faces if one.id != card.face)
    seen = with_odds(
        doubted(borderline, "card", card.id, Reason("looks-wrong")),
        ("there", True, 0.0), ("there", False, -5.0),
    )  # fmt: skip
    found = replay(seen, (ChangeFace(card.id, face),), RULES)
    told = [answers for answers in found.answers if ("there", True) in ordered(answers)]
    assert told
    assert by_base_rates("card", told[0])
