"""French for sentences that come in English from where the picture is read and matches are made.

Those places know nothing of languages. Each kind of sentence is a pattern here, its
parameters are the groups; a sentence that no pattern knows stays English.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from rig.service import lens_sentences_fr as lens
from rig.service import listener_sentences_fr as listener
from rig.service import setup_sentences_fr as setup
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
    **lens.GROUPS,
    **setup.GROUPS,
}
"""How each named part of a pattern is put into French; other parts stay."""

_N = r"[\d.]+%?"
_SENTENCES: Mapping[str, str] = {
    # Roles.
    r"viewer": "spectateur",
    r"player": "joueur",
    # Kinds of photo.
    r"(?P<kinds>[A-Z]\w+(?:, [A-Z]\w+)*) or (?P<kind>[A-Z]\w+)": "{kinds} ou {kind}",
    # What does not go together in a match.
    r"each of its rounds has its own suit, so no others can be chosen": (
        "chacune de ses manches a son signe, on ne peut pas en choisir d'autres"
    ),
    r"needs two suits in play, one to keep and one to pass on": (
        "il faut deux signes en jeu, l'un à garder et l'autre à passer"
    ),
    r"needs two colours at least": "il faut au moins deux couleurs",
    r"name at least one": "donnez-en au moins un",
    r"limited space ends after three rounds": "l'espace limité finit après trois manches",
    r"this deck has (?P<list>.+)": "ce jeu a {list}",
    r"a name has 1 to (?P<n>\d+) letters": "un nom a de 1 à {n} lettres",
    r"two have the same name": "deux portent le même nom",
    r"more than (?P<n>\d+) play (?P<list>.+)": "plus de {n} jouent {list}",
    r"more than (?P<list>illegal_\w+)": "plus que {list}",
    r"expected (?P<list>.+)": "attendu : {list}",
    # What a request must hold.
    r"field required": "ce champ manque",
    r"extra inputs are not permitted": "ce champ est inconnu",
    r"input should be (?P<list>.+)": "attendu : {list}",
    r"string should have at least (?P<n>\d+) characters?": "au moins {n} lettre(s)",
    r"string should have at most (?P<n>\d+) characters?": "au plus {n} lettres",
    r"string should match pattern (?P<list>.+)": "des lettres non permises",
    r"list should have at (?:least|most) (?P<n>\d+) items? .+": "attendu : {n} éléments",
    r"is missing": "manque",
    r"is not JSON": "n'est pas du JSON",
}


def _compiled() -> list[tuple[re.Pattern[str], str]]:
    known = (*_SENTENCES.items(), *setup.SENTENCES.items())
    known += (*lens.SENTENCES.items(), *listener.SENTENCES.items())
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
