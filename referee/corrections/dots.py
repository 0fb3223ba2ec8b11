"""Single dots that show, or do not, because the players say so."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from geometry.layout import Layout
from geometry.showing import visible_dots
from vision.reading import ReadCard, Reading

Dots = Mapping[tuple[int, int], bool]
"""A card's id and the place of the dot among its face's dots -> whether it shows."""


def shown_as_told(reading: Reading, dots: Dots) -> Reading:
    """The reading with these dots counted as told."""
    layout = reading.seen.layout
    by_id = {card.id: card for card in layout.cards}
    dots = {told: shows for told, shows in dots.items() if told[0] in by_id}
    if not dots:
        return reading
    measured = visible_dots(layout)
    gone = {item.card for item in reading.illegal}
    scores, left = dict(reading.scores), dict(reading.scores_without_illegal)
    by_card: dict[int, int] = {}
    for (card, _), by in _changes(layout, dots):
        scores[by_id[card].colour] += by
        by_card[card] = by_card.get(card, 0) + by
    cleared = layout.without(gone)
    for (card, _), by in _changes(cleared, _without_illegal(dots, measured, cleared)):
        left[by_id[card].colour] += by
    cards = tuple(_counted(card, by_card.get(card.id, 0)) for card in reading.cards)
    return replace(reading, scores=scores, scores_without_illegal=left, cards=cards)


def _changes(layout: Layout, dots: Dots) -> Iterator[tuple[tuple[int, int], int]]:
    """The dots that are told otherwise than they are measured, with 1 more or 1 less."""
    measured = visible_dots(layout)
    for (card, dot), shows in dots.items():
        if card in measured and measured[card][dot] != shows:
            yield (card, dot), 1 if shows else -1


def _without_illegal(
    dots: Dots, measured: Mapping[int, tuple[bool, ...]], cleared: Layout
) -> dict[tuple[int, int], bool]:
    """What is told, with illegal cards off: what only they hide shows then."""
    now = visible_dots(cleared)
    return {
        (card, dot): shows or (now[card][dot] and not measured[card][dot])
        for (card, dot), shows in dots.items()
        if card in now
    }


def _counted(card: ReadCard, by: int) -> ReadCard:
    if not by:
        return card
    return replace(card, visible_dots=card.visible_dots + by, hidden_dots=card.hidden_dots - by)
