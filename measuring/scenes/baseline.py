"""The score sheet that was last agreed on, and what has become worse since."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from measuring.scenes.sheet import Sheet

_MORE_IS_BETTER = {
    "exact": "scenes",
    "exact_without_illegal": "scenes",
    "exact_and_sure": "scenes",
    "found": "cards",
    "named": "cards",
    "pairs_right": "pairs",
    "over_told": "covered",
}
_LESS_IS_BETTER = {
    "crashed": "scenes",
    "silent": "scenes",
    "silent_without_illegal": "scenes",
    "invented": "cards",
    "legal_doubted": "legal",
    "needless": "scenes",
    "over_falsely_told": "scenes",
}
"""What a baseline does not have of these is none."""
_MEASURES = ("median_mm", "p95_mm", "median_deg", "p95_deg")
_SLACK = 1e-9
_MEASURE_SLACK = 0.02
"""Millimetres and degrees differ a little from one processor to the next."""


def write_baseline(path: Path, sheets: Mapping[str, Sheet]) -> None:
    """Keep these sheets as the ones to be measured by; groups that were not run stay as they were.

    Times and memory are left out.
    """
    measured = {group: _lasting(sheet) for group, sheet in sheets.items()}
    data = {**read_baseline(path), **measured}
    path.write_text(json.dumps(data, indent=1, sort_keys=True) + "\n", "utf-8")


def read_baseline(path: Path) -> dict[str, Any]:
    """The sheets agreed on, by group; none where there is no file yet."""
    return dict(json.loads(path.read_text("utf-8"))) if path.exists() else {}


def drops(sheets: Mapping[str, Sheet], baseline: Mapping[str, Any]) -> Iterator[str]:
    """A line for each figure that is worse than in the baseline; shares are compared."""
    for group, sheet in sheets.items():
        if group in baseline:
            for line in _drops(asdict(sheet), baseline[group]):
                yield f"{group}: {line}"


def _drops(now: Mapping[str, Any], then: Mapping[str, Any]) -> Iterator[str]:
    for name, whole in _MORE_IS_BETTER.items():
        if whole in then and _share(now, name, whole) < _share(then, name, whole) - _SLACK:
            yield f"{name} fell to {_of(now, name, whole)} from {_of(then, name, whole)}"
    for name, whole in _LESS_IS_BETTER.items():
        then = {name: 0, **then}
        if _share(now, name, whole) > _share(then, name, whole) + _SLACK:
            yield f"{name} rose to {_of(now, name, whole)} from {_of(then, name, whole)}"
    for name in _MEASURES:
        if now[name] > then[name] + _MEASURE_SLACK:
            yield f"{name} rose to {now[name]} from {then[name]}"
    yield from _verdict_drops(now["verdicts"], then["verdicts"])


def _verdict_drops(
    now: Mapping[str, Mapping[str, int]], then: Mapping[str, Mapping[str, int]]
) -> Iterator[str]:
    for rule, counts in then.items():
        before, after = _named_share(counts), _named_share(now.get(rule, {}))
        if after < before - _SLACK:
            yield f"{rule} is named in {after:.1%}, not {before:.1%}"
    for rule, counts in now.items():
        false, before_false = counts.get("false", 0), then.get(rule, {}).get("false", 0)
        if false > before_false:
            yield f"{rule} is said of {false} legal cards, not {before_false}"


def _named_share(counts: Mapping[str, int]) -> float:
    cases = sum(count for outcome, count in counts.items() if outcome != "false")
    return float(counts.get("named", 0)) / cases if cases else 1.0


def _share(sheet: Mapping[str, Any], name: str, whole: str) -> float:
    return float(sheet[name]) / float(max(1, sheet[whole]))


def _of(sheet: Mapping[str, Any], name: str, whole: str) -> str:
    return f"{sheet[name]} of {sheet[whole]}"


def _lasting(sheet: Sheet) -> dict[str, Any]:
    passing = ("median_seconds", "p95_seconds", "peak_megabytes")
    return {name: value for name, value in asdict(sheet).items() if name not in passing}
