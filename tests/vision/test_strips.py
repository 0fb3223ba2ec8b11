"""Whole maps strip by strip: the same as at once."""

from __future__ import annotations

import errno
import mmap
import os
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.strips import STRIP, Part, empty_map, in_strips

KERNEL = np.ones((9, 9), np.uint8)


@pytest.mark.parametrize("height", [1, STRIP - 1, STRIP, 3 * STRIP + 5])
def test_strips_meet_without_a_seam(height: int) -> None:
    image = np.random.default_rng(height).integers(0, 256, (height, 40), np.uint8)
    out = np.zeros_like(image)

    def opened(part: Part, around: Part, inner: Part) -> None:
        out[part] = cv2.morphologyEx(image[around], cv2.MORPH_OPEN, KERNEL)[inner]

    in_strips(opened, height, 9)
    assert (out == cv2.morphologyEx(image, cv2.MORPH_OPEN, KERNEL)).all()


def test_of_each_strip_only_some_columns_are_looked_at() -> None:
    image = np.zeros((2 * STRIP + 9, 300), np.uint8)
    columns = np.array([[20, 120], [0, 0], [150, 300]])
    for strip, (left, right) in enumerate(columns.tolist()):
        top = strip * STRIP
        shown = image[top + 5 : top + STRIP - 5, left + 20 : max(right - 20, left)]
        shown[:] = np.random.default_rng(strip).integers(0, 256, shown.shape, np.uint8)
    out, looked_at = np.zeros_like(image), []

    def widened(part: Part, around: Part, inner: Part) -> None:
        out[part] = cv2.dilate(image[around], KERNEL)[inner]
        looked_at.append(part[1])

    in_strips(widened, len(image), 9, columns)
    assert (out == cv2.dilate(image, KERNEL)).all()
    assert {(part.start, part.stop) for part in looked_at} == {(20, 120), (150, 300)}


def test_no_map_no_strips() -> None:
    in_strips(lambda *_: pytest.fail("a strip of nothing"), 0)


@pytest.mark.parametrize("shape", [(30, 40), (6000, 5000, 3)])
def test_an_empty_map_is_black_and_can_be_written(shape: tuple[int, ...]) -> None:
    black = empty_map(shape)
    assert black.shape == shape
    assert black.dtype == np.uint8
    assert not black[::7].any()
    black[3, 5] = 9
    assert black.sum() == 9 * np.prod(shape[2:], dtype=int)


@pytest.mark.skipif(sys.platform != "linux", reason="others have their own ways with memory")
def test_of_a_large_map_only_what_is_written_takes_memory() -> None:
    def taken() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    before = taken()
    black = empty_map((8000, 8000))
    black[::500, 100:200] = 1
    assert taken() - before < 8_000_000


@pytest.mark.skipif(sys.platform != "linux", reason="others have their own ways with memory")
def test_a_kernel_without_huge_pages_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    class Plain(mmap.mmap):
        def madvise(self, *_: int) -> None:
            raise OSError(errno.EINVAL, "no such advice")

    monkeypatch.setattr("vision.strips.mmap.mmap", Plain)
    black = empty_map((6000, 5000))
    black[3, 5] = 9
    assert black.sum() == 9
