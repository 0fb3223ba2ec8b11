"""`python -m measuring.shadow.doubts`: how often the answers to doubts are as right as they are
said to be, and what temperature says it best.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from measuring.accuracy.bands import interval
from measuring.scenes.matching import Match, match_cards
from measuring.scenes.trial import Job, scene_of
from measuring.scenes.truth import Truth
from measuring.shadow.__main__ import FIRST_SEED
from measuring.shadow.figures import reliability
from measuring.shadow.kept import kept_records
from measuring.shadow.records import Read, read_of
from measuring.shadow.strips import Weighed, strips
from referee.corrections.answers import OTHER, asked_of
from vision.doubting.doubt_odds import weighed
from vision.likelihood.config import LikelihoodConfig
from vision.likelihood.picture import Picture
from vision.likelihood.probabilities import probabilities
from vision.naming.unique_faces import Choices
from vision.read import explained_table
from vision.reading import AnswerOdds, Doubt, NotSeen, ReadCard
from vision.reason import Reason
from vision.settling.by_law import chosen

EDGES = (0.03, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97)
TEMPERATURES = np.geomspace(1, 300, 40).tolist()
OFTEN = 50
Records = Sequence[Mapping[str, Any]]


def main(
    kept: Annotated[Path, typer.Argument(help="JSON lines, one a scene; goes on where it ended.")],
    preset: Annotated[list[str] | None, typer.Option(help="A mix to simulate.")] = None,
    simulated: Annotated[int, typer.Option(help="How many scenes of each mix.")] = 13,
    seed: Annotated[int, typer.Option(help="The first one's seed.")] = FIRST_SEED,
    processes: Annotated[int, typer.Option(min=1, help="How many at once.")] = 1,
    fit: Annotated[bool, typer.Option(help="Fit the temperature on them.")] = False,
) -> None:
    """Print how reliable the probabilities of answers are on these scenes."""
    jobs = [Job(mix, None, mix, seed + i) for mix in preset or () for i in range(simulated)]
    found = doubts_of(kept_records(kept, jobs, _record, processes))
    config, console = LikelihoodConfig(), Console()
    if fit:
        config = fitted(found, config)
        console.print(f"temperature {config.temperature:.1f}")
    for table in (_kinds(found, config), _reliable(found, config)):
        console.print(table)


def doubts_of(records: Records) -> list[Weighed]:
    """The doubts that were written down."""
    return [
        Weighed(kind, tuple(odds), tuple(right))
        for record in records
        for kind, odds, right in record["doubts"]
    ]


def fitted(found: Sequence[Weighed], config: LikelihoodConfig) -> LikelihoodConfig:
    """The temperature by which what was right is likeliest for the kind of answers that needs the
    highest, of those asked often: doubts are raised where the picture contradicts itself.
    """
    every = [replace(config, temperature=temperature) for temperature in TEMPERATURES]
    kinds = [[one for one in found if one.kind == kind] for kind in {one.kind for one in found}]
    needed = [
        min(every, key=lambda config: log_loss(some, config))
        for some in kinds
        if len(some) >= OFTEN
    ]
    return max(needed, key=lambda config: config.temperature, default=config)


def _of_right(doubt: Weighed, config: LikelihoodConfig) -> float:
    """What is said of the answer that is right, or of `none of them` where that is."""
    said, left = _said(doubt, config)
    return next((p for p, hit in zip(said, doubt.right, strict=True) if hit), left)


def _said(doubt: Weighed, config: LikelihoodConfig) -> tuple[tuple[float, ...], float]:
    return probabilities(doubt.log_odds, config, of_inks=doubt.kind.endswith("colour"))


def log_loss(found: Sequence[Weighed], config: LikelihoodConfig) -> float:
    """Mean logarithmic loss of what is said of the answers, `none of them` among these."""
    return -float(np.log([_of_right(doubt, config) for doubt in found]).mean())


def _record(job: Job) -> dict[str, Any]:
    """One scene's record; without doubts where it was not read."""
    image, truth, lens = scene_of(job)
    found = explained_table(image, truth.layout.deck, lens, truth.rules)
    if isinstance(found, NotSeen):
        return {"scene": job.name, "doubts": []}
    read = read_of(job.name, found, truth)
    return {"scene": job.name, "doubts": [list(one) for one in weigh(read, found.table.choices)]}


def weigh(read: Read, choices: Choices) -> Iterator[Weighed]:
    """The doubts of a reading that can be weighed, and the faces and sides that its cards leave
    open without that a score hangs on it; and questions about strips of cards.
    """
    picture = Picture(read.evidence, read.cards, read.size, read.templates, LikelihoodConfig())
    matches = {match.read: match for match in match_cards(read.reading, read.truth)}
    doubts = tuple(weighed(picture, doubt) for doubt in read.reading.doubts)
    asked = asked_of(replace(read.reading, doubts=doubts), read.truth.rules)
    for doubt, answers in zip(doubts, asked.answers, strict=True):
        named = {(one.answer, one.value) for one in answers if one.answer != OTHER}
        odds = [one for one in doubt.odds if (one.answer, one.value) in named]
        if len(odds) == len(named) > 1:
            yield _judged(doubt.card, odds, matches, read.truth)
    raised = {doubt.card for doubt in doubts if doubt.kind == "face"}
    left = (card for card in read.reading.cards if card.id not in raised)
    for doubt in (doubt for card in left for doubt in _left_open(card, read, choices)):
        odds = list(weighed(picture, doubt).odds)
        if odds:
            yield _judged(doubt.card, odds, matches, read.truth)
    for one in strips(read, picture):
        yield one._replace(kind=f"strip: {one.kind}")


def _left_open(card: ReadCard, read: Read, choices: Choices) -> Iterable[Doubt]:
    """The first other reading of a card that the pixels allow, as a doubt."""
    laid = read.reading.seen.layout.card(card.id)
    for choice in choices[card.id][:1]:
        rival, at = chosen(laid, choice, read.templates), (0.0, 0.0)
        if rival.face != card.face:
            facts = {"face": card.face, "rival": rival.face}
            yield Doubt("face", card.id, at, Reason("face-unclear", facts))
        elif rival.pose.mirrored != card.mirrored:
            yield Doubt("face", card.id, at, Reason("side-unclear"))


def _judged(
    card: int | None, odds: Sequence[AnswerOdds], matches: Mapping[int, Match], truth: Truth
) -> Weighed:
    pair = [int(one.value) for one in odds if one.answer == "over"]
    true = set(right_answers(card, pair, matches, truth))
    return Weighed(
        odds[0].answer,
        tuple(round(one.log_odds, 2) for one in odds),
        tuple((one.answer, one.value) in true for one in odds),
    )


def right_answers(
    card: int | None, pair: Sequence[int], matches: Mapping[int, Match], truth: Truth
) -> Iterator[tuple[str, str | int | bool]]:
    """What truly is so of a card that was read, and which of a `pair` that may lie over each other
    was laid later, if both are there.
    """
    match = matches.get(-1 if card is None else card)
    yield "there", match is not None
    if match is None:
        return
    true = truth.layout.card(match.true)
    yield from (("face", true.face), ("side", true.pose.mirrored), ("colour", true.colour))
    if pair and all(one in matches for one in pair):
        laid = [one.id for one in truth.layout.cards]
        yield "over", max(pair, key=lambda one: laid.index(matches[one].true))


def _kinds(found: Sequence[Weighed], config: LikelihoodConfig) -> Table:
    table = Table("answers", "doubts", "read right", "another right", "none", "log loss")
    kinds = sorted({doubt.kind for doubt in found})
    for kind, some in [(k, [d for d in found if d.kind == k]) for k in kinds] + [("all", [*found])]:
        first, named = (sum(f(d.right) for d in some) for f in (lambda r: r[0], any))
        loss = f"{log_loss(some, config):.3f}" if some else ""
        counts = (len(some), first, named - first, len(some) - named)
        table.add_row(kind, *(str(count) for count in counts), loss)
    return table


def _reliable(found: Sequence[Weighed], config: LikelihoodConfig) -> Table:
    said = [p for doubt in found for p in _said(doubt, config)[0]]
    right = [hit for doubt in found for hit in doubt.right]
    return reliability_table(said, right)


def reliability_table(said: Sequence[float], right: Sequence[bool]) -> Table:
    """How often answers are right, by how probable each was said to be."""
    table = Table("said", "answers", "right", "share", "95 %")
    for mean, number, hits in reliability(np.array(said), np.array(right, np.bool_), EDGES):
        low, high = interval(hits, number)
        share = f"{hits / number:.3f}"
        table.add_row(f"{mean:.3f}", str(number), str(hits), share, f"{low:.3f} to {high:.3f}")
    return table


if __name__ == "__main__":
    typer.run(main)
