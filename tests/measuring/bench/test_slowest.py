from __future__ import annotations

from pathlib import Path

import pytest

from measuring.bench.slowest import (
    SceneTaken,
    Taken,
    measure_scenes,
    scene_table,
    scenes_over_limit,
    slowest,
)
from rig.scene_folder import write_scene
from simulator import Conditions, simulate_scene


def scene(
    group: str, name: str, processor_s: float, mb: float = 300, times: float = 2
) -> SceneTaken:
    return SceneTaken(group, name, 49, 12.3, Taken(processor_s, processor_s / 2, 30), times, mb)


def test_the_slowest_of_each_group_come_first() -> None:
    scenes = [scene("prints", "a", 2), scene("prints", "b", 5), scene("prints", "c", 3)]
    scenes += [scene("hard", "7", 1)]
    assert [one.name for one in slowest(scenes, 2)] == ["b", "c", "7"]


def test_what_exceeds_a_limit_is_named() -> None:
    assert scenes_over_limit([scene("prints", "a", 12.0, 700, 4.0)]) == []
    for one, words in (
        (scene("prints", "a", 12.6), "12.6 s of the processor"),
        (scene("prints", "a", 1, mb=801), "801 MB"),
        (scene("prints", "a", 1, times=4.2), "4.2 times a drawn table"),
    ):
        assert [words in line and "prints/a" in line for line in scenes_over_limit([one])] == [True]


def test_the_table_has_a_line_for_each_scene() -> None:
    lines = list(scene_table([scene("prints", "a", 2.0), scene("hard", "7", 1.0, times=3.4)]))
    assert len(lines) == 4
    assert len({line.count("|") for line in lines}) == 1
    assert lines[-1].startswith("| hard/7 | 49 | 12.3 | 1.0 | 0.5 | 30 | 300 | 3.4 |")


def test_scenes_in_a_folder_are_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Against a drawn table of at least as many cards and of as many pixels."""
    asked: list[tuple[int, tuple[int, int]]] = []

    def drawn(cards: int, picture_wh: tuple[int, int]) -> float:
        asked.append((cards, picture_wh))
        return 0.001

    monkeypatch.setattr("measuring.bench.slowest._drawn_s", drawn)
    taken = simulate_scene(3, Conditions(cards=8, picture_wh=(1200, 900)))
    write_scene(tmp_path / "mine" / "one", taken.jpeg, taken.truth, taken.lens)
    (found,) = measure_scenes(tmp_path / "mine", 0)
    assert (found.group, found.name) == ("mine", "one")
    assert asked == [(13, (1200, 900))]
    assert found.taken.processor_s > 0
    assert found.taken.wall_s > 0
    assert found.peak_mb > 60
    assert found.times == pytest.approx(found.taken.processor_s / 0.001)
