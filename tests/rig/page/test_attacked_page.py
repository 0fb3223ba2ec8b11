"""A round is played on the page while somebody else attacks the rig: it goes on."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from pathlib import Path

import httpx2
import pytest

from tests.rig.page.browser import browser_only, shots
from tests.rig.page.chromium import phone
from tests.rig.page.pages import READING_S
from tests.rig.photo.hard_pictures import claiming_webp, many_segments_jpeg, scans_jpeg
from tests.rig.service import kills
from tests.rig.service.http.raw_requests import upload_head
from tests.rig.service.table_top import WRITE, jpeg

pytestmark = browser_only

ELSEWHERE = "127.0.0.2"
HALF_SENT = 150
TRICKLED = 8


class Attack:
    """From another address: hard pictures one after the other, headers that never end, uploads of
    which a byte comes now and then, and large bodies of somebody who may send none.

    `statuses`: what was answered to the pictures and the large bodies.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._over = threading.Event()
        self.statuses: list[int] = []
        works = (self._send_pictures, self._half_send, self._trickle, self._pour)
        self._threads = [threading.Thread(target=work) for work in works]

    def __enter__(self) -> Attack:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join(60)

    def _line(self) -> socket.socket:
        port = int(self._url.split(":")[2].partition("/")[0])
        return socket.create_connection(("127.0.0.1", port), 5, source_address=(ELSEWHERE, 0))

    def _send_pictures(self) -> None:
        big = many_segments_jpeg(10**6)
        hard = [scans_jpeg((800, 600), 3000), claiming_webp((16_384, 9_200)), big]
        transport = httpx2.HTTPTransport(local_address=ELSEWHERE)
        with httpx2.Client(transport=transport, headers=WRITE, timeout=30) as client:
            while not self._over.wait(0.1):
                for picture in hard:
                    with contextlib.suppress(httpx2.TransportError):
                        answer = client.post(f"{self._url}/frames", files={"photo": ("a", picture)})
                        self.statuses.append(answer.status_code)

    def _half_send(self) -> None:
        with contextlib.ExitStack() as lines:
            for _ in range(HALF_SENT):
                with contextlib.suppress(OSError):
                    lines.enter_context(self._line()).sendall(b"GET / HTTP/1.1\r\nX-Slow: ")
            self._over.wait()

    def _trickle(self) -> None:
        with contextlib.ExitStack() as lines:
            slow = [lines.enter_context(self._line()) for _ in range(TRICKLED)]
            for line in slow:
                line.sendall(upload_head(5000))
            while not self._over.wait(0.5):
                for line in slow:
                    with contextlib.suppress(OSError):  # refused
                        line.sendall(b"-")

    def _pour(self) -> None:
        head = upload_head(12_000_000).replace(b"X-Tacta: 1\r\n", b"")
        while not self._over.wait(0.1):
            with contextlib.suppress(OSError), self._line() as line:
                line.sendall(head)
                line.sendall(bytes(200_000))
                self.statuses.append(int(line.recv(12).split()[1]))


@pytest.mark.thorough
def test_a_round_is_played_on_the_page_meanwhile(tmp_path: Path) -> None:
    photo = tmp_path / "photo.jpg"
    photo.write_bytes(jpeg(20, (1296, 972)))
    with kills.running(tmp_path / "rig") as (_, url):
        kills.wait_until_ready(url, time.monotonic())
        players = [{"name": "Ada", "colour": "blue"}, {"name": "Ben", "colour": "red"}]
        with (
            httpx2.Client(headers=WRITE, timeout=60) as client,
            Attack(url) as attack,
            phone("en", shots("attacked")) as window,
        ):
            match = client.post(f"{url}/matches", json={"players": players}).json()["id"]
            window.open(f"{url.removesuffix('/api/v1')}/#/match")
            window.press("Begin round 1")
            window.give_file("#round-choose", photo)
            window.until(lambda: window.text(".ending .scores"), "the scores", READING_S)
            window.press("End round 1 with this photo")
            window.tap("[data-sign='table']")
            here = f"{url}/matches/{match}/rounds/1"
            window.until(
                lambda: client.get(here).json()["state"] == "signed", "it signed", READING_S
            )
            assert window.log() == []
    assert set(attack.statuses) <= {403, 413, 422, 429, 503}
    assert 403 in attack.statuses, "nobody may pour"
    assert {413, 422} & set(attack.statuses), "the pictures were looked at"
