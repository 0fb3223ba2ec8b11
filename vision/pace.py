"""How a reading goes on: whom it tells, and what it leaves out once its time is over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import reduce

from geometry.deck import Deck
from vision.reading import Doubt
from vision.reason import Reason

Progress = Callable[[str], None]


@dataclass(frozen=True, eq=False)
class Pace:
    """`say` is called with each stage as it begins. `hurry` is asked before anything is looked for
    that a reading can do without: from when it is true none of that is; `left_out`: codes of what.
    """

    say: Progress = lambda _stage: None
    hurry: Callable[[], bool] = lambda: False
    left_out: list[str] = field(default_factory=list)

    def leaves_out(self, sought: str) -> bool:
        """Whether to go on without looking for this."""
        hurried = bool(self.left_out) or self.hurry()
        if hurried and sought not in self.left_out:
            self.left_out.append(sought)
        return hurried

    def doubts(self, at_px: tuple[float, float], deck: Deck) -> tuple[Doubt, ...]:
        """That something was left out: any colour may have a card more or less than was read."""
        changes = {colour.name: max(face.value for face in deck.faces) for colour in deck.colours}
        if not self.left_out:
            return ()
        first, *more = map(Reason, self.left_out)
        sought = reduce(
            lambda one, then: Reason("sought-also", {"one": one, "then": then}), more, first
        )
        reason = Reason("time-over", {"sought": sought})
        return (Doubt("table", None, at_px, reason, changes, changes),)
