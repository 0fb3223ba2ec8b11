"""Corrections applied to what was seen, one after the other: pure, and the same every time."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from geometry.rules import Rules
from referee.corrections.answers import Answer, Hurry, asked
from referee.corrections.applied import CorrectedTable, apply, reading_of
from referee.corrections.in_play import in_play
from referee.corrections.kinds import Correction
from referee.corrections.misfits import CorrectionRefused
from referee.corrections.outcomes import Outcome, possible_outcomes
from vision.reading import Reading, SeenTable


@dataclass(frozen=True, slots=True)
class Replayed:
    """The reading after all corrections; `idle` are the places of those that found no hold.

    A correction finds no hold when one before it, which it built upon, was undone. `answers`:
    for each of the reading's doubts what it may turn out to be; `unjudged`: the keys of those
    whose other answers were not worked out. `agreed`: the illegal cards that the players agreed
    are illegal. `placements`: illegal card -> what may be answered there, as `Asked` has it.
    `outcomes`: what the answers come to together, as `possible_outcomes` has it.
    """

    reading: Reading
    idle: tuple[int, ...]
    answers: tuple[tuple[Answer, ...], ...]
    agreed: frozenset[int] = frozenset()
    unjudged: frozenset[str] = frozenset()
    placements: Mapping[int, tuple[Answer, ...]] = field(default_factory=dict)
    outcomes: tuple[Outcome, ...] = ()


def corrected(seen: SeenTable, corrections: Iterable[Correction], rules: Rules) -> Reading:
    """What was seen, corrected and assembled again; its doubts as they were raised."""
    return reading_of(_applied(seen, corrections, rules)[0])


def replay(
    seen: SeenTable, corrections: Iterable[Correction], rules: Rules, hurry: Hurry = lambda: False
) -> Replayed:
    """Apply the corrections in order, pass over those that find no hold, and assemble.

    From when `hurry` is true no answers to doubts are worked out any more, nor combined.
    """
    table, idle = _applied(seen, corrections, rules)
    found = in_play(asked(table, hurry))
    agreed = frozenset(card for card, ruling in table.rulings.items() if not ruling.legal)
    return Replayed(
        reading=found.reading,
        idle=idle,
        answers=found.answers,
        agreed=agreed,
        unjudged=found.unjudged,
        placements=found.placements,
        outcomes=possible_outcomes(table, found, hurry),
    )


def _applied(
    seen: SeenTable, corrections: Iterable[Correction], rules: Rules
) -> tuple[CorrectedTable, tuple[int, ...]]:
    table = CorrectedTable(seen, seen, rules)
    idle = []
    for place, correction in enumerate(corrections):
        try:
            table = apply(correction, table)
        except CorrectionRefused:
            idle.append(place)
    return table, tuple(idle)
