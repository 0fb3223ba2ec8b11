from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.enrolment.deck_assembly import Enrolment, assemble
from calibration.enrolment.deck_document import deck_document
from calibration.enrolment.deck_reading import NotRead, Spread, read_spread
from calibration.enrolment.same_face import mirrored, same_side, shape_distance_mm
from calibration.printed.card_sheets import practice_deck
from geometry.deck import Art, CardSize, Deck, Face, Point, Shape
from geometry.deck_file import parse_deck, published_deck
from geometry.pose import Pose
from tests.calibration.spread_scene import Laid, SpreadScene, photograph, rows_of_cards
from tests.decks import OLDER_DECK
from vision.lens import Lens
from vision.locating.edges import linear_light
from vision.locating.marker_corners import sharpen_markers
from vision.locating.markers import find_markers, table_from_markers, view_from_markers
from vision.reason import Reason
from vision.view import TableView

SCENE = Path(__file__).parents[1] / "fixtures" / "scenes" / "spread-white"
EXACT_MM = 0.3
Image = NDArray[np.uint8]


@cache
def shared_photo() -> tuple[Image, Lens, dict[str, object]]:
    truth = json.loads((SCENE / "truth.json").read_text("utf-8"))
    camera = truth["camera"]
    lens = Lens(
        tuple(camera["size_px"]), np.array(camera["matrix"]), np.array(camera["distortion"])
    )
    image = cv2.imread(str(SCENE / "image.jpg"))
    assert image is not None
    return np.asarray(image, np.uint8), lens, truth


def assembled(*spreads: Spread) -> Enrolment:
    enrolment = assemble(spreads, OLDER_DECK, "mine")
    assert isinstance(enrolment, Enrolment)
    return enrolment


@cache
def shared_spread() -> Spread:
    image, lens, _ = shared_photo()
    spread = read_spread(image, lens, "spread-white")
    assert isinstance(spread, Spread)
    return spread


@cache
def shared_enrolment() -> Enrolment:
    return assembled(shared_spread())


def furthest_mm(read: Face, true: Face) -> float:
    assert len(read.shapes) == len(true.shapes)
    for mine, theirs in zip(read.shapes, true.shapes, strict=True):
        assert len(mine.dots_mm) == len(theirs.dots_mm)
        assert len(mine.outline_mm) == len(theirs.outline_mm)
    return max(
        shape_distance_mm(mine, theirs)
        for mine, theirs in zip(read.shapes, true.shapes, strict=True)
    )


def test_shared_spread_gives_the_deck_that_it_shows() -> None:
    deck, published = shared_enrolment().deck, OLDER_DECK
    assert set(shared_enrolment().seen_faces) == {face.id for face in published.faces}
    assert shared_enrolment().differing == ()
    faces = {face.id: face for face in shared_enrolment().faces_as_read}
    faces[published.starting_face.id] = deck.starting_face
    assert len(faces) == len(published.faces) + 1
    for face in (*published.faces, published.starting_face):
        read = faces[face.id]
        assert (read.suit, read.value) == (face.suit, face.value)
        assert furthest_mm(read, face) < EXACT_MM
    for name in ("width_mm", "height_mm", "frame_inset_mm", "line_mm", "corner_radius_mm"):
        assert getattr(deck.card, name) == pytest.approx(
            getattr(published.card, name), abs=EXACT_MM
        )
    assert deck.dot_diameter_mm == pytest.approx(published.dot_diameter_mm, abs=0.15)
    assert deck.badge_mm == pytest.approx(published.badge_mm, abs=0.4)
    assert deck.symbol_offset_mm == pytest.approx(published.symbol_offset_mm, abs=EXACT_MM)
    assert deck.art == published.art


def test_another_starting_card_than_the_known_deck_s_is_told() -> None:
    """The shipped deck has the same faces and, since it is as printed, another starting card."""
    enrolment = assemble([shared_spread()], published_deck(), "mine")
    assert isinstance(enrolment, Enrolment)
    assert enrolment.differing == (Reason("enrol-start-differs"),)
    assert len(enrolment.deck.starting_face.shapes) == len(OLDER_DECK.starting_face.shapes)


def test_enrolled_deck_is_a_deck_file() -> None:
    document = json.loads(json.dumps(deck_document(shared_enrolment().deck)))
    assert parse_deck(document) == shared_enrolment().deck


def test_clutter_is_named_with_its_place() -> None:
    unusable = Reason("enrol-no-rectangle")
    assert any(doubt.facts.get("why") == unusable for doubt in shared_enrolment().doubts)


@pytest.mark.thorough
@pytest.mark.slow
def test_without_markers_from_a_cards_width() -> None:
    image, lens, truth = shared_photo()
    camera = truth["camera"]
    assert isinstance(camera, dict)
    view = TableView(lens, np.array(camera["rotation"]), np.array(camera["translation_mm"]))
    painted = image.copy()
    markers = truth["markers"]
    assert isinstance(markers, list)
    for marker in markers:
        corners = np.array(marker["corners_mm"])
        middle = corners.mean(axis=0)
        px = view.to_px(middle + (corners - middle) * 1.6)
        cv2.fillPoly(painted, [px.astype(np.int32)], (205, 205, 205))
    assert isinstance(read_spread(painted, lens, "x"), NotRead)
    spread = read_spread(painted, lens, "x", card_width_mm=58.2)
    assert isinstance(spread, Spread)
    enrolment = assembled(spread)
    assert enrolment.deck.card.width_mm == pytest.approx(58.2, abs=0.05)
    faces = {face.id: face for face in enrolment.faces_as_read}
    assert max(furthest_mm(faces[face.id], face) for face in OLDER_DECK.faces) < EXACT_MM


@pytest.mark.thorough
def test_known_faces_are_those_of_the_known_deck_and_others_are_as_read() -> None:
    """One face of the known deck has a dot elsewhere: that one is as the photo shows it."""
    image, lens, _ = shared_photo()
    spread = read_spread(image, lens, "x")
    assert isinstance(spread, Spread)
    published = OLDER_DECK
    first, *others = published.faces
    moved = tuple(
        replace(shape, dots_mm=tuple((x + 0.8, y) for x, y in shape.dots_mm))
        for shape in first.shapes
    )
    base = replace(published, faces=(replace(first, shapes=moved), *others))
    enrolment = assemble([spread], base, "mine")
    assert isinstance(enrolment, Enrolment)
    assert [enrolment.deck.face(face.id) for face in others] == others
    read = enrolment.deck.face(first.id)
    assert read in enrolment.faces_as_read
    assert furthest_mm(read, first) < EXACT_MM


def test_blur_does_not_shrink_the_markers() -> None:
    image, lens, truth = shared_photo()
    found = find_markers(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8))
    area = truth["play_area_mm"]
    assert isinstance(area, list)
    raw = table_from_markers(view_from_markers(found, lens), found)
    assert raw is not None
    assert raw.play_area_mm is not None
    assert abs(raw.play_area_mm[0] - area[0]) > 2.0  # what the detector's corners would give
    sharp = sharpen_markers(linear_light(image), lens, found).markers
    table = table_from_markers(view_from_markers(sharp, lens), sharp)
    assert table is not None
    assert table.play_area_mm == pytest.approx(area, abs=0.4)


def stretched(deck: Deck, art: Art, card: CardSize) -> Deck:
    """The deck in other proportions and another art."""
    x = card.frame_width_mm / deck.card.frame_width_mm
    y = card.frame_height_mm / deck.card.frame_height_mm

    def moved(points: tuple[Point, ...]) -> tuple[Point, ...]:
        return tuple((px * x, py * y) for px, py in points)

    def face(one: Face) -> Face:
        shapes = (Shape(s.kind, moved(s.outline_mm), moved(s.dots_mm)) for s in one.shapes)
        return replace(one, shapes=tuple(shapes))

    return replace(
        deck, name="other", art=art, card=card, faces=tuple(map(face, deck.faces)),
        starting_face=face(deck.starting_face),
    )  # fmt: skip


def scene_of(deck: Deck, seed: int = 5) -> SpreadScene:
    rng = np.random.default_rng(seed)
    cards = [(face.id, colour.name) for colour in deck.colours for face in deck.faces]
    laid = rows_of_cards(deck, [*cards, (deck.starting_face.id, "white")], rng, across=5)
    x, y = max(c.pose.x_mm for c in laid) + 70, max(c.pose.y_mm for c in laid) + 60
    return photograph(deck, laid, (x, y), rng)


OTHER_SIZE = CardSize(63.5, 88.9, 3.5, 5.0, 0.8, 0.3)


@pytest.mark.slow
@pytest.mark.parametrize(
    "deck",
    [
        pytest.param(practice_deck(), marks=pytest.mark.thorough),
        pytest.param(
            stretched(practice_deck(), Art(False, "colour", "white", False), OTHER_SIZE),
            marks=pytest.mark.thorough,
        ),
        pytest.param(
            stretched(practice_deck(), Art(False, "colour", "colour", False), OTHER_SIZE),
            marks=pytest.mark.thorough,
        ),
    ],
    ids=["practice", "coloured dots", "coloured lines"],
)
def test_another_art_is_read_from_the_pictures(deck: Deck) -> None:
    scene = scene_of(deck)
    spread = read_spread(scene.image_bgr, scene.lens, "scene")
    assert isinstance(spread, Spread)
    enrolment = assembled(spread)
    read = parse_deck(json.loads(json.dumps(deck_document(enrolment.deck))))
    assert read.art == deck.art
    warned = any(doubt.code == "enrol-other-art" for doubt in enrolment.doubts)
    assert warned == (deck.art.lines == "colour")
    assert {"blue", "orange"} <= {colour.name for colour in read.colours}
    own = {face.id for face in deck.faces}
    assert {face.id for face in read.faces if face.id in enrolment.seen_faces} == own
    assert not [face.id for face in read.faces if face.id.count("-") > 1]
    if deck.art != published_deck().art:
        assert len(read.colours) == len(deck.colours)
    assert read.card.width_mm == pytest.approx(deck.card.width_mm, abs=0.15)
    for true in (*deck.faces, deck.starting_face):
        sides = [side for face in (*read.faces, read.starting_face)
                 if (side := same_side(face, true)) is not None]  # fmt: skip
        assert sides, true.id
        dots = np.array(true.dots_mm).reshape(-1, 2)
        seen = np.array(sides[0].dots_mm).reshape(-1, 2)
        for dot in dots:
            assert np.linalg.norm(seen - dot, axis=1).min() < 0.15


@pytest.mark.parametrize(
    "width_mm",
    [pytest.param(58.2, marks=pytest.mark.thorough), 63.5],
    ids=["known size", "other size"],
)
def test_a_missing_starting_card_is_taken_from_cards_of_the_same_size_only(width_mm: float) -> None:
    size = replace(published_deck().card, width_mm=width_mm)
    deck = stretched(published_deck(), published_deck().art, size)
    laid = [
        Laid(face.id, "blue", Pose(70 + 130 * i, 70, 0)) for i, face in enumerate(deck.faces[:3])
    ]
    scene = photograph(deck, laid, (420, 140), np.random.default_rng(3), size_wh=(1800, 900))
    spread = read_spread(scene.image_bgr, scene.lens, "scene")
    assert isinstance(spread, Spread)
    enrolment = assemble([spread], published_deck(), "mine")
    if width_mm == published_deck().card.width_mm:
        assert isinstance(enrolment, Enrolment)
        assert any(doubt.code == "enrol-start-taken" for doubt in enrolment.doubts)
        assert len(enrolment.deck.faces) == 18
    else:
        assert isinstance(enrolment, NotRead)
        assert enrolment.reason.code == "enrol-start-missing"


@pytest.mark.thorough
def test_cards_that_all_look_larger_are_told_as_wrongly_printed_markers() -> None:
    image, lens, _ = shared_photo()
    spread = read_spread(image, lens, "x")
    assert isinstance(spread, Spread)
    published = OLDER_DECK
    size = replace(
        published.card, width_mm=1.04 * published.card.width_mm,
        height_mm=1.04 * published.card.height_mm,
    )  # fmt: skip
    enrolment = assemble([spread], replace(published, card=size), "mine")
    assert isinstance(enrolment, Enrolment)
    assert any(doubt.code == "enrol-scaled" for doubt in enrolment.doubts)
    assert not any(doubt.code == "enrol-scaled" for doubt in shared_enrolment().doubts)


def test_bad_cards_are_left_out_and_the_others_read() -> None:
    deck = practice_deck()
    rng = np.random.default_rng(3)
    laid = [
        Laid("circle-1", "blue", Pose(70, 70, 4)),
        Laid("square-2", "blue", Pose(230, 70, 90)),
        Laid("triangle-3", "blue", Pose(400, 70, 0)),
        Laid("circle-4", "blue", Pose(458, 72, 2)),  # touches the one before
        Laid("square-5", "blue", Pose(70, 220, 0)),
        Laid("triangle-6", "blue", Pose(230, 220, 180)),
    ]
    scene = photograph(deck, laid, (560, 300), rng, size_wh=(1800, 1350))
    spread = read_spread(scene.image_bgr, scene.lens, "scene")
    assert isinstance(spread, Spread)
    assert sorted(card.value for card in spread.cards) == [1, 2, 5, 6]
    assert len(spread.unusable) == 1
    assert spread.unusable[0].reason.code == "enrol-two-cards-size"


def test_empty_table_and_too_far_away() -> None:
    deck, rng = practice_deck(), np.random.default_rng(3)
    empty = photograph(deck, [], (560, 300), rng, size_wh=(1600, 1200))
    assert isinstance(read_spread(empty.image_bgr, empty.lens, "x"), NotRead)
    laid = [Laid("circle-1", "blue", Pose(200, 100, 4))]
    far = photograph(deck, laid, (1500, 900), rng, size_wh=(1600, 1200))
    refused = read_spread(far.image_bgr, far.lens, "x")
    assert isinstance(refused, NotRead)
    assert refused.reason.code == "enrol-too-far"


def test_backs_are_told_from_other_faces() -> None:
    face = practice_deck().faces[1]
    assert same_side(mirrored(face), face) is not None
    assert same_side(practice_deck().faces[0], face) is None
