"""What the table says of placements, over what was measured: it has the last word."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from geometry.score import points_without, stake
from vision.reading import Doubt, Illegal, Reading
from vision.reason import Reason

BY_THE_TABLE = "ruled"
"""The rule of a card that people called illegal without naming one."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """A placement is legal or not because the table says so; `rule` as the table named it."""

    legal: bool
    rule: str | None = None


def doubt_key(doubt: Doubt) -> str:
    """What names a doubt from one reading of a table to the next."""
    if doubt.kind == "verdict":
        return f"verdict-{doubt.card}"
    x, y = doubt.at_px
    whose = "table" if doubt.card is None else doubt.card
    return f"{doubt.kind}-{whose}-{x:.0f}-{y:.0f}"


def ruled(reading: Reading, rulings: Mapping[int, Ruling]) -> Reading:
    """The reading with these placements called as the table calls them."""
    rulings = {card.id: rulings[card.id] for card in reading.cards if card.id in rulings}
    if not rulings:
        return reading
    illegal = _illegal(reading, rulings)
    gone = {item.card for item in illegal}
    doubts = _doubts(reading, rulings, gone)
    left = points_without(reading.seen.layout, gone)
    return replace(
        reading,
        scores_without_illegal={name: left.get(name, 0) for name in reading.scores},
        sure_without_illegal=not any(doubt.matters for doubt in doubts),
        illegal=illegal,
        doubts=doubts,
    )


def _illegal(reading: Reading, rulings: Mapping[int, Ruling]) -> tuple[Illegal, ...]:
    measured = {item.card: item for item in reading.illegal}
    found = []
    for card in reading.cards:
        ruling = rulings.get(card.id)
        if ruling is None or (not ruling.legal and ruling.rule is None and card.id in measured):
            found += [measured[card.id]] if card.id in measured else []
        elif not ruling.legal:
            found.append(_by_the_table(card.id, card.over, ruling))
    return tuple(found)


def _by_the_table(card: int, on: tuple[int, ...], ruling: Ruling) -> Illegal:
    rule = ruling.rule or BY_THE_TABLE
    return Illegal(card, rule, on, None, None, Reason("ruled"))


def _doubts(reading: Reading, rulings: Mapping[int, Ruling], gone: set[int]) -> tuple[Doubt, ...]:
    """The doubts that are left; what the borderline placements could change is asked again."""
    open_cards = {d.card for d in reading.doubts if d.kind == "verdict" and d.card is not None}
    open_cards -= set(rulings)
    kept = []
    for doubt in reading.doubts:
        if doubt.kind != "verdict" or doubt.card is None:
            kept.append(doubt)
        elif doubt.card in open_cards:
            change = stake(reading.seen.layout, doubt.card, gone, open_cards)
            kept.append(replace(doubt, changes_scores_without_illegal_by=change))
    return tuple(kept)
