from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from measuring.scenes.matching import Match
from measuring.shadow.doubts import doubts_of, fitted, log_loss, main, right_answers
from measuring.shadow.strips import Weighed
from tests.scenes import scene
from vision.likelihood.config import LikelihoodConfig

CONFIG = LikelihoodConfig()


def made(number: int, temperature: float, blind: float) -> list[Weighed]:
    """Doubts of two answers, whose log-odds are exaggerated, and of some of which none is right."""
    rng = np.random.default_rng(3)
    found = []
    for true in rng.normal(-1.0, 3.0, number):
        other = rng.random() < 1 / (1 + np.exp(-true))
        right = (not other, bool(other))
        if rng.random() < blind:
            right = ((True, False), (False, True), (False, False))[rng.integers(3)]
        found.append(Weighed("face", (0.0, float(true * temperature)), right))
    return found


def test_what_was_exaggerated_is_found() -> None:
    found = made(600, 20.0, 0.1)
    config = fitted(found, replace(CONFIG, blind=0.1))
    assert config.temperature == pytest.approx(20.0, rel=0.3)
    assert log_loss(found, config) < log_loss(found, replace(config, temperature=1.0))


def test_what_truly_is_so() -> None:
    truth = scene("two-walnut").truth
    upper, lower = truth.layout.cards[7].id, truth.layout.cards[3].id
    matches = {
        read: Match(true, read, named=True, side_right=True, off_mm=0.0, off_deg=0.0)
        for read, true in ((50, upper), (51, lower))
    }
    card = truth.layout.card(lower)
    assert set(right_answers(51, [51, 50], matches, truth)) == {
        ("there", True), ("face", card.face), ("side", card.pose.mirrored),
        ("colour", card.colour), ("over", 50),
    }  # fmt: skip
    assert list(right_answers(52, [], matches, truth)) == [("there", False)]
    assert "over" not in dict(right_answers(51, [51, 52], matches, truth))


def test_tables_of_what_was_written_down(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "kept.jsonl"
    doubts = [list(one) for one in made(60, 20.0, 0.1)]
    kept.write_text(json.dumps({"scene": "real-1", "doubts": doubts}) + "\n", "utf-8")
    main(kept, fit=True, processes=1, simulated=0, seed=1, preset=None)
    said = capsys.readouterr().out
    assert "temperature" in said
    assert "60" in said
    records = [json.loads(line) for line in kept.read_text("utf-8").splitlines()]
    assert doubts_of(records) == made(60, 20.0, 0.1)
