"""Every answer to every doubt of simulated photographs does what it promises.

TACTA_ANSWER_SCENES names how many scenes are tried.
"""

from __future__ import annotations

import os
import time

import cv2
import numpy as np
import pytest

from geometry.deck_file import published_deck
from geometry.rules import Rules
from referee.corrections.replay import replay
from rig.store.seen_json import seen_of
from simulator import simulate_scene
from tests.referee.corrections.answered_tables import check
from tests.rig.page.doubted_tables import doubted_table
from tests.scenes import scene
from vision.assemble import assemble
from vision.read import read_table
from vision.reading import Reading

SCENES = int(os.environ.get("TACTA_ANSWER_SCENES", "1"))
LONGEST_S = 0.5


def test_promises_are_kept_of_a_table_with_every_kind_of_doubt() -> None:
    seen = seen_of(doubted_table(), scene("two-walnut").truth.layout.deck)
    assert {doubt.kind for doubt in seen.doubts} == {"order", "face", "dot", "missing", "colour"}
    found = replay(seen, (), Rules())
    check(seen)
    again = assemble(seen, Rules())
    assert found.reading.sure is again.sure
    assert found.reading.sure_without_illegal is again.sure_without_illegal


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(502, 502 + SCENES))
def test_promises_are_kept(seed: int) -> None:
    made = simulate_scene(seed, "hard")
    image = cv2.imdecode(np.frombuffer(made.jpeg, np.uint8), cv2.IMREAD_COLOR)
    reading = read_table(np.asarray(image, np.uint8), published_deck(), made.lens, Rules())
    if not isinstance(reading, Reading) or not reading.doubts:
        return
    started = time.process_time()
    found = replay(reading.seen, (), Rules())
    spent_s = time.process_time() - started
    check(reading.seen)
    assert spent_s < LONGEST_S
    assert found.reading.sure is reading.sure, "an answer changes what no doubt says could change"
    assert found.reading.sure_without_illegal is reading.sure_without_illegal
