"""The simulator and the reader draw cards apart: neither's art is the other's."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from simulator.cards.typefaces import TYPEFACES, glyph
from tests.import_graph import sources
from vision.drawing import face_art


def rows_of_figures(source: str) -> Iterator[tuple[float, ...]]:
    """Points of drawn strokes and the like: three or more figures in a row, two of them broken."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Tuple | ast.List) or len(node.elts) < 3:
            continue
        try:
            row = ast.literal_eval(node)
        except ValueError:
            continue
        if not all(isinstance(value, int | float) for value in row):
            continue
        if len({value for value in row if value != round(value)}) >= 2:
            yield tuple(map(float, row))


def test_no_table_of_strokes_stands_in_both() -> None:
    """A stroke table that was copied would stand in both, under whatever name, with dozens of rows;
    paper white may be the same.
    """
    drawn, read = (
        {row for path in sources(package) for row in rows_of_figures(path.read_text("utf-8"))}
        for package in ("simulator", "vision")
    )
    assert len(drawn) > 10
    assert len(read) > 10
    assert len(drawn & read) <= 2


@pytest.mark.parametrize("typeface", TYPEFACES)
def test_no_digit_is_drawn_through_the_reader_s_points(typeface: str) -> None:
    for digit, strokes in face_art._DIGITS.items():
        points = {(round(x, 2), round(y, 2)) for stroke in strokes for x, y, _ in stroke}
        own = {
            (round(x, 2), round(y, 2)) for line in glyph(typeface, digit).lines for x, y, _ in line
        }
        assert len(own & points) <= 0.3 * len(points), digit
