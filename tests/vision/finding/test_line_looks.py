from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.doubting.doubt_scenes import GREEN, RED, card_of, scene
from tests.vision.drawing.drawn_cards import DrawnCard
from vision.drawing.bend import FLAT, flattened
from vision.drawing.pose_fit import place
from vision.evidence import observe
from vision.finding.line_looks import _own_band, beside_edges
from vision.finding.white_lines import Segments

FloatArray = NDArray[np.float64]
SHARES, ACROSS = np.linspace(0.1, 0.9, 9)[:, None], np.array([[[1.0, 0.0]]])
INK, OPPOSITE = np.array([60.0, 150, 40]), np.array([150.0, 40, 160])


@pytest.mark.parametrize(
    ("between", "seam"), [((INK + OPPOSITE) / 2, True), (np.array([225.0, 225, 225]), False)]
)
@pytest.mark.parametrize("shifted_mm", [0.0, 2.0])
def test_two_colours_that_mix_to_grey_along_an_edge_draw_no_line(
    between: FloatArray, seam: bool, shifted_mm: float
) -> None:
    """Green ink beside a strip of purple, with the table's own colour beyond it; so it is along
    the edge of a card that curls, which is seen elsewhere.
    """
    seen = scene(GREEN, RED)
    edge = seen.deck.card.width_mm / 2
    poses = flattened(seen.table.named.poses)
    green = card_of(seen, "green")
    poses[green, FLAT] = shifted_mm / edge**2
    pose = poses[[green]]
    raster = seen.evidence.raster
    image = raster.image_bgr.copy()
    for inner, outer, colour in (
        (-3.0, -0.4, INK), (-0.4, 0.5, between), (0.5, 4.0, OPPOSITE), (4.0, 9.0, INK / 3),
    ):  # fmt: skip
        strip = np.array([[inner, -20.0], [outer, -20], [outer, 20], [inner, 20]]) + [edge, 0]
        corners = np.rint(raster.to_raster(place(pose, strip)[0])).astype(np.int32)
        cv2.fillConvexPoly(image, corners, colour.tolist())
    evidence = observe(replace(raster, image_bgr=image))
    ends = place(pose, np.array([[edge + 0.05, -15.0], [edge + 0.05, 15.0]]))[0]
    table = seen.table
    line = Segments(ends[:1], ends[1:])
    named = replace(table.named, poses=poses)
    found = beside_edges(evidence, line, named, seen.top, table.templates)
    assert found.tolist() == [seam]


@pytest.mark.parametrize("white", [False, True])
def test_a_strip_of_a_known_card_s_band_beside_one_over_it_is_no_line(white: bool) -> None:
    lower = DrawnCard("circle-4", "green", (60.0, 100.0, 0.0))
    seen = scene(lower, DrawnCard("square-2", "red", (58.0, 155.0, 0.0)))
    raster = seen.evidence.raster
    ends = np.array([[88.1, 116.0], [88.1, 138.0]])
    image = raster.image_bgr.copy()
    if white:
        start, end = np.rint(raster.to_raster(ends)).astype(int).tolist()
        cv2.line(image, start, end, (235, 235, 235), 2)
    evidence = observe(replace(raster, image_bgr=image))
    line = Segments(ends[:1], ends[1:])
    assert _own_band(
        evidence, line.start_mm[:, None] + (ends[1] - ends[0]) * SHARES, ACROSS,
        seen.table.named, seen.top,
    ).tolist() == [not white]  # fmt: skip
