"""What was found, as a code and the facts of the case: who speaks to people makes the sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class CardName:
    """A card as people tell it from others; the starting card has neither colour nor face."""

    colour: str | None = None
    face: str | None = None


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something was doubted, refused or advised. Units are in the names of the facts; shares
    are of 1.
    """

    code: str
    facts: Mapping[str, Fact] = field(default_factory=dict)


Fact = str | float | CardName | tuple[CardName | str | int, ...] | Reason
