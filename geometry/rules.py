"""The rules a table plays by: tolerances, variants (V1, V2, V4) and house rules (V6)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import Literal, NoReturn, cast, get_args

from geometry.deck import Suit
from geometry.wording import quoted

RuleName = Literal["off_table", "two_cards", "mismatched", "misaligned", "overhang", "own_colour"]
RULE_NAMES: tuple[RuleName, ...] = get_args(RuleName)
"""The rules a placement can break, in the order in which they are tried."""


class RulesError(ValueError):
    """Rules that cannot be used. The text is one sentence that names the place."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far a placement may be off: up to `legal` it is fine, from `illegal` it is wrong.

    In between it is borderline, and a person is asked (K3). Millimetres and degrees.
    """

    legal_mm: float = 2.0
    illegal_mm: float = 3.0
    legal_deg: float = 3.0
    illegal_deg: float = 4.5


@dataclass(frozen=True, slots=True)
class Rules:
    """What is played. `off` names the rules that this table has switched off.

    `suits` are the suits in play (V1, V2), None for all of them. They say
    which cards to expect: a card of another suit does not belong to this
    round. They change neither which placement is legal nor what a dot counts,
    because a card that lies there shows its dots and can be covered whatever
    its suit. `free_for_all` (V4) forbids covering a card of the own colour.
    """

    tolerance: Tolerance = field(default_factory=Tolerance)
    free_for_all: bool = False
    suits: frozenset[Suit] | None = None
    off: frozenset[RuleName] = frozenset()

    def tries(self, rule: RuleName) -> bool:
        """Whether this table plays by the rule."""
        if rule == "own_colour" and not self.free_for_all:
            return False
        return rule not in self.off


def parse_rules(data: object) -> Rules:
    """Check a decoded rules file and make the rules; RulesError names the first faulty place."""
    rules = _mapping(data, "the rules", ("tolerance", "free_for_all", "suits", "off"))
    free_for_all = rules.get("free_for_all", False)
    if not isinstance(free_for_all, bool):
        _refuse("free_for_all", f"expected true or false, found {quoted(free_for_all)}")
    suits = rules.get("suits")
    return Rules(
        tolerance=_tolerance(rules.get("tolerance", {})),
        free_for_all=free_for_all,
        suits=None if suits is None else _suits(suits),
        off=cast("frozenset[RuleName]", _names(rules.get("off", []), "off", RULE_NAMES)),
    )


def _tolerance(data: object) -> Tolerance:
    known = tuple(field.name for field in fields(Tolerance))
    given = _mapping(data, "tolerance", known)
    tolerance = Tolerance(**{name: _amount(value, name) for name, value in given.items()})
    for unit, legal, illegal in (
        ("mm", tolerance.legal_mm, tolerance.illegal_mm),
        ("deg", tolerance.legal_deg, tolerance.illegal_deg),
    ):
        if legal > illegal:
            _refuse(
                f"tolerance.legal_{unit}",
                f"{legal:g} is more than illegal_{unit}, which is {illegal:g}",
            )
    return tolerance


def _amount(value: object, name: str) -> float:
    where = f"tolerance.{name}"
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        _refuse(where, f"expected a number, found {quoted(value)}")
    if not (0 <= value <= 180 and math.isfinite(value)):
        _refuse(where, f"expected a number from 0 to 180, found {quoted(value)}")
    return float(value)


def _suits(value: object) -> frozenset[Suit]:
    suits = _names(value, "suits", get_args(Suit))
    if not suits:
        _refuse("suits", "is empty; leave it out to play with every suit")
    return cast("frozenset[Suit]", suits)


def _names(value: object, where: str, known: tuple[str, ...]) -> frozenset[str]:
    if not isinstance(value, list):
        _refuse(where, f"expected a list, found {quoted(value)}")
    for index, name in enumerate(value):
        if name not in known:
            _refuse(
                f"{where}[{index}]", f"expected one of {', '.join(known)}, found {quoted(name)}"
            )
    return frozenset(value)


def _mapping(value: object, where: str, known: tuple[str, ...]) -> dict[str, object]:
    if not isinstance(value, dict):
        _refuse(where, f"expected an object with named values, found {quoted(value)}")
    for key in value:
        if key not in known:
            _refuse(where, f"unknown key {quoted(key)}; known are {', '.join(known)}")
    return cast("dict[str, object]", value)


def _refuse(where: str, reason: str) -> NoReturn:
    raise RulesError(f"{where}: {reason}")
