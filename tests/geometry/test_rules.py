"""Rules files: defaults, variants, house rules, and every fault named."""

from __future__ import annotations

import pytest

from geometry.rules import RULE_NAMES, Rules, RulesError, Tolerance, parse_rules


def test_nothing_said_is_the_published_game() -> None:
    assert parse_rules({}) == Rules()
    assert Rules().tolerance == Tolerance(2.0, 3.0, 3.0, 4.5)
    assert [rule for rule in RULE_NAMES if not Rules().tries(rule)] == ["own_colour"]


def test_everything_can_be_set() -> None:
    rules = parse_rules(
        {
            "tolerance": {"legal_mm": 1, "illegal_mm": 1.5, "legal_deg": 2, "illegal_deg": 2},
            "free_for_all": True,
            "suits": ["circle", "square"],
            "off": ["overhang"],
        }
    )
    assert rules == Rules(
        Tolerance(1.0, 1.5, 2.0, 2.0),
        free_for_all=True,
        suits=frozenset({"circle", "square"}),
        off=frozenset({"overhang"}),
    )
    assert rules.tries("own_colour")
    assert not rules.tries("overhang")


def test_a_rule_switched_off_is_not_played_by() -> None:
    assert not Rules(free_for_all=True, off=frozenset({"own_colour"})).tries("own_colour")


def test_one_tolerance_alone_can_be_set() -> None:
    assert parse_rules({"tolerance": {"illegal_mm": 5}}).tolerance == Tolerance(illegal_mm=5.0)


FAULTS: dict[str, tuple[object, str]] = {
    "no object": ([], "the rules: expected an object"),
    "unknown key": ({"tolerances": {}}, "the rules: unknown key 'tolerances'"),
    "unknown tolerance": ({"tolerance": {"mm": 2}}, "tolerance: unknown key 'mm'"),
    "tolerance no object": ({"tolerance": 2}, "tolerance: expected an object"),
    "text": ({"tolerance": {"legal_mm": "2"}}, "tolerance.legal_mm: expected a number"),
    "true": ({"tolerance": {"legal_mm": True}}, "tolerance.legal_mm: expected a number"),
    "negative": ({"tolerance": {"legal_mm": -1}}, "tolerance.legal_mm: expected a number from 0"),
    "NaN": ({"tolerance": {"illegal_deg": float("nan")}}, "tolerance.illegal_deg: expected"),
    "huge": ({"tolerance": {"illegal_mm": 10**400}}, "tolerance.illegal_mm: expected a number"),
    "legal mm": ({"tolerance": {"legal_mm": 4}}, "tolerance.legal_mm: 4 is more than illegal_mm"),
    "illegal mm": ({"tolerance": {"illegal_mm": 1}}, "tolerance.legal_mm: 2 is more"),
    "legal deg": ({"tolerance": {"legal_deg": 5}}, "tolerance.legal_deg: 5 is more"),
    "free for all": ({"free_for_all": 1}, "free_for_all: expected true or false, found 1"),
    "free for all null": ({"free_for_all": None}, "free_for_all: expected true or false"),
    "suits": ({"suits": "circle"}, "suits: expected a list"),
    "no suits": ({"suits": []}, "suits: is empty"),
    "unknown suit": ({"suits": ["circle", "star"]}, "suits[1]: expected one of"),
    "suit no text": ({"suits": [["circle"]]}, "suits[0]: expected one of"),
    "off": ({"off": "overhang"}, "off: expected a list"),
    "unknown rule": ({"off": ["over_hang"]}, "off[0]: expected one of off_table, two_cards"),
    "rule no text": ({"off": [{}]}, "off[0]: expected one of"),
}


@pytest.mark.parametrize(("data", "sentence"), FAULTS.values(), ids=FAULTS.keys())
def test_faulty_rules_are_refused_with_the_place(data: object, sentence: str) -> None:
    with pytest.raises(RulesError) as refused:
        parse_rules(data)
    assert str(refused.value).startswith(sentence)
    assert "\n" not in str(refused.value)
