from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.colours import Naming
from vision.faces import FaceScores
from vision.name_cards import Named, choose
from vision.unique_faces import settle_faces

FACES = 5
START_ROW = 2 * FACES
WORST = 0.9


def scores_of(*cards: dict[tuple[int, int, int], float]) -> FaceScores:
    """Misfits by (face, mirrored, turned); all others fit badly. The starting face is last."""
    misfit = np.full((len(cards), 4 * (FACES + 1)), WORST)
    for i, card in enumerate(cards):
        for (face, mirrored, turned), value in card.items():
            misfit[i, 4 * face + 2 * mirrored + turned] = value
    count = len(cards)
    return FaceScores(misfit, np.ones(count), np.zeros((count, 3)), np.ones(count))


def settled(scores: FaceScores, colours: list[int]) -> Named:
    named = choose(np.zeros((len(colours), 3)), scores, start_too=True)
    # What is compared is cut out at the poses as they now lie.
    turned = np.rint(named.poses[:, 2] / np.pi).astype(int) % 2
    misfit = scores.misfit.reshape(len(colours), -1, 2)
    for i in np.flatnonzero(turned):
        misfit[i] = misfit[i, :, ::-1]
    again = replace(scores, misfit=misfit.reshape(scores.misfit.shape))
    sure = np.ones(len(colours))
    naming = Naming(np.array(colours), sure, np.array(colours))
    return settle_faces(named, again, naming, START_ROW)


def faces_of(named: Named) -> list[int]:
    return [int(row) // 2 for row in named.rows]


LIKES_3 = {(3, 0, 0): 0.10, (1, 0, 0): 0.30, (2, 0, 0): 0.50}
LIKES_3_OR_2 = {(3, 0, 0): 0.20, (2, 0, 0): 0.25, (1, 0, 0): 0.60}


def test_two_cards_with_the_same_best_face_are_dealt_apart() -> None:
    assert faces_of(choose(np.zeros((2, 3)), scores_of(LIKES_3, LIKES_3_OR_2))) == [3, 3]
    named = settled(scores_of(LIKES_3, LIKES_3_OR_2), [0, 0])
    assert faces_of(named) == [3, 2]
    np.testing.assert_allclose(named.fit, [0.10, 0.25])


def test_the_misfits_together_decide_and_not_the_first_card() -> None:
    """The second fits face 3 worse than the first does, but has nothing else."""
    stubborn = {(3, 0, 0): 0.20, (2, 0, 0): 0.80}
    assert faces_of(settled(scores_of(LIKES_3, stubborn), [0, 0])) == [1, 3]


def test_other_colours_have_faces_of_their_own() -> None:
    assert faces_of(settled(scores_of(LIKES_3, LIKES_3_OR_2), [0, 1])) == [3, 3]


def test_the_margin_is_what_the_other_way_of_dealing_costs_more() -> None:
    both = [{**card, (3, 1, 0): 0.8} for card in (LIKES_3, LIKES_3_OR_2)]
    named = settled(scores_of(*both), [0, 0])
    # Otherwise: the first has face 1 and the second face 3, 0.50 in all instead of 0.35.
    np.testing.assert_allclose(named.margin, [0.15, 0.15])
    assert (named.rivals // 2).tolist() == [1, 3]
    alone = settled(scores_of(LIKES_3_OR_2), [0])
    assert alone.margin[0] == pytest.approx(0.05)
    assert alone.rivals[0] // 2 == 2


def test_the_other_side_is_the_rival_where_it_is_nearer() -> None:
    named = settled(scores_of({**LIKES_3, (3, 1, 0): 0.101}), [0])
    assert named.rows.tolist() == [6]
    assert named.rivals.tolist() == [7]
    assert named.margin[0] == pytest.approx(0.001)


@pytest.mark.parametrize(("mirrored", "turned"), [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_side_and_turn_of_the_face_dealt(mirrored: int, turned: int) -> None:
    """The second card keeps face 3; the first must take face 1, as it fits best."""
    first = {(3, 0, 0): 0.10, (1, mirrored, turned): 0.15}
    named = settled(scores_of(first, {(3, 0, 0): 0.11}), [0, 0])
    assert named.rows.tolist() == [2 + mirrored, 6]
    assert np.cos(named.poses[0, 2]) == pytest.approx(1 - 2 * turned)


def test_starting_cards_stay_as_they_are() -> None:
    start = {(FACES, 0, 0): 0.1, (3, 0, 0): 0.2}
    assert faces_of(settled(scores_of(LIKES_3, start), [0, 0])) == [3, FACES]


def test_more_cards_than_faces_are_left_alone() -> None:
    named = settled(scores_of(*[LIKES_3] * (FACES + 1)), [0] * (FACES + 1))
    assert faces_of(named) == [3] * (FACES + 1)
