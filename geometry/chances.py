"""How probable each verdict on a placement is, as exactly as the places of the cards are known.

Each card is judged at many places where it and the cards below it may lie, which count the more
the likelier players lay a card so (`laid.py`). Of most cards every measure is so far from every
limit that all give one verdict: these are not tried.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from geometry.deck import CardSize
from geometry.laid import laid_density
from geometry.layout import Card, Layout
from geometry.recent_tables import RecentTables, cards_met
from geometry.rules import RuleName, Rules, Tolerance
from geometry.spread import PoseSpread, Spreads, shaken, weights
from geometry.touch import Touch, touches_of
from geometry.verdict import Verdict, past_edges_mm, starting_card, verdict_of

FAR_SIGMAS = 6.0
"""A limit that is farther than so many sigmas from a measure is not reached: no place that is tried
is so far off, by the tails of `spread.py`."""


@dataclass(frozen=True, slots=True)
class Chances:
    """How probable it is that a placement is `fine` (legal, or laid free), `borderline`, or
    `illegal` by each rule; they sum to 1.

    `strict` and `lenient` are the verdicts on the places as they are said, with every limit moved
    by all that these may be off, against the card and for it.
    """

    fine: float
    borderline: float
    illegal: Mapping[RuleName, float]
    strict: Verdict
    lenient: Verdict

    @property
    def broken(self) -> float:
        """How probable it is that it is illegal, by whatever rule."""
        return sum(self.illegal.values())


@dataclass(frozen=True, slots=True)
class _Ground:
    """What the chances of a card depend on."""

    card: Card
    starts: bool
    spread: PoseSpread | None
    below: tuple[tuple[Card, PoseSpread | None], ...]


_SAID: RecentTables[Chances] = RecentTables()


def placement_chances(layout: Layout, spreads: Spreads, rules: Rules) -> dict[int, Chances]:
    """How probable each verdict on each card of the layout is, by card id."""
    below, start = cards_met(layout)[0], starting_card(layout)
    grounds = {
        card.id: _Ground(
            card,
            card.id == start,
            spreads.get(card.id),
            tuple((under, spreads.get(under.id)) for under in below[card.id]),
        )
        for card in layout.cards
    }
    return _SAID.answers(
        (layout.deck, layout.play_area_mm, rules),
        grounds,
        lambda asked: _asked(layout, [grounds[i] for i in asked], rules),
    )


def _asked(layout: Layout, grounds: Sequence[_Ground], rules: Rules) -> dict[int, Chances]:
    cards = [ground.card for ground in grounds]
    pairs = [(card, ground.card) for ground in grounds for card, _ in ground.below]
    touched, edges = touches_of(layout.deck, pairs), _past_edges(layout, cards)
    found, first = {}, 0
    for ground, edge in zip(grounds, edges, strict=True):
        last = first + len(ground.below)
        found[ground.card.id] = _chances(layout, ground, (touched[first:last], edge), rules)
        first = last
    return found


def _chances(
    layout: Layout, ground: _Ground, measured: tuple[list[Touch], float | None], rules: Rules
) -> Chances:
    """The chances of one card, by how it touches those below it and reaches past the edge."""
    mm, deg = (FAR_SIGMAS * sigma for sigma in _sigmas(ground, layout.deck.card))
    strict, lenient = (
        verdict_of(ground.card, *measured, _with_limits_moved(rules, *by), ground.starts)
        for by in ((-mm, -deg), (mm, deg))
    )
    plain = (strict.status, strict.rule) == (lenient.status, lenient.rule)
    # Touches are no less than 0 deep: of a card that lies beside others they do not tell how far.
    told = mm < rules.tolerance.legal_mm or not ground.below
    if plain and told:
        return _counted([strict], [1.0], strict, lenient)
    return _counted(*_tried(layout, ground, rules), strict, lenient)


def _tried(layout: Layout, ground: _Ground, rules: Rules) -> tuple[list[Verdict], Sequence[float]]:
    """The verdicts on a card at places where it, and those below it, may lie, and the share of
    each: as likely as the errors of places are, and as players lay so.
    """
    poses = shaken(ground.card.pose, ground.spread, 0)
    cards = [replace(ground.card, pose=pose) for pose in poses]
    pairs: list[tuple[Card, Card]] = []
    for stream, (card, spread) in enumerate(ground.below, 1):
        below = [replace(card, pose=pose) for pose in shaken(card.pose, spread, stream)]
        pairs += zip(below, cards, strict=True)
    found = touches_of(layout.deck, pairs)
    touched = [found[k :: len(cards)] for k in range(len(cards))]
    verdicts = [
        verdict_of(card, touches, edge, rules, ground.starts)
        for card, touches, edge in zip(cards, touched, _past_edges(layout, cards), strict=True)
    ]
    if ground.starts:
        return verdicts, weights().tolist()
    shares = weights() * np.array([laid_density(touches) for touches in touched])
    return verdicts, (shares / shares.sum()).tolist()


def _past_edges(layout: Layout, cards: Sequence[Card]) -> list[float | None]:
    area = layout.play_area_mm
    if area is None:
        return [None] * len(cards)
    return list(past_edges_mm(layout.deck.card, [card.pose for card in cards], area).tolist())


def _counted(
    verdicts: Sequence[Verdict], shares: Sequence[float], strict: Verdict, lenient: Verdict
) -> Chances:
    borderline, illegal = 0.0, dict[RuleName, float]()
    for verdict, share in zip(verdicts, shares, strict=True):
        if verdict.status == "borderline":
            borderline += share
        elif verdict.status == "illegal" and verdict.rule is not None:
            illegal[verdict.rule] = illegal.get(verdict.rule, 0.0) + share
    fine = max(0.0, 1 - borderline - sum(illegal.values()))
    return Chances(fine, borderline, illegal, strict, lenient)


def _with_limits_moved(rules: Rules, mm: float, deg: float) -> Rules:
    limits = rules.tolerance
    moved = Tolerance(
        max(limits.legal_mm + mm, 0.0),
        max(limits.illegal_mm + mm, 0.0),
        max(limits.legal_deg + deg, 0.0),
        max(limits.illegal_deg + deg, 0.0),
    )
    return replace(rules, tolerance=moved)


def _sigmas(ground: _Ground, size: CardSize) -> tuple[float, float]:
    """How far off, by sigma, what is measured of a card may be, in mm and in degrees."""
    own = _variances(ground.card, ground.spread, size)
    below = [_variances(card, spread, size) for card, spread in ground.below]
    mm, deg = np.array(own) + np.array(below or [(0.0, 0.0)]).max(axis=0)
    return math.sqrt(mm), math.sqrt(deg)


def _variances(card: Card, spread: PoseSpread | None, size: CardSize) -> tuple[float, float]:
    """Of where a card's farthest corner lies, the way that is least known (mm^2), and of its angle.
    Where two cards touch is on both, and so no farther from the middle than their corners.
    """
    if spread is None:
        return 0.0, 0.0
    corners = card.pose.to_table(np.array(size.corners_mm)) - [card.pose.x_mm, card.pose.y_mm]
    aside = np.stack([-corners[:, 1], corners[:, 0]], axis=1) * math.radians(1)
    ways = np.concatenate([np.tile(np.eye(2), (len(corners), 1, 1)), aside[:, :, None]], axis=2)
    at_corners = ways @ spread.matrix @ ways.transpose(0, 2, 1)
    return float(np.linalg.eigvalsh(at_corners).max()), spread.deg_deg
