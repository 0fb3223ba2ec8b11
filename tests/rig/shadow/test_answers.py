from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from geometry.layout import Layout
from rig.scenes.true_reading import true_table
from rig.shadow.answers import answered, main
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
    place, changes = middle_px(outlines[CARD]), {"navy": 99}
    doubt = Doubt(kind, card, place, reason, changes, changes)
    reading = assemble(replace(seen, doubts=(doubt,)), TRUTH.rules, measured=False)
    return next(one.outcome for one in answered(reading, TRUTH) if one.code == reason.code)


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


def test_the_table_and_its_verdicts() -> None:
    first = others()[0]
    assert told(true_table(TRUTH), "table", Reason("time-over"), None) == "as read"
    assert told(without_the_card(), "table", Reason("time-over"), None) == "other"
    assert told(read_as(first), "dot", Reason("dots-outside")) == "other"
    assert told(true_table(TRUTH), "dot", Reason("dots-outside")) == "as read"
    borderline = Reason("misaligned-borderline")
    assert told(true_table(TRUTH), "verdict", borderline) == "as read"


def test_a_table_of_what_was_written_down(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "kept.jsonl"
    said = [[0.975, False], [0.025, True]]
    doubts = [["face-unclear", "another", said]] * 19 + [["face-unclear", "none", []]]
    kept.write_text(json.dumps({"scene": "real-1", "doubts": doubts}) + "\n", "utf-8")
    main(kept, preset=None, simulated=0, seed=1, processes=1)
    rows = [
        [cell.strip() for cell in line.split("│")] for line in capsys.readouterr().out.splitlines()
    ]
    assert ["all", "20", "0", "19", "0", "1", "0.950"] in [row[1:8] for row in rows]
    assert ["0.025", "19", "19", "1.000"] in [row[1:5] for row in rows]
    assert ["0.975", "19", "0", "0.000"] in [row[1:5] for row in rows]
