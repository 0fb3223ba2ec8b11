"""Doubts that say no more than that something lies over the cards are left out."""

from __future__ import annotations

import pytest

from vision.posterior.over import told_by
from vision.reading import Doubt, DoubtKind
from vision.reason import Reason

THING = Doubt(
    "table", None, (50.0, 50.0), Reason("something-over-cards"), {"red": 6}, {"red": 6},
    outline_px=((0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0)),
)  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "code", "at_px", "left_out"),
    [
        ("face", "face-unclear", (50.0, 20.0), True),
        ("order", "order-unclear", (110.0, 50.0), True),
        ("order", "order-unclear", (200.0, 50.0), False),
        ("missing", "cards-too-few", (500.0, 500.0), True),
        ("verdict", "verdict-unclear", (50.0, 50.0), False),
    ],
)
def test_what_a_thing_causes_is_not_asked_besides(
    kind: DoubtKind, code: str, at_px: tuple[float, float], left_out: bool
) -> None:
    doubt = Doubt(kind, 1, at_px, Reason(code), {"red": 2}, {"red": 2})
    assert told_by(doubt, (THING,), near_px=25.0) == left_out
    assert not told_by(doubt, (), near_px=25.0)
