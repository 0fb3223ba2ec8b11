"""The plots' bars and names lie inside the picture."""

from __future__ import annotations

import re

from measuring.accuracy.bands import Band
from measuring.accuracy.plot import LETTER_PX, bars
from measuring.accuracy.sample import OUTCOMES


def band(name: str, sure: int, silent: int = 0) -> Band:
    counts = dict.fromkeys(OUTCOMES, 0) | {"sure": sure, "silent": silent}
    return Band(name, counts)


def test_a_long_name_does_not_run_out_of_the_picture() -> None:
    name = "covered markers, lens unknown, and more"
    plot = bars("Markers", [band(name, 3), band("none", 2)])
    ends = [float(x) for x in re.findall(r'x="([\d.]+)"[^>]*text-anchor="end"', plot)]
    assert len(ends) == 2
    assert min(ends) >= LETTER_PX * len(name)


def test_bars_are_as_long_whatever_the_names_are() -> None:
    plot = bars("Table", [band("a table with a name as long as this one", 3, silent=1)])
    wide = [float(w) for w in re.findall(r'y="49.0" width="([\d.]+)"', plot)]
    left = [float(x) for x in re.findall(r'<rect x="([\d.]+)" y="49.0"', plot)]
    assert len(wide) == 2
    assert abs(left[0] + sum(wide) - (640 - 60)) < 0.5
