"""A dim picture is made as bright as others are."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from geometry.deck_file import published_deck
from geometry.rules import Rules
from rig.photo.dim import brightened
from rig.scoring import Settings, TableNotSeen, read_photo
from vision.reading import NotSeen
from vision.reason import Reason

FACTS: dict[str, dict[str, float | str]] = {
    "other-game": {"deck": "tacta"},
    "too-blurred": {"spread_px": 5.0, "most_px": 4.3},
}


def picture(white: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    image = np.full((100, 100, 3), white // 4, np.uint8)
    image[:30, :30] = white
    return image


def test_whites_of_a_dim_picture_become_white_and_black_stays_black() -> None:
    dim = picture(100)
    dim[60:] = 0
    bright = brightened(dim)
    assert bright is not None
    assert (bright[0, 0].tolist(), bright[99, 0].tolist()) == ([230] * 3, [0] * 3)
    assert bright[50, 50].tolist() == [57] * 3


@pytest.mark.parametrize("white", [0, 200, 255])
def test_a_picture_as_bright_as_usual_and_a_black_one_stay_as_they_are(white: int) -> None:
    assert brightened(picture(white)) is None


@pytest.mark.parametrize(("code", "times"), [("other-game", 2), ("too-blurred", 1)])
def test_a_dim_picture_of_no_known_cards_is_read_once_more(
    code: str, times: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, seen = tmp_path / "dim.png", list[int]()
    cv2.imwrite(str(path), picture(100))

    def read_as(image: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], *_: object) -> NotSeen:
        seen.append(int(image.max()))
        return NotSeen(Reason(code, FACTS[code]))

    monkeypatch.setattr("vision.read.read_table", read_as)
    with pytest.raises(TableNotSeen):
        read_photo(path, Settings(published_deck(), Rules(), None))
    assert seen == [100, 230][:times]
