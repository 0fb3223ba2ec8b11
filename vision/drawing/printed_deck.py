"""The deck together with what its faces look like: what cards are sought and named by."""

from __future__ import annotations

from dataclasses import dataclass

from geometry.deck import Deck
from vision.drawing.templates import Templates


@dataclass(frozen=True, eq=False)
class PrintedDeck:
    """A deck, and the templates of its faces as this printing shows them."""

    deck: Deck
    templates: Templates

    @property
    def start_row(self) -> int:
        """The first of the templates' rows that are the starting card's."""
        return self.templates.start_row
