"""How inks look, and how likely their hues are for the colours of a deck."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.model.drawn_table import CONFIG, DECK, drawn_table
from vision.model.ink_hues import ColourHues, dealt, hue_of, ink_counts, mean_chroma
from vision.model.score import learned_score
from vision.model.table import Table

HUES = ColourHues.of(DECK, CONFIG)


def chroma(hue: float, strength: float = 0.6) -> tuple[float, float]:
    """The chroma of a hue, degrees."""
    r, g, b = (np.cos(np.deg2rad(hue - middle)) for middle in (0.0, 120.0, 240.0))
    axes = (r - g) / np.sqrt(2), (2 * b - r - g) / np.sqrt(6)
    return tuple(float(part * strength / np.hypot(*axes)) for part in axes)  # type: ignore[return-value]


def test_hues_of_drawn_inks_are_those_of_the_deck() -> None:
    drawn = drawn_table()
    counts = ink_counts(learned_score(drawn.seen(), drawn.table, DECK, CONFIG), drawn.table)
    hues = {ink: hue_of(mean_chroma(count, CONFIG)) for ink, count in counts.items()}
    assert hues["red"] == pytest.approx(6.0, abs=4.0)
    assert hues["blue"] == pytest.approx(200.0, abs=6.0)


def test_hues_within_a_colours_printings_cost_nothing_and_farther_ones_ever_more() -> None:
    blue = HUES.names.index("blue")
    high = float(HUES.high[blue])
    within, near, far = HUES.costs([chroma(high - 5), chroma(high + 3), chroma(high + 9)])[:, blue]
    assert within < 0.1
    assert near == pytest.approx(CONFIG.hue_beyond_nats + 0.3, abs=0.1)
    assert far == pytest.approx(CONFIG.hue_beyond_nats + 3.2, abs=0.2)


def test_of_a_pale_ink_the_hue_says_little() -> None:
    strong, pale = HUES.costs([chroma(100.0), chroma(100.0, 0.1)])[:, HUES.names.index("blue")]
    assert pale < 50 < strong


def test_each_ink_is_dealt_a_colour_of_its_own() -> None:
    """The second of two blues has to be another colour, which makes them unlikely."""
    cost, chosen = dealt(HUES.costs([chroma(200.0), chroma(195.0), chroma(5.0)]))
    names = [HUES.names[int(k)] for k in chosen]
    assert names[2] == "red"
    assert sorted(names[:2]) == ["blue", "purple"]
    assert cost > 10
    assert dealt(HUES.costs([chroma(200.0), chroma(5.0)]))[0] < 0.1


def test_two_inks_of_one_hue_are_less_likely_than_one() -> None:
    drawn = drawn_table()
    apart = Table(tuple(replace(c, ink="other" if c.id == 4 else c.ink) for c in drawn.table.cards))
    one, two = (
        HUES.unlike(ink_counts(learned_score(drawn.seen(), table, DECK, CONFIG), table))
        for table in (drawn.table, apart)
    )
    assert two > one + 10


def test_more_inks_than_colours_have_what_is_likeliest() -> None:
    cost, chosen = dealt(np.array([[0.0, 9.0], [9.0, 0.0], [1.0, 5.0]]))
    assert chosen.tolist() == [0, 1, 0]
    assert cost == 1.0
