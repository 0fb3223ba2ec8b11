"""Tables whose doubts are answered."""

from __future__ import annotations

import json
from collections.abc import Sequence

import cv2
import numpy as np

from geometry.rules import Rules
from geometry.showing import visible_dots
from referee.corrections.answers import Answer
from referee.corrections.kinds import (
    AnswerDoubt,
    Correction,
    correction_data,
    correction_of,
)
from referee.corrections.replay import Replayed, replay
from referee.corrections.rulings import doubt_key
from vision.assemble import middle_px
from vision.reading import Doubt, SeenTable
from vision.together.places import corners_mm

RULES = Rules()


def middle(seen: SeenTable, card: int) -> tuple[float, float]:
    return middle_px(next(one.outline_px for one in seen.cards if one.id == card))


def check(seen: SeenTable, corrections: Sequence[AnswerDoubt] = ()) -> tuple[Answer, ...]:
    """The answers of the first doubt, all of whose promises are kept."""
    before = replay(seen, corrections, RULES)
    for doubt, answers in zip(before.reading.doubts, before.answers, strict=True):
        check_agreement(before, doubt, answers)
        for answer in answers:
            if answer.correction is None:
                assert answer.answer == "other"
                continue
            kept = correction_of(json.loads(json.dumps(correction_data(answer.correction))))
            assert kept == answer.correction
            after = replay(seen, (*corrections, kept), RULES)
            assert after.idle == ()
            assert dict(after.reading.scores) == answer.scores
            assert dict(after.reading.scores_without_illegal) == answer.scores_without_illegal
            assert tuple(item.card for item in after.reading.illegal) == answer.illegal
            keys = {doubt_key(other) for other in after.reading.doubts}
            assert doubt_key(doubt) not in keys, "what is answered leaves the list"
    return before.answers[0]


def check_agreement(read: Replayed, doubt: Doubt, answers: Sequence[Answer]) -> None:
    reading = read.reading
    first = as_read(answers)
    assert (first.scores, first.scores_without_illegal) == (
        dict(reading.scores),
        dict(reading.scores_without_illegal),
    )
    for before, said, found in (
        (reading.scores, doubt.changes_scores_by, [one.scores for one in answers]),
        (
            reading.scores_without_illegal,
            doubt.changes_scores_without_illegal_by,
            [one.scores_without_illegal for one in answers],
        ),
    ):
        names = {*before, *(name for one in found for name in one)}
        largest = {
            name: max(abs(one.get(name, 0) - before.get(name, 0)) for one in found)
            for name in names
        }
        assert {name: by for name, by in largest.items() if by} == {
            name: abs(by) for name, by in said.items()
        }


def as_read(answers: Sequence[Answer]) -> Answer:
    """The answer that changes nothing; of a borderline placement that it is legal."""
    found = [one for one in answers if steps_of(one) == ()]
    (first,) = found or [one for one in answers if (one.answer, one.value) == ("legal", True)]
    return first


def steps_of(answer: Answer) -> tuple[Correction, ...] | None:
    return answer.correction.steps if isinstance(answer.correction, AnswerDoubt) else None


def ordered(answers: Sequence[Answer]) -> list[tuple[str, object]]:
    return [(one.answer, one.value) for one in answers]


def names(answers: Sequence[Answer]) -> list[tuple[str, object]]:
    """What was read, the others that are named, the likeliest first, and something else."""
    return ordered(by_name(answers))


def by_name(answers: Sequence[Answer]) -> list[Answer]:
    """However probable they are: what was read, the others that are named, something else."""
    first = as_read(answers)
    return sorted(answers, key=lambda one: (one is not first, one.answer == "other"))


def a_dot(seen: SeenTable, shows: bool) -> tuple[int, int, tuple[float, float]]:
    """A dot of a card that shows, or does not: card, dot, place in the picture."""
    shown = visible_dots(seen.layout)
    for card in seen.layout.cards:
        for dot, visible in enumerate(shown[card.id]):
            if visible == shows:
                at_mm = np.array([seen.layout.deck.face(card.face).dots_mm[dot]])
                corners = corners_mm(seen.layout.deck.card, card.pose)
                outline = next(one.outline_px for one in seen.cards if one.id == card.id)
                to_px = cv2.getPerspectiveTransform(
                    corners.astype(np.float32), np.array(outline, np.float32)
                )
                x, y = cv2.perspectiveTransform(card.pose.to_table(at_mm)[None], to_px)[0, 0]
                return card.id, dot, (float(x), float(y))
    raise AssertionError("no such dot")
