"""A score that is not sure: what it may turn out to be, below it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from measuring.scenes.true_reading import true_table
from rig.service.frames.reader import SeenText
from rig.store.seen_json import seen_text
from tests.conftest import cases_quick_or_thorough
from tests.referee.corrections.outcome_tables import there, tops
from tests.rig.page.browser import browser_only, shots
from tests.rig.page.chromium import Phone, phone
from tests.rig.service.table_top import TableTop, jpeg, table_top
from tests.scenes import scene
from vision.reading import Doubt
from vision.reason import Reason

pytestmark = browser_only
FRENCH = ("fr", "Comme lu", "Autre")
LANGUAGES = cases_quick_or_thorough([("en", "As read", "Something else"), FRENCH], [FRENCH])
"""The longer of the two, which needs more room; other tests here are in English."""
IN_VIEW = "document.querySelector('.outcomes').scrollIntoView({block: 'start'});"
WITHOUT_LEADERS = """
import("/photo/outcomes.js").then(({ outcomesPart }) => {
  const read = { red: 3, blue: 2 };
  const outcomes = [read, { red: 4, blue: 2 }]
    .map((one) => ({ scores_without_illegal: one, probability: 0.4 }));
  const reading = { outcomes, scores_without_illegal: read, sure_without_illegal: false };
  const count = (tag) => outcomesPart(reading).querySelectorAll(tag).length;
  document.title = `${count("li")} lines, ${count("p")} leads`;
}).catch((error) => { document.title = String(error); });
"""
LINES = "return [...document.querySelectorAll('.outcomes li')].map((one) => one.innerText);"


def not_there(name: str, count: int) -> tuple[Doubt, ...]:
    """Of so many cards of a scene whether they are there, each weighed."""
    seen = true_table(scene(name).truth)
    return tuple(there(seen, card, -10.0) for card in tops(seen)[:count])


def opened(top: TableTop, window: Phone, name: str, doubts: tuple[Doubt, ...] = ()) -> None:
    """The photo of a scene with these doubts."""
    seen = true_table(scene(name).truth)
    top.reader.outcome = SeenText(seen_text(replace(seen, doubts=doubts)))
    frame = top.upload(jpeg(6, scene(name).image_bgr.shape[1::-1])).json()
    window.open(f"{str(top.client.base_url).rstrip('/')}/#/photo/{frame['id']}?tab=score")
    window.find(".scores")


def lines(window: Phone) -> list[str]:
    said: list[str] = window.run(LINES)
    return [" ".join(one.replace("\N{NO-BREAK SPACE}", " ").split()) for one in said]


@pytest.mark.parametrize(("language", "read", "rest"), LANGUAGES)
def test_what_the_score_may_be_with_its_share(
    tmp_path: Path, language: str, read: str, rest: str
) -> None:
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone(language, shots(f"outcomes-{language}")) as window,
    ):
        opened(top, window, "panel-oak", not_there("panel-oak", 2))
        window.find(".outcomes")
        window.run(IN_VIEW)
        window.shot("shares")
        told = lines(window)
        assert len(told) == 5
        assert told[0].startswith(read)
        assert all("(−" in line for line in told[1:4])
        assert told[-1].startswith(rest)
        assert all(line.endswith(" %") for line in told)
        shares = [int(line.split()[-2]) for line in told]
        assert shares[:-1] == sorted(shares[:-1], reverse=True)
        assert abs(sum(shares) - 100) <= 2
        assert not window.too_wide()
        window.enlarge_text()
        window.until(lambda: not window.too_wide(), "room for large text")
        window.run(IN_VIEW)
        window.shot("large")
        assert window.log() == []


@pytest.mark.parametrize(("language", "read", "rest"), LANGUAGES)
def test_what_was_read_has_its_share_where_nothing_else_can_be_named(
    tmp_path: Path, language: str, read: str, rest: str
) -> None:
    missing = Doubt(
        "missing", None, (900.0, 300.0), Reason("start-not-seen"), {"red": 1}, {"red": 1}
    )
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone(language, shots(f"outcomes-one-{language}")) as window,
    ):
        opened(top, window, "panel-oak", (missing,))
        window.find(".outcomes")
        window.run(IN_VIEW)
        window.shot("one")
        as_read, other = lines(window)
        assert as_read.startswith(read)
        assert other.startswith(rest)
        assert abs(sum(int(line.split()[-2]) for line in (as_read, other)) - 100) <= 1
        assert window.run("return document.querySelector('.outcomes p') === null")
        assert not window.too_wide()
        assert window.log() == []


def test_the_likeliest_of_many_and_who_leads_in_all(tmp_path: Path) -> None:
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone("en", shots("outcomes-lead")) as window,
    ):
        opened(top, window, "two-walnut", not_there("two-walnut", 3))
        window.find(".outcomes")
        window.run(IN_VIEW)
        window.shot("lead")
        told = lines(window)
        assert len(told) == 6
        assert told[-1].startswith("Something else ")
        assert all(line.endswith(" %") for line in told)
        assert abs(sum(int(line.split()[-2]) for line in told) - 100) <= 3
        said = window.text(".outcomes")
        assert "In the lead in all of these: Purple. Something that is not listed" in said


def test_of_a_borderline_placement_there_is_nothing_else(tmp_path: Path) -> None:
    """It is legal or illegal."""
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone("en", shots("outcomes-borderline")) as window,
    ):
        opened(top, window, "two-walnut")
        window.find(".outcomes")
        window.run(IN_VIEW)
        window.shot("borderline")
        told = lines(window)
        assert len(told) == 2
        assert window.text(".outcomes p") == "In the lead in all of these: Purple."
        assert sum(line.startswith("As read ") for line in told) == 1
        assert sum("(−" in line for line in told) == 1
        assert abs(sum(int(line.split()[-2]) for line in told) - 100) <= 1


def test_a_reading_that_does_not_say_who_leads_is_shown_all_the_same(tmp_path: Path) -> None:
    """As an older rig tells it."""
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone("en", shots("outcomes-older")) as window,
    ):
        opened(top, window, "panel-oak")
        before = window.run("return document.title")
        window.run(WITHOUT_LEADERS)
        window.until(lambda: window.run("return document.title") != before, "an answer")
        assert window.run("return document.title") == "3 lines, 0 leads"


def test_a_sure_score_is_all_there_is(tmp_path: Path) -> None:
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone("en", shots("outcomes-sure")) as window,
    ):
        opened(top, window, "panel-oak")
        assert window.run("return document.querySelector('.outcomes') === null")
