"""What goes between the rig and a camera's process: a JSON header and bytes, over a socket.

Each message is two lengths (32 bits each, network order), the header and the
payload. Nothing is pickled: pictures travel as the JPEG that is stored later.
"""

import json
import socket
import struct
import time
from typing import Any

_LENGTHS = struct.Struct("!II")
_MOST_HEADER = 4 << 20
_MOST_PAYLOAD = 128 << 20
_PIECE = 1 << 20


class WireBroken(Exception):
    """The other end is gone, or what it says is no message."""


class WireLate(Exception):
    """The deadline passed before the message was complete; the wire is of no use any more."""


def send(wire: socket.socket, header: dict[str, Any], payload: bytes = b"") -> None:
    """Send a message. WireBroken if nobody listens; WireLate if the socket's time runs out."""
    text = json.dumps(header).encode()
    try:
        wire.sendall(_LENGTHS.pack(len(text), len(payload)) + text)
        if payload:
            wire.sendall(payload)
    except TimeoutError as error:
        raise WireLate from error
    except OSError as error:
        raise WireBroken(str(error)) from error


def receive(wire: socket.socket, deadline_s: float | None = None) -> tuple[dict[str, Any], bytes]:
    """Wait for a message, for ever or until a time of the monotonic clock (WireLate)."""
    header_bytes, payload_bytes = _LENGTHS.unpack(_take(wire, _LENGTHS.size, deadline_s))
    if header_bytes > _MOST_HEADER or payload_bytes > _MOST_PAYLOAD:
        raise WireBroken(f"a message of {header_bytes} + {payload_bytes} bytes")
    try:
        header = json.loads(_take(wire, header_bytes, deadline_s))
    except ValueError as error:
        raise WireBroken("a header that is no JSON") from error
    if not isinstance(header, dict):
        raise WireBroken("a header that is no object")
    return header, _take(wire, payload_bytes, deadline_s)


def _take(wire: socket.socket, wanted: int, deadline_s: float | None) -> bytes:
    taken = bytearray()
    while len(taken) < wanted:
        if deadline_s is not None:
            left = deadline_s - time.monotonic()
            if left <= 0:
                raise WireLate
            wire.settimeout(left)
        try:
            piece = wire.recv(min(wanted - len(taken), _PIECE))
        except TimeoutError as error:
            raise WireLate from error
        except OSError as error:
            raise WireBroken(str(error)) from error
        if not piece:
            raise WireBroken("the other end is closed")
        taken += piece
    return bytes(taken)
