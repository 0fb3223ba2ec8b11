"""A round of eighteen cards followed by the service, on two devices, until it is signed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from geometry.layout import Card, Layout
from tests.rig.page.browser import browser_only
from tests.rig.page.chromium import Phone
from tests.rig.page.two_devices import two_devices
from tests.rig.referee.tables import Change, colours, game, moved, read, same
from tests.rig.service.game.table import game_of, look
from tests.rig.service.table_top import TableTop

pytestmark = browser_only
CARDS, PLAYERS, OFF_MM = 19, 3, 6.0
"""The starting card and six of each; a card that lies so far off is illegal."""
WRONG, STAYS, MISREAD = 5, 9, 12
"""Places in the order of laying."""


@dataclass
class Round:
    """A rig with its round, and who looks on."""

    top: TableTop
    layout: Layout
    windows: tuple[Phone, Phone]
    looks: int = 0

    def lay(self, number: int, change: Change = same) -> None:
        """The table with so many cards on it is photographed, and read."""
        self.looks += 1
        look(self.top, read(self.layout, number, change, seed=self.looks), self.looks)

    def all_show(self, css: str) -> None:
        for window in self.windows:
            window.find(css)

    def last(self) -> int:
        """The number of the newest event."""
        return int(game_of(self.top)["events"][-1]["id"])


def off(place: int) -> Change:
    """Reads the card at this place where it is not legal."""
    return lambda card: moved(card, OFF_MM) if card.id == place else card


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Round]:
    with two_devices(tmp_path, "followed") as devices:
        devices.open("#/game")
        devices.both_show("[data-key='follow']")
        yield Round(devices.top, game(1, CARDS, PLAYERS), devices.both)


def a_match(played: Round) -> str:
    """A match of those who play, with its first round."""
    names = ("Ada", "Ben", "Cleo")
    seats = zip(names, colours(played.layout, PLAYERS), strict=True)
    players = [{"name": name, "colour": colour} for name, colour in seats]
    match = str(played.top.post("/matches", {"players": players}).json()["id"])
    played.top.post(f"/matches/{match}/rounds")
    return match


def test_a_round_of_eighteen_cards(played: Round) -> None:
    small, large = played.windows
    match = a_match(played)
    small.until_text("Ada", ".seats")
    small.tap("[data-key='follow']")
    played.all_show("[data-doing='watching']")
    for number in range(1, WRONG + 1):
        played.lay(number)
    played.all_show(f"[data-laid='{played.last()}'][data-status='legal']")
    assert "Ada" in small.text(".standing")

    an_illegal_card_is_taken_back(played)
    a_card_stays_by_ruling(played)
    a_name_is_put_right(played)
    for number in range(MISREAD + 2, CARDS + 1):
        played.lay(number, off(STAYS))
    played.all_show(f"[data-laid='{played.last()}']")
    for window in played.windows:
        window.shot("laid-out")

    small.run("window.confirm = () => true")
    small.tap("[data-key='end']")
    small.find("[data-round='1'] .badge.ended")
    assert small.run("return location.hash") == f"#/match/{match}"
    large.find(f"[data-ended] a[href='#/match/{match}']")
    assert "sûr" not in large.text("[data-ended]"), "the round says so, where cards are missing"
    large.shot("ended")
    small.tap("[data-sign='table']")
    small.find("[data-round='1'] .badge.signed")
    small.shot("signed")
    for window in played.windows:
        assert window.log() == []


def an_illegal_card_is_taken_back(played: Round) -> None:
    small, large = played.windows
    played.lay(WRONG + 1, off(WRONG))
    laid = f"[data-laid='{played.last()}']"
    played.all_show(f"{laid}[data-status='illegal'] .cut-out")
    assert "mm off" in small.text(f"{laid} .why")
    assert "mm d'écart" in large.text(f"{laid} .why")
    small.tap(f"{laid} .choices .main")
    small.find(".how")
    small.shot("illegal")
    large.shot("illegal")
    for _ in range(2):  # what is gone is gone once it was seen to be twice
        played.lay(WRONG)
    played.all_show("[data-status='taken_back']")
    played.lay(WRONG + 1)
    played.all_show(f"[data-laid='{played.last()}'][data-status='legal']")


def a_card_stays_by_ruling(played: Round) -> None:
    small, large = played.windows
    for number in range(WRONG + 2, STAYS + 1):
        played.lay(number)
    played.lay(STAYS + 1, off(STAYS))
    number = played.last()
    played.all_show(f"[data-laid='{number}'][data-status='illegal']")
    large.tap(f"[data-key='stays-{number}']")
    played.all_show(f"[data-laid='{number}'][data-status='stays']")
    small.shot("stays")
    played.top.assembly.game.followed.reload()  # what is kept is read, as after a power cut


def a_name_is_put_right(played: Round) -> None:
    """A card that is read as another is named by a person; the rig says what it corrects."""
    small, large = played.windows
    right = played.layout.cards[MISREAD]
    taken = {(card.colour, card.face) for card in played.layout.cards}
    faces = [face.id for face in played.layout.deck.faces]
    wrong = next(face for face in faces if (right.colour, face) not in taken)

    def misread(card: Card) -> Card:
        return off(STAYS)(replace(card, face=wrong) if card.id == MISREAD else card) or card

    for number in range(STAYS + 2, MISREAD + 1):
        played.lay(number, off(STAYS))
    played.lay(MISREAD + 1, misread)
    number = played.last()
    event = f"[data-event='{number}']"
    small.tap(f"{event} summary")
    small.tap(f"[data-key='named-{number}']")
    small.tap(f"{event} [data-face='{right.face}']")
    small.tap(f"{event} [data-key='name-{number}']")
    played.all_show("[data-kind='corrected']")
    told = game_of(played.top)["events"][-1]
    assert (told["card"]["face"], told["was"]["face"]) == (right.face, wrong)
    large.shot("corrected")
