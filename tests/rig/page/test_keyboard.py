"""A round with nothing but a keyboard: every control is reached, in order, and seen to have it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rig.service.frames.reader import SeenText
from tests.rig.page.browser import browser_only, shots
from tests.rig.page.chromium import Phone, phone
from tests.rig.page.doubted_tables import doubted_table
from tests.rig.service.table_top import table_top
from tests.scenes import SCENES

pytestmark = browser_only
TAB, ENTER, SPACE, DOWN = "\ue004", "\ue007", " ", "\ue015"
MOST_STEPS = 80
HAS_FOCUS = "return document.activeElement?.matches(arguments[0]) ?? false"
FOCUS_SHOWS = """
const one = document.activeElement;
const shown = one.matches('.unseen') ? one.closest('label') : one;
const b = shown.getBoundingClientRect();
const drawn = getComputedStyle(shown);
return drawn.outlineStyle !== 'none' && parseFloat(drawn.outlineWidth) >= 2
  && b.bottom > 0 && b.top < innerHeight;
"""


def press(window: Phone, *keys: str) -> None:
    steps = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
    action: dict[str, Any] = {"type": "key", "id": "keys", "actions": steps}
    window.call("POST", "/actions", {"actions": [action]})


def tab_to(window: Phone, css: str) -> None:
    """Press Tab until this has the focus; wherever that is, it shows."""
    window.find(css)
    for _ in range(MOST_STEPS):
        if window.run(HAS_FOCUS, css):
            assert window.run(FOCUS_SHOWS), f"the focus on {css} does not show"
            return
        press(window, TAB)
    raise AssertionError(f"{css} is not reached by Tab; the page says:\n{window.text()}")


def test_a_round_by_keyboard_alone(tmp_path: Path) -> None:
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone("en", shots("keyboard")) as window,
    ):
        top.reader.outcome = SeenText(doubted_table())
        frame = top.upload((SCENES / "two-walnut" / "image.jpg").read_bytes()).json()["id"]
        window.open(str(top.client.base_url))
        tab_to(window, "#tabs [data-key='match']")
        press(window, ENTER)
        tab_to(window, "#player-0")
        press(window, *"Ada")
        tab_to(window, "#player-1")
        press(window, *"Ben")
        tab_to(window, "form button[type=submit]")
        press(window, ENTER)
        window.find(".round")
        for chooser in ("#round-take", "#round-choose"):
            tab_to(window, chooser)
        tab_to(window, f"[data-frame='{frame}']")
        press(window, ENTER)
        window.find(".ending .scores")
        tab_to(window, ".ending .row .main")
        window.shot("preview")
        press(window, SPACE)
        window.find("[data-sign='table']")
        tab_to(window, ".round .newest")
        press(window, ENTER)
        answer_a_question(window)
        correct_a_card(window)
        tab_to(window, "#bar button")
        press(window, ENTER)
        tab_to(window, "[data-sign='table']")
        window.shot("sign")
        press(window, ENTER)
        window.find(".badge.signed")
        assert window.log() == []


def answer_a_question(window: Phone) -> None:
    """From the list to the question and its answer; Escape goes back to the list."""
    tab_to(window, "[data-tab='check']")
    press(window, ENTER)
    tab_to(window, "[data-trouble]")
    press(window, ENTER)
    tab_to(window, ".answers .answer")
    window.shot("question")
    before = int(window.text("[data-tab='check'] .count"))
    press(window, ENTER)
    window.until(lambda: int(window.text("[data-tab='check'] .count")) < before, "an answer")
    press(window, "\ue00c")  # the message
    press(window, "\ue00c")
    window.find("[data-trouble]")
    assert window.run(HAS_FOCUS, "[data-tab='check']")


def correct_a_card(window: Phone) -> None:
    tab_to(window, "[data-tab='cards']")
    press(window, SPACE)
    tab_to(window, ".cards .line")
    press(window, ENTER)
    tab_to(window, "[data-fix='colour'] summary")
    press(window, ENTER)
    tab_to(window, "[data-fix='colour'] [data-colour='green']")
    press(window, ENTER)
    window.until_text("is now Green", "#told")
    window.shot("corrected")
