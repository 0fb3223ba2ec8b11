"""Doubts about dots: where the layout and the white discs in the pixels do not agree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from geometry.layout import Card
from geometry.showing import dot_parts
from vision.arrays import Bools, FloatArray, Ints
from vision.doubting.dots_in_haze import in_glare, no_paler, told_by_colour, too_faint
from vision.doubting.doubt_context import DoubtContext
from vision.doubting.missed_cards import could_be_dots
from vision.doubting.table_doubts import print_only
from vision.doubting.unseen_cards import could_hide
from vision.drawing.half_dots import parts_seen
from vision.drawing.pose_fit import place
from vision.evidence import sample
from vision.finding.white_lines import Segments, drawn_white
from vision.naming.name_cards import dots_on, placed
from vision.observing.dots import (
    Own,
    circle,
    disc_places,
    dot_whiteness,
    match,
    stands_out,
    white_part,
)
from vision.reading import Doubt
from vision.reason import Reason

HARDLY_SHOWN, NEARLY_WHOLE = 0.05, 0.95
PARTLY_MM = 2.6
"""The middle of what shows of a dot lies at most so far from the dot's own."""
HALF_SHOWN = 0.07
"""A dot of which the layout lets so much more or less than half show could be counted either way:
the part that shows is known to 0.05 as a rule, and where it is not the pixels say otherwise."""
HEIGHT_MM = 0.4
"""So much higher or lower than they are taken to be cards may lie over a dot: from aslant they seem
to hide another part of it than from straight above."""
BY_SLANT = 0.4
"""Of by how much the part that is seen from aslant differs from the part that truly shows."""
PARTLY_SHOWN = (0.25, 0.75)
"""Between these the pixels must agree which half it is."""
PIXELS_TELL = 0.1
"""The pixels say what part is seen to 0.1 (sigma, of 110 dots); by less they do not contradict."""
LEAST_WHITE = 0.55
MOST_BURNT = 0.2
DRAWN_SHARE = 0.4
LONE_MM = 75.0
"""Cards lie on each other: the middle of one that was missed is within a card of another's."""
LONE_LIKENESS, LONE_STRENGTH = 0.92, 0.5
LEAST_INK = 0.25
"""Of the likest ink's strength: round a card's dot it is 0.4 and more, even in a lamp's haze."""
CLEAR_MM = 3.2
"""So far around it must not be known cards' ink that a corner of table stands out from."""
MOST_LONE = 6
"""More dots than the printed value of one card: they belong to something else."""
ON_CARD_MM = 1.8
"""A disc lies on a card if it does so far around: half of a cloth's dot may look out beside one."""
GAP_MM = 1.6
"""A disc of which a card hides a part seems to have its middle up to 1.2 mm inside its edge,
which the map of who shows has half a millimetre farther out."""
RING_MM = 1.2
ONE_INK, GRAIN, MOST_OTHER = 0.55, 6.0, 0.25
"""Round a dot hardly anything differs more from its ground than by such a share, and grain."""
LINE_NEAR_MM = 12.0
FRINGE_MM = 3.0
AT_GLARE = 0.15
"""Of a circle round a disc: with so much of it burnt out the disc may be the glare's fringe."""
CLEARLY_ALIKER = 0.08


@dataclass(frozen=True, eq=False)
class Expected:
    """Dots of the layout, in rough table mm (K, 2), whose they are, and what part shows from
    straight above (K,).
    """

    at_mm: FloatArray
    owners: tuple[Card, ...]
    parts: FloatArray

    def own_ids(self) -> Ints:
        """The owners' ids (K,)."""
        return np.array([card.id for card in self.owners], dtype=np.int64)

    def take(self, keep: Bools) -> Expected:
        """Some of them."""
        owners = tuple(o for o, k in zip(self.owners, keep, strict=True) if k)
        return Expected(self.at_mm[keep], owners, self.parts[keep])


def dot_doubts(scene: DoubtContext, lines: Segments) -> Iterable[Doubt]:
    """Dots that should show and do not, show and should not, or show by about half.

    `lines` are the white lines that no card accounts for: a dot beside the
    cards is one only where such lines are.
    """
    expected = _expected(scene)
    whole = expected.take(expected.parts > 0.5)
    seen = scene.table.dots
    to_seen, to_expected = match(whole.at_mm, seen.middle_mm)
    yield from _missing(scene, whole.take(to_seen < 0), whole.at_mm)
    yield from _stray(scene, expected, np.flatnonzero(to_expected < 0), lines)
    yield from _on_other_ink(scene, whole, to_seen)
    yield from _half_shown(scene, expected)


def _expected(scene: DoubtContext) -> Expected:
    parts, named = dot_parts(scene.layout), scene.table.named
    ids = np.array([card.id for card in scene.layout.cards], np.int64)
    dots, owner = dots_on(named, ids, scene.table.templates)
    by_id = {card.id: card for card in scene.layout.cards}
    owners = tuple(by_id[i] for i in owner.tolist())
    shown = np.array([part for i in ids.tolist() for part in parts[i]], np.float64)
    return Expected(placed(named, dots, owner), owners, shown)


def _missing(scene: DoubtContext, dots: Expected, usual_mm: FloatArray) -> Iterable[Doubt]:
    """Dots that are due and that no disc seen is; `usual_mm` (M, 2) is where all are due."""
    if len(dots.owners) == 0:
        return
    top = scene.top
    own_ids = dots.own_ids()[:, None] + 1
    own: Own = lambda places: top.at(places) == own_ids  # noqa: E731
    white, burnt = dot_whiteness(scene.evidence, dots.at_mm, scene.deck, own)
    seen = ((white > LEAST_WHITE) & (burnt < MOST_BURNT)) | stands_out(
        scene.evidence, dots.at_mm, scene.deck, own
    )
    unseen = np.flatnonzero(~seen)
    own_id = dots.own_ids()[unseen]
    unseen = unseen[~told_by_colour(scene, dots.at_mm[unseen], own_id, usual_mm)]
    # The face is known: a card that hid the dot would, as a rule, show round the burnt-out patch.
    hiding = np.zeros(len(unseen), np.bool_)
    if len(unseen) and not scene.none_is_missing:
        hiding = could_hide(scene, dots.at_mm[unseen], dots.own_ids()[unseen])
    glare = (burnt[unseen] >= MOST_BURNT) | in_glare(scene, dots.at_mm[unseen])
    for k, hidden, lost in zip(unseen, hiding, glare, strict=True):
        if not lost:
            code = "dot-not-seen"
        elif hidden:
            code = "dot-burnt-out"
        else:
            continue
        card = dots.owners[k]
        yield _doubt(scene, card.id, dots.at_mm[k], Reason(code), {card.colour: -1})


def _stray(scene: DoubtContext, expected: Expected, left: Ints, lines: Segments) -> Iterable[Doubt]:
    """Discs that no card's dot, line, band or symbol explains."""
    if len(left) == 0:
        return
    seen = scene.table.dots
    spots = seen.middle_mm[left]
    partly = (expected.parts > HARDLY_SHOWN) & (expected.parts < NEARLY_WHOLE)
    odd = _farther(spots, expected.at_mm[partly], PARTLY_MM) & ~_drawn(scene, spots)
    odd &= ~_at_glare(scene, spots) & ~_worn_corner(scene, spots)
    top = scene.top
    ends = np.concatenate([lines.start_mm, lines.end_mm, (lines.start_mm + lines.end_mm) / 2])
    on_card = (top.at(spots[:, None] + circle(ON_CARD_MM, 8)) > 0).all(axis=1)
    # In a gap between two cards it is the table's, unless a card was missed under both; where one
    # hides a part of it, its middle seems to lie on that one.
    by_gap = np.concatenate([[[0.0, 0.0]], circle(GAP_MM, 16)])
    in_gap = on_card & (top.at(spots[:, None] + by_gap) == 0).any(axis=1)
    if scene.counted_out and not scene.one_each(int(in_gap.sum())):
        on_card &= ~in_gap
    beside = odd & (top.at(spots[:, None] + circle(CLEAR_MM, 8)) == 0).all(axis=1)
    inked, surely_inked = _ink_at(scene, spots, seen.ground[left])
    beside &= surely_inked
    # A few dots on ink beside the cards are a card's that was missed; many are a cloth's.
    lone = beside if beside.sum() <= MOST_LONE else np.zeros_like(beside)
    odd &= on_card | lone | ~_farther(spots, ends, LINE_NEAR_MM)
    odd &= inked & ~(beside & _cut_off(scene, spots))
    odd[odd] = ~no_paler(scene, spots[odd], np.delete(seen.middle_mm, left, axis=0))
    odd[odd] = ~too_faint(scene, spots[odd])
    odd[odd] = could_be_dots(scene, spots[odd], seen.ground[left[odd]])
    on_table = odd & (top.at(spots) == 0)
    if on_table.any() and print_only(scene, int(on_table.sum())):
        odd &= ~on_table
    for k in left[odd]:
        looks = _nearest_colour(scene, seen.ground[k])
        change = {looks: 1} if looks else scene.any_colour
        yield _doubt(scene, None, seen.middle_mm[k], Reason("dot-unexplained"), change)


def _worn_corner(scene: DoubtContext, spots: FloatArray) -> Bools:
    """Which spots (K,) are a corner of a card read that shows there: paper looks out where its
    print is worn off, and no dot lies on a band.
    """
    card = scene.deck.card
    inset = card.corner_radius_mm * (1 - np.sqrt(0.5))
    inside = np.array(card.corners_mm) - np.sign(card.corners_mm) * inset
    ids = np.array([one.id for one in scene.layout.cards])
    corners = place(scene.table.named.poses[ids], inside)
    shows = scene.top.at(corners) == ids[:, None] + 1
    return ~_farther(spots, corners[shows], card.frame_inset_mm - card.line_mm)


def _cut_off(scene: DoubtContext, spots: FloatArray) -> Bools:
    """Which spots (K,) have no ground of one ink as far as the picture shows it: beyond its edge
    all is black, and a square of cloth there ends like a disc.
    """
    places = spots[:, None] + circle(scene.deck.dot_diameter_mm / 2 + RING_MM, 24)
    px = scene.rough.to_px(places.reshape(-1, 2)).reshape(places.shape)
    last = np.array(scene.rough.lens.size_wh) - 1
    inside = np.asarray(((px >= 0) & (px <= last)).all(axis=2), np.bool_)
    out = np.zeros(len(spots), np.bool_)
    for k in np.flatnonzero(inside.any(axis=1) & ~inside.all(axis=1)).tolist():
        at = scene.evidence.raster.to_raster(places[k, inside[k]])
        colour = scene.evidence.colour_at(at).astype(np.float64)
        away = colour - colour.mean(axis=1, keepdims=True)
        ground = np.median(away, axis=0)
        off = np.linalg.norm(away - ground, axis=1)
        out[k] = (off > ONE_INK * np.linalg.norm(ground) + GRAIN).mean() > MOST_OTHER
    return out


def _at_glare(scene: DoubtContext, spots: FloatArray) -> Bools:
    """Which spots (K,) touch a burnt-out patch, whose fringe looks like a dot."""
    washed = scene.evidence.is_washed(spots[:, None] + circle(FRINGE_MM, 16))
    return np.asarray(washed.mean(axis=1) > AT_GLARE)


def _ink_at(scene: DoubtContext, spots: FloatArray, ground: FloatArray) -> tuple[Bools, Bools]:
    """Which spots (K,) lie on what may be ink, and which within reach of a card on what surely is.

    A haze tints black, and in dim, noisy pictures grains stand out from it: the haze of the card
    that shows there, or of the nearest one, is taken off.
    """
    gap = np.linalg.norm(spots[:, None] - scene.table.named.poses[None, :, :2], axis=2)
    if not scene.inks:
        return np.ones(len(spots), np.bool_), np.zeros(len(spots), np.bool_)
    top = scene.top.at(spots)
    away = ground - scene.table.haze[np.where(top > 0, top - 1, gap.argmin(axis=1))]
    inks = np.array(list(scene.inks.values()))
    strength, own = np.linalg.norm(away, axis=1)[:, None], np.linalg.norm(inks, axis=1)
    like = away @ inks.T / np.maximum(strength * own, 1e-9)
    share = strength / np.maximum(own, 1e-9)
    likest = np.take_along_axis(share, like.argmax(axis=1)[:, None], axis=1)[:, 0]
    sure = ((like > LONE_LIKENESS) & (share > LONE_STRENGTH)).any(axis=1)
    return np.asarray(likest > LEAST_INK), np.asarray(sure & (gap.min(axis=1) < LONE_MM))


def _farther(spots: FloatArray, others: FloatArray, by_mm: float) -> Bools:
    if len(others) == 0:
        return np.ones(len(spots), np.bool_)
    return np.asarray(np.asarray(cKDTree(others).query(spots)[0]) > by_mm)


def _drawn(scene: DoubtContext, spots: FloatArray) -> Bools:
    """Where (K,) the cards as read draw something white anyhow."""
    table, raster = scene.table, scene.evidence.raster
    canvas = drawn_white(scene.evidence, table.named, table.stack.order, table.templates)
    ring = circle(1.0, 8)
    around = np.concatenate([[[0.0, 0.0]], ring * 0.7, ring * 1.4])
    white = sample(canvas, raster.to_raster(spots[:, None] + around[None])) / 255
    return np.asarray(white.mean(axis=1) > DRAWN_SHARE)


def _on_other_ink(scene: DoubtContext, dots: Expected, to_seen: Ints) -> Iterable[Doubt]:
    """Dots that lie on ink of another colour than the card they were counted for."""
    matched = np.flatnonzero(to_seen >= 0)
    if len(matched) == 0 or not scene.inks:
        return
    names, inks = list(scene.inks), np.array(list(scene.inks.values()))
    owners = np.array([names.index(dots.owners[i].colour) for i in matched])
    ground = scene.table.dots.ground[to_seen[matched]] - scene.table.haze[dots.own_ids()[matched]]
    length = np.linalg.norm(ground, axis=1)[:, None] * np.linalg.norm(inks, axis=1)
    alike = ground @ inks.T / np.maximum(length, 1e-9)
    looks, rows = alike.argmax(axis=1), np.arange(len(matched))
    other = (looks != owners) & (alike[rows, looks] - alike[rows, owners] > CLEARLY_ALIKER)
    # What a haze leaves of an ink is no colour: its direction is chance.
    strength = np.linalg.norm(ground, axis=1)
    other &= strength >= LEAST_INK * np.linalg.norm(inks, axis=1)[looks]
    for k in np.flatnonzero(other):
        i, owner, seen = matched[k], names[owners[k]], names[looks[k]]
        reason = Reason("dot-on-another-colour", {"colour": owner, "rival": seen})
        yield _doubt(scene, dots.owners[i].id, dots.at_mm[i], reason, {owner: -1, seen: 1})


def _half_shown(scene: DoubtContext, expected: Expected) -> Iterable[Doubt]:
    """Dots that a misplaced card hides by about half, or by which half is not clear."""
    low, high = PARTLY_SHOWN
    dots = expected.take((expected.parts > low) & (expected.parts <= high))
    if len(dots.owners) == 0:
        return
    white = white_part(scene.evidence, dots.at_mm, scene.deck)
    seen = _parts_as_seen(scene, dots)
    contradicted = (dots.parts > 0.5) != (white > 0.5)
    contradicted &= np.abs(white - seen) > PIXELS_TELL
    by_slant = np.hypot(_by_height(scene, dots), BY_SLANT * (seen - dots.parts))
    about = np.abs(dots.parts - 0.5) <= np.hypot(HALF_SHOWN, by_slant)
    for k in np.flatnonzero(about | contradicted):
        card = dots.owners[k]
        change = {card.colour: 1 if dots.parts[k] <= 0.5 else -1}
        yield _doubt(scene, card.id, dots.at_mm[k], Reason("dot-half-hidden"), change)


def _parts_as_seen(scene: DoubtContext, dots: Expected, higher_mm: float = 0.0) -> FloatArray:
    """What part (K,) of each dot the camera should see: from aslant a card that lies higher hides
    more of it, or less, than from straight above, and so does one whose ends stand up. Those over
    the dots may lie so much higher than they seem to.
    """
    table, places = scene.table, disc_places(dots.at_mm, scene.deck)
    # A card that lies higher seems shifted, and the dot the other way under it.
    places -= higher_mm * scene.evidence.raster.parallax(dots.at_mm)[:, None]
    poses, order = table.named.poses, table.stack.order
    return parts_seen(places, dots.own_ids(), poses, order, scene.deck.card)


def _by_height(scene: DoubtContext, dots: Expected) -> FloatArray:
    """What part (K,) of each dot more or less would show if what lies over it lay as much higher,
    or lower, as it may.
    """
    higher, lower = (_parts_as_seen(scene, dots, mm) for mm in (HEIGHT_MM, -HEIGHT_MM))
    return np.asarray(np.abs(higher - lower) / 2, np.float64)


def _doubt(
    scene: DoubtContext,
    card: int | None,
    at_mm: FloatArray,
    reason: Reason,
    change: Mapping[str, int],
) -> Doubt:
    return Doubt("dot", card, scene.at_px(at_mm), reason, change, change)


def _nearest_colour(scene: DoubtContext, ground: FloatArray) -> str:
    """The colour on the table whose ink looks most like this ground; "" without any."""
    return max(scene.inks, key=lambda name: _alike(ground, scene.inks[name]), default="")


def _alike(a: FloatArray, b: FloatArray) -> float:
    return float(a @ b / max(float(np.linalg.norm(a) * np.linalg.norm(b)), 1e-9))
