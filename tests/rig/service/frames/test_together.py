"""Frames of one table, read as one by `POST /frames/{id}/together`."""

from __future__ import annotations

from typing import Any

import pytest

from rig.service.frames.reader import SeenText
from rig.store.seen_json import seen_text
from tests.rig.service.table_top import TableTop, jpeg
from tests.vision.together.photographed import SIZE, camera, photographed, table, washed
from vision.together.photographs import Photograph

TABLE = table()
LEFT, RIGHT = camera(TABLE, (-300, 100, 900)), camera(TABLE, (300, -50, 950))


def uploaded(rig: TableTop, seed: int, photo: Photograph) -> dict[str, Any]:
    """A frame whose reading is this photograph's."""
    rig.reader.outcome = SeenText(seen_text(photo.reading.seen))
    answer = rig.upload(jpeg(seed, SIZE), name=f"{seed}.jpg")
    assert answer.status_code == 201
    document: dict[str, Any] = answer.json()
    return document


@pytest.fixture
def frames(rig: TableTop) -> tuple[dict[str, Any], dict[str, Any]]:
    first = uploaded(rig, 1, photographed(TABLE, LEFT, doubts=washed(TABLE, 3)))
    second = uploaded(
        rig, 2, photographed(TABLE, RIGHT, doubts=washed(TABLE, 9), turn_deg=75, seed=1)
    )
    return first, second


def asked(frame: dict[str, Any], *others: str) -> dict[str, Any]:
    return {"version": frame["version"], "frames": list(others)}


def test_two_frames_read_as_one_are_sure_and_are_kept_so(
    rig: TableTop, frames: tuple[dict[str, Any], dict[str, Any]]
) -> None:
    first, second = frames
    assert not first["reading"]["sure"]
    assert not second["reading"]["sure"]
    here = f"/frames/{first['id']}"
    answer = rig.post(f"{here}/together", asked(first, second["id"]))
    assert answer.status_code == 200
    reading = answer.json()
    assert reading["sure"]
    assert reading["photos"] == ["1.jpg", "2.jpg"]
    assert reading["together"] == [first["id"], second["id"]]
    assert reading["version"] > first["version"]
    assert rig.get(f"{here}/reading").json() == reading
    assert rig.get(f"{here}/overlay").status_code == 200
    assert rig.get(f"/frames/{second['id']}/reading").json() == second["reading"]
    alone = rig.post(f"{here}/together", asked({**first, "version": reading["version"]})).json()
    assert alone["together"] is None
    assert alone["doubts"] == first["reading"]["doubts"]


def test_frames_are_joined_from_what_each_shows_alone(
    rig: TableTop, frames: tuple[dict[str, Any], dict[str, Any]]
) -> None:
    """A copy of the second does not settle what both leave open, by way of the first."""
    first = uploaded(rig, 3, photographed(TABLE, LEFT, doubts=washed(TABLE, 9), seed=4))
    _, second = frames
    joint = rig.post(f"/frames/{first['id']}/together", asked(first, second["id"])).json()
    assert not joint["sure"]
    copy = uploaded(rig, 4, photographed(TABLE, RIGHT, seed=2))
    again = rig.post(f"/frames/{copy['id']}/together", asked(copy, first["id"], second["id"]))
    assert not again.json()["sure"]


def test_corrections_of_the_first_frame_stand(
    rig: TableTop, frames: tuple[dict[str, Any], dict[str, Any]]
) -> None:
    first, second = frames
    here = f"/frames/{first['id']}"
    card = first["reading"]["cards"][-1]
    colour = next(one for one in ("red", "blue", "green") if one != card["colour"])
    correction = {"kind": "colour", "card": card["id"], "colour": colour}
    made = rig.post(
        f"{here}/corrections", {"version": first["version"], "correction": correction}
    ).json()
    version = made["reading"]["version"]
    reading = rig.post(f"{here}/together", {"version": version, "frames": [second["id"]]}).json()
    corrected = next(one for one in reading["cards"] if one["id"] == card["id"])
    assert corrected["colour"] == colour
    assert reading["corrections"] == 1


def test_a_frame_of_another_table_is_named_and_nothing_changes(
    rig: TableTop, frames: tuple[dict[str, Any], dict[str, Any]]
) -> None:
    first, second = frames
    other = uploaded(rig, 5, photographed(table(8), RIGHT))
    wish = asked(first, second["id"], other["id"])
    answer = rig.post(f"/frames/{first['id']}/together", wish)
    assert answer.status_code == 409
    assert answer.json()["code"] == "frames-apart"
    assert "5.jpg" in answer.json()["message"]
    assert rig.get(f"/frames/{first['id']}/reading").json() == first["reading"]
    old = {**wish, "version": first["version"] - 1, "frames": [second["id"]]}
    assert rig.post(f"/frames/{first['id']}/together", old).json()["code"] == "version-conflict"
    unknown = rig.post(f"/frames/{first['id']}/together", asked(first, "abcdef"))
    assert unknown.status_code == 404
