"""All sentences by their codes, and the one way from a reason to a sentence."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from rig.wording.doctor_words import DOCTOR
from rig.wording.doubt_words import DOUBTS
from rig.wording.languages import ENGLISH, FRENCH
from rig.wording.lens_words import LENSES
from rig.wording.listener_words import LISTENERS
from rig.wording.placement_words import PLACEMENTS
from rig.wording.reading_words import BARE, OUTCOMES, REFUSALS, STAGES
from rig.wording.referee_words import REFEREE
from rig.wording.replay_words import REPLAY
from rig.wording.request_words import LENS_FILES, MATCHES, REQUESTS
from rig.wording.setup_words import SETUP
from rig.wording.words import Words

PARTS = (
    DOUBTS,
    OUTCOMES,
    BARE,
    REFUSALS,
    STAGES,
    PLACEMENTS,
    MATCHES,
    REQUESTS,
    LENS_FILES,
    LENSES,
    DOCTOR,
    SETUP,
    LISTENERS,
    REFEREE,
    REPLAY,
)
CATALOGUE: Mapping[str, Words] = ChainMap(*map(dict, PARTS))


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


def filled(template: str, facts: Mapping[str, object], language: str = "en") -> str:
    """A template with its facts; those that are reasons are sentences in it."""
    written = {
        name: sentence(fact, language) if isinstance(fact, Coded) else fact
        for name, fact in facts.items()
    }
    return (FRENCH if language == "fr" else ENGLISH).vformat(template, (), written)
