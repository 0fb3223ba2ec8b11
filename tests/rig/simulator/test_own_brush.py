"""The simulator and the reader draw cards apart: neither's art is the other's."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from rig.simulator.cards.typefaces import TYPEFACES, glyph
from tests.import_graph import modules_imported, sources
from vision.drawing import face_art

OF_VISION = {"vision.lens"}
"""What the simulator may know of the reader: the form of a lens, which is no drawing."""


def test_the_simulator_draws_with_nothing_of_the_reader() -> None:
    assert sources("rig/simulator")
    for path in sources("rig/simulator"):
        names = set(modules_imported(path.read_text("utf-8")))
        assert {name for name in names if name.split(".")[0] == "vision"} <= OF_VISION, path.name
        assert not any(name.startswith("calibration") for name in names), path.name


def test_the_reader_knows_nothing_of_the_simulator() -> None:
    for package in ("vision", "calibration"):
        assert sources(package)
        for path in sources(package):
            names = modules_imported(path.read_text("utf-8"))
            assert not any(name.startswith("rig") for name in names), path.name


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
        for package in ("rig/simulator", "vision")
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
