"""Several photos of one table, chosen on the page and read as one."""

from __future__ import annotations

from pathlib import Path

import pytest

from rig.service.frames.reader import SeenText
from rig.store.seen_json import seen_text
from tests.rig.page.browser import browser_only, shots
from tests.rig.page.chromium import phone
from tests.rig.service.table_top import jpeg, table_top
from tests.vision.together.photographed import SIZE, camera, photographed, table, washed

pytestmark = browser_only
TABLE = table()
LEFT, RIGHT = camera(TABLE, (-300, 100, 900)), camera(TABLE, (300, -50, 950))


@pytest.mark.parametrize("language", ["en", "fr"])
def test_photos_of_one_table_are_chosen_and_read_as_one(tmp_path: Path, language: str) -> None:
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone(language, shots(f"together-{language}")) as window,
    ):
        photos = [
            photographed(TABLE, LEFT, doubts=washed(TABLE, 3)),
            photographed(TABLE, RIGHT, doubts=washed(TABLE, 9), turn_deg=75, seed=1),
        ]
        frames = []
        for seed, photo in enumerate(photos):
            top.reader.outcome = SeenText(seen_text(photo.reading.seen))
            frames.append(top.upload(jpeg(seed, SIZE)).json()["id"])
        window.open(f"{str(top.client.base_url).rstrip('/')}/#/photo/{frames[0]}")
        before = window.text(".panel")
        window.tap("details[data-key='together'] summary")
        window.tap(f"[data-together='{frames[1]}']")
        window.shot("chosen")
        assert window.too_small() == []
        assert not window.too_wide()
        window.tap("[data-key='together-read']")
        window.find(".together")
        assert window.text(".panel") != before
        reading = top.get(f"/frames/{frames[0]}/reading").json()
        assert reading["together"] == frames
        assert reading["sure"]
        window.until_text("2", ".together")
        window.shot("read")
        window.tap("details[data-key='together'] summary")
        window.tap("[data-key='together-alone']")
        gone = "return document.querySelector('.together') === null"
        window.until(lambda: window.run(gone), "the reading of this photo alone")
        assert top.get(f"/frames/{frames[0]}/reading").json()["together"] is None
        assert window.log() == []
