"""Writing words with accents: the font that Pillow brings has letters without them alone."""

import unicodedata
from collections.abc import Iterator

from PIL import ImageDraw, ImageFont

_PLAIN = {"œ": "oe", "Œ": "OE", "æ": "ae", "’": "'", "…": "...", "–": "-", "—": "-"}
_STROKES = {
    "\N{COMBINING ACUTE ACCENT}": (((-0.06, 0.02), (0.08, -0.12)),),
    "\N{COMBINING GRAVE ACCENT}": (((-0.08, -0.12), (0.06, 0.02)),),
    "\N{COMBINING CIRCUMFLEX ACCENT}": (((-0.11, 0.02), (0.0, -0.11), (0.11, 0.02)),),
    "\N{COMBINING DIAERESIS}": (((-0.11, -0.05), (-0.08, -0.05)), ((0.08, -0.05), (0.11, -0.05))),
}
"""An accent's lines round the point above the middle of its letter, in heights of the font."""
_CEDILLA = (((0.0, 0.0), (0.0, 0.06), (0.06, 0.11), (-0.04, 0.17)),)
_ABOVE, _BOLD = 0.09, 0.075


def draw_text(
    draw: ImageDraw.ImageDraw,
    at: tuple[float, float],
    text: str,
    ink: tuple[int, int, int],
    font: ImageFont.FreeTypeFont,
    on_right: bool = False,
) -> None:
    """Write one line, accents included, level with `at`, to its right or to its left."""
    letters, accents = _taken_apart(text)
    left = at[0] - (font.getlength(letters) if on_right else 0.0)
    draw.text((left, at[1]), letters, ink, font, anchor="lm")
    ascent, descent = font.getmetrics()
    baseline = at[1] + (ascent - descent) / 2
    bold = max(1, round(_BOLD * font.size))
    for index, accent in accents:
        letter = letters[index]
        x = left + font.getlength(letters[:index]) + font.getlength(letter) / 2
        is_below = accent == "\N{COMBINING CEDILLA}"
        top = font.getbbox(letter, anchor="ls")[1] - _ABOVE * font.size
        y = baseline if is_below else baseline + top
        for line in _CEDILLA if is_below else _STROKES.get(accent, ()):
            points = [(x + font.size * u, y + font.size * v) for u, v in line]
            draw.line(points, ink, bold, joint="curve")


def width_of(text: str, font: ImageFont.FreeTypeFont) -> float:
    """How wide a line is that `draw_text` writes, pixels."""
    return font.getlength(_taken_apart(text)[0])


def _taken_apart(text: str) -> tuple[str, list[tuple[int, str]]]:
    """The letters without accents, and each accent with its letter's place."""
    letters, accents = list[str](), list[tuple[int, str]]()
    for part in _parts(text):
        if unicodedata.combining(part) and letters:
            accents.append((len(letters) - 1, part))
        else:
            letters.append(part)
    return "".join(letters), accents


def _parts(text: str) -> Iterator[str]:
    for written in text:
        yield from unicodedata.normalize("NFD", _PLAIN.get(written, written))
