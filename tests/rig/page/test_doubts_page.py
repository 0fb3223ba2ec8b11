"""Doubts as questions: one tap answers, and the next question comes, until none is left."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.corrections.base_rates import COUNTED, DoubtCounts
from rig.service.frames.reader import SeenText
from tests.rig.page.browser import browser_only, shots
from tests.rig.page.chromium import Phone, phone
from tests.rig.page.doubted_tables import doubted_table
from tests.rig.service.table_top import TableTop, jpeg, table_top

pytestmark = browser_only
SIZE_WH = (1296, 972)
DONE = {
    "en": "All checked: nothing is left to look at.",
    "fr": "Tout est vérifié : il ne reste rien à regarder.",
}


@pytest.fixture(autouse=True)
def as_read_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever was counted: which answer is given here goes by their order."""
    counted = dict.fromkeys(COUNTED, DoubtCounts(as_read=6, another=3, other=1))
    monkeypatch.setattr("referee.corrections.base_rates.COUNTED", counted)


def open_count(window: Phone) -> int:
    return int(window.text("[data-tab='check'] .count"))


@pytest.mark.parametrize("language", ["en", pytest.param("fr", marks=pytest.mark.thorough)])
def test_every_question_is_answered_with_one_tap(tmp_path: Path, language: str) -> None:
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone(language, shots(f"doubts-{language}")) as window,
    ):
        top.reader.outcome = SeenText(doubted_table())
        frame = top.upload(jpeg(6, SIZE_WH)).json()
        reading = frame["reading"]
        window.open(f"{str(top.client.base_url).rstrip('/')}/#/photo/{frame['id']}?tab=check")
        window.find("[data-trouble]")
        window.shot("list")
        wanted = len(reading["doubts"]) + len(reading["illegal"])
        assert open_count(window) == wanted == 8
        window.tap("[data-trouble]")
        while wanted:
            window.find(".answers")
            assert window.too_small() == []
            assert not window.too_wide()
            assert window.run(RING_IS_BARE), "something is drawn on what is asked about"
            window.shot(f"question-{wanted}")
            answer(window, top, frame["id"])
            wanted -= 1
            window.until(lambda left=wanted: open_count(window) == left, f"{wanted} left")
        window.until_text(DONE[language])
        window.shot("done")
        window.tap("summary[data-key='agreed']")
        window.shot("agreed")
        window.tap("[data-tab='changes']")
        window.find("[data-correction]")
        window.shot("corrections")
        assert window.log() == []


def test_answers_that_were_not_worked_out_come_with_their_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rig.service.frames.frame_readings.ANSWERS_S", -1.0)
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone("en", shots("doubts-late")) as window,
    ):
        top.reader.outcome = SeenText(doubted_table())
        frame = top.upload(jpeg(6, SIZE_WH)).json()
        assert not any(doubt["judged"] for doubt in frame["reading"]["doubts"] if doubt["card"])
        window.open(f"{str(top.client.base_url).rstrip('/')}/#/photo/{frame['id']}?tab=check")
        for left in (8, 7, 6):
            if left == 8:
                window.tap("[data-trouble]")
            window.find(".answers .answer:not([data-answer='other'])")  # those are asked for
            assert open_count(window) == left
            answer(window, top, frame["id"])
            window.until(lambda left=left: open_count(window) == left - 1, f"{left - 1} left")
        window.shot("answered")
        assert window.log() == []


ANSWERS = """
return [...document.querySelectorAll('.answers .answer')].map((one) => one.dataset.answer)
  .filter((one) => one !== 'other');
"""
RING_IS_BARE = """
const ring = document.querySelector('.flag .ring');
const drawn = [...document.querySelectorAll('.overlay .badge, .overlay .flag > g')];
const b = ring.getBoundingClientRect();
const x = (b.left + b.right) / 2, y = (b.top + b.bottom) / 2;
return document.querySelectorAll('.flag').length === 1 && drawn.every((one) => {
  const d = one.getBoundingClientRect();
  return x < d.left || x > d.right || y < d.top || y > d.bottom;
});
"""


def answer(window: Phone, top: TableTop, frame: str) -> None:
    """Tap the last answer (a face and a colour stay as read), and see its promise come true."""
    # Drawn anew, a doubt stands a moment without the answers that are asked for.
    keys = window.until(lambda: window.run(ANSWERS), "answers")
    key = keys[0 if keys[0].startswith(("face", "colour")) else -1]
    before = top.get(f"/frames/{frame}/reading").json()
    asked = {one["key"]: one["answers"] for one in before["doubts"]}
    asked |= {item["card"]: item["answers"] for item in before["illegal"]}
    for one in (*before["doubts"], *before["illegal"]):
        if not one["judged"]:
            address = f"doubts/{one['key']}" if "key" in one else f"illegal/{one['card']}"
            answers = top.get(f"/frames/{frame}/{address}").json()["answers"]
            asked[one.get("key", one["card"])] = answers
    window.tap(f".answers [data-answer='{key}']")

    def moved_on() -> bool:
        now = top.get(f"/frames/{frame}/reading").json()
        return bool(now["version"] > before["version"])

    window.until(moved_on, "the answer")
    after = top.get(f"/frames/{frame}/reading").json()
    left = {doubt["key"] for doubt in after["doubts"]}
    left |= {item["card"] for item in after["illegal"] if not item["agreed"]}
    promised = [
        one["scores_without_illegal"]
        for key_asked, answers in asked.items()
        if key_asked not in left
        for one in answers
        if f"{one['answer']}-{str(one['value']).lower()}" == key.lower()
    ]
    assert after["scores_without_illegal"] in promised
