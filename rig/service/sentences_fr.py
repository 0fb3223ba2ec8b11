"""French for sentences that come in English from where the picture is read and matches are made.

Those places know nothing of languages. Each kind of sentence is a pattern here, its
parameters are the groups; a sentence that no pattern knows stays English.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from rig.service import listener_sentences_fr as listener
from rig.wording.languages import FRENCH_COLOURS

Words = Callable[[str], str]

_SUITS = {"circle": "rond", "square": "carré", "triangle": "triangle"}


def _colour(name: str) -> str:
    return FRENCH_COLOURS.get(name, name)


def _face(face: str) -> str:
    suit, dash, value = face.partition("-")
    return f"{_SUITS[suit]} {value}" if dash and suit in _SUITS else face


def _number(text: str) -> str:
    return text.replace(".", ",").replace("%", " %")


_GROUPS: Mapping[str, Words] = {
    "colour": _colour,
    "rival": _colour,
    "face": _face,
    "other": _face,
    **dict.fromkeys(("n", "most", "wide", "high", "needed", "found"), _number),
}
"""How each named part of a pattern is put into French; other parts stay."""


def _compiled() -> list[tuple[re.Pattern[str], str]]:
    known = {**listener.SENTENCES}.items()
    return [(re.compile(start), french) for start, french in known]


_KNOWN = _compiled()


def in_french(sentence: str) -> str | None:
    """The sentence in French, or None if it is not known here."""
    for pattern, french in _KNOWN:
        if found := pattern.fullmatch(sentence):
            return _filled(french, found.groupdict())
    return None


def _filled(french: str, parts: Mapping[str, str | None]) -> str:
    return french.format(
        **{name: _GROUPS.get(name, str)(part) for name, part in parts.items() if part is not None}
    )
