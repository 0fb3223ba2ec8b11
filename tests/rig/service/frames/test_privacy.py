"""What the service keeps of a photo, and what it deletes for good."""

from __future__ import annotations

import hashlib
import io
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from measuring.scenes.true_reading import true_reading
from rig.photo.damage_signs import Damage
from rig.photo.damaged_reading import with_damage
from rig.processes.killable import Stopped
from rig.service.access.pairing import Role
from rig.service.frames.blurring import Blurring
from rig.service.frames.reader import SeenText, Unread
from rig.service.pictures.picture_maker import PictureMaker
from rig.store.layout import BLURRING
from rig.store.seen_json import seen_text
from tests.rig.photo.private_pictures import SECRETS, told
from tests.rig.service.table_top import TableTop, table_top
from tests.scenes import SCENES, scene

PHOTO = (SCENES / "two-walnut" / "image.jpg").read_bytes()
OTHER = (SCENES / "phone-oak" / "image.jpg").read_bytes()


@pytest.fixture
def blurring_rig(tmp_path: Path) -> Iterator[TableTop]:
    with table_top(tmp_path / "rig", blur=True) as found:
        yield found


def kept_bytes(rig: TableTop) -> bytes:
    return b"".join(path.read_bytes() for path in rig.store.folder.rglob("*") if path.is_file())


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


def test_what_lies_round_the_table_is_blurred_once_the_reading_is_kept(
    blurring_rig: TableTop,
) -> None:
    rig = blurring_rig
    rig.reader.may_end.clear()
    headers = {"Prefer": "respond-async"}
    frame = rig.upload(PHOTO, **headers).json()["id"]
    before = rig.get(f"/frames/{frame}/picture")
    assert before.content == PHOTO
    small = rig.get(f"/frames/{frame}/picture?width=640")
    assert small.status_code == 200, small.text
    rig.reader.may_end.set()
    answered = rig.upload(PHOTO)  # the same again, which waits for its reading
    assert (answered.status_code, answered.json()["id"]) == (200, frame)
    after = rig.get(f"/frames/{frame}/picture", **{"If-None-Match": before.headers["etag"]})
    assert after.status_code == 200
    assert after.content != PHOTO
    document = rig.get(f"/frames/{frame}").json()
    assert document["reading"]["version"] == document["version"]
    assert document["sha256"] == hashlib.sha256(after.content).hexdigest()
    assert rig.upload(PHOTO).json()["id"] == frame
    kept = kept_bytes(rig)
    assert PHOTO[1000:2000] not in kept
    scene_file = zipfile.ZipFile(io.BytesIO(rig.get(f"/frames/{frame}/scene.zip").content))
    names = [name for name in scene_file.namelist() if name.endswith(".jpg")]
    assert all(scene_file.read(name)[1000:2000] != PHOTO[1000:2000] for name in names)
    assert names
    assert rig.get(f"/frames/{frame}/overlay").status_code == 200
    made = rig.correct(frame, document["version"], kind="verdict", card=5, legal=False)
    assert made.status_code == 201, made.text


@pytest.mark.parametrize("damage", [Damage(plain=("cut off",)), Damage(unchecked=True)])
def test_a_photo_that_was_not_read_or_may_be_damaged_stays_as_it_came(
    blurring_rig: TableTop, damage: Damage
) -> None:
    rig = blurring_rig
    rig.reader.outcome = Unread("table-not-seen", {"name": "a", "why": "no"}, "No.", not_seen=True)
    frame = rig.upload(PHOTO).json()["id"]
    assert rig.get(f"/frames/{frame}/picture").content == PHOTO
    truth = scene("two-walnut").truth
    damaged = with_damage(true_reading(truth), damage, (9, 9), truth.rules)
    rig.reader.outcome = SeenText(seen_text(damaged.seen))
    assert rig.upload(PHOTO).json()["id"] == frame
    assert rig.get(f"/frames/{frame}").json()["state"] == "read"
    assert rig.get(f"/frames/{frame}/picture").content == PHOTO


def test_what_a_stop_left_unblurred_is_blurred_at_the_next_start(tmp_path: Path) -> None:
    with table_top(tmp_path / "rig") as rig:
        frame = rig.upload(PHOTO).json()["id"]
        assert rig.get(f"/frames/{frame}/picture").content == PHOTO
    with table_top(tmp_path / "rig", blur=True) as rig:
        rig.blurring.blur_what_is_left()
        blurred = rig.get(f"/frames/{frame}/picture").content
        assert blurred != PHOTO
        rig.blurring.blur_what_is_left()
        assert rig.get(f"/frames/{frame}/picture").content == blurred


def test_blurring_ends_when_the_rig_stops(tmp_path: Path) -> None:
    """Of many photos that are left none holds the stop up, and none is lost."""
    asked = []

    class StoppedMaker(PictureMaker):
        def make(self, task: str, *arguments: Any, in_front: bool = True) -> Any:
            asked.append(task)
            raise Stopped

    with table_top(tmp_path / "rig") as rig:
        frames = [rig.frame(seed) for seed in range(3)]
        blurring = Blurring(rig.store, StoppedMaker(), rig.events, at_start=True)
        blurring.blur_what_is_left()
        assert asked == ["blurred"]
        blurring.close()
        found = rig.store.frames.read_as_they_came()
        assert sorted(found) == sorted(frames)


def until_blurred(rig: TableTop, frame: str) -> bytes:
    ends = time.monotonic() + 30
    while time.monotonic() < ends:
        content: bytes = rig.get(f"/frames/{frame}/picture").content
        if content != PHOTO:
            return content
        time.sleep(0.05)
    raise AssertionError("it is not blurred")


def test_who_runs_the_table_has_the_surroundings_blurred(tmp_path: Path) -> None:
    with table_top(tmp_path / "rig") as rig:
        frame = rig.upload(PHOTO).json()["id"]
        scores = rig.get(f"/frames/{frame}").json()["reading"]["scores"]
        assert rig.get("/setup").json()["blurring"] is False
        chosen = rig.put("/setup/blurring", {"blurring": True})
        assert (chosen.status_code, chosen.json()["blurring"]) == (200, True)
        blurred = until_blurred(rig, frame)
        assert rig.get(f"/frames/{frame}").json()["reading"]["scores"] == scores
    with table_top(tmp_path / "rig") as rig:  # kept over a stop
        assert rig.get("/setup").json()["blurring"] is True
        assert rig.put("/setup/blurring", {"blurring": False}).json()["blurring"] is False
        assert rig.get(f"/frames/{frame}/picture").content == blurred
        other = rig.upload(OTHER).json()["id"]
        assert rig.get(f"/frames/{other}/picture").content == OTHER
    with table_top(tmp_path / "rig", blur=True) as rig:  # what was chosen goes before the start's
        assert rig.get("/setup").json()["blurring"] is False
        assert rig.get(f"/frames/{other}/picture").content == OTHER
        (tmp_path / "rig" / BLURRING).write_text("garbage")
        assert rig.get("/setup").json()["blurring"] is True


def test_only_a_person_who_runs_the_table_chooses(network_rig: TableTop) -> None:
    rig = network_rig
    asked: tuple[tuple[Role, int], ...] = (("admin", 200), ("player", 403))
    for role, wanted in asked:
        rig.client.cookies.clear()
        secret = rig.pairing.invite(role).code
        assert rig.post("/pairing", {"secret": secret, "name": role}).status_code == 201
        assert rig.put("/setup/blurring", {"blurring": False}).status_code == wanted


def test_what_a_backup_brings_back_is_blurred(tmp_path: Path) -> None:
    with table_top(tmp_path / "rig") as rig:
        frame = rig.upload(PHOTO).json()["id"]
        name = rig.post("/backups").json()["name"]
        rig.put("/setup/blurring", {"blurring": True})
        blurred = until_blurred(rig, frame)
        path = f"/backups/{name}/restore"
        assert rig.post(path, {"dry_run": False}).json()["photos"] == 0
        assert rig.get(f"/frames/{frame}/picture").content == blurred
        assert rig.delete(f"/frames/{frame}").status_code == 204
        assert rig.post(path, {"dry_run": False}).json()["photos"] == 1
        assert until_blurred(rig, frame) == blurred
        assert rig.get("/state").json()["problems"] == []
        rig.delete(f"/backups/{name}")
        assert PHOTO[1000:2000] not in kept_bytes(rig)
