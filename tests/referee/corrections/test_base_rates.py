"""How probable answers are that the picture does not weigh: by what doubts of a kind came to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from referee.corrections import base_rates as module
from referee.corrections.base_rates import COUNTED, DoubtCounts, base_rates, counted_as
from rig.wording.words import SUBJECTS
from vision.reading import Doubt, DoubtKind
from vision.reason import Reason

DECISION = Path(__file__).parents[3] / "docs/decisions/0016-probabilities-of-answers.md"
KINDS: tuple[DoubtKind, ...] = get_args(DoubtKind)


@pytest.fixture(autouse=True)
def counted(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = {kind: DoubtCounts(as_read=5, another=3, other=1) for kind in KINDS}
    monkeypatch.setattr(module, "COUNTED", counts)


def flat(kind: DoubtKind, named: int) -> list[float]:
    """What was read, the others that are named, none of them."""
    said, none = base_rates(kind, named)
    return [*said, none]


def test_the_counts_that_are_written_down_are_these() -> None:
    table = DECISION.read_text("utf-8").split("The counts, `COUNTED`,")[1].split("\n\n")[1]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines()[2:]]
    assert {kind: DoubtCounts(*map(int, counts)) for kind, *counts in rows} == COUNTED


def test_every_kind_of_doubt_is_counted() -> None:
    assert set(COUNTED) == {*KINDS, "cards-too-few"}


@pytest.mark.parametrize("own", [False, True])
def test_unequal_numbers_of_cards_are_counted_apart(
    monkeypatch: pytest.MonkeyPatch, own: bool
) -> None:
    few = Doubt("missing", None, (1.0, 2.0), Reason("cards-too-few"))
    if own:
        counts = {**module.COUNTED, "cards-too-few": DoubtCounts(1, 0, 7)}
        monkeypatch.setattr(module, "COUNTED", counts)
    assert counted_as(few) == ("cards-too-few" if own else "missing")
    assert counted_as(replace(few, reason=Reason("band-beside"))) == "missing"
    assert "cards-too-few" in SUBJECTS["doubts"]


def test_by_laplace_s_rule_each_way_has_one_more_than_was_counted() -> None:
    assert flat("face", 2) == pytest.approx([6 / 12, 4 / 12, 2 / 12])


def test_answers_that_were_not_read_share_what_another_has() -> None:
    assert flat("face", 5) == pytest.approx([6 / 12, 1 / 12, 1 / 12, 1 / 12, 1 / 12, 2 / 12])


def test_where_no_other_answer_is_named_it_is_none_of_them() -> None:
    assert flat("missing", 1) == pytest.approx([6 / 12, 6 / 12])


def test_a_borderline_placement_is_legal_or_illegal() -> None:
    """What could not be told of some, as their card was not found, says nothing of the others."""
    assert flat("verdict", 2) == pytest.approx([6 / 10, 4 / 10, 0])
    assert flat("verdict", 1) == pytest.approx([6 / 10, 4 / 10])


def test_what_was_never_seen_is_not_impossible(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "COUNTED", dict.fromkeys(KINDS, DoubtCounts(0, 0, 0)))
    for kind in KINDS:
        said, none = base_rates(kind, 3)
        assert sum(said) + none == pytest.approx(1)
        assert all(0 < one < 1 for one in said)
        assert (none > 0) == (kind != "verdict")
