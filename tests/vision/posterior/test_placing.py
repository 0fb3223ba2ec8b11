"""How unlikely placements are that break a rule."""

from __future__ import annotations

from typing import get_args

import pytest

from geometry.rules import RuleName
from geometry.verdict import Status, Verdict
from tests.vision.model.drawn_table import CONFIG
from vision.posterior.placing import illegal_costs


def test_what_is_not_illegal_costs_nothing() -> None:
    others = [status for status in get_args(Status) if status != "illegal"]
    verdicts = {k: Verdict(k, status) for k, status in enumerate(others)}
    assert illegal_costs(verdicts, CONFIG) == {}


@pytest.mark.parametrize("rule", get_args(RuleName))
def test_a_face_whose_shapes_lie_on_none_of_their_kind_is_the_least_likely(rule: RuleName) -> None:
    (cost,) = illegal_costs({7: Verdict(7, "illegal", rule)}, CONFIG).values()
    more = CONFIG.mismatched_cost if rule == "mismatched" else 0.0
    assert cost == CONFIG.illegal_cost + more
