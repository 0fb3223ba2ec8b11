"""What a lens calibration tells has its words, whatever comes of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pytest

from calibration.lens.board import Board, BoardFault, parse_board
from calibration.lens.lens_coverage import DIRECTIONS, Wish
from calibration.lens.lens_quality import LensQuality, verdict
from calibration.lens.lens_record import Outcome, lens_document, may_replace
from rig.wording.catalogue import sentence
from rig.wording.words import SUBJECTS
from tests.rig.service.board_photos import LENS

GOOD = LensQuality(15, 900, "k1-k2", False, 0.1, 0.2, 0.1, 0.3)
POOR = replace(GOOD, held_out_rms_px=2.0)
BETTER = replace(GOOD, distortion_bound_px=0.1)
PLACES = (
    "top left", "top", "top right", "left", "middle", "right", "bottom left", "bottom",
    "bottom right",
)  # fmt: skip


@pytest.mark.parametrize(
    ("key", "what"),
    [
        *(("tilt", edge) for edge in DIRECTIONS),
        *(("place", place) for place in PLACES),
        ("more", "1"),
        ("more", "5"),
    ],
)
def test_every_wish_is_told(key: Literal["tilt", "place", "more"], what: str) -> None:
    reason = Wish(key, what).reason
    assert reason.code in SUBJECTS["lens-wishes"]
    assert what in sentence(reason)
    assert "{" not in sentence(reason, "fr")


@pytest.mark.parametrize(
    ("quality", "english", "french"),
    [
        (GOOD, "Good: the focal length is right to 0.10 %", "Bon : la focale est juste à 0,10 %"),
        (POOR, "Poor, not worth keeping:", "Mauvais, à ne pas garder :"),
        (replace(GOOD, focal_bound_percent=0.5), "tilted by 30 to 45", "de 30 à 45 degrés"),
        (replace(GOOD, distortion_bound_px=1.0), "corners and edges will", "dans les coins et"),
    ],
)
def test_the_verdict(quality: LensQuality, english: str, french: str) -> None:
    assert english in sentence(verdict(quality))
    assert french in sentence(verdict(quality), "fr")


THERE = lens_document(LENS, BETTER)


@pytest.mark.parametrize(
    ("new", "old", "force", "outcome"),
    [
        (POOR, None, False, "too-poor"),
        (GOOD, None, False, "first"),
        (GOOD, {**THERE, "size_px": [9, 9]}, False, "other-size-before"),
        (GOOD, {}, False, "unrated-before"),
        (replace(BETTER, distortion_bound_px=0.01), THERE, False, "better"),
        (GOOD, THERE, True, "forced-over-better"),
        (GOOD, THERE, False, "better-there"),
    ],
)
def test_what_becomes_of_the_file(
    new: LensQuality, old: object, force: bool, outcome: Outcome
) -> None:
    keep = may_replace(new, LENS.size_wh, old, force)
    assert keep.outcome == outcome
    assert keep.reason.code in SUBJECTS["lens-keeping"]
    for language in ("en", "fr"):
        assert sentence(keep.reason, language).endswith((".", "e."))
        assert ("0.10" in sentence(keep.reason)) == ("old_px" in keep.reason.facts)


@pytest.mark.parametrize(
    ("text", "english", "french"),
    [
        ("big", "'big' is no board; expected", "'big' n'est pas une mire ; attendu"),
        ("2x2:10", "3 to 60 squares a side, not 2x2", "3 à 60 cases de côté, pas 2x2"),
        ("9x7:0", "wider than zero, not 0 mm", "plus larges que zéro, pas 0 mm"),
        ("8x11:22/30:5X5_100", "markers of 30 mm do not", "des marqueurs de 30 mm ne"),
        ("8x11:22/16:9X9_1", "is called 9X9_1", "ne s'appelle 9X9_1"),
        ("8x11:22/16:5X5_100:old", "has an old pattern", "a un ancien dessin"),
    ],
)
def test_what_is_no_board(text: str, english: str, french: str) -> None:
    with pytest.raises(BoardFault) as caught:
        parse_board(text)
    assert english in sentence(caught.value.reason)
    assert french in sentence(caught.value.reason, "fr")


def test_half_of_what_markers_need() -> None:
    with pytest.raises(BoardFault) as caught:
        Board(8, 11, 22.0, 16.0)
    assert sentence(caught.value.reason) == "markers need both a width and a dictionary"
