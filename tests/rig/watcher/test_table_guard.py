"""A moved camera or table, from previews: noticed, told since when, and never imagined."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.table.table_watch import AGREEING_FRAMES, LEARNING_FRAMES
from rig.watcher.table_guard import TRIAL_S, TableGuard, TableMoved
from rig.watcher.table_place import load_place, place_file
from tests.rig.watcher.moved_tables import MOVES, Sensor, lens, seen_after
from tests.rig.watcher.sequences import with_hand

START_S = datetime(2026, 3, 1, 20, 0, tzinfo=UTC).timestamp()


class Evening:
    """A guard that is shown a table, one look a second."""

    def __init__(self, folder: Path | None = None, known_lens: bool = True) -> None:
        self.now_s = START_S
        self.folder, self.lens = folder, lens() if known_lens else None
        self.sensor = Sensor()
        self.guard = self.begin()

    def begin(self) -> TableGuard:
        self.guard = TableGuard(self.folder, self.lens, clock=lambda: self.now_s)
        return self.guard

    def show(self, image: NDArray[np.uint8], looks: int, apart_s: float = 1.0) -> TableMoved | None:
        for _ in range(looks):
            self.now_s += apart_s
            self.guard.look(self.sensor.grey(image))
        return self.guard.moved()

    def settle(self) -> None:
        """The table as it is, until it is known and kept."""
        assert self.show(seen_after("still"), 8, TRIAL_S / 6) is None


@pytest.mark.parametrize("known_lens", [True, False], ids=["lens", "no lens"])
@pytest.mark.parametrize("move", [name for name in MOVES if name != "still"])
def test_2_mm_or_a_fifth_of_a_degree_is_noticed(move: str, known_lens: bool) -> None:
    evening = Evening(known_lens=known_lens)
    evening.settle()
    first_s = evening.now_s + 1
    moved = evening.show(seen_after(move), AGREEING_FRAMES)
    assert moved is not None
    assert moved.key == "table-moved"
    assert moved.since == datetime.fromtimestamp(first_s, UTC)
    if move in ("x", "y"):
        assert moved.by_mm == pytest.approx(2.0, abs=0.3)
    if move == "roll":
        assert abs(moved.by_deg) == pytest.approx(0.2, abs=0.03)
    assert f"{moved.by_mm:.1f} mm" in moved.sentence


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.timeout(300)
def test_no_accusation_in_1000_frames_of_an_unmoved_table() -> None:
    evening = Evening()
    evening.settle()
    rng = np.random.default_rng(4)
    image = seen_after("still")
    for frame in range(1000):
        shown = image
        if frame % 10 == 0:  # a hand rests somewhere, perhaps on a marker
            hand = [
                with_hand(c.astype(np.float64), *rng.uniform(0.05, 0.95, 2))
                for c in cv2.split(image)
            ]
            shown = np.asarray(cv2.merge(hand), np.uint8)
        assert evening.show(shown, 1) is None, frame


def test_a_table_that_is_still_being_set_up_is_not_accused() -> None:
    evening = Evening()
    assert evening.show(seen_after("still"), LEARNING_FRAMES + 2) is None
    assert evening.show(seen_after("x"), 20) is None
    evening.show(seen_after("x"), 8, TRIAL_S / 6)
    moved = evening.show(seen_after("still"), AGREEING_FRAMES)
    assert moved is not None


def test_the_place_and_the_move_outlive_the_program(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.settle()
    since = evening.guard.since()
    evening.begin()
    assert evening.guard.since() == since
    moved = evening.show(seen_after("tilt"), AGREEING_FRAMES)
    assert moved is not None
    evening.now_s += 3600
    evening.begin()
    again = evening.show(seen_after("tilt"), AGREEING_FRAMES)
    assert again is not None
    assert again.since == moved.since


def test_what_is_put_back_is_forgotten(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.settle()
    assert evening.show(seen_after("roll"), AGREEING_FRAMES) is not None
    assert evening.show(seen_after("still"), 1) is None
    place = load_place(tmp_path)
    assert place is not None
    assert place.moved_s is None


@pytest.mark.parametrize("how", ["accept", "file removed"])
def test_what_is_to_stay_so_is_learnt_anew(how: str, tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.settle()
    assert evening.show(seen_after("y"), AGREEING_FRAMES) is not None
    if how == "accept":
        evening.guard.accept()
    else:
        place_file(tmp_path).unlink()
    assert evening.show(seen_after("y"), 8, TRIAL_S / 6) is None
    assert place_file(tmp_path).exists()
    assert evening.show(seen_after("still"), AGREEING_FRAMES) is not None


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"format": "tacta-table/2"}', '{"format": "tacta-table/1"}']
)
def test_a_damaged_file_is_learnt_anew(text: str, tmp_path: Path) -> None:
    place_file(tmp_path).write_text(text, "utf-8")
    evening = Evening(tmp_path)
    assert evening.guard.since() is None
    evening.settle()
    assert load_place(tmp_path) is not None


def test_a_folder_that_takes_no_file_does_not_end_the_watching(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    evening = Evening(tmp_path / "file" / "folder")
    evening.settle()
    assert evening.show(seen_after("x"), AGREEING_FRAMES) is not None


def test_without_markers_nothing_is_known() -> None:
    evening = Evening()
    bare = np.full((480, 640, 3), 120, np.uint8)
    assert evening.show(bare, 20) is None
    assert evening.guard.since() is None


def test_a_pushed_marker_is_named() -> None:
    evening = Evening()
    evening.settle()
    image = seen_after("still").copy()
    middle = image.shape[1] // 2
    height = image.shape[0] // 2
    image[:height, :middle] = np.roll(image[:height, :middle], 4, axis=1)
    moved = evening.show(image, AGREEING_FRAMES)
    assert moved is not None
    assert (moved.key, moved.markers) == ("marker-moved", (0,))
    assert moved.sentence.startswith("Marker 0 has moved by ")
    assert "put it back" in moved.sentence
