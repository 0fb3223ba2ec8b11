"""What troubles that were kept as their key and facts say in a person's language."""

from collections.abc import Mapping
from typing import Any

from rig.wording.catalogue import trouble_sentence
from rig.wording.kept_reasons import facts_of
from vision.reason import Reason


def worded(key: str, facts: Mapping[str, Any], english: str, language: str) -> str:
    """A trouble's sentence in this language; English where there is no other."""
    if language == "en":
        return english
    try:
        return trouble_sentence(key, facts_of(facts), language)
    except (KeyError, IndexError, ValueError):
        return english


def in_either_language(key: str, facts: Mapping[str, Any], english: str) -> Reason:
    """A trouble's sentence as a reason beside others."""
    told = {"english": english, "french": worded(key, facts, english, "fr")}
    return Reason("in-either-language", told)
