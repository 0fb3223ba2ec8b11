"""What a replay looks like: the plan shows the cards as they lie, the film every step."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from geometry.deck_file import published_deck
from geometry.layout import Card, Layout
from geometry.pose import Pose
from rig.replay import film as filming
from rig.replay.film import FilmTooLarge, NothingToReplay, film
from rig.replay.photos import photos_in
from rig.replay.picture import Sheet, step_picture
from rig.replay.plan import GROUND_RGB, draw_plan, mark, window_on
from rig.replay.record import GameRecord
from rig.replay.steps import said_at, steps_of
from rig.trouble import PhotoTrouble
from tests.rig.replay.games import eventful, followed

DECK = published_deck()
SIZE = (400, 300)


def _card(mirrored: bool, angle: float = 30.0) -> Card:
    return Card(1, "red", "circle-3", Pose(200.0, 100.0, angle, mirrored))


def _at(card: Card, points_mm: object, window: object) -> np.ndarray:
    matrix = window.matrix(card.pose)  # type: ignore[attr-defined]
    return np.asarray(np.asarray(points_mm) @ matrix[:, :2].T + matrix[:, 2])


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("angle", [0.0, 30.0, 200.0])
def test_the_plan_shows_shapes_and_dots_where_they_lie(mirrored: bool, angle: float) -> None:
    card = _card(mirrored, angle)
    table = Layout(DECK, (card,))
    window = window_on([table], (600, 600))
    plan = draw_plan(table, window)
    red = [int(DECK.colour("red").hex[k : k + 2], 16) for k in (5, 3, 1)]
    for shape in DECK.face(card.face).shapes:
        for x, y in np.round(_at(card, shape.dots_mm or np.empty((0, 2)), window)).astype(int):
            assert plan[y, x].min() > 200
        middle = np.mean(shape.outline_mm, axis=0)
        near = 0.7 * np.array(shape.outline_mm) + 0.3 * middle  # beside its dots
        for x, y in np.round(_at(card, near, window)).astype(int):
            is_red = bool(np.abs(plan[y, x].astype(int) - red).max() < 40)
            assert is_red == shape.filled


def test_a_card_covers_those_below_it() -> None:
    pose = Pose(200.0, 100.0, 0.0)
    below, above = Card(1, "red", "circle-3", pose), Card(2, "blue", "circle-3", pose)
    tables = [Layout(DECK, cards) for cards in ((below,), (above,), (below, above))]
    window = window_on(tables, SIZE)
    red, blue, both = (draw_plan(table, window).astype(int) for table in tables)
    # Where an edge covers a pixel in part, what lies below it shows through.
    assert np.abs(both - blue).mean() < 0.2 * np.abs(red - blue).mean()
    assert (both != red).any()


def test_the_window_shows_all_cards_of_all_tables() -> None:
    tables = [Layout(DECK, (replace(_card(False), pose=Pose(x, 3.0 * x, x)),)) for x in (0, 500)]
    window = window_on(tables, SIZE)
    for table in tables:
        corners = _at(table.cards[0], DECK.card.corners_mm, window)
        assert corners.min() > 0
        assert (corners.max(axis=0) < SIZE).all()
        plan = draw_plan(table, window)
        edge = np.concatenate([plan[0], plan[-1], plan[:, 0], plan[:, -1]])
        assert (edge == GROUND_RGB[::-1]).all()


def test_a_marked_card_has_a_line_round_it() -> None:
    table = Layout(DECK, (_card(False),))
    window = window_on([table], SIZE)
    plan = draw_plan(table, window)
    mark(plan, table.cards[0], DECK, window, (1, 254, 1))
    (x, y), *_ = np.round(_at(table.cards[0], [(0.0, -DECK.card.height_mm / 2)], window))
    assert tuple(plan[int(y), int(x)]) == (1, 254, 1)


def test_steps_say_what_happened_and_count_all_colours() -> None:
    record = eventful()
    steps = steps_of(record)
    assert [step.number for step in steps] == list(range(1, len(record.events) + 2))
    assert {tuple(step.scores) for step in steps} == {tuple(steps[-1].scores)}
    lines = list(said_at(steps))
    assert lines[0].startswith("1: the starting card lies there")
    bad = next(step for step in steps if step.sign == "illegal")
    assert "NOT ALLOWED" in bad.said or "is laid" in bad.said
    assert "not sure yet" in bad.said
    assert any("it stays: Bo ruled so" in line for line in lines)
    assert "not sure: a person should look" in lines[-1]
    assert steps[-1].scores["blue" if "blue" in steps[-1].scores else "red"] >= 0
    french = steps_of(record, "fr")
    assert french[0].said == "la carte de départ est posée"


def _frames(webp: bytes) -> list[np.ndarray]:
    picture = Image.open(io.BytesIO(webp))
    found = []
    for number in range(getattr(picture, "n_frames", 1)):
        picture.seek(number)
        found.append(np.asarray(picture.convert("RGB"), np.int16))
    return found


def test_the_film_shows_every_step() -> None:
    record = followed()
    webp = film(record)
    assert len(webp) < 5_000_000
    frames = _frames(webp)
    steps = steps_of(record)
    assert len(frames) == len(steps) == len(record.events) + 1
    sheet = Sheet(record.deck, (960, 720), max(max(s.scores.values()) for s in steps), len(steps))
    window = window_on([step.table for step in steps], sheet.view_wh)
    for frame, step in zip(frames, steps, strict=True):
        assert np.abs(frame - step_picture(step, sheet, window)).mean() < 4


def test_illegal_cards_and_the_end_are_shown_for_longer() -> None:
    picture = Image.open(io.BytesIO(film(eventful())))
    shown = []
    for number in range(picture.n_frames):  # type: ignore[attr-defined]
        picture.seek(number)
        picture.load()
        shown.append(picture.info["duration"])
    assert shown[0] == filming.LEGAL_MS
    assert shown[-7] == filming.LOOK_MS
    assert shown[-1] == filming.END_MS


def test_a_long_film_is_made_smaller_until_it_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    record = replace(followed(), events=followed().events[:3])
    whole = film(record)
    monkeypatch.setattr(filming, "MOST_BYTES", len(whole) - 1)
    less = film(record)
    assert len(less) < len(whole)
    monkeypatch.setattr(filming, "MOST_BYTES", 1000)
    with pytest.raises(FilmTooLarge):
        film(record)


def test_of_a_game_in_which_nothing_happened_there_is_no_film() -> None:
    with pytest.raises(NothingToReplay):
        film(GameRecord(DECK))


def test_photographs_are_shown_where_there_are_any(tmp_path: Path) -> None:
    record = followed()
    grey = np.full((300, 200, 3), 90, np.uint8)
    cv2.imwrite(str(tmp_path / "003.jpg"), grey)
    photos = photos_in(tmp_path)
    shown, drawn = _frames(film(record, photos))[2:4]
    assert abs(int(shown[300, 300, 0]) - 90) < 4
    assert (shown[300, 10] < 10).all()  # beside an upright photograph nothing
    assert np.abs(drawn - _frames(film(record))[3]).mean() < 1


def test_only_the_folder_is_looked_in_and_what_is_no_photograph_is_told(tmp_path: Path) -> None:
    inside = tmp_path / "photos"
    inside.mkdir()
    cv2.imwrite(str(tmp_path / "003.jpg"), np.zeros((20, 20, 3), np.uint8))
    photos = photos_in(inside)
    assert photos("../003.jpg") is None
    assert photos(str(tmp_path / "003.jpg")) is None
    (inside / "004.jpg").write_bytes(b"no photograph")
    with pytest.raises(PhotoTrouble):
        photos("004.jpg")
