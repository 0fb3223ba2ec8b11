"""Tables with several possible scores."""

from __future__ import annotations

from geometry.showing import visible_dots
from tests.referee.corrections.answered_tables import middle
from vision.reading import AnswerKind, AnswerOdds, Doubt, SeenTable
from vision.reason import Reason


def tops(seen: SeenTable) -> list[int]:
    """Cards of several colours of which dots show."""
    shown = visible_dots(seen.layout)
    return [card.id for card in seen.layout.cards if any(shown[card.id])]


def there(seen: SeenTable, card: int, *log_odds: float) -> Doubt:
    """A doubt whether a card is there, weighed where the log-odds that it is not are given."""
    odds = (("there", True, 0.0), *(("there", False, one) for one in log_odds))
    kind: AnswerKind = "there"
    weighed = tuple(AnswerOdds(kind, value, by) for _, value, by in odds) if log_odds else ()
    return Doubt("card", card, middle(seen, card), Reason("looks-wrong"), odds=weighed)
