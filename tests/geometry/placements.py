"""Two exact fits to slip, crowd and push over the edge, and what is said of them."""

from __future__ import annotations

from dataclasses import replace

from geometry.layout import Card
from geometry.pose import Pose
from geometry.rules import Rules
from geometry.verdict import Verdict, judge
from tests.geometry.tables import beside, laid_on, table

PUBLISHED = Rules()
FREE_FOR_ALL = Rules(free_for_all=True)
NEVER_OFF = (5000.0, 5000.0)

# The lower card is upright at (300, 300). Squares: its top right corner is covered, and the
# upper card lies up and to the right. Ends: the upper card lies straight below, upside down.
SQUARES = laid_on("circle-1", 1, "circle-2", 2)
ENDS = laid_on("circle-1", 2, "circle-3", 2)


def verdict_on(
    *cards: Card, rules: Rules = PUBLISHED, area: tuple[float, float] | None = NEVER_OFF
) -> Verdict:
    """The verdict on the last card."""
    return judge(table(*cards, play_area_mm=area), rules)[cards[-1].id]


def said(verdict: Verdict) -> tuple[str, str | None]:
    return verdict.status, verdict.rule


def slipped(card: Card, along: float = 0.0, down: float = 0.0) -> Card:
    return replace(card, pose=beside(card.pose, along, down))


def past_end(by_mm: float) -> Card:
    """A card below the lower end of the upper card of ENDS, touched so deep."""
    pose = ENDS[1].pose
    return Card(9, "red", "square-4", Pose(pose.x_mm, pose.y_mm + 44.5 + 41.0 - by_mm, 0))
