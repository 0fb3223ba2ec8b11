"""Doubts about the table as a whole: what was missed, and pictures that are too poor."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from vision.hidden_cards import Segments, line_like, unexplained_lines
from vision.limits import shortcomings
from vision.pose_fit import turns
from vision.reading import Doubt
from vision.scene import Scene

LINE_ON_CARD_MM = 12.0
LINE_OFF_CARD_MM = 20.0


def left_over_lines(scene: Scene) -> Segments:
    """White lines like a card's that no card accounts for."""
    table = scene.table
    lines = unexplained_lines(scene.evidence, table.named, table.stack.order, table.templates)
    return lines.take(line_like(scene.evidence, lines, table.named, table.templates))


def line_doubts(scene: Scene, lines: Segments) -> Iterable[Doubt]:
    """White lines like a card's that no card accounts for: one was missed, or misread."""
    if len(lines.start_mm) == 0:
        return
    middle = (lines.start_mm + lines.end_mm) / 2
    half = np.array([scene.deck.card.width_mm, scene.deck.card.height_mm]) / 2
    poses = scene.table.named.poses
    local = np.einsum("nji,nkj->nki", turns(poses[:, 2]), middle[None] - poses[:, None, :2])
    on_card = (np.abs(local) < half).all(axis=2).any(axis=0)
    for chosen, least in ((on_card, LINE_ON_CARD_MM), (~on_card, LINE_OFF_CARD_MM)):
        for group in _groups(lines.take(chosen)):
            if float(group.length_mm.max()) >= least:
                yield _line_doubt(scene, group)


def count_doubts(scene: Scene) -> Iterable[Doubt]:
    """Players lay equally many cards (S3, E1); only a free-for-all ends before that (V4)."""
    if scene.rules.free_for_all:
        return
    colours = [card.colour for card in scene.layout.cards]
    start = scene.deck.starting_colour.name
    counts = {name: colours.count(name) for name in sorted(set(colours)) if name != start}
    most = max(counts.values(), default=0)
    for name, count in counts.items():
        if count < most:
            at = scene.table.named.poses[:, :2].mean(axis=0)
            reason = f"only {count} {name} cards are seen where others have {most}"
            changes = {name: most - count}
            yield Doubt("missing", None, scene.at_px(at), reason, changes, changes)


def start_doubt(scene: Scene) -> Iterable[Doubt]:
    """Every table has a starting card (S2); without it placements on it are misjudged."""
    start = scene.deck.starting_face.id
    if any(card.face == start for card in scene.layout.cards):
        return
    at = scene.at_px(scene.table.named.poses[:, :2].mean(axis=0))
    changes = scene.any_colour
    yield Doubt("missing", None, at, "the starting card is not seen", {}, changes)


def range_doubts(scene: Scene) -> Iterable[Doubt]:
    """A picture outside the range in which readings are trusted makes every colour unsure."""
    table = scene.table
    at = scene.at_px(table.named.poses[:, :2].mean(axis=0))
    for reason in shortcomings(table, scene.evidence, scene.rough):
        changes = scene.any_colour
        yield Doubt("table", None, at, reason, changes, changes)


def _line_doubt(scene: Scene, group: Segments) -> Doubt:
    at = ((group.start_mm + group.end_mm) / 2).mean(axis=0)
    reason = "white lines that no card accounts for: a card may have been missed here"
    changes = scene.any_colour
    return Doubt("missing", None, scene.at_px(at), reason, changes, changes)


def _groups(lines: Segments) -> list[Segments]:
    """Segments whose middles lie within 25 mm of each other, together."""
    middle = (lines.start_mm + lines.end_mm) / 2
    left = list(range(len(middle)))
    groups = []
    while left:
        near = [k for k in left if np.hypot(*(middle[k] - middle[left[0]])) < 25]
        keep = np.zeros(len(middle), np.bool_)
        keep[near] = True
        groups.append(lines.take(keep))
        left = [k for k in left if k not in near]
    return groups
