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

from rig.wording.words import FRENCH_NAMES, FRENCH_SUITS, SUIT_SIGNS

if TYPE_CHECKING:
    from vision.reason import CardName

Write = Callable[[Any], str]


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


def face_name(face: str) -> str:
    """How people call a face, `3 ■` for `square-3`; a face without a suit keeps its name."""
    suit, _, value = face.partition("-")
    return f"{value}\N{NO-BREAK SPACE}{SUIT_SIGNS[suit]}" if suit in SUIT_SIGNS else face


def _faces(faces: Sequence[str]) -> str:
    return ", ".join(map(face_name, faces))


def _plain(name: str) -> str:
    return name


def _with_article(word: str) -> str:
    """A kind of file with its article: a JPEG, an ICO."""
    return f"{'an' if word[:1] in 'AEIO' else 'a'} {word}"


def _named(kind: str) -> Write:
    def written(name: str) -> str:
        return FRENCH_NAMES[kind].get(name, name)

    return written


def _joined(names: Sequence[str], last: str) -> str:
    return f" {last} ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _of_cards(
    colour: Write, one: str, this: str, start: str, below: str, both: str, either: str
) -> dict[str, Write]:
    """How cards and lists are written: `one` card with its colour and face, `this` one, the `start`
    card, the one `below`, and what stands before the last of a list of all, or of alternatives.
    """

    def card(found: CardName) -> str:
        if found.face is None:
            return start
        return one.format(colour=colour(str(found.colour)), face=face_name(found.face))

    def this_card(found: CardName) -> str:
        if found.face is None:
            return start[:1].upper() + start[1:]
        return this.format(colour=colour(str(found.colour)))

    return {
        "card": card,
        "this": this_card,
        "first": lambda cards: card(cards[0]) if cards else below,
        "listed": lambda cards: _joined([card(found) for found in cards], both),
        "either": lambda names: (
            names if isinstance(names, str) else _joined([str(name) for name in names], either)
        ),
    }


ENGLISH = Language(
    {
        "colour": _plain,
        "face": face_name,
        "faces": _faces,
        **_of_cards(
            _plain, "the {colour} {face}", "This {colour} card",
            "the starting card", "card below", "and", "or",
        ),
        "a": _with_article,
        "role": _plain,
        "edge": _plain,
        "place": _plain,
    },
    number=_plain,
    is_one=lambda count: count == 1,
)  # fmt: skip
FRENCH = Language(
    {
        "colour": _named("colours of cards"),
        "face": face_name,
        "faces": _faces,
        **_of_cards(
            _named("colours of cards"), "la carte {colour} ({face})", "Cette carte {colour}",
            "la carte de départ", "la carte dessous", "et", "ou",
        ),
        "role": _named("roles"),
        "edge": _named("edges"),
        "place": _named("places"),
    },
    number=lambda written: written.replace(".", ",").replace("%", " %"),
    is_one=lambda count: abs(count) < 2,
)  # fmt: skip
