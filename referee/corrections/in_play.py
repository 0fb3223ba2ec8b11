"""Of what a doubt may change, that which concerns colours in play, or ones that it says could be.

A card that hides or was misread is of a colour that somebody plays: that the score of another could
change is noise to whoever looks. Whether scores are sure is settled before, with everything.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace

from referee.corrections.answers import OTHER, Answer, Asked, agreeing, asked_once
from referee.corrections.applied import CorrectedTable, reading_of
from referee.corrections.kinds import AnswerDoubt, ChangeColour
from vision.reading import Doubt, Reading

LIKELY = 0.1
"""How probable an answer is at least for its colour to be one that could be in play. One of two,
however much the picture speaks against it, has 0.094: nothing is said to be impossible."""


def in_play(found: Asked) -> Asked:
    """The doubts and answers that concern colours in play; as sure as before.

    A doubt that could change a score goes on saying so: where all it names is of colours that
    nobody plays, it stays as it is.
    """
    told = [
        _told(doubt, answers, found.reading)
        for doubt, answers in zip(found.reading.doubts, found.answers, strict=True)
    ]
    reading = replace(found.reading, doubts=tuple(doubt for doubt, _ in told))
    return replace(found, reading=reading, answers=tuple(answers for _, answers in told))


def asked_once_in_play(table: CorrectedTable, key: str) -> tuple[Doubt, tuple[Answer, ...]]:
    """As `asked_once`, of colours in play. DoubtGone."""
    return _told(*asked_once(table, key), reading_of(table))


def _told(
    doubt: Doubt, answers: tuple[Answer, ...], reading: Reading
) -> tuple[Doubt, tuple[Answer, ...]]:
    start = reading.seen.layout.deck.starting_colour.name
    played = frozenset(card.colour for card in reading.cards) - {start}
    likely = [one for one in answers if _brought_by(one) <= played or _is_likely(one)]
    could = played.union(*map(_brought_by, likely))
    if not any(map(_brought_by, answers)):
        could |= _named_by(doubt)
    kept = tuple(_of_colours(could, one, reading) if one.answer == OTHER else one for one in likely)
    told = agreeing(doubt, kept, reading)
    if _scores_in_doubt(told) != _scores_in_doubt(doubt):
        return doubt, answers
    return told, kept


def _brought_by(answer: Answer) -> frozenset[str]:
    """The colours that an answer gives to cards."""
    given = answer.correction
    steps = given.steps if isinstance(given, AnswerDoubt) else ()
    return frozenset(step.colour for step in steps if isinstance(step, ChangeColour))


def _is_likely(answer: Answer) -> bool:
    return answer.probability is not None and answer.probability >= LIKELY


def _named_by(doubt: Doubt) -> frozenset[str]:
    """The colours that a doubt about colours asks about, where no answer gives them to cards."""
    facts = doubt.reason.facts if doubt.kind == "colour" else {}
    return frozenset(str(facts[name]) for name in ("colour", "rival") if name in facts)


def _of_colours(colours: Collection[str], answer: Answer, reading: Reading) -> Answer:
    """An answer that was not named, with its changes of these colours' scores."""
    left = reading.scores_without_illegal
    return replace(
        answer,
        scores=_changed_in(colours, reading.scores, answer.scores),
        scores_without_illegal=_changed_in(colours, left, answer.scores_without_illegal),
    )


def _changed_in(
    colours: Collection[str], before: Mapping[str, int], after: Mapping[str, int]
) -> dict[str, int]:
    changed = {name: dots for name, dots in after.items() if name in colours}
    return {**before, **changed}


def _scores_in_doubt(doubt: Doubt) -> tuple[bool, bool]:
    first, second = doubt.changes_scores_by, doubt.changes_scores_without_illegal_by
    return bool(first), bool(second)
