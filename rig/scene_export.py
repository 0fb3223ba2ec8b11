"""A corrected reading as a test scene's truth, in the form of the shared photographs' JSON."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.lens_data import lens_data
from geometry.layout import Layout
from geometry.rules import Rules
from geometry.verdict import Verdict, judge
from vision.lens import Lens
from vision.reading import Reading
from vision.together.places import corners_mm

_STILL = (
    cv2.CALIB_USE_INTRINSIC_GUESS
    | cv2.CALIB_FIX_PRINCIPAL_POINT
    | cv2.CALIB_FIX_ASPECT_RATIO
    | cv2.CALIB_ZERO_TANGENT_DIST
    | cv2.CALIB_FIX_K1
    | cv2.CALIB_FIX_K2
    | cv2.CALIB_FIX_K3
)


def truth_data(
    reading: Reading, rules: Rules, size_wh: tuple[int, int], lens: Lens | None
) -> dict[str, object]:
    """The truth of the picture (of `size_wh` pixels, as shown) that this reading was made of.

    Card ids become indices from the lowest card up. Without a lens, one is
    estimated from where the cards lie in the picture.
    """
    layout = reading.seen.layout
    places = {card.id: place for place, card in enumerate(layout.cards)}
    area = reading.play_area_mm
    return {
        "deck": reading.deck,
        "play_area_mm": None if area is None else list(area),
        "scores": _all_colours(layout, dict(reading.scores)),
        "scores_without_illegal": _all_colours(layout, dict(reading.scores_without_illegal)),
        "illegal": sorted(places[item.card] for item in reading.illegal),
        "borderline": sorted(
            places[doubt.card]
            for doubt in reading.doubts
            if doubt.kind == "verdict" and doubt.card is not None
        ),
        "cards": _cards(reading, judge(layout, rules), places),
        "markers": [],
        "camera": _camera(reading, size_wh, lens),
    }


def _all_colours(layout: Layout, scores: dict[str, int]) -> dict[str, int]:
    return {colour.name: scores.get(colour.name, 0) for colour in layout.deck.colours}


def _cards(
    reading: Reading, verdicts: dict[int, Verdict], places: dict[int, int]
) -> list[dict[str, object]]:
    broken = {item.card: item.rule for item in reading.illegal}
    dots = {card.id: card.visible_dots for card in reading.cards}
    return [
        {
            "colour": card.colour,
            "face": card.face,
            "x_mm": round(card.pose.x_mm, 3),
            "y_mm": round(card.pose.y_mm, 3),
            "angle_deg": round(card.pose.angle_deg % 360, 3),
            "mirrored": card.pose.mirrored,
            "layer": places[card.id],
            "covers": _place(verdicts[card.id].covers, places),
            "visible_dots": dots[card.id],
            "rule": broken.get(card.id),
        }
        for card in reading.seen.layout.cards
    ]


def _place(card: int | None, places: dict[int, int]) -> int | None:
    return None if card is None else places[card]


def _camera(reading: Reading, size_wh: tuple[int, int], lens: Lens | None) -> dict[str, object]:
    """Where the camera was, from the cards' corners in the picture."""
    size = reading.seen.layout.deck.card
    outlines = {card.id: card.outline_px for card in reading.cards}
    cards = reading.seen.layout.cards
    on_table = np.concatenate([corners_mm(size, card.pose) for card in cards])
    points = np.column_stack([on_table, np.zeros(len(on_table))])
    px = np.concatenate([np.array(outlines[card.id]) for card in cards])
    if lens is None:
        lens = _guessed_lens(points, px, size_wh)
    _, turn, shift = cv2.solvePnP(points, lens.to_rays(px), np.eye(3), None)
    return {
        **lens_data(lens),
        "rotation": cv2.Rodrigues(turn)[0].tolist(),
        "translation_mm": [float(value) for value in shift.ravel()],
    }


def _guessed_lens(
    points: NDArray[np.float64], px: NDArray[np.float64], size_wh: tuple[int, int]
) -> Lens:
    """A lens without distortion; its focal length is what the slant of the table suggests."""
    width, height = size_wh
    focal = 1.0 * max(width, height)
    middle = ((width - 1) / 2, (height - 1) / 2)
    guess = np.array([[focal, 0, middle[0]], [0, focal, middle[1]], [0, 0, 1.0]])
    _, matrix, _, _, _ = cv2.calibrateCamera(
        [points.astype(np.float32)],
        [px.astype(np.float32)],
        size_wh,
        guess.copy(),
        None,
        flags=_STILL,
    )
    matrix = np.asarray(matrix, dtype=np.float64)
    if not 0.3 * focal < matrix[0, 0] < 6 * focal:  # a table seen from straight above says nothing
        matrix = guess
    return Lens(size_wh, matrix, np.zeros(5))
