"""Killed with -9 at random moments under load: what was acknowledged must be there afterwards.

    python -m tests.rig.service.kills --seed 0 --count 200

Phones upload, correct, begin, end and sign rounds until the process is
killed; it is started again, has to be ready in time, and is asked for
everything that it ever acknowledged.
"""

from __future__ import annotations

import argparse
import contextlib
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import numpy as np

from tests.rig.service.table_top import API, NO_TLS, WRITE, jpeg

ROOT = Path(__file__).parents[3]
PHONES = 3
READY_S = 5.0
GIVE_UP_S = 60.0
LONGEST_LIFE_S = 1.2
"""Or as long as the start took: on a busy machine nothing is acknowledged in less."""


@dataclass
class Ledger:
    """What the service said was safe."""

    frames: dict[str, bytes] = field(default_factory=dict)
    corrections: dict[str, set[int]] = field(default_factory=dict)
    rounds: dict[tuple[str, int], dict[str, Any]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)


@contextlib.contextmanager
def running(folder: Path, *camera: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The rig in its process, and its address once it is about to answer."""
    command = [sys.executable, "-m", "tests.rig.service.quick_rig", str(folder), *camera]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        assert process.stdout is not None
        port = process.stdout.readline().strip()
        assert port, "the service did not start"
        yield process, f"http://127.0.0.1:{port}{API}"
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def wait_until_ready(url: str, begun: float) -> float:
    """How long it took to be ready, in seconds since `begun`."""
    with httpx2.Client(timeout=2, verify=NO_TLS) as client:
        while True:
            with contextlib.suppress(httpx2.TransportError):
                if client.get(f"{url}/ready").status_code == 200:
                    return time.monotonic() - begun
            assert time.monotonic() - begun < GIVE_UP_S, "never ready"
            time.sleep(0.02)


def phone(url: str, ledger: Ledger, seed: int) -> None:
    """Work until the line breaks."""
    rng = np.random.default_rng(seed)
    with (
        contextlib.suppress(httpx2.TransportError),
        httpx2.Client(headers=WRITE, verify=NO_TLS) as client,
    ):
        while True:
            _work(client, url, ledger, rng)


def _work(client: httpx2.Client, url: str, ledger: Ledger, rng: np.random.Generator) -> None:
    data = jpeg(int(rng.integers(2**31)))
    prefer = {"Prefer": "respond-async"} if rng.integers(2) else {}
    added = client.post(f"{url}/frames", files={"photo": ("a.jpg", data)}, headers=prefer)
    assert added.status_code in (201, 202), added.text
    frame = added.json()
    with ledger.lock:
        ledger.frames[frame["id"]] = data
    if frame["reading"] is not None:
        wish = {"version": frame["version"], "correction": {"kind": "remove", "card": 2}}
        made = client.post(f"{url}/frames/{frame['id']}/corrections", json=wish)
        assert made.status_code == 201, made.text
        with ledger.lock:
            number = made.json()["correction"]["id"]
            ledger.corrections.setdefault(frame["id"], set()).add(number)
        _play(client, url, ledger, frame["id"], made.json()["reading"]["version"])


def _play(client: httpx2.Client, url: str, ledger: Ledger, frame: str, version: int) -> None:
    match = client.post(f"{url}/matches", json={"players": [{"name": "A", "colour": "blue"}]})
    here = f"{url}/matches/{match.json()['id']}/rounds"
    begun = client.post(here)
    _remember(ledger, begun)
    ended = client.post(f"{here}/1/end", json={"frame": frame})
    _remember(ledger, ended)
    signed = client.post(f"{here}/1/sign", json={"frame_version": version})
    _remember(ledger, signed)


def _remember(ledger: Ledger, answer: httpx2.Response) -> None:
    assert answer.status_code in (200, 201), answer.text
    found = answer.json()
    with ledger.lock:
        ledger.rounds[found["match"], found["number"]] = found


def check(url: str, ledger: Ledger) -> None:
    """Everything acknowledged is there, whole; nothing half is."""
    with httpx2.Client(timeout=30, verify=NO_TLS) as client:
        problems = client.get(f"{url}/ready").json()["problems"]
        swept = {"file-unfinished", "files-lost", "disk-low"}
        assert {problem["key"] for problem in problems} <= swept, problems
        check_kept(client, url, ledger)
        _all_are_read(client, url)


def check_kept(client: httpx2.Client, url: str, ledger: Ledger) -> None:
    """Everything acknowledged is there, whole."""
    for frame, data in ledger.frames.items():
        assert client.get(f"{url}/frames/{frame}/picture").content == data
    for frame, numbers in ledger.corrections.items():
        kept = client.get(f"{url}/frames/{frame}/corrections").json()["corrections"]
        assert numbers <= {one["id"] for one in kept}
    for (match, number), known in ledger.rounds.items():
        now = client.get(f"{url}/matches/{match}/rounds/{number}").json()
        order = ("open", "ended", "signed")
        assert order.index(now["state"]) >= order.index(known["state"])
        assert now["frame"] == known["frame"] or known["frame"] is None
        if known["state"] == "signed":
            assert now["sides"] == known["sides"]


def _all_are_read(client: httpx2.Client, url: str) -> None:
    """A frame whose reading was cut off is read after all."""
    for _ in range(500):
        frames = client.get(f"{url}/frames?limit=20").json()["frames"]
        if all(frame["state"] == "read" for frame in frames):
            return
        time.sleep(0.02)
    raise AssertionError("frames were left unread")


def run(seed: int, count: int, folder: Path) -> list[float]:
    """Kill it so often; how long it took to be ready each time, in seconds."""
    rng = np.random.default_rng(seed)
    took = []
    ledger = Ledger()
    for number in range(count + 1):
        begun = time.monotonic()
        with running(folder) as (process, url):
            took.append(wait_until_ready(url, begun))
            check(url, ledger)
            if number == count:
                break
            ledger = Ledger()  # each life's promises are checked in the next one
            phones = [
                threading.Thread(target=phone, args=(url, ledger, int(rng.integers(2**31))))
                for _ in range(PHONES)
            ]
            for thread in phones:
                thread.start()
            time.sleep(float(rng.uniform(0, max(LONGEST_LIFE_S, took[-1]))))
            process.kill()
            for thread in phones:
                thread.join(30)
            promised = f"{len(ledger.frames)} frames, {len(ledger.rounds)} rounds"
        sys.stdout.write(f"kill {number + 1}: {promised}, ready in {took[-1]:.2f} s\n")
        sys.stdout.flush()
    return took


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        took = run(wanted.seed, wanted.count, Path(folder))
    sys.stdout.write(
        f"{wanted.count} kills, nothing acknowledged was lost; ready in "
        f"{np.median(took):.2f} s (median), {max(took):.2f} s at most\n"
    )
    return int(max(took) > READY_S)


if __name__ == "__main__":
    raise SystemExit(main())
