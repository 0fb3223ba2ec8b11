"""Photos on their way, seen from the page: in the background, with progress, and taken back."""

from __future__ import annotations

import contextlib
import socket
import threading
from pathlib import Path

import pytest

from rig.service.http import admission
from tests.rig.page.browser import browser_only, shots
from tests.rig.page.chromium import Phone, phone
from tests.rig.service.table_top import TableTop, jpeg, table_top

pytestmark = browser_only


def files(folder: Path, count: int) -> list[Path]:
    paths = [folder / f"photo-{number}.jpg" for number in range(count)]
    for number, path in enumerate(paths):
        path.write_bytes(jpeg(20 + number, (1296, 972)))
    return paths


def states(window: Phone) -> list[str]:
    script = "return [...document.querySelectorAll('[data-upload]')].map((e) => e.dataset.state)"
    return list(window.run(script))


def test_uploads_go_on_while_somebody_types_elsewhere(tmp_path: Path) -> None:
    first, second = files(tmp_path, 2)
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone("en", shots("uploads")) as window,
    ):
        window.open(str(top.client.base_url))
        window.until_text("Camera: all is well")
        top.reader.may_end.clear()
        window.give_file("#photo-file", first)
        window.until(lambda: states(window) == ["reading"], "the first being read")
        window.give_file("#photo-file", second)
        window.until(lambda: states(window) == ["reading", "waiting"], "the second waiting")
        window.until_text("number 1 in the queue", "#uploads")
        window.shot("queue")
        window.run("location.hash = '#/match'")
        window.type("#player-0", "Ada")
        assert window.too_small() == []
        assert not window.too_wide()
        window.tap("[data-upload]:nth-child(2) button")
        window.until(lambda: top.store.frames.count() == 1, "the second taken back")
        top.reader.may_end.set()
        window.until(lambda: states(window) == ["done"], "the first read")
        window.shot("done")
        assert window.run("return document.querySelector('#player-0').value") == "Ada"
        assert window.run("return location.hash") == "#/match"
        assert "Purple 35" in window.text("#uploads")
        window.tap("[data-upload] a")
        window.find(".overlay .card")
        assert states(window) == []
        assert window.log() == []


@pytest.mark.thorough
def test_an_upload_that_is_cut_off_is_told(tmp_path: Path) -> None:
    (photo,) = files(tmp_path, 1)
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone("fr", shots("cut")) as window,
    ):
        window.open(f"{str(top.client.base_url).rstrip('/')}/#/photos")
        window.find("#photo-file + *, label[for='photo-file']")
        window.go_out_of_reach(True)
        window.give_file("#photo-file", photo)
        window.until_text("L'appareil ne répond pas", "#told")
        window.until(lambda: states(window) == [], "the upload gone from the list")
        window.go_out_of_reach(False)
        window.give_file("#photo-file", photo)
        window.until(lambda: states(window) == ["done"], "the photo")
        window.give_file("#photo-file", photo)
        window.until_text("Vous avez déjà envoyé cette photo.", "#uploads")
        assert top.store.frames.count() == 1


class CuttingLine:
    """A line to the rig that breaks, as long as `breaks` is set, in the middle of a photo."""

    def __init__(self, to: tuple[str, int], most_bytes: int) -> None:
        self._to = to
        self._most_bytes = most_bytes
        self.breaks = threading.Event()
        self.broken = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._take_calls, daemon=True).start()

    def _take_calls(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                phone_side = self._listener.accept()[0]
                rig_side = socket.create_connection(self._to)
                for ends, is_up in (
                    ((phone_side, rig_side), True),
                    ((rig_side, phone_side), False),
                ):
                    threading.Thread(target=self._carry, args=[*ends, is_up], daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket, is_up: bool) -> None:
        carried = 0
        with contextlib.suppress(OSError):
            while piece := source.recv(65536):
                carried += len(piece)
                if is_up and self.breaks.is_set() and carried > self._most_bytes:
                    self.broken += 1
                    break
                target.sendall(piece)
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        source.close()  # the other end is closed by whom it is the source of

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()


def test_an_upload_that_is_cut_off_half_way_is_told_and_sent_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some of it has been sent when the line goes; nothing of it is kept. A browser tries again by
    itself on every line that it holds, sooner than the rig hears that the last one is gone.
    """
    monkeypatch.setattr(admission, "UPLOADS_OF_ONE", 100)
    monkeypatch.setattr(admission, "MOST_UPLOADS", 100)
    photo = tmp_path / "large.jpg"
    photo.write_bytes(jpeg(20, (2592, 1944)))
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone("en", shots("cut-half-way")) as window,
    ):
        rig = (top.client.base_url.host, top.client.base_url.port or 80)
        with contextlib.closing(CuttingLine(rig, photo.stat().st_size // 2)) as line:
            window.open(f"{line.url}/#/photos")
            window.find("#photo-file + *, label[for='photo-file']")
            line.breaks.set()
            window.give_file("#photo-file", photo)
            window.find(".toast.trouble")
            window.until_text("is not answering", "#told")
            window.shot("cut")
            assert line.broken
            window.until(lambda: states(window) == [], "the upload gone from the list")
            assert top.store.frames.count() == 0
            line.breaks.clear()
            window.give_file("#photo-file", photo)
            window.until(lambda: states(window) == ["done"], "the photo")
            assert "already sent" not in window.text("#uploads")
            assert top.store.frames.count() == 1


def test_a_round_is_ended_by_a_photo_from_the_gallery(tmp_path: Path) -> None:
    photo, other = files(tmp_path, 2)
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone("fr", shots("gallery")) as window,
    ):
        match = begin_limited(top)
        window.open(f"{str(top.client.base_url).rstrip('/')}/#/match")
        window.until_text("Manche 1 sur 3")
        window.until_text("En jeu : rond")
        window.shot("open")
        top.reader.may_end.clear()
        window.give_file("#round-take", other)
        window.until_text("Son score s'affiche dès qu'elle est lue.")
        window.shot("waiting")
        window.press("Choisir une autre photo")
        top.reader.may_end.set()
        window.give_file("#round-choose", photo)
        window.find(".ending .scores")
        window.find(".ending [data-missing]")
        assert window.too_small() == []
        assert not window.too_wide()
        window.shot("preview")
        assert top.get(f"/matches/{match}/rounds/1").json()["state"] == "open"
        window.press("Finir la manche 1 avec cette photo")
        window.find("[data-sign='table']")
        window.shot("ended")
        window.tap("[data-sign='table']")
        window.find(".badge.signed")
        window.press("Commencer la manche 2")
        window.until_text("Manche 2 sur 3")
        window.until_text("En jeu : carré")
        assert window.log() == []


def begin_limited(top: TableTop) -> str:
    players = [{"name": "Ada", "colour": "purple"}, {"name": "Ben", "colour": "red"}]
    wish = {"players": players, "way": {"limited_space": True}}
    match = str(top.post("/matches", wish).json()["id"])
    top.post(f"/matches/{match}/rounds")
    return match


def test_a_photo_that_was_put_aside_does_not_come_back_when_it_is_read(tmp_path: Path) -> None:
    aside, wanted = files(tmp_path, 2)
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone("en", shots("aside")) as window,
    ):
        match = begin_limited(top)
        window.open(f"{str(top.client.base_url).rstrip('/')}/#/match")
        window.until_text("Round 1 of 3")
        top.reader.may_end.clear()
        window.give_file("#round-take", aside)
        window.until_text("Its score is shown as soon as it is read.")
        window.run(PLACES_OF_OTHER)
        window.until(lambda: states(window) == ["reading"], "the first being read")
        assert window.run("return places.size") == 1, "End appears where Use another photo was"
        window.press("Use another photo")
        window.give_file("#round-choose", wanted)
        window.until(lambda: states(window) == ["reading", "waiting"], "both sent")
        window.run(CHANGES_OF_PREVIEW)
        top.reader.may_end.set()
        window.until(lambda: states(window) == ["done", "done"], "both read")
        window.find(".ending .scores")
        assert window.run("return new Set(previews).size") == 1
        window.press("End round 1 with this photo")
        window.find("[data-sign='table']")
        newest = top.get("/frames").json()["frames"][0]["id"]
        assert top.get(f"/matches/{match}/rounds/1").json()["frame"] == newest


PLACES_OF_OTHER = """
const note = () => {
  const one = document.querySelector("[data-key='Use another photo']");
  if (one) window.places.add(`${one.offsetLeft} ${one.offsetTop - one.parentElement.offsetTop}`);
};
window.places = new Set();
note();
new MutationObserver(note).observe(document.querySelector('#view'),
  { childList: true, subtree: true });
"""
CHANGES_OF_PREVIEW = """
window.previews = [document.querySelector('.ending .preview').src];
new MutationObserver(() => previews.push(document.querySelector('.ending .preview')?.src))
  .observe(document.querySelector('#view'), { childList: true, subtree: true });
"""
