"""All sentences by their codes, and the one way from a reason to a sentence."""

from collections import ChainMap
from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from rig.wording.languages import ENGLISH, FRENCH
from rig.wording.words import SUBJECTS, TROUBLES, Words

CATALOGUE: Mapping[str, Words] = ChainMap(*map(dict, SUBJECTS.values()))


@runtime_checkable
class Coded(Protocol):
    """A `vision.reason.Reason`, known without its package: the camera's process, which has troubles
    too, has no package but `rig`.
    """

    @property
    def code(self) -> str:
        """What it is."""

    @property
    def facts(self) -> Mapping[str, Any]:
        """The facts of the case."""


def sentence(reason: Coded, language: str = "en") -> str:
    """What to tell a person. KeyError for a code or a fact that the catalogue does not have."""
    words = CATALOGUE[reason.code]
    return filled(words.french if language == "fr" else words.english, reason.facts, language)


def trouble_sentence(key: str, facts: Mapping[str, object], language: str = "en") -> str:
    """What a trouble says. KeyError for one that is not said in this language, or for a fact."""
    return filled(TROUBLES[language][key], facts, language)


def filled(template: str, facts: Mapping[str, object], language: str = "en") -> str:
    """A template with its facts; those that are reasons are sentences in it."""
    written = {
        name: sentence(fact, language) if isinstance(fact, Coded) else fact
        for name, fact in facts.items()
    }
    return (FRENCH if language == "fr" else ENGLISH).vformat(template, (), written)
