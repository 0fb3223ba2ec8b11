"""Setting the rig up on a phone: everything checked, a deck enrolled from a photo and chosen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rig.cameras.camera import Still
from rig.service.frames.reader import SeenText
from tests.rig.page.browser import browser_only, shots
from tests.rig.page.chromium import Phone, phone
from tests.rig.service.setup.setup_files import lens_of, photo_of, renamed
from tests.rig.service.table_top import API, WRITE, TableTop, seen, table_top
from tests.scenes import SCENES

pytestmark = browser_only
READING_S = 120.0
SAID = {
    "en": ("Check everything", "Last checked", "4 of 4 markers", "No photo was read yet"),
    "fr": (
        "Tout vérifier",
        "Dernière vérification",
        "4 repères sur 4",
        "Aucune photo dont l'objectif",
    ),
}


def a_camera_over_a_table(top: TableTop, monkeypatch: Any) -> None:
    lens = lens_of("two-walnut")
    size = (lens["size_px"][0], lens["size_px"][1])
    picture = Still(photo_of("two-walnut"), size, 0.0, 0.0, True, {"lens": lens})
    monkeypatch.setattr(top.camera, "still", lambda deadline_s: picture)


def looks_right(window: Phone, name: str) -> None:
    assert window.too_small() == [], name
    assert not window.too_wide(), name
    window.shot(name)


@pytest.mark.parametrize("language", ["en", pytest.param("fr", marks=pytest.mark.thorough)])
def test_each_step_says_how_it_stands(tmp_path: Path, language: str, monkeypatch: Any) -> None:
    check, checked, markers, nothing_read = SAID[language]
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone(language, shots(f"setup-{language}")) as window,
    ):
        a_camera_over_a_table(top, monkeypatch)
        window.open(f"{str(top.client.base_url).rstrip('/')}/#/setup")
        window.find("[data-step='machine'] .state.none")
        steps = window.run(
            "return [...document.querySelectorAll('[data-step]')].map(e => e.dataset.step)"
        )
        assert steps == ["camera", "table", "lens", "colours", "deck", "machine"]
        looks_right(window, "unchecked")
        window.press(check)
        window.until(lambda: checked in window.text("#view [role=status]"), checked, READING_S)
        window.until_text(markers, "[data-check='table']")
        window.find("[data-check='fit'] .state.fine")
        window.until_text(nothing_read, "[data-check='colours']")
        window.find("[data-check='disk'] .state")
        looks_right(window, "checked")
        window.run("document.querySelector('[data-step=colours]').scrollIntoView()")
        window.shot("lower")
        window.enlarge_text()
        looks_right(window, "checked-200")
        if language == "en":
            rig_reads_a_photo_with_its_lens(top)
            window.enlarge_text(100)
            window.press(check)
            window.until(
                lambda: window.text("[data-check='colours'] .state.none") == "",
                "colours",
                READING_S,
            )
            window.find("[data-check='colours'] .state")
        assert window.log() == []


@pytest.mark.parametrize("language", ["en", pytest.param("fr", marks=pytest.mark.thorough)])
def test_what_lies_round_the_table_is_blurred_and_no_longer(tmp_path: Path, language: str) -> None:
    photo = (SCENES / "two-walnut" / "image.jpg").read_bytes()
    panel, pressed = "[data-panel='blurring']", "[data-panel='blurring'] button"
    kept, blurred = {
        "en": ("It stays in the photos", "It is blurred in every photo"),
        "fr": ("Cela reste dans les photos", "C'est flouté dans chaque photo"),
    }[language]
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone(language, shots(f"blurring-{language}")) as window,
    ):
        frame = top.upload(photo).json()["id"]
        window.open(f"{str(top.client.base_url).rstrip('/')}/#/rig")
        window.until_text(kept, panel)
        window.run("window.confirm = () => false")
        window.tap(pressed)
        assert top.get("/setup").json()["blurring"] is False
        window.run("window.confirm = () => true")
        window.tap(pressed)
        window.until_text(blurred, f"{panel} [role=status]")
        picture = f"/frames/{frame}/picture"
        window.until(lambda: top.get(picture).content != photo, "the blurred photo", READING_S)
        window.run(f'document.querySelector("{panel}").scrollIntoView()')
        looks_right(window, "on")
        window.tap(pressed)
        window.until_text(kept, panel)
        assert top.get("/setup").json()["blurring"] is False
        window.enlarge_text()
        looks_right(window, "off-200")
        assert window.log() == []


def rig_reads_a_photo_with_its_lens(top: TableTop) -> None:
    top.reader.outcome = SeenText(seen("two-walnut"))
    files = {"photo": ("a.jpg", photo_of("two-walnut"), "image/jpeg")}
    form = {"lens": json.dumps(lens_of("two-walnut"))}
    assert top.client.post(f"{API}/frames", files=files, data=form, headers=WRITE).is_success


def test_a_deck_is_enrolled_seen_confirmed_and_chosen(tmp_path: Path) -> None:
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone("en", shots("enrol")) as window,
    ):
        window.open(f"{str(top.client.base_url).rstrip('/')}/#/setup")
        window.run("window.confirm = () => true")
        keep_lens = "localStorage.setItem('tacta.lens', JSON.stringify(arguments[0]))"
        window.run(keep_lens, lens_of("spread-white"))
        window.tap("summary[data-key='enrol']")
        window.type("#deck-name", "mine")
        looks_right(window, "begin")
        window.press("Begin")
        window.give_file("#deck-photo", SCENES / "phone-oak" / "truth.json")
        window.find(".toast.trouble")
        window.shot("no-photo")
        window.tap(".toast .plain")
        window.give_file("#deck-photo", SCENES / "spread-white" / "image.jpg")
        window.until(lambda: "19 cards read." in window.text(".enrolment"), "cards", READING_S)
        looks_right(window, "cards")
        window.press("Make the deck")
        window.until(lambda: window.text(".sheet"), "the deck", READING_S)
        assert window.run("return document.querySelectorAll('.sheet li').length") == 19
        assert window.run("return document.querySelectorAll('.sheet .unread').length") == 0
        looks_right(window, "made")
        window.run("document.querySelector('.sheet').scrollIntoView()")
        window.shot("sheet")
        window.press("It is right: keep it")
        window.until_text("mine is kept", "#told")
        assert [deck.name for deck in top.decks.all()] == ["tacta", "mine"]
        window.press("Play with mine")
        window.until_text("The rig is restarting", "#told")
        window.until(lambda: top.assembly.setup.again.is_asked, "the rig to be told")
        assert top.decks.chosen().name == "mine"
        window.shot("chosen")
        refused = [line for line in window.log() if "415" not in line]
        assert refused == []


def test_a_viewer_sees_how_it_stands_and_changes_nothing(tmp_path: Path) -> None:
    with (
        table_top(tmp_path / "rig", network=True, serve=True) as top,
        phone("fr", shots("setup-viewer")) as window,
    ):
        top.decks.keep(renamed("five", 5))
        code = top.pairing.invite("viewer").code
        window.open(f"{str(top.client.base_url).rstrip('/')}/#pair={code}")
        window.type("#phone-name", "Zoé")
        window.tap("button[type=submit]")
        window.find(".camera")
        window.run("location.hash = '#/setup'")
        window.find("[data-step='deck'] .state.fine")
        assert not window.run(
            "return document.querySelectorAll('#view button, #view input').length"
        )
        window.shot("steps")
