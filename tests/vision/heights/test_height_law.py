from __future__ import annotations

import pytest

from geometry.rules import RuleName
from geometry.verdict import Status, Verdict
from vision.heights.height_law import law_lead
from vision.heights.height_witness import CLEARLY

USUAL_MM = (0.2, 0.4, 0.5, 0.6, 0.9)


def laid(off_mm: float | None, covers: int = 0, rule: RuleName | None = None) -> dict[int, Verdict]:
    """Five cards laid as people do, and one so far off its place."""
    status: Status = "legal" if rule is None else "illegal"
    others = {
        k: Verdict(k, "legal", on=(0,), offset_mm=off, offset_deg=0.1, covers=0, shape_on=0)
        for k, off in enumerate(USUAL_MM, start=1)
    }
    own = Verdict(
        9, status, rule, (covers,), off_mm, 0.2, None if off_mm is None else covers, 0, 0
    )  # fmt: skip
    return {**others, 9: own}


ASKEW = laid(3.4, rule="misaligned")


@pytest.mark.parametrize(
    ("other", "clearly"),
    [
        (laid(0.3), True),
        (laid(0.8), True),
        (laid(1.7), False),  # legal, but no better than chance
        (laid(2.6), False),
        (laid(0.3, covers=4), False),  # on another card: nothing that could be compared
    ],
)
def test_a_card_that_fits_well_at_another_height_lies_there(
    other: dict[int, Verdict], clearly: bool
) -> None:
    lead = law_lead(ASKEW, other)
    assert (lead >= CLEARLY) is clearly
    back = law_lead(other, ASKEW)
    assert (back <= -CLEARLY) is clearly


def test_fits_that_are_both_usual_tell_little() -> None:
    assert abs(law_lead(laid(0.3), laid(0.7))) < 3


def test_where_another_rule_were_broken_nothing_speaks_for_it() -> None:
    other = {**laid(0.3), 1: Verdict(1, "illegal", "two_cards", (0, 9), 14.0, covers=0)}
    assert law_lead(ASKEW, other) <= 0
