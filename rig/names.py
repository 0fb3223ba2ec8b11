"""Names of people, compared as people read them and not as computers write them."""

from __future__ import annotations

import unicodedata

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
"""Unicode categories of what is not drawn: controls, zero-width and bidirectional characters."""
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800")
"""Drawn as nothing, though they count as letters or marks."""
_VARIATIONS = (range(0x180B, 0x1810), range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
_ALIKE = str.maketrans("аеікморстухјѕαεικμορτυχı", "aeikmopctyxjsaeikmoptyxi")
"""Cyrillic and Greek letters of which both cases look like a Latin one's, and the i without its dot
(Unicode's confusables, UTS 39)."""


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
    return " ".join(seen.translate(_ALIKE).split())


def _is_unseen(one: str) -> bool:
    return (
        unicodedata.category(one) in _UNSEEN
        or one in _FILLERS
        or any(ord(one) in some for some in _VARIATIONS)
    )
