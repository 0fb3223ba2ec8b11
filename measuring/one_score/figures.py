"""Figures of records: how often the truth leads, and how far what is said can be trusted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Record = Mapping[str, Any]
KINDS: Mapping[str, tuple[str, float]] = {
    "faces": ("faces that the picture can tell", 0.995),
    "orders": ("who lies on top", 0.995),
    "inks": ("inks", 0.999),
    "cards": ("cards that lie there", 0.999),
    "false": ("cards that do not", 0.999),
}
"""Each kind of moves, and the share in which the truth should lead."""
SCENES, TODAY = (
    ("truth leads over each single move", 0.99),
    ("truth leads over a wrong reading", 0.95),
)
TOLD_MM2 = 4.0


@dataclass(frozen=True, slots=True)
class Figure:
    """In how many cases the truth leads."""

    name: str
    asked: float
    right: int
    number: int

    @property
    def share(self) -> float | None:
        """The share in which it leads; None of no cases."""
        return self.right / self.number if self.number else None

    @property
    def reached(self) -> bool:
        """Whether that is as often as asked."""
        return self.share is not None and self.share >= self.asked


def figures(records: Sequence[Record]) -> list[Figure]:
    """The figures of some scenes."""
    out = []
    for kind, (name, asked) in KINDS.items():
        leads = [row[0] for record in records for row in record[kind]]
        out.append(Figure(name, asked, sum(lead > 0 for lead in leads), len(leads)))
    whole = [all(row[0] > 0 for kind in KINDS for row in record[kind]) for record in records]
    out.append(Figure(*SCENES, sum(whole), len(whole)))
    wrong = [one for record in records if (one := wrongly_read(record)) is not None]
    by_both = [min(one["by_truth"], one["by_read"]) > 0 for one in wrong]
    out.append(Figure(*TODAY, sum(by_both), len(by_both)))
    for way, name in (("loop", "at places"), ("alone", "alone")):
        out += _loop_figures([r[way] for r in records if r.get(way)], name)
    return out


def _loop_figures(found: Sequence[Record], way: str) -> list[Figure]:
    """What the loop found: nothing where it was not asked."""
    asked = (
        ("cards found", 0.999, "found", "places"),
        ("found cards that lie there", 0.999, "found", "laid"),
        ("faces", 0.995, "faces", "found"),
        ("inks", 0.999, "inks", "found"),
        ("orders", 0.995, "orders", "pairs"),
    )
    laid = [{**one, "laid": one["found"] + one["false"]} for one in found]
    sums = {key: sum(one[key] for one in laid) for *_, right, of in asked for key in (right, of)}
    out = [
        Figure(f"{way}: {name}", share, sums[right], sums[of])
        for name, share, right, of in asked
        if found
    ]
    whole = [all(one[right] == one[of] for *_, right, of in asked) for one in laid]
    return [*out, Figure(f"{way}: whole tables", 0.99, sum(whole), len(whole))] if found else []


def wrongly_read(record: Record) -> Mapping[str, Any] | None:
    """How the truth compares with what today's reader read, where that plainly differs."""
    today: Mapping[str, Any] | None = record.get("today")
    if today is None or today["refused"] or today["differs_mm2"] <= TOLD_MM2:
        return None
    return today


def lost(records: Sequence[Record]) -> list[str]:
    """Where the truth does not lead, a line each, the worst first."""
    rows = [
        (
            row[0],
            f"{record['scene']} {kind}: {row[0]:.1f} on {row[1]:.0f} mm2, {' / '.join(row[2:])}",
        )
        for record in records
        for kind in KINDS
        for row in record[kind]
        if row[0] <= 0
    ]
    for record in records:
        one = wrongly_read(record)
        if one is not None and min(one["by_truth"], one["by_read"]) <= 0:
            least = min(one["by_truth"], one["by_read"])
            rows.append((least, f"{record['scene']} reading: {dict(one)}"))
    return [line for _, line in sorted(rows)]
