"""Two hours of play in less time, with all that can go wrong: nothing acknowledged may be lost.

    python -m tests.rig.service.soak --seed 0 --seconds 1800

The service's clock runs fast, so that two hours pass for it, and steps. Its camera falls ill at
random; phones come, upload good photos and bad ones, correct, play, and go in the midst of it; the
disk fills and empties; the processes that decode are killed, and in the first half of the time
the service itself. In the second half it lives on, and its memory has to stay level. What happens,
when, and with which photo, follows from the seed; what meets what does not.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import numpy as np

from tests.rig.photo.hard_pictures import claiming_webp, scans_jpeg
from tests.rig.service import kills, soak_rig
from tests.rig.service.table_top import API, NO_TLS, WRITE, jpeg

SIMULATED_S = 7200.0
PHONES = 4
PAUSE_S = 0.3
"""Between two things that a phone does, in the middle."""
EVENT_S = 2.0
"""Between two things that go wrong, in the middle."""
LIFE_S = 15.0
"""Between two kills of the service, in the first half."""
HEALTH_EVERY_S = 0.1
HEALTH_P99_S = 0.2
LEVEL_BY, LEVEL_MB = 1.15, 30.0
"""Memory at the end of the last life, against its middle: so many times as much, and more."""
ANSWER_S = 60.0
CAMERA = ("ok", "ok", "ok", "hang", "dark", "frozen", "gone", "garbage", "cut", "crash", "waits")
STEPS_S = (-3600.0, -90.0, 0.0, 90.0, 3600.0)
EXPECTED = frozenset({201, 202, 404, 408, 409, 413, 415, 422, 429, 503, 507})
"""What a phone may hear to what it sends; 500 is never right, nor a broken line in a life."""


@dataclass
class Run:
    """What a run is told and what came of it."""

    folder: Path
    seed: int
    seconds: float
    ledger: kills.Ledger = field(default_factory=kills.Ledger)
    counts: Counter[str] = field(default_factory=Counter)
    health_s: list[float] = field(default_factory=list)
    memory_mb: list[tuple[float, float]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    url: str = ""
    pid: int = 0
    is_up: threading.Event = field(default_factory=threading.Event)
    over: threading.Event = field(default_factory=threading.Event)

    @property
    def log(self) -> Path:
        return self.folder / "log"

    def level(self) -> tuple[float, float]:
        """The memory in the second and in the last quarter of the last life, in MB."""
        found = [mb for _, mb in self.memory_mb]
        quarter = max(1, len(found) // 4)
        if not found:
            return 0.0, 0.0
        return float(np.median(found[quarter : 2 * quarter] or found)), float(
            np.median(found[-quarter:])
        )

    def tracebacks(self) -> int:
        return self.log.read_text("utf-8", "replace").count("Traceback")

    def report(self) -> str:
        before, after = self.level()
        p99 = float(np.percentile(self.health_s, 99)) if self.health_s else float("nan")
        counts = ", ".join(f"{count} {name}" for name, count in sorted(self.counts.items()))
        return (
            f"{counts}\n{len(self.ledger.frames)} frames, {len(self.ledger.rounds)} rounds "
            f"acknowledged and there\n/health: {len(self.health_s)} answers, 99 % within "
            f"{p99 * 1000:.0f} ms, {max(self.health_s, default=0) * 1000:.0f} ms at most "
            f"(load {os.getloadavg()[0]:.1f})\nmemory {before:.0f} MB in the middle of the last "
            f"life, {after:.0f} MB at its end\n{self.tracebacks()} tracebacks in a log of "
            f"{self.log.stat().st_size / 1000:.0f} kB"
        )


@contextlib.contextmanager
def running(run: Run) -> Iterator[subprocess.Popen[str]]:
    """One life of the service, from when it is ready."""
    command = [sys.executable, "-m", "tests.rig.service.soak_rig"]
    command += [str(run.folder / "rig"), f"fake:{run.folder / 'camera'}"]
    with run.log.open("a") as log:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=log, text=True, cwd=kills.ROOT
        )
    try:
        assert process.stdout is not None
        port = process.stdout.readline().strip()
        assert port, "the service did not start: " + run.log.read_text()[-2000:]
        run.url, run.pid = f"http://127.0.0.1:{port}{API}", process.pid
        _wait_until_healthy(run.url)
        run.is_up.set()
        yield process
    finally:
        run.is_up.clear()
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def _wait_until_healthy(url: str) -> None:
    """A disk that is full at a start leaves it unready, and yet it answers."""
    begun = time.monotonic()
    with httpx2.Client(timeout=2, verify=NO_TLS) as client:
        while time.monotonic() - begun < kills.GIVE_UP_S:
            with contextlib.suppress(httpx2.TransportError):
                if client.get(f"{url}/health").status_code == 200:
                    return
            time.sleep(0.05)
    raise AssertionError("never answered")


def soak(run: Run) -> None:
    """The whole run; AssertionError where something acknowledged is lost."""
    (run.folder / "camera").write_text("ok")
    _set_clock(run, 0.0, time.monotonic())
    threads = [threading.Thread(target=_health, args=(run,))]
    threads += [threading.Thread(target=_phone, args=(run, n)) for n in range(PHONES)]
    threads.append(threading.Thread(target=_mishaps, args=(run,)))
    rng = np.random.default_rng(run.seed)
    until = time.monotonic() + run.seconds
    for thread in threads:
        thread.start()
    try:
        while (left_s := until - time.monotonic()) > 0:
            is_first_half = left_s > run.seconds / 2
            life_s = min(left_s, rng.exponential(LIFE_S)) if is_first_half else left_s
            run.memory_mb = []
            with running(run):
                _live(run, life_s)
            run.counts["kills"] += is_first_half
    finally:
        run.over.set()
        run.is_up.set()
        for thread in threads:
            thread.join(2 * ANSWER_S)
    (run.folder / soak_rig.FULL).unlink(missing_ok=True)
    (run.folder / "camera").write_text("ok")
    with running(run), httpx2.Client(timeout=ANSWER_S, verify=NO_TLS) as client:
        kills.check_kept(client, run.url, run.ledger)
        _wait_until_all_are_read(client, run.url)


def _wait_until_all_are_read(client: httpx2.Client, url: str) -> None:
    """A frame that met a dead reader is marked, but none is forgotten."""
    until = time.monotonic() + 2 * ANSWER_S
    while time.monotonic() < until:
        frames = client.get(f"{url}/frames?limit=50").json()["frames"]
        if not [one for one in frames if one["state"] in ("waiting", "reading")]:
            return
        time.sleep(0.2)
    raise AssertionError("frames were left unread")


def _live(run: Run, life_s: float) -> None:
    begun = time.monotonic()
    while (now_s := time.monotonic() - begun) < life_s:
        run.memory_mb.append((now_s, _memory_mb(run.pid)))
        time.sleep(min(0.5, life_s - now_s))


def _memory_mb(pid: int) -> float:
    """What the service itself holds; what decodes is bounded, and tested elsewhere."""
    with contextlib.suppress(OSError):
        for row in Path(f"/proc/{pid}/status").read_text().splitlines():
            if row.startswith("VmRSS:"):
                return int(row.split()[1]) / 1024
    return 0.0


def _health(run: Run) -> None:
    """Ask as long as a life lasts; answers that a kill cut off are none."""
    with httpx2.Client(timeout=30, verify=NO_TLS) as client:
        while not run.over.is_set():
            if not run.is_up.wait(0.1):
                continue
            begun = time.monotonic()
            with contextlib.suppress(httpx2.TransportError):
                if client.get(f"{run.url}/health").status_code == 200:
                    run.health_s.append(time.monotonic() - begun)
            time.sleep(HEALTH_EVERY_S)


def _phone(run: Run, number: int) -> None:
    """One of the phones: it comes, does a few things, and goes, again and again."""
    rng = np.random.default_rng([run.seed, number])
    works: list[Callable[[Run, httpx2.Client, np.random.Generator], None]] = [
        _upload, _upload, _upload_bad, _look, _listen, _hang_up,
    ]  # fmt: skip
    while not run.over.is_set():
        if not run.is_up.wait(0.1) or not run.url:
            continue
        with (
            contextlib.suppress(httpx2.TransportError),
            httpx2.Client(headers=WRITE, timeout=ANSWER_S, verify=NO_TLS) as client,
        ):
            for _ in range(int(rng.integers(1, 20))):
                works[int(rng.integers(len(works)))](run, client, rng)
                time.sleep(rng.exponential(PAUSE_S))
                if run.over.is_set():
                    break


def _heard(run: Run, what: str, answer: httpx2.Response) -> bool:
    """Whether it was done; what nobody should hear is written down."""
    run.counts[f"{what} {answer.status_code}"] += 1
    if answer.status_code not in EXPECTED and answer.status_code != 200:
        run.wrong.append(f"{what}: {answer.status_code} {answer.text[:200]}")
    return answer.status_code in (200, 201, 202)


def _upload(run: Run, client: httpx2.Client, rng: np.random.Generator) -> None:
    """A good photo, then a correction, then a round with it."""
    data = jpeg(int(rng.integers(2**31)))
    prefer = {"Prefer": "respond-async"} if rng.integers(2) else {}
    added = client.post(f"{run.url}/frames", files={"photo": ("a.jpg", data)}, headers=prefer)
    if not _heard(run, "photo", added):
        return
    frame = added.json()
    with run.ledger.lock:
        run.ledger.frames[frame["id"]] = data
    if frame["reading"] is None:
        return
    wish = {"version": frame["version"], "correction": {"kind": "remove", "card": 2}}
    made = client.post(f"{run.url}/frames/{frame['id']}/corrections", json=wish)
    if not _heard(run, "correction", made):
        return
    with run.ledger.lock:
        number = made.json()["correction"]["id"]
        run.ledger.corrections.setdefault(frame["id"], set()).add(number)
    _play(run, client, frame["id"], made.json()["reading"]["version"])


def _play(run: Run, client: httpx2.Client, frame: str, version: int) -> None:
    players = {"players": [{"name": "A", "colour": "blue"}]}
    match = client.post(f"{run.url}/matches", json=players)
    if not _heard(run, "match", match):
        return
    here = f"{run.url}/matches/{match.json()['id']}/rounds"
    for path, wish in (
        ("", None),
        ("/1/end", {"frame": frame}),
        ("/1/sign", {"frame_version": version}),
    ):
        answer = client.post(f"{here}{path}", json=wish)
        if not _heard(run, "round", answer):
            return
        found: dict[str, Any] = answer.json()
        with run.ledger.lock:
            run.ledger.rounds[found["match"], found["number"]] = found


def _upload_bad(run: Run, client: httpx2.Client, rng: np.random.Generator) -> None:
    good = jpeg(int(rng.integers(2**31)))
    bad = (
        good[: len(good) // 2],
        rng.bytes(5000),
        b"",
        claiming_webp((16_384, 9_000)),
        scans_jpeg((400, 300), 200),
    )[int(rng.integers(5))]
    answer = client.post(f"{run.url}/frames", files={"photo": ("b.jpg", bad)})
    run.counts["bad taken"] += _heard(run, "bad photo", answer)


def _look(run: Run, client: httpx2.Client, rng: np.random.Generator) -> None:
    paths = ("state", "frames?limit=20", "camera", "ready", "matches", "camera/preview")
    answer = client.get(f"{run.url}/{paths[int(rng.integers(len(paths)))]}")
    if answer.status_code == 500:
        run.wrong.append(f"{answer.url}: 500 {answer.text[:200]}")
    if rng.integers(4) == 0:
        prefer = {"Prefer": "respond-async"}
        _heard(run, "capture", client.post(f"{run.url}/capture", headers=prefer))


def _listen(run: Run, client: httpx2.Client, rng: np.random.Generator) -> None:
    """Listen for a moment, and go without a word."""
    with client.stream("GET", f"{run.url}/events") as stream:
        for _ in stream.iter_lines():
            break
    time.sleep(float(rng.uniform(0, 0.2)))


def _hang_up(run: Run, client: httpx2.Client, rng: np.random.Generator) -> None:
    """Begin to send a photo, and go in the midst of it."""
    del client
    port = int(run.url.split(":")[2].partition("/")[0])
    data = jpeg(int(rng.integers(2**31)))
    head = (
        f"POST {API}/frames HTTP/1.1\r\nHost: localhost\r\nX-Tacta: 1\r\n"
        f"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: {len(data)}\r\n\r\n"
    )
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 5) as line:
        line.sendall(head.encode() + data[: int(rng.integers(len(data)))])
    run.counts["hung up"] += 1


def _mishaps(run: Run) -> None:
    """What goes wrong around the service, one thing after the other."""
    rng = np.random.default_rng([run.seed, 1000])
    begun = time.monotonic()
    full = run.folder / soak_rig.FULL
    while not run.over.wait(float(rng.exponential(EVENT_S))):
        turn = int(rng.integers(4))
        full.unlink(missing_ok=True)
        if turn == 0:
            (run.folder / "camera").write_text(CAMERA[int(rng.integers(len(CAMERA)))])
            run.counts["camera changed"] += 1
        elif turn == 1:
            full.touch()
            run.counts["disk full"] += 1
        elif turn == 2:
            _set_clock(run, float(rng.choice(STEPS_S)), begun)
            run.counts["clock stepped"] += 1
        else:
            run.counts["readers killed"] += _kill_a_child(run.pid, rng)


def _set_clock(run: Run, wrong_s: float, begun: float) -> None:
    file = run.folder / soak_rig.CLOCK
    aside = file.with_suffix(".new")
    aside.write_text(f"{SIMULATED_S / run.seconds} {begun} {wrong_s}")
    aside.replace(file)


def _kill_a_child(pid: int, rng: np.random.Generator) -> bool:
    """Kill one of the processes that the service decodes in, or its camera's."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            with contextlib.suppress(OSError):
                found += map(int, (task / "children").read_text().split())
    if not found:
        return False
    with contextlib.suppress(OSError):
        os.kill(sorted(found)[int(rng.integers(len(found)))], signal.SIGKILL)
    return True


def faults(run: Run, with_times: bool = True) -> list[str]:
    """What a run may not show. `with_times`: on a machine that does nothing else."""
    before, after = run.level()
    found = list(run.wrong)
    if run.tracebacks():
        found.append(f"{run.tracebacks()} tracebacks")
    if after > before * LEVEL_BY + LEVEL_MB:
        found.append(f"memory went from {before:.0f} to {after:.0f} MB")
    if with_times and np.percentile(run.health_s, 99) > HEALTH_P99_S:
        found.append("/health was late")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=1800.0)
    parser.add_argument("--any-speed", action="store_true", help="the machine is busy otherwise")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run = Run(Path(folder), wanted.seed, wanted.seconds)
        soak(run)
        found = faults(run, not wanted.any_speed)
        sys.stdout.write(f"{run.report()}\n")
        if run.tracebacks():
            sys.stdout.write(run.log.read_text("utf-8", "replace")[-6000:])
    for one in found:
        sys.stdout.write(f"wrong: {one}\n")
    return int(bool(found))


if __name__ == "__main__":
    raise SystemExit(main())
