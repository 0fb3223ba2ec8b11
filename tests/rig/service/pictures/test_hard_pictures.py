"""Pictures that take down whoever decodes them take nothing else down, and are not tried again."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rig.photo.trouble import PhotoTooHard
from rig.service.frames.reader import Unread, too_hard
from rig.service.frames.reading_queue import MOST_TRIES
from rig.service.http.trouble import Busy
from rig.service.pictures import picture_maker
from rig.service.pictures.lanes import TwoLanes
from rig.service.pictures.picture_maker import MakerBeside
from rig.store.small_pictures import WIDTHS
from rig.store.store import Store
from tests.rig.photo.hard_pictures import scans_jpeg
from tests.rig.service.table_top import TableTop, jpeg, table_top

PATIENCE_S = 60.0
"""For what takes a moment on a machine that does nothing else."""


def test_the_service_itself_decodes_nothing_that_came_from_outside() -> None:
    """Only modules that run in processes which can be killed do."""
    service = Path(picture_maker.__file__).parents[1]
    beside = {"reader_process.py", "picture_process.py", "setup_tasks.py"}
    decoding = re.compile(r"\b(decode_photo|decode_photo_told|load_photo|heic_metadata|Image)\b")
    found = {file.name for file in service.rglob("*.py") if decoding.search(file.read_text())}
    assert found == beside


def test_a_picture_that_takes_too_long_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, quick = tmp_path / "slow.jpg", tmp_path / "quick.jpg"
    slow.write_bytes(scans_jpeg((6000, 4000), 100))
    quick.write_bytes(jpeg())
    maker = MakerBeside()
    try:
        maker.start()
        monkeypatch.setattr(picture_maker, "LONGEST_S", 0.1)
        with pytest.raises(PhotoTooHard, match=r"not done within 0\.1 s"):
            maker.make("small", slow, "slow.jpg", WIDTHS)
        monkeypatch.setattr(picture_maker, "LONGEST_S", PATIENCE_S)
        assert len(maker.make("small", quick, "quick.jpg", WIDTHS)) == len(WIDTHS)
    finally:
        maker.stop()


def test_those_in_front_go_first_and_too_many_are_sent_away() -> None:
    lanes = TwoLanes(most_waiting=2)
    order: list[str] = []
    is_sent_away = threading.Event()

    def take(name: str, in_front: bool) -> None:
        try:
            with lanes.turn(in_front):
                order.append(name)
        except Busy:
            order.append("sent away")
            is_sent_away.set()

    threads = [threading.Thread(target=take, args=("back", False), daemon=True)]
    threads += [threading.Thread(target=take, args=("front", True), daemon=True) for _ in range(3)]
    with lanes.turn():
        for thread in threads:
            thread.start()
        assert is_sent_away.wait(PATIENCE_S), "whichever of the three came last"
    for thread in threads:
        thread.join(PATIENCE_S)
    assert order == ["sent away", "front", "front", "back"]


class CountingMaker(picture_maker.PictureMaker):
    def __init__(self) -> None:
        self.tasks: list[str] = []
        self.trouble: PhotoTooHard | None = None

    def make(self, task: str, *arguments: Any, in_front: bool = True) -> Any:
        self.tasks.append(task)
        if self.trouble is not None:
            raise self.trouble
        return super().make(task, *arguments, in_front=in_front)


def made(rig: TableTop, frame: str) -> bool:
    sha256 = rig.store.frames.get(frame).sha256
    until = time.monotonic() + PATIENCE_S
    while not rig.store.frames.small.has(sha256) and time.monotonic() < until:
        time.sleep(0.02)
    return rig.store.frames.small.has(sha256)


@pytest.fixture
def counted() -> CountingMaker:
    return CountingMaker()


@pytest.fixture
def rig(tmp_path: Path, counted: CountingMaker) -> Iterator[TableTop]:
    with table_top(tmp_path / "rig", pictures=counted) as found:
        yield found


def test_small_pictures_are_made_once_and_go_with_their_photo(
    rig: TableTop, counted: CountingMaker
) -> None:
    frame = str(rig.upload(jpeg(3, (1500, 1000))).json()["id"])
    assert made(rig, frame)
    for width in (*WIDTHS, 100, 500):
        for _ in range(2):
            small = rig.get(f"/frames/{frame}/picture?width={width}")
            assert small.headers["content-type"] == "image/jpeg"
    assert counted.tasks == ["small"]
    folder = rig.store.folder / "small"
    assert len(list(folder.iterdir())) == len(WIDTHS)
    rig.delete(f"/frames/{frame}")
    assert list(folder.iterdir()) == []


def test_a_picture_that_was_too_hard_is_not_tried_again(
    rig: TableTop, counted: CountingMaker
) -> None:
    counted.trouble = PhotoTooHard(name="a.jpg", why="not done within 20 s")
    frame = rig.frame()
    assert made(rig, frame)
    counted.trouble = None
    for width in (320, 640, 4096):
        assert rig.get(f"/frames/{frame}/picture?width={width}").content == jpeg()
    assert counted.tasks == ["small"]


def test_a_photo_that_took_its_reader_down_is_marked(rig: TableTop) -> None:
    rig.reader.outcome = too_hard("a.jpg", "not done within 45 s")
    assert isinstance(rig.reader.outcome, Unread)
    answer = rig.upload()
    assert answer.status_code == 201
    assert answer.json()["state"] == "failed"
    assert answer.json()["why_unread"]["code"] == "photo-too-hard"


def test_a_frame_that_stops_the_rig_again_and_again_is_left_alone(tmp_path: Path) -> None:
    with table_top(tmp_path / "rig") as rig:
        frame = rig.frame()
    for _ in range(MOST_TRIES - 1):
        store = Store(tmp_path / "rig", reserve_bytes=0)
        store.frames.begin_reading(frame)
        assert store.frames.unread() == [frame]
        store.close()
    with table_top(tmp_path / "rig") as rig:
        until = time.monotonic() + PATIENCE_S
        while (now := rig.get(f"/frames/{frame}").json())["state"] == "reading":
            assert time.monotonic() < until
            time.sleep(0.02)
        assert (now["state"], now["why_unread"]["code"]) == ("failed", "photo-too-hard")
        assert rig.reader.read_names == []
        again = rig.upload()  # a person asks for it
        assert again.json()["state"] == "read"
