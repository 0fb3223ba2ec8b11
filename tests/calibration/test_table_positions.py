"""From board photographs to cards in millimetres: lens calibrated, table found, a round read."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.lens.board import PRINTED_BOARD
from calibration.lens.lens_fit import LensFit
from calibration.lens.lens_session import calibrate_lens
from calibration.table.table_look import TableLook, look_at_table
from geometry.deck_file import published_deck
from geometry.layout import Layout
from geometry.rules import Rules
from simulator import Conditions
from simulator.camera.camera import PlacedLens
from simulator.camera.photograph import photograph
from simulator.camera.viewpoint import choose_camera
from simulator.play.rounds import play_round
from tests.calibration.board_simulator import BoardConditions, draw_poses, true_corners
from vision.lens import Lens
from vision.read import read_table
from vision.reading import Reading
from vision.view import TableView

EXACT_MM = 0.2
CORNER_NOISE_PX = 0.1


@pytest.mark.slow
@pytest.mark.parametrize("seed", [pytest.param(0, marks=pytest.mark.thorough), 2])
def test_cards_lie_where_they_are_read_once_all_is_calibrated(seed: int) -> None:
    play, look, picture, board = np.random.default_rng(seed).spawn(4)
    deck, conditions = published_deck(), Conditions(cards=14, px_per_mm=2.4)
    layout = play_round(play, deck, conditions).layout
    camera = choose_camera(look, layout, conditions)
    lens = calibrated(board, camera.lens)
    image = photograph(picture, layout, camera, conditions).image_bgr
    table = look_at_table(image, lens, deck.card)
    assert isinstance(table, TableLook)
    assert rms(off_the_plane(table.fit.table.view, camera, layout)) < EXACT_MM
    reading = read_table(image, deck, lens, Rules())
    assert isinstance(reading, Reading)
    off = off_their_places(reading, layout)
    assert len(off) == len(layout.cards)
    assert rms(off) < EXACT_MM


def calibrated(rng: np.random.Generator, lens: Lens) -> Lens:
    """The lens as ten photographs of the printed board show it."""
    views = [
        true_corners(rng, lens, PRINTED_BOARD, pose, BoardConditions(), CORNER_NOISE_PX, "")
        for pose in draw_poses(rng, lens, PRINTED_BOARD, 10)
    ]
    session = calibrate_lens([view for view in views if len(view.corners_px) >= 14])
    assert isinstance(session.fit, LensFit)
    return session.fit.lens


def off_the_plane(view: TableView, camera: PlacedLens, layout: Layout) -> NDArray[np.float64]:
    """How far off (N,) mm the view has what lies where the cards' middles are."""
    places = np.array([(card.pose.x_mm, card.pose.y_mm) for card in layout.cards])
    true = TableView(camera.lens, camera.rotation, camera.translation_mm)
    return np.asarray(np.linalg.norm(view.to_mm(true.to_px(places)) - places, axis=1))


def off_their_places(reading: Reading, layout: Layout) -> NDArray[np.float64]:
    """How far (N,) mm each card that was read lies from where it is."""
    found = [
        min(
            float(np.hypot(one.x_mm - card.pose.x_mm, one.y_mm - card.pose.y_mm))
            for one in reading.cards
            if (one.colour, one.face) == (card.colour, card.face)
        )
        for card in layout.cards
        if any((one.colour, one.face) == (card.colour, card.face) for one in reading.cards)
    ]
    return np.array(found)


def rms(lengths: NDArray[np.float64]) -> float:
    return float(np.sqrt(np.mean(lengths**2)))
