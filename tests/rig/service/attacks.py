"""Attacks on a service in a process of its own, on loopback, with what they cost it.

    python -m tests.rig.service.attacks [NAME...]

Prints a line an attack. docs/security.md holds the figures.
"""

from __future__ import annotations

import argparse
import contextlib
import resource
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2

from rig.store.frame import NewFrame, PhotoFacts
from rig.store.store import DATABASE, PICTURES, Store
from tests.rig.photo.hard_pictures import claiming_webp, many_segments_jpeg, scans_jpeg
from tests.rig.service import kills
from tests.rig.service.pairing_attack import pairing
from tests.rig.service.table_top import WRITE, jpeg

LONGEST_S = 200.0
BYTES = 12_000_000
Sent = tuple[int | str, float]


@contextlib.contextmanager
def rig(folder: Path, *camera: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    with kills.running(folder, *camera) as (process, url):
        kills.wait_until_ready(url, time.monotonic())
        time.sleep(4.0)  # its processes start and practise
        yield process, url


def send(url: str, data: bytes) -> Sent:
    """Upload a photo: the status, or how the line broke, and how long that took in seconds."""
    begun = time.monotonic()
    try:
        status: int | str = httpx2.post(
            f"{url}/frames", files={"photo": ("a", data)}, headers=WRITE, timeout=LONGEST_S
        ).status_code
    except httpx2.TransportError as error:
        status = type(error).__name__
    return status, time.monotonic() - begun


def many(connections: int) -> httpx2.Client:
    """For so many requests at once. Made once: a new client each takes this program's own time."""
    limits = httpx2.Limits(max_connections=connections)
    return httpx2.Client(timeout=LONGEST_S, limits=limits)


def slowest_health(url: str, over: threading.Event) -> float:
    """The longest that /health took until it is over, in seconds."""
    slowest = 0.0
    with httpx2.Client(timeout=30) as client:
        while not over.is_set():
            begun = time.monotonic()
            with contextlib.suppress(httpx2.TransportError):
                client.get(f"{url}/health")
            slowest = max(slowest, time.monotonic() - begun)
            time.sleep(0.02)
    return slowest


@contextlib.contextmanager
def health(url: str) -> Iterator[list[str]]:
    """Ask for /health meanwhile; afterwards the list says how long it took, and why.

    How long the event loop worked at a time does not hang on what else the machine does.
    """
    over = threading.Event()
    found: list[float] = []
    told: list[str] = []
    asking = threading.Thread(target=lambda: found.append(slowest_health(url, over)))
    asking.start()
    try:
        yield told
    finally:
        over.set()
        asking.join()
        busy = "unknown"
        with contextlib.suppress(httpx2.TransportError):
            meters = httpx2.get(f"{url}/metrics", timeout=20).text
            values = dict(line.rsplit(" ", 1) for line in meters.splitlines() if line[0] != "#")
            busy = f"{float(values['tacta_loop_busy_seconds_max']) * 1000:.0f} ms"
        told.append(f"/health at most {found[0] * 1000:.0f} ms, the loop worked {busy} at a time")


def peak_mb(process: subprocess.Popen[str]) -> int:
    """The most memory that the process and its children held, each at its own peak."""
    return sum(_peak_kb(pid) for pid in _family(process.pid)) // 1024


def _family(pid: int) -> list[int]:
    kids = Path(f"/proc/{pid}/task/{pid}/children")
    below = [int(kid) for kid in kids.read_text().split()] if kids.exists() else []
    others = [
        int(kid)
        for task in Path(f"/proc/{pid}/task").iterdir()
        for kid in (task / "children").read_text().split()
    ]
    return [pid, *(one for kid in {*below, *others} for one in _family(kid))]


def _peak_kb(pid: int) -> int:
    with contextlib.suppress(OSError):
        for row in Path(f"/proc/{pid}/status").read_text().splitlines():
            if row.startswith("VmHWM:"):
                return int(row.split()[1])
    return 0


def scans(folder: Path) -> str:
    """A progressive JPEG of thousands of empty scans, and a good photo behind it."""
    bad = scans_jpeg((4000, 3000), 14_000)
    with rig(folder) as (_, url), health(url) as slowest:
        status, took_s = send(url, bad)
        good, behind_s = send(url, jpeg(1))
        for _ in range(2):
            httpx2.get(f"{url}/health")
    return (
        f"{len(bad) / 1000:.0f} KB: {status} after {took_s:.1f} s; a good photo behind it: {good} "
        f"after {behind_s:.1f} s; {slowest[0]}"
    )


def claims(folder: Path) -> str:
    """Small WebPs that claim a canvas of 150 megapixels."""
    with rig(folder) as (process, url):
        before = _peak_kb(process.pid) // 1024
        sent = [send(url, claiming_webp((16_384, 9_200 - n))) for n in range(5)]
        after = _peak_kb(process.pid) // 1024
    return f"{sent[0][0]}; the service's own peak went from {before} to {after} MB"


def headers(folder: Path) -> str:
    """A JPEG whose header is a row of three million segments."""
    with rig(folder) as (_, url), health(url) as slowest:
        status, took_s = send(url, many_segments_jpeg(BYTES - 1000))
    return f"{status} after {took_s:.2f} s; {slowest[0]}"


def strangers(folder: Path) -> str:
    """Twenty who may not send 12 MB each: how much of it went through the disk."""
    with rig(folder) as (process, url):
        port = int(url.split(":")[2].partition("/")[0])
        over, spooled = threading.Event(), [0]
        watching = threading.Thread(target=_watch_spool, args=(process.pid, over, spooled))
        watching.start()
        with ThreadPoolExecutor(20) as pool:
            sent = sum(pool.map(lambda _: _poured(port), range(20)))
        over.set()
        watching.join()
    return f"of {sent / 1e6:.0f} MB sent {spooled[0] / 1e6:.1f} MB lay on the disk at once"


def _watch_spool(pid: int, over: threading.Event, most: list[int]) -> None:
    """The most bytes that the process held in files without a name."""
    while not over.wait(0.05):
        held = 0
        for handle in Path(f"/proc/{pid}/fd").iterdir():
            with contextlib.suppress(OSError):
                if "(deleted)" in str(handle.readlink()):
                    held += handle.stat().st_size
        most[0] = max(most[0], held)


def _poured(port: int) -> int:
    head = (
        "POST /api/v1/frames HTTP/1.1\r\nHost: localhost\r\n"
        f"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: {BYTES}\r\n\r\n"
    )
    sent = 0
    with socket.create_connection(("127.0.0.1", port)) as line:
        line.sendall(head.encode())
        line.settimeout(20)
        body = b'--b\r\nContent-Disposition: form-data; name="photo"; filename="a"\r\n\r\n'
        piece = bytes(64_000)
        with contextlib.suppress(OSError):
            line.sendall(body)
            while sent < BYTES - len(body):
                time.sleep(0.002)  # as over a line, so that a refusal can arrive
                sent += line.send(piece)
    return sent


def half(folder: Path) -> str:
    """1100 connections on which a header is begun and never ended; the service may hold 1024."""
    with rig(folder) as (process, url):
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (1024, 1024))
        port = int(url.split(":")[2].partition("/")[0])
        lines = []
        for _ in range(1100):
            with contextlib.suppress(OSError):
                line = socket.create_connection(("127.0.0.1", port), timeout=5)
                line.sendall(b"GET / HTTP/1.1\r\nX-Slow: ")
                lines.append(line)
        begun = time.monotonic()
        answered = "not answered"
        with contextlib.suppress(httpx2.TransportError):
            httpx2.get(f"{url}/health", timeout=20)
            answered = f"answered after {(time.monotonic() - begun) * 1000:.0f} ms"
        for line in lines:
            line.close()
    return f"/health {answered}"


def overlays(folder: Path) -> str:
    """Twenty overlays of a photo of 12 megapixels at once."""
    import cv2
    import numpy as np

    noise = np.random.default_rng(5).integers(0, 255, (300, 400, 3), np.uint8)
    _, photo = cv2.imencode(".jpg", cv2.resize(noise, (4000, 3000)))
    with rig(folder) as (process, url):
        frame = httpx2.post(
            f"{url}/frames", files={"photo": ("a", photo.tobytes())}, headers=WRITE, timeout=60
        ).json()["id"]
        before = peak_mb(process)

        def ask(n: int) -> int:
            path = f"{url}/frames/{frame}/overlay?width={500 + n}"
            return client.get(path).status_code

        with many(20) as client, health(url) as slowest, ThreadPoolExecutor(20) as pool:
            statuses = list(pool.map(ask, range(20)))
        after = peak_mb(process)
    return (
        f"{statuses.count(200)} of 20 answered; all processes' peaks went from {before} to "
        f"{after} MB; {slowest[0]}"
    )


def captures(folder: Path) -> str:
    """Sixty captures at once from a camera that takes a while."""
    with rig(folder, "table:7") as (_, url):

        def ask(_: int) -> int:
            return client.post(f"{url}/capture", headers=headers).status_code

        headers = {**WRITE, "Prefer": "respond-async"}
        with many(60) as client, health(url) as slowest, ThreadPoolExecutor(60) as pool:
            statuses = list(pool.map(ask, range(60)))
    found = ", ".join(f"{statuses.count(status)} x {status}" for status in sorted({*statuses}))
    return f"{found}; {slowest[0]}"


def sweep(folder: Path) -> str:
    """A start without the database that belongs to the photos."""
    store = Store(folder, reserve_bytes=0)
    for n in range(644):
        store.frames.add(
            NewFrame(
                n.to_bytes(4, "big"),
                PhotoFacts("jpeg", 4, 3),
                "a.jpg",
                "upload",
                "2024-01-01T12:00:00+00:00",
            )
        )
    store.close()
    for file in folder.glob(f"{DATABASE}*"):
        file.unlink()
    with kills.running(folder) as (_, url):
        status = httpx2.get(f"{url}/ready", timeout=20).status_code
    return f"{len(list((folder / PICTURES).iterdir()))} of 644 photos left; /ready says {status}"


def idle(folder: Path) -> str:
    """No attack: what the machine does to the figures."""
    with rig(folder) as (_, url), health(url) as slowest:
        time.sleep(5)
    return slowest[0]


ATTACKS: dict[str, Callable[[Path], str]] = {
    attack.__name__: attack
    for attack in (
        idle,
        sweep,
        scans,
        claims,
        headers,
        strangers,
        half,
        overlays,
        captures,
        pairing,
    )
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*ATTACKS, []], metavar="NAME")
    for name in parser.parse_args().names or ATTACKS:
        with tempfile.TemporaryDirectory() as folder:
            try:
                told = ATTACKS[name](Path(folder) / "rig")
            except (AssertionError, httpx2.TransportError) as error:
                told = f"the service did not answer ({type(error).__name__})"
        sys.stdout.write(f"{name}: {told}\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
