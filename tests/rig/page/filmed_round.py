"""A round of eighteen cards played by the simulator, as pictures in a folder for a camera to show.

`drawn`: seen from above, with the reading of each beside it, as a reader would give it that errs by
a few tenths of a millimetre. `photographed`: as the simulator takes them, to be read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.layout import Card
from measuring.game.film import write_game
from rig.replay.plan import Window, draw_plan, window_on
from rig.store.seen_json import seen_text
from simulator.game import Film, film_game
from tests.referee.tables import OVER, read, same
from tests.rig.page.given_readings import numbered
from vision.reading import SeenCard, SeenTable

SEED, PLAYERS, CARDS_EACH = 9042, 3, 6
"""One illegal card is taken back and laid again, another one stays; hands come and go."""
PICTURE_WH = (1200, 900)
_SKIN_BGR = (120, 150, 205)
Change = Callable[[Card], Card]


@dataclass(frozen=True, slots=True)
class Misread:
    """The card with this id is read with another face in the picture of this number."""

    number: int
    card: int
    face: str


@cache
def film() -> Film:
    """The round."""
    return film_game(SEED, "ordinary", PLAYERS, CARDS_EACH)


def event(number: int) -> dict[str, Any]:
    """What happened in a picture."""
    return dict(film().event(number))


def numbers(kind: str) -> list[int]:
    """The pictures in which this happened."""
    return [n for n in range(len(film().moments)) if event(n)["kind"] == kind]


def draw(folder: Path, misread: Sequence[Misread] = ()) -> None:
    """Write the pictures drawn from above, and their readings."""
    folder.mkdir()
    window = window_on([one.played.layout for one in film().moments], PICTURE_WH)
    for number, moment in enumerate(film().moments):
        picture = draw_plan(moment.played.layout, window)
        if moment.hand_mm is not None:
            _reach(picture, window, moment.hand_mm)
        _write(folder, number, numbered(picture, number))
        wrong = {one.card: one.face for one in misread if one.number == number}
        seen = _seen(number, window, wrong)
        (folder / f"{number:03}.json").write_text(seen_text(seen), "utf-8")


def photograph(folder: Path) -> None:
    """Write the pictures as the simulator takes them, and the lens: a few seconds each."""
    write_game(folder, film())


def _write(folder: Path, number: int, picture: NDArray[np.uint8]) -> None:
    data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 85])[1]
    (folder / f"{number:03}.jpg").write_bytes(data.tobytes())


def _reach(picture: NDArray[np.uint8], window: Window, hand_mm: tuple[float, float]) -> None:
    """An arm from the lower edge to a place on the table."""
    x, y = (
        round(window.px_per_mm * (at - edge))
        for at, edge in zip(hand_mm, (window.left_mm, window.top_mm), strict=True)
    )
    cv2.line(picture, (x + 45, window.size_wh[1]), (x, y), _SKIN_BGR, 80)


def _seen(number: int, window: Window, wrong: dict[int, str]) -> SeenTable:
    moment = film().moments[number]
    layout = moment.played.layout

    def misread(card: Card) -> Card:
        return replace(card, face=wrong[card.id]) if card.id in wrong else same(card)

    doubts = () if moment.hand_mm is None else (OVER,)
    seen = read(layout, len(layout.cards), misread, doubts, seed=number).seen
    corners = np.array(layout.deck.card.corners_mm)
    looks = list[SeenCard]()
    for card in seen.layout.cards:
        matrix = window.matrix(card.pose)
        a, b, c, d = (corners @ matrix[:, :2].T + matrix[:, 2]).tolist()
        looks.append(SeenCard(card.id, (tuple(a), tuple(b), tuple(c), tuple(d)), 0.98))
    return replace(seen, cards=tuple(looks), scale_px_per_mm=window.px_per_mm)
