"""Network streams over a real MJPEG server, and USB cameras on a made-up driver."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from rig.cameras.encoding import jpeg_of
from rig.cameras.stream import StreamCamera, lock, open_network, open_usb, unlock
from rig.cameras.trouble import CameraMissing, CameraSilent, CameraTrouble

FRAME_S = 0.05


def picture(level: int) -> NDArray[np.uint8]:
    return np.full((120, 160, 3), level, dtype=np.uint8)


class Server:
    """Sends MJPEG; the level of its pictures can be changed, and it can stall."""

    def __init__(self) -> None:
        self.level, self.stalled, self.opened = 50, False, 0
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.opened += 1
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                stalls = False
                while not stalls:  # once it stalled, a connection stays dead
                    stalls = server.stalled
                    data = jpeg_of(picture(server.level), 90)
                    head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}"
                    try:
                        self.wfile.write(head.encode() + b"\r\n\r\n" + data + b"\r\n")
                    except OSError:
                        return
                    time.sleep(FRAME_S)
                time.sleep(8)

            def log_message(self, *args: object) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_port}/video.mjpg"
        self._thread = threading.Thread(target=self._http.serve_forever, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self.stalled = True
        self._http.shutdown()
        self._http.socket.close()
        self._thread.join()


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.close()


def mean_of(jpeg: bytes) -> float:
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert image is not None
    return float(image.mean())


@pytest.mark.slow
def test_a_network_stream_shows_what_is_there_now(server: Server) -> None:
    camera = open_network("it", server.url, delay_s=0.3)
    try:
        assert camera.facts().still_wh == (160, 120)
        for level in (200, 90):
            server.level = level
            asked = time.monotonic()
            still = camera.still(asked)
            assert still.taken_s >= asked
            assert mean_of(still.data) == pytest.approx(level, abs=3)
        assert camera.preview().size_wh == (160, 120)
    finally:
        camera.close()


@pytest.mark.slow
def test_a_stream_that_stalled_is_opened_again(server: Server) -> None:
    camera = open_network("it", server.url)
    try:
        server.stalled = True
        time.sleep(4 * FRAME_S)
        with pytest.raises(CameraTrouble):
            camera.preview()
        server.stalled = False
        until = time.monotonic() + 10
        while True:
            try:
                camera.preview()
                break
            except CameraTrouble:
                assert time.monotonic() < until
        assert server.opened >= 2
    finally:
        camera.close()


def test_a_stream_that_is_not_there() -> None:
    with pytest.raises(CameraMissing, match="does not answer"):
        open_network("it", "http://127.0.0.1:9/video")


def test_a_usb_camera_that_is_not_plugged_in() -> None:
    with pytest.raises(CameraMissing, match="there is no /dev/video99"):
        open_usb("it", "/dev/video99")


class Driver:
    """A USB camera's driver: frames wait in a queue, settings are automatic until locked."""

    QUEUE = 3

    def __init__(self) -> None:
        self.settings = {
            cv2.CAP_PROP_AUTO_EXPOSURE: 3.0,
            cv2.CAP_PROP_AUTO_WB: 1.0,
            cv2.CAP_PROP_EXPOSURE: 150.0,
        }
        self.refuses: set[int] = set()
        self.dead = False
        self.level = 50
        self._queue: list[int] = []
        self._number = 0

    def get(self, propId: int) -> float:  # noqa: N803
        return self.settings.get(propId, -1.0)

    def set(self, propId: int, value: float) -> bool:  # noqa: N803
        if propId in self.refuses or propId not in self.settings:
            return False
        self.settings[propId] = value
        return True

    def isOpened(self) -> bool:  # noqa: N802
        return not self.dead

    def grab(self) -> bool:
        time.sleep(0.01)
        self._queue.append(self.level)
        if len(self._queue) > self.QUEUE:
            self._queue.pop(0)
        return not self.dead

    def retrieve(self) -> tuple[bool, NDArray[np.uint8]]:
        self._number += 1
        image = picture(self._queue[0])
        image[0, 0] = self._number % 256
        return True, image

    def release(self) -> None:
        self.dead = True


def opened_on(driver: Callable[[], Driver], lockable: bool = False) -> StreamCamera:
    return StreamCamera("it", driver, 0.1, lockable=lockable)


def test_frames_that_wait_in_the_driver_are_not_returned() -> None:
    driver = Driver()
    camera = opened_on(lambda: driver)
    try:
        driver.level = 180
        assert mean_of(camera.still(time.monotonic()).data) == pytest.approx(180, abs=3)
    finally:
        camera.close()


def test_a_usb_camera_that_is_pulled_out_and_plugged_in() -> None:
    drivers = [Driver()]
    out = threading.Event()

    def opened() -> Driver:
        if out.is_set():
            raise CameraMissing(camera="it", why="there is no /dev/video0")
        drivers.append(Driver())
        return drivers[-1]

    camera = opened_on(opened)
    try:
        camera.preview()
        out.set()
        drivers[-1].dead = True
        with pytest.raises((CameraMissing, CameraSilent)):
            camera.still(time.monotonic())
        with pytest.raises(CameraMissing):
            camera.preview()
        out.clear()
        time.sleep(0.7)
        camera.preview()
    finally:
        camera.close()


@pytest.mark.slow
def test_a_usb_camera_is_locked_after_it_has_settled() -> None:
    driver = Driver()
    camera = opened_on(lambda: driver, lockable=True)
    try:
        assert driver.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 1.0
        assert driver.settings[cv2.CAP_PROP_AUTO_WB] == 0.0
        assert camera.still(time.monotonic()).known["locked"] is True
    finally:
        camera.close()


def test_a_lock_that_does_not_hold_is_told() -> None:
    driver = Driver()
    assert lock(driver)
    unlock(driver)
    assert driver.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 3.0
    driver.refuses = {cv2.CAP_PROP_AUTO_WB}
    assert not lock(driver)
    driver.refuses = {cv2.CAP_PROP_AUTO_EXPOSURE}
    assert not lock(driver)
