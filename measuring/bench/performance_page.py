"""docs/performance.md, written from what was measured."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2

from measuring.bench.cases import MOST_MEGABYTES, MOST_SLOPE, SERIES_WH, Case
from measuring.bench.coaching import Coached, coach_lines, coach_over_limit
from measuring.bench.following import Followed, following_lines, following_over_limit
from measuring.bench.measure import Measured
from measuring.bench.slowest import (
    MOST_PROCESSOR_S,
    MOST_SCENE_MB,
    MOST_TIMES,
    SceneTaken,
    scene_table,
)


@dataclass(frozen=True, slots=True)
class Results:
    """Everything measured in one run. `command_s`: the whole command on the largest picture.

    `loads`: how many processes wanted a core, over the minute before and the last one of it.
    """

    cases: Sequence[tuple[Case, Measured]]
    series: Mapping[int, Measured]
    slope: float
    command_s: float
    loads: tuple[float, float]
    coached: Coached
    followed: Followed
    slowest: Sequence[SceneTaken] = ()


def page(results: Results) -> str:
    """The page as Markdown."""
    parts = (_head, _cases, _stages, _series, _coach, _followed, _slowest)
    return "\n".join([*(line for part in parts for line in part(results)), ""])


def over_limit(results: Results) -> list[str]:
    """A line for each limit that is not kept."""
    lines = [
        f"case {case.name} takes {measured.ratio:.1f} decodes, not {case.most_decodes:g}"
        for case, measured in results.cases
        if measured.ratio > case.most_decodes
    ]
    peak = max(measured.peak_mb for _, measured in results.cases)
    if peak > MOST_MEGABYTES:
        lines.append(f"memory peaks at {peak:.0f} MB, not {MOST_MEGABYTES}")
    if results.slope > MOST_SLOPE:
        lines.append(f"time grows with the cards to the power {results.slope:.2f}")
    return [*lines, *coach_over_limit(results.coached), *following_over_limit(results.followed)]


def _head(results: Results) -> Iterator[str]:
    yield "# Speed and memory"
    yield ""
    yield "Written by `make bench`. Times are ratios: a reading after decoding, measured in what"
    yield "OpenCV needs to decode the same JPEG (quality 90) in the same process and run; medians,"
    yield "warm, on simulated tables. Another table is read before each: nothing is remembered from"
    yield "the time before. Memory is the most that a process holds that reads the picture alone."
    yield ""
    yield f"Machine: {_machine()}."
    yield (
        f"Load average over a minute: {results.loads[0]:.1f} when this run began and "
        f"{results.loads[1]:.1f} when it ended, this run's own included."
    )
    yield "A busy machine has no second core to spare, and the ratios are higher then."


def _cases(results: Results) -> Iterator[str]:
    yield ""
    yield "| case | cards | megapixels | decodes | limit | decoding, ms | reading, ms | peak, MB |"
    yield "|---|---|---|---|---|---|---|---|"
    for case, measured in results.cases:
        yield (
            f"| {case.name} | {case.cards} | {case.megapixels:.1f} | **{measured.ratio:.1f}** "
            f"| {case.most_decodes:g} | {1000 * measured.decode_s:.0f} "
            f"| {1000 * measured.read_s:.0f} | {measured.peak_mb:.0f} |"
        )
    largest, measured = results.cases[-1]
    yield ""
    yield (
        f"The whole command `tacta score` on case {largest.name}, start and decoding included, on "
        f"a warm disk: {results.command_s:.1f} s, {results.command_s / measured.decode_s:.0f} "
        "decodes."
    )


def _stages(results: Results) -> Iterator[str]:
    names = list(dict.fromkeys(name for _, m in results.cases for name, _ in m.stages))
    yield ""
    yield "## Stage by stage, in decodes"
    yield ""
    yield "| stage | " + " | ".join(case.name for case, _ in results.cases) + " |"
    yield "|---|" + "---|" * len(results.cases)
    for name in names:
        shares = [dict(m.stages).get(name, 0.0) / m.decode_s for _, m in results.cases]
        yield f"| {name} | " + " | ".join(f"{share:.2f}" for share in shares) + " |"


def _series(results: Results) -> Iterator[str]:
    width, height = SERIES_WH
    yield ""
    yield f"## More cards, the same picture size ({width} x {height})"
    yield ""
    yield "| cards | reading, decodes | reading, ms |"
    yield "|---|---|---|"
    for cards, measured in results.series.items():
        yield f"| {cards} | {measured.ratio:.1f} | {1000 * measured.read_s:.0f} |"
    yield ""
    yield f"Slope of log time over log cards: {results.slope:.2f} (at most {MOST_SLOPE:g})."


def _followed(results: Results) -> Iterator[str]:
    yield ""
    yield from following_lines(results.followed)


def _coach(results: Results) -> Iterator[str]:
    yield ""
    yield from coach_lines(results.coached)


def _slowest(results: Results) -> Iterator[str]:
    yield ""
    yield "## The slowest scenes"
    yield ""
    yield "Of each simulated set, and of the scenes in `FOLDER` with `make bench PRINTS=FOLDER`,"
    yield "each read once after a drawn table of as many cards and pixels; *times drawn* is its"
    yield "processor time over that table's."
    yield (
        f"At most {MOST_PROCESSOR_S:g} s of the processor where case c takes 0.4 s, "
        f"{MOST_SCENE_MB} MB and {MOST_TIMES:g} times are wanted;"
    )
    yield "what exceeds them is named at the end of the run."
    yield "`python -m measuring.bench --no-tables --prints FOLDER` measures these alone."
    if results.slowest:
        yield ""
        yield from scene_table(results.slowest)


def _machine() -> str:
    processor = platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
            if line.startswith(("model name", "Model")):
                processor = f"{processor}, {line.split(':', 1)[1].strip()}"
                break
    except OSError:
        pass
    return (
        f"{processor}, {os.cpu_count()} cores, Python {platform.python_version()}, "
        f"OpenCV {cv2.__version__} on {cv2.getNumThreads()} threads"
    )
