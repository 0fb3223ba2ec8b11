from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from geometry.rules import Rules
from tests.vision.drawing.test_pose_fit import DECK, DrawnCard, drawn_evidence
from tests.vision.naming.test_name_cards import TEMPLATES, named_of
from vision.drawing.templates import Templates
from vision.evidence import Evidence
from vision.naming.colours import Naming
from vision.naming.faces import Patches
from vision.naming.name_cards import top_weight
from vision.ordering.stacking import stack_up
from vision.reconstruct import reconstruct
from vision.settling import settling
from vision.settling.settling import EarlyFaceEvidence, FaceEvidence, _dealt, hear

Map32 = NDArray[np.float32]
RED, PURPLE = (TEMPLATES.colours.index(name) for name in ("red", "purple"))


@pytest.mark.parametrize(("second", "colours"), [("circle-4", [RED, PURPLE]), ("square-2", None)])
def test_a_card_for_which_its_colour_has_no_face_left_has_that_of_its_symbol(
    second: str, colours: list[int] | None
) -> None:
    """Both were taken for red, as by the ink of what lies over them: a face is there once. No ink
    says it plainly.
    """
    cards = (
        DrawnCard("circle-4", "red", (40.0, 81.0, 0.3)),
        DrawnCard(second, "purple", (120.0, 90.0, 1.1)),
    )
    evidence = drawn_evidence(*cards)
    named = named_of(*cards)
    stack = stack_up(evidence, named, DECK, TEMPLATES)
    visible = top_weight(named.poses, stack.top, TEMPLATES)
    red = np.full(2, RED)
    naming = Naming(red, np.full(2, 0.9), red)
    start_row = 2 * len(DECK.faces)
    heard = hear(evidence, stack.patches, visible, TEMPLATES)
    told, dealt, _ = _dealt(heard, named, naming, stack.patches, visible, start_row, TEMPLATES)
    assert (dealt.rows == named.rows).all()
    assert told.colour.tolist() == (colours or red.tolist())


def noting_hear(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The visible places that were asked about, each time that cards are heard."""
    asked: list[object] = []

    def noted(
        evidence: Evidence, patches: Patches, visible: Map32, templates: Templates
    ) -> FaceEvidence:
        asked.append(visible)
        return hear(evidence, patches, visible, templates)

    monkeypatch.setattr(settling, "hear", noted)
    return asked


def test_cards_are_not_heard_twice_as_they_lie(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = noting_hear(monkeypatch)
    cards = (
        DrawnCard("circle-4", "red", (40.0, 81.0, 0.3)),
        DrawnCard("square-2", "purple", (120.0, 90.0, 1.1)),
    )
    evidence, named = drawn_evidence(*cards), named_of(*cards)
    stack = stack_up(evidence, named, DECK, TEMPLATES)
    visible = top_weight(named.poses, stack.top, TEMPLATES)
    hearing = EarlyFaceEvidence(evidence, TEMPLATES)
    hearing.begin(stack.patches, visible)
    heard = hearing.of(stack.patches, visible)
    assert [places is visible for places in asked] == [True]
    hidden = np.zeros_like(visible)
    other = hearing.of(stack.patches, hidden)
    assert [places is hidden for places in asked] == [False, True]
    fresh = hear(evidence, stack.patches, visible, TEMPLATES)
    np.testing.assert_array_equal(heard.heeded.misfit, fresh.heeded.misfit)
    assert not np.array_equal(heard.heeded.misfit, other.heeded.misfit)


def test_what_was_heard_while_colours_were_told_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = noting_hear(monkeypatch)
    card = DrawnCard("circle-4", "red", (60.0, 81.0, 0.3))
    assert reconstruct(drawn_evidence(card), DECK, Rules()) is not None
    assert len(asked) == 1
