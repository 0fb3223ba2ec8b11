"""`python -m measuring.shadow.answers`: how often the truth is among the answers to a doubt, and
how often answers and whole scores that are said to be so probable are so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from geometry.layout import Card
from geometry.pose import PointsMm
from geometry.showing import visible_dots
from measuring.accuracy.bands import interval
from measuring.scenes.matching import Match, match_cards
from measuring.scenes.trial import Job, scene_of
from measuring.scenes.truth import Truth
from measuring.shadow.__main__ import FIRST_SEED
from measuring.shadow.doubts import reliability_table, right_answers
from measuring.shadow.kept import kept_records
from referee.corrections.answers import OTHER, Answer, Asked, asked_of, table_of
from referee.corrections.base_rates import counted_as
from referee.corrections.kinds import AnswerDoubt, Correction, CountDot
from referee.corrections.outcomes import possible_outcomes
from vision.read import read_table
from vision.reading import Doubt, NotSeen, Reading

Outcome = Literal["as read", "another", "other", "none"]
OUTCOMES: tuple[Outcome, ...] = ("as read", "another", "other", "none")
Said = tuple[tuple[float, bool], ...]
"""What was said to be so probable, 0 to 1, and whether it is so."""
DIGITS = 4


def main(
    kept: Annotated[Path, typer.Argument(help="JSON lines, one a scene; goes on where it ended.")],
    preset: Annotated[list[str] | None, typer.Option(help="A mix to simulate.")] = None,
    simulated: Annotated[int, typer.Option(help="How many scenes of each mix.")] = 25,
    seed: Annotated[int, typer.Option(help="The first one's seed.")] = FIRST_SEED,
    processes: Annotated[int, typer.Option(min=1, help="How many at once.")] = 1,
) -> None:
    """Print for each code how many doubts that could change a score have the truth among their
    answers: as it was read, another that is named, something else, or none of them; the counts of
    each kind, as `referee/corrections/base_rates.py` has them; and how often answers, and whole
    scores, are so, by how probable they were said to be.
    """
    jobs = [Job(mix, None, mix, seed + i) for mix in preset or () for i in range(simulated)]
    records, console = kept_records(kept, jobs, _record, processes), Console()
    answers = [one for record in records for doubt in record["doubts"] for one in doubt["said"]]
    scores = [one for record in records for one in record["scores"]]
    console.print(_table(records), _kinds(records))
    for title, said in (("answers", answers), ("whole scores", scores)):
        console.print(title, reliability_table([p for p, _ in said], [so for _, so in said]))


def _record(job: Job) -> dict[str, Any]:
    image, truth, lens = scene_of(job)
    reading = read_table(image, truth.layout.deck, lens, truth.rules)
    if isinstance(reading, NotSeen):
        return {"scene": job.name, "doubts": [], "scores": []}
    asked = asked_of(reading, truth.rules)
    doubts = [one._asdict() for one in answered(reading, truth, asked)]
    return {"scene": job.name, "doubts": doubts, "scores": scored(reading, truth, asked)}


def scored(reading: Reading, truth: Truth, asked: Asked) -> Said:
    """How probable each whole score that may be right was said to be, and none of them, and which
    is so; empty where no doubt could change a score. `asked`: what is asked of the reading.
    """
    outcomes = possible_outcomes(table_of(reading, truth.rules), asked)
    if not outcomes:
        return ()
    true = _dots(truth.scores), _dots(truth.scores_without_illegal)
    said = [
        (one.probability, (_dots(one.scores), _dots(one.scores_without_illegal)) == true)
        for one in outcomes
    ]
    said.append((max(0.0, 1 - sum(p for p, _ in said)), not any(so for _, so in said)))
    return tuple((round(p, DIGITS), so) for p, so in said)


def _dots(scores: Mapping[str, int]) -> Mapping[str, int]:
    """A score without the colours that have no dots: these need not be named."""
    return {name: dots for name, dots in scores.items() if dots}


def answered(reading: Reading, truth: Truth, asked: Asked) -> Iterator[Answered]:
    """Each doubt that could change a score, and which of its answers is so. `asked`: what is asked
    of the reading.
    """
    matches = {match.read: match for match in match_cards(reading, truth)}
    told = _Told(reading, truth, matches)
    for doubt, answers in zip(asked.reading.doubts, asked.answers, strict=True):
        if doubt.matters:
            yield told.answered(doubt, answers)


class Answered(NamedTuple):
    """A doubt by what it is counted as, `kind`, and its code: which of its answers is so, and how
    probable each was said to be, with whether it is so.
    """

    kind: str
    code: str
    outcome: Outcome
    said: Said


class _Told(NamedTuple):
    """A reading beside the truth; `matches` by the id of the card that was read."""

    reading: Reading
    truth: Truth
    matches: Mapping[int, Match]

    def answered(self, doubt: Doubt, answers: Sequence[Answer]) -> Answered:
        """Which answer is so: what was read, another one, something else; or none is."""
        so = [one.answer != OTHER and self._is_so(one, doubt, answers) for one in answers]
        named = [one for one, true in zip(answers, so, strict=True) if true]
        so = [
            true or (one.answer == OTHER and not named)
            for one, true in zip(answers, so, strict=True)
        ]
        outcome: Outcome = "other" if any(so) else "none"
        if named:
            as_read = any(self._is_as_read(one, doubt) for one in named)
            outcome = "as read" if as_read else "another"
        told = [(one.probability, true) for one, true in zip(answers, so, strict=True)]
        said = tuple((round(p, DIGITS), true) for p, true in told if p is not None)
        return Answered(counted_as(doubt), doubt.reason.code, outcome, said)

    def _is_as_read(self, answer: Answer, doubt: Doubt) -> bool:
        if answer.answer == "legal":
            illegal = any(item.card == doubt.card for item in self.reading.illegal)
            return answer.value != illegal
        return _steps(answer) == ()

    def _is_so(self, answer: Answer, doubt: Doubt, answers: Sequence[Answer]) -> bool:
        match = None if doubt.card is None else self.matches.get(doubt.card)
        if answer.answer == "missing":
            # Numbers of cards say nothing of where one is missing.
            anywhere = doubt.reason.code == "cards-too-few"
            return not (self._missed() if anywhere else self._missing_at(doubt.at_px))
        if answer.answer == "right" and doubt.card is None:
            return dict(self.reading.scores) == dict(self.truth.scores)
        if answer.answer == "there" and not answer.value:
            return match is None
        if match is None:
            return False
        if answer.answer in ("right", "there"):
            shown = next(c.visible_dots for c in self.reading.cards if c.id == match.read)
            whole = match.named and match.side_right
            return whole and shown == self.truth.visible_dots[match.true]
        if answer.answer == "legal":
            illegal = match.true in self.truth.illegal
            return match.true in self.truth.borderline or answer.value != illegal
        if answer.answer == "dot":
            shows = visible_dots(self.truth.layout)[match.true]
            dot = next(
                step.dot for one in answers for step in _steps(one) if isinstance(step, CountDot)
            )
            return match.named and shows[dot] == answer.value
        named = [int(one.value or 0) for one in answers if one.answer == "over"]
        true = set(right_answers(doubt.card, named, self.matches, self.truth))
        return (answer.answer, answer.value) in true

    def _missed(self) -> list[Card]:
        """The cards that were not read."""
        read = {match.true for match in self.matches.values()}
        return [card for card in self.truth.layout.cards if card.id not in read]

    def _missing_at(self, at_px: tuple[float, float]) -> bool:
        """Whether a card that was not read lies within a card's height of there."""
        left = self._missed()
        if not left:
            return False
        middles = np.array([(card.pose.x_mm, card.pose.y_mm) for card in left])
        places = self.truth.camera.to_px(PointsMm(middles))
        near_px = self.truth.layout.deck.card.height_mm * self.reading.scale_px_per_mm
        return bool((np.linalg.norm(places - at_px, axis=1) < near_px).any())


def _steps(answer: Answer) -> tuple[Correction, ...]:
    return answer.correction.steps if isinstance(answer.correction, AnswerDoubt) else ()


def _table(records: Sequence[Mapping[str, Any]]) -> Table:
    table = Table("doubt", "number", *OUTCOMES, "among them", "95 %")
    told = _found(records, "code")
    for code in [*sorted({code for code, _ in told}), "all"]:
        counts = Counter(found for name, found in told if code in (name, "all"))
        number = counts.total()
        among = number - counts["none"]
        low, high = interval(among, number)
        columns = (str(counts[one]) for one in OUTCOMES)
        share = f"{among / max(number, 1):.3f}"
        table.add_row(code, str(number), *columns, share, f"{low:.3f} to {high:.3f}")
    return table


def _kinds(records: Sequence[Mapping[str, Any]]) -> Table:
    """The counts of each kind. Where none of the answers is right, it is something other too."""
    table = Table("kind", "as read", "another", "other")
    told = _found(records, "kind")
    for kind in sorted({kind for kind, _ in told}):
        counts = Counter(found for name, found in told if name == kind)
        ways = (counts["as read"], counts["another"], counts["other"] + counts["none"])
        table.add_row(kind, *map(str, ways))
    return table


def _found(records: Sequence[Mapping[str, Any]], by: str) -> list[tuple[str, Outcome]]:
    """Each doubt's code or kind, and which of its answers is so."""
    return [(doubt[by], doubt["outcome"]) for record in records for doubt in record["doubts"]]


if __name__ == "__main__":
    typer.run(main)
