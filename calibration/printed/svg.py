"""Small drawings as SVG text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

Xy = tuple[float, float]


class Drawing:
    """Shapes in a box of `width` x `height` units, x right, y down."""

    def __init__(self, width: float, height: float) -> None:
        self._size = (width, height)
        self._parts: list[str] = []

    def rectangle(
        self, at: Xy, size: Xy, fill: str = "none", stroke: str = "none", width: float = 1.0
    ) -> None:
        """A rectangle by its top left corner."""
        self._parts.append(
            f'<rect x="{at[0]:.2f}" y="{at[1]:.2f}" width="{size[0]:.2f}" height="{size[1]:.2f}" '
            f'fill="{fill}" stroke="{stroke}" stroke-width="{width:g}"/>'
        )

    def line(self, points: Sequence[Xy], stroke: str = "#333", width: float = 1.0) -> None:
        """A polyline."""
        way = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
        self._parts.append(
            f'<polyline points="{way}" fill="none" stroke="{stroke}" stroke-width="{width:g}"/>'
        )

    def polygon(self, points: Iterable[Xy], fill: str, stroke: str = "none") -> None:
        """A filled polygon."""
        way = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
        self._parts.append(f'<polygon points="{way}" fill="{fill}" stroke="{stroke}"/>')

    def disc(self, at: Xy, radius: float, fill: str) -> None:
        """A filled circle."""
        self._parts.append(
            f'<circle cx="{at[0]:.2f}" cy="{at[1]:.2f}" r="{radius:.2f}" fill="{fill}"/>'
        )

    def text(self, at: Xy, text: str, size: float = 14.0, anchor: str = "start") -> None:
        """Text on its base line."""
        self._parts.append(
            f'<text x="{at[0]:.2f}" y="{at[1]:.2f}" font-size="{size:g}" fill="#222" '
            f'font-family="sans-serif" text-anchor="{anchor}">{escape(text)}</text>'
        )

    def as_svg(self) -> str:
        """The document."""
        width, height = self._size
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
            f'width="{width:g}" height="{height:g}">\n<rect width="{width:g}" '
            f'height="{height:g}" fill="white"/>\n' + "\n".join(self._parts) + "\n</svg>\n"
        )
