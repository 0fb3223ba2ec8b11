"""The tables of docs/accuracy.md that the baseline of the score sheet tells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

BEGIN = "<!-- begin: `make scenes SCENES=--update` -->"
END = "<!-- end -->"


def baseline_tables(baseline: Mapping[str, Mapping[str, Any]]) -> str:
    """Scores, cards and broken rules of each group of scenes, as Markdown."""
    return "\n".join([*_scores(baseline), "", *_cards(baseline), "", *_rules(baseline)])


def write_tables(page: Path, baseline: Mapping[str, Mapping[str, Any]]) -> None:
    """Put the tables between the page's two marks; ValueError where it has none."""
    before, begin, rest = page.read_text("utf-8").partition(f"{BEGIN}\n")
    _, end, after = rest.partition(f"{END}\n")
    if not begin or not end:
        raise ValueError(f"{page} needs the lines {BEGIN!r} and {END!r}")
    page.write_text(f"{before}{begin}{baseline_tables(baseline)}\n{end}{after}", "utf-8")


def _scores(baseline: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    yield (
        "| scenes | read | exact, as it lies | exact, without illegal cards | both sure | silent |"
    )
    yield "|---|---|---|---|---|---|"
    for group, of in baseline.items():
        silent = of["silent"] + of["silent_without_illegal"]
        yield (
            f"| `{group}` | {of['scenes']} | {of['exact']} | {of['exact_without_illegal']} "
            f"| {of['exact_and_sure']} | {silent} |"
        )


def _cards(baseline: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    yield (
        "| scenes | cards | found | named right | invented | orders right "
        "| off, median and 95th percentile |"
    )
    yield "|---|---|---|---|---|---|---|"
    for group, of in baseline.items():
        yield (
            f"| `{group}` | {of['cards']} | {of['found']} | {of['named']} | {of['invented']} "
            f"| {of['pairs_right']} of {of['pairs']} "
            f"| {of['median_mm']:.2f} and {of['p95_mm']:.2f} mm |"
        )


def _rules(baseline: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    yield "| rule broken | cases | named | by another rule | doubted | missed | of legal cards |"
    yield "|---|---|---|---|---|---|---|"
    for rule in sorted({rule for of in baseline.values() for rule in of["verdicts"]}):
        counts = [of["verdicts"].get(rule, {}) for of in baseline.values()]
        named, other, doubted, missed, refused, false = (
            sum(each.get(outcome, 0) for each in counts)
            for outcome in ("named", "misnamed", "doubted", "missed", "refused", "false")
        )
        cases = named + other + doubted + missed + refused
        yield (
            f"| `{rule}` | {cases} | {named} | {other} | {doubted} | {missed + refused} | {false} |"
        )
