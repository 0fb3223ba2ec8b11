"""Messages arrive whole or not at all, and never later than the deadline."""

from __future__ import annotations

import socket
import struct
import threading
import time
from collections.abc import Iterator

import pytest

from rig.cameras.wire import WireBroken, WireLate, receive, send


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, socket.socket]]:
    one, other = socket.socketpair()
    with one, other:
        yield one, other


def test_a_message_and_its_payload_arrive(ends: tuple[socket.socket, socket.socket]) -> None:
    payload = bytes(range(256)) * 40_000
    sender = threading.Thread(target=send, args=(ends[0], {"id": 7, "text": "é"}, payload))
    sender.start()
    assert receive(ends[1], time.monotonic() + 5) == ({"id": 7, "text": "é"}, payload)
    sender.join()


def test_half_a_message_is_late(ends: tuple[socket.socket, socket.socket]) -> None:
    ends[0].sendall(struct.pack("!II", 10, 0) + b"{")
    began = time.monotonic()
    with pytest.raises(WireLate):
        receive(ends[1], began + 0.1)
    assert time.monotonic() - began < 0.5


@pytest.mark.parametrize(
    "sent",
    [
        struct.pack("!II", 1 << 30, 0),
        struct.pack("!II", 2, 1 << 31),
        struct.pack("!II", 3, 0) + b"no!",
        struct.pack("!II", 2, 0) + b"[]",
        struct.pack("!II", 2, 0) + b"\xff\xfe",
    ],
)
def test_nonsense_is_told(ends: tuple[socket.socket, socket.socket], sent: bytes) -> None:
    ends[0].sendall(sent)
    with pytest.raises(WireBroken):
        receive(ends[1], time.monotonic() + 1)


def test_a_closed_end_is_told(ends: tuple[socket.socket, socket.socket]) -> None:
    ends[0].close()
    with pytest.raises(WireBroken):
        receive(ends[1], time.monotonic() + 1)
    with pytest.raises(WireBroken):
        send(ends[1], {}, b"x" * (1 << 22))


def test_a_deadline_that_has_passed_is_late(ends: tuple[socket.socket, socket.socket]) -> None:
    send(ends[0], {})
    for ago_s in (0.0, 1.0):
        with pytest.raises(WireLate):
            receive(ends[1], time.monotonic() - ago_s)
