"""Reasons as JSON values, to be kept and told in any language later."""

import re
from collections.abc import Mapping
from functools import cache
from string import Formatter
from typing import Any

from rig.wording.catalogue import sentence
from rig.wording.words import SUBJECTS
from vision.reason import Reason


def reason_data(reason: Reason) -> dict[str, Any]:
    """A reason whose facts are texts, numbers and reasons; and what it is called today."""
    facts = facts_data(reason.facts)
    return {"code": reason.code, "facts": facts, "english": sentence(reason)}


def facts_data(facts: Mapping[str, object]) -> dict[str, Any]:
    """Facts as JSON values; what is neither a number nor a reason is kept as its text."""
    return {name: _data(fact) for name, fact in facts.items()}


def reason_of(data: Mapping[str, Any] | str) -> Reason:
    """The reason that was kept. A text of before reasons had codes is known by its words. What
    another version kept in other words stays English: such a text, and a code or facts that the
    catalogue does not have any more.
    """
    if isinstance(data, str):
        return _of_text(data)
    reason = Reason(data["code"], facts_of(data["facts"]))
    try:
        for language in ("en", "fr"):
            sentence(reason, language)
    except (KeyError, TypeError, ValueError):
        return Reason("in-english", {"sentence": data["english"]})
    return reason


def _of_text(text: str) -> Reason:
    for code, words in _plain_doubts().items():
        if found := words.fullmatch(text):
            return Reason(code, found.groupdict())
    return Reason("in-english", {"sentence": text})


@cache
def _plain_doubts() -> dict[str, re.Pattern[str]]:
    """The sentences of doubts whose only facts are names of colours and faces, by their codes."""
    found = {}
    plain_first = sorted(SUBJECTS["doubts"].items(), key=lambda one: one[1].english.count("{"))
    for code, words in plain_first:
        parts = list(Formatter().parse(words.english))
        if all(name is None or spec in ("colour", "face") for _, name, spec, _ in parts):
            pattern = [
                re.escape(text) + (f"(?P<{name}>.+)" if name else "") for text, name, _, _ in parts
            ]
            found[code] = re.compile("".join(pattern))
    return found


def facts_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """The facts that were kept by `facts_data`."""
    return {
        name: reason_of(value) if isinstance(value, Mapping) else value
        for name, value in data.items()
    }


def _data(fact: object) -> Any:
    if isinstance(fact, Reason):
        return reason_data(fact)
    if isinstance(fact, list | tuple):
        return [_data(one) for one in fact]
    return fact if isinstance(fact, str | int | float) else str(fact)
