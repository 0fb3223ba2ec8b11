from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.drawing.test_pose_fit import DECK, DrawnCard, drawn_evidence, off
from tests.vision.naming.test_name_cards import TEMPLATES, named_of, rows_of
from vision.finding.foreign_ink import Inked, foreign_inks
from vision.finding.ink_search import _drawn_inked, with_inked
from vision.finding.look_again import seen_again
from vision.naming.faces import cut_out
from vision.naming.name_cards import Named
from vision.settling.settling import coloured

HIDDEN = DrawnCard("square-2", "red", (90.0, 90.0, 0.0))
UNDER = (
    DrawnCard("circle-1", "green", (115.702, 33.498, np.pi)),
    DrawnCard("circle-2", "green", (33.924, 100.889, -0.75 * np.pi)),
)
"""It lies exactly on these two: its frame is where their own lines are."""
OVER = DrawnCard("circle-5", "blue", (90.0, 90.0, 0.5))
OTHER = DrawnCard("square-6", "red", (210.0, 210.0, 0.0))
ROOM_MM = (290, 290)


def found(drawn: tuple[DrawnCard, ...], known: tuple[DrawnCard, ...]) -> Named | None:
    """The cards with the one that is sought by its ink, where these are `known`."""
    evidence, named = drawn_evidence(*drawn, size_mm=ROOM_MM), named_of(*known)
    patches = cut_out(evidence, named.poses, TEMPLATES)
    named, stack, visible = seen_again(evidence, named, patches, DECK, TEMPLATES)
    naming = coloured(named, stack.patches, visible, DECK, TEMPLATES, equally_many=False)
    return with_inked(evidence, named, stack, DECK, TEMPLATES, naming, visible)


def test_a_card_whose_frame_lies_on_others_lines_is_found_by_its_ink() -> None:
    more = found((*UNDER, OTHER, HIDDEN, OVER), (*UNDER, OTHER, OVER))
    assert more is not None
    assert len(more) == 5
    assert off(more.poses[-1], HIDDEN)[0] < 0.5
    assert more.rows[-1] == rows_of(HIDDEN)[0]


def test_where_no_ink_is_left_over_no_card_is_found() -> None:
    assert found((*UNDER, OTHER, OVER), (*UNDER, OTHER, OVER)) is None
    assert found((*UNDER, OTHER, HIDDEN, OVER), (*UNDER, OTHER, HIDDEN, OVER)) is None


def test_a_card_that_fits_no_other_is_found_where_its_frame_plainly_shows() -> None:
    astray = replace(HIDDEN, pose=(90.0, 90.0, 0.3))
    over = replace(OVER, pose=(75.0, 118.0, 0.5))
    more = found((*UNDER, OTHER, astray, over), (*UNDER, OTHER, over))
    assert more is not None
    assert off(more.poses[-1], astray)[0] < 0.5
    assert more.rows[-1] == rows_of(astray)[0]


@pytest.mark.parametrize("pose", [(90.0, 90.0, 0.3), (96.0, 96.0, 0.0)])
def test_a_card_that_fits_no_two_others_is_not_guessed(pose: tuple[float, float, float]) -> None:
    """It stays a doubt where it lies: a patch of ink lies on many cards."""
    astray = replace(HIDDEN, pose=pose)
    assert found((*UNDER, OTHER, astray, OVER), (*UNDER, OTHER, OVER)) is None


def test_ink_on_the_same_cards_is_sought_once() -> None:
    evidence = drawn_evidence(*UNDER, OTHER, HIDDEN, OVER, size_mm=ROOM_MM)
    named = named_of(*UNDER, OTHER, OVER)
    patches = cut_out(evidence, named.poses, TEMPLATES)
    named, stack, visible = seen_again(evidence, named, patches, DECK, TEMPLATES)
    colours = ("green", "green", "red", "blue")
    inked = Inked(named, stack, visible, colours, evidence.noise, TEMPLATES)
    inks = foreign_inks(inked)
    assert {colour for _, colour, _ in inks} == {"red"}
    assert all(len(spots) >= 100 for _, _, spots in inks)
    assert foreign_inks(replace(inked)) is inks
    others = replace(inked, colours=("red", "red", "green", "blue"))
    assert foreign_inks(others) is not inks


def test_beside_a_card_there_is_none_of_its_ink() -> None:
    x, y, _ = HIDDEN.pose
    edge_mm = DECK.card.height_mm / 2
    spots = np.array([[x, y + edge_mm - 1.5], [x, y + edge_mm + 1.5], [x + 300.0, y], [x, y]])
    inked = _drawn_inked(named_of(HIDDEN), spots, TEMPLATES)
    assert inked.tolist()[:3] == [True, False, False]
