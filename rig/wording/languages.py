"""How facts are written in a language: cards, colours, faces, numbers and lists of these.

A template's field names a fact and how it is written: `{offset_mm:.1f}` is a number,
`{rival:colour}` a colour, `{on:listed}` cards with the article; `{count:# photo|# photos}` is said
of one and of many, and of three such forms the first of none. A fact that is itself a reason is a
sentence in it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import TYPE_CHECKING, Any

from rig.wording.words import FRENCH_SUITS, SUIT_SIGNS

if TYPE_CHECKING:
    from vision.reason import CardName

Write = Callable[[Any], str]
FRENCH_COLOURS = {
    "blue": "bleue",
    "green": "verte",
    "orange": "orange",
    "pink": "rose",
    "purple": "violette",
    "red": "rouge",
    "white": "blanche",
    "yellow": "jaune",
    "black": "noire",
    "grey": "grise",
    "brown": "brune",
    "teal": "sarcelle",
    "turquoise": "turquoise",
}
"""Colours as they stand beside "carte"; others keep the deck's name."""
_FRENCH_EDGES = {"left": "gauche", "top": "haut", "right": "droit", "bottom": "bas"}
_FRENCH_PLACES = {
    "top left": "en haut à gauche",
    "top": "dans le haut",
    "top right": "en haut à droite",
    "left": "dans la partie gauche",
    "middle": "au milieu",
    "right": "dans la partie droite",
    "bottom left": "en bas à gauche",
    "bottom": "dans le bas",
    "bottom right": "en bas à droite",
}
_FRENCH_ROLES = {"viewer": "spectateur", "player": "joueur"}


@dataclass(frozen=True)
class Language(Formatter):
    """Fills templates. `kinds`: how the kinds of facts are written that are not numbers; `is_one`:
    the numbers that are said as one is.
    """

    kinds: Mapping[str, Write]
    number: Callable[[str], str]
    is_one: Callable[[float], bool]

    def format_field(self, value: Any, format_spec: str) -> str:
        """A fact as its field wants it."""
        if format_spec in self.kinds:
            return self.kinds[format_spec](value)
        if "|" in format_spec:
            return self._counted(value, *format_spec.split("|")).replace("#", str(value))
        written = format(value, format_spec)
        return self.number(written) if isinstance(value, float) else written

    def _counted(self, count: float, *forms: str) -> str:
        *none, one, many = forms
        if count == 0 and none:
            return none[0]
        return one if self.is_one(count) else many


def without_signs(text: str, language: str = "en") -> str:
    """A text in letters that every font has: names of suits for their signs, plain spaces."""
    for suit, sign in SUIT_SIGNS.items():
        text = text.replace(sign, FRENCH_SUITS[suit] if language == "fr" else suit)
    return text.replace("\N{NO-BREAK SPACE}", " ")


def _plain(name: str) -> str:
    return name


def _card(card: CardName) -> str:
    return "the starting card" if card.face is None else f"the {card.colour} {face_name(card.face)}"


def _this_card(card: CardName) -> str:
    return "The starting card" if card.face is None else f"This {card.colour} card"


def _first(cards: Sequence[CardName]) -> str:
    return _card(cards[0]) if cards else "card below"


def _listed(cards: Sequence[CardName]) -> str:
    return _joined([_card(card) for card in cards], "and")


def _colour_fr(name: str) -> str:
    return FRENCH_COLOURS.get(name, name)


def face_name(face: str) -> str:
    """How people call a face, `3 ■` for `square-3`; a face without a suit keeps its name."""
    suit, _, value = face.partition("-")
    return f"{value}\N{NO-BREAK SPACE}{SUIT_SIGNS[suit]}" if suit in SUIT_SIGNS else face


def _faces(faces: Sequence[str]) -> str:
    return ", ".join(map(face_name, faces))


def _card_fr(card: CardName) -> str:
    if card.face is None:
        return "la carte de départ"
    return f"la carte {_colour_fr(str(card.colour))} ({face_name(card.face)})"


def _this_card_fr(card: CardName) -> str:
    if card.face is None:
        return "La carte de départ"
    return f"Cette carte {_colour_fr(str(card.colour))}"


def _first_fr(cards: Sequence[CardName]) -> str:
    return _card_fr(cards[0]) if cards else "la carte dessous"


def _listed_fr(cards: Sequence[CardName]) -> str:
    return _joined([_card_fr(card) for card in cards], "et")


def _with_article(word: str) -> str:
    """A kind of file with its article: a JPEG, an ICO."""
    return f"{'an' if word[:1] in 'AEIO' else 'a'} {word}"


def _either(names: Sequence[object] | str) -> str:
    return names if isinstance(names, str) else _joined([str(name) for name in names], "or")


def _either_fr(names: Sequence[object] | str) -> str:
    return names if isinstance(names, str) else _joined([str(name) for name in names], "ou")


def _role_fr(role: str) -> str:
    return _FRENCH_ROLES.get(role, role)


def _joined(names: Sequence[str], last: str) -> str:
    return f" {last} ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _number_fr(written: str) -> str:
    return written.replace(".", ",").replace("%", " %")


ENGLISH = Language(
    {
        "colour": _plain,
        "face": face_name,
        "faces": _faces,
        "card": _card,
        "this": _this_card,
        "first": _first,
        "listed": _listed,
        "either": _either,
        "a": _with_article,
        "role": _plain,
        "edge": _plain,
        "place": _plain,
    },
    number=_plain,
    is_one=lambda count: count == 1,
)
FRENCH = Language(
    {
        "colour": _colour_fr,
        "face": face_name,
        "faces": _faces,
        "card": _card_fr,
        "this": _this_card_fr,
        "first": _first_fr,
        "listed": _listed_fr,
        "either": _either_fr,
        "role": _role_fr,
        "edge": _FRENCH_EDGES.__getitem__,
        "place": _FRENCH_PLACES.__getitem__,
    },
    number=_number_fr,
    is_one=lambda count: abs(count) < 2,
)
