"""What a doubt or an illegal placement may turn out to be, and what follows from each answer.

Every answer is applied, and the table judged again.

A doubt says by how much it could change the scores; what would be right instead is worked
out here, from its kind and its reason. Where a score may change, something else than what can
be named is among them too (`other`), with what the doubt says: a card that is doubted may be
wrong in several ways at once. Only a borderline placement is legal or illegal, and nothing else.
How probable each answer is, the picture says where all that are named were weighed in it, and else
how often such doubts turned out so (`base_rates.py`).
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from geometry.rules import Rules
from referee.corrections.applied import CorrectedTable, apply, reading_of
from referee.corrections.base_rates import base_rates, counted_as
from referee.corrections.kinds import AnswerDoubt, OverruleVerdict
from referee.corrections.misfits import CorrectionRefused, DoubtGone
from referee.corrections.plausible import Proposal, proposals
from referee.corrections.rulings import doubt_key
from vision.likelihood.config import LikelihoodConfig
from vision.likelihood.probabilities import probabilities
from vision.reading import Doubt, Reading
from vision.sureness import doubted_as_it_lies, doubted_without_illegal

OTHER = "other"
"""Something else than any answer that can be named: to be corrected by hand."""
MOST_JUDGED = 60
"""So many answers of a reading are judged, of the first doubts; a picture with more is poor."""
Changes = dict[str, int]
Hurry = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer to a doubt or to an illegal placement, and what follows: scores, illegal cards.

    `correction` is what the answer does; None for what was not named (`other`). `probability`: how
    probably it is right, 0 to 1; None only for an illegal placement, of which nothing is in doubt.
    What the answers to a doubt leave to 1 is that none of them is right.
    """

    answer: str
    value: str | int | bool | None
    scores: Mapping[str, int]
    scores_without_illegal: Mapping[str, int]
    illegal: tuple[int, ...]
    correction: AnswerDoubt | OverruleVerdict | None
    probability: float | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A reading, and for each of its doubts the answers, the likeliest first.

    `unjudged`: the keys of the doubts whose other answers were not worked out, as time was over
    or there were too many. A reading with such doubts is not sure: an answer may change more than
    its doubt says. `placements`: illegal card -> illegal as it was judged, then legal; a card
    that there was no time for is left out.
    """

    reading: Reading
    answers: tuple[tuple[Answer, ...], ...]
    unjudged: frozenset[str] = frozenset()
    placements: Mapping[int, tuple[Answer, ...]] = field(default_factory=dict)


def asked(table: CorrectedTable, hurry: Hurry = lambda: False) -> Asked:
    """The table judged and scored as it stands, and what each doubt may turn out to be.

    From when `hurry` is true no answers are worked out any more.
    """
    return _asked(table, reading_of(table), hurry)


def asked_once(table: CorrectedTable, key: str) -> tuple[Doubt, tuple[Answer, ...]]:
    """What the doubt of this key may turn out to be, however long that takes. DoubtGone."""
    reading = reading_of(table)
    for doubt in reading.doubts:
        if doubt_key(doubt) == key:
            return _judged(doubt, tuple(proposals(doubt, table)), table, reading)
    raise DoubtGone


def called(table: CorrectedTable, card: int) -> tuple[Answer, ...]:
    """What follows where this illegal placement stays illegal, and where it is legal. DoubtGone."""
    return _called(table, card, reading_of(table))


def _called(table: CorrectedTable, card: int, reading: Reading) -> tuple[Answer, ...]:
    if all(item.card != card for item in reading.illegal):
        raise DoubtGone
    agreed, overruled = OverruleVerdict(card, False), OverruleVerdict(card, True)
    after = reading_of(apply(overruled, table))
    return (_answer("legal", False, agreed, reading), _answer("legal", True, overruled, after))


def asked_of(reading: Reading, rules: Rules, hurry: Hurry = lambda: False) -> Asked:
    """A reading as it came, and what each of its doubts may turn out to be.

    From when `hurry` is true no answers are worked out any more.
    """
    return _asked(table_of(reading, rules), reading, hurry)


def table_of(reading: Reading, rules: Rules) -> CorrectedTable:
    """The table of a reading as it came, before any correction."""
    raised = tuple(doubt for doubt in reading.doubts if doubt.kind != "verdict")
    seen = replace(reading.seen, doubts=raised)
    return CorrectedTable(seen, seen, rules)


def _asked(table: CorrectedTable, reading: Reading, hurry: Hurry) -> Asked:
    """What a doubt could change, and whether the scores are sure, agrees with the answers.

    The doubts that could change a score are judged first: these are asked first.
    """
    judged, unjudged = 0, []
    found: dict[int, tuple[Doubt, tuple[Answer, ...]]] = {}
    for place, doubt in sorted(enumerate(reading.doubts), key=lambda one: not one[1].matters):
        ways: tuple[Proposal, ...] = ()
        if judged < MOST_JUDGED and not hurry():
            ways = tuple(proposals(doubt, table))
        elif doubt.card is not None:
            unjudged.append(doubt_key(doubt))
        found[place] = _judged(doubt, ways, table, reading)
        judged += sum(one.answer != OTHER for one in found[place][1]) - 1
    told = [found[place] for place in range(len(reading.doubts))]
    doubts = tuple(doubt for doubt, _ in told)
    answers = tuple(each for _, each in told)
    placements: dict[int, tuple[Answer, ...]] = {}
    for item in reading.illegal:
        if not hurry():
            placements[item.card] = _called(table, item.card, reading)
    told_reading = _with_doubts(reading, doubts, not unjudged)
    return Asked(told_reading, answers, frozenset(unjudged), placements)


def _judged(
    doubt: Doubt, ways: tuple[Proposal, ...], table: CorrectedTable, reading: Reading
) -> tuple[Doubt, tuple[Answer, ...]]:
    """The doubt and its answers, in agreement."""
    answers = [_as_read(doubt, ways, reading), *_others(doubt, ways, table, reading)]
    agreed = agreeing(doubt, answers, reading)
    is_open = doubt.kind != "verdict" and agreed.matters
    if is_open or _unsaid(doubt, agreed):
        answers.append(_something_else(doubt, reading))
        agreed = agreeing(doubt, answers, reading)
    return agreed, _likeliest_first(doubt, answers)


def _likeliest_first(doubt: Doubt, answers: list[Answer]) -> tuple[Answer, ...]:
    """The answers with their probabilities; what was read is the first of `answers`, and `other`,
    where it is offered, the last.
    """
    named = [one for one in answers if one.answer != OTHER]
    said, none = _weighed(doubt, named) or base_rates(counted_as(doubt), len(named))
    told = sorted(zip(answers, (*said, none), strict=False), key=lambda one: -one[1])
    return tuple(replace(answer, probability=chance) for answer, chance in told)


def _weighed(doubt: Doubt, named: list[Answer]) -> tuple[tuple[float, ...], float] | None:
    """How probable each named answer is by the picture, and that it is none of them; None where one
    of them was not weighed in it.
    """
    known: dict[tuple[str, str | int | bool | None], float]
    known = {(odds.answer, odds.value): odds.log_odds for odds in doubt.odds}
    names = [(one.answer, one.value) for one in named]
    if len(names) < 2 or any(name not in known for name in names):
        return None
    odds, of_inks = [known[name] for name in names], doubt.kind == "colour"
    if doubt.kind == "verdict":  # measured, and so known: the odds are not exaggerated
        whole = sum(map(math.exp, odds))
        return tuple(math.exp(one) / whole for one in odds), 0.0
    return probabilities(odds, LikelihoodConfig(), of_inks=of_inks)


def _as_read(doubt: Doubt, ways: tuple[Proposal, ...], reading: Reading) -> Answer:
    first = ways[0] if ways else Proposal("right", True)
    return _answer(first.answer, first.value, _correction(first, doubt), reading)


def _others(
    doubt: Doubt, ways: tuple[Proposal, ...], table: CorrectedTable, before: Reading
) -> Iterator[Answer]:
    """The named answers but the first, those of several placings that suit the doubt best."""
    best: dict[tuple[str, object], tuple[int, Answer]] = {}
    for way in ways[1:]:
        correction = _correction(way, doubt)
        try:
            after = reading_of(apply(correction, table))
        except CorrectionRefused:
            continue
        answer = _answer(way.answer, way.value, correction, after)
        off = _off(doubt, answer, before)
        name = (answer.answer, answer.value)
        if name not in best or off < best[name][0]:
            best[name] = (off, answer)
    yield from (answer for _, answer in best.values())


def _correction(way: Proposal, doubt: Doubt) -> AnswerDoubt:
    return AnswerDoubt(doubt_key(doubt), way.answer, way.value, way.steps, doubt.card)


def _answer(
    answer: str,
    value: str | int | bool | None,
    correction: AnswerDoubt | OverruleVerdict,
    after: Reading,
) -> Answer:
    return Answer(
        answer=answer,
        value=value,
        scores=dict(after.scores),
        scores_without_illegal=dict(after.scores_without_illegal),
        illegal=tuple(item.card for item in after.illegal),
        correction=correction,
    )


def _off(doubt: Doubt, answer: Answer, before: Reading) -> int:
    """By how many dots what follows from an answer is not what the doubt says."""
    first = _gap(doubt.changes_scores_by, _change(before.scores, answer.scores))
    change = _change(before.scores_without_illegal, answer.scores_without_illegal)
    return first + _gap(doubt.changes_scores_without_illegal_by, change)


def _gap(said: Mapping[str, int], found: Mapping[str, int]) -> int:
    return sum(abs(said.get(name, 0) - found.get(name, 0)) for name in {*said, *found})


def _change(before: Mapping[str, int], after: Mapping[str, int]) -> Changes:
    names = dict.fromkeys([*before, *after])
    changes = {name: after.get(name, 0) - before.get(name, 0) for name in names}
    return {name: by for name, by in changes.items() if by}


def _largest(before: Mapping[str, int], found: list[Mapping[str, int]]) -> Changes:
    largest: Changes = {}
    for after in found:
        for name, by in _change(before, after).items():
            if abs(by) > abs(largest.get(name, 0)):
                largest[name] = by
    return largest


def _unsaid(doubt: Doubt, agreed: Doubt) -> bool:
    """Whether the doubt could change more than `agreed`, what its named answers change."""
    return _more(doubt.changes_scores_by, agreed.changes_scores_by) or _more(
        doubt.changes_scores_without_illegal_by, agreed.changes_scores_without_illegal_by
    )


def _more(said: Mapping[str, int], found: Mapping[str, int]) -> bool:
    return any(abs(by) > abs(found.get(name, 0)) for name, by in said.items())


def _something_else(doubt: Doubt, reading: Reading) -> Answer:
    """What the doubt says could change, without saying by what."""
    return Answer(
        answer=OTHER,
        value=None,
        scores=_changed(reading.scores, doubt.changes_scores_by),
        scores_without_illegal=_changed(
            reading.scores_without_illegal, doubt.changes_scores_without_illegal_by
        ),
        illegal=tuple(item.card for item in reading.illegal),
        correction=None,
    )


def _changed(scores: Mapping[str, int], by: Mapping[str, int]) -> dict[str, int]:
    names = dict.fromkeys([*scores, *by])
    return {name: max(0, scores.get(name, 0) + by.get(name, 0)) for name in names}


def agreeing(doubt: Doubt, answers: Sequence[Answer], reading: Reading) -> Doubt:
    """The doubt with what its answers change at most, each colour's largest change."""
    left = reading.scores_without_illegal
    return replace(
        doubt,
        changes_scores_by=_largest(reading.scores, [one.scores for one in answers]),
        changes_scores_without_illegal_by=_largest(
            left, [one.scores_without_illegal for one in answers]
        ),
    )


def _with_doubts(reading: Reading, doubts: tuple[Doubt, ...], all_judged: bool) -> Reading:
    sure = reading.sure and all_judged
    left = reading.sure_without_illegal and all_judged
    return replace(
        reading,
        doubts=doubts,
        sure=sure and not doubted_as_it_lies(doubts),
        sure_without_illegal=left and not doubted_without_illegal(doubts),
    )
