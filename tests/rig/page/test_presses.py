"""A press acts on what was pressed, whatever the rig tells the page before the press has ended."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rig.service.frames.reader import SeenText
from tests.conftest import quick_or_thorough
from tests.rig.page.browser import browser_only
from tests.rig.page.browser_pool import PageTrouble
from tests.rig.page.chromium import Phone, phone
from tests.rig.page.doubted_tables import doubted_table
from tests.rig.service.table_top import TableTop, jpeg, seen, table_top
from tests.scenes import SCENES

pytestmark = browser_only
PLAYERS = [{"name": "Ada", "colour": "purple"}, {"name": "Ben", "colour": "red"}]
TOLD_S = 0.9
"""Longer than the page gathers events, and asks the rig for what has changed."""
STILL_S, STILL_WITHIN_S = 0.2, 10.0
"""What is at the same place so long after stays there; a busy machine draws a view within that."""

WATCHED = """
const one = document.querySelector(arguments[0]);
one.scrollIntoView({ block: 'center' });
one.focus();
window.pressed = one;
window.clicks = 0;
one.addEventListener('click', (event) => {
  event.preventDefault();
  event.stopImmediatePropagation();
  window.clicks += 1;
}, true);
const b = one.getBoundingClientRect();
return [Math.round(b.left + b.width / 2), Math.round(b.top + Math.min(b.height / 2, 20))];
"""
PLACES = {
    "table": ("", ".now .newest"),
    "photos": ("photos", "[data-frame]"),
    "photo, its score": ("photo/{frame}", ".panel summary"),
    "photo, a question": ("photo/{frame}?tab=check", "[data-trouble]"),
    "photo, its cards": ("photo/{frame}?tab=cards", ".cards .line"),
    "photo, the tabs": ("photo/{frame}", "[data-tab='check']"),
    "round that is played": ("match", ".ending [data-frame]"),
    "match": ("match", ".ground > .row button"),
    "history": ("history", "[data-match] a"),
    "tabs of the page": ("", "#tabs [data-key='photos']"),
}


def press_down(window: Phone, css: str) -> tuple[int, int]:
    """A press that has not ended, and its place; the click is counted, and does nothing else."""
    window.find(css)
    x, y = where_it_stays(window, css)
    mouse(window, "mousePressed", (x, y))
    return x, y


def where_it_stays(window: Phone, css: str) -> tuple[int, int]:
    """Where it is once nothing above it is still being loaded: nobody presses what moves."""
    places: list[tuple[int, int]] = []
    until = time.monotonic() + STILL_WITHIN_S
    while len(places) < 2 or places[-1] != places[-2]:
        assert time.monotonic() < until, f"{css} does not stay where it is"
        time.sleep(STILL_S)
        x, y = window.run(WATCHED, css)
        places.append((x, y))
    return places[-1]


def mouse(window: Phone, kind: str, place: tuple[int, int]) -> None:
    x, y = place
    facts = {"x": x, "y": y, "button": "left", "clickCount": 1}
    window.devtools("Input.dispatchMouseEvent", type=kind, **facts)


def much_happens(top: TableTop, match: str) -> None:
    """A photo is sent and read, and names change in the match: every view is drawn anew."""
    top.upload(jpeg(seed=20 + len(top.get("/frames?limit=50").json()["frames"])))
    now = top.get(f"/matches/{match}").json()
    wish = {
        "version": now["version"],
        "players": [
            {"name": one["name"] + "!", "colour": one["colour"], "was": one["name"]}
            for one in now["players"]
        ],
    }
    assert top.put(f"/matches/{match}/players", wish).status_code == 200
    time.sleep(TOLD_S)


@pytest.fixture(name="played")
def _played(tmp_path: Path) -> Iterator[tuple[TableTop, Phone, str, str]]:
    """A match whose first round is played, and a photo with questions."""
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone("en") as window,
    ):
        top.reader.outcome = SeenText(doubted_table())
        frame = top.upload((SCENES / "two-walnut" / "image.jpg").read_bytes()).json()["id"]
        top.reader.outcome = SeenText(seen("two-walnut"))
        match = top.post("/matches", {"players": PLAYERS}).json()["id"]
        top.post(f"/matches/{match}/rounds")
        yield top, window, frame, match


QUICK = ("table", "photo, its cards", "round that is played", "tabs of the page")
"""One of each way in which a view is drawn anew; `make thorough` presses in all."""


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(QUICK, id="quick"),
        pytest.param(
            tuple(name for name in PLACES if name not in QUICK),
            id="others",
            marks=pytest.mark.thorough,
        ),
    ],
)
def test_a_press_acts_in_every_view(
    played: tuple[TableTop, Phone, str, str], names: tuple[str, ...]
) -> None:
    top, window, frame, match = played
    url = str(top.client.base_url).rstrip("/")
    lost = []
    assert names
    for number, name in enumerate(names):
        place, css = PLACES[name]
        window.open(f"{url}/?{number}#/{place.format(frame=frame)}")
        if place == "match":
            window.find(".ending [data-frame]")  # the photos push down what is below them
        pressed = press_down(window, css)
        much_happens(top, match)
        mouse(window, "mouseReleased", pressed)
        if not clicked(window):
            lost.append(name)
    assert lost == []
    assert window.log() == []


def test_a_photo_on_its_way_is_taken_back_while_others_are_read(
    played: tuple[TableTop, Phone, str, str], tmp_path: Path
) -> None:
    top, window, *_ = played
    photo = tmp_path / "mine.jpg"
    photo.write_bytes(jpeg(5, (1296, 972)))
    window.open(f"{str(top.client.base_url).rstrip('/')}/#/photos")
    top.reader.may_end.clear()
    window.give_file("#photo-file", photo)
    window.find("[data-upload][data-state='reading']")
    pressed = press_down(window, "[data-upload] button")
    top.reader.may_end.set()
    time.sleep(TOLD_S)
    assert window.run("return document.querySelector('[data-upload]').dataset.state") == "reading"
    mouse(window, "mouseReleased", pressed)
    assert clicked(window)
    window.find("[data-upload][data-state='done']")


def test_the_space_bar_acts_on_what_had_the_focus(
    played: tuple[TableTop, Phone, str, str],
) -> None:
    top, window, _, match = played
    window.open(f"{str(top.client.base_url).rstrip('/')}/#/match")
    css = ".ground > .row button"
    window.find(css)
    where_it_stays(window, css)
    key(window, "keyDown")
    much_happens(top, match)
    key(window, "keyUp")
    assert clicked(window)
    window.until_text("Ada!")
    assert window.run("return document.activeElement.matches(arguments[0])", css), "focus is kept"


@pytest.mark.parametrize(
    "name", quick_or_thorough(["photo, its score", "photo, its cards"], ["photo, its cards"])
)
def test_the_focus_stays_where_it_was_when_a_view_is_drawn_anew(
    name: str, played: tuple[TableTop, Phone, str, str]
) -> None:
    """Somebody else corrects a card of the photo meanwhile; a control without a key is known by its
    text.
    """
    top, window, frame, _ = played
    place, css = PLACES[name]
    window.open(f"{str(top.client.base_url).rstrip('/')}/#/{place.format(frame=frame)}")
    window.find(css)
    where_it_stays(window, css)
    choose = "const all = [...document.querySelectorAll(arguments[0])]; window.before = all.at(-1);"
    window.run(choose + "window.before.focus()", css)
    reading = top.get(f"/frames/{frame}/reading").json()
    card = reading["cards"][-1]
    other = next(one for one in reading["scores"] if one != card["colour"])
    done = top.correct(frame, reading["version"], kind="colour", card=card["id"], colour=other)
    assert done.status_code == 201
    window.until(lambda: window.run("return !window.before.isConnected"), "the view drawn anew")
    kept = "const one = document.activeElement; return one !== window.before && one.matches("
    kept += "arguments[0]) && one.textContent === window.before.textContent"
    window.until(lambda: window.run(kept, css), "the focus where it was")


def key(window: Phone, kind: str) -> None:
    steps = [{"type": kind, "value": " "}]
    window.call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": steps}]})


def clicked(window: Phone) -> bool:
    try:
        window.until(lambda: window.run("return window.clicks"), "a click", 1.0)
    except PageTrouble:
        return False
    return int(window.run("return window.clicks")) == 1
