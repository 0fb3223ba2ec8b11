"""The whole scores that are still possible: the answers to all doubts taken together.

A doubt's answers say what follows from each alone. Here they are combined (`combinations.py`), each
combination applied to the table, and the whole table judged again. What nobody can name is left
out: the probabilities sum to 1 less that.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from referee.corrections.answers import Asked, Hurry
from referee.corrections.applied import CorrectedTable, apply, reading_of
from referee.corrections.combinations import (
    Combination,
    Departure,
    OpenDoubt,
    all_as_read,
    combinations,
    groups_of,
    ways_of,
)
from referee.corrections.kinds import AnswerDoubt
from referee.corrections.misfits import CorrectionRefused
from referee.corrections.rulings import doubt_key
from vision.reading import Reading

MOST_COMBINED = 32
"""So many combinations of answers are looked at, the likeliest; what is left counts as unnamed."""
Scores = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A whole score that may be right, in dots of each colour, and how probably it is: 0 to 1."""

    scores: Scores
    scores_without_illegal: Scores
    probability: float


def possible_outcomes(
    table: CorrectedTable, found: Asked, hurry: Hurry = lambda: False
) -> tuple[Outcome, ...]:
    """What the scores may turn out to be, what was read among them: the likeliest first.

    Empty where no doubt could change a score: what was read is all there is, and sure. `found` is
    what `asked` says of this table. From when `hurry` is true nothing is judged any more, and
    combinations that were not count as unnamed.
    """
    doubts = list(_open(found))
    if not doubts:
        return ()
    groups = [ways_of(group) for group in groups_of(doubts)]
    likeliest = list(islice(combinations(groups), MOST_COMBINED))
    if all(one.departures for one in likeliest):
        likeliest.append(all_as_read(groups))
    told: dict[object, Outcome] = {}
    for combination in likeliest:
        after = _scores(combination, table, found.reading, hurry)
        if after is not None:
            key = _key(after)
            before = told.get(key, Outcome(*after, 0.0))
            told[key] = replace(before, probability=before.probability + combination.weight)
    return tuple(sorted(told.values(), key=lambda one: -one.probability))


def common_leaders(outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    """The colours with the most dots without illegal cards, where these are the same in all
    outcomes, several that are equal; none where outcomes differ, or there are none.
    """
    led = [_leaders(one.scores_without_illegal) for one in outcomes]
    return led[0] if led and all(set(one) == set(led[0]) for one in led) else ()


def _leaders(scores: Scores) -> tuple[str, ...]:
    most = max(scores.values(), default=0)
    return tuple(name for name, dots in scores.items() if dots == most)


def _open(found: Asked) -> Iterator[OpenDoubt]:
    """The doubts that could change a score, or of which nobody knows whether they could."""
    for doubt, answers in zip(found.reading.doubts, found.answers, strict=True):
        if doubt.matters or doubt_key(doubt) in found.unjudged:
            yield doubt, answers


def _scores(
    combination: Combination, table: CorrectedTable, reading: Reading, hurry: Hurry
) -> tuple[Scores, Scores] | None:
    """Both scores; None where they are not known. What one answer comes to alone is known."""
    if not combination.departures:
        return reading.scores, reading.scores_without_illegal
    if len(combination.departures) == 1:
        answer = combination.departures[0].answer
        return answer.scores, answer.scores_without_illegal
    return None if hurry() else _judged(combination.departures, table)


def _judged(departures: Sequence[Departure], table: CorrectedTable) -> tuple[Scores, Scores] | None:
    """Both scores with these answers together; None where they do not go together.

    Whether a borderline placement is legal is a question only while it is borderline with the other
    answers too.
    """
    verdicts = [one for one in departures if one.doubt.kind == "verdict"]
    others = [one for one in departures if one.doubt.kind != "verdict"]
    try:
        for one in others:
            table = _with_steps(one, table)
        if verdicts and others:
            still_open = {doubt_key(doubt) for doubt in reading_of(table).doubts}
            if any(doubt_key(one.doubt) not in still_open for one in verdicts):
                return None
        for one in verdicts:
            table = _with_steps(one, table)
    except CorrectionRefused:
        return None
    after = reading_of(table)
    return after.scores, after.scores_without_illegal


def _with_steps(departure: Departure, table: CorrectedTable) -> CorrectedTable:
    """The table with what follows from an answer; that the doubt is settled changes no score."""
    given = departure.answer.correction
    for step in given.steps if isinstance(given, AnswerDoubt) else ():
        table = apply(step, table)
    return table


def _key(both: tuple[Scores, Scores]) -> object:
    """The same for equal scores: a colour that is not named has none."""
    return tuple(frozenset((name, dots) for name, dots in one.items() if dots) for one in both)
