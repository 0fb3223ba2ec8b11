"""Signs that a photo was damaged on its way here."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Damage:
    """What was noticed of damage, each in a few words for whoever looks into it.

    `plain`: whole photos do not show it. `faint`: some whole photos do, so that it counts only
    where the reading is odd as well. `unchecked`: nobody could look, so that there may be any.
    """

    plain: tuple[str, ...] = ()
    faint: tuple[str, ...] = ()
    unchecked: bool = False

    def __add__(self, other: Damage) -> Damage:
        return Damage(
            self.plain + other.plain, self.faint + other.faint, self.unchecked or other.unchecked
        )
