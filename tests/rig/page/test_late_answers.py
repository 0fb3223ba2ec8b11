"""An answer that comes after a newer one tells of how things were: it takes nothing back."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.rig.page.browser import browser_only
from tests.rig.page.browser_pool import PageTrouble
from tests.rig.page.chromium import Phone, phone
from tests.rig.page.match_steps import paired_phone
from tests.rig.service.table_top import TableTop, table_top

pytestmark = browser_only

HOLD = """
const [path, method] = arguments;
const sent = window.fetch;
const held = window.held = [];
let isHeld = true;
window.letGo = () => { isHeld = false; held.forEach((go) => go()); };
window.fetch = async (address, options) => {
  const isAsked = options.method === method && String(address).endsWith(path);
  const isLate = isHeld && isAsked;
  const answer = await sent(address, options);
  if (isLate) await new Promise((go) => held.push(go));
  return answer;
};
"""
"""The rig answers what is asked of this path; its answers arrive once they are let go."""
DEAF = """
window.EventSource = class extends EventTarget {
  constructor() { super(); setTimeout(() => this.onopen?.()); }
  close() {}
};
"""
"""No event mends what is drawn: those of the rig come at times of their own."""
LOOK_AGAIN = "document.dispatchEvent(new Event('visibilitychange'))"
"""As a phone that wakes up does: all that is shown is asked for again."""
SETTLED_S = 1.5
CHANGES = "[data-tab='changes'] .count"


@contextlib.contextmanager
def deaf_phone(top: TableTop, place: str) -> Iterator[Phone]:
    """A phone at this place of the page, where no event arrives."""
    with phone("en") as window:
        window.devtools("Page.addScriptToEvaluateOnNewDocument", source=DEAF)
        window.open(address(top, place))
        yield window


@contextlib.contextmanager
def a_late_answer(
    window: Phone, path: str, look: Callable[[], object] | None = None, method: str = "GET"
) -> Iterator[None]:
    """What `look` has asked of this path is answered now, and the answer arrives at the end."""
    window.run(HOLD, path, method)
    if look is None:
        window.run(LOOK_AGAIN)
    else:
        look()
    window.until(lambda: window.run("return window.held.length > 0"), f"the answer of {path}")
    yield
    window.run("window.letGo()")


def stays(window: Phone, css: str) -> None:
    """What this selector finds is there, and goes on being there."""
    window.find(css)
    is_gone = "return document.querySelector(arguments[0]) === null"
    with pytest.raises(PageTrouble):
        window.until(lambda: window.run(is_gone, css), f"{css} to go", patience_s=SETTLED_S)


def address(top: TableTop, place: str) -> str:
    return f"{str(top.client.base_url).rstrip('/')}/#/{place}"


def enrol(window: Phone) -> None:
    window.tap("summary[data-key='enrol']")
    window.type("#deck-name", "mine")
    window.press("Begin")


def begin_a_lens(window: Phone) -> None:
    window.press("This phone's camera")


@pytest.mark.parametrize(
    ("place", "begin", "begun"),
    [("setup", enrol, ".enrolment"), ("lens", begin_a_lens, "label[for='board-file']")],
    ids=["setup", "lens"],
)
def test_what_was_begun_stays_begun(
    tmp_path: Path, place: str, begin: Callable[[Phone], None], begun: str
) -> None:
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        deaf_phone(top, place) as window,
    ):
        window.find("#view h2")
        with a_late_answer(window, f"/{place}"):
            begin(window)
            window.find(begun)
        stays(window, begun)
        assert window.log() == []


def test_the_code_of_an_invitation_stays(tmp_path: Path) -> None:
    with (
        table_top(tmp_path / "rig", network=True, serve=True) as top,
        paired_phone(top, tmp_path, "Ada", "en", "admin") as ada,
    ):
        ada.run("location.hash = '#/rig'")
        ada.find("#invite-phones")
        with a_late_answer(ada, "/invitations", lambda: top.events.tell_soon("phones-changed")):
            ada.press("Player")
            ada.find(".qr")
        stays(ada, ".qr")
        assert ada.log() == []


def test_a_form_stays_open(tmp_path: Path) -> None:
    players = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "pink"}]
    with table_top(tmp_path / "rig", serve=True) as top:
        match = top.post("/matches", {"players": players}).json()["id"]
        with deaf_phone(top, f"match/{match}") as window:
            window.find(".scores")
            with a_late_answer(window, f"/matches/{match}"):
                window.press("Change players")
                window.find("form")
            stays(window, "form")
            assert window.log() == []


CHOOSE = """
const list = document.querySelector('#photos-of');
list.value = arguments[0];
list.dispatchEvent(new Event('change'));
"""


def test_the_photos_are_those_that_were_chosen_last(tmp_path: Path) -> None:
    players = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "pink"}]
    with table_top(tmp_path / "rig", serve=True) as top:
        none_of_it = "#view:not(:has([data-frame]))"
        top.frame(1)
        match = top.post("/matches", {"players": players}).json()["id"]
        with deaf_phone(top, "photos") as window:
            window.find("[data-frame]")
            with a_late_answer(window, "/frames?limit=24"):
                window.run(CHOOSE, match)
                window.find(none_of_it)
            stays(window, none_of_it)
            assert window.log() == []


def test_another_phones_correction_stays(tmp_path: Path) -> None:
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone("en") as window,
    ):
        frame = top.frame(6)
        card, other = (one["id"] for one in top.get(f"/frames/{frame}/reading").json()["cards"][:2])
        window.open(address(top, f"photo/{frame}?card={card}"))
        corrections = f"/frames/{frame}/corrections"

        def flip_it() -> None:
            window.press("Flip it over")

        with a_late_answer(window, corrections, flip_it, "POST"):
            version = top.get(f"/frames/{frame}").json()["version"]
            top.correct(frame, version, kind="remove", card=other)
            window.until(lambda: window.text(CHANGES) == "2", "the other's correction")
        window.find(".toast")
        assert window.text(CHANGES) == "2"
        assert window.log() == []


def test_what_is_typed_goes_on_where_the_setup_is_drawn_anew(tmp_path: Path) -> None:
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        deaf_phone(top, "setup") as window,
    ):
        window.tap("summary[data-key='enrol']")
        window.type("#deck-name", "mi")
        with a_late_answer(window, "/setup"):
            window.run("window.before = document.querySelector('[data-step=machine]')")
        window.until(lambda: not window.run("return window.before.isConnected"), "it drawn anew")
        assert window.run("return document.activeElement.id") == "deck-name"
        for letter in ("n", "e"):
            window.devtools("Input.insertText", text=letter)
        assert window.run("return document.querySelector('#deck-name').value") == "mine"
        assert window.log() == []


IN_ORDER = """
const done = arguments[0];
const sent = window.fetch;
const answers = [];
window.fetch = (address, options) => (/here$/.test(address) ? new Promise((go) => {
  answers.push((said) => go(new Response(JSON.stringify(said))));
}) : sent(address, options));
import('/rig.js').then(async ({ get, post }) => {
  const heard = [];
  const hear = (name, work) => work.then((said) => heard.push(`${name} ${said}`));
  const answer = async (at) => {
    answers[at](at);
    await new Promise((go) => setTimeout(go, 50));
  };
  hear('first', get('/here'));
  hear('second', get('/here'));
  hear('elsewhere', get('/nowhere'));
  await answer(1);
  await answer(0); // asked for again: 3
  hear('third', get('/here'));
  hear('change', post('/here'));
  await answer(5);
  for (const at of [4, 3, 2, 6, 7, 8]) await answer(at);
  done([heard, answers.length]);
}).catch((error) => done(String(error)));
"""


def test_an_answer_that_was_overtaken_is_asked_for_again(tmp_path: Path) -> None:
    """By one to the same question that was asked later, or by the answer to a change."""
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone("en") as window,
    ):
        window.open(address(top, "statistics"))
        window.find("#view h1")
        heard = ["second 1", "change 5", "third 6", "first 7", "elsewhere 8"]
        assert window.run_async(IN_ORDER) == [heard, 9]
        assert window.log() == []
