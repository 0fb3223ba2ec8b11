"""The words themselves, which stand in `words/LANGUAGE.json` and `words/page/LANGUAGE.json`.

`words/LANGUAGE.json` is what the rig tells, by subject: a sentence for each code of a reason, and
for each key of a trouble. `words/page/` is what the page says, by its own keys; it fetches it as it
stands. What both say stands there once.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).with_name("words")
PAGE_FOLDER = FOLDER / "page"
ALSO_TOLD = (
    "start-alone",
    "no-card-lies",
    "outcomes-lead",
    "camera-not-connected",
    "camera.waiting.do",
)
"""The page's keys that are codes of reasons too."""
_TROUBLES = ("troubles", "troubles of commands")
_NAMES = ("colours of cards", "edges", "places", "roles")


class Words(NamedTuple):
    """Templates of the same facts (`rig.wording.languages`)."""

    english: str
    french: str


def _read(path: Path) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads(path.read_text("utf-8"))
    return found


def page_words(language: str) -> dict[str, str]:
    """What the page says, by its keys."""
    found: dict[str, str] = json.loads((PAGE_FOLDER / f"{language}.json").read_text("utf-8"))
    return found


def _both(english: Mapping[str, str], french: Mapping[str, str]) -> dict[str, Words]:
    return {code: Words(text, french.get(code, text)) for code, text in english.items()}


_ENGLISH, _FRENCH = _read(FOLDER / "en.json"), _read(FOLDER / "fr.json")
_PAGE = _both(page_words("en"), page_words("fr"))
SUBJECTS: Mapping[str, Mapping[str, Words]] = {
    **{
        subject: _both(told, _FRENCH[subject])
        for subject, told in _ENGLISH.items()
        if subject not in (*_TROUBLES, *_NAMES)
    },
    "also on the page": {code: _PAGE[code] for code in ALSO_TOLD},
}
"""The sentences of reasons by subject and code.

`requests`: by pydantic's codes, whose own English is told, with its facts. `doubts` has
`in-english`, of a reading that was kept before its doubts had codes; `either` what a trouble says,
which has its own key; `stages` how far a reading had come when its time was over.
"""
TROUBLES: Mapping[str, Mapping[str, str]] = {
    "en": {key: text for subject in _TROUBLES for key, text in _ENGLISH[subject].items()},
    "fr": _FRENCH["troubles"],
}
"""What troubles say, by language and the trouble's key. Commands, which run in a terminal, speak
English alone.
"""
SUIT_SIGNS = {suit: _PAGE[f"suit.{suit}.sign"].english for suit in ("circle", "square", "triangle")}
"""How people see a suit: `red 3 ■` is the face `square-3` in red."""
FRENCH_SUITS = {suit: _PAGE[f"suit.{suit}"].french for suit in SUIT_SIGNS}
FRENCH_NAMES = {kind: _FRENCH[kind] for kind in _NAMES}
"""How names that facts have are said: colours as they stand beside "carte", edges and places of a
picture, roles. Others, as a deck may have them, stay as they are.
"""
