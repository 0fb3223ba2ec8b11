"""Photos on their way: a slow one holds up nobody, each has its place, and can be taken back."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.rig.service.matches.match_steps import begin
from tests.rig.service.table_top import TableTop, jpeg, table_top

LATER = {"Prefer": "respond-async"}
SOON_S = 20.0


@pytest.fixture
def roomy(tmp_path: Path) -> Iterator[TableTop]:
    with table_top(tmp_path / "rig", with_spare=True) as found:
        yield found


def until_read(rig: TableTop, frame: str, within_s: float) -> dict[str, Any]:
    ends = time.monotonic() + within_s
    while time.monotonic() < ends:
        document: dict[str, Any] = rig.get(f"/frames/{frame}").json()
        if document["state"] == "read":
            return document
        time.sleep(0.02)
    raise AssertionError(f"{frame} is not read within {within_s} s")


def test_a_slow_picture_does_not_hold_up_a_quick_one(roomy: TableTop) -> None:
    roomy.reader.may_end.clear()
    slow = roomy.upload(jpeg(1), **LATER).json()
    begun = time.monotonic()
    quick = roomy.upload(jpeg(2), **LATER).json()
    until_read(roomy, quick["id"], SOON_S)
    assert time.monotonic() - begun < SOON_S
    another = roomy.upload(jpeg(3), **LATER).json()
    until_read(roomy, another["id"], SOON_S)
    assert roomy.get(f"/frames/{slow['id']}").json()["state"] == "reading"
    roomy.reader.may_end.set()
    until_read(roomy, slow["id"], SOON_S)


def test_each_photo_knows_its_place_and_can_be_taken_back(rig: TableTop) -> None:
    rig.reader.may_end.clear()
    first = rig.upload(jpeg(1), **LATER).json()["id"]
    while rig.get(f"/frames/{first}").json()["state"] != "reading":
        time.sleep(0.01)
    ids = [rig.upload(jpeg(seed), **LATER).json()["id"] for seed in (2, 3, 4)]
    places = [rig.get(f"/frames/{one}").json()["place"] for one in (first, *ids)]
    assert places[0] is None
    assert max(place for place in places if place is not None) == len(places[1:])
    gone = rig.post(f"/frames/{ids[1]}/cancel")
    assert gone.status_code == 204
    assert rig.get(f"/frames/{ids[1]}").status_code == 404
    rig.reader.may_end.set()
    until_read(rig, ids[2], SOON_S)
    late = rig.post(f"/frames/{ids[2]}/cancel")
    assert (late.status_code, late.json()["code"]) == (409, "already-read")
    assert rig.post("/frames/abc/cancel").status_code == 404


def test_photos_list_what_they_came_to(rig: TableTop) -> None:
    frame = rig.frame(1)
    reading = rig.get(f"/frames/{frame}/reading").json()
    (listed,) = rig.get("/frames").json()["frames"]
    assert listed["summary"] == {
        "scores_without_illegal": reading["scores_without_illegal"],
        "sure": reading["sure_without_illegal"],
        "open": len(reading["doubts"]) + len(reading["illegal"]),
    }
    rig.correct(frame, reading["version"], kind="verdict", card=19, legal=False)
    (after,) = rig.get("/frames").json()["frames"]
    assert after["summary"]["open"] == listed["summary"]["open"] - 1


def test_photos_of_a_match(rig: TableTop) -> None:
    frame, _ = rig.frame(1), rig.frame(2)
    match = begin(rig)
    rig.post(f"/matches/{match}/rounds")
    assert rig.get(f"/frames?match={match}").json()["frames"] == []
    rig.post(f"/matches/{match}/rounds/1/end", {"frame": frame})
    assert [one["id"] for one in rig.get(f"/frames?match={match}").json()["frames"]] == [frame]


def test_a_round_is_seen_before_it_ends(rig: TableTop) -> None:
    match = begin(rig, limited_space=True)
    rig.post(f"/matches/{match}/rounds")
    frame = rig.frame(1)
    seen = rig.get(f"/matches/{match}/rounds/1/preview?frame={frame}").json()
    assert (seen["state"], seen["frame"], seen["sure"]) == ("open", frame, False)
    assert seen["missing"]
    assert rig.get(f"/matches/{match}/rounds/1").json()["frame"] is None
    ended = rig.post(f"/matches/{match}/rounds/1/end", {"frame": frame}).json()
    assert (ended["sides"], ended["missing"]) == (seen["sides"], seen["missing"])
    unknown = rig.get(f"/matches/{match}/rounds/1/preview?frame=abc")
    assert unknown.json()["code"] == "frame-unknown"
