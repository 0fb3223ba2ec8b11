"""Measuring one picture: decoding, reading stage by stage, and the most memory held."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Read = Callable[[NDArray[np.uint8], Callable[[str], None]], object]
"""Reads an (H, W, 3) BGR picture and says as each stage begins."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Medians over the repeats, in seconds. `stages` add up to `read_s`, in order."""

    decode_s: float
    read_s: float
    stages: tuple[tuple[str, float], ...]
    peak_mb: float

    @property
    def ratio(self) -> float:
        """Reading after decoding, in decodes of the same JPEG."""
        return self.read_s / self.decode_s


class StageClock:
    """Notes when each stage begins. Call it with a stage's name, then `laps` at the end."""

    def __init__(self, now: Callable[[], float] = time.perf_counter) -> None:
        self._now = now
        self._begun: list[tuple[str, float]] = [("start", now())]

    def __call__(self, stage: str) -> None:
        """A stage begins."""
        self._begun.append((stage, self._now()))

    def laps(self) -> dict[str, float]:
        """Seconds of each stage so far, in order; of the same name added up."""
        ends = [begun for _, begun in self._begun[1:]] + [self._now()]
        laps: dict[str, float] = {}
        for (stage, begun), end in zip(self._begun, ends, strict=True):
            laps[stage] = laps.get(stage, 0.0) + end - begun
        return laps


def measure(
    jpeg: bytes, read: Read, peak_mb: float, repeats: int = 5,
    forget: Callable[[], object] = lambda: None, now: Callable[[], float] = time.perf_counter,
) -> Measured:  # fmt: skip
    """Decode and read a JPEG `repeats` times in turn, after once to warm up.

    Decoding and reading take turns, so that a machine that slows down or
    speeds up meanwhile changes both alike. `forget` is called before each
    reading, outside its time: no reading may profit from the one before. `peak_mb`: what memory it
    takes, as was measured elsewhere. `now`: the clock, seconds.
    """
    data = np.frombuffer(jpeg, np.uint8)
    read(decoded(data), lambda _stage: None)
    decodes: list[float] = []
    reads: list[dict[str, float]] = []
    for _ in range(repeats):
        start = now()
        image = decoded(data)
        decodes.append(now() - start)
        forget()
        clock = StageClock(now)
        read(image, clock)
        reads.append(clock.laps())
    middle = _median_run(reads)
    return Measured(
        statistics.median(decodes), sum(middle.values()), tuple(middle.items()), peak_mb
    )


def slope(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """The slope of log time over log size: 1 where twice as much takes twice as long."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def decoded(data: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The picture (H, W, 3) BGR of a JPEG's bytes. ValueError where they are none."""
    image: NDArray[np.uint8] | None = cv2.imdecode(data, cv2.IMREAD_COLOR)
    if image is None:
        raise ValueError("expected a JPEG that decodes")
    return image


def _median_run(reads: Sequence[dict[str, float]]) -> dict[str, float]:
    """The run whose total is the median: its stages belong together."""
    ordered = sorted(reads, key=lambda laps: sum(laps.values()))
    return ordered[(len(ordered) - 1) // 2]
