"""A match of three rounds between three phones, from the first name to the exported files."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rig.service.frames.reader import SeenText
from rig.wording.words import page_words as words
from tests.rig.page.browser import browser_only
from tests.rig.page.chromium import Phone
from tests.rig.page.doubted_tables import doubted_table
from tests.rig.page.match_steps import paired_phone, yes
from tests.rig.page.pages import a_card_on_top
from tests.rig.service.table_top import TableTop, seen, table_top
from tests.scenes import SCENES

pytestmark = browser_only
PLAYERS = {"Ada": "purple", "Ben": "red", "Cleo": "pink"}
MISSING = 18
"""Of each of the three colours 12 of 18 cards lie on the first photo."""


@dataclass(frozen=True)
class Party:
    """Three phones at one table; the match that they play, and the page's language."""

    top: TableTop
    ada: Phone
    ben: Phone
    cleo: Phone
    language: str

    @property
    def words(self) -> dict[str, str]:
        return words(self.language)

    def say(self, key: str, **facts: object) -> str:
        """What the page says for a key; a sentence that counts holds its forms, as in words.js."""

        def filled(found: re.Match[str]) -> str:
            fact = facts[found[1]]
            if found[2] is None:
                return str(fact)
            one, many = found[2].split("|")
            is_one = isinstance(fact, int) and (fact == 1 or (fact == 0 and self.language == "fr"))
            return (one if is_one else many).replace("#", str(fact))

        return re.sub(r"\{(\w+)(?::([^}]*))?\}", filled, self.words[key])

    @property
    def match(self) -> dict[str, Any]:
        (kept,) = self.top.store.matches.latest(2)
        return dict(self.top.get(f"/matches/{kept.id}").json())

    def round(self, number: int) -> dict[str, Any]:
        return next(dict(one) for one in self.match["rounds"] if one["number"] == number)


@pytest.mark.thorough
@pytest.mark.parametrize("language", ["en", "fr"])
def test_three_phones_play_three_rounds(tmp_path: Path, language: str) -> None:
    with (
        table_top(tmp_path / "rig", network=True, serve=True) as top,
        paired_phone(top, tmp_path, "Cleo", language, "admin") as cleo,
        paired_phone(top, tmp_path, "Ada", language) as ada,
        paired_phone(top, tmp_path, "Ben", language) as ben,
    ):
        look_on(top)
        party = Party(top, ada, ben, cleo, language)
        begin(party)
        end_by_gallery(party, ben, 1, "two-walnut", doubted_table())
        answer_and_correct(party)
        undo_the_ending(party)
        disagree_and_settle(party)
        reopen(party)
        cleo.press(party.say("round.begin", n=2))
        end_by_gallery(party, ada, 2, "full-felt", seen("full-felt"))
        change_a_name(party)
        everybody_signs(party, 2, "Bea")
        cleo.press(party.say("round.begin", n=3))
        end_by_camera(party)
        exported(party)
        for window in (ada, ben, cleo):
            assert window.too_small() == []
            assert not window.too_wide()
            assert window.log() == []


def look_on(top: TableTop) -> None:
    """The test itself looks at what the rig has, as a viewer."""
    secret = {"secret": top.pairing.invite("viewer").code, "name": "a viewer"}
    assert top.post("/pairing", secret).status_code == 201


def begin(party: Party) -> None:
    cleo = party.cleo
    yes(cleo)
    cleo.tap("#tabs [data-key='match']")
    cleo.press(party.say("player.add"))
    for place, (name, colour) in enumerate(PLAYERS.items()):
        cleo.type(f"#player-{place}", name)
        cleo.choose(f"[data-key='colour-{place}']", colour)
    cleo.type("[name=target]", "500")
    cleo.shot("new-match")
    cleo.press(party.say("match.begin"))
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
        window.until_text(party.say("missing", n=MISSING), ".ending [data-missing]")
    else:
        assert window.text(".ending [data-missing]") == ""
    window.shot(f"preview-{number}")
    window.press(party.say("round.end", n=number))
    window.find(f"[data-round='{number}'] .badge.ended")
    for other in (party.ada, party.ben, party.cleo):
        other.find(f"[data-round='{number}'] .badge.ended")


def answer_and_correct(party: Party) -> None:
    """Ben answers the first question, corrects a card, and takes that back."""
    ben, top = party.ben, party.top
    ben.press(party.say("round.look"))
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
    ben.until_text(party.say("colour.blue") + ".", "#told")
    ben.until_text("→", "#told")
    ben.shot("corrected")
    ben.press(party.say("undo"))
    ben.until_text(party.say("undone"), "#told")
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
    ben.press(party.say("disagree.send"))
    said = party.say("disagree.said", name="Ben", reason="This one was pushed.")
    ben.until_text(said)
    ben.shot("disagreed")
    ada.until_text(said)
    assert not ada.run("return [...document.querySelectorAll('.dispute button')].length")
    ada.press(party.say("sign.as", name="Ada"))
    ada.until_text(party.say("signed-by", who="Ada"))
    cleo.press(party.say("sign.as", name="Cleo"))
    cleo.until_text("Cleo", ".state.fine")
    cleo.shot("two-of-three")
    ben.press(party.say("disagree.settle"))
    ben.until_text(party.say("disagree.settled", who="Ben"))
    ben.press(party.say("sign.as", name="Ben"))
    for window in (ada, ben, cleo):
        window.find("[data-round='1'] .badge.signed")
    cleo.until_text(party.say("sure.signed"))
    cleo.shot("signed-1")


def undo_the_ending(party: Party) -> None:
    """The ending is undone, and the round ended by the same photo: the corrections are there."""
    cleo, frame = party.cleo, party.round(1)["frame"]
    cleo.tap("[data-key='right-1']")
    cleo.press(party.say("resume"))
    for window in (party.ada, party.ben, cleo):
        window.find("[data-round='1'] .badge.open")
    cleo.shot("resumed")
    cleo.tap(f"[data-frame='{frame}']")
    cleo.press(party.say("round.end", n=1))
    for window in (party.ada, party.ben, cleo):
        window.find("[data-round='1'] .badge.ended")
    assert party.top.get(f"/frames/{frame}/reading").json()["corrections"] == 1


def reopen(party: Party) -> None:
    party.cleo.press(party.say("reopen"))
    for window in (party.ada, party.ben, party.cleo):
        window.find("[data-round='1'] .badge.ended")
    everybody_signs(party, 1, "Ben")


def everybody_signs(party: Party, number: int, third: str) -> None:
    for window, name in ((party.ada, "Ada"), (party.ben, third), (party.cleo, "Cleo")):
        window.press(party.say("sign.as", name=name))
        window.until_text(name, f"[data-round='{number}'] .state.fine")
    for window in (party.ada, party.ben, party.cleo):
        window.find(f"[data-round='{number}'] .badge.signed")


def change_a_name(party: Party) -> None:
    """Ben is Bea: what was signed stays, and so does whose phone is whose."""
    cleo = party.cleo
    cleo.press(party.say("match.change"))
    cleo.find("#player-1")
    cleo.run("document.querySelector('#player-1').value = ''")
    cleo.type("#player-1", "Bea")
    cleo.shot("names")
    cleo.press(party.say("match.save"))
    cleo.until_text("Bea", ".scores")
    party.ben.until_text("Bea", ".scores")
    party.ben.until_text(party.say("seat.is", name="Bea"))


def end_by_camera(party: Party) -> None:
    cleo, top = party.cleo, party.top
    top.reader.outcome = SeenText(seen("full-felt"))
    cleo.press(party.say("round.end-camera"))
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
    assert named.startswith(f"{party.say('round.n', n=1)} · {party.say('match')}, ")
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


WAYS: dict[str, dict[str, Any]] = {
    "limited_space": {"rounds": 3, "suits": ["●", "■", "▲"]},
    "sabotage": {"rounds": 1, "suits": ["●", "■"], "chosen": ["circle", "square"]},
    "teams": {"rounds": 1, "suits": []},
}


@pytest.mark.thorough
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("way", WAYS)
def test_other_ways_to_play(tmp_path: Path, way: str, language: str) -> None:
    """Begun on the page, led round by round, ended by a photo, signed, and won."""
    asked = WAYS[way]
    with (
        table_top(tmp_path / "rig", network=True, serve=True) as top,
        paired_phone(top, tmp_path, "Cleo", language, "admin") as cleo,
    ):
        look_on(top)
        party = Party(top, cleo, cleo, cleo, language)
        begin_another_way(party, way, asked)
        for number in range(1, asked["rounds"] + 1):
            if number > 1:
                cleo.press(party.say("round.begin", n=number))
            cleo.find(f"[data-round='{number}'] .badge.open")
            head = cleo.text(f"[data-round='{number}'] h2")
            if way == "limited_space":
                assert asked["suits"][number - 1] in head
            elif way == "sabotage":
                assert all(suit in cleo.text("#view") for suit in asked["suits"])
            top.reader.outcome = SeenText(seen("full-felt"))
            photo = SCENES / ("full-felt" if number == 1 else "two-walnut") / "image.jpg"
            if number < 3:
                cleo.give_file("#round-choose", photo)
                cleo.find(".ending .scores")
                cleo.shot(f"{way}-preview-{number}")
                cleo.press(party.say("round.end", n=number))
            else:
                cleo.press(party.say("round.end-camera"))
            cleo.find(f"[data-round='{number}'] .badge.ended")
            cleo.shot(f"{way}-ended-{number}")
            cleo.tap("[data-sign='table']")
            cleo.find(f"[data-round='{number}'] .badge.signed")
        cleo.run("document.querySelector('#view').scrollTop = 0")
        cleo.shot(f"{way}-signed")
        if way == "limited_space":
            cleo.until_text(party.match["players"][0]["name"])
            assert party.match["standings"]["over"]
        if way == "teams":
            assert "Ada & Cleo" in cleo.text(".scores")
        assert cleo.too_small() == []
        assert not cleo.too_wide()
        assert cleo.log() == []


def begin_another_way(party: Party, way: str, asked: dict[str, Any]) -> None:
    """What is wrong with the choice is said beside it first."""
    cleo = party.cleo
    yes(cleo)
    cleo.tap("#tabs [data-key='match']")
    cleo.press(party.say("player.add"))
    colours = dict(PLAYERS, Cleo="purple") if way == "teams" else PLAYERS
    for place, (name, colour) in enumerate(colours.items()):
        cleo.type(f"#player-{place}", name)
        cleo.choose(f"[data-key='colour-{place}']", colour)
    if way == "teams":
        cleo.press(party.say("match.begin"))
        cleo.find("[data-fault='colour-2']")
        cleo.shot("teams-fault")
        cleo.tap("[name=teams]")
    else:
        cleo.tap(f"[name=kind][value={way}]")
    if "chosen" in asked:
        cleo.press(party.say("match.begin"))
        cleo.until_text(party.say("fault.two-suits"), "[data-said='suits']")
        cleo.shot("sabotage-fault")
        for suit in asked["chosen"]:
            cleo.tap(f"[name=suit-{suit}]")
    cleo.press(party.say("match.begin"))
    cleo.find(".round .badge.open")
    cleo.shot(f"{way}-begun")
