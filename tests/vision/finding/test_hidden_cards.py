from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.drawing.drawn_cards import DECK, DrawnCard, drawn_evidence, off
from tests.vision.finding.hidden_tables import EVIDENCE, HIDDEN, KNOWN
from tests.vision.naming.named_tables import PRINTED, TEMPLATES, named_of
from vision.drawing.coverage import top_map
from vision.drawing.pose_fit import frame_samples, place, turns
from vision.evidence import Evidence, observe
from vision.finding.hidden_cards import (
    corner_poses,
    fit_corners,
    in_picture,
    lines_explained,
    shows_over,
    square_corners,
)
from vision.finding.hidden_search import (
    LEAST_LINE_MM,
    PLAIN_FIT,
    WORST_SHOWN_FIT,
    _worst_fit,
    length_on,
    with_hidden,
)
from vision.finding.line_corners import corners_on
from vision.finding.line_looks import left_over_lines, line_looks
from vision.finding.white_lines import Segments, drawn_white, unexplained_lines
from vision.naming.faces import cut_out, score_faces
from vision.naming.name_cards import Named
from vision.ordering.stacking import stack_up
from vision.raster import Raster
from vision.strips import STRIP

FloatArray = NDArray[np.float64]
HALF = np.array([DECK.card.frame_width_mm, DECK.card.frame_height_mm]) / 2
CORNERS = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * HALF


def frame_of(card: DrawnCard) -> Segments:
    """The four sides of a card's frame."""
    corners = place(np.array([card.pose]), CORNERS)[0]
    return Segments(corners, np.roll(corners, -1, axis=0))


def on_frame(card: DrawnCard, points: FloatArray) -> NDArray[np.bool_]:
    local = (points - np.array(card.pose[:2])) @ turns(np.array([card.pose[2]]))[0]
    return np.asarray((np.abs(local) < HALF + 2).all(axis=1))


def test_lengths_and_directions() -> None:
    sides = frame_of(HIDDEN)
    np.testing.assert_allclose(sides.length_mm, np.tile(2 * HALF, 2))
    np.testing.assert_allclose(sides.along[0], [np.cos(1.2), np.sin(1.2)])
    assert len(sides.take(np.array([True, False, False, True])).length_mm) == 2


def test_the_frame_s_corners_are_among_the_square_ones_and_look_inwards() -> None:
    features = square_corners(DECK)
    for corner in CORNERS:
        inwards = np.arctan2(*(-np.sign(corner))[::-1])
        gaps = np.linalg.norm(features[:, :2] - corner, axis=1)
        turned = np.abs(np.sin((features[:, 2] - inwards) / 2))
        assert np.any((gaps < 0.01) & (turned < 0.01))


def cut_off(evidence: Evidence, x_mm: float) -> Evidence:
    """The same in a photograph that reaches no farther to the right."""
    raster = evidence.raster
    image = raster.image_bgr.copy()
    image[:, round(raster.to_raster(np.array([x_mm, 0.0]))[0]) :] = 0
    return observe(replace(raster, image_bgr=image))


def test_a_card_half_outside_the_picture_is_found_by_the_other_half_of_its_frame() -> None:
    middle = HIDDEN.pose[0]
    cut, lines, pose = cut_off(EVIDENCE, middle), frame_samples(DECK.card, 1.5), [HIDDEN.pose]
    inside = in_picture(cut, np.array(pose), lines)[0] > 0
    on_left = place(np.array(pose), lines.places_mm)[0, :, 0] < middle - 0.5
    assert inside[on_left].all()
    assert 0.4 < inside.mean() < 0.65
    named = named_of(KNOWN)
    stack = stack_up(cut, named, DECK, TEMPLATES)
    _, _, share = fit_corners(cut, np.array(pose), stack.top, DECK)
    assert share[0] > 0.9
    more = with_hidden(cut, named, stack, PRINTED)
    assert more is not None
    assert off(more.poses[1], HIDDEN)[0] < 0.5


@pytest.mark.parametrize(("beyond_mm", "worst"), [(60.0, WORST_SHOWN_FIT), (0.0, PLAIN_FIT)])
def test_half_outside_the_picture_it_must_fit_as_no_other_games_card_does(
    beyond_mm: float, worst: float
) -> None:
    cut = cut_off(EVIDENCE, HIDDEN.pose[0] + beyond_mm)
    assert _worst_fit(cut, np.array([HIDDEN.pose]), DECK) == worst


def test_square_corners_are_as_the_shapes_are() -> None:
    """Every square and rectangle of the deck has its four, mirrored too."""
    features = square_corners(DECK)
    for face in DECK.faces:
        for shape in face.shapes:
            if "triangle" in shape.kind:
                continue
            for flip in (1.0, -1.0):
                for corner in np.asarray(shape.outline_mm) * [flip, 1.0]:
                    assert np.linalg.norm(features[:, :2] - corner, axis=1).min() < 1.0


def test_known_cards_account_for_their_lines() -> None:
    named = named_of(KNOWN, HIDDEN)
    assert unexplained_lines(EVIDENCE, named, [0, 1], TEMPLATES).length_mm.sum() < 10


def test_an_unknown_card_s_lines_are_left_over() -> None:
    left = unexplained_lines(EVIDENCE, named_of(KNOWN), [0], TEMPLATES)
    assert left.length_mm.sum() > 200
    middle = (left.start_mm + left.end_mm) / 2
    inside = on_frame(HIDDEN, middle)
    assert left.length_mm[inside].sum() > 0.97 * left.length_mm.sum()


@pytest.mark.parametrize(
    "other", [replace(HIDDEN, pose=(105.0, 82.0, 1.2)), replace(HIDDEN, face="triangle-3")]
)
def test_lines_are_sought_again_only_where_a_card_has_changed(other: DrawnCard) -> None:
    evidence = drawn_evidence(KNOWN, HIDDEN)
    named, changed = named_of(KNOWN, HIDDEN), named_of(KNOWN, other)
    first = unexplained_lines(evidence, named, [0, 1], TEMPLATES)
    left = unexplained_lines(evidence, changed, [0, 1], TEMPLATES)
    fresh = unexplained_lines(drawn_evidence(KNOWN, HIDDEN), changed, [0, 1], TEMPLATES)
    np.testing.assert_array_equal(left.start_mm, fresh.start_mm)
    assert left.length_mm.sum() > first.length_mm.sum() + 20
    assert unexplained_lines(evidence, named, [0, 1], TEMPLATES) is first


def test_what_lies_on_top_hides_the_lines_below() -> None:
    upper = DrawnCard("square-2", "red", (45.0, 80.0, 0.3))
    evidence = drawn_evidence(KNOWN, upper)
    named = named_of(KNOWN, upper)
    assert unexplained_lines(evidence, named, [0, 1], TEMPLATES).length_mm.sum() < 20
    assert unexplained_lines(evidence, named, [1, 0], TEMPLATES).length_mm.sum() > 20
    one, other = (drawn_white(evidence, named, order, TEMPLATES) for order in ([0, 1], [1, 0]))
    assert (one != other).any()


@pytest.mark.parametrize("corner", range(4))
def test_a_frame_corner_leads_to_the_card(corner: int) -> None:
    """A line that ends in a corner, and is told 2 degrees wrong."""
    sides = frame_of(HIDDEN)
    at, along = sides.start_mm[corner], sides.along[corner]
    ahead = at + 25 * along + 1.0 * np.array([-along[1], along[0]])
    assert off_card(Segments(at[None], ahead[None])) < 2.0


@pytest.mark.parametrize("corner", range(4))
def test_a_part_of_a_line_leads_to_the_corner_in_which_the_line_ends(corner: int) -> None:
    """A known card may account for the rest of it."""
    sides = frame_of(HIDDEN)
    at, along = sides.start_mm[corner], sides.along[corner]
    part = Segments((at + 20 * along)[None], (at + 30 * along)[None])
    assert off_card(part) < 1.0


def off_card(left: Segments) -> float:
    """How far the nearest pose to which a line leads lies from the hidden card's, mm."""
    poses = corner_poses(corners_on(EVIDENCE, left), DECK)
    gaps = [off(pose, HIDDEN) for pose in poses]
    return min(gap_mm for gap_mm, gap_deg in gaps if gap_deg < 3)


def test_the_line_of_a_gap_in_which_nothing_is_seen_leads_no_farther() -> None:
    """Beyond the card's end nothing white goes on."""
    sides = frame_of(HIDDEN)
    part = Segments(sides.start_mm[:1], sides.end_mm[:1])
    corners = corners_on(EVIDENCE, part).at_mm
    beyond = np.abs((corners - sides.start_mm[0]) @ sides.along[0] - sides.length_mm[0] / 2)
    assert len(corners) > 0
    assert beyond.max() < sides.length_mm[0] / 2 + 1.0


def test_lines_that_do_not_meet_squarely_lead_nowhere() -> None:
    """A triangle's sides meet at 45 degrees, and so does its long one the frame."""
    card = DrawnCard("triangle-1", "red", (60.0, 60.0, 0.0))
    evidence = drawn_evidence(card)
    shape = next(
        s
        for s in next(f for f in DECK.faces if f.id == "triangle-1").shapes
        if "triangle" in s.kind
    )
    outline = place(np.array([card.pose]), np.asarray(shape.outline_mm))[0]
    way = np.roll(outline, -1, axis=0) - outline
    slant = int(np.abs(way).min(axis=1).argmax())
    line = Segments(outline[slant : slant + 1], np.roll(outline, -1, axis=0)[slant : slant + 1])
    assert len(corners_on(evidence, line).at_mm) == 0
    nothing = Segments(np.empty((0, 2)), np.empty((0, 2)))
    assert corner_poses(corners_on(evidence, nothing), DECK).shape == (0, 3)


def test_only_lines_on_the_card_count_for_it() -> None:
    """Elsewhere chance finds other lines in print when they are sought again."""
    pose, half = np.array([50.0, 60.0, 0.0]), DECK.card.width_mm / 2
    on = Segments(np.array([[50.0, 40.0]]), np.array([[50.0, 70.0]]))
    out = Segments(np.array([[50.0 + half + 10, 40.0]]), np.array([[50.0 + half + 10, 70.0]]))
    across = Segments(np.array([[50.0, 60.0]]), np.array([[50.0 + 2 * half, 60.0]]))
    assert length_on(pose, on, DECK) == pytest.approx(30.0)
    assert length_on(pose, out, DECK) == 0.0
    assert length_on(pose, across, DECK) == pytest.approx(half, abs=6.0)


def test_from_the_picture_to_the_hidden_card() -> None:
    """Lines left over, their corners, the fit: the best candidate is the card."""
    named = named_of(KNOWN)
    left = unexplained_lines(EVIDENCE, named, [0], TEMPLATES)
    poses = corner_poses(corners_on(EVIDENCE, left), DECK)
    top = top_map(EVIDENCE.raster, named.poses, [0], DECK.card, 0.3)
    fitted, length, share = fit_corners(EVIDENCE, poses, top, DECK)
    best = int((length * share).argmax())
    gap_mm, gap_deg = off(fitted[best], HIDDEN)
    assert gap_mm < 0.15
    assert gap_deg < 0.2
    assert length[best] > 200 > LEAST_LINE_MM
    assert share[best] > 0.95


def test_a_frame_explains_the_segments_on_it() -> None:
    sides = frame_of(HIDDEN)
    x, y, angle = HIDDEN.pose
    poses = np.array([[x, y, angle], [x + 5, y + 5, angle], [x, y, angle + 0.3]])
    explained = lines_explained(poses, sides, DECK)
    assert explained[0] == pytest.approx(4 * HALF.sum())
    assert (explained[1:] == 0).all()


def test_only_candidates_that_run_along_a_line_left_over_are_fitted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Print leads to thousands of cards; where the likely ones lie is known before they are."""
    fitted: list[FloatArray] = []

    def fit(evidence: Evidence, poses: FloatArray, *rest: Any) -> Any:
        fitted.append(poses)
        return fit_corners(evidence, poses, *rest)

    named = named_of(KNOWN)
    stack = stack_up(EVIDENCE, named, DECK, TEMPLATES)
    left = left_over_lines(EVIDENCE, named, stack.order, stack.top, TEMPLATES)
    tried = corner_poses(corners_on(EVIDENCE, left), DECK)
    monkeypatch.setattr("vision.finding.hidden_search.fit_corners", fit)
    more = with_hidden(EVIDENCE, named, stack, PRINTED)
    assert more is not None
    assert np.hypot(*(more.poses[-1, :2] - HIDDEN.pose[:2])) < 0.5
    assert 0 < len(fitted[0]) < len(tried) / 2
    assert (lines_explained(fitted[0], left, DECK, 4.0) > 0).all()


def test_where_a_candidate_may_be_expected_to_show() -> None:
    """On the table always; on a known card where most of the frame there is seen."""
    below = np.array([[0] * 3 + [1] * 5 + [2] * 5 + [3] * 3])
    seen = np.array([[0, 0, 1] + [1, 1, 1, 1, 0] + [1, 0, 0, 0, 0] + [1, 1, 1]], np.bool_)
    shows = shows_over(seen, below.astype(np.int16))
    assert shows[0].tolist() == [True] * 8 + [False] * 8


def line_like(
    evidence: Evidence, segments: Segments, named: Named, strict: bool = False
) -> NDArray[np.bool_]:
    like, printed = line_looks(evidence, segments, named, TEMPLATES, strict)
    return like & printed


def test_lines_are_told_from_the_edges_of_things() -> None:
    sides = frame_of(HIDDEN)
    shorter = Segments(
        sides.start_mm + 0.1 * (sides.end_mm - sides.start_mm),
        sides.end_mm - 0.1 * (sides.end_mm - sides.start_mm),
    )
    named = named_of(KNOWN, HIDDEN)
    assert line_like(EVIDENCE, shorter, named).all()
    body = np.array([DECK.card.width_mm, DECK.card.height_mm]) / 2 * np.sign(CORNERS)
    edges = place(np.array([HIDDEN.pose]), body * 0.999)[0]
    beside = Segments(
        np.array([0.8 * a + 0.2 * b for a, b in pairwise(edges)]),
        np.array([0.2 * a + 0.8 * b for a, b in pairwise(edges)]),
    )
    assert not line_like(EVIDENCE, beside, named).any()
    nothing = sides.take(np.zeros(4, np.bool_))
    assert line_like(EVIDENCE, nothing, named).shape == (0,)


def with_strip(
    width_mm: float, bgr: tuple[int, int, int], base: Evidence = EVIDENCE, x_mm: float = 60.0
) -> tuple[Evidence, Segments]:
    """A straight strip on the table between the two cards, and the segment on its middle."""
    finer = 8
    raster = base.raster
    image = cv2.resize(raster.image_bgr, None, fx=finer, fy=finer, interpolation=cv2.INTER_NEAREST)
    ends = np.array([[x_mm - width_mm / 2, 40.0], [x_mm + width_mm / 2, 120.0]])
    (left, top), (right, low) = np.rint((raster.to_raster(ends) + 0.5) * finer).astype(int)
    image[top:low, left:right] = bgr
    image = cv2.resize(image, None, fx=1 / finer, fy=1 / finer, interpolation=cv2.INTER_AREA)
    image = cv2.GaussianBlur(image, (0, 0), 0.25 * raster.density)
    evidence = observe(Raster(np.asarray(image, np.uint8), raster.origin_mm, raster.density))
    return evidence, Segments(np.array([[x_mm, 50.0]]), np.array([[x_mm, 110.0]]))


@pytest.mark.parametrize(
    ("width_mm", "bgr", "line"),
    [
        (0.9, (232, 232, 232), True),
        (1.5, (232, 232, 232), True),
        (3.0, (232, 232, 232), False),
        (1.2, (165, 232, 232), False),
        (1.2, (232, 232, 165), False),
        (1.2, (215, 232, 232), True),
    ],
    ids=["a line", "a blurred line", "a 3 mm strip", "yellow", "cyan", "hardly yellow"],
)
def test_wide_strips_and_coloured_ones_are_no_lines(
    width_mm: float, bgr: tuple[int, int, int], line: bool
) -> None:
    """A gap between two cards, a hem: straight and bright, but no card's line."""
    black, _ = with_strip(14.0, (20, 20, 20))
    evidence, segment = with_strip(width_mm, bgr, black)
    assert line_like(evidence, segment, named_of(KNOWN, HIDDEN)).tolist() == [line]


def test_where_the_cards_own_lines_are_tinted_another_one_may_be() -> None:
    """As by a JPEG of a small picture: one card's are yellow, the other's are cyan."""
    base, _ = with_strip(14.0, (20, 20, 20))
    raster = base.raster
    image = raster.image_bgr.copy()
    white = image.min(axis=2) > 120
    right = np.arange(image.shape[1]) > raster.to_raster(np.array([60.0, 80.0]))[0]
    for half, tint in ((~right, (0.72, 1.0, 1.0)), (right, (1.0, 1.0, 0.72))):
        image[white & half] = np.rint(image[white & half] * np.array(tint)).astype(np.uint8)
    tinted = replace(base, raster=Raster(image, raster.origin_mm, raster.density))
    named = named_of(KNOWN, HIDDEN)
    for known, line in ((base, False), (tinted, True)):
        evidence, segment = with_strip(1.2, (165, 232, 232), known)
        assert line_like(evidence, segment, named).tolist() == [line]


def test_far_from_every_card_no_line_is_a_card_s() -> None:
    """A card that is not found by its badge lies at least partly under one that is."""
    for pose, line in (((15.0, 71.0, 0.3), True), ((-70.0, 71.0, 0.3), False)):
        evidence, segment = with_strip(0.9, (232, 232, 232))
        known = replace(KNOWN, pose=pose)
        assert line_like(evidence, segment, named_of(known)).tolist() == [line]


def test_strictly_a_line_runs_on_black_or_on_ink_in_play() -> None:
    """A white thread on a grey cloth is one only for the search."""
    sides = frame_of(HIDDEN)
    shorter = Segments(
        sides.start_mm + 0.1 * (sides.end_mm - sides.start_mm),
        sides.end_mm - 0.1 * (sides.end_mm - sides.start_mm),
    )
    named = with_inks(KNOWN, HIDDEN)
    assert line_like(EVIDENCE, shorter, named, strict=True).all()
    evidence, thread = with_strip(0.9, (232, 232, 232))
    assert line_like(evidence, thread, named).all()
    assert not line_like(evidence, thread, named, strict=True).any()


def with_inks(*cards: DrawnCard) -> Named:
    """Cards named as they were drawn, with the inks that the picture has of them."""
    named = named_of(*cards)
    scores = score_faces(cut_out(EVIDENCE, named.poses, TEMPLATES), TEMPLATES)
    return replace(named, ink=scores.ink)


def test_a_card_that_plainly_shows_is_found_among_print(monkeypatch: pytest.MonkeyPatch) -> None:
    """However much is left over elsewhere."""
    row = 3.0 * np.arange(60.0)[:, None]
    starts = np.concatenate([np.full((60, 1), 400.0), row], axis=1)
    left_over = left_over_lines

    def among_print(*args: Any, **kwargs: Any) -> Segments:
        left = left_over(*args, **kwargs)
        ends = starts + [60.0, 0.0]
        return Segments(
            np.concatenate([left.start_mm, starts]), np.concatenate([left.end_mm, ends])
        )

    named = named_of(KNOWN)
    stack = stack_up(EVIDENCE, named, DECK, TEMPLATES)
    monkeypatch.setattr("vision.finding.hidden_search.left_over_lines", among_print)
    more = with_hidden(EVIDENCE, named, stack, PRINTED)
    assert more is not None
    assert off(more.poses[1], HIDDEN)[0] < 0.5


def test_lines_that_change_elsewhere_speak_for_no_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """Among print chance finds some with a card and none without; they are not even sought."""
    asked: list[int] = []
    left_over = left_over_lines

    def by_chance(evidence: Evidence, named: Named, *args: Any) -> Segments:
        asked.append(len(named))
        left = left_over(evidence, named, *args)
        row = 3.0 * np.arange(60.0 if len(named) == 1 else 0.0)[:, None]
        starts = np.concatenate([np.full(row.shape, -400.0), row], axis=1)
        return Segments(
            np.concatenate([left.start_mm, starts]),
            np.concatenate([left.end_mm, starts + [60.0, 0.0]]),
        )

    named = named_of(KNOWN)
    stack = stack_up(EVIDENCE, named, DECK, TEMPLATES)
    monkeypatch.setattr("vision.finding.hidden_search.left_over_lines", by_chance)
    monkeypatch.setattr("vision.finding.hidden_search.PLAIN_SHARE", 9.0)
    assert with_hidden(EVIDENCE, named, stack, PRINTED) is None
    assert asked == [1]


def test_lines_are_the_same_where_only_some_columns_are_looked_at() -> None:
    evidence = drawn_evidence(KNOWN, HIDDEN)
    height, width = evidence.mask.shape
    lit = np.flatnonzero(evidence.mask.any(axis=0))
    columns = np.tile([lit[0], lit[-1] + 1], (-(-height // STRIP), 1))
    some = replace(evidence, raster=replace(evidence.raster, columns=columns))
    for named in (named_of(KNOWN), named_of(KNOWN, HIDDEN)):
        order = list(range(len(named)))
        seen, expected = (unexplained_lines(e, named, order, TEMPLATES) for e in (some, evidence))
        np.testing.assert_array_equal(seen.start_mm, expected.start_mm)
    assert lit[0] > 0
    assert lit[-1] + 1 < width


@pytest.mark.parametrize("shift_mm", [7.2, 9.0])
def test_a_card_is_found_whose_long_sides_run_on_in_those_of_the_card_over_it(
    shift_mm: float,
) -> None:
    """All that shows of it is a strip; by its sides it might as well lie on top."""
    upper = DrawnCard("circle-4", "green", (100.0, 80.0, 0.3))
    x, y = np.array(upper.pose[:2]) + turns(np.array([0.3]))[0] @ np.array([0.0, shift_mm])
    lower = DrawnCard("square-2", "red", (float(x), float(y), 0.3))
    evidence, named = drawn_evidence(lower, upper), named_of(upper)
    stack = stack_up(evidence, named, DECK, TEMPLATES)
    more = with_hidden(evidence, named, stack, PRINTED)
    assert more is not None
    assert off(more.poses[1], lower)[0] < 0.5
