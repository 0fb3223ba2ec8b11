"""Doubts about the starting card: where it lies, whether it is there, and what fits on it."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from vision.doubting.card_doubts import LOOKS_WRONG
from vision.doubting.doubt_context import DoubtContext
from vision.drawing.printed_deck import PrintedDeck
from vision.drawing.templates import TEMPLATE_DENSITY, Templates
from vision.finding.belief import AS_BLACK_FIT, START_PALE, hardly_seen, start_white_mm2
from vision.finding.frames import frame_shows
from vision.finding.hidden_search import shown_fit
from vision.finding.start_card import MANY_SUPPORTERS, cards_by_side
from vision.ordering.stacking import StackedCards
from vision.reading import Doubt
from vision.reason import Reason

BESIDE_LINE_MM, WHITE = 1.0, 128
MUCH_MM2, MUCH_ELSEWHERE = 20.0, 0.2
"""Of the white of a starting card none lies elsewhere than drawn where the deck has it right, a
third and more where the deck has another printing's."""
ENOUGH_MM2, ENOUGH_CARDS = 75.0, 2
"""White that shows of it: it tells its place where it plainly fits there. The one that was found in
a wrong place showed 54. And cards that it lies under within 3 mm: then it is no doubt, either."""
OTHER_START = Reason("start-drawn-otherwise")


def start_doubts(scene: DoubtContext) -> Iterable[Doubt]:
    """A starting card of which little is seen, or that is drawn otherwise, where cards that lie on
    it are illegal for that; and one that what shows there is not like, as another card may lie
    there.
    """
    table = scene.table
    for card in scene.layout.cards:
        if card.colour != scene.deck.starting_colour.name:
            continue
        if _fits_badly(scene, card.id) and drawn_otherwise(card.id, table, table.templates):
            at_px, changes = scene.at_px(table.named.poses[card.id, :2]), scene.any_colour
            yield Doubt("card", card.id, at_px, OTHER_START, {}, changes)
        if not hardly_seen(card.id, table, table.lines, table.templates):
            continue
        if _told_by_cards(scene, card.id):
            continue
        at = table.named.poses[card.id, :2]
        if not scene.none_is_missing and _no_start(scene, card.id):
            changes = scene.any_colour
            yield Doubt("card", card.id, scene.at_px(at), LOOKS_WRONG, changes, changes)
        reason = Reason("start-place-unclear")
        doubt = scene.doubt_of("card", card.id, at, reason, scene.layout.without([card.id]))
        if doubt.matters:
            yield doubt


def _fits_badly(scene: DoubtContext, below: int) -> bool:
    """Whether a card is, or may be, illegal for the shapes of the one that it lies on: of nothing
    else does it matter which the starting card has, as it has no dots.
    """
    rules = ("mismatched", "misaligned", "overhang")
    return any(below in v.on and v.rule in rules for v in scene.verdicts.values())


def _no_start(scene: DoubtContext, card: int) -> bool:
    """Whether a starting card's lines are pale, its frame is not seen either, what shows there is
    as like plain black, and no more than a few cards lie on it there.
    """
    table = scene.table
    if table.lines[card] >= START_PALE * np.median(table.lines):
        return False
    if _cards_on(scene, card) >= MANY_SUPPORTERS:
        return False
    if frame_shows(card, table.named, scene.evidence, scene.deck):
        return False
    fit = shown_fit(table.named, table.stack, table.templates, np.array([card]))
    return bool(fit[0] >= AS_BLACK_FIT)


def drawn_otherwise(start: int, stacked: StackedCards, templates: Templates) -> bool:
    """Whether much of the white that shows inside the frame of the starting card is where its
    drawing has none: other printings have other lines, and what fits on it is not known then.
    """
    shape, row = templates.shape_hw, int(stacked.named.rows[start])
    reach = 2 * round(BESIDE_LINE_MM * TEMPLATE_DENSITY) + 1
    lines = (templates.white[row] > 0.3).astype(np.uint8).reshape(shape)
    near = cv2.dilate(lines, np.ones((reach, reach), np.uint8)).ravel() > 0
    asked = (stacked.visible[start] > 0.5) & ~templates.marks
    white = asked & (stacked.stack.patches.white[start] > WHITE)
    area = float(white.sum()) / TEMPLATE_DENSITY**2
    return area > MUCH_MM2 and float((white & ~near).sum()) > MUCH_ELSEWHERE * float(white.sum())


def _told_by_cards(scene: DoubtContext, start: int) -> bool:
    """Whether what shows of the starting card, little as it is, is as white as lines usually are,
    or plainly its frame, and cards lie on it there.
    """
    table = scene.table
    plain = table.lines[start] >= START_PALE * np.median(table.lines)
    if not plain and not frame_shows(start, table.named, scene.evidence, scene.deck):
        return False
    white_mm2 = start_white_mm2(start, table, table.templates)
    return white_mm2 >= ENOUGH_MM2 and _cards_on(scene, start) >= ENOUGH_CARDS


def _cards_on(scene: DoubtContext, start: int) -> int:
    """How many cards lie exactly on the starting card, as it shows one side."""
    table = scene.table
    side = int(table.named.rows[start]) % 2
    return cards_by_side(table.named, start, PrintedDeck(scene.deck, table.templates))[side]
