"""Cards laid wrongly on purpose: proposals, kept when the geometry names them as meant."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from shapely.geometry import Point

from geometry.deck import Face
from geometry.layout import Card, Layout
from geometry.pose import Pose
from geometry.rules import Rules
from geometry.showing import dot_parts, shown
from geometry.touch import touches
from geometry.verdict import Verdict, judge
from simulator.play.fitting import fits, nudged, past_edge, touched_mm

FAULTS = (
    "misaligned", "two_cards", "mismatched", "overhang", "off_table", "own_colour",
    "borderline", "free", "slipped", "half_dot", "twin",
)  # fmt: skip
AMBIGUOUS_PART = (0.4, 0.6)
"""A dot of which this much shows can be counted either way by eye."""
MISPRINTED_PART = (0.26, 0.74)
"""The same where prints lie up to half a millimetre off their cut cards."""

_TRIES = 250
_NEAR_MM = 125.0


@dataclass(frozen=True, slots=True)
class Wrong:
    """What is to be done wrong: the fault, how far past the tolerance at least, mm, and the
    shares of every card and of every badge that must still show afterwards, and between which
    shares a dot can be counted either way.
    """

    fault: str
    past_mm: float
    rules: Rules
    least_shown: float = 0.0
    badges_shown: float = 0.0
    ambiguous: tuple[float, float] = AMBIGUOUS_PART


@dataclass(frozen=True, slots=True)
class Turn:
    """A card about to be laid on a table."""

    rng: np.random.Generator
    layout: Layout
    colour: str
    face: Face


Proposal = tuple[Pose, int | None] | None
"""A pose and the card that is meant to be covered, None for a card laid free; or None."""


def wrong_place(
    rng: np.random.Generator, layout: Layout, colour: str, face: Face, wrong: Wrong
) -> Proposal:
    """A pose that breaks the rule as meant and the card meant to be covered, or None."""
    propose = _PROPOSALS[wrong.fault]
    for _ in range(_TRIES):
        proposal = propose(Turn(rng, layout, colour, face))
        if proposal is None:
            continue
        pose, covers = proposal
        laid = with_neighbours(layout, Card(_next_id(layout), colour, face.id, pose))
        verdict = judge(laid, wrong.rules)[laid.cards[-1].id]
        if not _as_meant(verdict, laid, wrong) or (
            covers is not None and not _unbroken(laid, wrong)
        ):
            continue
        whole = layout.laid_on_top(laid.cards[-1])
        if wrong.fault == "twin" or in_sight(whole, wrong.least_shown, wrong.badges_shown):
            return replace(pose, angle_deg=pose.angle_deg % 360), covers
    return None


def in_sight(layout: Layout, body: float, badge: float) -> bool:
    """Whether at least these shares of every card and of every badge show."""
    size, parts = layout.deck.card, shown(layout)
    least = body * size.width_mm * size.height_mm
    if any(part.area < least for part in parts.values()):
        return False
    if badge <= 0:
        return True
    start = layout.deck.starting_face
    for card in layout.cards:
        symbol_only = card.face == start.id and start.suit is None
        own = layout.deck.symbol_offset_mm if symbol_only else (0, 0)
        mark = Point(*card.pose.to_table(np.array([own], np.float64))[0]).buffer(
            layout.deck.badge_mm / 2
        )
        if parts[card.id].intersection(mark).area < badge * mark.area:
            return False
    return True


def _next_id(layout: Layout) -> int:
    return max((card.id for card in layout.cards), default=-1) + 1


def with_neighbours(layout: Layout, card: Card) -> Layout:
    """The card on those of the layout that are near it; enough to judge it."""
    near = tuple(
        other
        for other in layout.cards
        if np.hypot(other.pose.x_mm - card.pose.x_mm, other.pose.y_mm - card.pose.y_mm) < _NEAR_MM
    )
    return Layout(layout.deck, (*near, card), layout.play_area_mm)


def _unbroken(laid: Layout, wrong: Wrong) -> bool:
    """Whether no dot is so half hidden that the eye could count it either way."""
    low, high = wrong.ambiguous
    return not any(low <= part <= high for parts in dot_parts(laid).values() for part in parts)


def _as_meant(verdict: Verdict, laid: Layout, wrong: Wrong) -> bool:
    """Whether the geometry says what was meant, and clearly."""
    limits = wrong.rules.tolerance
    fault = wrong.fault
    if fault == "borderline":
        return verdict.status == "borderline" and _clearly_between(verdict, wrong.rules)
    if fault == "slipped":
        return (
            verdict.status == "legal" and 0.9 <= (verdict.offset_mm or 0) <= 0.85 * limits.legal_mm
        )
    if fault == "half_dot":
        cut = [p for parts in dot_parts(laid).values() for p in parts if 0.12 < p < 0.88]
        return verdict.status == "illegal" and bool(cut)
    if fault in ("twin", "free"):
        return True
    if verdict.status != "illegal" or verdict.rule != fault:
        return False
    if fault == "misaligned":
        by_mm = (verdict.offset_mm or 0) - limits.illegal_mm
        by_deg = (verdict.offset_deg or 0) - limits.illegal_deg
        return by_mm >= wrong.past_mm or by_deg >= wrong.past_mm
    if fault == "mismatched":
        nearest = [touch.fit_mm for touch in touches(laid, limits.legal_mm)[verdict.card]]
        return all(mm > 16.5 for mm in nearest)
    return verdict.offset_mm is None or verdict.offset_mm >= limits.illegal_mm + wrong.past_mm


def _clearly_between(verdict: Verdict, rules: Rules) -> bool:
    limits = rules.tolerance
    spare = 0.15 * (limits.illegal_mm - limits.legal_mm)
    low, high = limits.legal_mm + spare, limits.illegal_mm - spare
    by_mm = verdict.offset_mm is not None and low <= verdict.offset_mm <= high
    if verdict.rule != "misaligned":
        return by_mm
    by_deg = verdict.offset_deg is not None and (
        limits.legal_deg + 0.25 <= verdict.offset_deg <= limits.illegal_deg - 0.25
    )
    return by_mm or by_deg


def _any_fit(turn: Turn, exact: bool = True, colour: str = "") -> tuple[Pose, Card] | None:
    """A random fit on a random card (of this colour, if one is named), clear or not."""
    cards = [card for card in turn.layout.cards if not colour or card.colour == colour]
    if not cards:
        return None
    below = cards[int(turn.rng.integers(len(cards)))]
    poses = fits(turn.layout.deck, below, turn.face, exact)
    if not poses:
        return None
    return poses[int(turn.rng.integers(len(poses)))], below


def _only_touches(layout: Layout, pose: Pose, below: Card, most_mm: float = 0.5) -> bool:
    others = np.array([card.id != below.id for card in layout.cards])
    return past_edge(layout, pose) < 0 and not bool(
        (touched_mm(layout, pose)[others] > most_mm).any()
    )


def _misaligned(turn: Turn) -> Proposal:
    return _shifted(turn, (2.5, 9.0), 12.0)


def _shifted(turn: Turn, reach: tuple[float, float], most_deg: float) -> Proposal:
    fit = _any_fit(turn)
    if fit is None or not _only_touches(turn.layout, *fit, most_mm=2.0):
        return None
    pose, below = fit
    way, by = turn.rng.uniform(0, 2 * np.pi), turn.rng.uniform(*reach)
    angle = (
        turn.rng.uniform(-most_deg, most_deg)
        if turn.rng.random() < 0.4
        else turn.rng.normal(0, 0.4)
    )
    x, y = pose.x_mm + by * np.cos(way), pose.y_mm + by * np.sin(way)
    moved = Pose(float(x), float(y), pose.angle_deg + float(angle), pose.mirrored)
    return (moved, below.id) if _only_touches(turn.layout, moved, below, 1.5) else None


def _borderline(turn: Turn) -> Proposal:
    kind = turn.rng.random()
    if kind < 0.3:
        return _two_cards(turn)
    if kind < 0.4:
        return _off_table(turn)
    return _shifted(turn, (0.5, 3.2), 4.5)


def _slipped(turn: Turn) -> Proposal:
    return _shifted(turn, (0.6, 1.8), 1.5)


def _half_dot(turn: Turn) -> Proposal:
    return _thrown(turn)


def _two_cards(turn: Turn) -> Proposal:
    fit = _any_fit(turn)
    if fit is None:
        return None
    pose, below = fit
    return nudged(turn.rng, pose, 0.25, 0.25), below.id


def _thrown(turn: Turn) -> Proposal:
    """A card dropped near another, at any angle, often one that is nearly square to it."""
    below = turn.layout.cards[int(turn.rng.integers(len(turn.layout.cards)))]
    way, by = turn.rng.uniform(0, 2 * np.pi), turn.rng.uniform(15, 75)
    turned = below.pose.angle_deg + 45 * float(turn.rng.integers(8)) + float(turn.rng.normal(0, 2))
    angle = turned if turn.rng.random() < 0.6 else float(turn.rng.uniform(0, 360))
    x, y = below.pose.x_mm + by * np.cos(way), below.pose.y_mm + by * np.sin(way)
    return Pose(float(x), float(y), angle, bool(turn.rng.random() < 0.5)), below.id


def _overhang(turn: Turn) -> Proposal:
    fit = _any_fit(turn, exact=False)
    if fit is None or not _only_touches(turn.layout, *fit, most_mm=1.5):
        return None
    return nudged(turn.rng, fit[0], 0.3, 0.3), fit[1].id


def _off_table(turn: Turn) -> Proposal:
    """A card over the table's edge: fitted where one lies near it, else laid free."""
    fit = _any_fit(turn)
    if fit is not None and past_edge(turn.layout, fit[0]) > 2:
        return nudged(turn.rng, fit[0], 0.25, 0.25), fit[1].id
    area = turn.layout.play_area_mm
    if area is None:
        return None
    along, side = turn.rng.uniform(0.1, 0.9), int(turn.rng.integers(4))
    inwards = float(turn.rng.uniform(15, 45))
    width, height = area
    x, y = (
        (along * width, inwards), (width - inwards, along * height),
        (along * width, height - inwards), (inwards, along * height),
    )[side]  # fmt: skip
    pose = Pose(float(x), float(y), float(turn.rng.uniform(0, 360)), bool(turn.rng.random() < 0.5))
    reach = past_edge(turn.layout, pose)
    if not 2 < reach < 20 or bool((touched_mm(turn.layout, pose) > -2).any()):
        return None
    return pose, None


def _own_colour(turn: Turn) -> Proposal:
    fit = _any_fit(turn, colour=turn.colour)
    if fit is None or not _only_touches(turn.layout, *fit):
        return None
    return nudged(turn.rng, fit[0], 0.25, 0.25), fit[1].id


def _free(turn: Turn) -> Proposal:
    area = turn.layout.play_area_mm
    if area is None:
        return None
    x, y = turn.rng.uniform((50, 50), (area[0] - 50, area[1] - 50))
    pose = Pose(float(x), float(y), float(turn.rng.uniform(0, 360)), bool(turn.rng.random() < 0.5))
    clear = past_edge(turn.layout, pose) < -2 and bool((touched_mm(turn.layout, pose) < -4).all())
    return (pose, None) if clear else None


def _twin(turn: Turn) -> Proposal:
    """A card almost exactly on another on which nothing lies yet."""
    below = turn.layout.cards[-1 - int(turn.rng.integers(min(6, len(turn.layout.cards))))]
    way, by = turn.rng.uniform(0, 2 * np.pi), turn.rng.uniform(0.8, 2.5)
    x, y = below.pose.x_mm + by * np.cos(way), below.pose.y_mm + by * np.sin(way)
    angle = (
        below.pose.angle_deg + 180 * float(turn.rng.integers(2)) + float(turn.rng.normal(0, 0.6))
    )
    return Pose(float(x), float(y), angle, bool(turn.rng.random() < 0.5)), below.id


_PROPOSALS: dict[str, Callable[[Turn], Proposal]] = {
    "misaligned": _misaligned,
    "two_cards": _two_cards,
    "mismatched": _thrown,
    "overhang": _overhang,
    "off_table": _off_table,
    "own_colour": _own_colour,
    "borderline": _borderline,
    "free": _free,
    "slipped": _slipped,
    "half_dot": _half_dot,
    "twin": _twin,
}
