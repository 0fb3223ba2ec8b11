"""What is to be said of a card's placement, at once and judged again."""

from collections.abc import Mapping
from dataclasses import replace

from geometry.moves import legal_placements
from geometry.rules import Rules
from geometry.score import scores
from geometry.showing import visible_dots
from geometry.verdict import Verdict, judge
from referee.events import Event, PlacementStatus
from referee.known_table import KnownCard, KnownTable

Statuses = Mapping[int, PlacementStatus]


def placed(table: KnownTable, rules: Rules, card: KnownCard, event: Event) -> Event:
    """An event with the verdict on its card, and the scores."""
    layout = table.layout
    verdict = judge(layout, rules, (card.id,)).get(card.id)
    counted = counted_on(table)
    if verdict is None or verdict.status == "start":
        return replace(event, card=card, scores=counted)
    return replace(
        event,
        card=card,
        status=_status(verdict),
        rule=verdict.rule,
        on=verdict.on or (() if verdict.covers is None else (verdict.covers,)),
        offset_mm=verdict.offset_mm,
        offset_deg=verdict.offset_deg,
        sure=event.sure and verdict.status != "borderline",
        scores=counted,
    )


def counted_on(table: KnownTable) -> dict[str, int]:
    """The visible dots of each colour on the table."""
    return scores(table.layout, visible_dots(table.layout))


def statuses(table: KnownTable, rules: Rules) -> dict[int, PlacementStatus]:
    """How each card lies but the starting card, by id."""
    verdicts = judge(table.layout, rules)
    return {card: status for card, one in verdicts.items() if (status := _status(one)) is not None}


def judged_again(
    said: Statuses, table: KnownTable, rules: Rules, suspects: frozenset[int]
) -> tuple[list[Event], frozenset[int]]:
    """Cards of which it was said that they lie illegally and do not, or the other way round, once
    the cards round them are known better; and those that are illegal now though it was not said.

    A card is called illegal afterwards where it was one of the `suspects` of the last reading
    already. What is borderline takes nothing back that was said.
    """
    events, illegal = list[Event](), set[int]()
    for card_id, status in statuses(table, rules).items():
        before = said.get(card_id)
        if before is None or before == status or "illegal" not in (before, status):
            continue
        if status == "illegal":
            illegal.add(card_id)
        if status != "borderline" and (status != "illegal" or card_id in suspects):
            card = table.card(card_id)
            event = Event("corrected", was=card.name, notes=("judged_again",))
            events.append(placed(table, rules, card, event))
    return events, frozenset(illegal)


def place_existed(before: KnownTable, card: KnownCard, rules: Rules) -> bool:
    """Whether a card that touches nothing could have been laid legally on the table before (T6)."""
    colour, face = card.name
    return bool(legal_placements(before.layout, colour, face, rules))


def _status(verdict: Verdict) -> PlacementStatus | None:
    return None if verdict.status == "start" else verdict.status
