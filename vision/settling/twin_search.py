"""Cards that lie almost exactly under another: a strip of their band is all that shows of them.

They are sought where a colour has fewer cards than others, and believed where that colour's ink
runs along a card as a card's under it must. What face such a card has nothing in the picture tells:
every face that is left in its colour stays open.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from geometry.deck import CardSize, Deck
from geometry.rules import Rules
from vision.arrays import Bools, FloatArray, Ints
from vision.drawing.bend import FLAT, NEARER
from vision.drawing.card_edges import Edges, edge_places, where_seen
from vision.drawing.coverage import TopMap
from vision.drawing.drawn_black import drawn_black
from vision.drawing.pose_fit import turns
from vision.drawing.printed_deck import PrintedDeck
from vision.evidence import Evidence
from vision.finding.line_looks import white_levels
from vision.naming.colours import Naming
from vision.naming.faces import FaceScores, score_faces
from vision.naming.name_cards import Named, top_weight
from vision.ordering.stacking import Beneath, Stack, StackedCards, laid_under
from vision.settling.by_law import LegalityChecker, cards_of
from vision.settling.card_counts import lacking_colours
from vision.settling.settling import Settled
from vision.settling.twin_fit import (
    MOST_OFF_MM,
    EdgeLooks,
    Peeking,
    StripWidths,
    Surroundings,
    deeply_shaded,
    edge_looks,
    peeking_out,
    strips_likely,
    surroundings,
)

LACKING = "sought-lacking"
MOST_TWINS = 3
MOST_ASKED, LEAST_LIKELY = 5, 5.0
"""Cards beside which a strip of a lacking colour is likeliest, and by how much at the least."""
LEAST_STEADY = 0.95
"""Of the places where a strip should be, so many show it."""
PLAINLY_LIKER, UNCLEAR_EXPLAINED, LEAST_LEFT = 2.0, 0.8, 0.05
"""Where an ink leaves half as much unexplained in its strip as the next one it is plainly that; in
a shadow all dark inks are much the same, and more must be explained. No ink explains all."""
FEWEST_BESIDE = 4
OWN_CURL = 1 / 3
"""Of what a curl shifts an end by: so far beyond its place the card's own band may be seen."""
PLAINLY_INK, PLAINLY_OTHER = 0.75, 0.25
PLAINLY_NO_SHADOW = 4.0
"""Squared sigmas: a shadow at a card's edge explains strips of it better, or as well but for 3;
of piles' and of single cards' strips it left 8 to 340 more. A box of print that runs on explained
one strip better by 1; of single cards' strips it left 19 to 240 more."""
UNKNOWN_FACE_FIT = 0.25
ROUGH_WIDTHS = StripWidths()


@dataclass(frozen=True, slots=True)
class Least:
    """What a strip has to come to that is no chance."""

    explained: float
    gain: float
    area_mm2: float
    liker: float

    def holds(self, seen: Peeking) -> bool:
        """Whether this one does; what would be moved farther still is no card's strip."""
        return (
            _within_reach(seen)
            and seen.explained >= self.explained
            and seen.steady >= LEAST_STEADY
            and seen.gain >= self.gain
            and seen.area_mm2 >= self.area_mm2
        )


ANYWHERE = Least(0.62, 22.0, 22.0, PLAINLY_LIKER)
"""True ones explain 0.66 to 0.94 of what is in their strip, nearly all along, on 30 mm² and more;
shadows on print and cloth explain up to 0.7 here and there, chance less than 0.5 and 10 in all."""
IF_ALONE = Least(0.68, 15.0, 15.0, 1.6)
COUNTED = Least(0.4, 12.0, 22.0, 2.0)
"""Where nothing else was found of what the numbers of cards say is missing: true ones gained 13 to
41, and twice to five times what the next card did, in a shadow or beside an ink much like theirs
too; where no card is missing none of 170 colours' likeliest strips came to so much."""
COUNTED_WHOLLY = Least(0.8, 12.0, 10.0, 2.0)
"""A strip of which nearly all is explained may be smaller, and gain less than what explains little
of its own place, as a glare's edge does beside many cards: that is no strip. Of some 200 colours
that lacked no card five had one like it."""
EXACT_MM, ASTRAY = 0.7, Least(0.65, 3.0, 9.0, 1.0)
"""Beside a card that does not lie so exactly on another less is enough. People lay cards within
half a millimetre; of six true strips that were given up before one gained 4 and five 5 to 74, and
explained 0.67 to 0.94."""
ALONE_LIKELY, ALONE_SHARE = 15.0, 0.25
"""Where a strip is likely beside one card, and beside no other even a quarter as likely, less is
enough: what makes strips where none are makes more than one."""


@dataclass(frozen=True, eq=False)
class Twin:
    """A card under another, `upper`: its pose (3,), its colour and the next likeliest one, and how
    its ink (3,) looks there; whether its colour is plain.
    """

    upper: int
    pose: FloatArray
    colour: int
    runner_up: int
    plain: bool
    ink: FloatArray
    seen: Peeking


def with_twins(evidence: Evidence, settled: Settled, printed: PrintedDeck) -> Settled:
    """The cards and those that peek out under one of them, of colours that have too few."""
    for _ in range(MOST_TWINS):
        played = settled.named.rows < printed.start_row
        lacking = lacking_colours(settled.naming.colour[played])
        if len(lacking) == 0 or evidence.pace.leaves_out(LACKING):
            break
        strips = strips_round(evidence, settled, settled.naming, settled.stack.top, printed)
        twin = _that_is_no_shadow(strips, lacking, settled.covering)
        if twin is None:
            break
        settled = _joined(evidence, settled, twin, printed)
    return settled


def peeking_card(strips: Strips, lacking: Ints, covering: Collection[int] = ()) -> Twin | None:
    """The card of one of the colours `lacking` that most plainly peeks out under another, but under
    none of those `covering` one already; None where none does.
    """
    inks = strips.inks
    likely = np.zeros(len(strips.poses))
    for colour in lacking[np.isin(lacking, inks.colours)]:
        here = inks.inks[inks.colours == colour] * inks.white[:, None]
        likely = np.maximum(likely, strips_likely(strips.around, strips.looks, here, ROUGH_WIDTHS))
    asked = np.argsort(-likely, kind="stable")[:MOST_ASKED]
    best: Twin | None = None
    for card in asked[likely[asked] > LEAST_LIKELY].tolist():
        if card in covering:
            continue
        others = float(np.delete(likely, card).max(initial=0.0))
        alone = likely[card] >= ALONE_LIKELY and others <= ALONE_SHARE * likely[card]
        least = IF_ALONE if alone else ANYWHERE
        twin = _under(card, strips, lacking, least)
        if twin is not None and twin.colour == int(strips.colour[card]):
            twin = None if own_end(twin.seen, strips.poses[card], strips.card) else twin
        if twin is not None and (best is None or twin.seen.gain > best.seen.gain):
            best = twin
    return best


def _that_is_no_shadow(strips: Strips, lacking: Ints, covering: Collection[int]) -> Twin | None:
    """As `peeking_card`, but for strips that may be shadows: a dark ink is much like one, and the
    card that is missing may lie elsewhere, in a haze.
    """
    past = [*covering]
    while True:
        twin = peeking_card(strips, lacking, past)
        if twin is None or not is_deep_shadow(strips, twin.upper, twin.seen):
            return twin
        past.append(twin.upper)


def is_deep_shadow(strips: Strips, card: int, seen: Peeking) -> bool:
    """Whether what seems to peek out under a card may be its shadow, be it as dark as a hard lamp
    throws it.
    """
    shade = deeply_shaded(strips.around, card, strips.looks)
    return shade < seen.misfit + PLAINLY_NO_SHADOW


def with_counted_twins(
    evidence: Evidence, settled: Settled, printed: PrintedDeck, rules: Rules
) -> Settled:
    """The same where nothing else was found of what the colours lack: with a card beside which a
    strip is far likelier than beside any other, however its ink is told from others'.

    Such a card stays in doubt: that it is there only the numbers of cards say.
    """
    for _ in range(MOST_TWINS):
        named, naming = settled.named, settled.naming
        lacking = lacking_colours(naming.colour[named.rows < printed.start_row])
        if len(lacking) == 0 or evidence.pace.leaves_out(LACKING):
            break
        strips = _strips_over_cards(evidence, settled, printed)
        exact = laid_exactly(named, naming, settled.stack, printed, rules)
        twins = (_likeliest_twin(settled, colour, strips, exact) for colour in lacking.tolist())
        twin = next((twin for twin in twins if twin is not None), None)
        if twin is None:
            break
        settled = _joined(evidence, settled, twin, printed)
        settled = replace(settled, counted=np.concatenate([settled.counted, twin.pose[None]]))
    return settled


def strips_round(
    evidence: Evidence, stacked: StackedCards, naming: Naming, top: TopMap, printed: PrintedDeck
) -> Strips:
    """What is seen round all cards over the table; `top` is which card shows."""
    around = surroundings(evidence, _edges_seen(evidence, stacked, top, printed), top)
    return Strips.of(evidence, around, stacked.named, naming, printed)


def _strips_over_cards(evidence: Evidence, settled: Settled, printed: PrintedDeck) -> Strips:
    """The same, also over what cards below draw black."""
    named, top = settled.named, settled.stack.top
    edges = _edges_seen(evidence, settled, top, printed)
    black = partial(drawn_black, named.poses, named.rows, printed.templates)
    around = surroundings(evidence, edges, top, black=black)
    return Strips.of(evidence, around, named, settled.naming, printed)


def _edges_seen(
    evidence: Evidence, stacked: StackedCards, top: TopMap, printed: PrintedDeck
) -> Edges:
    card = printed.deck.card
    return where_seen(evidence, edge_places(stacked.named.poses, card), top, card)


def laid_exactly(
    named: Named, naming: Naming, stack: Stack, printed: PrintedDeck, rules: Rules
) -> Bools:
    """Which cards (N,) lie so exactly as the rules want them that they hardly lie on a card of
    which they leave no more than a strip in sight: that one was laid exactly, and they beside it.
    """
    cards = cards_of(named, naming, stack.order, printed.templates)
    verdicts = LegalityChecker(printed.deck, rules, printed.templates).verdicts(cards, stack.order)
    out = np.asarray(named.rows >= printed.start_row)
    for card, verdict in verdicts.items():
        if verdict.status == "legal" and verdict.offset_mm is not None:
            out[card] |= verdict.offset_mm <= EXACT_MM
    return out


def _likeliest_twin(settled: Settled, colour: int, strips: Strips, exact: Bools) -> Twin | None:
    """The card of this colour under the one beside which most is explained by it, and not half as
    much beside any other; or of those that do not lie `exact` (N,) the likeliest one.
    """
    named, inks = settled.named, strips.inks
    own = inks.inks[inks.colours == colour]
    if len(own) == 0:
        return None
    found: list[tuple[int, Peeking]] = []
    for card, white in enumerate(inks.white.tolist()):
        seen = peeking_out(strips.around, card, own[0] * white, strips.looks)
        if seen is not None:
            found.append((card, seen))
    first = plainest([seen for _, seen in found])
    if first is None:
        found = [(card, seen) for card, seen in found if not exact[card]]
        first = least_unlikely([seen for _, seen in found])
    if first is None:
        return None
    card, seen = found[first]
    if card in settled.covering:
        return None
    if strips.colour[card] == colour and own_end(seen, strips.poses[card], strips.card):
        return None
    ink = own[0] * inks.white[card] * seen.light
    return Twin(card, _moved(named.poses[card], seen), colour, colour, False, ink, seen)


def plainest(found: Sequence[Peeking]) -> int | None:
    """Which of the strips that would be of one colour is the card's that is missing, if one is: it
    gains twice as much as any other, or nearly all of what is in it is explained, and it gains
    twice as much as any other of which that holds.
    """
    gains = np.array([one.gain for one in found])
    wholly = np.array([COUNTED_WHOLLY.holds(one) for one in found], np.bool_)
    for least, rivals in ((COUNTED, np.ones(len(found), np.bool_)), (COUNTED_WHOLLY, wholly)):
        if not rivals.any():
            continue
        first = int(np.where(rivals, gains, -np.inf).argmax())
        next_gain = float(np.delete(gains, first)[np.delete(rivals, first)].max(initial=0.0))
        if least.holds(found[first]) and gains[first] >= least.liker * next_gain:
            return first
    return None


def least_unlikely(found: Sequence[Peeking]) -> int | None:
    """Which of the strips beside cards that do not lie exactly is likeliest the missing card's."""
    likely = [k for k, seen in enumerate(found) if ASTRAY.holds(seen)]
    return max(likely, key=lambda k: found[k].gain, default=None)


@dataclass(frozen=True, eq=False)
class _Inks:
    """How the bands of `colours` (C,) look beside white of level 1: `inks` (C, 3); and the levels
    of `white` (N,) on each card.
    """

    colours: Ints
    inks: FloatArray
    white: FloatArray

    @staticmethod
    def of(
        around: Surroundings, named: Named, naming: Naming, white: FloatArray, printed: PrintedDeck
    ) -> _Inks:
        """The inks of all colours in play, by the cards whose bands are seen beside the table."""
        rows, colour = named.rows, naming.colour
        seen = around.bare.any(axis=1)
        band = np.full((len(rows), 3), np.nan)
        for card in np.flatnonzero(seen):
            band[card] = np.median(around.band[card, around.bare[card]], axis=0)
        played = seen & (rows < printed.start_row)
        colours = np.unique(colour[played])
        share = band / np.maximum(white, 1.0)[:, None]
        inks = np.array([np.median(share[played & (colour == c)], axis=0) for c in colours])
        return _Inks(colours, inks.reshape(-1, 3), white)


@dataclass(frozen=True, eq=False)
class Strips:
    """What is seen beside all cards' edges, how those look, all colours' inks, and the cards: their
    poses (N, 3 or 9), colours (N,) and size.
    """

    around: Surroundings
    looks: EdgeLooks
    inks: _Inks
    poses: FloatArray
    colour: Ints
    card: CardSize

    @staticmethod
    def of(
        evidence: Evidence, around: Surroundings, named: Named, naming: Naming, printed: PrintedDeck
    ) -> Strips:
        """With the inks of all colours in play."""
        white = white_levels(evidence, named, printed.templates)
        inks = _Inks.of(around, named, naming, white, printed)
        looks, card = edge_looks(around), printed.deck.card
        return Strips(around, looks, inks, named.poses, naming.colour, card)


def own_end(seen: Peeking, pose: FloatArray, card: CardSize) -> bool:
    """Whether a strip of a card's own colour, at a pose (3 or 9,), may be its own band.

    Where an end or a side that stands up is seen, is known to a third of what that shifts it by.
    """
    half = np.array([card.width_mm, card.height_mm]) / 2
    shift = np.square(half) @ pose[FLAT:NEARER].reshape(-1, 2) if len(pose) > FLAT else np.zeros(2)
    wide = float(np.hypot(*seen.move_mm)) + abs(seen.turn) * float(half[1])
    return wide <= OWN_CURL * float(np.hypot(*shift))


def _under(card: int, strips: Strips, lacking: Ints, least: Least) -> Twin | None:
    """The card of a lacking colour that peeks out under this one, if one plainly does."""
    inks = strips.inks
    found: list[tuple[float, int, Peeking, FloatArray]] = []
    for colour, ink in zip(inks.colours.tolist(), inks.inks, strict=True):
        here = ink * inks.white[card]
        seen = peeking_out(strips.around, card, here, strips.looks)
        if seen is not None:
            found.append((seen.misfit, colour, seen, here * seen.light))
    found.sort(key=lambda one: one[0])
    mine = [k for k, one in enumerate(found) if one[1] in lacking]
    if not mine:
        return None
    _, colour, seen, ink = found[mine[0]]
    if not least.holds(seen):
        return None
    # What would be moved farther than it is sought is no card's strip, and no rival.
    others = [one for one in found if one[1] != colour and _within_reach(one[2])]
    left = max(1 - seen.explained, LEAST_LEFT)
    next_left = min((1 - one[2].explained for one in others), default=1.0)
    plain = next_left >= PLAINLY_LIKER * left
    unclear = seen.explained < UNCLEAR_EXPLAINED and next_left < least.liker * left
    if not plain and (unclear or next_left < left):
        return None
    runner = others[0][1] if others else colour
    return Twin(card, _moved(strips.poses[card], seen), colour, runner, plain, ink, seen)


def _moved(pose: FloatArray, seen: Peeking) -> FloatArray:
    """Where (3,) a card lies that peeks out so under one at a pose (3 or 9,)."""
    moved = pose[:3].copy()
    moved[:2] += turns(pose[2:3])[0] @ seen.move_mm
    moved[2] += seen.turn
    return moved


def _within_reach(seen: Peeking) -> bool:
    """What would be moved farther still is no card's strip."""
    return float(np.abs(seen.move_mm).max()) < MOST_OFF_MM - 0.1


def _joined(evidence: Evidence, settled: Settled, twin: Twin, printed: PrintedDeck) -> Settled:
    """All cards with this one, under the card that hides it; its face is the first that is left."""
    count = len(settled.named)
    naming = replace(
        settled.naming,
        colour=np.append(settled.naming.colour, twin.colour),
        confidence=np.append(settled.naming.confidence, 1.0 if twin.plain else 0.5),
        runner_up=np.append(settled.naming.runner_up, twin.runner_up),
    )
    row = _free_row(settled, twin.colour, printed.deck)
    named = settled.named.with_card(twin.pose, row, UNKNOWN_FACE_FIT)
    ink = named.ink.copy()
    ink[-1] = twin.ink - twin.ink.mean()
    named = replace(named, ink=ink, margin=np.append(settled.named.margin, 0.0))
    over = shown_over(evidence, settled, twin, printed.deck)
    stack = laid_under(evidence, settled.stack, named, Beneath(twin.upper, over), printed)
    visible = top_weight(named.poses, stack.top, printed.templates)
    own = score_faces(stack.patches.take(np.array([count])), printed.templates, visible[-1:])
    scores = FaceScores.joined((settled.scores, own))
    best = np.append(settled.best, 2 * row)
    covering = (*settled.covering, twin.upper)
    return replace(
        settled, named=named, naming=naming, stack=stack, visible=visible, scores=scores, best=best,
        covering=covering,
    )  # fmt: skip


def _free_row(settled: Settled, colour: int, deck: Deck) -> int:
    """The front of the first face that no card of the colour has."""
    held = set((settled.named.rows[settled.naming.colour == colour] // 2).tolist())
    return 2 * next((k for k in range(len(deck.faces)) if k not in held), 0)


def shown_over(
    evidence: Evidence, stacked: StackedCards, twin: Twin, deck: Deck
) -> dict[int, float]:
    """For cards beside the upper one whether the strip lies over them: 1 plainly, -1 plainly not.

    Where the strip should lie on such a card, its ink is there, or what that card draws; that it is
    not there tells only where the strip shows beside that card, on the table along the same side.
    """
    named, top = stacked.named, stacked.stack.top
    own = edge_places(twin.pose[None], deck.card)
    at, out_mm = own.beyond(-0.4)[0], own.beyond(1.2)[0]
    shows = top.at(at).astype(np.int64) - 1
    seen, beside = (
        evidence.colour_at(evidence.raster.to_raster(places)).astype(np.float64)
        for places in (at, out_mm)
    )
    inked = np.linalg.norm(seen - twin.ink, axis=1) < np.linalg.norm(seen - beside, axis=1)
    upper_edge = np.abs(
        turns(named.poses[twin.upper, 2:3])[0].T @ (at - named.poses[twin.upper, :2]).T
    )
    half = np.array([[deck.card.width_mm], [deck.card.height_mm]]) / 2
    beyond = (upper_edge - half).max(axis=0) > 0.4
    beyond &= top.at(own.beyond(1.0)[0]) == shows + 1
    out: dict[int, float] = {}
    for card in np.unique(shows[beyond & (shows >= 0) & (shows != twin.upper)]).tolist():
        here = beyond & (shows == card)
        on_table = beyond & (shows < 0) & np.isin(own.side, own.side[here])
        if here.sum() < FEWEST_BESIDE:
            continue
        share = float(inked[here].mean())
        told = on_table.sum() >= FEWEST_BESIDE and bool(inked[on_table].mean() > PLAINLY_INK)
        out[card] = 1.0 if share > PLAINLY_INK else -1.0 if share < PLAINLY_OTHER and told else 0.0
    return out
