"""`python -m rig.shadow.answers`: how often the truth is among the answers to a doubt, and how
often what is said to be so probable is so.
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

from geometry.pose import PointsMm
from geometry.showing import visible_dots
from rig.accuracy.bands import interval
from rig.corrections.answers import OTHER, Answer, asked_of
from rig.corrections.kinds import AnswerDoubt, Correction, CountDot
from rig.scenes.matching import Match, match_cards
from rig.scenes.trial import Job, scene_of
from rig.scenes.truth import Truth
from rig.shadow.__main__ import FIRST_SEED
from rig.shadow.doubts import reliability_table, right_answers
from rig.shadow.kept import kept_records
from vision.read import read_table
from vision.reading import Doubt, NotSeen, Reading

Outcome = Literal["as read", "another", "other", "none"]
OUTCOMES: tuple[Outcome, ...] = ("as read", "another", "other", "none")
DIGITS = 4


def main(
    kept: Annotated[Path, typer.Argument(help="JSON lines, one a scene; goes on where it ended.")],
    preset: Annotated[list[str] | None, typer.Option(help="A mix to simulate.")] = None,
    simulated: Annotated[int, typer.Option(help="How many scenes of each mix.")] = 25,
    seed: Annotated[int, typer.Option(help="The first one's seed.")] = FIRST_SEED,
    processes: Annotated[int, typer.Option(min=1, help="How many at once.")] = 1,
) -> None:
    """Print for each code how many doubts that could change a score have the truth among their
    answers: as it was read, another that is named, something else, or none of them; and how often
    answers are so, by how probable they were said to be.
    """
    jobs = [Job(mix, None, mix, seed + i) for mix in preset or () for i in range(simulated)]
    records, console = kept_records(kept, jobs, _record, processes), Console()
    for table in (_table(records), _reliable(records)):
        console.print(table)


def _record(job: Job) -> dict[str, Any]:
    image, truth, lens = scene_of(job)
    reading = read_table(image, truth.layout.deck, lens, truth.rules)
    doubts = [] if isinstance(reading, NotSeen) else [*answered(reading, truth)]
    return {"scene": job.name, "doubts": doubts}


def answered(reading: Reading, truth: Truth) -> Iterator[Answered]:
    """Each doubt that could change a score, and which of its answers is so."""
    asked = asked_of(reading, truth.rules)
    matches = {match.read: match for match in match_cards(reading, truth)}
    told = _Told(reading, truth, matches)
    for doubt, answers in zip(asked.reading.doubts, asked.answers, strict=True):
        if doubt.matters:
            yield told.answered(doubt, answers)


class Answered(NamedTuple):
    """A doubt by its code: which of its answers is so, and how probable each was said to be, with
    whether it is so; of none of them where the picture could not tell.
    """

    code: str
    outcome: Outcome
    said: tuple[tuple[float, bool], ...]


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
        said = [(one.probability, true) for one, true in zip(answers, so, strict=True)]
        weighed = tuple((round(p, DIGITS), true) for p, true in said if p is not None)
        return Answered(doubt.reason.code, outcome, weighed)

    def _is_as_read(self, answer: Answer, doubt: Doubt) -> bool:
        if answer.answer == "legal":
            illegal = any(item.card == doubt.card for item in self.reading.illegal)
            return answer.value != illegal
        return _steps(answer) == ()

    def _is_so(self, answer: Answer, doubt: Doubt, answers: Sequence[Answer]) -> bool:
        match = None if doubt.card is None else self.matches.get(doubt.card)
        if answer.answer == "missing":
            return not self._missing_at(doubt.at_px)
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

    def _missing_at(self, at_px: tuple[float, float]) -> bool:
        """Whether a card that was not read lies within a card's height of there."""
        read = {match.true for match in self.matches.values()}
        left = [card for card in self.truth.layout.cards if card.id not in read]
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
    told = [(code, found) for record in records for code, found, _ in record["doubts"]]
    for code in [*sorted({code for code, _ in told}), "all"]:
        counts = Counter(found for name, found in told if code in (name, "all"))
        number = counts.total()
        among = number - counts["none"]
        low, high = interval(among, number)
        columns = (str(counts[one]) for one in OUTCOMES)
        share = f"{among / max(number, 1):.3f}"
        table.add_row(code, str(number), *columns, share, f"{low:.3f} to {high:.3f}")
    return table


def _reliable(records: Sequence[Mapping[str, Any]]) -> Table:
    told = [one for record in records for *_, said in record["doubts"] for one in said]
    return reliability_table([p for p, _ in told], [so for _, so in told])


if __name__ == "__main__":
    typer.run(main)
