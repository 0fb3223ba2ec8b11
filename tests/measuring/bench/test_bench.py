from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from geometry.deck_file import published_deck
from geometry.rules import Rules
from measuring.bench.alone import peak_alone_megabytes
from measuring.bench.cases import CASES, SERIES_CARDS
from measuring.bench.coaching import Coached, full_table, measure_coach
from measuring.bench.following import Followed, measure_following
from measuring.bench.measure import Measured, StageClock, measure, slope
from measuring.bench.one_score import one_score_lines, one_score_part, with_one_score
from measuring.bench.performance_page import Results, over_limit, page


def ticking(step: float = 1.0) -> Callable[[], float]:
    ticks: Iterator[int] = count()
    return lambda: step * next(ticks)


def test_each_lap_lasts_until_the_next_stage_begins() -> None:
    clock = StageClock(ticking())
    clock("locate")
    clock("observe")
    clock("locate")
    assert clock.laps() == {"start": 1.0, "locate": 2.0, "observe": 1.0}


def test_laps_add_up_to_the_whole_time() -> None:
    clock = StageClock(ticking(0.5))
    for stage in "abcd":
        clock(stage)
    assert sum(clock.laps().values()) == 2.5


def test_measures_what_is_read() -> None:
    _, jpeg = cv2.imencode(".jpg", np.full((300, 400, 3), 90, np.uint8))
    seen: list[tuple[int, ...]] = []

    def read(image: NDArray[np.uint8], progress: Callable[[str], None]) -> None:
        seen.append(image.shape)
        progress("think")

    found = measure(jpeg.tobytes(), read, 120.0, repeats=3)
    assert seen == [(300, 400, 3)] * 4
    assert [name for name, _ in found.stages] == ["start", "think"]
    assert found.read_s == pytest.approx(sum(seconds for _, seconds in found.stages))
    assert found.ratio == found.read_s / found.decode_s
    assert found.decode_s > 0
    assert found.peak_mb == 120.0


def test_the_memory_of_a_process_that_reads_alone_is_not_that_of_this_one() -> None:
    held = np.ones(400_000_000, np.uint8)
    _, jpeg = cv2.imencode(".jpg", np.full((300, 400, 3), 90, np.uint8))
    alone = peak_alone_megabytes(jpeg.tobytes(), None, published_deck(), Rules())
    assert 60 < alone < held.nbytes / 2**20


def test_what_is_remembered_is_forgotten_before_each_reading() -> None:
    _, jpeg = cv2.imencode(".jpg", np.full((30, 40, 3), 90, np.uint8))
    said: list[str] = []
    measure(jpeg.tobytes(), lambda *_: said.append("read"), 0.0, 2, lambda: said.append("forgot"))
    assert said == ["read", "forgot", "read", "forgot", "read"]


def test_what_does_not_decode_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="decodes"):
        measure(b"no jpeg", lambda image, progress: None, 0.0)


@pytest.mark.parametrize("power", [0.0, 0.5, 1.0, 2.0])
def test_slope(power: float) -> None:
    assert slope(SERIES_CARDS, [0.3 * n**power for n in SERIES_CARDS]) == pytest.approx(power)


def results(
    ratio: float = 2.0, peak_mb: float = 300.0, steepness: float = 0.5, coach_s: float = 0.1,
    follow_s: float = 0.08,
) -> Results:  # fmt: skip
    measured = Measured(
        0.1, 0.1 * ratio, (("locate", 0.04 * ratio), ("judge", 0.06 * ratio)), peak_mb
    )
    return Results(
        [(case, measured) for case in CASES], {13: measured}, steepness, 1.5, (0.3, 2.1),
        Coached(108, coach_s, 0.03, 62), Followed(60, 0.04, follow_s),
    )  # fmt: skip


def test_limits() -> None:
    assert over_limit(results()) == []
    assert over_limit(results(ratio=6.5)) == ["case c takes 6.5 decodes, not 6"]
    assert len(over_limit(results(ratio=20))) == 3
    assert over_limit(results(peak_mb=601)) == ["memory peaks at 601 MB, not 600"]
    assert len(over_limit(results(steepness=1.1))) == 1
    late = ["from a reading to its verdict takes 310 ms, not 300"]
    assert over_limit(results(follow_s=0.31)) == late
    assert over_limit(results(coach_s=0.42)) == ["the coach takes 420 ms, not 300"]


def test_the_page_says_ratios_stages_and_machine() -> None:
    text = page(results(ratio=2.5))
    assert "| c | 109 | 12.3 | **2.5** | 6 | 100 | 250 | 300 |" in text
    assert "| locate | 1.00 | 1.00 | 1.00 |" in text
    assert "| judge | 1.50 | 1.50 | 1.50 |" in text
    assert "1.5 s, 15 decodes" in text
    assert "cores, Python 3." in text
    assert "on a table of 108, up to 62 of them" in text
    assert "100 ms of the processor" in text
    assert "0.3 when this run began and 2.1 when it ended" in text


def test_following_is_measured_to_the_stream() -> None:
    followed = measure_following()
    assert followed.cards == 60
    assert 0 < followed.median_s <= followed.most_s


def test_the_coach_is_measured_on_a_full_table() -> None:
    coached = measure_coach()
    assert coached.cards == len(full_table(108).cards) == 108
    assert coached.most > 10
    # What is kept makes it faster; a busy machine may hide that once.
    again = (coached, *(measure_coach() for _ in range(2)))
    assert any(0 < one.later_s < one.first_s for one in again)


def test_the_one_scores_part_is_kept_by_the_page_and_put_in_its_place() -> None:
    """A page without it stays as it is."""
    cases = [(CASES[0], Measured(0.01, 0.4, (("observe", 0.1), ("learn", 0.3)), 300.0))]
    part = "\n".join(one_score_lines(cases))
    assert "| learn | 30.0 |" in part
    assert "| decodes | **40** |" in part
    first = with_one_score("# Speed\n\nWords.\n", part)
    assert one_score_part(first) == f"{part}\n"
    assert with_one_score(first, part) == first
    assert with_one_score("# Other\n", one_score_part(first)) == f"# Other\n\n{part}\n"
    assert with_one_score("# Other\n", one_score_part("# Speed\n")) == "# Other\n"


def test_the_clock_that_is_given_is_asked() -> None:
    _, jpeg = cv2.imencode(".jpg", np.full((30, 40, 3), 90, np.uint8))
    found = measure(jpeg.tobytes(), lambda *_: None, 0.0, 1, now=ticking())
    assert (found.decode_s, found.read_s) == (1.0, 1.0)
