"""Strangers who send bodies, half headers and nothing at all cost next to nothing."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import resource
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rig.service.http import admission
from rig.service.http.limits import (
    CONNECTIONS_OF_ONE,
    HEADER_BYTES,
    HEADER_S,
    MOST_CONNECTIONS,
    MOST_HEADERS,
    MOST_UPLOADS,
    UPLOADS_OF_ONE,
)
from rig.service.running.log_lines import EVERY_S, OncePerMinute
from tests.rig.service import kills
from tests.rig.service.http.raw_requests import BOUNDARY, multipart, upload_head
from tests.rig.service.table_top import API, WRITE, TableTop, jpeg, table_top


def test_a_stranger_is_refused_unread(network_rig: TableTop) -> None:
    kind = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
    assert asked(network_rig, **WRITE, **kind) == (401, "not-paired", 0)
    assert asked(network_rig, **kind) == (403, "header-missing", 0)
    assert asked(network_rig, path="/matches", **WRITE) == (401, "not-paired", 0)


def asked(rig: TableTop, path: str = "/frames", **headers: str) -> tuple[int, str, int]:
    """Status, code, and how often the body was asked for."""
    pieces = 0
    answered: list[Any] = []

    async def receive() -> dict[str, Any]:
        nonlocal pieces
        pieces += 1
        return {"type": "http.request", "body": b"x" * 100, "more_body": True}

    async def send(message: Any) -> None:
        answered.append(message)

    lines = {"host": "localhost", **headers}
    scope = {
        "type": "http", "http_version": "1.1", "method": "POST", "path": f"{API}{path}",
        "raw_path": b"", "root_path": "", "query_string": b"", "scheme": "http",
        "client": ("10.0.0.9", 1), "server": ("10.0.0.1", 80), "state": {},
        "headers": [(k.lower().encode(), v.encode()) for k, v in lines.items()],
    }  # fmt: skip
    asyncio.run(rig.app(scope, receive, send))
    return answered[0]["status"], json.loads(answered[1]["body"])["code"], pieces


def test_what_is_no_photo_is_refused_unread(rig: TableTop) -> None:
    assert asked(rig, **WRITE, **{"Content-Type": "text/plain"})[::2] == (422, 0)
    long = {
        "Content-Type": f"multipart/form-data; boundary={BOUNDARY}",
        "Content-Length": "99999999",
    }
    assert asked(rig, **WRITE, **long)[::2] == (413, 0)


@pytest.fixture
def served_rig(tmp_path: Path) -> Iterator[tuple[TableTop, tuple[str, int]]]:
    with table_top(tmp_path / "rig", serve=True) as rig:
        yield rig, (rig.client.base_url.host, rig.client.base_url.port or 80)


def test_only_so_many_photos_come_in_at_a_time(
    served_rig: tuple[TableTop, tuple[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    rig, address = served_rig
    body = multipart(jpeg())
    places = [f"127.0.0.{2 + n // UPLOADS_OF_ONE}" for n in range(MOST_UPLOADS)]
    with contextlib.ExitStack() as stack:
        slow = [
            stack.enter_context(socket.create_connection(address, source_address=(place, 0)))
            for place in places
        ]
        for line in slow:
            line.sendall(upload_head(len(body)) + body[:40])
        time.sleep(0.3)
        answer = rig.upload(jpeg(5))
        assert (answer.status_code, answer.json()["code"]) == (503, "busy")
        assert int(answer.headers["retry-after"]) > 0
        assert rig.get("/health").status_code == 200
        for line in slow:
            line.sendall(body[40:])
            line.settimeout(20)
            assert line.recv(100).startswith((b"HTTP/1.1 201", b"HTTP/1.1 200"))
    assert rig.upload(jpeg(5)).status_code == 201


def test_one_who_sends_slowly_keeps_no_other_from_it(
    served_rig: tuple[TableTop, tuple[str, int]],
) -> None:
    rig, address = served_rig
    body = multipart(jpeg())
    statuses = []
    with contextlib.ExitStack() as stack:
        for _ in range(MOST_UPLOADS):
            line = socket.create_connection(address, source_address=("127.0.0.2", 0))
            stack.enter_context(line)
            line.sendall(upload_head(len(body)) + body[:40])
            line.settimeout(0.3)
            with contextlib.suppress(TimeoutError):
                statuses.append(line.recv(12))
        assert statuses == [b"HTTP/1.1 503"] * (MOST_UPLOADS - UPLOADS_OF_ONE)
        assert rig.upload(jpeg(5)).status_code == 201
        assert rig.post("/matches", {}).status_code == 422  # nothing else is counted


def test_a_body_that_trickles_is_given_up(
    served_rig: tuple[TableTop, tuple[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, address = served_rig
    monkeypatch.setattr(admission, "PIECE_S", 0.3)
    with socket.create_connection(address) as line:
        line.sendall(upload_head(5000) + b"--b")
        line.settimeout(10)
        assert line.recv(100).startswith(b"HTTP/1.1 408")


def test_a_reading_that_takes_long_is_no_slow_body(
    rig: TableTop, monkeypatch: pytest.MonkeyPatch
) -> None:
    import threading

    monkeypatch.setattr(admission, "PIECE_S", 0.2)
    rig.reader.may_end.clear()
    threading.Timer(1.0, rig.reader.may_end.set).start()
    assert rig.upload().status_code == 201


def test_half_sent_headers_hold_nobody_up(tmp_path: Path) -> None:
    with kills.running(tmp_path / "rig") as (_process, url):
        kills.wait_until_ready(url, time.monotonic())
        port = int(url.split(":")[2].partition("/")[0])
        half = []
        try:
            for _ in range(6 * CONNECTIONS_OF_ONE):
                line = socket.create_connection(("127.0.0.1", port))
                line.sendall(b"GET /api/v1/health HTTP/1.1\r\nX-Slow: ")
                half.append(line)
            begun = time.monotonic()
            assert kills.wait_until_ready(url, begun) < HEADER_S / 2
            assert sum(is_closed(line) for line in half) >= 5 * CONNECTIONS_OF_ONE - 1
        finally:
            for line in half:
                line.close()


@pytest.mark.thorough
def test_many_addresses_leave_a_place_for_others(tmp_path: Path) -> None:
    others, of_each = 5, 120
    assert of_each < CONNECTIONS_OF_ONE
    assert others * of_each > MOST_CONNECTIONS
    with kills.running(tmp_path / "rig") as (_process, url), contextlib.ExitStack() as stack:
        kills.wait_until_ready(url, time.monotonic())
        address = ("127.0.0.1", int(url.split(":")[2].partition("/")[0]))
        lines = []
        for n in range(others * of_each):
            if n == MOST_CONNECTIONS - 10:
                quiet = stack.enter_context(socket.create_connection(address))
            place = f"127.0.0.{2 + n % others}"
            line = socket.create_connection(address, source_address=(place, 0))
            lines.append(stack.enter_context(line))
        assert kills.wait_until_ready(url, time.monotonic()) < 2
        until = time.monotonic() + HEADER_S / 2  # the last ones may still wait to be taken
        while sum(not is_closed(line) for line in lines) >= MOST_CONNECTIONS:
            assert time.monotonic() < until
            time.sleep(0.05)
        assert not is_closed(quiet)


@pytest.mark.thorough
def test_connections_for_which_no_file_is_left_fill_no_log(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with kills.running(tmp_path / "rig") as (process, url), contextlib.ExitStack() as stack:
        kills.wait_until_ready(url, time.monotonic())
        port = int(url.split(":")[2].partition("/")[0])
        few = len(list(Path(f"/proc/{process.pid}/fd").iterdir())) + 10
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (few, few))
        for _ in range(100):
            stack.enter_context(socket.create_connection(("127.0.0.1", port)))
        time.sleep(3)
        assert process.poll() is None
    said = capfd.readouterr().err
    assert "Traceback" in said
    assert said.count("out of system resource") <= 2


def is_closed(line: socket.socket) -> bool:
    line.setblocking(False)
    try:
        return line.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def test_lines_of_one_kind_are_counted() -> None:
    now = [0.0]
    once = OncePerMinute(lambda: now[0])

    def said(message: str, *facts: object) -> str | None:
        record = logging.LogRecord("rig", logging.WARNING, "", 0, message, facts, None)
        return record.getMessage() if once.filter(record) else None

    assert said("phone %s", 1) == "phone 1"
    for n in range(500):
        assert said("phone %s", n) is None
    assert said("disk") == "disk"
    now[0] += EVERY_S
    assert said("phone %s", 9) == "phone 9 (and 500 more like it)"
    assert said("phone %s", 9) is None


def answered(port: int, request: bytes) -> tuple[int, bool]:
    """The status that a raw request is answered with, and whether the line is closed after it."""
    with socket.create_connection(("127.0.0.1", port)) as line:
        line.settimeout(20)
        line.sendall(request)
        taken = b""
        with contextlib.suppress(ConnectionError):
            while piece := line.recv(65536):
                taken += piece
        return int(taken.split(b" ", 2)[1]), b"connection: close" in taken.lower()


@pytest.mark.parametrize(
    "lines",
    [
        b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n",
        b"Transfer-Encoding: identity\r\nContent-Length: 4\r\n",
        b"Content-Length: 4\r\nContent-Length: 5\r\n",
        b"X-Long: " + b"a" * 70_000 + b"\r\n",
        b"".join(b"X-%d: a\r\n" % n for n in range(5000)),
        b"".join(b"X-%d: a\r\n" % n for n in range(MOST_HEADERS + 1)),
        b"X-Long: " + b"a" * HEADER_BYTES + b"\r\n",
    ],
    ids=("both", "both-turned", "identity", "two-lengths", "70-kb", "5000", "too-many", "too-long"),
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_headers_that_are_not_to_be_trusted(
    served_rig: tuple[TableTop, tuple[str, int]], lines: bytes, method: str
) -> None:
    rig, (_, port) = served_rig
    head = f"{method} {API}/state HTTP/1.1\r\nHost: localhost\r\n".encode()
    status, is_closed = answered(port, head + lines + b"\r\n0\r\n\r\n")
    assert status in {400, 431}
    assert is_closed
    assert rig.get("/state").status_code == 200
    plain = b"Connection: close\r\nContent-Length: 0\r\n\r\n"
    assert answered(port, head.replace(b"POST", b"GET") + plain)[0] == 200
