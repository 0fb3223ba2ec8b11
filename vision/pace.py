"""How a reading goes on: whom it tells, and what it leaves out once its time is over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

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
        if self.is_over:
            self.left_out.append(sought)
        return bool(self.left_out)

    @property
    def is_over(self) -> bool:
        """Whether there is no time even for what no score hangs on."""
        return bool(self.left_out) or self.hurry()

    def doubts(self, at_px: tuple[float, float], deck: Deck) -> tuple[Doubt, ...]:
        """That something was left out: any colour may have a card more or less than was read."""
        changes = {colour.name: max(face.value for face in deck.faces) for colour in deck.colours}
        told = (Reason("time-over", {"sought": Reason(first)}) for first in self.left_out[:1])
        return tuple(Doubt("table", None, at_px, reason, changes, changes) for reason in told)
