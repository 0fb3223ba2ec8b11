"""`make bench`: measure, print and write docs/performance.md."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Annotated, NoReturn

import numpy as np
import typer
from numpy.typing import NDArray

from calibration.lens.lens_data import lens_data
from geometry.deck_file import published_deck
from geometry.recent_tables import forget_tables
from geometry.rules import Rules
from measuring.bench.alone import peak_alone_megabytes
from measuring.bench.cases import CASES, OTHER_TABLE, SERIES_CARDS, SERIES_WH, Case, picture
from measuring.bench.coaching import measure_coach
from measuring.bench.following import measure_following
from measuring.bench.measure import Measured, decoded, measure, slope
from measuring.bench.one_score import (
    measure_one_score,
    one_score_lines,
    one_score_part,
    with_one_score,
)
from measuring.bench.performance_page import Results, over_limit, page
from measuring.bench.slowest import measure_scenes, scene_table, scenes_over_limit, slowest
from vision.lens import Lens
from vision.pace import Pace
from vision.read import read_table

PAGE = Path("docs/performance.md")


def main(
    repeats: Annotated[int, typer.Option(min=1, help="How often each is measured.")] = 5,
    write: Annotated[bool, typer.Option(help="Write docs/performance.md.")] = True,
    check: Annotated[bool, typer.Option("--check", help="Fail where a limit is passed.")] = False,
    prints: Annotated[
        Path | None, typer.Option(help="Measure every scene in this folder as well.")
    ] = None,
    simulated: Annotated[
        int, typer.Option(min=0, help="How many scenes of each simulated set are measured.")
    ] = 5,
    listed: Annotated[int, typer.Option(min=1, help="How many of the slowest are listed.")] = 5,
    tables: Annotated[
        bool, typer.Option(help="Measure the drawn tables; without them no page is written.")
    ] = True,
    reader: Annotated[
        str, typer.Option(help="Whose reading: today, or one: its part of the page alone.")
    ] = "today",
) -> None:
    """Measure reading against decoding, and the memory it takes."""
    if reader == "one":
        _one_score(repeats, write)
        return
    if not tables:
        scenes = measure_scenes(prints, simulated)
        print("\n".join(scene_table(slowest(scenes, listed))))
        _end(scenes_over_limit(scenes), check)
    load = _load()
    coached = measure_coach()  # first: it is to know nothing
    followed = measure_following()
    cases = [(case, _measured(case.cards, case.picture_wh, repeats)) for case in CASES]
    series = {cards: _measured(cards, SERIES_WH, repeats) for cards in SERIES_CARDS}
    command_s = _command_seconds(CASES[-1])
    scenes = measure_scenes(prints, simulated)
    results = Results(
        cases=cases,
        series=series,
        slope=slope(list(series), [measured.read_s for measured in series.values()]),
        command_s=command_s,
        loads=(load, _load()),
        coached=coached,
        followed=followed,
        slowest=slowest(scenes, listed),
    )
    text = page(results)
    print(text)
    if write:
        kept = one_score_part(PAGE.read_text("utf-8"))
        PAGE.write_text(with_one_score(text, kept), "utf-8")
    _end([*over_limit(results), *scenes_over_limit(scenes)], check)


def _one_score(repeats: int, write: bool) -> None:
    part = "\n".join(one_score_lines(measure_one_score(repeats)))
    print(part)
    if write:
        PAGE.write_text(with_one_score(PAGE.read_text("utf-8"), part), "utf-8")


def _end(passed: list[str], check: bool) -> NoReturn:
    for line in passed:
        print(f"over the limit: {line}")
    sys.exit(1 if check and passed else 0)


def _load() -> float:
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")


def _measured(cards: int, picture_wh: tuple[int, int], repeats: int) -> Measured:
    print(f"{cards} cards, {picture_wh[0]} x {picture_wh[1]} ...", file=sys.stderr)
    jpeg, lens = picture(cards, picture_wh)
    peak_mb = peak_alone_megabytes(jpeg, lens, published_deck(), Rules())
    return measure(jpeg, _reader(lens), peak_mb, repeats, _other_table())


@cache
def _other_table() -> Callable[[], object]:
    """Reads another table, and has what was said of either forgotten: of the last few tables that
    were asked about it is remembered.
    """
    jpeg, lens = picture(*OTHER_TABLE)
    image = decoded(np.frombuffer(jpeg, np.uint8))

    def read_other() -> None:
        _reader(lens)(image, lambda _stage: None)
        forget_tables()

    return read_other


def _reader(lens: Lens | None) -> Callable[[NDArray[np.uint8], Callable[[str], None]], object]:
    deck, rules = published_deck(), Rules()
    return lambda image, progress: read_table(image, deck, lens, rules, Pace(progress))


def _command_seconds(case: Case) -> float:
    """The whole command, started anew each time; the first time warms the disk."""
    jpeg, lens = picture(case.cards, case.picture_wh)
    with tempfile.TemporaryDirectory() as folder:
        photo = Path(folder) / "photo.jpg"
        photo.write_bytes(jpeg)
        command = [sys.executable, "-m", "rig.command_line", "score", str(photo), "--json"]
        if lens is not None:
            lens_file = Path(folder) / "lens.json"
            lens_file.write_text(json.dumps(lens_data(lens)))
            command += ["--lens", str(lens_file)]
        times = []
        for _ in range(4):
            start = time.perf_counter()
            subprocess.run(command, capture_output=True, check=False)
            times.append(time.perf_counter() - start)
    return statistics.median(times[1:])


if __name__ == "__main__":
    typer.run(main)
