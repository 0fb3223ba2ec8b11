"""What counts at the end (E1, E2, C4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass

from geometry.layout import Layout
from geometry.showing import visible_dots
from geometry.verdict import Verdict


@dataclass(frozen=True, slots=True)
class RoundScore:
    """Visible dots of every colour on the table, had the illegal cards stayed and without them.

    `without_illegal` is the one to announce (E2). Both name the same colours.
    """

    as_it_lies: dict[str, int]
    without_illegal: dict[str, int]


def scores(layout: Layout, visible: Mapping[int, tuple[bool, ...]]) -> dict[str, int]:
    """Visible dots of every colour on the table but the starting one, in the deck's order.

    `visible` says for every card, by id, which of its dots count, as `visible_dots` does.
    """
    on_table = {card.colour for card in layout.cards}
    points = {colour.name: 0 for colour in layout.deck.colours if colour.name in on_table}
    for card in layout.cards:
        if card.colour in points:
            points[card.colour] += sum(visible[card.id])
    return points


def without_illegal(layout: Layout, verdicts: Mapping[int, Verdict]) -> Layout:
    """The layout with all illegal cards taken off together (E2); the rest is not judged again."""
    return layout.without(_illegal(verdicts))


def score_round(layout: Layout, verdicts: Mapping[int, Verdict]) -> RoundScore:
    """Both scores of a table. A colour whose every card is illegal has 0 without them."""
    as_it_lies = scores(layout, visible_dots(layout))
    left = points_without(layout, _illegal(verdicts))
    return RoundScore(as_it_lies, {name: left.get(name, 0) for name in as_it_lies})


def points_without(layout: Layout, gone: Iterable[int]) -> dict[str, int]:
    """The scores with the cards `gone` taken off; a colour all of whose cards go is left out."""
    cleared = layout.without(gone)
    return scores(cleared, visible_dots(cleared))


def stake(layout: Layout, card: int, gone: Set[int], open_cards: Set[int]) -> dict[str, int]:
    """What taking `card` off changes in the score of E2: dots by colour, the changes only.

    The cards `gone` are off already. Two cards whose placement is open can hide the same dot, so
    that taking off either alone changes nothing: the other `open_cards` are tried lying and off.
    """
    alone = _change(layout, card, gone)
    return alone or _change(layout, card, gone | (open_cards - {card}))


def _change(layout: Layout, card: int, gone: Set[int]) -> dict[str, int]:
    before, after = points_without(layout, gone), points_without(layout, gone | {card})
    changes = {name: after.get(name, 0) - dots for name, dots in before.items()}
    return {name: change for name, change in changes.items() if change}


def _illegal(verdicts: Mapping[int, Verdict]) -> list[int]:
    return [card for card, verdict in verdicts.items() if verdict.status == "illegal"]
