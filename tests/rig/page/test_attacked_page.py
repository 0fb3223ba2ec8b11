"""A round is played on the page while somebody else attacks the rig: it goes on."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from tests.rig.hard_pictures import claiming_webp, many_segments_jpeg, scans_jpeg
from tests.rig.page.chromium import phone
from tests.rig.page.test_page import pytestmark as browser_only
from tests.rig.page.test_page import shots
from tests.rig.service import kills
from tests.rig.service.table_top import WRITE, jpeg

pytestmark = browser_only

ELSEWHERE = "127.0.0.2"
HALF_SENT = 150


@contextlib.contextmanager
def attacked(url: str) -> Iterator[list[int]]:
    """Hard pictures one after the other, and headers that never end, from another address.

    The list fills with what was answered to the pictures.
    """
    over, statuses = threading.Event(), list[int]()
    hard = [scans_jpeg((800, 600), 3000), claiming_webp((16_384, 9_200)), many_segments_jpeg(10**6)]

    def send_pictures() -> None:
        transport = httpx2.HTTPTransport(local_address=ELSEWHERE)
        with httpx2.Client(transport=transport, headers=WRITE, timeout=30) as client:
            while not over.is_set():
                for picture in hard:
                    with contextlib.suppress(httpx2.TransportError):
                        answer = client.post(f"{url}/frames", files={"photo": ("a", picture)})
                        statuses.append(answer.status_code)
                over.wait(0.1)

    def half_send() -> None:
        port = int(url.split(":")[2].partition("/")[0])
        with contextlib.ExitStack() as lines:
            for _ in range(HALF_SENT):
                with contextlib.suppress(OSError):
                    line = socket.create_connection(
                        ("127.0.0.1", port), timeout=5, source_address=(ELSEWHERE, 0)
                    )
                    lines.callback(line.close)
                    line.sendall(b"GET / HTTP/1.1\r\nX-Slow: ")
            over.wait()

    threads = [threading.Thread(target=work) for work in (send_pictures, half_send)]
    for thread in threads:
        thread.start()
    try:
        yield statuses
    finally:
        over.set()
        for thread in threads:
            thread.join(60)


@pytest.mark.thorough
def test_a_round_is_played_on_the_page_meanwhile(tmp_path: Path) -> None:
    photo = tmp_path / "photo.jpg"
    photo.write_bytes(jpeg(20, (1296, 972)))
    with kills.running(tmp_path / "rig") as (_, url):
        kills.wait_until_ready(url, time.monotonic())
        players = [{"name": "Ada", "colour": "blue"}, {"name": "Ben", "colour": "red"}]
        with (
            httpx2.Client(headers=WRITE, timeout=60) as client,
            attacked(url) as statuses,
            phone(tmp_path / "profile", "en", shots("attacked")) as window,
        ):
            match = client.post(f"{url}/matches", json={"players": players}).json()["id"]
            window.open(f"{url.removesuffix('/api/v1')}/#/match")
            window.press("Begin round 1")
            window.give_file("#round-choose", photo)
            window.find(".ending .scores")
            window.press("End round 1 with this photo")
            window.tap("[data-sign='table']")
            here = f"{url}/matches/{match}/rounds/1"
            window.until(lambda: client.get(here).json()["state"] == "signed", "it signed")
            assert window.log() == []
    assert statuses
    assert set(statuses) <= {413, 422, 429, 503}
