"""A web server that takes down what webhooks send."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

AT = "2026-01-01T00:00:00.000Z"


class Receiver:
    """A program that is told; `answers` are its next statuses, 200 once they are used up."""

    def __init__(self) -> None:
        self.heard: list[tuple[dict[str, str], bytes]] = []
        self.answers: list[int] = []
        self.elsewhere = "http://127.0.0.1:1/"
        self.hangs = threading.Event()
        self.hangs.set()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.hangs.wait(20)
                status = receiver.answers.pop(0) if receiver.answers else 200
                if status == 200:
                    receiver.heard.append((dict(self.headers), body))
                self.send_response(status)
                if status == 302:
                    self.send_header("Location", receiver.elsewhere)
                self.end_headers()

            def log_message(self, *args: object) -> None:
                del args

        self._handler = Handler
        self._port = 0
        self.start()

    def start(self) -> None:
        """Begin to answer, again at the same address."""
        self.server = ThreadingHTTPServer(("127.0.0.1", self._port), self._handler)
        self._port = int(self.server.server_address[1])
        self.url = f"http://127.0.0.1:{self._port}/told"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        """Answer nobody any more."""
        self.hangs.set()
        self.server.shutdown()
        self.server.server_close()

    def told(self) -> list[dict[str, Any]]:
        """Every event that was heard."""
        return [json.loads(body) for _, body in list(self.heard)]

    def events(self) -> list[dict[str, Any]]:
        """What was heard, but for the camera's state, which may be told before or after."""
        return [event for event in self.told() if event["event"] != "camera-changed"]


def until(ask: Callable[[], Any], patience_s: float = 10.0) -> Any:
    ends = time.monotonic() + patience_s
    while time.monotonic() < ends:
        if found := ask():
            return found
        time.sleep(0.02)
    raise AssertionError("waited in vain")
