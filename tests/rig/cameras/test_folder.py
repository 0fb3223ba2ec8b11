"""The newest photo of a folder, and only once it is complete."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from rig.cameras.encoding import jpeg_of
from rig.cameras.folder import FolderCamera, open_folder
from rig.cameras.trouble import CameraEmpty, CameraMissing


def photo(level: int, width: int = 800) -> bytes:
    image = np.full((width * 3 // 4, width, 3), level, dtype=np.uint8)
    image[:, ::7] = 255 - level
    return jpeg_of(image, 90)


def put(folder: Path, name: str, data: bytes, age_s: float = 60.0) -> Path:
    path = folder / name
    path.write_bytes(data)
    then = time.time() - age_s
    os.utime(path, (then, then))
    return path


def test_the_newest_photo_as_it_is(tmp_path: Path) -> None:
    put(tmp_path, "a.jpg", photo(10), 100)
    put(tmp_path, "b.JPEG", photo(20), 50)
    put(tmp_path, "c.jpg", photo(30), 70)
    put(tmp_path, "notes.txt", b"no photo", 1)
    put(tmp_path, ".hidden.jpg", photo(90), 1)
    watched = open_folder("it", str(tmp_path))
    still = watched.still(time.monotonic())
    assert still.data == photo(20)
    assert still.known["name"] == "b.JPEG"
    assert still.size_wh == (800, 600)
    assert time.monotonic() - still.taken_s == pytest.approx(50, abs=2)
    preview = watched.preview()
    assert preview.size_wh == (640, 480)


def test_a_new_photo_is_taken_up(tmp_path: Path) -> None:
    put(tmp_path, "a.jpg", photo(10))
    watched = open_folder("it", str(tmp_path))
    assert watched.still(0).known["name"] == "a.jpg"
    put(tmp_path, "b.jpg", photo(20), 0)
    assert watched.still(0).known["name"] == "b.jpg"
    put(tmp_path, "b.jpg", photo(30), 0)
    assert watched.still(0).data == photo(30)


def test_waits_for_a_photo_that_is_being_copied(tmp_path: Path) -> None:
    put(tmp_path, "a.jpg", photo(10))
    watched = open_folder("it", str(tmp_path))
    data = photo(20, 2000)

    def copy_slowly() -> None:
        with (tmp_path / "b.jpg").open("wb") as file:
            for start in range(0, len(data), len(data) // 5 + 1):
                file.write(data[start : start + len(data) // 5 + 1])
                file.flush()
                time.sleep(0.3)

    copying = threading.Thread(target=copy_slowly)
    copying.start()
    time.sleep(0.1)
    assert watched.preview().known["name"] == "a.jpg"
    assert watched.still(0).data == data
    copying.join()


def test_a_photo_that_stays_damaged_is_passed_over_and_named(tmp_path: Path) -> None:
    put(tmp_path, "a.jpg", photo(10), 100)
    put(tmp_path, "b.jpg", photo(20)[:-500], 50)
    still = open_folder("it", str(tmp_path)).still(0)
    assert (still.known["name"], still.known["skipped"]) == ("a.jpg", ["b.jpg"])


def test_empty_and_missing_are_told_apart(tmp_path: Path) -> None:
    watched = open_folder("it", str(tmp_path))
    for picture in (watched.preview, lambda: watched.still(0)):
        with pytest.raises(CameraEmpty, match="put one into it"):
            picture()
    with pytest.raises(CameraMissing):
        open_folder("it", str(tmp_path / "nowhere"))


def test_a_folder_that_goes_away(tmp_path: Path) -> None:
    put(tmp_path, "a.jpg", photo(10))
    watched = FolderCamera("it", tmp_path)
    watched.preview()
    (tmp_path / "a.jpg").unlink()
    with pytest.raises(CameraEmpty):
        watched.preview()
    tmp_path.rmdir()
    with pytest.raises(CameraMissing):
        watched.preview()
    tmp_path.mkdir()
