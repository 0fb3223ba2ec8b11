"""What troubles say in a person's language: English from themselves, French from here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rig.wording.catalogue import filled
from rig.wording.kept_reasons import facts_of
from rig.wording.words import TROUBLES_FR
from vision.reason import Reason


def worded(key: str, facts: Mapping[str, Any], english: str, language: str) -> str:
    """A trouble's sentence in this language; English where there is no other."""
    template = TROUBLES_FR.get(key) if language == "fr" else None
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
