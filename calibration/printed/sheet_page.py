"""A page to print, in exact millimetres: text, rulers and filled outlines.

Origin at the paper's top left corner, x right, y down. Figures in the file are
rounded to a hundredth of a point (0.004 mm).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from calibration.printed.sheet_words import Language, words

Paper = Literal["a4", "letter"]
PAPER_MM: dict[Paper, tuple[float, float]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
RULER_MM = 100.0
MARGIN_MM = 10.0
BLACK, WHITE, GREY = (0, 0, 0), (255, 255, 255), (150, 150, 150)
Rgb = tuple[int, int, int]
Points = Sequence[tuple[float, float]]


class SheetPage:
    """A document of pages of one paper size, each with its title, its how-to and two rulers."""

    def __init__(self, paper: Paper, language: Language) -> None:
        from fpdf import FPDF, ViewerPreferences  # starts slowly, and most runs print no sheet

        self.paper_mm = PAPER_MM[paper]
        self.language = language
        self._pdf: Any = FPDF(unit="mm", format=self.paper_mm)
        self._pdf.set_auto_page_break(False)
        self._pdf.set_margin(0)
        self._pdf.viewer_preferences = ViewerPreferences(print_scaling="None")

    @property
    def middle_mm(self) -> float:
        """The vertical middle line's x."""
        return self.paper_mm[0] / 2

    def begin(self, title: str, how: str) -> None:
        """Start a page: title and instructions above, rulers below and at the left."""
        self._pdf.add_page()
        self._pdf.set_title(words(title, self.language))
        self.text(MARGIN_MM, 9.5, words(title, self.language), 12)
        for number, line in enumerate(_lines(words(how, self.language))):
            self.text(MARGIN_MM, 13.5 + 3.2 * number, line, 7)
        self._rulers()

    def text(
        self, x: float, y: float, text: str, size_pt: float, colour: Rgb = BLACK, bold: bool = False
    ) -> None:
        """Text on its base line."""
        self._pdf.set_text_color(*colour)
        self._pdf.set_font("helvetica", style="B" if bold else "", size=size_pt)
        self._pdf.text(x, y, text)

    def text_in_middle(self, x: float, y: float, text: str, size_pt: float, colour: Rgb) -> None:
        """Bold text whose middle is at (x, y): a card's value."""
        self._pdf.set_font("helvetica", style="B", size=size_pt)
        width = float(self._pdf.get_string_width(text))
        height = size_pt * 0.3528 * 0.72  # capitals of Helvetica are 0.72 of its size
        self.text(x - width / 2, y + height / 2, text, size_pt, colour, bold=True)

    def rectangle(self, x: float, y: float, width: float, height: float, fill: Rgb = BLACK) -> None:
        """Fill a rectangle."""
        self._pdf.set_fill_color(*fill)
        self._pdf.rect(x, y, width, height, style="F")

    def outline(self, points: Points, fill: Rgb = BLACK) -> None:
        """Fill a polygon."""
        self._pdf.set_fill_color(*fill)
        self._pdf.polygon([(float(x), float(y)) for x, y in points], style="F")

    def disc(self, x: float, y: float, diameter: float, fill: Rgb = BLACK) -> None:
        """Fill a circle."""
        self._pdf.set_fill_color(*fill)
        self._pdf.circle(x, y, diameter / 2, style="F")

    def rounded(
        self, x: float, y: float, width: float, height: float, radius: float, fill: Rgb
    ) -> None:
        """Fill a rectangle with round corners."""
        self.rectangle(x + radius, y, width - 2 * radius, height, fill)
        self.rectangle(x, y + radius, width, height - 2 * radius, fill)
        for cx in (x + radius, x + width - radius):
            for cy in (y + radius, y + height - radius):
                self.disc(cx, cy, 2 * radius, fill)

    def line(
        self, start: tuple[float, float], end: tuple[float, float], width: float = 0.2,
        colour: Rgb = BLACK,
    ) -> None:  # fmt: skip
        """Stroke a line."""
        self._pdf.set_draw_color(*colour)
        self._pdf.set_line_width(width)
        self._pdf.line(*start, *end)

    def loop(self, points: Points, width: float, colour: Rgb = BLACK) -> None:
        """Stroke a closed polygon."""
        self._pdf.set_draw_color(*colour)
        self._pdf.set_line_width(width)
        with self._pdf.local_context():
            self._pdf.polygon([(float(x), float(y)) for x, y in points], style="D")

    def as_pdf(self) -> bytes:
        """The document."""
        return bytes(self._pdf.output())

    def _rulers(self) -> None:
        width, height = self.paper_mm
        left, base = width / 2 - RULER_MM / 2, height - 12.5
        for mm in range(int(RULER_MM) + 1):
            long = _tick(mm)
            self.line((left + mm, base), (left + mm, base - long), 0.1)
            self.line((10.0, 40.0 + mm), (10.0 - long, 40.0 + mm), 0.1)
            if mm % 10 == 0:
                self.text(left + mm - 1, base + 2.4, str(mm), 5)
        self.line((left, base), (left + RULER_MM, base), 0.1)
        self.line((10.0, 40.0), (10.0, 40.0 + RULER_MM), 0.1)
        self.text(left - 16, base + 5.2, words("ruler", self.language), 6.5)


def _tick(mm: int) -> float:
    return 3.0 if mm % 10 == 0 else 2.2 if mm % 5 == 0 else 1.4


def _lines(text: str) -> Iterable[str]:
    """Lines as the words break them, or broken after about 130 letters."""
    for part in text.split("\n"):
        line = ""
        for word in part.split():
            if len(line) + len(word) > 130:
                yield line
                line = ""
            line = f"{line} {word}".strip()
        yield line
