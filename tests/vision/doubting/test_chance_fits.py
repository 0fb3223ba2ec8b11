from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from geometry.verdict import Verdict
from tests.vision.doubting.chance_pairs import LOWER, UPPER
from tests.vision.doubting.doubt_scenes import GREEN, RED, card_of, front_of, scene, scene_of
from tests.vision.drawing.drawn_cards import DrawnCard
from vision.doubting import chance_fits
from vision.doubting.chance_fits import (
    EXACT_DEG,
    EXACT_MM,
    ChanceFits,
    fits_by_chance,
    lost_fits,
)
from vision.doubting.doubt_context import DoubtContext
from vision.doubting.doubts import find_doubts
from vision.drawing.pose_fit import LineSamples
from vision.naming.unique_faces import Choice
from vision.reading import Doubt

FloatArray = NDArray[np.float64]


def verdicts(*some: Verdict) -> dict[int, Verdict]:
    return {verdict.card: verdict for verdict in some}


def legal(card: int, covers: int, off_mm: float = 0.4, off_deg: float = 0.2) -> Verdict:
    return Verdict(card, "legal", None, (covers,), off_mm, off_deg, covers, 0, 0)


FITTING = verdicts(Verdict(0, "start"), legal(1, 0), legal(2, 1))
BY_CHANCE = verdicts(
    Verdict(0, "start"), Verdict(1, "illegal", "two_cards", on=(0, 2)), Verdict(2, "free")
)


def test_nobody_lays_a_card_so_that_two_fit_by_chance() -> None:
    assert fits_by_chance(FITTING, BY_CHANCE, ())
    assert not fits_by_chance(BY_CHANCE, FITTING, ())
    assert not fits_by_chance(FITTING, FITTING, ())


@pytest.mark.parametrize("card", [0, 1, 2])
def test_an_open_face_proves_something_only_where_all_fit_exactly(card: int) -> None:
    assert not fits_by_chance(FITTING, BY_CHANCE, {card})
    assert fits_by_chance(FITTING, BY_CHANCE, {3})
    assert fits_by_chance(FITTING, BY_CHANCE, (), {card})
    assert not fits_by_chance(FITTING, BY_CHANCE, (), {card, (card + 1) % 3})
    for loose in (legal(2, 1, EXACT_MM + 0.1), legal(2, 1, 0.4, EXACT_DEG + 0.1)):
        assert not fits_by_chance(FITTING | verdicts(loose), BY_CHANCE, (), {card})
        assert fits_by_chance(FITTING | verdicts(loose), BY_CHANCE, ())


@pytest.mark.parametrize(
    ("fitting", "by_chance"),
    [
        (Verdict(2, "borderline", covers=1), None),
        (Verdict(1, "borderline", covers=0), None),
        (None, Verdict(2, "legal", covers=1)),
        (None, Verdict(1, "illegal", "misaligned")),
        (None, Verdict(1, "borderline", "two_cards")),
    ],
)
def test_what_could_be_laid_so_is_no_chance(
    fitting: Verdict | None, by_chance: Verdict | None
) -> None:
    first = FITTING | (verdicts(fitting) if fitting else {})
    other = BY_CHANCE | (verdicts(by_chance) if by_chance else {})
    assert not fits_by_chance(first, other, ())


@pytest.mark.parametrize(
    ("fitting", "other", "lost"),
    [
        (legal(2, 1), Verdict(2, "illegal", "mismatched", (1,)), True),
        (legal(2, 1), Verdict(2, "illegal", "misaligned", (1,), 7.0, 0.2), True),
        (legal(2, 1, EXACT_MM + 0.1), Verdict(2, "illegal", "mismatched", (1,)), False),
        (legal(2, 1), Verdict(2, "illegal", "overhang", (1,), 9.0), False),
        (legal(2, 1), Verdict(2, "illegal", "mismatched", (0,)), False),
        (legal(2, 1), Verdict(2, "borderline", "misaligned", (1,), 2.5, 0.2), False),
        (legal(2, 1), legal(2, 1, 0.9), False),
    ],
)
def test_a_fit_is_lost_where_no_equal_shape_lies_there(
    fitting: Verdict, other: Verdict, lost: bool
) -> None:
    found = lost_fits(FITTING | verdicts(fitting), FITTING | verdicts(other))
    assert found == ((frozenset((1, 2)),) if lost else ())


def face_doubts(seen: DoubtContext, open_: Mapping[str, str], **changes: object) -> list[Doubt]:
    """The doubts about faces if cards of these colours may as well show other faces."""
    ways = {
        card_of(seen, name): Choice(front_of(seen, face), False) for name, face in open_.items()
    }
    number = len(seen.table.named)
    choices = tuple((ways[i],) if i in ways else () for i in range(number))
    table = replace(seen.table, choices=choices, **changes)  # type: ignore[arg-type]
    found = find_doubts(scene_of(table, seen.evidence))
    return [doubt for doubt in found if doubt.kind == "face"]


@pytest.mark.parametrize(("across_mm", "held"), [(0, False), (3, False), (4, True), (40, True)])
def test_a_card_is_held_where_some_of_its_frame_is_seen_along_it_and_across(
    across_mm: int, held: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mere millimetre or two of line may be chance, and without any the card may be shifted."""
    seen = scene(GREEN, RED)

    def offsets(
        _: object, poses: FloatArray, lines: LineSamples, reach_mm: float
    ) -> tuple[FloatArray, NDArray[np.bool_]]:
        across = np.abs(lines.normals[:, 1]) > 0.5
        found = ~across | (np.cumsum(across) * chance_fits.SPACING_MM <= across_mm)
        return np.full((len(poses), len(found)), 0.3), np.tile(found, (len(poses), 1))

    monkeypatch.setattr(chance_fits, "frame_offsets", offsets)
    assert ChanceFits(seen).held[card_of(seen, "green")] == held


def test_a_face_on_which_another_card_would_lie_exactly_by_chance_is_no_doubt() -> None:
    other = {"green": "circle-1"}
    seen = scene(LOWER, UPPER)
    assert face_doubts(seen, other) == []
    # The same face where nothing lies on it, or of a card whose lines are not seen.
    assert face_doubts(scene(GREEN, RED), other)
    hidden = seen.table.visible.copy()
    hidden[card_of(seen, "green")] = 0
    assert face_doubts(seen, other, visible=hidden)
    # And where the other card's face is open itself, the shape proves nothing.
    assert face_doubts(seen, {**other, "red": "circle-2"})


@pytest.mark.parametrize(("off_mm", "doubted"), [(0.0, False), (1.6, True)])
def test_that_a_card_which_fits_covers_more_besides_makes_the_fit_no_likelier(
    off_mm: float, doubted: bool
) -> None:
    """It is illegal by either face, and green's dots count without it."""
    upper = DrawnCard("circle-2", "red", (75.4 + off_mm, 84.6, np.pi / 2))
    seen = scene(LOWER, upper)
    verdict = seen.verdicts[card_of(seen, "red")]
    assert (verdict.rule, verdict.covers) == ("overhang", card_of(seen, "green"))
    assert bool(face_doubts(seen, {"green": "triangle-2"})) == doubted
