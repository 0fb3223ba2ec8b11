"""What is remembered of earlier tables never shows in what is said of a later one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import pytest

from geometry import showing, verdict
from geometry.layout import Layout
from geometry.recent_tables import RecentTables, cards_met, forget_tables
from geometry.rules import Rules, Tolerance
from tests.geometry.tables import beside, random_table

RULES = (Rules(), Rules(free_for_all=True), Rules(tolerance=Tolerance(legal_mm=1, illegal_mm=2)))


def changed(layout: Layout, rng: np.random.Generator) -> Layout:
    """The table with a card moved, off, under another one, of another colour, or another edge."""
    cards = list(layout.cards)
    k = int(rng.integers(len(cards)))
    match int(rng.integers(5)):
        case 0:
            cards[k] = replace(cards[k], pose=beside(cards[k].pose, float(rng.normal(0, 3))))
        case 1 if len(cards) > 4:
            del cards[k]
        case 2:
            cards.insert(int(rng.integers(len(cards))), cards.pop(k))
        case 3:
            cards[k] = replace(cards[k], colour=str(rng.choice(["red", "blue", "green"])))
        case _:
            return replace(layout, play_area_mm=(float(rng.uniform(400, 900)), 700.0))
    return replace(layout, cards=tuple(cards))


@pytest.mark.parametrize("seed", range(12))
def test_tables_one_after_the_other_are_judged_and_counted_as_each_by_itself(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(seed)
    layout = replace(random_table(seed), play_area_mm=(800.0, 700.0))
    tables = [(layout, RULES[0])]
    for _ in range(12):
        layout = changed(layout, rng)
        tables.append((layout, RULES[int(rng.integers(len(RULES)))]))
    found = [(verdict.judge(table, rules), showing.dot_parts(table)) for table, rules in tables]
    for (table, rules), (verdicts, parts) in zip(tables, found, strict=True):
        monkeypatch.setattr(verdict, "_SAID", RecentTables())
        monkeypatch.setattr(showing, "_SAID", RecentTables())
        assert verdicts == verdict.judge(table, rules)
        assert parts == showing.dot_parts(table)


def asked_of(
    tables: RecentTables[str], setting: object, grounds: Mapping[int, object]
) -> frozenset[int]:
    """The cards that are asked about."""
    asked: list[frozenset[int]] = [frozenset()]

    def ask(cards: frozenset[int]) -> dict[int, str]:
        asked.append(cards)
        return {card: f"{setting} {grounds[card]}" for card in cards}

    answers = tables.answers(setting, grounds, ask)
    assert answers == {card: f"{setting} {ground}" for card, ground in grounds.items()}
    return asked[-1]


def test_only_cards_whose_grounds_are_new_are_asked_about() -> None:
    tables: RecentTables[str] = RecentTables()
    assert asked_of(tables, "a", {1: "x", 2: "y"}) == {1, 2}
    assert asked_of(tables, "a", {1: "x", 2: "z", 3: "w"}) == {2, 3}
    assert asked_of(tables, "a", {1: "x", 2: "y"}) == set()
    assert asked_of(tables, "b", {1: "x", 2: "y"}) == {1, 2}


def test_the_table_that_others_are_changes_of_is_remembered_while_they_are_asked_about() -> None:
    tables: RecentTables[str] = RecentTables()
    own = {1: "x", 2: "y", 3: "z"}
    assert asked_of(tables, "a", own) == {1, 2, 3}
    for k, other in enumerate("abcdefgh"):
        assert asked_of(tables, "a", {**own, 1 + k % 3: other}) == {1 + k % 3}
    assert asked_of(tables, "a", own) == set()


def test_nothing_is_remembered_of_tables_that_are_forgotten() -> None:
    tables: RecentTables[str] = RecentTables()
    assert asked_of(tables, "a", {1: "x"}) == {1}
    forget_tables()
    assert asked_of(tables, "a", {1: "x"}) == {1}


def test_what_is_given_out_is_not_what_is_remembered() -> None:
    tables: RecentTables[str] = RecentTables()
    ask: Callable[[frozenset[int]], dict[int, str]] = lambda cards: dict.fromkeys(cards, "y")  # noqa: E731
    tables.answers(0, {1: "x"}, ask).clear()
    assert tables.answers(0, {1: "x"}, ask) == {1: "y"}


@pytest.mark.parametrize("seed", range(6))
def test_cards_met_are_those_whose_bodies_overlap_in_their_order(seed: int) -> None:
    layout = random_table(seed)
    below, above = cards_met(layout)
    whole = showing.bodies(layout)
    for k, card in enumerate(layout.cards):
        met = [other for other in layout.cards if whole[other.id].intersects(whole[card.id])]
        assert below[card.id] == tuple(c for c in met if c in layout.cards[:k])
        assert above[card.id] == tuple(c for c in met if c in layout.cards[k + 1 :])
