"""What may lie at a place: a face, which side of it, and which way up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from geometry.deck import Deck


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A face, whether its back shows (`mirrored`), and whether it lies `turned` by 180 degrees
    against the place's angle.
    """

    face: str
    mirrored: bool = False
    turned: bool = False


def hypotheses_of(deck: Deck) -> tuple[Hypothesis, ...]:
    """All that may lie at a place: each face either side and either way up, and the starting card,
    of which nothing but black and the place of its lines is known.
    """
    return (*_players(deck), Hypothesis(deck.starting_face.id))


def _players(deck: Deck) -> Iterator[Hypothesis]:
    for face in deck.faces:
        for mirrored in (False, True):
            for turned in (False, True):
                yield Hypothesis(face.id, mirrored, turned)
