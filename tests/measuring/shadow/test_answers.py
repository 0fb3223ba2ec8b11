from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from geometry.layout import Layout
from measuring.scenes.true_reading import true_table
from measuring.shadow.answers import answered, main, scored
from referee.corrections.answers import asked_of
from tests.scenes import scene
from vision.assemble import assemble, middle_px
from vision.reading import Doubt, DoubtKind, SeenTable
from vision.reason import Reason

TRUTH = scene("two-walnut").truth
CARD = 3
"""A card that is read rightly but where a test says otherwise."""


def told(seen: SeenTable, kind: DoubtKind, reason: Reason, card: int | None = CARD) -> str:
    """Where among the answers to one doubt the truth is."""
    outlines = {one.id: one.outline_px for one in true_table(TRUTH).cards}
    few = reason.code == "cards-too-few"
    place, changes = (0.0, 0.0) if few else middle_px(outlines[CARD]), {"navy": 99}
    doubt = Doubt(kind, card, place, reason, changes, changes)
    reading = assemble(replace(seen, doubts=(doubt,)), TRUTH.rules, measured=False)
    found = answered(reading, TRUTH, asked_of(reading, TRUTH.rules))
    one = next(one for one in found if one.code == reason.code)
    assert one.kind == ("cards-too-few" if few else kind)
    assert sum(p for p, _ in one.said) <= 1.001, "rounded"
    assert any(so for _, so in one.said)
    return one.outcome


def read_as(face: str) -> SeenTable:
    """All as it truly is but for the card's face."""
    seen = true_table(TRUTH)
    cards = [replace(one, face=face) if one.id == CARD else one for one in seen.layout.cards]
    return replace(seen, layout=Layout(seen.layout.deck, tuple(cards), seen.layout.play_area_mm))


def without_the_card() -> SeenTable:
    seen = true_table(TRUTH)
    left = tuple(one for one in seen.cards if one.id != CARD)
    return replace(seen, layout=seen.layout.without({CARD}), cards=left)


def unclear(rival: str) -> Reason:
    return Reason("face-unclear", {"face": TRUTH.layout.card(CARD).face, "rival": rival})


def others() -> list[str]:
    """Two faces that the card does not have."""
    faces = [face.id for face in TRUTH.layout.deck.faces]
    return [face for face in faces if face != TRUTH.layout.card(CARD).face][:2]


def test_a_face() -> None:
    true, (first, second) = TRUTH.layout.card(CARD).face, others()
    assert told(true_table(TRUTH), "face", unclear(first)) == "as read"
    assert told(read_as(first), "face", unclear(true)) == "another"
    assert told(read_as(first), "face", unclear(second)) == "other"
    assert told(read_as(first), "card", Reason("looks-wrong")) == "other"


def test_a_card_that_is_missing() -> None:
    assert told(true_table(TRUTH), "missing", Reason("band-beside"), None) == "as read"
    assert told(without_the_card(), "missing", Reason("band-beside"), None) == "other"


def test_numbers_of_cards_tell_of_a_card_that_is_missing_anywhere() -> None:
    few = Reason("cards-too-few", {"count": 1, "colour": "red", "most": 2})
    assert told(true_table(TRUTH), "missing", few, None) == "as read"
    assert told(without_the_card(), "missing", few, None) == "other"


def test_the_table_and_its_verdicts() -> None:
    first = others()[0]
    assert told(true_table(TRUTH), "table", Reason("time-over"), None) == "as read"
    assert told(without_the_card(), "table", Reason("time-over"), None) == "other"
    assert told(read_as(first), "dot", Reason("dots-outside")) == "other"
    assert told(true_table(TRUTH), "dot", Reason("dots-outside")) == "as read"
    borderline = Reason("misaligned-borderline")
    assert told(true_table(TRUTH), "verdict", borderline) == "as read"


def said_of_scores(seen: SeenTable) -> list[bool]:
    """Which whole score of a table is so: those that may be right, and at last none of them."""
    reading = assemble(seen, TRUTH.rules, measured=False)
    said = scored(reading, TRUTH, asked_of(reading, TRUTH.rules))
    assert sum(p for p, _ in said) == pytest.approx(1, abs=0.001)
    return [so for _, so in said]


def test_which_whole_score_is_so() -> None:
    """The placement that is borderline makes two; another score than both is none of them."""
    both = said_of_scores(true_table(TRUTH))
    assert (len(both), sum(both), both[-1]) == (3, 1, False)
    assert said_of_scores(without_the_card()) == [False, False, True]


def test_a_colour_without_dots_need_not_be_named() -> None:
    """True or read, it is the same score."""
    bare = replace(
        TRUTH,
        scores={**TRUTH.scores, "navy": 0},
        scores_without_illegal={**TRUTH.scores_without_illegal, "navy": 0},
    )
    reading = assemble(true_table(TRUTH), TRUTH.rules, measured=False)
    assert "navy" not in reading.scores
    asked = asked_of(reading, TRUTH.rules)
    assert scored(reading, bare, asked) == scored(reading, TRUTH, asked)


def test_of_a_table_that_is_sure_no_score_is_said() -> None:
    truth = scene("panel-oak").truth
    reading = assemble(true_table(truth), truth.rules, measured=False)
    assert scored(reading, truth, asked_of(reading, truth.rules)) == ()


def test_tables_of_what_was_written_down(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What has no right answer is something other, of its kind."""
    kept = tmp_path / "kept.jsonl"

    def doubts(kind: DoubtKind, outcome: str, number: int) -> list[dict[str, object]]:
        said = [[0.975, False], [0.025, True]]
        return [{"kind": kind, "code": "unclear", "outcome": outcome, "said": said}] * number

    found = [
        *doubts("face", "another", 11),
        *doubts("face", "other", 3),
        *doubts("face", "none", 1),
        *doubts("card", "as read", 5),
    ]
    scores = [[0.4, True], [0.45, False], [0.15, False]]
    kept.write_text(
        json.dumps({"scene": "real-1", "doubts": found, "scores": scores}) + "\n", "utf-8"
    )
    main(kept, preset=None, simulated=0, seed=1, processes=1)
    out = capsys.readouterr().out
    rows = [[cell.strip() for cell in line.split("│")] for line in out.splitlines()]
    assert ["all", "20", "5", "11", "3", "1", "0.950"] in [row[1:8] for row in rows]
    assert ["face", "0", "11", "4"] in [row[1:5] for row in rows]
    assert ["card", "5", "0", "0"] in [row[1:5] for row in rows]
    assert ["0.025", "20", "20", "1.000"] in [row[1:5] for row in rows]
    assert ["0.975", "20", "0", "0.000"] in [row[1:5] for row in rows]
    assert ["0.425", "2", "1", "0.500"] in [row[1:5] for row in rows]
    assert ["0.150", "1", "0", "0.000"] in [row[1:5] for row in rows]
