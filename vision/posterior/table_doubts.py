"""Doubts about where the table is, and about what lies outside the picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from geometry.layout import Layout
from geometry.rules import Rules
from geometry.score import RoundScore, score_round
from geometry.verdict import judge
from vision.locating.locate import Located
from vision.model.table import CardId
from vision.posterior.ledger import changed_dots
from vision.reading import Doubt
from vision.reading_config import ReadingConfig
from vision.reason import Reason

AtPx = Callable[[CardId], tuple[float, float]]
"""Where in the photograph a card's middle is."""


def sight_doubts(
    layout: Layout, rules: Rules, at_px: AtPx, size_wh: tuple[int, int]
) -> Iterator[Doubt]:
    """Cards that reach out of the picture, where dots of theirs that no other card hides may lie
    out there: those are not counted.
    """
    cut = [card for card in layout.cards if card.in_sight_mm is not None]
    if not cut:
        return
    read = _scored(layout, rules)
    for card in cut:
        whole = (replace(one, in_sight_mm=None) if one is card else one for one in layout.cards)
        other = _scored(replace(layout, cards=tuple(whole)), rules)
        changes = changed_dots(read.as_it_lies, other.as_it_lies)
        without = changed_dots(read.without_illegal, other.without_illegal)
        if changes or without:
            u, v = np.clip(at_px(CardId(card.id)), 0, np.array(size_wh) - 1).tolist()
            yield Doubt("dot", card.id, (u, v), Reason("dots-outside"), changes, without)


def place_doubts(
    located: Located, growth: float, layout: Layout, config: ReadingConfig,
    at_px: tuple[float, float], *, start_seen: bool,
) -> Iterator[Doubt]:  # fmt: skip
    """Markers whose size the cards deny by their `growth`, a share: a printer may have scaled them,
    and the verdicts hang on millimetres. And a table that no plain outline showed, where no
    starting card was found on it: what hid those may hide cards.
    """
    most = max(face.value for face in layout.deck.faces)
    any_colour = {colour.name: most for colour in layout.deck.colours}
    if located.scaled and abs(growth) > config.marker_growth:
        reason = Reason("markers-misscaled", {"share": 1 + growth})
        yield Doubt("table", None, at_px, reason, {}, any_colour)
    if located.tried and not start_seen:
        yield Doubt("table", None, at_px, Reason("table-hard-to-find"), any_colour, any_colour)


def _scored(layout: Layout, rules: Rules) -> RoundScore:
    return score_round(layout, judge(layout, rules))
