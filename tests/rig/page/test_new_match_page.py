"""Beginning a match: what is asked for, and what is wrong, beside the field."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.rig.page.browser import browser_only, shots
from tests.rig.page.chromium import Phone, phone
from tests.rig.service.table_top import TableTop, table_top

pytestmark = browser_only
GO = {"en": "Begin a match", "fr": "Commencer une partie"}
TWO_SUITS = {"en": "Sabotage needs exactly two suits", "fr": "Le sabotage demande exactement deux"}
TAKEN = {"en": "Ada already plays Blue", "fr": "Ada joue déjà Bleu"}


def newest(top: TableTop) -> dict[str, Any]:
    (kept, *_) = top.store.matches.latest(1)
    return dict(kept.data)


def begun(window: Phone) -> None:
    window.find(".round")


def played_to_the_end(window: Phone, top: TableTop, seed: int) -> None:
    """The round ends by a photo that came in, is seen with its score, and is signed."""
    frame = top.frame(seed)
    window.tap(f"[data-frame='{frame}']")
    window.find(".ending .scores")
    window.tap(".ending .row .main")
    window.tap("[data-sign='table']")
    window.find(".badge.signed")


@pytest.mark.parametrize("language", ["en", pytest.param("fr", marks=pytest.mark.thorough)])
def test_what_is_wrong_stands_beside_its_field(tmp_path: Path, language: str) -> None:
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone(language, shots(f"new-match-{language}")) as window,
    ):
        url = f"{str(top.client.base_url).rstrip('/')}/#/match/new"
        window.open(url)
        window.type("#player-0", "Ada")
        window.type("#player-1", "Ben")
        assert not window.run("return document.querySelector('.suits').checkVisibility()")
        window.choose("[data-key='colour-1']", "blue")
        window.tap("[name=kind][value=sabotage]")
        window.find(".suits")
        window.tap("[name=suit-circle]")
        window.press(GO[language])
        window.until_text(TAKEN[language], "[data-fault='colour-1']")
        window.until_text(TWO_SUITS[language], "[data-fault='suits']")
        assert window.run("return document.activeElement.dataset.field") == "colour-1"
        window.shot("faults")
        assert window.too_small() == []
        assert not window.too_wide()
        assert top.store.matches.latest(1) == []
        window.choose("[data-key='colour-1']", "red")
        window.tap("[name=suit-square]")
        window.press(GO[language])
        begun(window)
        window.shot("sabotage")
        assert newest(top)["way"]["sabotage"]
        assert newest(top)["way"]["suits"] == ["circle", "square"]
        played_to_the_end(window, top, 1)
        window.shot("sabotage-signed")

        window.open(url)
        window.call("POST", "/refresh")
        window.find("#player-0")
        window.choose("[data-key='colour-1']", "blue")
        window.tap("[name=teams]")
        window.press(GO[language])
        begun(window)
        assert [one["colour"] for one in newest(top)["players"]] == ["blue", "blue"]
        played_to_the_end(window, top, 2)
        assert "Ada & Ben" in window.text(".scores")
        window.shot("teams-signed")
        assert window.log() == []
