"""What faces draw, as kinds of print."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.model.drawn_table import CONFIG, DECK
from vision.arrays import FloatArray
from vision.model.drawing import OF_INK, OF_START, SHARED, DrawnFaces, Print, draw_faces, told_apart
from vision.model.hypothesis import Hypothesis

BADGE = (Print.SIGN, Print.BADGE, Print.BADGE_EDGE)


@pytest.fixture(scope="module")
def faces() -> DrawnFaces:
    return draw_faces(DECK, CONFIG)


def kind_at(faces: DrawnFaces, hypothesis: Hypothesis, mm: FloatArray) -> Print:
    rows, columns = faces.shape_hw
    column, row = np.rint(mm * faces.density + [(columns - 1) / 2, (rows - 1) / 2]).astype(int)
    return Print(int(faces.drawn(hypothesis)[row * columns + column]))


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("turned", [False, True])
def test_dots_lie_where_the_deck_has_them(faces: DrawnFaces, mirrored: bool, turned: bool) -> None:
    way = np.array([-1.0 if mirrored else 1.0, 1.0]) * (-1.0 if turned else 1.0)
    for face in DECK.faces:
        hypothesis = Hypothesis(face.id, mirrored, turned)
        for dot in face.dots_mm:
            assert kind_at(faces, hypothesis, np.array(dot) * way) is Print.DOT
            near = np.array(dot) * way + [0.0, DECK.dot_diameter_mm / 2 + 1.5]
            assert kind_at(faces, hypothesis, near) is not Print.DOT


def test_a_card_is_ink_round_its_frame_and_a_starting_card_is_not(faces: DrawnFaces) -> None:
    band = np.array([-DECK.card.width_mm / 2 + 1.75, 0.0])
    assert kind_at(faces, Hypothesis("circle-1"), band) is Print.INK
    assert kind_at(faces, Hypothesis(DECK.starting_face.id), band) is Print.START_BAND
    frame = band + [DECK.card.frame_inset_mm - 1.75, 0.0]
    assert kind_at(faces, Hypothesis("circle-2"), frame) is Print.INK_LINE
    start = faces.drawn(Hypothesis(DECK.starting_face.id))
    assert not np.isin(start, [Print.INK, Print.INK_LINE, Print.INK_EDGE]).any()


def test_a_starting_card_has_the_decks_lines_where_it_has_them_either_way(
    faces: DrawnFaces,
) -> None:
    start = faces.drawn(Hypothesis(DECK.starting_face.id))
    rows, columns = faces.shape_hw
    grid = start.reshape(rows, columns)
    for kind in (Print.START_LINE, Print.START_CLEAR):
        there = grid == kind
        assert there.mean() > 0.05
        assert (there == there[::-1, ::-1]).all()
    shape = np.array(DECK.starting_face.shapes[0].outline_mm)
    middles = (shape + np.roll(shape, -1, axis=0)) / 2
    kinds = [kind_at(faces, Hypothesis(DECK.starting_face.id), at) for at in middles]
    assert Print.START_LINE in kinds


def test_of_a_cut_edge_nothing_is_known_and_in_the_middle_is_a_badge(faces: DrawnFaces) -> None:
    for hypothesis in faces.hypotheses[:-1]:
        edge = np.array([DECK.card.width_mm / 2, 10.0])
        assert kind_at(faces, hypothesis, edge) is Print.CUT
        assert kind_at(faces, hypothesis, np.zeros(2)) in BADGE


def test_the_symbol_says_which_way_up_a_face_is(faces: DrawnFaces) -> None:
    at = np.array(DECK.symbol_offset_mm)
    for turned, kind in ((False, Print.SYMBOL), (True, Print.NO_SYMBOL)):
        assert kind_at(faces, Hypothesis("circle-4", turned=turned), at) is kind


def test_the_symbol_of_a_face_that_some_colours_have_half_turned_says_nothing(
    faces: DrawnFaces,
) -> None:
    """Or its side would be told by it where all else is alike or hidden."""
    for face in sorted(DECK.either_way):
        for end in (1, -1):
            at = end * np.array(DECK.symbol_offset_mm)
            assert kind_at(faces, Hypothesis(face), at) is Print.EITHER_SYMBOL


def test_a_face_that_is_its_own_mirror_image_is_drawn_alike(faces: DrawnFaces) -> None:
    front, back = (faces.drawn(Hypothesis("circle-6", mirrored)) for mirrored in (False, True))
    assert np.array_equal(front, back)


def test_other_faces_are_told_apart_by_more_than_a_dot(faces: DrawnFaces) -> None:
    """4.4 mm dots have 15 mm²: what a face has that another one has not shows plainly."""
    for other in ("circle-2", "triangle-2"):
        differs = told_apart(faces.drawn(Hypothesis("circle-1")), faces.drawn(Hypothesis(other)))
        assert differs.sum() / faces.density**2 > 12


def test_edges_and_cuts_tell_nothing() -> None:
    some = np.array([Print.EDGE, Print.CUT, Print.BADGE, Print.LINE, Print.INK], np.uint8)
    other = np.array([Print.BLACK, Print.INK, Print.INK, Print.INK_LINE, Print.BLACK], np.uint8)
    assert told_apart(some, other).tolist() == [False, False, False, False, True]


def test_groups_of_places_are_the_drawing_kind_by_kind(faces: DrawnFaces) -> None:
    for kinds, alike in ((SHARED, faces.shared), (OF_INK, faces.of_ink)):
        for kind, group in zip(kinds, alike.group, strict=True):
            some = group >= 0
            drawn = (faces.printed == kind) & (kind not in OF_START)
            assert np.array_equal(alike.draws[group[some]].T, drawn[:, some])
            assert not drawn[:, ~some].any()
    assert (*SHARED, *OF_INK) == tuple(Print)


def test_what_is_drawn_at_places_is_told_place_by_place(faces: DrawnFaces) -> None:
    """A place that is asked for twice is told twice."""
    on = np.array([8000, 3, 8000, 12000], np.int32)
    for alike in (faces.shared, faces.of_ink):
        drawn = alike.at(on)
        index = np.repeat(np.arange(len(on)), drawn.times)
        told = list(zip(index.tolist(), drawn.kind.tolist(), drawn.group.tolist(), strict=True))
        expected = [
            (k, row, int(groups[place]))
            for k, place in enumerate(on.tolist())
            for row, groups in enumerate(alike.group)
            if groups[place] >= 0
        ]
        assert told == expected
        assert len(told) > len(on) // 2
