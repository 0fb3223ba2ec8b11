from __future__ import annotations

import pytest

from vision.reading import Doubt, DoubtKind, SeenCard
from vision.reason import Reason
from vision.trust import trusted

PLACE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def cards(*fits: float) -> tuple[SeenCard, ...]:
    return tuple(SeenCard(k, PLACE, fit) for k, fit in enumerate(fits))


def doubt(kind: DoubtKind, card: int) -> Doubt:
    return Doubt(kind, card, (0.0, 0.0), Reason("side-unclear"))


def said(fits: tuple[float, ...], *doubts: Doubt) -> list[float]:
    return [card.confidence for card in trusted(cards(*fits), doubts)]


def test_a_card_that_fits_better_is_surer_and_none_is_certain() -> None:
    sure = said((0.0, 0.4, 0.9, 0.99, 1.0))
    assert sure == sorted(sure)
    assert 0.0 < sure[0] < 0.5
    assert 0.99 < sure[2] < sure[4] < 1.0


@pytest.mark.parametrize("kind", ["card", "colour", "face", "order", "dot"])
def test_a_doubted_card_is_less_sure_and_so_are_the_others_beside_it(kind: DoubtKind) -> None:
    alone, doubted = said((0.9, 0.9, 0.9)), said((0.9, 0.9, 0.9), doubt(kind, 1))
    assert doubted[1] < 0.9 < doubted[0] < alone[0]
    assert doubted[0] == doubted[2]


@pytest.mark.parametrize("kind", ["verdict", "missing"])
def test_a_doubt_of_something_else_makes_no_card_less_sure(kind: DoubtKind) -> None:
    assert said((0.9, 0.8), doubt(kind, 0)) == said((0.9, 0.8))


def test_parts_and_places_stay_as_they_are_and_no_cards_are_none() -> None:
    card = SeenCard(3, PLACE, 0.5, 0.9, 0.8, 0.7)
    (found,) = trusted((card,), ())
    assert (found.id, found.outline_px) == (3, PLACE)
    assert (found.colour_confidence, found.face_confidence, found.pose_confidence) == (
        0.9,
        0.8,
        0.7,
    )
    assert trusted((), ()) == ()
