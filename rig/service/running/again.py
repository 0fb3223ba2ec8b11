"""Serving again from the start, with what has been chosen meanwhile."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(slots=True)
class Again:
    """Whether it was asked for. `stop` ends this run."""

    is_asked: bool = False
    stop: Callable[[], None] = lambda: None

    def ask(self) -> None:
        """Once what is being answered has been answered."""
        self.is_asked = True
        self.stop()
