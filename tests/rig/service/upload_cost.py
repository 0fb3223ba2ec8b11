"""What uploading a photo costs beyond reading it, and whether anything blocks the event loop.

    python -m tests.rig.service.upload_cost

The service as people start it, with its real reader. The fixtures' photos are uploaded one
after the other, first alone, then while phones look on. The time to read a photo is the
service's own measure of it (`tacta_reading_seconds_total`).
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx2
import numpy as np

from tests.rig.service.camera_faults import Phones
from tests.rig.service.kills import wait_until_ready
from tests.rig.service.table_top import API, WRITE
from tests.scenes import SCENES

BEYOND_S, BLOCKED_S = 0.15, 0.05
SETTLED_S = 5.0
"""After its start the service warms up for some seconds, in which uploads cost up to 0.1 s more."""
READING, BUSY = "tacta_reading_seconds_total", "tacta_loop_busy_seconds_max"
LAG = "tacta_loop_lag_seconds_max"


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one upload, in seconds; `beyond_s` is what it took more than the reading."""

    reading_s: float
    beyond_s: float


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[str]:
    """`tacta serve` without a camera: its address."""
    command = [sys.executable, "-m", "rig.command_line", "serve", "--port", "0"]
    command += ["--camera", "none", "--data", str(folder)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        base = process.stdout.readline().split()[-1]
        wait_until_ready(f"{base}{API}", time.monotonic())
        yield base
    finally:
        process.terminate()
        process.wait(30)
        if process.stdout is not None:
            process.stdout.close()


def meters(client: httpx2.Client) -> dict[str, float]:
    lines = client.get(f"{API}/metrics").text.splitlines()
    named = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    return {name: float(value) for name, value in named}


def upload(client: httpx2.Client, data: bytes) -> Cost:
    """Upload a photo and wait until it is read."""
    before_s, begun = meters(client).get(READING, 0.0), time.monotonic()
    answer = client.post(f"{API}/frames", files={"photo": ("a.jpg", data)})
    took_s = time.monotonic() - begun
    assert answer.status_code == 201, answer.text
    reading_s = meters(client)[READING] - before_s
    return Cost(reading_s, took_s - reading_s)


def measure(folder: Path) -> tuple[list[Cost], list[Cost], dict[str, float]]:
    """The uploads alone, those while phones look on, and the meters at the end."""
    photos = [path.read_bytes() for path in sorted(SCENES.glob("*/image.jpg"))]
    with (
        serving(folder) as base,
        httpx2.Client(base_url=base, headers=WRITE, timeout=180) as client,
    ):
        time.sleep(SETTLED_S)
        alone = [upload(client, photo) for photo in photos]
        with Phones(base).looking(takes_pictures=False):
            # What follows a JPEG's end is no part of the picture, but makes it another photo.
            beside = [upload(client, photo + b"\0") for photo in photos]
        return alone, beside, meters(client)


def printed(costs: list[Cost], how: str) -> str:
    beyond_s = [cost.beyond_s for cost in costs]
    return (
        f"{len(costs)} uploads {how}: beyond reading {np.median(beyond_s) * 1000:.0f} ms (median), "
        f"{max(beyond_s) * 1000:.0f} ms at most; reading "
        f"{np.median([cost.reading_s for cost in costs]):.2f} s (median)\n"
    )


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        alone, beside, found = measure(Path(folder))
    sys.stdout.write(printed(alone, "alone") + printed(beside, "beside 3 phones"))
    sys.stdout.write(
        f"event loop: busy for {found[BUSY] * 1000:.0f} ms at a time at most, late by "
        f"{found[LAG] * 1000:.0f} ms at most (load {os.getloadavg()[0]:.1f})\n"
    )
    too_dear = max(cost.beyond_s for cost in alone) > BEYOND_S
    return int(too_dear or found[BUSY] > BLOCKED_S)


if __name__ == "__main__":
    raise SystemExit(main())
