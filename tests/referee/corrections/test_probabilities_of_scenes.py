"""A simulated photograph, one of whose cards may be another face: how probable each answer is."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from geometry.deck_file import published_deck
from geometry.rules import Rules
from referee.corrections.answers import asked_of
from referee.corrections.replay import replay
from rig.reading_json import reading_data
from rig.store.seen_json import seen_of, seen_text
from simulator import simulate_scene
from tests.simulator.small_scenes import SMALL
from vision.doubting.doubt_context import DoubtContext
from vision.doubting.doubts import find_doubts
from vision.read import read_table
from vision.reading import Doubt, Reading
from vision.reason import Reason


def another_face(scene: DoubtContext, *more: Any) -> tuple[Doubt, ...]:
    """The doubts, and that the card on top may have a face that no card has."""
    card = scene.layout.cards[-1]
    taken = {one.face for one in scene.layout.cards}
    rival = next(face.id for face in scene.deck.faces if face.id not in taken)
    reason = Reason("face-unclear", {"face": card.face, "rival": rival})
    at_px = scene.at_px(scene.table.named.poses[card.id, :2])
    return (Doubt("face", card.id, at_px, reason), *find_doubts(scene, *more))


@pytest.mark.slow
def test_a_doubted_face_s_answers_have_probabilities(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.report.find_doubts", another_face)
    made = simulate_scene(11, SMALL)
    reading = read_table(made.image_bgr, published_deck(), made.lens, Rules())
    assert isinstance(reading, Reading)
    found = asked_of(reading, Rules())
    first = found.answers[0]
    chances = [one.probability or 0.0 for one in first]
    assert [one.answer for one in first[:2]] == ["face", "face"]
    assert first[0].value == reading.cards[-1].face, "it shows plainly"
    assert all(0 < chance < 1 for chance in chances)
    assert all(likelier >= other for likelier, other in pairwise(chances))
    assert sum(chances) <= 1 + 1e-9
    kept = seen_of(seen_text(reading.seen), reading.seen.layout.deck)
    assert replay(kept, (), Rules()).answers == found.answers, "as well after it was put away"
    data: Any = reading_data(found.reading, "photo", found.answers)
    said = [one["probability"] for one in data["doubts"][0]["answers"]]
    assert said == pytest.approx(chances, abs=0.001)
