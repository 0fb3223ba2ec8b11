from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.drawing.test_pose_fit import DECK, DrawnCard, drawn_evidence
from tests.vision.naming.test_name_cards import PRINTED, TEMPLATES, named_of
from vision.naming.colours import Naming
from vision.naming.name_cards import top_weight
from vision.ordering.stacking import StackedCards, stack_up
from vision.settling.settling import _dealt, face_evidence

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
    faces = face_evidence(stack.patches, visible, TEMPLATES)
    told, dealt, _ = _dealt(faces, StackedCards(named, stack, visible), naming, PRINTED)
    assert (dealt.rows == named.rows).all()
    assert told.colour.tolist() == (colours or red.tolist())
