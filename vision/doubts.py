"""What a person should look at: where the readings disagree, and what each could change."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from vision.card_doubts import card_doubts, colour_doubts, order_doubts, start_place_doubt
from vision.cores import Meanwhile
from vision.dot_doubts import dot_doubts
from vision.line_looks import left_over_lines
from vision.reading import Doubt
from vision.scene import Scene
from vision.table_doubts import (
    badge_doubts,
    burnt_doubts,
    count_doubts,
    line_doubts,
    peeking_doubts,
    range_doubts,
    rim_doubts,
    start_doubt,
    surplus_doubts,
)


def find_doubts(scene: Scene, more: Iterable[Doubt] = ()) -> tuple[Doubt, ...]:
    """All doubts, those about whole cards first; last come `more`, found while they are listed."""
    # Both ask for these, and would work them out at the same time.
    _ = scene.top, scene.inks
    others = Meanwhile(partial(_doubts_by_pixels, scene))
    cards = *card_doubts(scene), *colour_doubts(scene), *order_doubts(scene)
    last = tuple(more)
    return (*cards, *others.result(), *last)


def _doubts_by_pixels(scene: Scene) -> tuple[Doubt, ...]:
    """The doubts for which the pixels are asked more than the rules."""
    table = scene.table
    lines = left_over_lines(
        scene.evidence, table.named, table.stack.order, scene.top, table.templates, strict=True
    )
    return (
        *dot_doubts(scene, lines),
        *line_doubts(scene, lines),
        *rim_doubts(scene),
        *peeking_doubts(scene),
        *burnt_doubts(scene),
        *badge_doubts(scene),
        *surplus_doubts(scene),
        *count_doubts(scene),
        *start_doubt(scene),
        *start_place_doubt(scene),
        *range_doubts(scene),
    )
