"""What a photograph was read as: the values that leave this package.

`SeenTable` is what the pixels said; `assemble` (vision/assemble.py) judges and
scores it with geometry's pure code and gives a `Reading`, the contract's
`tacta-reading/1`. Corrections made by people change a `SeenTable` and are
assembled again by the same code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from geometry.layout import Layout
from geometry.spread import PoseSpread
from vision.reason import Reason

DoubtKind = Literal["card", "face", "colour", "order", "dot", "verdict", "table", "missing"]
AnswerKind = Literal["face", "side", "colour", "over", "there", "legal"]
Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]


@dataclass(frozen=True, slots=True)
class NotSeen:
    """A photograph that could not be read, and why."""

    reason: Reason


@dataclass(frozen=True, slots=True)
class AnswerOdds:
    """How much likelier the picture is with an answer to a doubt than with what was read, whose own
    log-odds are 0. `value` is a face, a colour, whether the back shows, the card on top, or whether
    the card is there.
    """

    answer: AnswerKind
    value: str | int | bool
    log_odds: float


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something a person should look at, where, and what it could change."""

    kind: DoubtKind
    card: int | None
    at_px: tuple[float, float]
    reason: Reason
    changes_scores_by: Mapping[str, int] = field(default_factory=dict)
    """Colour -> dots by which `scores` could change; empty where it changes none."""
    changes_scores_without_illegal_by: Mapping[str, int] = field(default_factory=dict)
    """The same for the score of E2."""
    offset_mm: float | None = None
    offset_deg: float | None = None
    odds: tuple[AnswerOdds, ...] = ()
    """What was read and its alternatives, weighed; none where the picture cannot tell."""
    outline_px: tuple[tuple[float, float], ...] = ()
    """The part of the picture it is about, as a polygon; none where that is a point."""

    @property
    def matters(self) -> bool:
        """Whether it could change a score."""
        return bool(self.changes_scores_by or self.changes_scores_without_illegal_by)


@dataclass(frozen=True, slots=True)
class SeenCard:
    """How one card of the layout was seen. `id` is the layout's card id.

    `spread`: how exactly its place is known; None where that was not asked.
    """

    id: int
    outline_px: Corners
    confidence: float
    colour_confidence: float = 1.0
    face_confidence: float = 1.0
    pose_confidence: float = 1.0
    spread: PoseSpread | None = None


@dataclass(frozen=True, slots=True)
class SeenTable:
    """What the pixels said: a layout, how each card was seen, and what stayed unclear."""

    layout: Layout
    cards: tuple[SeenCard, ...]
    doubts: tuple[Doubt, ...]
    scale_px_per_mm: float


@dataclass(frozen=True, slots=True)
class ReadCard:
    """One card of a reading, as CONTRACT's `cards` entry."""

    id: int
    colour: str
    face: str
    mirrored: bool
    x_mm: float
    y_mm: float
    angle_deg: float
    outline_px: Corners
    over: tuple[int, ...]
    free: bool
    visible_dots: int
    hidden_dots: int
    confidence: float


@dataclass(frozen=True, slots=True)
class Illegal:
    """One illegal placement, as CONTRACT's `illegal` entry."""

    card: int
    rule: str
    on: tuple[int, ...]
    offset_mm: float | None
    offset_deg: float | None
    reason: Reason


@dataclass(frozen=True, slots=True)
class Reading:
    """A scored table, `tacta-reading/1`. `seen` is what it was assembled from."""

    deck: str
    scores: Mapping[str, int]
    sure: bool
    scores_without_illegal: Mapping[str, int]
    sure_without_illegal: bool
    play_area_mm: tuple[float, float] | None
    scale_px_per_mm: float
    cards: tuple[ReadCard, ...]
    illegal: tuple[Illegal, ...]
    doubts: tuple[Doubt, ...]
    seen: SeenTable
