"""A lens calibrated on the page, in a real Chromium at a phone's size.

TACTA_SHOTS names a folder to keep a screenshot of each step in.
"""

from __future__ import annotations

import json
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from calibration.lens.lens_quality import LensQuality
from rig.cameras.camera import Still
from rig.judged_lens import judged_lens
from rig.lens_file import parse_lens
from tests.rig.page.browser import browser_only, shots
from tests.rig.page.chromium import Phone, phone
from tests.rig.service.board_photos import LENS, board_jpegs, spoilt
from tests.rig.service.table_top import jpeg, table_top

COMPUTING_S = 300.0
pytestmark = browser_only
PHOTOS = 14
KEPT = "return localStorage.getItem('tacta.lens')"


@pytest.fixture
def photos(tmp_path: Path) -> list[Path]:
    paths = []
    for number, data in enumerate(board_jpegs(PHOTOS)):
        paths.append(tmp_path / f"board-{number}.jpg")
        paths[-1].write_bytes(data)
    return paths


def used(window: Phone, count: int) -> bool:
    return f"Photos used: {count} of" in window.text(".lens-progress")


def test_a_phone_calibrates_its_own_lens(tmp_path: Path, photos: list[Path]) -> None:
    blurred = tmp_path / "blurred.jpg"
    blurred.write_bytes(spoilt(photos[0].read_bytes(), "blurred"))
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone("en", shots("lens")) as window,
    ):
        url = str(top.client.base_url).rstrip("/")
        window.open(f"{url}/#/rig")
        window.press("Calibrate a lens")
        window.until_text("Its lens is not known yet.")
        window.shot("begin")
        window.press("This phone's camera")
        window.until_text("Show the board")
        assert window.run("return document.querySelector('[data-key=Compute]').disabled")
        window.give_file("#board-file", photos[0])
        window.until_text("Photo 1 is used.")
        window.shot("used")
        assert window.too_small() == []
        assert not window.too_wide()
        window.give_file("#board-file", blurred)
        window.until_text("Photo 2 is not used: it is blurred")
        window.shot("refused")
        for number, path in enumerate(photos[1:], start=2):
            window.give_file("#board-file", path)
            window.until(lambda n=number: used(window, n), f"photo {number}")
        window.until_text("Everything has been covered")
        window.shot("complete")
        window.run("document.querySelector('.lens-tilts').scrollIntoView({block: 'center'})")
        window.shot("tilts")
        window.press("Compute")
        window.find("progress:not([value])")
        window.shot("computing")
        window.until(lambda: window.text(".lens-result"), "a lens", COMPUTING_S)
        assert "95 % within" in window.text(".lens-result")
        assert window.text(".lens-said").startswith(("Good:", "Usable:"))
        window.until(lambda: window.run(LOADED) == 2, "the drawings")
        window.shot("result")
        window.run("document.querySelector('.lens-drawing').scrollIntoView()")
        window.shot("drawings")
        assert window.too_small() == []
        window.press("Keep it on this phone")
        window.until_text("Saved.", "#told")
        window.shot("saved")
        kept = json.loads(window.run(KEPT))
        assert parse_lens(kept).matrix[0, 0] == pytest.approx(LENS.matrix[0, 0], rel=0.003)
        assert kept["quality"]["grade"] in ("good", "usable")
        assert window.log() == []


LOADED = (
    "return [...document.querySelectorAll('.lens-drawing img')]"
    ".filter(i => i.complete && i.naturalWidth).length"
)


@pytest.mark.thorough
def test_the_rigs_lens_in_french_and_in_the_dark(tmp_path: Path, monkeypatch: Any) -> None:
    """Seven photos are too few for a good lens: it is saved only when somebody insists."""
    stills = cycle(board_jpegs(PHOTOS)[:7])

    def still(deadline_s: float) -> Still:
        top.camera.taken += 1
        return Still(next(stills), (800, 600), 0.0, 0.0, True, {})

    better = LensQuality(15, 900, "k1-k2", False, 0.01, 0.02, 0.001, 0.001)
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone("fr", shots("lens-fr"), dark=True) as window,
    ):
        monkeypatch.setattr(top.camera, "still", still)
        top.lenses.kept.keep(judged_lens(LENS, better))
        window.open(f"{str(top.client.base_url).rstrip('/')}/#/lens")
        window.until_text("Bon : la focale est juste")
        window.press("La caméra de l'appareil")
        for number in range(1, 8):
            window.press("Prendre une photo")
            window.until_text(f"La photo {number} est retenue.")
        window.press("Prendre une photo")
        window.until_text("La photo 8 n'est pas retenue")
        window.shot("seven")
        window.press("Calculer")
        window.until(lambda: window.text(".lens-result"), "a lens", COMPUTING_S)
        window.press("L'enregistrer sur l'appareil")
        window.until_text("Pas enregistré :")
        window.shot("not-saved")
        assert top.lenses.kept.document == judged_lens(LENS, better)
        window.press("L'enregistrer quand même")
        window.until_text("bien que le précédent fût meilleur", "#told")
        assert top.lenses.kept.document != judged_lens(LENS, better)
        refusals = [line for line in window.log() if "409" not in line]
        assert refusals == []


def test_what_is_no_photo_stops_nothing(tmp_path: Path) -> None:
    text, noise = tmp_path / "text.jpg", tmp_path / "noise.jpg"
    text.write_text("no picture")
    noise.write_bytes(jpeg(2, (640, 480)))
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone("en", size_wh=(360, 640)) as window,
    ):
        window.open(f"{str(top.client.base_url).rstrip('/')}/#/lens")
        window.find("#board-kind")
        window.choose("#board-kind", "other")
        window.run("const f = document.querySelector('#board-squares'); f.value = 'big'")
        window.press("This phone's camera")
        window.until_text("is no board", "#told")
        window.run("document.querySelector('#board-squares').value = '10x7:25'")
        window.press("This phone's camera")
        window.until_text("board 10x7:25")
        window.give_file("#board-file", text)
        window.until_text("Photo 1 is not a picture", "#told")
        window.tap(".toast .plain")
        window.give_file("#board-file", noise)
        window.until_text("Photo 1 is not used:")
        assert not window.too_wide()
        window.press("Start over")
        window.until_text("Current lenses")
