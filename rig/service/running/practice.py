"""A drawn picture and a small table, to read and to judge before the first photo comes.

What is imported late, or made once for a deck and kept, costs the first photo
up to half a second on a fast machine, and two on a Pi.
"""

import time
from itertools import cycle, product

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from geometry.fitting import pairings
from geometry.layout import Card, Layout
from geometry.pose import Pose
from geometry.rules import Rules
from referee.corrections.replay import replay
from rig.reading_json import reading_data
from vision.drawing.face_art import CardSide, paint, palette
from vision.reading import Corners, SeenCard, SeenTable

_SIZE_WH = (1200, 900)
_PX_PER_MM = 3.0
_GROUND = 70
_ROWS, _COLUMNS = 2, 4
_FARTHEST_APART = 0.6
"""Of a card's width: the cards of the small table lie over one another."""


def practice_picture(deck: Deck) -> NDArray[np.uint8]:
    """A few cards of the deck side by side on grey, (900, 1200, 3) uint8 BGR."""
    width, height = _SIZE_WH
    picture = np.full((height, width, 3), _GROUND, np.uint8)
    for place, (face, colour) in enumerate(_some_cards(deck)):
        drawn = paint(deck, CardSide(face, colour), _PX_PER_MM, palette(deck, colour))
        card = np.asarray(drawn[..., 2::-1] * 255, np.uint8)
        y = (2 * (place // _COLUMNS) + 1) * height // (2 * _ROWS) - card.shape[0] // 2
        x = (2 * (place % _COLUMNS) + 1) * width // (2 * _COLUMNS) - card.shape[1] // 2
        room = picture[max(y, 0) : y + card.shape[0], max(x, 0) : x + card.shape[1]]
        room[:] = card[: room.shape[0], : room.shape[1]]
    return np.asarray(cv2.GaussianBlur(picture, (3, 3), 0), np.uint8)


def judge_a_table(deck: Deck, rules: Rules) -> None:
    """Judge, score and write down a table of a few cards that lie over one another."""
    step = _FARTHEST_APART * deck.card.width_mm
    cards = tuple(
        Card(place, colour, face, Pose(step * place, 0.0, 7.0 * place))
        for place, (face, colour) in enumerate(_some_cards(deck))
    )
    corners: Corners = ((0.0, 0.0), (63.0, 0.0), (63.0, 88.0), (0.0, 88.0))
    seen = tuple(SeenCard(card.id, corners, 1.0) for card in cards)
    table = SeenTable(Layout(deck, cards), seen, (), 1.0)
    reading_data(replay(table, [], rules).reading, "practice")


def pair_the_faces(deck: Deck) -> None:
    """Find which shapes of which faces match, which is kept: half a second for the whole deck."""
    faces = (deck.starting_face, *deck.faces)
    for on, of in product(faces, faces):
        for same_side in (True, False):
            pairings(on, of, same_side)
        time.sleep(0)  # whoever is being answered goes first


def _some_cards(deck: Deck) -> list[tuple[str, str]]:
    """The starting card and some others: (face, colour)."""
    start = (deck.starting_face.id, deck.starting_colour.name)
    faces, colours = cycle(deck.faces), cycle(deck.colours)
    others = [(next(faces).id, next(colours).name) for _ in range(_ROWS * _COLUMNS - 1)]
    return [start, *others]
