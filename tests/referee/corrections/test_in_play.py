"""Effects, answers and outcomes name colours in play, or ones that a doubt says are likely."""

from __future__ import annotations

from dataclasses import replace

from geometry.rules import Rules
from referee.corrections.answers import OTHER, Answer
from referee.corrections.kinds import ChangeColour
from referee.corrections.replay import Replayed, replay
from vision.assemble import middle_px
from vision.reading import AnswerOdds, Doubt, SeenTable
from vision.reason import Reason

RULES = Rules()


def without(seen: SeenTable, colour: str) -> SeenTable:
    """The table with this colour's cards called red."""
    layout = seen.layout
    cards = [replace(c, colour="red") if c.colour == colour else c for c in layout.cards]
    return replace(seen, layout=replace(layout, cards=tuple(cards)))


def colour_doubt(seen: SeenTable, rival: str, log_odds: float) -> SeenTable:
    card = next(one for one in seen.layout.cards if one.colour == "red")
    outline = next(one.outline_px for one in seen.cards if one.id == card.id)
    odds = (AnswerOdds("colour", "red", 0.0), AnswerOdds("colour", rival, log_odds))
    reason = Reason("colour-unclear", {"colour": "red", "rival": rival})
    changes = {"red": -6, rival: 6}
    doubt = Doubt("colour", card.id, middle_px(outline), reason, changes, changes, odds=odds)
    return replace(seen, doubts=(doubt,))


def missing(seen: SeenTable, *colours: str) -> SeenTable:
    changes = dict.fromkeys(colours, 6)
    doubt = Doubt("missing", None, (5.0, 5.0), Reason("start-not-seen"), changes, changes)
    return replace(seen, doubts=(doubt,))


def played(seen: SeenTable) -> set[str]:
    return {card.colour for card in seen.layout.cards} - {"white"}


def first(read: Replayed) -> tuple[Doubt, tuple[Answer, ...]]:
    return read.reading.doubts[0], read.answers[0]


def test_a_card_that_may_be_missing_is_of_a_colour_in_play(borderline: SeenTable) -> None:
    colours = sorted(played(borderline))
    read = replay(missing(borderline, *colours, "white", "gold"), (), RULES)
    doubt, answers = first(read)
    assert set(doubt.changes_scores_by) == set(colours)
    assert set(doubt.changes_scores_without_illegal_by) == set(colours)
    assert all(set(one.scores) == set(read.reading.scores) for one in answers)
    assert all(set(one.scores) <= set(colours) for one in read.outcomes)
    assert (read.reading.sure, read.reading.sure_without_illegal) == (False, False)


def test_a_colour_that_a_correction_took_off_the_table_is_named_no_more(
    borderline: SeenTable,
) -> None:
    gone = min(played(borderline) - {"red"})
    seen = missing(borderline, *played(borderline))
    recoloured = [
        ChangeColour(card.id, "red") for card in borderline.layout.cards if card.colour == gone
    ]
    assert gone in first(replay(seen, (), RULES))[0].changes_scores_by
    doubt, _ = first(replay(seen, recoloured, RULES))
    assert set(doubt.changes_scores_by) == played(borderline) - {gone}


def test_a_colour_that_nobody_plays_is_an_answer_only_where_it_is_likely(
    borderline: SeenTable,
) -> None:
    rival = min(played(borderline) - {"red"})
    table = without(borderline, rival)
    for log_odds, is_named in ((-0.5, True), (-12.0, False)):
        read = replay(colour_doubt(table, rival, log_odds), (), RULES)
        doubt, answers = first(read)
        assert (rival in doubt.changes_scores_by) == is_named
        assert (rival in [one.value for one in answers]) == is_named
        assert any(one.scores.get(rival) for one in answers) == is_named
        assert any(one.scores.get(rival) for one in read.outcomes) == is_named
        assert not read.reading.sure
        assert not read.reading.sure_without_illegal


def test_of_a_colour_in_play_an_unlikely_answer_stays(borderline: SeenTable) -> None:
    rival = min(played(borderline) - {"red"})
    _, answers = first(replay(colour_doubt(borderline, rival, -12.0), (), RULES))
    assert {one.value for one in answers if one.answer != OTHER} == {"red", rival}


def test_a_doubt_of_nothing_but_colours_that_nobody_plays_stays_a_doubt(
    borderline: SeenTable,
) -> None:
    read = replay(missing(borderline, "gold"), (), RULES)
    doubt, _ = first(read)
    assert doubt.changes_scores_by == {"gold": 6}
    assert not read.reading.sure
    assert not read.reading.sure_without_illegal
