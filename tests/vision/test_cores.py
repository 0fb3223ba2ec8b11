"""Work shared out over the cores: all of it is done, in order, and errors come through."""

import os
import subprocess
import sys
from collections.abc import Iterator
from threading import Barrier, Event, current_thread

import cv2
import pytest

from vision import cores, process
from vision.cores import Meanwhile, shared_out


@pytest.fixture(autouse=True)
def two_cores(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two threads, whatever machine this is."""
    before = cv2.getNumThreads()
    cv2.setNumThreads(2)
    monkeypatch.setattr(cores, "_allowed", lambda: 2)
    yield
    cv2.setNumThreads(before)


def test_parts_come_back_in_order_and_make_up_the_whole() -> None:
    parts = shared_out(lambda part: list(range(100))[part], 100, 10)
    assert len(parts) == 2
    assert [thing for part in parts for thing in part] == list(range(100))


def test_two_threads_do_the_parts() -> None:
    both = Barrier(2, timeout=20)

    def work(_part: slice) -> str:
        both.wait()
        return current_thread().name

    assert len(set(shared_out(work, 100, 10))) == 2


def test_what_nobody_has_begun_is_done_by_who_asks() -> None:
    go = Event()
    long_ = Meanwhile(lambda: go.wait(20))
    names = shared_out(lambda _: current_thread().name, 100, 10)
    assert names == [current_thread().name] * 2
    go.set()
    assert long_.result()


def test_meanwhile_another_thread_works() -> None:
    here, there = Event(), Event()

    def work() -> str:
        there.set()
        assert here.wait(20)
        return current_thread().name

    begun = Meanwhile(work)
    assert there.wait(20)
    here.set()
    assert begun.result() != current_thread().name


def test_what_meanwhile_raises_is_raised_when_asked() -> None:
    def work() -> None:
        raise ValueError("meanwhile")

    begun = Meanwhile(work)
    with pytest.raises(ValueError, match="meanwhile"):
        begun.result()


@pytest.mark.parametrize("count", [0, 1, 19])
def test_few_things_are_one_part(count: int) -> None:
    assert shared_out(lambda part: part, count, 10) == [slice(0, count)]


def test_one_thread_of_opencv_means_one_part() -> None:
    cv2.setNumThreads(1)
    assert shared_out(lambda part: part, 100, 1) == [slice(0, 100)]


@pytest.mark.parametrize("bad", [0, 50])
def test_what_a_part_raises_is_raised(bad: int) -> None:
    def work(part: slice) -> None:
        if part.start == bad:
            raise ValueError("this part")

    with pytest.raises(ValueError, match="this part"):
        shared_out(work, 100, 10)
    assert len(shared_out(lambda part: part, 100, 10)) == 2


def test_shared_work_within_shared_work_is_not_shared_out_again() -> None:
    inner = shared_out(lambda _: shared_out(lambda part: part, 100, 10), 100, 10)
    assert inner == [[slice(0, 100)], [slice(0, 100)]]


_ASKED = """
import ctypes, importlib, numpy
from vision import process
library = ctypes.CDLL(importlib.import_module(process._ALGEBRA).__file__)
names = [n for n in process._SET_THREADS if hasattr(library, n)]
if names:
    getattr(library, names[0])(4)
process.single_blas_thread()
threads = [getattr(library, n.replace("set", "get", 1))() for n in names[:1]]
print(*threads)
"""


@pytest.mark.parametrize(("setting", "threads"), [(None, "1"), ("2", "2")])
def test_matrices_are_multiplied_on_one_thread_unless_the_user_says_otherwise(
    setting: str | None, threads: str
) -> None:
    outer = {k: v for k, v in os.environ.items() if k != "OPENBLAS_NUM_THREADS"}
    if setting:
        outer["OPENBLAS_NUM_THREADS"] = setting
    asked = [sys.executable, "-c", _ASKED]
    told = subprocess.run(asked, env=outer, capture_output=True, text=True, check=True)
    if not told.stdout.strip():
        pytest.skip("numpy has another library for its algebra")
    assert told.stdout.strip() == threads


def test_threads_take_short_turns_and_shorter_ones_stay() -> None:
    before = sys.getswitchinterval()
    try:
        sys.setswitchinterval(0.005)
        process.short_switch_interval()
        assert sys.getswitchinterval() == pytest.approx(process.TURN_S)
        sys.setswitchinterval(process.TURN_S / 2)
        process.short_switch_interval()
        assert sys.getswitchinterval() == pytest.approx(process.TURN_S / 2)
    finally:
        sys.setswitchinterval(before)
