"""Which placements are legal (docs/rules.md, "Placements").

Between the legal and the illegal tolerance a measure may break its rule or
not. A card is illegal when it breaks a rule however those measures are taken,
borderline when it breaks one in some readings only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from geometry.deck import CardSize
from geometry.fitting import Fit
from geometry.layout import Card, Layout
from geometry.pose import Pose
from geometry.recent_tables import Cards, RecentTables, cards_met
from geometry.rectangles import cards_upright, past_edge_mm, places_of
from geometry.rules import RULE_NAMES, RuleName, Rules
from geometry.touch import Touch, touches

Status = Literal["legal", "borderline", "illegal", "free", "start"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is to be said of one card's placement on the cards below it.

    `rule` is the rule it breaks (illegal) or may break (borderline), else
    None; `on` the ids of the cards it then touches, `covers` the id of the card
    it was laid on as far as that can be told, and `shape_on`, `shape_of` the indices
    of the shapes used, of that card's and of this one's. `offset_mm` is the corner
    distance where the rule is `misaligned` or the card is legal, the depth past the
    line, the edge or the shape for `two_cards`, `off_table` and `overhang`,
    and for any other rule of a borderline card (what is in doubt is then the
    touch), else None. `offset_deg` is the angle between the shapes for
    `misaligned` and for legal cards, else None.
    """

    card: int
    status: Status
    rule: RuleName | None = None
    on: tuple[int, ...] = ()
    offset_mm: float | None = None
    offset_deg: float | None = None
    covers: int | None = None
    shape_on: int | None = None
    shape_of: int | None = None


_SAID: RecentTables[Verdict] = RecentTables()
_TOUCHED: RecentTables[list[Touch]] = RecentTables()


@dataclass(frozen=True, slots=True)
class _Breach:
    """A rule that is broken, or (not `sure`) may be."""

    rule: RuleName
    sure: bool
    on: tuple[int, ...]
    mm: float | None = None
    deg: float | None = None


def judge(layout: Layout, rules: Rules, of: Collection[int] | None = None) -> dict[int, Verdict]:
    """A verdict on every card of the layout, by card id; where only some are asked about, `of`
    these ids.

    The lowest card with the starting face is the starting card. It is not judged as laid
    on something, but it too must not reach over the table's edge.
    """
    start = starting_card(layout)
    below, _ = cards_met(layout)
    asked = layout.cards if of is None else [card for card in layout.cards if card.id in of]
    grounds = {card.id: (card, card.id == start, below[card.id]) for card in asked}
    setting = (layout.deck, layout.play_area_mm, rules)
    return _SAID.answers(
        setting, grounds, lambda cards: _judged(layout, rules, cards, asked, below)
    )


def starting_card(layout: Layout) -> int | None:
    """The id of the lowest card with the starting face."""
    return next((c.id for c in layout.cards if c.face == layout.deck.starting_face.id), None)


def _judged(
    layout: Layout, rules: Rules, cards: frozenset[int], known: Iterable[Card],
    met: Mapping[int, Cards],
) -> dict[int, Verdict]:  # fmt: skip
    """Verdicts on the cards with these ids, some of those whose touches are to be `known`; `met`
    are the cards below each that it overlaps.
    """
    # By other tolerances the same cards are touched, and as deep.
    touched = _TOUCHED.answers(
        layout.deck,
        {card.id: (card, met[card.id]) for card in known},
        lambda asked: touches(_near(layout, asked, met), 0.0, asked),
    )
    start, past = starting_card(layout), _past_edges_mm(layout)
    verdicts = {}
    for card in layout.cards:
        if card.id in cards:
            verdict = verdict_of(card, touched[card.id], past[card.id], rules, card.id == start)
            verdicts[card.id] = verdict
    return verdicts


def _near(layout: Layout, asked: frozenset[int], met: Mapping[int, Cards]) -> Layout:
    """The layout with no more cards than those asked about, by id, and the ones they met below."""
    near = asked.union(card.id for i in asked for card in met[i])
    if len(near) == len(layout.cards):
        return layout
    return replace(layout, cards=tuple(card for card in layout.cards if card.id in near))


def verdict_of(
    card: Card, touched: Iterable[Touch], past_edge_mm: float | None, rules: Rules,
    starts: bool = False,
) -> Verdict:  # fmt: skip
    """The verdict on one card by how it touches the cards below, however little, and how far it
    reaches past the play area's edge, None where that is not known. `starts`: it is the starting
    card, which is laid on nothing.
    """
    edge = None if past_edge_mm is None else _off_table(past_edge_mm, rules)
    least = rules.tolerance.legal_mm
    below = [] if starts else [touch for touch in touched if touch.depth_mm > least]
    verdict = _verdict(card, below, edge, rules)
    if starts and verdict.status == "free":
        return replace(verdict, status="start")
    return verdict


def _verdict(card: Card, below: list[Touch], edge: _Breach | None, rules: Rules) -> Verdict:
    touched = [touch for touch in below if touch.depth_mm >= rules.tolerance.illegal_mm]
    described = _described(card, touched)
    if edge is not None and edge.sure:
        return _with_breach(described, "illegal", replace(edge, on=_ids(touched)))
    readings = [_breaches(card, reading, rules) for reading in _readings(below, touched)]
    broken = [_first_sure(breaches) for breaches in readings]
    if broken[0] is not None and all(broken):
        return _with_breach(described, "illegal", broken[0])
    doubts = [breach for breaches in readings for breach in breaches]
    if edge is not None:
        doubts.append(replace(edge, on=_ids(touched)))
    if doubts:
        first = min(doubts, key=lambda breach: RULE_NAMES.index(breach.rule))
        if first.mm is None:  # what is in doubt is then whether the card touches at all
            depth = min(touch.depth_mm for touch in below if touch.card.id in first.on)
            first = replace(first, mm=depth)
        return _with_breach(described, "borderline", first)
    return described


def _described(card: Card, touched: list[Touch]) -> Verdict:
    """The verdict as far as it is known without the rules: free, or laid on a card."""
    if not touched:
        return Verdict(card.id, "free")
    laid_on = _laid_on(touched)
    on, covers, fit = _ids(touched), laid_on.card.id, laid_on.fit
    if fit is None or not laid_on.meant:
        return Verdict(card.id, "legal", on=on, covers=covers)
    return Verdict(
        card.id, "legal", None, on, fit.offset_mm, fit.offset_deg, covers, fit.shape_on,
        fit.shape_of,
    )  # fmt: skip


def _with_breach(verdict: Verdict, status: Status, breach: _Breach) -> Verdict:
    return replace(
        verdict,
        status=status,
        rule=breach.rule,
        on=breach.on,
        offset_mm=breach.mm,
        offset_deg=breach.deg,
    )


def _readings(below: list[Touch], touched: list[Touch]) -> list[list[Touch]]:
    """The ways to take the touches of a depth between the tolerances, the most lenient first.

    Two touches break a rule whatever they are, so with one or none for sure it is enough
    to look at one more each, and at all of them.
    """
    if len(touched) == len(below) or len(touched) > 1:
        return [touched]
    alone = [] if touched else [[touch] for touch in below]
    return [touched, *alone, below]


def _first_sure(breaches: list[_Breach]) -> _Breach | None:
    return next((breach for breach in breaches if breach.sure), None)


def _breaches(card: Card, touched: list[Touch], rules: Rules) -> list[_Breach]:
    """The rules that a card breaks or may break if these are the cards it touches, in order."""
    if not touched:
        return []
    on = _ids(touched)
    if len(touched) > 1 and rules.tries("two_cards"):
        second = sorted(touch.depth_mm for touch in touched)[-2]
        return [_Breach("two_cards", True, on, second)]
    laid_on = _laid_on(touched)
    if laid_on.fit is None or not laid_on.meant:
        found = [_Breach("mismatched", True, on)]
    else:
        found = [*_misaligned(laid_on.fit, on, rules), *_overhang(laid_on, on, rules)]
    if laid_on.card.colour == card.colour:
        found.append(_Breach("own_colour", True, on))
    return [breach for breach in found if rules.tries(breach.rule)]


def _misaligned(fit: Fit, on: tuple[int, ...], rules: Rules) -> list[_Breach]:
    limits = rules.tolerance
    by_mm = _grade(fit.offset_mm, limits.legal_mm, limits.illegal_mm)
    by_deg = _grade(fit.offset_deg, limits.legal_deg, limits.illegal_deg)
    if by_mm is None and by_deg is None:
        return []
    return [_Breach("misaligned", bool(by_mm or by_deg), on, fit.offset_mm, fit.offset_deg)]


def _overhang(laid_on: Touch, on: tuple[int, ...], rules: Rules) -> list[_Breach]:
    depth = laid_on.overhang_mm
    sure = _grade(depth, rules.tolerance.legal_mm, rules.tolerance.illegal_mm)
    return [] if sure is None else [_Breach("overhang", sure, on, depth)]


def _grade(amount: float, legal: float, illegal: float) -> bool | None:
    """None: within the tolerance. False: in between. True: clearly past it."""
    if amount <= legal:
        return None
    return amount >= illegal


def _laid_on(touched: list[Touch]) -> Touch:
    """The card that was laid on: on which the shapes lie best, else which is covered deepest.

    The overhang has a say because a shape that was covered before lies just as near as the
    shape on top of it.
    """
    fits = [touch for touch in touched if touch.meant]
    if fits:
        return min(fits, key=lambda touch: max(touch.fit_mm, touch.overhang_mm))
    return max(touched, key=lambda touch: touch.depth_mm)


def _ids(touched: list[Touch]) -> tuple[int, ...]:
    return tuple(touch.card.id for touch in touched)


def _off_table(past_mm: float, rules: Rules) -> _Breach | None:
    """Step 2: a card that reaches so far past the edge of the play area."""
    limits = rules.tolerance
    sure = _grade(past_mm, limits.legal_mm, limits.illegal_mm)
    if sure is None or not rules.tries("off_table"):
        return None
    return _Breach("off_table", sure, (), past_mm)


def _past_edges_mm(layout: Layout) -> dict[int, float | None]:
    """How far each card, by id, reaches past the edge of the play area; negative: how far off."""
    if layout.play_area_mm is None:
        return dict.fromkeys(card.id for card in layout.cards)
    past = past_edges_mm(
        layout.deck.card, [card.pose for card in layout.cards], layout.play_area_mm
    )
    return {card.id: float(mm) for card, mm in zip(layout.cards, past, strict=True)}


def past_edges_mm(
    size: CardSize, poses: Sequence[Pose], area_mm: tuple[float, float]
) -> NDArray[np.float64]:
    """How far cards at poses (N,) reach past the edge of the play area."""
    cores, _ = cards_upright(size, places_of(poses))
    return past_edge_mm(cores, size.corner_radius_mm, area_mm)
