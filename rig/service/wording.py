"""Sentences to people in their language: English from the troubles themselves, French here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rig.service.wording_fr import FRENCH
from rig.wording.catalogue import filled
from rig.wording.kept_reasons import facts_of
from vision.reason import Reason

LANGUAGES = ("en", "fr")


def language_of(accept: str | None) -> str:
    """The language that an Accept-Language header asks for most; English if it names neither."""
    best, wanted = 0.0, LANGUAGES[0]
    for part in (accept or "").split(",")[:20]:
        name, _, rest = part.strip().partition(";")
        language = name.strip().lower().partition("-")[0]
        weight = _weight(rest)
        if language in LANGUAGES and weight > best:
            best, wanted = weight, language
    return wanted


def worded(key: str, facts: Mapping[str, Any], english: str, language: str) -> str:
    """A trouble's sentence in this language; English where there is no other."""
    template = FRENCH.get(key) if language == "fr" else None
    if template is None:
        return english
    try:
        return filled(template, facts_of(facts), language)
    except (KeyError, IndexError, ValueError):
        return english


def in_either_language(key: str, facts: Mapping[str, Any], english: str) -> Reason:
    """A trouble's sentence as a reason beside others."""
    told = {"english": english, "french": worded(key, facts, english, "fr")}
    return Reason("in-either-language", told)


def _weight(rest: str) -> float:
    _, _, text = rest.replace(" ", "").partition("q=")
    try:
        return min(1.0, float(text)) if text else 1.0
    except ValueError:
        return 0.0
