"""Pairing a table, a second phone of one name, and a seat that is asked for, in a real Chromium."""

from __future__ import annotations

from pathlib import Path

from tests.rig.page.browser import browser_only, shots
from tests.rig.page.chromium import phone
from tests.rig.page.match_steps import paired_phone, yes
from tests.rig.service.table_top import API, WRITE, table_top

pytestmark = browser_only


def test_a_table_is_paired_and_her_new_phone_is_granted(tmp_path: Path) -> None:
    with (
        table_top(tmp_path / "rig", network=True, serve=True) as top,
        paired_phone(top, tmp_path, "Ada", "en", "admin") as ada,
        phone("fr", shots("pairing-new")) as new,
    ):
        url = str(top.client.base_url).rstrip("/")
        ada.run("location.hash = '#/rig'")
        ada.find("#invite-phones")
        ada.run("document.querySelector('#invite-phones').value = '6'")
        ada.press("Player")
        ada.find(".qr")
        ada.until_text("6 of 6 phones left")
        pin = ada.text("strong.pin")
        pair = {"secret": pin, "name": "Bo"}
        assert top.client.post(f"{API}/pairing", json=pair, headers=WRITE).status_code == 201
        ada.until_text("5 of 6 phones left")
        ada.shot("pairing-table")

        new.open(url)
        new.until_text("Associer ce téléphone")
        new.type("#pin", pin)
        new.type("#phone-name", " ada ")
        new.press("Associer")
        new.find("[data-ask='phone']")
        new.shot("taken")
        new.tap("[data-ask='phone']")
        new.until_text("Gardez cette page ouverte")
        ada.until_text("Somebody asks to be Ada's new phone")
        ada.until_text("4 of 6 phones left")
        ada.shot("pairing-asked")
        ada.press("End")
        ada.until(lambda: not ada.run("return document.querySelector('.qr')"), "no code")
        ada.press("Agree")
        new.until_text("Caméra : tout va bien")
        assert [one.name for one in top.store.phones.all()] == ["Ada", "Bo"]
        assert top.store.phones.open_invitations(top.clock.seconds()) == []


def test_a_seat_is_asked_for_and_freed(tmp_path: Path) -> None:
    players = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "pink"}]
    with (
        table_top(tmp_path / "rig", network=True, serve=True) as top,
        paired_phone(top, tmp_path, "Ada", "en", "admin") as ada,
        paired_phone(top, tmp_path, "Cleo", "fr") as cleo,
        paired_phone(top, tmp_path, "Ben", "en") as ben,
    ):
        secret = {"secret": top.pairing.invite("admin").code, "name": "the test"}
        assert top.post("/pairing", secret).status_code == 201
        match = top.post("/matches", {"players": players}).json()["id"]
        top.post(f"/matches/{match}/rounds")
        top.post(f"/matches/{match}/rounds/1/end", {"frame": top.frame(1)})
        for window in (ada, ben, cleo):
            yes(window)
            window.run("location.hash = '#/match'")
            window.find(".badge.ended")
        cleo.tap("[data-key='seat-ask']")
        cleo.shot("seat-ask")
        cleo.press("Demander la place de Ben")
        ben.until_text("Cleo asks for Ben's seat")
        ben.shot("seat-asked")
        ben.press("Agree")
        cleo.until_text("Ce téléphone signe pour Ben")
        ada.tap("[data-key='seats']")
        ada.shot("seats")
        ada.press("Free Ben's seat (phone: Cleo)")
        ben.until_text("I am Ben")
