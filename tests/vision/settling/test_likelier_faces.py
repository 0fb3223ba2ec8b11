"""Faces dealt wrongly on drawn tables, as misread badges deal them, and what is likelier."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.drawing.drawn_cards import DECK, drawn_evidence
from tests.vision.naming.named_tables import PRINTED, TEMPLATES, named_of
from tests.vision.settling.likely_faces import CARDS
from vision.evidence import Evidence
from vision.likelihood.config import LikelihoodConfig
from vision.naming.colours import Naming
from vision.naming.faces import looking_alike
from vision.naming.name_cards import top_weight
from vision.ordering.stacking import StackedCards, stack_up
from vision.settling.likelier_faces import _borne_out, picture_of, with_likelier_faces
from vision.settling.settling import Settled, settle

CONFIG = LikelihoodConfig()
ALIKE = looking_alike(TEMPLATES)


def read() -> tuple[Evidence, Settled]:
    evidence, named = drawn_evidence(*CARDS, size_mm=(240, 220)), named_of(*CARDS)
    colour = np.array([TEMPLATES.colours.index(card.colour) for card in CARDS])
    naming = Naming(colour, np.ones(len(CARDS)), colour)
    stack = stack_up(evidence, named, DECK, TEMPLATES)
    visible = top_weight(named.poses, stack.top, TEMPLATES)
    return evidence, settle(evidence, StackedCards(named, stack, visible), naming, PRINTED, True)


def weighed(evidence: Evidence, settled: Settled) -> tuple[Settled, NDArray[np.float64]]:
    return with_likelier_faces(evidence, settled, ALIKE, PRINTED, CONFIG)[:2]


def dealt(settled: Settled, *hypotheses: tuple[int, int]) -> Settled:
    """The same with other hypotheses for some cards, lying as those have them."""
    best, poses = settled.best.copy(), settled.named.poses.copy()
    for card, hypothesis in hypotheses:
        poses[card, 2] += np.pi * ((hypothesis ^ best[card]) & 1)
        best[card] = hypothesis
    named = replace(settled.named, rows=best // 2, poses=poses)
    return replace(settled, named=named, best=best)


def test_of_cards_that_plainly_show_their_faces_nothing_is_asked() -> None:
    evidence, settled = read()
    same, odds = weighed(evidence, settled)
    assert same is settled
    assert np.isnan(odds).all()


def test_two_cards_that_have_each_others_faces_are_given_their_own() -> None:
    """One of them then lies the other way round."""
    evidence, settled = read()
    second, third = (int(h) for h in settled.best[[1, 2]])
    wrong = dealt(settled, (1, third ^ 1), (2, second))
    right, odds = weighed(evidence, wrong)
    assert (right.named.rows == settled.named.rows).all()
    assert np.allclose(np.cos(right.named.poses[:, 2] - settled.named.poses[:, 2]), 1.0)
    assert (right.best == 2 * right.named.rows).all()
    asked = odds[1][~np.isnan(odds[1])]
    assert asked.max() == 0.0
    # The wrong one is known by where the card lies now.
    assert odds[1, (third ^ 1) ^ 1] < -CONFIG.sure_odds


def test_a_face_that_another_card_surely_has_is_not_given_away() -> None:
    """The second card is misread as one that nobody has, and the third has its face."""
    evidence, settled = read()
    free = 4 * TEMPLATES.faces.index("triangle-1")
    wrong = dealt(settled, (1, free))
    right, _ = weighed(evidence, wrong)
    assert (right.named.rows == settled.named.rows).all()
    taken = dealt(settled, (1, free), (2, int(settled.best[1])))
    both, _ = weighed(evidence, taken)
    assert len(set((both.best[:3] // 4).tolist())) == 3


def test_a_change_stays_only_where_the_card_then_looks_more_like_it() -> None:
    evidence, settled = read()
    wrong = dealt(settled, (1, int(settled.best[2])), (2, int(settled.best[1]) ^ 1))
    for now, before, stays in ((settled, wrong, True), (wrong, settled, False)):
        picture = picture_of(evidence, now, PRINTED, CONFIG)
        assert _borne_out(picture, before.best, now.best) == stays


@pytest.mark.parametrize(
    ("against", "stays"),
    [((-200.0, 1.0, 0.0), True), ((1.0, -0.5, 0.0), False), ((-200.0, 0.0, 1.0), False)],
)
def test_a_side_that_nothing_tells_does_not_speak_against_the_other_cards_of_its_colour(
    monkeypatch: pytest.MonkeyPatch, against: tuple[float, float, float], stays: bool
) -> None:
    """The second and third card have one colour, the last another."""
    evidence, settled = read()
    picture = picture_of(evidence, settled, PRINTED, CONFIG)
    cards = (1, 2, 3)
    said = dict(zip(cards, against, strict=True))
    monkeypatch.setattr(
        "vision.settling.likelier_faces.guess_odds", lambda _, i, __: np.array([0.0, said[i]])
    )
    before = settled.best.copy()
    before[list(cards)] ^= 2
    assert _borne_out(picture, before, settled.best) is stays
