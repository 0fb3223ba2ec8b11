"""What is wrong with a placement, as a person would say it (English).

The figures behind each sentence stand in the reading beside it.
"""

from __future__ import annotations

from geometry.layout import Card, Layout
from geometry.rules import Rules, Tolerance
from geometry.verdict import Verdict


def illegal_message(verdict: Verdict, layout: Layout, rules: Rules) -> str:
    """One sentence on an illegal card: what it does and what would have been fine.

    ValueError if the verdict names no rule.
    """
    return f"{_what(verdict, layout, rules.tolerance)}."


def verdict_reason(verdict: Verdict, layout: Layout, rules: Rules) -> str:
    """One sentence on a borderline card: what to check, and between which limits it lies."""
    what = _what(verdict, layout, rules.tolerance)
    return (
        f"{what}, and from {_illegal_from(verdict, rules.tolerance)} it is illegal: look closely."
    )


def _what(verdict: Verdict, layout: Layout, limits: Tolerance) -> str:
    card = layout.card(verdict.card)
    this = _this(card, layout)
    below = [_the(layout.card(other), layout) for other in verdict.on]
    lowest = below[0] if below else "card below"
    fine = f"up to {limits.legal_mm:g} mm is fine"
    match verdict.rule:
        case "off_table":
            return f"{this} reaches {_mm(verdict)} past the edge of the play area; {fine}"
        case "two_cards":
            reach = f"touching a second one by {fine}"
            return f"{this} lies on {_listed(below)}, {_mm(verdict)} deep; {reach}"
        case "mismatched":
            reach = f"touching by {fine}"
            return f"{this} covers part of {_listed(below)}, but no equal shapes meet; {reach}"
        case "misaligned":
            off, allowed = _off(verdict, limits)
            return f"{this} lies {off} off {lowest} it covers; up to {allowed} is fine"
        case "overhang":
            return f"{this} reaches {_mm(verdict)} past the shape of {lowest} it covers; {fine}"
        case "own_colour":
            return f"{this} covers {lowest}, a card of its own colour"
        case None:
            raise ValueError(f"card {verdict.card} breaks no rule")


def _off(verdict: Verdict, limits: Tolerance) -> tuple[str, str]:
    """How far a misaligned card is off, in the measures that are past their limit."""
    mm, deg = verdict.offset_mm or 0.0, verdict.offset_deg or 0.0
    found, allowed = [], []
    if mm > limits.legal_mm or deg <= limits.legal_deg:
        found.append(f"{mm:.1f} mm")
        allowed.append(f"{limits.legal_mm:g} mm")
    if deg > limits.legal_deg:
        found.append(f"{deg:.1f} degrees")
        allowed.append(f"{limits.legal_deg:g} degrees")
    return " and ".join(found), " and ".join(allowed)


def _illegal_from(verdict: Verdict, limits: Tolerance) -> str:
    by_angle = verdict.offset_deg is not None and verdict.offset_deg > limits.legal_deg
    if verdict.rule != "misaligned" or not by_angle:
        return f"{limits.illegal_mm:g} mm"
    if (verdict.offset_mm or 0.0) > limits.legal_mm:
        return f"{limits.illegal_mm:g} mm or {limits.illegal_deg:g} degrees"
    return f"{limits.illegal_deg:g} degrees"


def _mm(verdict: Verdict) -> str:
    return f"{verdict.offset_mm or 0.0:.1f} mm"


def _this(card: Card, layout: Layout) -> str:
    if card.face == layout.deck.starting_face.id:
        return "The starting card"
    return f"This {card.colour} card"


def _the(card: Card, layout: Layout) -> str:
    if card.face == layout.deck.starting_face.id:
        return "the starting card"
    return f"the {card.colour} {card.face}"


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
