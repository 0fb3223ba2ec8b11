"""One doubt for all that one question may be answered with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from vision.reading import AnswerOdds, Doubt

Question = tuple[str, int | None, tuple[float, float], str, frozenset[str | int | bool]]


def grouped(doubts: Iterable[Doubt]) -> tuple[Doubt, ...]:
    """The doubts, those that ask the same as one, where its first stood: with all answers, the
    likeliest first, and by how many dots the largest of them changes each colour.
    """
    by_question: dict[Question, Doubt] = {}
    for doubt in doubts:
        asked = _asked(doubt)
        first = by_question.get(asked)
        by_question[asked] = doubt if first is None else _together(first, doubt)
    return tuple(by_question.values())


def _asked(doubt: Doubt) -> Question:
    """What a doubt asks: of two cards which lies on top is another question for each two."""
    cards = frozenset(one.value for one in doubt.odds if one.answer == "over")
    return doubt.kind, doubt.card, doubt.at_px, doubt.reason.code, cards


def _together(first: Doubt, other: Doubt) -> Doubt:
    return replace(
        first,
        changes_scores_by=_most(first.changes_scores_by, other.changes_scores_by),
        changes_scores_without_illegal_by=_most(
            first.changes_scores_without_illegal_by, other.changes_scores_without_illegal_by
        ),
        odds=_all_answers(first.odds, other.odds),
    )


def _most(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    return {name: max(one.get(name, 0), other.get(name, 0)) for name in sorted({*one, *other})}


def _all_answers(
    one: tuple[AnswerOdds, ...], other: tuple[AnswerOdds, ...]
) -> tuple[AnswerOdds, ...]:
    """What was read first, then the others; an answer that is given twice is as likely as both."""
    if not one:
        return other
    read, rest = one[0], {(odds.answer, odds.value): odds for odds in one[1:]}
    for odds in other[1:]:
        key = odds.answer, odds.value
        before = rest.get(key)
        both = odds.log_odds if before is None else np.logaddexp(odds.log_odds, before.log_odds)
        rest[key] = replace(odds, log_odds=float(both))
    return (read, *sorted(rest.values(), key=lambda odds: -odds.log_odds))
