"""Deck files: the published one is what is printed, and every fault is named with its place."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from geometry.deck_file import DeckError, load_deck, parse_deck, published_deck

SHIPPED = Path(__file__).parents[2] / "geometry" / "data" / "tacta.json"
Spoil = Callable[[dict[str, Any]], object]


@pytest.fixture
def data() -> dict[str, Any]:
    decoded: dict[str, Any] = json.loads(SHIPPED.read_text("utf-8"))
    return decoded


def test_published_deck_has_the_eighteen_faces_and_sixty_three_dots() -> None:
    deck = published_deck()
    assert Counter((face.suit, face.value) for face in deck.faces) == {
        (suit, value): 1 for suit in ("circle", "square", "triangle") for value in range(1, 7)
    }
    assert sum(len(face.dots_mm) for face in deck.faces) == 63
    assert deck.starting_face.dots_mm == ()
    assert [c.name for c in deck.colours] == ["blue", "green", "orange", "pink", "purple", "red"]
    assert deck.card.frame_width_mm == pytest.approx(51.2)
    assert published_deck() is deck


def test_filled_shapes_have_the_dots_of_their_kind() -> None:
    for face in published_deck().faces:
        for shape in face.shapes:
            long_side = max(
                abs(a - b)
                for p, q in zip(shape.outline_mm, shape.outline_mm[1:], strict=False)
                for a, b in zip(p, q, strict=True)
            )
            rectangle = 4 if long_side > 60 else 3
            dots = {"triangle": 1, "square": 2, "rectangle": rectangle}[shape.kind]
            assert len(shape.dots_mm) in (0, dots)
            assert shape.filled == (len(shape.dots_mm) > 0)


def test_a_deck_file_is_read_as_the_published_deck(tmp_path: Path) -> None:
    copied = tmp_path / "deck.json"
    copied.write_bytes(b"\xef\xbb\xbf" + SHIPPED.read_bytes())
    assert load_deck(copied) == published_deck()


def test_keys_the_format_does_not_know_and_absent_dots_are_passed_over(
    data: dict[str, Any],
) -> None:
    data["note"] = "enrolled in May"
    for shape in data["starting_face"]["shapes"]:
        del shape["dots_mm"]
    assert parse_deck(data) == published_deck()


def test_face_and_colour_are_found_by_name() -> None:
    deck = published_deck()
    assert deck.face("square-5").value == 5
    assert deck.face("start") is deck.starting_face
    assert deck.colour("white") is deck.starting_colour
    with pytest.raises(KeyError):
        deck.face("square-7")
    with pytest.raises(KeyError):
        deck.colour("mauve")


def _set(*path: str | int, to: Any) -> Spoil:
    def spoil(data: dict[str, Any]) -> None:
        place: Any = data
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = to

    return spoil


def _drop(*path: str | int) -> Spoil:
    def spoil(data: dict[str, Any]) -> None:
        place: Any = data
        for step in path[:-1]:
            place = place[step]
        del place[path[-1]]

    return spoil


def _second_dot_on_first(data: dict[str, Any]) -> None:
    dots = data["faces"][3]["shapes"][2]["dots_mm"]
    dots[1] = dots[0]


def _same_face_under_another_id(data: dict[str, Any]) -> None:
    twin = copy.deepcopy(data["faces"][2])
    twin["id"] = "another"
    twin["shapes"].reverse()
    data["faces"].append(twin)


def _back_under_another_id(data: dict[str, Any]) -> None:
    _same_face_under_another_id(data)
    for shape in data["faces"][-1]["shapes"]:
        for point in (*shape["outline_mm"], *shape["dots_mm"]):
            point[0] = -point[0]


def _square(x: float, y: float) -> list[list[float]]:
    return [[x, y], [x + 25, y], [x + 25, y + 25], [x, y + 25]]


FAULTS: dict[str, tuple[Spoil, str, str]] = {
    # what the cards are made of
    "overlap": (
        _set("faces", 0, "shapes", 1, "outline_mm", to=_square(-25.6, -8.4)),
        "faces[0].shapes[1]:",
        "overlaps faces[0].shapes[0]",
    ),
    "dot outside": (
        _set("faces", 3, "shapes", 2, "dots_mm", 0, to=[0.0, -18.4]),
        "faces[3].shapes[2].dots_mm[0]:",
        "the dot lies outside its shape",
    ),
    "dot half outside": (
        _set("faces", 3, "shapes", 2, "dots_mm", 1, to=[13.0, -6.1]),
        "faces[3].shapes[2].dots_mm[1]:",
        "partly outside",
    ),
    "value": (_set("faces", 4, "value", to=4), "faces[4].value:", "the value is 4"),
    "face twice": (_set("faces", 5, "id", to="circle-5"), "faces[5].id:", "faces[4]"),
    "starting face twice": (_set("faces", 5, "id", to="start"), "faces[5].id:", "starting_face"),
    "same drawing": (_same_face_under_another_id, "faces[18]:", "faces[2]"),
    "same drawing from behind": (_back_under_another_id, "faces[18]:", "faces[2]"),
    "badge": (_set("badge_mm", to=18.5), "faces[0].shapes[0]:", "badge"),
    "width": (_set("card", "width_mm", to=0), "card.width_mm:", "above zero"),
    "height": (_set("card", "height_mm", to=-89), "card.height_mm:", "above zero"),
    "radius": (_set("card", "corner_radius_mm", to=0), "card.corner_radius_mm:", "above zero"),
    "inset": (_set("card", "frame_inset_mm", to=-1), "card.frame_inset_mm:", "above zero"),
    "line": (_set("card", "line_mm", to=0.0), "card.line_mm:", "above zero"),
    "thickness": (_set("card", "thickness_mm", to=-0.1), "card.thickness_mm:", "above zero"),
    "dot": (_set("dot_diameter_mm", to=0), "dot_diameter_mm:", "above zero"),
    "badge length": (_set("badge_mm", to=-3), "badge_mm:", "above zero"),
    # what else cannot be
    "no frame left": (_set("card", "frame_inset_mm", to=29.1), "card.frame_inset_mm:", "inside"),
    "too round": (_set("card", "corner_radius_mm", to=30), "card.corner_radius_mm:", "rounder"),
    "past the edge": (
        _set("faces", 0, "shapes", 1, "outline_mm", to=_square(10.6, -41)),
        "faces[0].shapes[1].outline_mm:",
        "past the card's edge",
    ),
    "crossed outline": (
        _set("faces", 0, "shapes", 1, "outline_mm", to=[[0, -40], [25, -16], [25, -40], [0, -16]]),
        "faces[0].shapes[1].outline_mm:",
        "crosses itself",
    ),
    "dented outline": (
        _set("faces", 0, "shapes", 1, "outline_mm", to=[[0, -40], [25, -40], [8, -32], [0, -16]]),
        "faces[0].shapes[1].outline_mm:",
        "dented",
    ),
    "dot on dot": (_second_dot_on_first, "faces[3].shapes[2].dots_mm[1]:", "another"),
    "colour twice": (_set("colours", 2, "name", to="blue"), "colours[2]:", "colours[0]"),
    "starting colour twice": (_set("colours", 2, "name", to="white"), "colours[2]:", "starting"),
    # types and structure
    "format": (_set("format", to="tacta-deck/2"), "format:", "'tacta-deck/2'"),
    "no format": (_drop("format"), "format:", "null"),
    "no name": (_drop("name"), "name:", "missing"),
    "empty name": (_set("name", to=" "), "name:", "short text"),
    "no faces": (_set("faces", to=[]), "faces:", "empty"),
    "faces no list": (_set("faces", to={}), "faces:", "expected a list"),
    "too many faces": (_set("faces", to=[{}] * 201), "faces:", "at most 200"),
    "face no object": (_set("faces", 7, to="circle-2"), "faces[7]:", "expected an object"),
    "no card": (_drop("card"), "card:", "missing"),
    "card no object": (_set("card", to=[58, 89]), "card:", "a list of 2"),
    "no thickness": (_drop("card", "thickness_mm"), "card.thickness_mm:", "missing"),
    "text for a length": (_set("card", "width_mm", to="58"), "card.width_mm:", "a number"),
    "true for a length": (_set("card", "width_mm", to=True), "card.width_mm:", "True"),
    "NaN": (_set("card", "width_mm", to=float("nan")), "card.width_mm:", "nan"),
    "infinite": (_set("dot_diameter_mm", to=float("inf")), "dot_diameter_mm:", "inf"),
    "huge": (_set("badge_mm", to=10**400), "badge_mm:", "a very large number"),
    "NaN in a point": (
        _set("faces", 1, "shapes", 0, "outline_mm", 2, to=[float("nan"), 0]),
        "faces[1].shapes[0].outline_mm[2][0]:",
        "nan",
    ),
    "point of three": (
        _set("faces", 1, "shapes", 0, "outline_mm", 2, to=[1, 2, 3]),
        "faces[1].shapes[0].outline_mm[2]:",
        "a point",
    ),
    "triangle of four": (
        _set("faces", 1, "shapes", 0, "outline_mm", to=_square(0, 0)),
        "faces[1].shapes[0].outline_mm:",
        "3 corners",
    ),
    "outline of two": (
        _set("faces", 1, "shapes", 0, "outline_mm", to=[[0, 0], [1, 1]]),
        "faces[1].shapes[0].outline_mm:",
        "at least 3",
    ),
    "kind": (_set("faces", 1, "shapes", 0, "kind", to="circle"), "faces[1].shapes[0].kind:", "'c"),
    "kind no text": (_set("faces", 1, "shapes", 0, "kind", to=[]), "faces[1].shapes[0].kind:", ""),
    "no outline": (
        _drop("faces", 1, "shapes", 0, "outline_mm"),
        "faces[1].shapes[0].outline_mm:",
        "missing",
    ),
    "suit": (_set("faces", 1, "suit", to="star"), "faces[1].suit:", "'star'"),
    "no suit": (_set("faces", 1, "suit", to=None), "faces[1].suit:", "null"),
    "suit no text": (_set("faces", 1, "suit", to=["circle"]), "faces[1].suit:", "a list of 1"),
    "half a dot": (_set("faces", 1, "value", to=1.5), "faces[1].value:", "whole number"),
    "true dots": (_set("faces", 1, "value", to=True), "faces[1].value:", "True"),
    "fewer than no dots": (_set("faces", 1, "value", to=-1), "faces[1].value:", "-1"),
    "hex": (_set("colours", 0, "hex", to="0d93d0"), "colours[0].hex:", "'#0d93d0'"),
    "hex digits": (_set("colours", 0, "hex", to="#0d93g0"), "colours[0].hex:", "'#0d93g0'"),
    "symbol": (_set("colours", 0, "symbol_mm", 0, to=[[0, 0]]), "colours[0].symbol_mm[0]:", "1"),
    "no symbol": (_set("colours", 0, "symbol_mm", to=[]), "colours[0].symbol_mm:", "empty"),
    "no starting face": (_drop("starting_face"), "starting_face:", "missing"),
    "starting value": (_set("starting_face", "value", to=2), "starting_face.value:", "0 dots"),
    "band": (_set("art", "band", to="yes"), "art.band:", "true or false"),
    "art dots": (_set("art", "dots", to="black"), "art.dots:", "'black'"),
    "no art lines": (_drop("art", "lines"), "art.lines:", "missing"),
}


@pytest.mark.parametrize(("spoil", "place", "why"), FAULTS.values(), ids=FAULTS.keys())
def test_a_faulty_deck_is_refused_with_the_place(
    data: dict[str, Any], spoil: Spoil, place: str, why: str
) -> None:
    spoil(data)
    with pytest.raises(DeckError) as refused:
        parse_deck(data)
    sentence = str(refused.value)
    assert sentence.startswith(place)
    assert why in sentence
    assert "\n" not in sentence
    assert len(sentence) < 160


@pytest.mark.parametrize("decoded", [None, [], "deck", 3, True])
def test_what_is_no_object_is_refused(decoded: object) -> None:
    with pytest.raises(DeckError, match="the deck: expected an object"):
        parse_deck(decoded)


def test_shapes_may_share_a_twentieth_of_the_smaller_one(data: dict[str, Any]) -> None:
    triangle = data["faces"][0]["shapes"][0]["outline_mm"]
    square = data["faces"][0]["shapes"][1]["outline_mm"]
    for corner in square:
        corner[0] -= 25.702  # to the left edge: from x -25.6, y down to -15.502
    for corner in triangle:
        corner[1] -= 4.6
    data["faces"][0]["shapes"][0]["dots_mm"][0][1] -= 4.6
    with pytest.raises(DeckError, match=r"faces\[0\].shapes\[1\]: .* 6% of the smaller"):
        parse_deck(data)
    for corner in triangle:
        corner[1] += 0.7
    parse_deck(data)


def test_the_starting_face_s_shapes_may_overlap(data: dict[str, Any]) -> None:
    """Any card fits it: its shapes may lie over one another and under its badge."""
    shapes = data["starting_face"]["shapes"]
    shapes[1] = copy.deepcopy(shapes[0])
    shapes[1]["outline_mm"][0][0] *= 0.9
    shapes.append({"kind": "square", "outline_mm": _square(-12.0, -12.0)})
    assert len(parse_deck(data).starting_face.shapes) == len(shapes)
    data["faces"][0]["shapes"].append(shapes[-1])
    with pytest.raises(DeckError, match=r"faces\[0\].shapes\[\d\]: .*(badge|overlaps)"):
        parse_deck(data)


def test_the_starting_face_s_shapes_must_lie_on_the_card(data: dict[str, Any]) -> None:
    data["starting_face"]["shapes"][0]["outline_mm"][0][0] += 80
    with pytest.raises(DeckError, match=r"starting_face.shapes\[0\].outline_mm:"):
        parse_deck(data)


FILES = {
    "missing": (None, "cannot be read: No such file"),
    "empty": (b"", "is not JSON: line 1"),
    "not JSON": (b'{"format": \n "tacta-deck/1",}', "is not JSON: line 2"),
    "a picture": (b"\xff\xd8\xff\xe0 JFIF", "is not UTF-8 text"),
    "nested": (b"[" * 200_000, "is nested too deeply"),
    "long number": (b"1" * 100_000, "thousands of digits"),
    "huge": (b" " * 1_000_001, "is larger than 1,000,000 bytes"),
    "another format": (b'{"format": "tacta-reading/1"}', "format: expected 'tacta-deck/1'"),
}


@pytest.mark.parametrize(("content", "why"), FILES.values(), ids=FILES.keys())
def test_a_file_that_is_no_deck_is_refused(tmp_path: Path, content: bytes | None, why: str) -> None:
    path = tmp_path / "my deck.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(DeckError) as refused:
        load_deck(path)
    assert f"deck file {path}" in str(refused.value)
    assert why in str(refused.value)


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match="cannot be read"):
        load_deck(tmp_path)


@pytest.mark.parametrize(
    ("onto_line", "refused"), [(0.45, False), (0.55, True)], ids=["on its line", "beyond it"]
)
def test_a_dot_may_lie_on_its_shape_s_line(
    data: dict[str, Any], onto_line: float, refused: bool
) -> None:
    """`onto_line`: how far past the line's middle it reaches, mm; half the line is 0.45 mm."""
    shape = data["faces"][3]["shapes"][2]
    x = max(x for x, _ in shape["outline_mm"]) - data["dot_diameter_mm"] / 2 + onto_line
    shape["dots_mm"][1] = [x, shape["dots_mm"][1][1]]
    if refused:
        with pytest.raises(DeckError, match="partly outside"):
            parse_deck(data)
    else:
        assert parse_deck(data).faces[3].shapes[2].dots_mm[1][0] == x
