"""What the service keeps of a photo, and what it deletes for good."""

from __future__ import annotations

from tests.rig.service.table_top import TableTop
from tests.rig.test_photo_privacy import SECRETS, told


def kept_bytes(rig: TableTop) -> bytes:
    return b"".join(
        path.read_bytes() for path in rig.desk.store.folder.rglob("*") if path.is_file()
    )


def test_nothing_that_tells_on_people_is_kept(rig: TableTop) -> None:
    for kind in ("JPEG", "HEIF"):
        first = rig.upload(told(kind))
        assert first.status_code == 201, first.text
        again = rig.upload(told(kind))
        assert (again.status_code, again.json()["id"]) == (200, first.json()["id"])
    assert [secret for secret in SECRETS if secret in kept_bytes(rig)] == []
    frame = first.json()["id"]
    picture = rig.get(f"/frames/{frame}/picture")
    assert "immutable" not in picture.headers["cache-control"]
    assert rig.delete(f"/frames/{frame}").status_code == 204
    asked = rig.get(f"/frames/{frame}/picture", **{"If-None-Match": picture.headers["etag"]})
    assert asked.status_code == 404


def test_a_round_and_a_match_are_deleted_for_good(rig: TableTop) -> None:
    players = [{"name": "Ada Lovelace", "colour": "red"}, {"name": "Bob", "colour": "pink"}]
    match = rig.post("/matches", {"players": players}).json()["id"]
    frame, other = rig.frame(1), rig.frame(2)
    for number, shown in enumerate((frame, other), start=1):
        rig.post(f"/matches/{match}/rounds")
        rig.post(f"/matches/{match}/rounds/{number}/end", {"frame": shown})
    assert rig.delete(f"/frames/{frame}").status_code == 409
    assert rig.delete(f"/matches/{match}/rounds/1").json()["code"] == "round-not-last"
    left = rig.delete(f"/matches/{match}/rounds/1?for_good=true").json()
    assert [(one["what"], one["round"]) for one in left["history"]] == [("deleted", 1)]
    assert rig.delete(f"/frames/{frame}").status_code == 204
    assert rig.get(f"/matches/{match}/rounds/1").json()["code"] == "round-unknown"
    assert rig.post(f"/matches/{match}/rounds").json()["number"] == 3
    assert rig.delete(f"/matches/{match}").status_code == 204
    assert rig.get(f"/matches/{match}").json()["code"] == "match-unknown"
    assert rig.delete(f"/frames/{other}").status_code == 204
    assert b"Lovelace" not in kept_bytes(rig)
    assert rig.delete(f"/matches/{match}").status_code == 404
