"""The panel below an overlay: the scores, what is illegal, and where to look."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from geometry.deck import Colour, Deck
from rig.bare_tables import bare_reason
from rig.wording.catalogue import sentence
from rig.wording.languages import without_signs
from vision.reading import Reading
from vision.sureness import doubted_as_it_lies, doubted_without_illegal

_GROUND = (24, 24, 24)
_INK = (245, 245, 245)
_ILLEGAL = (255, 120, 110)
_DOUBT = (255, 215, 60)


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    ink: tuple[int, int, int]
    symbol: Colour | None = None


def draw_panel(
    width: int, reading: Reading, deck: Deck, font: ImageFont.FreeTypeFont
) -> NDArray[np.uint8]:
    """The panel as an image (H, `width`, 3), blue green red."""
    margin = 0.6 * font.size
    lines = [
        part
        for line in panel_lines(reading, deck)
        for part in _wrapped(line, font, width - 2 * margin - _indent(line, font))
    ]
    step = 1.35 * font.size
    panel = Image.new("RGB", (width, round(step * len(lines) + 2 * margin)), _GROUND)
    draw = ImageDraw.Draw(panel)
    for number, line in enumerate(lines):
        middle = margin + (number + 0.5) * step
        if line.symbol is not None:
            _draw_symbol(draw, line.symbol, (margin + 0.6 * font.size, middle), font.size)
        draw.text((margin + _indent(line, font), middle), line.text, line.ink, font, anchor="lm")
    return np.ascontiguousarray(np.asarray(panel)[..., ::-1])


def panel_lines(reading: Reading, deck: Deck) -> Iterator[_Line]:
    """What the panel says, line by line before they are wrapped."""
    bare = bare_reason(reading)
    if bare is not None:
        yield _Line(sentence(bare), _INK)
    announced = reading.scores_without_illegal
    unsure = doubted_as_it_lies(reading.doubts)
    unsure_announced = doubted_without_illegal(reading.doubts)
    for name in sorted(announced, key=lambda name: (-announced[name], name)):
        counted = f"{announced[name]}{'?' if name in unsure_announced else ''}"
        shown = f"{reading.scores[name]}{'?' if name in unsure else ''}"
        text = f"{name} {counted}"
        if reading.illegal:
            text += f"   ({shown} with illegal cards)"
        yield _Line(text, _INK, deck.colour(name))
    for number, illegal in enumerate(reading.illegal, start=1):
        yield _Line(f"{number}  {without_signs(sentence(illegal.reason))}", _ILLEGAL)
    for number, doubt in enumerate(reading.doubts, start=1):
        yield _Line(f"{number}?  {without_signs(sentence(doubt.reason))}", _DOUBT)


def _indent(line: _Line, font: ImageFont.FreeTypeFont) -> float:
    return 1.6 * font.size if line.symbol is not None else 0.0


def _wrapped(line: _Line, font: ImageFont.FreeTypeFont, width: float) -> Iterator[_Line]:
    """The line in as many lines as it needs; a word longer than a line is left to run over."""
    text, symbol = "", line.symbol
    for word in line.text.split(" "):
        longer = f"{text} {word}" if text else word
        if text and font.getlength(longer) > width:
            yield _Line(text, line.ink, symbol)
            text, symbol = f"    {word}", None
        else:
            text = longer
    yield _Line(text, line.ink, symbol)


def _draw_symbol(
    draw: ImageDraw.ImageDraw, colour: Colour, middle: tuple[float, float], size_px: float
) -> None:
    """The colour's symbol, white on a patch of the colour."""
    x, y = middle
    half = 0.58 * size_px
    draw.rounded_rectangle(
        (x - half, y - half, x + half, y + half), 0.15 * size_px, colour.hex, _INK
    )
    reach = max(abs(v) for polygon in colour.symbol_mm for point in polygon for v in point)
    for polygon in colour.symbol_mm:
        scaled = [
            (x + 0.42 * size_px * u / reach, y + 0.42 * size_px * v / reach) for u, v in polygon
        ]
        draw.polygon(scaled, "white")
