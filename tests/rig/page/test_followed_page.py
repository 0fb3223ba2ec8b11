"""A round of eighteen cards before the rig's camera, on a phone and a tablet, until it is signed.

The service, its camera, watcher, reader and picture makers run as they always do. Given are the
pictures, which come when the test puts them up, what is read in them, unless they are photographs,
and how long hands are waited for.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from geometry.deck_file import published_deck
from rig.wording.words import page_words
from tests.rig.page import filmed_round
from tests.rig.page.browser import browser_only
from tests.rig.page.browser_pool import PATIENCE_S
from tests.rig.page.chromium import Phone
from tests.rig.page.filmed_round import Misread, film
from tests.rig.page.pages import READING_S
from tests.rig.page.powered_rig import PoweredRig, powered
from tests.rig.page.shown_camera import put_up
from tests.rig.page.two_devices import Devices, devices

pytestmark = browser_only
NAMES = ("Ada", "Ben", "Cleo")
PASSING_S = 0.5
"""For so long something is up that says nothing: the watcher sees it apart from what comes next."""
POINTS = "return [...document.querySelectorAll('.points strong')].map(e => +e.textContent)"
RANGE = "return document.querySelector('[data-key=range]').value"
CARDS_IN_PLAN = "return document.querySelectorAll('.plan [data-card]').length"


@dataclass
class Round:
    """The rig, who looks on, and the picture that is up."""

    rig: PoweredRig
    devices: Devices
    is_drawn: bool
    at: int = 0

    @property
    def windows(self) -> tuple[Phone, Phone]:
        return self.devices.both

    def go_on(self) -> int:
        """Pictures up to the next in which a card comes or goes: the number of what is said of it.

        Hands pass; what else happens is seen with the next card.
        """
        before, kind = self.rig.last(), ""
        while kind not in ("placed", "taken_back"):
            self.at += 1
            kind = filmed_round.event(self.at)["kind"]
            self.rig.show(self.at)
            if kind not in ("placed", "taken_back"):
                time.sleep(PASSING_S)
        return self.said(before, "laid" if kind == "placed" else "taken_back")

    def said(self, after: int, kind: str) -> int:
        """The number of the next event of this kind, once both show it."""
        number = int(self.rig.event(after, kind)["id"])
        self.devices.both_show(f"[data-event='{number}']")
        return number

    def go_to(self, picture: int) -> int:
        """On to this picture; the number of what is said of it."""
        number = 0
        while self.at < picture:
            number = self.go_on()
        assert self.at == picture
        return number


def illegal_pictures() -> list[int]:
    return [n for n in filmed_round.numbers("placed") if filmed_round.event(n)["illegal"]]


def misread() -> Misread:
    """A card that is read as another when it is laid: the last but two."""
    number = filmed_round.numbers("placed")[-3]
    card = film().whole.card(int(filmed_round.event(number)["card"]))
    taken = {one.face for one in film().whole.cards if one.colour == card.colour}
    wrong = next(face.id for face in published_deck().faces if face.id not in taken)
    return Misread(number, card.id, wrong)


@pytest.fixture(params=["drawn", pytest.param("photographed", marks=pytest.mark.thorough)])
def played(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Round]:
    pictures, is_drawn = tmp_path / "pictures", request.param == "drawn"
    if is_drawn:
        filmed_round.draw(pictures, [misread()])
    else:
        filmed_round.photograph(pictures)
    put_up(pictures, 0)
    reading_s = PATIENCE_S if is_drawn else READING_S
    with (
        devices(f"followed-{request.param}") as both,
        powered(tmp_path / "rig", pictures, reading_s) as rig,
    ):
        both.go(f"{rig.url}/#/game")
        both.both_show("[data-key='follow']")
        yield Round(rig, both, is_drawn)


def test_a_round_of_eighteen_cards(played: Round) -> None:
    small = played.windows[0]
    match = a_match(played)
    small.until_text("Ada", ".seats")
    small.choose("[data-key='turn-time']", "120")
    small.tap("[data-key='follow']")
    if played.is_drawn:  # a starting card alone in a photograph may be named with the next one
        played.said(0, "laid")
    wrong, stays = illegal_pictures()
    an_illegal_card_is_taken_back(played, wrong)
    ruled = a_card_stays_by_ruling(played, stays)
    for window in played.windows:
        assert window.log() == []
    the_power_is_cut(played, ruled)
    if played.is_drawn:
        a_name_is_put_right(played)
    played.go_to(filmed_round.numbers("placed")[-1])
    played.devices.look("laid-out")
    known = {
        (one["card"]["colour"], one["card"]["face"])
        for one in played.rig.get("/game")["events"]
        if one["event"] in ("laid", "corrected")
    }
    assert {(card.colour, card.face) for card in film().whole.cards} <= known
    it_is_replayed(played)
    it_is_ended_and_signed(played, match)
    for window in played.windows:
        assert window.log() == []


def a_match(played: Round) -> str:
    """A match of those who play, with its first round."""
    seats = zip(NAMES, film().players, strict=True)
    players = [{"name": name, "colour": colour} for name, colour in seats]
    match = str(played.rig.post("/matches", {"players": players})["id"])
    played.rig.post(f"/matches/{match}/rounds")
    return match


def an_illegal_card_is_taken_back(played: Round, picture: int) -> None:
    """It is shown, taken off the table, and laid again."""
    small, large = played.windows
    laid = f"[data-laid='{played.go_to(picture)}']"
    played.devices.both_show(f"{laid}[data-status='illegal'] .cut-out")
    assert "mm off" in small.text(f"{laid} .why")
    assert "mm d'écart" in large.text(f"{laid} .why")
    small.tap(f"{laid} .choices .main")
    small.find(".how")
    played.devices.look("illegal")
    played.devices.both_show(f"[data-laid='{played.go_on()}'][data-status='taken_back']")
    assert filmed_round.event(played.at)["kind"] == "taken_back"
    played.devices.both_show(f"[data-laid='{played.go_on()}'][data-status='legal']")
    assert filmed_round.event(played.at)["card"] == filmed_round.event(picture)["card"]


def a_card_stays_by_ruling(played: Round, picture: int) -> int:
    """The number of what is said of it."""
    number = played.go_to(picture)
    played.devices.both_show(f"[data-laid='{number}'][data-status='illegal']")
    played.windows[1].tap(f"[data-key='stays-{number}']")
    played.devices.both_show(f"[data-laid='{number}'][data-status='stays']")
    played.devices.look("stays")
    return number


def the_power_is_cut(played: Round, ruled: int) -> None:
    """While it is away a ruling is tried to be taken back, and the next card is laid."""
    rig, (small, large) = played.rig, played.windows
    before = rig.get("/game")
    rig.cut_power()
    small.until_text(page_words("en")["offline"], ".line-state")
    large.until_text(page_words("fr")["offline"], ".line-state")
    small.tap(f"[data-key='not-{ruled}']")
    small.until_text(page_words("en")["error.no-answer"], "#told")
    played.devices.look("no-power")
    played.at = next(n for n in filmed_round.numbers("placed") if n > played.at)
    rig.show(played.at)
    rig.start()
    played.said(ruled, "laid")
    played.devices.both_show(f"[data-event='{ruled}'][data-status='stays']")
    played.devices.both_show(".turn-clock[data-clock='left']")
    assert rig.get("/game")["events"][: len(before["events"])] == before["events"]
    for window in played.windows:
        window.until(lambda window=window: not window.text(".line-state"), "a line")
        lost = [one for one in window.log() if "net::ERR_" not in one]
        assert lost == [], "but for the line itself nothing went wrong"


def a_name_is_put_right(played: Round) -> None:
    """A card that is read as another is named by a person."""
    small = played.windows[0]
    wrong = misread()
    number = played.go_to(wrong.number)
    right = film().whole.card(wrong.card)
    event = f"[data-event='{number}']"
    small.tap(f"{event} summary")
    small.tap(f"[data-key='named-{number}']")
    small.tap(f"{event} [data-face='{right.face}']")
    small.tap(f"{event} [data-key='name-{number}']")
    played.devices.both_show("[data-kind='corrected']")
    told = played.rig.get("/game")["events"][-1]
    assert (told["card"]["face"], told["was"]["face"]) == (right.face, wrong.face)


def it_is_replayed(played: Round) -> None:
    """Step by step, on the plan and in the photos; the scores are those that were told."""
    steps = played.rig.get("/game")["events"]
    for window in played.windows:
        window.tap("[data-key='replay']")
        window.find(f"[data-step='{len(steps)}']")
        assert window.run(RANGE) == str(len(steps) - 1)
        assert window.run(CARDS_IN_PLAN) == len(film().whole.cards)
    played.devices.look("replay")
    for window in played.windows:
        window.tap("[data-key='back']")
        window.tap("[data-key='as-photo']")
        window.find(f"[data-step='{len(steps) - 1}'][data-shows='photo'] .replay-photo .laid-here")
        assert window.run(RANGE) == str(len(steps) - 2)
        assert sorted(window.run(POINTS)) == sorted(steps[-2]["scores"].values())
    played.devices.look("replay-photo")
    for window in played.windows:
        window.tap("[data-key='to-game']")
        window.find("[data-key='replay']")


def it_is_ended_and_signed(played: Round, match: str) -> None:
    small, large = played.windows
    small.run("window.confirm = () => true")
    small.tap("[data-key='end']")
    small.find("[data-round='1'] .badge.ended")
    assert small.run("return location.hash") == f"#/match/{match}"
    large.find(f"[data-ended] a[href='#/match/{match}']")
    assert "sûr" not in large.text("[data-ended]"), "the round says so, where cards are missing"
    played.devices.look("ended")
    small.tap("[data-sign='table']")
    small.find("[data-round='1'] .badge.signed")
    small.shot("signed")
