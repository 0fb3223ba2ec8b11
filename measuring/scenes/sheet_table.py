"""The score sheet as a person reads it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.console import RenderableType
from rich.markup import escape
from rich.table import Table

from measuring.scenes.sheet import Sheet, exact_and_sure
from measuring.scenes.trial import Trial
from rig.wording.catalogue import sentence

OUTCOMES = ("named", "misnamed", "doubted", "missed", "refused", "false")


def sheet_tables(sheets: Mapping[str, Sheet]) -> Iterator[RenderableType]:
    """A table with a column a group, and one of the verdicts by rule for each group."""
    table = Table("", *(escape(group) for group in sheets), title="Score sheet")
    for row in zip(*(_rows(sheet) for sheet in sheets.values()), strict=True):
        table.add_row(row[0][0], *(value for _, value in row))
    yield table
    for group, sheet in sheets.items():
        if sheet.verdicts:
            yield _verdict_table(group, sheet)


def faults(trials: Sequence[Trial]) -> Iterator[str]:
    """A line for each scene that is not exact and sure in both scores, or in which a thing over
    the cards was not told.
    """
    for trial in trials:
        untold = trial.comparison is not None and trial.comparison.over_told is False
        if untold or not exact_and_sure(trial):
            yield f"{escape(trial.name)}: {escape(_fault(trial))}"


def _rows(sheet: Sheet) -> list[tuple[str, str]]:
    read = sheet.scenes - sheet.refused
    return [
        ("scenes", f"{sheet.scenes}"),
        ("refused (crashed)", f"{sheet.refused} ({sheet.crashed})"),
        ("exact and sure, both scores", _share(sheet.exact_and_sure, sheet.scenes)),
        ("exact, as it lies", _share(sheet.exact, sheet.scenes)),
        ("exact, without illegal", _share(sheet.exact_without_illegal, sheet.scenes)),
        ("sure, as it lies", _share(sheet.sure, read)),
        ("sure, without illegal", _share(sheet.sure_without_illegal, read)),
        ("silent mistakes, as it lies", _bad(sheet.silent)),
        ("silent mistakes, without illegal", _bad(sheet.silent_without_illegal)),
        ("cards found", _share(sheet.found, sheet.cards)),
        ("cards named", _share(sheet.named, sheet.cards)),
        ("cards invented", f"{sheet.invented}"),
        ("order right", _share(sheet.pairs_right, sheet.pairs)),
        ("mm, median / p95", f"{sheet.median_mm:.2f} / {sheet.p95_mm:.2f}"),
        ("degrees, median / p95", f"{sheet.median_deg:.2f} / {sheet.p95_deg:.2f}"),
        ("legal cards doubted", _share(sheet.legal_doubted, sheet.legal)),
        ("needless doubts", f"{sheet.needless}"),
        ("things over the cards told", _share(sheet.over_told, sheet.covered)),
        ("told where nothing lies over them", f"{sheet.over_falsely_told}"),
        ("seconds, median / p95", f"{sheet.median_seconds:.2f} / {sheet.p95_seconds:.2f}"),
        ("megabytes, peak", f"{sheet.peak_megabytes:.0f}"),
    ]


def _verdict_table(group: str, sheet: Sheet) -> Table:
    table = Table("rule", "cases", *OUTCOMES, title=f"Verdicts: {escape(group)}")
    for rule, counts in sheet.verdicts.items():
        cases = sum(count for outcome, count in counts.items() if outcome != "false")
        table.add_row(
            rule, f"{cases}", *(f"{counts.get(outcome, 0) or '·'}" for outcome in OUTCOMES)
        )
    return table


def _share(count: int, of: int) -> str:
    return f"{count}/{of} ({100 * count / of:.1f} %)" if of else "none"


def _bad(count: int) -> str:
    return f"[bold red]{count}[/bold red]" if count else "0"


def _fault(trial: Trial) -> str:
    seen = trial.comparison
    if seen is None:
        return "refused" if trial.reason is None else f"refused: {sentence(trial.reason)}"
    notes = [
        note
        for note, applies in (
            ("SILENT as it lies", seen.as_it_lies.silent),
            ("SILENT without illegal", seen.without_illegal.silent),
            ("wrong as it lies", not seen.as_it_lies.exact),
            ("wrong without illegal", not seen.without_illegal.exact),
            ("unsure as it lies", not seen.as_it_lies.sure),
            (
                "unsure without illegal",
                not (seen.without_illegal.sure or seen.without_illegal.open),
            ),
            (f"{len(seen.matches)}/{seen.cards} found", len(seen.matches) < seen.cards),
            (f"{seen.named}/{seen.cards} named", seen.named < seen.cards),
            (f"{seen.invented} invented", seen.invented > 0),
            (f"{seen.pairs - seen.pairs_right} pairs wrong", seen.pairs_right < seen.pairs),
            (f"accused {', '.join(seen.accused)}", bool(seen.accused)),
            (f"{seen.needless} needless doubts", seen.needless > 0),
            ("the thing over the cards not told", seen.over_told is False),
            ("something over the cards told falsely", seen.over_falsely_told),
        )
        if applies
    ]
    missed = [f"{rule} {outcome}" for rule, outcome in seen.verdicts if outcome != "named"]
    return "; ".join(notes + missed)
