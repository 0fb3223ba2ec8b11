"""Setting the rig up over HTTP: everything checked, a deck enrolled from photos and chosen."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import httpx2
import pytest

from geometry.deck_file import published_deck
from rig.cameras.camera import Still
from rig.service.frames.reader import SeenText
from rig.service.http.trouble import DeckThere
from rig.service.setup.kept_decks import FILE_NAME, KeptDecks
from tests.rig.service import kills
from tests.rig.service.setup.setup_files import lens_of, photo_of, renamed
from tests.rig.service.table_top import API, NO_TLS, WRITE, TableTop, jpeg, seen

FR = {"Accept-Language": "fr"}


def by_check(document: Any) -> dict[str, Any]:
    return {one["check"]: one for one in document["findings"]}


def test_everything_is_checked_as_doctor_does(rig: TableTop, monkeypatch: Any) -> None:
    assert rig.get("/setup").json()["checked_at"] is None
    lens = lens_of("two-walnut")
    size = (lens["size_px"][0], lens["size_px"][1])

    def still(deadline_s: float) -> Still:
        return Still(photo_of("two-walnut"), size, 0.0, 0.0, True, {"lens": lens})

    rig.reader.outcome = SeenText(seen("two-walnut"))
    files = {"photo": ("a.jpg", photo_of("two-walnut"), "image/jpeg")}
    form = {"lens": json.dumps(lens)}
    assert (
        rig.client.post(f"{API}/frames", files=files, data=form, headers=WRITE).status_code == 201
    )
    monkeypatch.setattr(rig.camera, "still", still)
    monkeypatch.setattr("rig.service.setup.checks._START_S", 0.1)
    found = by_check(rig.post("/setup/check", {}).json())
    assert found.keys() == {"disk", "kept", "clock", "table", "fit", "light", "colours"}
    assert found["table"]["found"].startswith("4 of 4 markers")
    assert found["fit"]["status"] == "good"
    assert found["light"]["status"] == "good"
    assert found["colours"]["status"] in ("good", "look")
    assert "apart" in found["colours"]["found"] or "symbols" in found["colours"]["found"]
    french = rig.get("/setup", **FR).json()
    assert french["checked_at"] is not None
    english = rig.get("/setup").json()
    assert all(
        one["found"] != other["found"]
        for one, other in zip(french["findings"], english["findings"], strict=True)
    )


def test_what_cannot_be_seen_is_unknown(rig: TableTop, monkeypatch: Any) -> None:
    monkeypatch.setattr("rig.service.setup.checks._START_S", 0.1)
    monkeypatch.setattr(
        rig.camera, "still", lambda deadline_s: Still(b"", (64, 48), 0.0, 0.0, True, {})
    )
    found = by_check(rig.post("/setup/check", {}, **FR).json())
    assert (found["table"]["status"], found["light"]["status"]) == ("unknown", "unknown")
    assert found["light"]["found"].startswith("the picture est vide")
    assert found["light"]["advice"] == "Occupez-vous d'abord de la caméra."
    assert found["colours"]["status"] == "unknown"


def enrol_photo(rig: TableTop, data: bytes, lens: Any = None, **headers: str) -> Any:
    files = {"photo": ("a.jpg", data, "image/jpeg")}
    form = {} if lens is None else {"lens": json.dumps(lens)}
    address = f"{API}/enrolment/photos"
    return rig.client.post(address, files=files, data=form, headers={**WRITE, **headers})


def test_a_deck_is_enrolled_kept_and_chosen(rig: TableTop) -> None:
    for refused in (
        enrol_photo(rig, jpeg()),
        rig.post("/enrolment/deck"),
        rig.get("/enrolment/sheet.pdf"),
        rig.post("/decks"),
    ):
        assert (refused.status_code, refused.json()["code"]) == (409, "enrolment-not-begun")
    assert rig.post("/enrolment", {"name": "Mine!"}).status_code == 422
    assert rig.post("/enrolment", {"name": "mine"}).status_code == 201
    assert rig.post("/enrolment/deck").json()["code"] == "enrolment-empty"
    bare = enrol_photo(rig, jpeg(1, (640, 480)), **FR).json()
    assert bare["photos"][0]["reason"].startswith("aucun repère ne se voit")
    shown = enrol_photo(rig, photo_of("spread-white"), lens_of("spread-white")).json()
    assert shown["photos"][1] == {"photo": "Photo 2", "cards": 19, "reason": None}
    assert rig.post("/decks").json()["code"] == "deck-not-made"

    made = rig.post("/enrolment/deck", **FR).json()
    assert made["reason"] is None
    assert len(made["faces"]) == 18
    assert made["deck"]["name"] == "mine"
    assert rig.get("/setup").json()["enrolment"]["faces"] == made["faces"]
    sheet = rig.get("/enrolment/sheet.pdf")
    assert (sheet.headers["content-type"], sheet.content[:4]) == ("application/pdf", b"%PDF")

    kept = rig.post("/decks")
    assert kept.status_code == 201
    assert [one["name"] for one in kept.json()["decks"]] == ["tacta", "mine"]
    assert kept.json()["enrolment"] is None
    assert KeptDecks(rig.store.folder).chosen().name == "tacta"
    assert rig.put("/setup/deck", {"name": "other"}).json()["code"] == "deck-unknown"
    chosen = rig.put("/setup/deck", {"name": "mine"})
    assert chosen.status_code == 202
    assert rig.assembly.setup.again.is_asked
    assert KeptDecks(rig.store.folder).chosen().faces == KeptDecks(rig.store.folder).all()[1].faces


def test_no_deck_takes_anothers_place(tmp_path: Path) -> None:
    decks = KeptDecks(tmp_path)
    decks.keep(renamed("mine"))
    for name in ("mine", "tacta"):
        with pytest.raises(DeckThere):
            decks.keep(renamed(name))
    (tmp_path / FILE_NAME).write_text("{ torn")
    assert [deck.name for deck in decks.all()] == ["tacta"]
    decks.keep(renamed("new"))
    assert [deck.name for deck in decks.all()] == ["tacta", "new"]
    (aside,) = tmp_path.glob(f"{FILE_NAME}.unreadable-*")
    assert aside.read_text() == "{ torn"


def test_a_match_keeps_its_deck(rig: TableTop) -> None:
    rig.decks.keep(renamed("five", 5))
    last = published_deck().colours[5].name
    match = rig.post("/matches", {"players": [{"name": "A", "colour": last}]}).json()["id"]
    refused = rig.put("/setup/deck", {"name": "five"})
    assert (refused.status_code, refused.json()["code"]) == (409, "deck-in-play")
    assert rig.delete(f"/matches/{match}").status_code in (200, 204)
    assert rig.put("/setup/deck", {"name": "five"}).status_code == 202


def test_only_an_admin_sets_the_rig_up(network_rig: TableTop) -> None:
    rig = network_rig
    for name in ("host", "B"):  # the first one runs the table
        secret = {"secret": rig.pairing.invite("player").code, "name": name}
        rig.client.cookies.clear()
        assert rig.post("/pairing", secret).status_code == 201
    for refused in (
        rig.post("/setup/check", {}),
        rig.put("/setup/deck", {"name": "tacta"}),
        rig.post("/enrolment", {"name": "mine"}),
        enrol_photo(rig, jpeg()),
        rig.post("/decks"),
    ):
        assert (refused.status_code, refused.json()["code"]) == (403, "not-allowed")


@pytest.mark.slow
def test_the_rig_begins_anew_with_another_deck(tmp_path: Path) -> None:
    folder = tmp_path / "rig"
    folder.mkdir()
    KeptDecks(folder).keep(renamed("five", 5))
    with kills.running(folder) as (process, url):
        kills.wait_until_ready(url, time.monotonic())
        done = httpx2.put(f"{url}/setup/deck", json={"name": "five"}, headers=WRITE, timeout=20)
        assert done.status_code == 202
        until = time.monotonic() + 60
        while (deck := deck_in_play(url)) != "five":
            assert time.monotonic() < until, deck
            time.sleep(0.1)
        assert process.poll() is None
        files = {"photo": ("a.jpg", jpeg(3), "image/jpeg")}
        read = httpx2.post(f"{url}/frames", files=files, headers=WRITE, timeout=60, verify=NO_TLS)
        assert read.status_code == 201
        assert read.json()["reading"]["deck"] == "five"


def deck_in_play(url: str) -> str | None:
    try:
        return str(httpx2.get(f"{url}/deck", timeout=5, verify=NO_TLS).json()["name"])
    except httpx2.TransportError:
        return None
