"""A real mosquitto on this machine, and a program that listens there; tests skip without it."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self

import pytest

from tests.conftest import LEFT_OUT

PATHS = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin", "/usr/local/sbin"))
PROGRAM = shutil.which("mosquitto", path=PATHS)
PASSWORDS = shutil.which("mosquitto_passwd", path=PATHS)


def needs_mosquitto() -> None:
    """Leave a test out where there is no broker, or no paho-mqtt to reach it with."""
    if PROGRAM is None or PASSWORDS is None:
        pytest.skip(f"{LEFT_OUT}no mosquitto here")
    needs_paho()


def needs_paho() -> None:
    """Leave a test out where the extra `mqtt` is not installed."""
    if find_spec("paho") is None:
        pytest.skip(f"{LEFT_OUT}no paho-mqtt here")


@dataclass
class Mosquitto:
    """A broker that can be stopped and started again, and keeps what it has to between."""

    folder: Path
    settings: list[str] = field(default_factory=lambda: ["allow_anonymous true"])
    port: int = 0
    _process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        self.folder.mkdir(exist_ok=True)
        self.port = self.port or _free_port()
        lines = [
            "user root",
            "persistence true",
            f"persistence_location {self.folder}/",
            f"listener {self.port} 127.0.0.1",
            *self.settings,
        ]
        file = self.folder / "mosquitto.conf"
        file.write_text("\n".join(lines) + "\n")
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [str(PROGRAM), "-c", str(file)], stdout=log, stderr=log
            )
        ends = time.monotonic() + 20
        while time.monotonic() < ends:
            with (
                contextlib.suppress(OSError),
                socket.create_connection(("127.0.0.1", self.port), 1),
            ):
                return
            time.sleep(0.02)
        raise AssertionError((self.folder / "log").read_text())

    def stop(self) -> None:
        """End the broker. One that has only just begun to listen forgets a signal."""
        process, self._process = self._process, None
        for _ in range(20):
            if process is None:
                return
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(1)
                return
        raise AssertionError("mosquitto does not end")

    def add_user(self, name: str, password: str) -> None:
        """Let this user in, and nobody who does not say who it is."""
        self.folder.mkdir(exist_ok=True)
        file = self.folder / "passwords"
        file.touch(mode=0o600)
        subprocess.run([str(PASSWORDS), "-b", str(file), name, password], check=True)
        self.settings = ["allow_anonymous false", f"password_file {file}"]


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


@dataclass
class Subscriber:
    """Hears everything; what it missed while the broker was away it is told when it is back."""

    port: int
    heard: list[tuple[str, str, bool]] = field(default_factory=list)
    """Topic, payload, and whether it had been retained."""
    ready: threading.Event = field(default_factory=threading.Event)

    def of(self, topic: str) -> list[Any]:
        """What was said under a topic, as JSON where it is that."""
        return [_value(payload) for found, payload, _ in list(self.heard) if found == topic]

    def last(self, topic: str) -> Any:
        found = self.of(topic)
        return found[-1] if found else None


def _value(payload: str) -> Any:
    try:
        return json.loads(payload)
    except ValueError:
        return payload


@contextlib.contextmanager
def subscriber(port: int, **credentials: str) -> Iterator[Subscriber]:
    from paho.mqtt.client import Client
    from paho.mqtt.enums import CallbackAPIVersion

    found = Subscriber(port)
    client = Client(CallbackAPIVersion.VERSION2, client_id="listens", clean_session=False)
    if credentials:
        client.username_pw_set(**credentials)
    client.reconnect_delay_set(1, 1)

    def on_connect(client: Any, *_: Any) -> None:
        client.subscribe("#", qos=1)

    def on_message(client: Any, data: Any, message: Any) -> None:
        found.heard.append((message.topic, message.payload.decode(), message.retain))

    client.on_connect = on_connect
    client.on_message = on_message
    client.on_subscribe = lambda *_: found.ready.set()
    client.connect("127.0.0.1", port)
    client.loop_start()
    assert found.ready.wait(20)
    try:
        yield found
    finally:
        client.disconnect()
        client.loop_stop()
