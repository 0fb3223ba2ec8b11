"""Plots as SVG text: every measurement draws with these few shapes, in px, x right and y down."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

Xy = tuple[float, float]
INK, GRID, DIAGONAL = "#222", "#ddd", "#888"


def document(width: float, height: float, parts: Iterable[str]) -> str:
    """The shapes on white, as a file's text."""
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" font-family="sans-serif" font-size="12">\n'
        f'<rect width="100%" height="100%" fill="white"/>\n{body}\n</svg>\n'
    )


def text(
    at: Xy, words: str, anchor: str = "start", colour: str = INK, *, bold: bool = False
) -> str:
    """Words on their base line; `anchor` is start, middle or end."""
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{at[0]:.1f}" y="{at[1]:.1f}" text-anchor="{anchor}" fill="{colour}"{weight}>'
        f"{escape(words)}</text>"
    )


def bar(at: Xy, size: Xy, colour: str) -> str:
    """A filled rectangle by its top left corner."""
    return (
        f'<rect x="{at[0]:.1f}" y="{at[1]:.1f}" width="{size[0]:.1f}" height="{size[1]:.1f}" '
        f'fill="{colour}"/>'
    )


def frame(at: Xy, size: Xy) -> str:
    """A rectangle's outline by its top left corner."""
    return (
        f'<rect x="{at[0]:.1f}" y="{at[1]:.1f}" width="{size[0]:.1f}" height="{size[1]:.1f}" '
        f'fill="none" stroke="{DIAGONAL}"/>'
    )


def line(start: Xy, end: Xy, colour: str, width: float = 1) -> str:
    """A straight line."""
    return (
        f'<line x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}" '
        f'stroke="{colour}" stroke-width="{width:g}"/>'
    )


def curve(points: Sequence[Xy], colour: str, width: float = 2) -> str:
    """A line through all points; those that fall on the one before are left out."""
    written = [f"{x:.1f},{y:.1f}" for x, y in points]
    way = [one for k, one in enumerate(written) if k == 0 or one != written[k - 1]]
    return (
        f'<polyline points="{" ".join(way)}" fill="none" stroke="{colour}" '
        f'stroke-width="{width:g}"/>'
    )


def dot(at: Xy, colour: str) -> str:
    """A disc of 4 px about a point."""
    return f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="4" fill="{colour}"/>'
