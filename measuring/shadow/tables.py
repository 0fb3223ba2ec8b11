"""The shadow's tables, for the console."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from rich.table import Table

from measuring.shadow.figures import (
    FALSE_ALARMS,
    WAYS,
    Cards,
    area,
    cards_of,
    covered_of,
    log_loss,
    made_found,
    orders_of,
    probability,
    reliability,
    threshold,
    told,
    trusted,
    used,
)

Records = Sequence[Mapping[str, Any]]
EDGES = (0.0005, 0.002, 0.01, 0.05, 0.3, 0.8)


def tables(records: Records, known: Records) -> Iterator[Table]:
    """All tables of some scenes; thresholds and probabilities as those `known` give them."""
    cards, before = cards_of(records), cards_of(known)
    yield _wrong_cards(records, cards)
    yield _found(cards, before)
    yield _made(records, before)
    yield _heeded(records, before)
    yield _reliable(cards, before)


def _wrong_cards(records: Records, cards: Cards) -> Table:
    table = Table("", "number", "wrong", "area, likelihood", "area, confidence", "area, doubted")
    table.add_row(
        f"cards of {len(records)} scenes", str(len(cards.wrong)), str(int(cards.wrong.sum())),
        f"{area(cards.log_odds, cards.wrong):.4f}", f"{area(cards.unsure, cards.wrong):.4f}",
        f"{area(cards.doubted.astype(np.float64), cards.wrong):.4f}",
    )  # fmt: skip
    for name, (odds, wrong) in (
        ("pairs of cards, their order", orders_of(records)),
        ("scenes, a card missed", covered_of(records)),
    ):
        table.add_row(
            name, str(len(wrong)), str(int(wrong.sum())), f"{area(odds, wrong):.4f}", "", ""
        )
    return table


def _found(cards: Cards, before: Cards) -> Table:
    """At thresholds that give so many false alarms on the scenes known before."""
    table = Table("false alarms", "likelihood: found", "false", "confidence: found", "false")
    for share in FALSE_ALARMS:
        cells = []
        for values, known in (
            (cards.log_odds, before.log_odds), (cards.unsure, before.unsure),
        ):  # fmt: skip
            over = values > threshold(known, before.wrong, share)
            cells += [
                f"{int((over & cards.wrong).sum())} of {int(cards.wrong.sum())}",
                f"{(over & ~cards.wrong).sum() / max((~cards.wrong).sum(), 1):.2%}",
            ]
        table.add_row(f"{share:.1%}", *cells)
    return table


def _made(records: Records, before: Cards) -> Table:
    table = Table("made wrong on purpose", *(f"at {share:.1%}" for share in FALSE_ALARMS))
    at = [
        made_found(records, threshold(before.log_odds, before.wrong, share))
        for share in FALSE_ALARMS
    ]
    for way in at[0]:
        table.add_row(way, *(f"{found[way][0]} of {found[way][1]}" for found in at))
    return table


def _heeded(records: Records, before: Cards) -> Table:
    table = Table(
        "log-odds over", "wrong cards put right", "right ones spoiled", "wrong and sure: suspected",
        "right and sure: suspected",
    )  # fmt: skip
    for share in FALSE_ALARMS:
        least = threshold(before.log_odds, before.wrong, share)
        what = used(records, least)
        table.add_row(
            f"{least:.1f}", str(what.put_right), str(what.spoiled),
            "{} of {}".format(*what.wrong_and_sure), "{} of {}".format(*what.right_and_sure),
        )  # fmt: skip
    return table


def _reliable(cards: Cards, before: Cards) -> Table:
    table = Table("", "said to be wrong", "cards", "wrong")
    for way in WAYS:
        fit = trusted(told(before, way), before.wrong)
        said = probability(told(cards, way), fit)
        for mean, number, wrong in reliability(said, cards.wrong, EDGES):
            table.add_row(way, f"{mean:.4f}", str(number), f"{wrong} ({wrong / number:.4f})")
        loss, bare = log_loss(said, cards.wrong), area(said, cards.wrong)
        terms = ", ".join(f"{term:.3f}" for term in fit)
        table.add_row(way, f"bias, slopes {terms}", f"area {bare:.4f}", f"log loss {loss:.5f}")
    return table
