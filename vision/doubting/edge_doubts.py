"""Doubts about what shows beside the cards' edges: another card may peek out from under one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from vision.arrays import Bools, FloatArray, Ints
from vision.doubting.doubt_context import DoubtContext
from vision.doubting.lone_strips import is_running_print, is_shadow, lonely_strip, pile_strip
from vision.doubting.own_strips import own_strip
from vision.doubting.peeking_cards import (
    PeekingCard,
    Strips,
    is_deep_shadow,
    peeking_card,
    strips_round,
)
from vision.doubting.strips_on_black import cards_at_a_glance, strip_on_black
from vision.doubting.unmixed_strips import (
    BAND_MM,
    hue_of,
    hues_seen,
    nearest_mixture,
    unmixed_at_a_glance,
    unmixed_strip,
)
from vision.drawing.card_edges import EDGE_STEP_MM, Edges
from vision.reading import Doubt
from vision.reason import Reason

PEEKS_OUT = Reason("band-beside")
RIM_MM = (0.9, 1.4)
"""Beyond a card's edge, clear of what a misread pose leaves of its own ink, and blur but for that
of the photograph's pixels."""
BEYOND_MM = 7.0
"""Farther out than another card's band reaches: the table, if nothing else."""
LEAST_RIM_MM = 20.0
MOST_COMMON = 0.004
CLOSE_MM, FAR_MM = 0.7, (5.0, 7.0, 9.0)
"""Beyond a card's edge: where what hardly peeks out shows, and where nothing of it does."""
LEAST_CLOSE_MM, CLOSE_OVER_FAR = 10.0, 1.5
LEAST_GAIN, LEAST_OWN_GAIN = 25.0, 65.0
"""Of one card that peeks out although the numbers of cards are equal, of another colour than the
card over it or of the same: true ones gained 29 to 113 and 74 to 81. On 110 tables without any,
three strips gained 34 to 98, the only one plainly of its colour 34, of the upper card's own."""


def rim_doubts(scene: DoubtContext) -> Iterable[Doubt]:
    """Ink that shows beside a card's edge where the table should: another card peeks out."""
    if not scene.inks:
        return
    edges, top = scene.edges, scene.top
    like = np.ones((*edges.at_mm.shape[:2], len(scene.inks)), np.bool_)
    pixel_mm = _pixel_mm(scene, edges)
    for off in RIM_MM:
        at = edges.beyond(off + pixel_mm)
        table = (top.at(at) == 0) & like.any(axis=2)
        like[~table] = False
        like[table] &= scene.ink_like(at[table])
    if not like.any():
        return
    beyond = edges.beyond(BEYOND_MM)
    table = top.at(beyond) == 0
    # A table of an ink's colour, in veins or checks, looks like bands everywhere.
    common = scene.ink_like(beyond[table]).sum(axis=0) > MOST_COMMON * table.sum()
    inked = like & ~common
    peeking = inked.any(axis=2)
    for index, side in zip(*np.nonzero(_longest_run(peeking, edges) >= LEAST_RIM_MM), strict=True):
        here = (edges.side == side) & peeking[index]
        ink = int(inked[index, here].sum(axis=0).argmax())
        if _is_table(scene, int(index), here & table[index], ink):
            continue
        at = edges.at_mm[index, here].mean(axis=0)
        changes = scene.any_colour
        yield Doubt("missing", int(index), scene.at_px(at), PEEKS_OUT, changes, changes)


def _pixel_mm(scene: DoubtContext, edges: Edges) -> FloatArray:
    """How far (N, E, 1) across the cards' edges a pixel of the photograph reaches, mm: a far card
    that is seen aslant is blurred much farther than one near by.
    """
    inner, outer = (scene.rough.to_px(at.reshape(-1, 2)) for at in (edges.at_mm, edges.beyond(1.0)))
    pixels = np.linalg.norm(outer - inner, axis=1).reshape(*edges.at_mm.shape[:2], 1)
    return np.asarray(1 / np.maximum(pixels, 1 / BEYOND_MM))


def _is_table(scene: DoubtContext, card: int, here: Bools, ink: int) -> bool:
    """Whether what shows beside a card's edge, at places (E,), comes nearer to the table in any
    light than to an ink, with the card's own band blurred into it where that is another ink: a
    picture's colours are blurred farther than its grey levels.
    """
    if not here.any():
        return False
    own, edges = scene.layout.card(card).colour, scene.edges.take(np.array([card]))
    rim, band, table = (
        hues_seen(scene, edges, offs, here[None])[:1, here].mean(keepdims=True)
        for offs in (RIM_MM[1:], BAND_MM, (BEYOND_MM,))
    )
    name, colour = list(scene.inks.items())[ink]
    inked = band if name == own else hue_of(colour)
    mixed = nearest_mixture(rim, table if name == own else band, table)
    return bool(np.abs(rim - mixed) < np.abs(rim - inked))


def peeking_doubts(scene: DoubtContext) -> Iterable[Doubt]:
    """A card that plainly peeks out from almost exactly under another.

    In a free-for-all, and where one colour is played alone, numbers of cards tell nothing, unless
    whole decks lie there: there a pile of cards is a doubt, too, and a strip of ink beside one card
    only. Else equal numbers tell of cards that were missed only where each colour lacks as many.
    """
    upper: Sequence[int] = ()
    if scene.rules.free_for_all or len(scene.numbers) < 2:
        upper = () if scene.none_is_missing else _peeking_uncounted(scene)
    elif scene.equally_many:
        upper = _peeking_where_equal(scene)
    for card in upper:
        at = scene.at_px(scene.table.named.poses[card, :2])
        yield Doubt("missing", card, at, PEEKS_OUT, scene.any_colour, scene.any_colour)


def _peeking_uncounted(scene: DoubtContext) -> list[int]:
    """The card under which another, or more than one, peeks out or may do so, if there is one."""
    strips, played = _strips_round(scene)
    one = peeking_card(strips, played)
    upper: int | None = None
    if one is not None and not is_shadow(strips, one.upper, one.seen):
        upper = one.upper
    if upper is None:
        upper = lonely_strip(strips)
    if upper is None:
        upper = pile_strip(scene.evidence, strips, scene.top)
    if upper is None:
        upper = strip_on_black(scene)
    if upper is None:
        upper = own_strip(scene)
    if upper is None:
        upper = unmixed_strip(scene)
    return [] if upper is None else [upper]


def _peeking_where_equal(scene: DoubtContext) -> list[int]:
    """The cards under which others peek out although all colours have equally many; a glance saves
    each closer look at most tables.
    """
    upper = _peeking_counted(scene) if _strips_at_edges(scene) else []
    for glance, closer in (
        (cards_at_a_glance, strip_on_black), (unmixed_at_a_glance, unmixed_strip)
    ):  # fmt: skip
        cards = glance(scene) if not upper else np.empty(0, np.int64)
        found = closer(scene, cards) if len(cards) else None
        upper = upper if found is None else [found]
    return upper


def _peeking_counted(scene: DoubtContext) -> list[int]:
    """The cards under which others of different colours peek out; one alone must be plainer.

    Numbers are equal only where every colour lacks a card: where fewer than half as many peek out
    as there are colours, and all others would have to be hidden whole, each must be plainest.
    """
    strips, left = _strips_round(scene)
    found: list[PeekingCard] = []
    covering: list[int] = []
    while len(left):
        one = peeking_card(strips, left, covering)
        if one is None:
            break
        covering.append(one.upper)
        otherwise = (
            told(strips, one.upper, one.seen) for told in (is_deep_shadow, is_running_print)
        )
        if not any(otherwise):
            found.append(one)
            left = left[left != one.colour]

    few = 2 * len(found) < len(scene.numbers)

    def told_alone(one: PeekingCard) -> bool:
        own = one.colour == int(strips.colour[one.upper])
        return one.plain and one.seen.gain >= (LEAST_OWN_GAIN if own or few else LEAST_GAIN)

    enough = len(found) > 1 and not few
    return [one.upper for one in found if enough or told_alone(one)]


def _strips_round(scene: DoubtContext) -> tuple[Strips, Ints]:
    """What is seen round all cards, and the colours (C,) that are played."""
    table = scene.table
    played = np.unique(table.naming.colour[table.named.rows < table.templates.start_row])
    return strips_round(scene), played


def _strips_at_edges(scene: DoubtContext) -> bool:
    """Whether anywhere ink runs along a card's edge, close by, that does not run so farther out:
    a glance that saves a closer look at most tables.
    """
    edges = scene.edges

    def runs_mm(off_mm: float, inks: Bools) -> FloatArray:
        at = edges.beyond(off_mm)
        like = np.zeros((*at.shape[:2], len(scene.inks)), np.bool_)
        table = scene.top.at(at) == 0
        like[table] = scene.ink_like(at[table])
        runs = np.zeros(len(scene.inks))
        for ink in np.flatnonzero(inks & like.any(axis=(0, 1))):
            runs[ink] = _longest_run(like[..., ink], edges).max()
        return runs

    near = runs_mm(CLOSE_MM, np.ones(len(scene.inks), np.bool_))
    asked = near >= LEAST_CLOSE_MM
    if not asked.any():
        return False
    far = np.max([runs_mm(off, asked) for off in FAR_MM], axis=0)
    return bool((asked & (near >= CLOSE_OVER_FAR * far) & (far < LEAST_RIM_MM)).any())


def _longest_run(peeking: Bools, edges: Edges) -> FloatArray:
    """The longest unbroken stretch (N, 4) along each side, mm; one place missing breaks none."""
    out = np.zeros((len(peeking), 4))
    for side in range(4):
        here = peeking[:, edges.side == side]
        gapless = here | (np.roll(here, 1, axis=1) & np.roll(here, -1, axis=1))
        run = np.zeros(len(here))
        for k in range(here.shape[1]):
            run = (run + 1) * gapless[:, k]
            out[:, side] = np.maximum(out[:, side], run)
    return out * EDGE_STEP_MM
