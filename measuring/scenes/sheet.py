"""The score sheet: what many trials come to, group by group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from measuring.scenes.comparison import Comparison
from measuring.scenes.trial import Trial


@dataclass(frozen=True, slots=True)
class Sheet:
    """The figures of one group of scenes; counts unless the name says otherwise.

    `covered`: scenes with something over the cards, of those read; `over_told`: those in which a
    doubt says where; `over_falsely_told`: scenes without, of which it is said. `verdicts`: rule ->
    outcome (named, misnamed, doubted, missed, refused, and `false` for legal cards accused of it)
    -> how often.
    """

    scenes: int
    refused: int
    crashed: int
    exact: int
    exact_without_illegal: int
    sure: int
    sure_without_illegal: int
    exact_and_sure: int
    silent: int
    silent_without_illegal: int
    cards: int
    found: int
    named: int
    invented: int
    pairs: int
    pairs_right: int
    legal: int
    legal_doubted: int
    needless: int
    covered: int
    over_told: int
    median_mm: float
    p95_mm: float
    median_deg: float
    p95_deg: float
    median_seconds: float
    p95_seconds: float
    peak_megabytes: float
    verdicts: Mapping[str, Mapping[str, int]]
    over_falsely_told: int = 0


def sheets(trials: Iterable[Trial]) -> dict[str, Sheet]:
    """One sheet a group, in the order in which the groups come."""
    groups: dict[str, list[Trial]] = {}
    for trial in trials:
        groups.setdefault(trial.group, []).append(trial)
    return {group: _sheet(members) for group, members in groups.items()}


def exact_and_sure(trial: Trial) -> bool:
    """Whether both scores of a trial are right and as sure as anybody can be."""
    seen = trial.comparison
    return seen is not None and seen.as_it_lies.good and seen.without_illegal.good


def _sheet(trials: Sequence[Trial]) -> Sheet:
    read = [trial.comparison for trial in trials if trial.comparison is not None]
    off_mm = [match.off_mm for seen in read for match in seen.matches]
    off_deg = [match.off_deg for seen in read for match in seen.matches]
    seconds = [trial.seconds for trial in trials]
    return Sheet(
        scenes=len(trials),
        refused=len(trials) - len(read),
        crashed=sum(trial.crashed for trial in trials),
        exact=sum(seen.as_it_lies.exact for seen in read),
        exact_without_illegal=sum(seen.without_illegal.exact for seen in read),
        sure=sum(seen.as_it_lies.sure for seen in read),
        sure_without_illegal=sum(seen.without_illegal.sure for seen in read),
        exact_and_sure=sum(exact_and_sure(trial) for trial in trials),
        silent=sum(seen.as_it_lies.silent for seen in read),
        silent_without_illegal=sum(seen.without_illegal.silent for seen in read),
        cards=sum(trial.cards for trial in trials),
        found=sum(len(seen.matches) for seen in read),
        named=sum(seen.named for seen in read),
        invented=sum(seen.invented for seen in read),
        pairs=sum(seen.pairs for seen in read),
        pairs_right=sum(seen.pairs_right for seen in read),
        legal=sum(seen.legal for seen in read),
        legal_doubted=sum(seen.legal_doubted for seen in read),
        needless=sum(seen.needless for seen in read),
        covered=sum(seen.over_told is not None for seen in read),
        over_told=sum(seen.over_told is True for seen in read),
        median_mm=_percentile(off_mm, 50),
        p95_mm=_percentile(off_mm, 95),
        median_deg=_percentile(off_deg, 50),
        p95_deg=_percentile(off_deg, 95),
        median_seconds=_percentile(seconds, 50),
        p95_seconds=_percentile(seconds, 95),
        peak_megabytes=round(max(trial.megabytes for trial in trials)),
        verdicts=verdict_counts(
            read, (trial.rules_broken for trial in trials if trial.comparison is None)
        ),
        over_falsely_told=sum(seen.over_falsely_told for seen in read),
    )


def verdict_counts(
    read: Iterable[Comparison], refused: Iterable[Sequence[str]]
) -> dict[str, dict[str, int]]:
    """Rule -> outcome -> how often, of the scenes read and of the rules broken in those that were
    refused; `false` are legal cards accused.
    """
    counts: Counter[tuple[str, str]] = Counter()
    for seen in read:
        counts.update(seen.verdicts)
        counts.update((rule, "false") for rule in seen.accused)
    counts.update((rule, "refused") for rules in refused for rule in rules)
    verdicts: dict[str, dict[str, int]] = {}
    for (rule, outcome), count in sorted(counts.items()):
        verdicts.setdefault(rule, {})[outcome] = count
    return verdicts


def _percentile(values: Sequence[float], percent: float) -> float:
    return round(float(np.percentile(values, percent)), 3) if values else 0.0
