"""Names of people, compared as people read them and not as computers write them."""

import unicodedata

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
"""Unicode categories of what is not drawn: controls, zero-width and bidirectional characters."""
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800\U00016fe4\U0001d159")
"""Drawn as nothing, though they count as letters or marks."""
_VARIATIONS = (range(0x180B, 0x1810), range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
_LOOKS = {
    "a": "\u0430\u03b1\u0251\u1d00\u13aa\ua4ee\u2c81",
    "b": "\u0299\u13f4\ua4d0",
    "c": "\u0441\u1d04\u13df\ua4da\u2ca5",
    "d": "\u0501\u1d05\u13a0\ua4d3",
    "e": "\u0435\u03b5\u1d07\u13ac\ua4f0",
    "f": "\ua730\ua4dd",
    "g": "\u0261\u0262\u0581\u13c0\ua4d6",
    "h": "\u04bb\u029c\u0570\u13bb\ua4e7",
    "j": "\u0458\u1d0a\u13ab\ua4d9",
    "k": "\u043a\u03ba\u1d0b\u13e6\ua4d7\u2c95",
    "l": "\u0069\u0031\u007c\u0131\u0456\u03b9\u0269\u026a\u029f"
    "\u04cf\u01c0\u2223\u13a5\u13de\ua4e1\ua4f2\u2c93\u2d4f",
    "m": "\u043c\u03bc\u1d0d\u13b7\ua4df\u2c99",
    "n": "\u0274\u0578\ua4e0",
    "o": "\u0030\u043e\u03bf\u1d0f\u0585\ua4f3\u2c9f",
    "p": "\u0440\u03c1\u1d18\u13e2\ua4d1\u2ca3",
    "q": "\u051b",
    "r": "\u0280\u13a1\u13d2\ua4e3",
    "s": "\u0455\ua731\u13da\ua4e2",
    "t": "\u0442\u03c4\u1d1b\u13a2\ua4d4\u2ca7",
    "u": "\u1d1c\u057d\ua4f4",
    "v": "\u0475\u1d20\u13d9\ua4e6",
    "w": "\u051d\u1d21\u13b3\ua4ea",
    "x": "\u0445\u03c7\ua4eb\u2cad",
    "y": "\u0443\u03c5\u04af\u028f\u13a9\ua4ec\u2ca9",
    "z": "\u1d22\u13c3\ua4dc",
    "'": "\u2018\u2019\u201b\u02b9\u02bb\u02bc\u02bd\u02c8\u0060\u2032\u05f3\uff07",
    "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u02d7\u2043",
}
"""What looks like a Latin letter or sign (Unicode's confusables, UTS 39): Cyrillic, Greek, Coptic,
Armenian, Cherokee and Lisu letters and small capitals. Of Cyrillic and Greek letters in common use
those of which both cases look so. A large i, a small L, a one and a stroke are one, as are o and 0.
"""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_PICTURED = (0x1F150, 0x1F170, 0x1F1E6)
"""Where letters begin that are drawn in a dark circle, a dark square, or as half a flag."""
_ALIKE = {ord(one): letter for letter, others in _LOOKS.items() for one in others}
_ALIKE |= {
    first + place: _ALIKE.get(ord(letter), letter)
    for first in _PICTURED
    for place, letter in enumerate(_LETTERS)
}
_DOT_ABOVE = "\u0307"


def reads_like(name: str) -> str:
    """What a name reads like: two names with the same text here are one to whoever reads them.

    Case, width and other forms of the same letter do not count, nor spaces at the ends, several in
    place of one, or characters that are not seen; accents do. Empty where nothing is to be read.
    """
    text = unicodedata.normalize("NFKC", name).casefold()
    # Folding case can undo the composition: ǰ and its like.
    text = unicodedata.normalize("NFKC", text)
    seen = "".join(
        " " if one.isspace() else one for one in text if one.isspace() or not _is_unseen(one)
    )
    for dotted in "ij":
        seen = seen.replace(dotted + _DOT_ABOVE, dotted)
    # A mark may stand on a letter that is another's only now.
    latin = unicodedata.normalize("NFKC", seen.translate(_ALIKE))
    return " ".join(latin.split())


def _is_unseen(one: str) -> bool:
    return (
        unicodedata.category(one) in _UNSEEN
        or one in _FILLERS
        or any(ord(one) in some for some in _VARIATIONS)
    )
