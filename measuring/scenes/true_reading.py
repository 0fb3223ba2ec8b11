"""The reading that a perfect reader would give of a scene: for tests, overlays and exports."""

from __future__ import annotations

import numpy as np

from geometry.pose import PointsMm
from geometry.rules import Rules
from measuring.scenes.truth import Truth
from vision.assemble import assemble
from vision.reading import Corners, Reading, SeenCard, SeenTable


def true_reading(truth: Truth, rules: Rules | None = None) -> Reading:
    """Assemble the reading of a scene from its truth, without looking at the picture."""
    played_by = rules if rules is not None else truth.rules
    return assemble(true_table(truth), played_by, measured=False)


def true_table(truth: Truth) -> SeenTable:
    """What the pixels would say to a perfect reader."""
    outlines = {card.id: _outline_px(truth, card.id) for card in truth.layout.cards}
    return SeenTable(
        layout=truth.layout,
        cards=tuple(SeenCard(card, outline, 1.0) for card, outline in outlines.items()),
        doubts=(),
        scale_px_per_mm=_scale(truth),
    )


def _outline_px(truth: Truth, card_id: int) -> Corners:
    size = truth.layout.deck.card
    x, y = size.width_mm / 2, size.height_mm / 2
    corners = truth.layout.card(card_id).pose.to_table(
        np.array([[-x, -y], [x, -y], [x, y], [-x, y]])
    )
    a, b, c, d = ((float(u), float(v)) for u, v in truth.camera.to_px(corners))
    return a, b, c, d


def _scale(truth: Truth) -> float:
    middles = np.array([[card.pose.x_mm, card.pose.y_mm] for card in truth.layout.cards])
    middle = middles.mean(axis=0)
    ends = truth.camera.to_px(PointsMm(middle + np.array([[0, 0], [1, 0], [0, 1]])))
    (ax, ay), (bx, by) = ends[1] - ends[0], ends[2] - ends[0]
    return float(np.sqrt(abs(ax * by - ay * bx)))
