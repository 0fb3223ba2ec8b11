"""Doubts about the table as a whole: what was missed, and pictures that are too poor."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import cv2
import numpy as np
from scipy.spatial import cKDTree

from geometry.showing import over
from vision.arrays import Bools, FloatArray
from vision.doubting.doubt_context import DoubtContext
from vision.doubting.limits import shortcomings
from vision.doubting.missed_cards import could_be_lines
from vision.drawing.pose_fit import turns
from vision.finding.white_lines import ALONG, Segments, unexplained_lines
from vision.heights.height_witness import sizes_alike
from vision.reading import Doubt
from vision.reason import Reason

LINE_ON_CARD_MM = 12.0
LINE_OFF_CARD_MM, LINE_UNCOUNTED_MM = 20.0, 15.0
"""In a free-for-all, where cards are not counted, so much of a line tells of a missed card: noise
in a bright picture left 19.8 mm, at most, of the lines of a card that a sleeve half covers. Of 84
free-for-alls of the hard mix it leaves one, with print on the table, in needless doubt."""
PARALLEL = float(np.cos(np.deg2rad(15.0)))
"""A card's lines stand at 45 or 90 degrees to each other; a curl turns them by less."""
PEEKS_MM = 20.0
"""A card that peeks out farther shows more than one side's line."""
MUCH_PRINT = 500
"""Straight lines near the cards that no card draws: a newspaper has a thousand and more, any other
table, with things on it, up to 60."""
ON_BAND_MM, OFF_BAND_MM = (1.3, 2.0, 2.7), (5.2, 6.2, 7.2, 8.2)
"""From a card's line, in its band and beyond the card's edge."""
MOSTLY_INK, HARDLY_INK = 0.5, 0.4
IN_BAND_MM, OFF_EDGE_MM = 1.2, 0.5
"""A line in a card's band lies at least so far from the frame's own, and no farther beyond the
edge."""
BEYOND_ENDS = np.linspace(-0.1, 1.1, 13)
"""Shares of a line's length, the first and the last two of them at its ends."""
BURNT_STEP_MM, BURNT_MM = 1.5, 6.0
"""Of a burnt-out patch: how finely it is looked at, and how far inside it its middle must lie."""
BESIDE_MM, WASHED_AWAY = 110.0, 0.2
"""From a card's middle, a card's diagonal: what lies beside it; and so much of a card must show for
it not to be found under others, and is burnt out."""

CARELESS_MM, FEWEST_LAID = (0.7, 1.3), 8
"""People lay cards within half a millimetre. The first quarter of them was off by so much, and half
of them by so much, on two of the 1,000 tables of the hard mix, neither of which could be told
surely; with a wrong lens file by 0.8 to 1.2 and 1.2 to 4.6. Of so many cards it says something."""


def line_doubts(scene: DoubtContext, lines: Segments) -> Iterable[Doubt]:
    """White lines like a card's that no card accounts for: one was missed, or misread."""
    if len(lines.start_mm) and scene.none_is_missing:
        lines = lines.take(~_lit_band(scene, lines))
    if len(lines.start_mm) == 0:
        return
    away, half = _middles_away(scene, lines)
    on_card = np.asarray((away < half).all(axis=2).any(axis=0))
    # On a card a line may be its own, misread.
    for group in _long_groups(lines.take(on_card), LINE_ON_CARD_MM):
        yield line_doubt(scene, group)
    yield from _lines_beside(scene, lines.take(~on_card))


def _lit_band(scene: DoubtContext, lines: Segments) -> Bools:
    """Which lines (S,) are a card's own band beside a burnt-out patch, lit by the lamp's tail:
    they lie within it, along the card's edge, and begin in the patch.
    """
    spots = lines.spots(BEYOND_ENDS)
    begins = scene.evidence.is_washed(spots)[:, [0, 1, -2, -1]].any(axis=1)
    out = np.zeros(len(spots), np.bool_)
    if not begins.any():
        return out
    card, poses = scene.deck.card, scene.table.named.poses
    half = np.array([card.width_mm, card.height_mm]) / 2
    inside = card.frame_inset_mm - IN_BAND_MM
    for k in np.flatnonzero(begins):
        for own in set(scene.top.at(spots[k, 1:-1]).tolist()) - {0}:
            local = (spots[k, 1:-1] - poses[own - 1, :2]) @ turns(poses[own - 1, 2:3])[0]
            beyond = np.abs(local) - half
            out[k] |= bool(((beyond > -inside) & (beyond < OFF_EDGE_MM)).all(axis=0).any())
    return out


def _lines_beside(scene: DoubtContext, lines: Segments) -> Iterable[Doubt]:
    """Lines beside the cards that a missed card could draw.

    Where the table is full of print, and the numbers of cards say that none was missed, one
    straight line is none: of a card that lies on the table a corner shows as a rule, or its line
    runs along the card that hides it. The numbers alone would not do: in the middle of a round one
    colour may be a card ahead, and that card be the missed one.
    """
    least_mm = LINE_UNCOUNTED_MM if scene.rules.free_for_all else LINE_OFF_CARD_MM
    could_be = [
        (group, long.take(likely))
        for group in _long_groups(lines, least_mm)
        if (likely := could_be_lines(scene, long := _long(group, least_mm))).any()
    ]
    only = bool(could_be) and print_only(scene, len(could_be))
    for group, likely_lines in could_be:
        alone = _parallel(likely_lines) and not _peek_out(scene, likely_lines).any()
        if not (only and alone):
            yield line_doubt(scene, group)


def print_only(scene: DoubtContext, places: int) -> bool:
    """Whether something white beside the cards, in so many places, is print as the table is full of
    it and the numbers of cards say that none was missed.
    """
    return scene.counted_out and not scene.one_each(places) and _full_of_print(scene)


def _full_of_print(scene: DoubtContext) -> bool:
    """Whether straight white lines that no card draws lie on the table by the hundred."""
    table = scene.table
    lines = unexplained_lines(scene.evidence, table.named, table.stack.order, table.templates)
    off_cards = scene.top.at((lines.start_mm + lines.end_mm) / 2) == 0
    return int(np.count_nonzero(off_cards)) >= MUCH_PRINT


def _peek_out(scene: DoubtContext, lines: Segments) -> Bools:
    """Which lines (S,) run along a card's edge and have a band beyond them: another that this one
    almost hides shows no more.
    """
    away, half = _middles_away(scene, lines)
    turned = turns(scene.table.named.poses[:, 2])
    along = np.abs(np.einsum("nji,kj->nki", turned, lines.along))
    near = (away > half) & (away < half + PEEKS_MM)
    beside = near & (away < half)[..., ::-1] & (along[..., ::-1] > PARALLEL)
    return np.asarray(beside.any(axis=(0, 2)) & _has_band(scene, lines))


def _middles_away(scene: DoubtContext, lines: Segments) -> tuple[FloatArray, FloatArray]:
    """How far (N, S, 2) the lines' middles lie from each card's, along its sides; and half a card's
    size (2,).
    """
    poses, card = scene.table.named.poses, scene.deck.card
    away = (lines.start_mm + lines.end_mm) / 2 - poses[:, None, :2]
    local = np.einsum("nji,nkj->nki", turns(poses[:, 2]), away)
    return np.abs(local), np.array([card.width_mm, card.height_mm]) / 2


def _has_band(scene: DoubtContext, lines: Segments) -> Bools:
    """On either side of which lines (S,) ink of a colour runs along them, as wide as a band."""
    if not scene.inks:
        return np.ones(len(lines.start_mm), np.bool_)
    spots, normal = lines.spots(ALONG), lines.normal[:, None]
    out = np.zeros(len(lines.start_mm), np.bool_)

    def inked(side: int, offs_mm: tuple[float, ...]) -> FloatArray:
        places = np.stack([spots + normal * side * off for off in offs_mm])
        seen = scene.ink_like(places.reshape(-1, 2)).reshape(*places.shape[:-1], -1)
        return np.asarray((seen & (scene.top.at(places) == 0)[..., None]).mean(axis=2))

    for side in (-1, 1):
        # White dots on a bar of print interrupt its ink here and there.
        near, far = inked(side, ON_BAND_MM).mean(axis=0), inked(side, OFF_BAND_MM).max(axis=0)
        out |= ((near > MOSTLY_INK) & (far < HARDLY_INK)).any(axis=1)
    return out


def burnt_doubts(scene: DoubtContext) -> Iterable[Doubt]:
    """A burnt-out patch beside the cards, in which cards may lie that are washed out whole: in a
    free-for-all, where numbers of cards tell nothing, one; else one of each colour, which leaves
    the numbers equal, where the patches have room for so many.
    """
    evidence = scene.evidence
    if not evidence.burnt.any():
        return
    step = max(1, round(BURNT_STEP_MM * evidence.raster.density))
    pixel_mm = step / evidence.raster.density
    bare = evidence.burnt[::step, ::step] > 0
    rows, columns = np.nonzero(bare)
    at = evidence.raster.to_mm(np.array([columns, rows], np.float64).T * step)
    away, _ = cKDTree(scene.table.named.poses[:, :2]).query(at)
    beside = scene.rules.free_for_all | (away < BESIDE_MM)
    bare[rows, columns] = (scene.top.at(at) == 0) & beside
    deep = cv2.distanceTransform(bare.astype(np.uint8), cv2.DIST_L2, 3) * pixel_mm
    if deep.max() < BURNT_MM:
        return
    wide = cv2.distanceTransform((deep < BURNT_MM).astype(np.uint8), cv2.DIST_L2, 3) * pixel_mm
    room_mm2 = float(np.count_nonzero(wide < BURNT_MM)) * pixel_mm**2
    card = scene.deck.card
    hidden_mm2 = len(scene.numbers) * WASHED_AWAY * card.width_mm * card.height_mm
    if scene.rules.free_for_all or room_mm2 >= hidden_mm2:
        row, column = np.unravel_index(int(deep.argmax()), deep.shape)
        spot = evidence.raster.to_mm(np.array([column, row], np.float64) * step)
        yield _missed_at(scene, spot, "burnt-out-beside")


def _missed_at(scene: DoubtContext, at_mm: FloatArray, code: str) -> Doubt:
    """A card of any colour may have been missed at a place (2,), rough table mm."""
    at_px, changes = scene.at_px(at_mm), scene.any_colour
    return Doubt("missing", None, at_px, Reason(code), changes, changes)


def badge_doubts(scene: DoubtContext) -> Iterable[Doubt]:
    """Badges that plainly show and that no card read has."""
    for pose in scene.table.unread:
        yield _missed_at(scene, pose[:2], "badge-without-card")


def count_doubts(scene: DoubtContext) -> Iterable[Doubt]:
    """Players lay equally many cards (S3, E1); only a free-for-all ends before that (V4)."""
    if scene.rules.free_for_all:
        return
    most = max(scene.numbers.values(), default=0)
    for name, count in sorted(scene.numbers.items()):
        if count < most:
            at = scene.middle_mm
            reason = Reason("cards-too-few", {"count": count, "colour": name, "most": most})
            changes = {name: most - count}
            yield Doubt("missing", None, scene.at_px(at), reason, changes, changes)


def start_doubt(scene: DoubtContext) -> Iterable[Doubt]:
    """Every table has a starting card (S2), laid before all others; without it placements on it are
    misjudged, and more may be unseen. What lies on another card is none: one that a lamp washes out
    may look like it.
    """
    if not scene.starting_card_seen:
        yield _missed_at(scene, scene.middle_mm, "start-not-seen")
        return
    start = scene.deck.starting_face.id
    cards = scene.layout.cards
    first = next(k for k, card in enumerate(cards) if card.face == start)
    if over(replace(scene.layout, cards=cards[: first + 1]))[cards[first].id]:
        at = scene.table.named.poses[cards[first].id, :2]
        yield _missed_at(scene, at, "start-on-another")


def range_doubts(scene: DoubtContext) -> Iterable[Doubt]:
    """A picture, or a printing, outside the range in which readings are trusted makes every
    colour unsure.
    """
    table = scene.table
    at = scene.at_px(scene.middle_mm)
    reasons = shortcomings(table, scene.evidence, scene.rough)
    if scene.deck.art.lines == "colour":
        reasons = [Reason("lines-coloured"), *reasons]
    for reason in reasons:
        changes = scene.any_colour
        yield Doubt("table", None, at, reason, changes, changes)


def laying_doubt(scene: DoubtContext) -> Iterable[Doubt]:
    """Cards that seem to lie on each other as nobody lays them make all verdicts unsure: the lens
    file, or the picture's shape, then makes wrong millimetres. Those that move a card by so much
    make one wider or longer than another, too; where none is, hands laid the cards so.
    """
    off_mm = [
        verdict.offset_mm
        for verdict in scene.verdicts.values()
        if verdict.offset_mm is not None
        and (verdict.status == "legal" or verdict.rule == "misaligned")
    ]
    if len(off_mm) < FEWEST_LAID or (np.quantile(off_mm, (0.25, 0.5)) < CARELESS_MM).any():
        return
    if sizes_alike(scene.table, scene.evidence, scene.deck.card):
        return
    reason = Reason("laid-too-far-off", {"off_mm": float(np.median(off_mm))})
    at, changes = scene.at_px(scene.middle_mm), dict.fromkeys(scene.numbers, 1)
    yield Doubt("table", None, at, reason, changes_scores_without_illegal_by=changes)


def line_doubt(scene: DoubtContext, group: Segments) -> Doubt:
    """A doubt in the middle of white lines that no card accounts for."""
    at = ((group.start_mm + group.end_mm) / 2).mean(axis=0)
    return _missed_at(scene, at, "lines-unexplained")


def _long(lines: Segments, least_mm: float) -> Segments:
    return lines.take(lines.length_mm >= least_mm)


def _long_groups(lines: Segments, least_mm: float) -> list[Segments]:
    """Groups of segments some of which are that long."""
    return [group for group in _groups(lines) if (group.length_mm >= least_mm).any()]


def _parallel(lines: Segments) -> bool:
    """Whether all segments (S,), one at least, run the same way."""
    return bool((np.abs(lines.along @ lines.along[0]) > PARALLEL).all())


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
