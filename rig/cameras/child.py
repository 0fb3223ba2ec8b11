"""The camera's process: opens one camera and answers one request after the other.

Run as a file, `python child.py FD RIG_FOLDER [PATH...]`, because it may run on
another Python than the rig: on a Pi the bindings of libcamera belong to the
system's. RIG_FOLDER is where the package `rig` lies. Only that folder is made
importable, not the packages installed beside it, which may not fit this Python.
"""

import ctypes
import importlib
import os
import signal
import socket
import sys
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rig.cameras.source import Source

_PR_SET_PDEATHSIG = 1


def serve(wire: socket.socket) -> None:
    """Answer requests until the parent goes away or says `close`."""
    from rig.cameras.wire import WireBroken, receive, send

    source: Source | None = None
    try:
        send(wire, {"hello": 1, "python": sys.version.split()[0]})
        while True:
            request, _ = receive(wire)
            if request["do"] == "open":
                answer, payload, source = _opened(request)
            else:
                answer, payload = _answered(source, request)
            send(wire, {"id": request["id"], **answer}, payload)
            if request["do"] == "close":
                return
    except WireBroken:
        return
    finally:
        if source is not None:
            source.close()


def _opened(request: dict[str, Any]) -> "tuple[dict[str, Any], bytes, Source | None]":
    opened: list[Source] = []

    def do() -> tuple[dict[str, Any], bytes]:
        module, name = request["factory"].split(":")
        opened.append(getattr(importlib.import_module(module), name)(**request["arguments"]))
        facts = opened[0].facts()
        return {"facts": {name: getattr(facts, name) for name in facts.__slots__}}, b""

    answer, payload = _guarded(do, request)
    return answer, payload, opened[0] if opened else None


def _answered(source: "Source | None", request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    def do() -> tuple[dict[str, Any], bytes]:
        if request["do"] == "close":
            return {}, b""
        if source is None:
            raise ValueError("no camera is open")
        if request["do"] == "settle":
            source.settle()
            return {}, b""
        shot = source.still(request["after_s"]) if request["do"] == "still" else source.preview()
        header = {
            "size_wh": shot.size_wh,
            "taken_s": shot.taken_s,
            "print": shot.print,
            "known": shot.known,
        }
        return header, shot.data

    return _guarded(do, request)


def _guarded(
    do: Callable[[], tuple[dict[str, Any], bytes]], request: dict[str, Any]
) -> tuple[dict[str, Any], bytes]:
    """What `do` returns, or the trouble that it ran into as data."""
    from rig.cameras.trouble import CameraFailed, CameraTrouble

    try:
        return do()
    except CameraTrouble as trouble:
        return _told(trouble), b""
    except Exception as error:  # noqa: BLE001 - whatever a driver raises is told to the parent
        why = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        return _told(CameraFailed(camera=request.get("camera", "the camera"), why=why)), b""


def _told(trouble: Any) -> dict[str, Any]:
    facts = {key: v if isinstance(v, int | float) else str(v) for key, v in trouble.facts.items()}
    return {"trouble": trouble.key, "facts": facts}


def _make_importable(folder: str, paths: list[str]) -> None:
    sys.path[:] = [*paths, *(path for path in sys.path if path not in paths)]
    package = types.ModuleType("rig")
    package.__path__ = [folder]
    sys.modules["rig"] = package


def main() -> None:
    """Serve the socket whose number is the first argument."""
    # Without this a process that hangs in a driver would outlive the rig and hold the camera.
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's affair
    _make_importable(sys.argv[2], sys.argv[3:])
    with socket.socket(fileno=int(sys.argv[1])) as wire:
        serve(wire)
    # A thread that still works, as one that lays a simulated table, would be torn apart by the
    # interpreter's end, and abort the process with a message on the terminal.
    os._exit(0)


if __name__ == "__main__":
    main()
