"""A match of three rounds between three phones, from the first name to the exported files."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rig.service.reader import SeenText
from tests.rig.page.chromium import Phone
from tests.rig.page.test_doubts_page import doubted_table
from tests.rig.page.test_match_page import paired_phone, yes
from tests.rig.page.test_page import a_card_on_top
from tests.rig.page.test_page import pytestmark as browser_only
from tests.rig.service.table_top import TableTop, seen, table_top
from tests.scenes import SCENES

pytestmark = browser_only
PLAYERS = {"Ada": "purple", "Ben": "red", "Cleo": "pink"}
MISSING = 18
"""Of each of the three colours 12 of 18 cards lie on the first photo."""


@dataclass(frozen=True)
class Party:
    """Three phones at one table; the match that they play."""

    top: TableTop
    ada: Phone
    ben: Phone
    cleo: Phone

    @property
    def match(self) -> dict[str, Any]:
        (kept,) = self.top.desk.store.matches.latest(2)
        return dict(self.top.get(f"/matches/{kept.id}").json())

    def round(self, number: int) -> dict[str, Any]:
        return next(dict(one) for one in self.match["rounds"] if one["number"] == number)


@pytest.mark.thorough
def test_three_phones_play_three_rounds(tmp_path: Path) -> None:
    with (
        table_top(tmp_path / "rig", network=True, serve=True) as top,
        paired_phone(top, tmp_path, "Cleo", "en", "admin") as cleo,
        paired_phone(top, tmp_path, "Ada", "en") as ada,
        paired_phone(top, tmp_path, "Ben", "en") as ben,
    ):
        look_on(top)
        party = Party(top, ada, ben, cleo)
        begin(party)
        end_by_gallery(party, ben, 1, "two-walnut", doubted_table())
        answer_and_correct(party)
        undo_the_ending(party)
        disagree_and_settle(party)
        reopen(party)
        cleo.press("Begin round 2")
        end_by_gallery(party, ada, 2, "full-felt", seen("full-felt"))
        change_a_name(party)
        everybody_signs(party, 2, "Bea")
        cleo.press("Begin round 3")
        end_by_camera(party)
        exported(party)
        for window in (ada, ben, cleo):
            assert window.too_small() == []
            assert not window.too_wide()
            assert window.log() == []


def look_on(top: TableTop) -> None:
    """The test itself looks at what the rig has, as a viewer."""
    secret = {"secret": top.desk.pairing.invite("viewer").code, "name": "a viewer"}
    assert top.post("/pairing", secret).status_code == 201


def begin(party: Party) -> None:
    cleo = party.cleo
    yes(cleo)
    cleo.tap("#tabs [data-key='match']")
    cleo.press("Add a player")
    for place, (name, colour) in enumerate(PLAYERS.items()):
        cleo.type(f"#player-{place}", name)
        cleo.choose(f"[data-key='colour-{place}']", colour)
    cleo.type("[name=target]", "500")
    cleo.shot("new-match")
    cleo.press("Begin a match")
    cleo.find(".round .badge.open")
    for window in (party.ada, party.ben):
        window.tap("#tabs [data-key='match']")
        window.find(".round .badge.open")


def end_by_gallery(party: Party, window: Phone, number: int, scene: str, read: str) -> None:
    """This phone chooses a photo, sees its score, and ends the round with it."""
    party.top.reader.outcome = SeenText(read)
    window.find(f"[data-round='{number}'] .ending")
    window.give_file("#round-choose", SCENES / scene / "image.jpg")
    window.find(".ending .scores")
    if scene == "two-walnut":
        window.until_text(f"{MISSING} cards are missing", ".ending [data-missing]")
    else:
        assert window.text(".ending [data-missing]") == ""
    window.shot(f"preview-{number}")
    window.press(f"End round {number} with this photo")
    window.find(f"[data-round='{number}'] .badge.ended")
    for other in (party.ada, party.ben, party.cleo):
        other.find(f"[data-round='{number}'] .badge.ended")


def answer_and_correct(party: Party) -> None:
    """Ben answers the first question, corrects a card, and takes that back."""
    ben, top = party.ben, party.top
    ben.press("Look at the photo and correct it")
    ben.tap("[data-tab='check']")
    ben.tap("[data-trouble]")
    ben.find(".answers .answer")
    ben.shot("doubt")
    frame = party.round(1)["frame"]
    open_before = int(ben.text("[data-tab='check'] .count"))
    ben.tap(".answers .answer")
    ben.until(lambda: int(ben.text("[data-tab='check'] .count")) < open_before, "one question less")
    ben.shot("answered")
    reading = top.get(f"/frames/{frame}/reading").json()
    card = a_card_on_top(reading)
    ben.tap("[data-tab='cards']")
    ben.run("location.hash = arguments[0]", f"#/photo/{frame}?card={card['id']}")
    ben.tap("[data-fix='colour'] summary")
    ben.tap("[data-fix='colour'] [data-colour='blue']")
    ben.until_text("is now Blue", "#told")
    ben.until_text("→", "#told")
    ben.shot("corrected")
    ben.press("Undo")
    ben.until_text("Undone.", "#told")
    now = top.get(f"/frames/{frame}/reading").json()
    assert now["scores_without_illegal"] == reading["scores_without_illegal"]
    ben.tap("#bar button")
    ben.run("location.hash = '#/match'")
    ben.find("[data-round='1'] .badge.ended")


def disagree_and_settle(party: Party) -> None:
    """All but Ben sign; he disagrees over a card, and signs once it is settled."""
    ada, ben, cleo = party.ada, party.ben, party.cleo
    ben.tap("[data-key='disagree-1']")
    ben.type("#why-1", "This one was pushed.")
    card = party.top.get(f"/frames/{party.round(1)['frame']}/reading").json()["cards"][3]["id"]
    ben.choose("#which-1", str(card))
    ben.press("Disagree")
    ben.until_text("Ben disagrees: This one was pushed.")
    ben.shot("disagreed")
    ada.until_text("Ben disagrees")
    assert not ada.run("return [...document.querySelectorAll('.dispute button')].length")
    ada.press("Ada agrees")
    ada.until_text("Agreed: Ada")
    cleo.press("Cleo agrees")
    cleo.until_text("Cleo", ".state.fine")
    cleo.shot("two-of-three")
    ben.press("It is settled")
    ben.until_text("settled by Ben")
    ben.press("Ben agrees")
    for window in (ada, ben, cleo):
        window.find("[data-round='1'] .badge.signed")
    cleo.until_text("Signed while a doubt could still change the score.")
    cleo.shot("signed-1")


def undo_the_ending(party: Party) -> None:
    """The ending is undone, and the round ended by the same photo: the corrections are there."""
    cleo, frame = party.cleo, party.round(1)["frame"]
    cleo.tap("[data-key='right-1']")
    cleo.press("Undo ending the round")
    for window in (party.ada, party.ben, cleo):
        window.find("[data-round='1'] .badge.open")
    cleo.shot("resumed")
    cleo.tap(f"[data-frame='{frame}']")
    cleo.press("End round 1 with this photo")
    for window in (party.ada, party.ben, cleo):
        window.find("[data-round='1'] .badge.ended")
    assert party.top.get(f"/frames/{frame}/reading").json()["corrections"] == 1


def reopen(party: Party) -> None:
    party.cleo.press("Reopen the round")
    for window in (party.ada, party.ben, party.cleo):
        window.find("[data-round='1'] .badge.ended")
    everybody_signs(party, 1, "Ben")


def everybody_signs(party: Party, number: int, third: str) -> None:
    for window, name in ((party.ada, "Ada"), (party.ben, third), (party.cleo, "Cleo")):
        window.press(f"{name} agrees")
        window.until_text(name, f"[data-round='{number}'] .state.fine")
    for window in (party.ada, party.ben, party.cleo):
        window.find(f"[data-round='{number}'] .badge.signed")


def change_a_name(party: Party) -> None:
    """Ben is Bea: what was signed stays, and so does whose phone is whose."""
    cleo = party.cleo
    cleo.press("Change players")
    cleo.find("#player-1")
    cleo.run("document.querySelector('#player-1').value = ''")
    cleo.type("#player-1", "Bea")
    cleo.shot("names")
    cleo.press("Save changes")
    cleo.until_text("Bea", ".scores")
    party.ben.until_text("Bea", ".scores")
    party.ben.until_text("This phone signs for Bea.")


def end_by_camera(party: Party) -> None:
    cleo, top = party.cleo, party.top
    top.reader.outcome = SeenText(seen("full-felt"))
    cleo.press("End the round: take the photo")
    cleo.find("[data-round='3'] .badge.ended")
    party.ada.find("[data-round='3'] .badge.ended")
    cleo.tap("[data-sign='table']")
    cleo.find("[data-round='3'] .badge.signed")
    cleo.shot("over")
    assert top.camera.taken == 1


def exported(party: Party) -> None:
    """The files on the page hold what was played, and who agreed and who did not."""
    cleo = party.cleo
    totals = party.match["standings"]["totals"]
    cleo.tap("#tabs [data-key='photos']")
    tile = f"[data-frame='{party.round(1)['frame']}'] [data-match]"
    cleo.find(tile)
    named = cleo.text(tile)
    assert named.startswith("Round 1 · Match, ")
    assert named.endswith(": Ada, Bea, Cleo")
    cleo.choose("#photos-of", party.match["id"])
    cleo.shot("photos")
    cleo.tap("#tabs [data-key='history']")
    cleo.find("[data-round='3'][data-state='signed']")
    cleo.shot("history")
    links = "return [...document.querySelectorAll('a[download]')].map((one) => one.href)"
    as_csv, as_json = cleo.run(links)
    lines = list(csv.DictReader(io.StringIO(fetched(cleo, as_csv))))
    assert [(one["round"], one["players"]) for one in lines] == [
        (str(number), name) for number in (1, 2, 3) for name in ("Ada", "Bea", "Cleo")
    ]
    for colour, points in totals.items():
        told = [int(one["announced"]) for one in lines if one["colour"] == colour]
        assert sum(told) == points > 0
    assert [one["sure"] for one in lines[::3]] == ["no", "yes", "yes"]
    assert {one["missing"] for one in lines[:3]} == {str(MISSING // 3)}
    assert "Bea: This one was pushed. (settled by Ben" in lines[0]["disagreements"]
    assert lines[3]["signed_by"] == "Ada; Bea; Cleo"
    assert "This one was pushed." in fetched(cleo, as_json)


def fetched(window: Phone, address: str) -> str:
    script = "const [url, done] = arguments; fetch(url).then((one) => one.text()).then(done)"
    return str(window.run_async(script, address))
