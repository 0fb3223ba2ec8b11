"""The simulator and the reader draw cards apart: neither's art is the other's."""

from __future__ import annotations

from tests.test_imports import modules_imported, sources

OF_VISION = {"vision.lens"}
"""What the simulator may know of the reader: the form of a lens, which is no drawing."""


def test_the_simulator_draws_with_nothing_of_the_reader() -> None:
    for path in sources("rig/simulator"):
        names = set(modules_imported(path.read_text("utf-8")))
        assert {name for name in names if name.split(".")[0] == "vision"} <= OF_VISION, path.name
        assert not any(name.startswith("calibration") for name in names), path.name


def test_the_reader_knows_nothing_of_the_simulator() -> None:
    for package in ("vision", "calibration"):
        for path in sources(package):
            names = modules_imported(path.read_text("utf-8"))
            assert not any(name.startswith("rig") for name in names), path.name
