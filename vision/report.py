"""From a reconstructed table to what leaves the package: millimetres, confidences, doubts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from scipy.spatial import cKDTree

from geometry.deck import Deck
from geometry.layout import Card, Layout
from geometry.pose import Pose
from geometry.rules import Rules
from geometry.spread import PoseSpread
from geometry.verdict import Verdict, judge
from vision.arrays import FloatArray, Ints
from vision.cores import Meanwhile
from vision.doubting.chance_fits import ChanceFits
from vision.doubting.doubt_context import DoubtContext
from vision.doubting.doubt_odds import with_odds
from vision.doubting.doubts import find_doubts, unread_lines
from vision.doubting.sight import in_sight
from vision.drawing.bend import FLAT, bend_shift, is_bent
from vision.drawing.pose_fit import place, turns
from vision.evidence import Evidence
from vision.finding.belief import LINES_SHARE
from vision.heights.height_law import law_lead
from vision.heights.height_witness import (
    CLEARLY,
    LIKELIER,
    HeightFindings,
    HeightWitness,
    Lead,
    height_witness,
    tell_heights,
)
from vision.heights.heights import Stacked, heights_of, other_heights
from vision.heights.pose_spread import pose_spreads
from vision.locating.locate import Located
from vision.locating.markers import table_from_markers
from vision.naming.name_cards import dots_on, placed
from vision.observing.dots import MATCH_MM
from vision.reading import Doubt, SeenCard, SeenTable
from vision.reason import Reason
from vision.reconstruct import Reconstruction
from vision.trust import trusted
from vision.view import TableView

START_SURE, NO_LINES = 0.99, 0.3
"""How sure a starting card is at most; noise and print are a third as white as lines."""
LEAST_SPREAD_MM2 = 2000.0
"""Summed squared distance of dots from their card's middle dot: less says too little of scale."""
MARGIN_SCALE = 0.15
"""A face whose rival is this much less clear is right two times in three more than not."""
GOOD_FIT, UNLIKELY_FIT = 0.35, 0.7
WORST_GROWTH = 0.008
"""Of the cards' size: right markers agree with the cards within 0.002."""
MOST_REORDERED = 4
"""Pairs that are turned round because the cards' heights say so."""
LEAST_LEANING_MM = 0.5
"""A card that another height would shift by less need not be asked how high it lies."""

Verdicts = Callable[[Stacked], Mapping[int, Verdict]]


def report(
    table: Reconstruction, evidence: Evidence, located: Located, deck: Deck, rules: Rules
) -> SeenTable:
    """Turn a table read in the raster's rough millimetres into a layout in true ones."""
    order, lines = table.stack.order, Meanwhile(partial(unread_lines, table, evidence, deck))
    table, told = _lying(table, evidence, located, deck, rules)
    if table.stack.order != order:
        lines = Meanwhile(partial(unread_lines, table, evidence, deck))
    heights = told.heights
    view, area = _scaled(located, heights, table)
    if not located.framed:
        view = view.in_frame(_origin(located.view, view, table, heights), 0.0)
    cards = in_sight(_cards(table, located.view, view, heights), view, heights, deck.card)
    layout = Layout(deck, tuple(cards[i] for i in table.stack.order), area)
    spreads = pose_spreads(table, evidence, deck.card, located.view, view, heights)
    seen = _seen(table, layout, view, heights, spreads)
    scene = DoubtContext(table, layout, evidence, located.view, deck, rules)
    fits = ChanceFits(scene)
    slant = _slant_doubts(scene, fits, located.view, view, told)
    table_doubts = *_scale_doubt(scene, located, heights), *_tried_doubt(scene, located)
    table_doubts += evidence.pace.doubts(scene.at_px(scene.middle_mm), deck)
    doubts = with_odds(scene, (*find_doubts(scene, slant, lines, fits), *table_doubts))
    middle = np.mean([[c.pose.x_mm, c.pose.y_mm] for c in layout.cards], axis=0)
    return SeenTable(layout, trusted(seen, doubts), doubts, view.px_per_mm(middle))


def _lying(
    table: Reconstruction, evidence: Evidence, located: Located, deck: Deck, rules: Rules
) -> tuple[Reconstruction, HeightFindings]:
    """The table with the cards' order as their size, and how well they then lie on one another,
    have it where the pixels leave it open; and what is told of their heights in that order.
    """
    parallax = evidence.raster.parallax(table.named.poses[:, :2])
    slant = _slant(parallax, evidence)
    for turn in range(MOST_REORDERED + 1):
        lain = Stacked(table.stack.order, heights_of(table, deck))
        ways = other_heights(table, deck, lain.heights, parallax)
        others = tuple(_leaning(lain, ways, slant))
        if not others:
            return table, HeightFindings(lain.heights, ())
        witness = height_witness(table, evidence, deck.card, lain.heights)
        lead = _lead(witness, _verdicts(table, located, lain.heights, deck, rules))
        leads = {k: lead(lain, o) for k, o in enumerate(others) if o.order != lain.order}
        best = max(leads, key=lambda k: leads[k], default=None)
        if best is None or leads[best] < CLEARLY or turn == MOST_REORDERED:
            break
        table = replace(table, stack=replace(table.stack, order=others[best].order))
    return table, tell_heights(lain, others, lead)


def _verdicts(
    table: Reconstruction, located: Located, heights: FloatArray, deck: Deck, rules: Rules
) -> Verdicts:
    """Verdicts on the cards if they lie so, at the scale that they have at these heights (N,)."""
    view, area = _scaled(located, heights, table)

    def verdicts(lying: Stacked) -> Mapping[int, Verdict]:
        cards = _cards(table, located.view, view, lying.heights)
        return judge(Layout(deck, tuple(cards[i] for i in lying.order), area), rules)

    return verdicts


def _lead(witness: HeightWitness | None, verdicts: Verdicts) -> Lead:
    """How ways to lie are compared: by the size that the cards have, against how large they look as
    a rule, and by how well they then lie on one another.
    """

    def lead(lying: Stacked, other: Stacked) -> float:
        by_size = witness.lead(lying.heights, other.heights) if witness is not None else 0.0
        if by_size <= -CLEARLY:
            return by_size
        by_law = law_lead(verdicts(lying), verdicts(other))
        if other.order != lying.order and by_law < LIKELIER:
            # A card that curls looks larger, too: size alone turns no two cards round.
            by_size = min(by_size, 0.0)
        return by_size + by_law

    return lead


def _slant(parallax: FloatArray, evidence: Evidence) -> FloatArray:
    """By how much each card (N,) seems shifted per mm of height, its `parallax` (N, 2); as much
    where that is unknown.
    """
    if evidence.raster.lens_mm is None:
        return np.ones(len(parallax))
    return np.asarray(np.linalg.norm(parallax, axis=1))


def _leaning(lain: Stacked, others: Iterable[Stacked], slant: FloatArray) -> Iterable[Stacked]:
    """Other ways to lie than as `lain` where cards then lie elsewhere by so much that it may count:
    each (N,) seems shifted by its `slant` (N,) per mm of height.
    """
    for other in others:
        far = np.abs(lain.heights - other.heights) * slant > LEAST_LEANING_MM
        if far.any():
            yield Stacked(other.order, np.where(far, other.heights, lain.heights))


def _slant_doubts(
    scene: DoubtContext, fits: ChanceFits, rough: TableView, view: TableView, told: HeightFindings
) -> Iterable[Doubt]:
    """Cards that may or may not just touch a much higher stack, or of which it is not clear whether
    they lie on it, if that would change a verdict.

    What lies on such a card rises and sinks with it.
    """
    table = scene.table
    for other_way in told.open:
        order, level = other_way.order, other_way.heights
        leaning = [i for i in order if told.heights[i] != level[i]]
        if not leaning:  # another order alone: that is a doubt of its own
            continue
        moved = _cards(table, rough, view, level)
        cards = {card.id: card for card in scene.layout.cards}
        for i in leaning:
            cards[i] = replace(moved[i], in_sight_mm=cards[i].in_sight_mm)
        other = replace(scene.layout, cards=tuple(cards[i] for i in order))
        if order != table.stack.order and fits.needed_by_order(other):
            continue
        at = table.named.poses[leaning[0], :2]
        doubt = scene.doubt_of("card", leaning[0], at, Reason("height-unsure"), other)
        if doubt.matters:
            yield doubt


def _scale_doubt(scene: DoubtContext, located: Located, heights: FloatArray) -> tuple[Doubt, ...]:
    """Markers set the scale; where the cards' dots say otherwise, millimetres are not to be
    trusted, and so neither are the verdicts. A printer may have scaled the markers.
    """
    if not located.scaled:
        return ()
    growth = dot_growth(scene.table, heights, located.view)
    if growth is None or abs(growth) < WORST_GROWTH:
        return ()
    at = scene.at_px(scene.middle_mm)
    reason = Reason("markers-misscaled", {"share": 1 + growth})
    return (Doubt("table", None, at, reason, {}, scene.any_colour),)


def _tried_doubt(scene: DoubtContext, located: Located) -> tuple[Doubt, ...]:
    """Where no plain outline of a card showed, what hid them may hide cards as well; not where the
    starting card lies there, every other plainly shows, and the numbers of cards say that none is
    missing: of planes that are wrong not even the cards that gave them are all read.
    """
    if not located.tried or (scene.counted_out and scene.starting_card_seen):
        return ()
    at = scene.at_px(scene.middle_mm)
    reason = Reason("table-hard-to-find")
    return (Doubt("table", None, at, reason, scene.any_colour, scene.any_colour),)


def _origin(
    rough: TableView, view: TableView, table: Reconstruction, heights: FloatArray
) -> FloatArray:
    """The starting card's middle (2,) in the view's mm, else the lowest card's."""
    start = np.flatnonzero(table.named.rows >= table.templates.start_row)
    first = int(start[0]) if len(start) else table.stack.order[0]
    px = rough.to_px(table.named.poses[first, :2][None])
    return np.asarray(view.to_mm(px, float(heights[first]))[0])


def _scaled(
    located: Located, heights: FloatArray, table: Reconstruction
) -> tuple[TableView, tuple[float, float] | None]:
    """The view with its scale set by the cards' known size, where no marker gives it."""
    if located.scaled:
        return located.view, located.play_area_mm
    found = dot_growth(table, heights, located.view)
    if found is None:
        return located.view, located.play_area_mm
    scale = 1 + found
    view = TableView(located.view.lens, located.view.rotation, located.view.translation_mm / scale)
    if located.play_area_mm is None:
        return view, None
    table_now = table_from_markers(view, located.markers)
    if table_now is None:
        return view, None
    return table_now.view, table_now.play_area_mm


def dot_growth(table: Reconstruction, heights: FloatArray, view: TableView) -> float | None:
    """How much larger the cards' dot patterns measure than they are; None: too few dots.

    0.004 means that 1000 true millimetres measure 1004. Dots are taken, not
    lines: a dot's middle stays put however its white and its ground blur.
    """
    drawn, owner, seen_mm = _dots_seen(table)
    count = np.bincount(owner, minlength=len(table.named))
    several = count[owner] > 1
    drawn, owner, seen_mm = drawn[several], owner[several], seen_mm[several]
    distance = float(abs(view.rotation[:, 2] @ view.translation_mm))
    poses = table.named.poses[owner]
    away = seen_mm - poses[:, :2]
    if is_bent(poses):
        away -= bend_shift(poses, drawn[:, None])[:, 0]
    spots = np.einsum("kj,kji->ki", away, turns(poses[:, 2]))
    spots *= (1 - heights[owner] / distance)[:, None]
    cards, own = np.unique(owner, return_inverse=True)
    drawn, spots = _from_middle(drawn, own), _from_middle(spots, own)
    along = np.bincount(own, (drawn * spots).sum(axis=1), len(cards))
    square = np.asarray(np.bincount(own, (drawn**2).sum(axis=1), len(cards)), np.float64)
    if square.sum() < LEAST_SPREAD_MM2:
        return None
    ratio = along / square
    fine = np.abs(ratio - _weighted_median(ratio, square)) < 0.01
    return float(along[fine].sum() / square[fine].sum()) - 1


def _dots_seen(table: Reconstruction) -> tuple[FloatArray, Ints, FloatArray]:
    """Dots that are seen where their cards have them: in the card's frame as it is seen (K, 2),
    whose they are (K,), and where they are seen on the table (K, 2), mm.
    """
    drawn, owner = dots_on(table.named, np.arange(len(table.named)), table.templates)
    if len(drawn) == 0 or len(table.dots.middle_mm) == 0:
        return np.empty((0, 2)), np.empty(0, np.int64), np.empty((0, 2))
    due = placed(table.named, drawn, owner)
    found = cKDTree(table.dots.middle_mm).query(due, distance_upper_bound=MATCH_MM)
    gap, nearest = np.asarray(found[0]), np.asarray(found[1], np.int64)
    seen = np.flatnonzero(np.isfinite(gap))
    # Of two dots of a card that lie near the same spot, the nearer one is seen there.
    seen = seen[np.argsort(gap[seen], kind="stable")]
    spot = owner[seen] * len(table.dots.middle_mm) + nearest[seen]
    seen = np.sort(seen[np.unique(spot, return_index=True)[1]])
    return drawn[seen], owner[seen], table.dots.middle_mm[nearest[seen]]


def _from_middle(points: FloatArray, owner: Ints) -> FloatArray:
    """Points (K, 2) less the middle of those of the same owner (K,)."""
    count = np.bincount(owner)[:, None]
    middle = np.stack([np.bincount(owner, v) for v in points.T], axis=1) / count
    return np.asarray(points - middle[owner])


def _weighted_median(values: FloatArray, weights: FloatArray) -> float:
    order = np.argsort(values)
    share = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(share, share[-1] / 2)])


def _cards(
    table: Reconstruction, rough: TableView, view: TableView, heights: FloatArray
) -> list[Card]:
    """The cards in true millimetres, by index."""
    tips = place(table.named.poses[:, :FLAT], np.array([[0.0, 0.0], [0.0, -40.0], [0.0, 40.0]]))
    mm = view.to_mm(rough.to_px(tips.reshape(-1, 2)), np.repeat(heights, 3)).reshape(-1, 3, 2)
    up = mm[:, 1] - mm[:, 2]
    angles = np.rad2deg(np.arctan2(up[:, 0], -up[:, 1])) % 360
    colours, faces = table.templates.colours, table.templates.faces
    return [
        Card(
            i, colours[int(table.naming.colour[i])], faces[int(row) // 2],
            Pose(float(mm[i, 0, 0]), float(mm[i, 0, 1]), float(angles[i]), bool(row % 2)),
        )
        for i, row in enumerate(table.named.rows)
    ]  # fmt: skip


def _seen(
    table: Reconstruction, layout: Layout, view: TableView, heights: FloatArray,
    spreads: Sequence[PoseSpread],
) -> tuple[SeenCard, ...]:  # fmt: skip
    """How each card of the layout was seen, in its order; `spreads` by index."""
    corners = np.array(layout.deck.card.corners_mm)
    mm = np.stack([card.pose.to_table(corners) for card in layout.cards])
    ids = np.array([card.id for card in layout.cards])
    px = view.to_px(mm.reshape(-1, 2), np.repeat(heights[ids], 4)).reshape(-1, 4, 2).tolist()
    seen = []
    for card, outline in zip(layout.cards, px, strict=True):
        face, colour, pose = _confidences(table, card.id)
        a, b, c, d = ((x, y) for x, y in outline)
        sure = face * colour * pose
        seen.append(SeenCard(card.id, (a, b, c, d), sure, colour, face, pose, spreads[card.id]))
    return tuple(seen)


def start_shown(lines: FloatArray, start: int) -> float:
    """How well a starting card shows, 0 to 1, by how white (N,) all cards' lines are seen: other
    cards are believed where theirs are as white as usual, and are none below that. 1 where a lamp
    or other cards leave nothing of it to be asked.
    """
    usual = float(np.median(lines))
    share = lines[start] / max(usual, 1e-6)
    shown = float(np.clip((share - NO_LINES) / (LINES_SHARE - NO_LINES), 0.0, 1.0))
    return shown if lines[start] > 0 else 1.0


def _confidences(table: Reconstruction, i: int) -> tuple[float, float, float]:
    """How sure face, colour and pose of a card are, 0 to 1."""
    named = table.named
    if named.rows[i] >= table.templates.start_row:
        start = START_SURE * start_shown(table.lines, i)
        return start, 1.0, START_SURE
    face = 1 - 0.5 * float(np.exp(-max(float(named.margin[i]), 0.0) / MARGIN_SCALE))
    fit = float(np.clip((UNLIKELY_FIT - named.fit[i]) / (UNLIKELY_FIT - GOOD_FIT), 0.0, 1.0))
    return face, float(table.naming.confidence[i]), 0.6 + 0.4 * fit
