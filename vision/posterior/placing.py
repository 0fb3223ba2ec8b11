"""How unlikely placements are that break a rule."""

from __future__ import annotations

from collections.abc import Mapping

from geometry.verdict import Verdict
from vision.model.table import CardId
from vision.reading_config import ReadingConfig


def illegal_costs(verdicts: Mapping[int, Verdict], config: ReadingConfig) -> dict[CardId, float]:
    """Minus the log prior of each illegal placement, over a legal one, by its card.

    Where a card lies is what it is whichever face it has: that a shape of a wrong face or side lies
    on one of its kind happens now and then, that one of the true face does not, hardly ever.
    """
    return {
        CardId(card): config.illegal_cost + config.mismatched_cost * (verdict.rule == "mismatched")
        for card, verdict in verdicts.items()
        if verdict.status == "illegal"
    }
