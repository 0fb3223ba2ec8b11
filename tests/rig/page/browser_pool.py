"""Chromium windows that tests use one after another: starting one takes longer than most tests.

One chromedriver a process, and as many Chromium as are used at once. A window that comes back is
closed for a new one, and what its pages kept goes: cookies, storage, service workers, cache.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import httpx2

PATIENCE_S = 20.0 * float(os.environ.get("TACTA_PATIENCE", "1"))
MOST_IDLE = 3
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)


class PageTrouble(AssertionError):
    """The page did not do what was waited for, or the driver refused."""


@dataclass(frozen=True)
class Session:
    """One Chromium under the driver, in a language, its windows `size_wh` px large."""

    client: httpx2.Client
    id: str
    language: str
    size_wh: tuple[int, int]

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """One WebDriver command: its value. PageTrouble if it was refused."""
        sent = None if method == "GET" else body or {}
        answer = self.client.request(method, f"/session/{self.id}{path}", json=sent)
        value = answer.json()["value"]
        if answer.status_code >= 400:
            raise PageTrouble(f"{value['error']}: {value['message'].splitlines()[0]}")
        return value

    def devtools(self, command: str, **parameters: Any) -> Any:
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def forget(self, origins: Iterable[str]) -> None:
        """A new window in place of those that are open, with nothing kept of these origins."""
        with contextlib.suppress(PageTrouble):  # refused where none were set
            self.call("DELETE", "/chromium/network_conditions")
        used = self.call("GET", "/window/handles")
        fresh = self.call("POST", "/window/new", {"type": "tab"})["handle"]
        for handle in used:
            self.call("POST", "/window", {"handle": handle})
            self.call("DELETE", "/window")
        self.call("POST", "/window", {"handle": fresh})
        for origin in origins:
            self.devtools("Storage.clearDataForOrigin", origin=origin, storageTypes="all")
        self.devtools("Network.clearBrowserCookies")
        self.devtools("Network.clearBrowserCache")
        self.call("POST", "/se/log", {"type": "browser"})

    def close(self) -> None:
        self.client.delete(f"/session/{self.id}")


@dataclass
class BrowserPool:
    """The process's Chromiums: those that nobody uses just now wait here."""

    _idle: list[Session] = field(default_factory=list)
    _driver: subprocess.Popen[bytes] | None = None
    _client: httpx2.Client | None = None

    def take(self, language: str, size_wh: tuple[int, int]) -> Session:
        for session in self._idle:
            if (session.language, session.size_wh) == (language, size_wh):
                self._idle.remove(session)
                return session
        return _begin(self._started(), language, size_wh)

    def give_back(self, session: Session, origins: Iterable[str]) -> None:
        """Keep it for the next test; one that cannot be cleared is closed."""
        try:
            session.forget(origins)
        except (PageTrouble, httpx2.HTTPError):
            session.close()
            return
        self._idle.append(session)
        while len(self._idle) > MOST_IDLE:
            self._idle.pop(0).close()

    def close(self) -> None:
        while self._idle:
            self._idle.pop().close()
        if self._client is not None and self._driver is not None:
            self._client.close()
            self._driver.terminate()
            self._driver.wait(10)
        self._client = self._driver = None

    def _started(self) -> httpx2.Client:
        if self._client is None:
            with socket.create_server(("127.0.0.1", 0)) as free:
                port = free.getsockname()[1]
            self._driver = subprocess.Popen(
                ["chromedriver", f"--port={port}"],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            self._client = httpx2.Client(
                base_url=f"http://127.0.0.1:{port}", timeout=70 + PATIENCE_S
            )
            _wait_for(self._client)
        return self._client


POOL = BrowserPool()


def _begin(client: httpx2.Client, language: str, size_wh: tuple[int, int]) -> Session:
    width, height = size_wh
    shape = {"width": width, "height": height, "pixelRatio": 2, "touch": True, "mobile": True}
    options = {
        "args": [*_FLAGS, f"--lang={language}"],
        "prefs": {"intl.accept_languages": language},
        "mobileEmulation": {"deviceMetrics": shape},
    }
    asked = {
        "goog:chromeOptions": options,
        "goog:loggingPrefs": {"browser": "SEVERE"},
        "timeouts": {"script": round(1000 * PATIENCE_S)},
    }
    answer = client.post("/session", json={"capabilities": {"alwaysMatch": asked}})
    value = answer.json()["value"]
    if "sessionId" not in value:
        raise PageTrouble(value["message"])
    return Session(client, value["sessionId"], language, size_wh)


def _wait_for(client: httpx2.Client) -> None:
    ends = time.monotonic() + PATIENCE_S
    while time.monotonic() < ends:
        with contextlib.suppress(httpx2.TransportError, json.JSONDecodeError):
            if client.get("/status").json()["value"]["ready"]:
                return
        time.sleep(0.05)
    raise PageTrouble("chromedriver does not answer")
