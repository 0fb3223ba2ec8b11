"""The service as a process: started, loaded, killed, stopped."""

from __future__ import annotations

import signal
import threading
import time
from pathlib import Path

import cv2
import httpx2
import numpy as np
import pytest

from geometry.deck_file import published_deck
from geometry.rules import Rules
from rig.service.frames.reader import Job, ReaderProcess, SeenText, Unread
from rig.wording.troubles import worded
from tests.rig.service import camera_faults, kills
from tests.rig.service.quick_rig import HELD_READER, READER, SLOW_READER, SLOW_WH
from tests.rig.service.table_top import NO_TLS, WRITE, TableTop, jpeg
from tests.scenes import SCENES, scene


@pytest.mark.thorough
@pytest.mark.slow
def test_killed_at_random_moments(tmp_path: Path) -> None:
    assert max(kills.run(1, 3, tmp_path / "rig")) < kills.GIVE_UP_S


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.parametrize("fault", ["hang", "garbage"])
def test_a_camera_at_fault_takes_nothing_else_down(tmp_path: Path, fault: str) -> None:
    seen = camera_faults.run(fault, tmp_path)
    # `make faults` holds it to the times that are asked for; here other tests run beside it.
    assert seen.is_well(slowness=2), seen


@pytest.mark.slow
def test_stops_when_told_to_though_pages_listen(tmp_path: Path) -> None:
    with kills.running(tmp_path / "rig") as (process, url):
        kills.wait_until_ready(url, time.monotonic())
        heard = threading.Event()

        def listen() -> None:
            with httpx2.stream("GET", f"{url}/events", timeout=30) as stream:
                for _ in stream.iter_lines():
                    heard.set()

        page = threading.Thread(target=listen)
        page.start()
        assert heard.wait(10)
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) in (0, -signal.SIGTERM)
        page.join(10)


@pytest.mark.slow
def test_a_picture_is_taken_at_the_start(tmp_path: Path) -> None:
    photos = tmp_path / "photos"
    photos.mkdir()
    # Small, so that it is soon read; noise is what a camera with a loose cable delivers.
    cv2.imwrite(str(photos / "a.jpg"), cv2.resize(scene("panel-oak").image_bgr, (320, 240)))
    with kills.running(tmp_path / "rig", f"folder:{photos}") as (process, url):
        kills.wait_until_ready(url, time.monotonic())
        until = time.monotonic() + 60
        while not (frame := httpx2.get(f"{url}/state", timeout=5, verify=NO_TLS).json()["latest"]):
            assert time.monotonic() < until, "no picture was taken"
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
    assert frame["kind"] == "jpeg"


def large_jpeg() -> bytes:
    """12 megapixels, about 10 MB."""
    rng = np.random.default_rng(5)
    image = rng.integers(0, 255, (3000, 4000, 3), np.uint8)
    _, data = cv2.imencode(".jpg", cv2.GaussianBlur(image, (3, 3), 0), [1, 85])
    return data.tobytes()


@pytest.mark.thorough
@pytest.mark.slow
def test_the_event_loop_is_not_held_up(tmp_path: Path) -> None:
    photo = {"photo": ("a.jpg", large_jpeg())}
    with kills.running(tmp_path / "rig") as (_process, url):
        kills.wait_until_ready(url, time.monotonic())
        with httpx2.Client(headers=WRITE, timeout=60) as client:
            begun = time.monotonic()
            frame = client.post(f"{url}/frames", files=photo).json()
            took_s = time.monotonic() - begun
            for _ in range(5):
                client.get(f"{url}/frames/{frame['id']}/overlay?width=800")
                client.get(f"{url}/state")
            meters = client.get(f"{url}/metrics").text
    values = dict(line.rsplit(" ", 1) for line in meters.splitlines() if line[0] != "#")
    beyond_reading_s = took_s - float(values["tacta_reading_seconds_total"])
    # Far above what `make uploads` measures: decoding or reading beside the loop takes longer.
    assert float(values["tacta_loop_busy_seconds_max"]) < 0.05
    assert beyond_reading_s < 1.0


@pytest.fixture
def reader() -> ReaderProcess:
    return ReaderProcess(published_deck(), Rules(), READER)


def test_the_reader_outlives_its_process(reader: ReaderProcess, tmp_path: Path) -> None:
    photo = tmp_path / "a.jpg"
    photo.write_bytes(jpeg())
    job = Job(photo, "a.jpg", None)
    stages: list[str] = []
    assert isinstance(reader.read(job, stages.append), SeenText)
    assert stages == ["locate", "rectify", "report"]
    process = reader._process
    assert process is not None
    process.interrupt()
    assert process.ended_with(5) is not None
    assert isinstance(reader.read(job, stages.append), SeenText)
    reader.close()


def test_a_reading_that_takes_too_long_says_how_far_it_came(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    photo = tmp_path / "a.jpg"
    photo.write_bytes(jpeg())
    slow = ReaderProcess(published_deck(), Rules(), SLOW_READER, seconds=1.0)
    job = Job(photo, "a.jpg", None)
    assert isinstance(slow.read(job, lambda stage: None), SeenText)
    monkeypatch.setattr("rig.service.frames.reader.BEYOND_S", 2.0)
    photo.write_bytes(jpeg(1, SLOW_WH))
    unread = slow.read(job, lambda stage: None)
    slow.close()
    assert isinstance(unread, Unread)
    assert unread.key == "reading-too-long"
    assert "within 3 s: cards were found, but not yet which lies on which" in unread.sentence
    french = worded(unread.key, unread.facts, unread.sentence, "fr")
    assert "en 3 s : des cartes étaient trouvées" in french


@pytest.mark.slow
def test_a_reading_whose_time_is_over_says_what_it_has(
    rig: TableTop, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = ReaderProcess(published_deck(), Rules(), HELD_READER, seconds=0.5)
    monkeypatch.setattr(rig.reader, "read", held.read)
    frame = rig.upload((SCENES / "panel-oak" / "image.jpg").read_bytes()).json()["id"]
    held.close()
    reading = rig.get(f"/frames/{frame}/reading", **{"Accept-Language": "fr"}).json()
    assert sum(reading["scores"].values()) > 0
    assert (reading["sure"], reading["sure_without_illegal"]) == (False, False)
    assert [one["kind"] for one in reading["doubts"] if "le temps" in one["reason"]] == ["table"]


def test_bad_photos_and_faults_come_back_as_values(reader: ReaderProcess, tmp_path: Path) -> None:
    photo = tmp_path / "a.jpg"
    photo.write_bytes(b"no photo")
    unread = reader.read(Job(photo, "a.jpg", None), lambda stage: None)
    assert isinstance(unread, Unread)
    assert unread.key == "photo-unknown"
    photo.write_bytes(jpeg())
    lens = {"size_px": [9, 9], "matrix": [[9, 0, 4], [0, 9, 4], [0, 0, 1]], "distortion": [0] * 4}
    other = reader.read(Job(photo, "a.jpg", lens), lambda stage: None)
    assert isinstance(other, Unread)
    assert other.key == "lens-other-size"
    lens["size_px"] = [64, 48]
    broken = reader.read(Job(photo, "a.jpg", lens), lambda stage: None)
    assert isinstance(broken, Unread)
    assert (broken.key, broken.not_seen) == ("reading-failed", False)
    gone = reader.read(Job(tmp_path / "gone.jpg", "gone.jpg", None), lambda stage: None)
    assert isinstance(gone, Unread)
    assert gone.key == "reading-failed"
    reader.close()
