from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from measuring.scenes.baseline import drops, read_baseline, write_baseline
from measuring.scenes.comparison import Comparison, ScoreCheck
from measuring.scenes.matching import Match
from measuring.scenes.sheet import Sheet, sheets
from measuring.scenes.sheet_table import faults, sheet_tables
from measuring.scenes.trial import Trial
from rig.wording.kept_reasons import reason_of
from vision.reason import Reason

GOOD = ScoreCheck(True, True)
MATCHES = tuple(Match(i, i, True, True, 0.1 * i, 0.05) for i in range(4))
SEEN = Comparison(
    as_it_lies=GOOD,
    without_illegal=GOOD,
    cards=4,
    matches=MATCHES,
    invented=0,
    pairs=3,
    pairs_right=3,
    verdicts=(("overhang", "named"),),
    accused=(),
    legal=3,
    legal_doubted=0,
    needless=0,
    over_told=True,
)
TRIAL = Trial("fixtures", "one", 4, ("overhang",), SEEN, None, 1.5, 300.0)
REFUSED = replace(TRIAL, name="two", comparison=None, reason=reason_of("Too dark."), megabytes=0.0)


def sheet(*trials: Trial) -> Sheet:
    return sheets(trials)["fixtures"]


def test_adds_up() -> None:
    found = sheet(TRIAL, TRIAL, REFUSED)
    assert (found.scenes, found.refused, found.crashed) == (3, 1, 0)
    assert (found.exact, found.sure, found.exact_and_sure, found.silent) == (2, 2, 2, 0)
    assert (found.cards, found.found, found.named) == (12, 8, 8)
    assert (found.pairs, found.pairs_right) == (6, 6)
    assert found.median_mm == pytest.approx(0.15)
    assert found.p95_deg == pytest.approx(0.05)
    assert found.peak_megabytes == 300
    assert found.verdicts == {"overhang": {"named": 2, "refused": 1}}


def test_groups_keep_their_order_and_apart() -> None:
    found = sheets([replace(TRIAL, group="b"), replace(TRIAL, group="a"), TRIAL])
    assert list(found) == ["b", "a", "fixtures"]
    assert all(each.scenes == 1 for each in found.values())


def test_a_crash_is_counted() -> None:
    assert sheet(replace(REFUSED, reason=Reason("crash", {"what": "KeyError: 3"}))).crashed == 1


WORSE = [
    ({"as_it_lies": ScoreCheck(False, False)}, "exact fell to 0 of 1 from 1 of 1"),
    ({"as_it_lies": ScoreCheck(False, True)}, "silent rose to 1 of 1 from 0 of 1"),
    ({"without_illegal": ScoreCheck(False, True)}, "silent_without_illegal rose"),
    ({"without_illegal": ScoreCheck(True, False)}, "exact_and_sure fell"),
    ({"matches": MATCHES[:3]}, "found fell to 3 of 4"),
    ({"matches": (*MATCHES[:3], replace(MATCHES[3], named=False))}, "named fell"),
    ({"matches": (*MATCHES[:3], replace(MATCHES[3], side_right=False))}, "named fell"),
    ({"matches": (*MATCHES[:3], replace(MATCHES[3], off_mm=0.9))}, "p95_mm rose"),
    ({"invented": 1}, "invented rose"),
    ({"pairs_right": 2}, "pairs_right fell"),
    ({"legal_doubted": 1}, "legal_doubted rose"),
    ({"needless": 1}, "needless rose"),
    ({"over_told": False}, "over_told fell to 0 of 1 from 1 of 1"),
    ({"over_falsely_told": True}, "over_falsely_told rose to 1 of 1 from 0 of 1"),
    ({"verdicts": (("overhang", "doubted"),)}, "overhang is named in 0.0%, not 100.0%"),
    ({"accused": ("two_cards",)}, "two_cards is said of 1 legal cards, not 0"),
]


@pytest.mark.parametrize(("change", "words"), WORSE)
def test_every_drop_is_told(tmp_path: Path, change: dict[str, object], words: str) -> None:
    file = tmp_path / "baseline.json"
    write_baseline(file, sheets([TRIAL]))
    worse = replace(TRIAL, comparison=replace(SEEN, **change))  # type: ignore[arg-type]
    lines = list(drops(sheets([worse]), read_baseline(file)))
    assert any(line.startswith(f"fixtures: {words}") for line in lines)
    assert not list(drops(sheets([TRIAL]), read_baseline(file)))


def test_more_scenes_of_the_same_quality_are_no_drop(tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    write_baseline(file, sheets([TRIAL, REFUSED]))
    assert not list(drops(sheets([TRIAL, REFUSED] * 3), read_baseline(file)))
    assert list(drops(sheets([TRIAL, REFUSED, REFUSED]), read_baseline(file)))


def test_groups_that_were_not_run_stay(tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    write_baseline(file, sheets([TRIAL]))
    write_baseline(file, sheets([replace(TRIAL, group="hard")]))
    assert set(read_baseline(file)) == {"fixtures", "hard"}


def test_seconds_and_megabytes_are_not_compared(tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    write_baseline(file, sheets([TRIAL]))
    slow = replace(TRIAL, seconds=99.0, megabytes=9999.0)
    assert not list(drops(sheets([slow]), read_baseline(file)))


def test_of_an_older_baseline_things_told_falsely_are_none(tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    write_baseline(file, sheets([TRIAL]))
    older = read_baseline(file)
    del older["fixtures"]["over_falsely_told"]
    told = replace(TRIAL, comparison=replace(SEEN, over_falsely_told=True))
    assert any("over_falsely_told rose" in line for line in drops(sheets([told]), older))
    assert not list(drops(sheets([TRIAL]), older))


def test_without_a_baseline_nothing_is_worse(tmp_path: Path) -> None:
    assert read_baseline(tmp_path / "none.json") == {}
    assert not list(drops(sheets([TRIAL]), {}))


def test_the_printed_sheet_and_its_faults() -> None:
    silent = replace(
        TRIAL, name="[bold]three", comparison=replace(SEEN, as_it_lies=ScoreCheck(False, True))
    )
    trials = [TRIAL, REFUSED, silent]
    console = Console(width=160)
    with console.capture() as captured:
        for table in sheet_tables(sheets(trials)):
            console.print(table)
        for line in faults(trials):
            console.print(line)
    text = captured.get()
    assert "1/3 (33.3 %)" in text
    assert "two: refused: Too dark." in text
    assert "[bold]three: SILENT as it lies; wrong as it lies" in text
    assert "one:" not in text
