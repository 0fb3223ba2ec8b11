from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib

import cv2
import numpy as np
import pytest
from PIL import Image

from measuring.scenes.truth import parse_truth
from rig.cameras.camera import Still
from rig.service.frames.reader import Unread
from rig.store.store import PICTURES
from rig.store.trouble import StoreFull
from rig.trouble import Trouble
from tests.rig.service.table_top import API, WRITE, TableTop, jpeg
from tests.scenes import SCENES, scene


def png(width: int, height: int) -> bytes:
    """A PNG of any size in a few bytes; nothing of it can be decoded."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        checked = kind + data
        return struct.pack(">I", len(data)) + checked + struct.pack(">I", zlib.crc32(checked))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")


def gif() -> bytes:
    data = io.BytesIO()
    Image.new("L", (8, 8)).save(data, "GIF")
    return data.getvalue()


def test_an_uploaded_photo_is_kept_and_read(rig: TableTop) -> None:
    answer = rig.upload(name="C:\\photos\\tonight.jpg")
    assert answer.status_code == 201
    document = answer.json()
    assert answer.headers["location"] == document["links"]["self"]
    assert (document["name"], document["state"], document["is_new"]) == (
        "tonight.jpg",
        "read",
        True,
    )
    assert document["reading"]["scores"] == scene("two-walnut").truth.scores
    assert rig.get(f"/frames/{document['id']}").json()["reading"] == document["reading"]
    assert rig.get(f"/frames/{document['id']}/reading").json() == document["reading"]
    assert rig.get(f"/frames/{document['id']}/picture").content == jpeg()


def test_respond_async_answers_at_once(rig: TableTop) -> None:
    answer = rig.upload(Prefer="respond-async")
    assert answer.status_code == 202
    assert answer.headers["preference-applied"] == "respond-async"
    frame = answer.json()
    assert answer.headers["location"] == f"{API}/frames/{frame['id']}"
    for _ in range(100):
        if rig.get(f"/frames/{frame['id']}").json()["state"] == "read":
            return
    pytest.fail("never read")


def test_the_same_photo_twice_is_one_frame_and_says_so(rig: TableTop) -> None:
    first, again = rig.upload().json(), rig.upload(name="b.jpg")
    assert again.status_code == 200
    assert (again.json()["id"], again.json()["is_new"]) == (first["id"], False)
    assert again.json()["reading"] == first["reading"]
    assert len(rig.get("/frames").json()["frames"]) == 1
    assert len(rig.reader.read_names) == 1


@pytest.mark.parametrize(
    ("data", "status", "code"),
    [
        (b"", 422, "photo-empty"),
        (b"a letter, not a picture", 415, "photo-unknown"),
        (gif(), 415, "photo-wrong-kind"),
        (png(20_000, 20_000), 413, "photo-too-large"),
        (png(5001, 5000), 413, "photo-too-large"),
        (jpeg() + bytes(12_000_001), 413, "photo-too-many-bytes"),
        (jpeg() + bytes(13_000_000), 413, "body-too-large"),
        (jpeg(size_wh=(640, 480))[:5000], 422, "photo-damaged"),
        (png(100, 100), 422, "photo-damaged"),
    ],
)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_bad_photos_are_refused_and_nothing_is_kept(
    rig: TableTop, data: bytes, status: int, code: str, language: str
) -> None:
    answer = rig.upload(data, **{"Accept-Language": language})
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.headers["content-language"] == language
    assert rig.get("/frames").json()["frames"] == []
    assert list((rig.store.folder / PICTURES).iterdir()) == []


def test_messages_are_in_the_asked_for_language(rig: TableTop) -> None:
    english = rig.upload(b"x").json()["message"]
    french = rig.upload(b"x", **{"Accept-Language": "de, fr-CH;q=0.9, en;q=0.5"}).json()["message"]
    assert english.startswith("a.jpg is not a picture")
    assert french.startswith("a.jpg n'est pas une image")
    large = rig.upload(bytes(13_000_000), **{"Accept-Language": "fr"}).json()["message"]
    assert large == "C'est trop gros : 12,1 Mo au plus."


def test_a_body_without_a_length_is_counted_as_it_comes(rig: TableTop) -> None:
    def endless() -> object:
        yield b'--x\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
        for _ in range(20):
            yield bytes(1_000_000)

    answer = rig.client.post(
        f"{API}/frames",
        content=endless(),  # type: ignore[arg-type]
        headers={**WRITE, "Content-Type": "multipart/form-data; boundary=x"},
    )
    assert (answer.status_code, answer.json()["code"]) == (413, "body-too-large")


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"{}", "application/json"),
        (b"--x--", "multipart/form-data; boundary=x"),
        (b"garbage", "multipart/form-data; boundary=x"),
        (b"garbage", "multipart/form-data"),
        (b"photo=1", "application/x-www-form-urlencoded"),
    ],
)
def test_a_body_that_is_no_upload_is_refused(rig: TableTop, content: bytes, kind: str) -> None:
    headers = {**WRITE, "Content-Type": kind}
    answer = rig.client.post(f"{API}/frames", content=content, headers=headers)
    assert 400 <= answer.status_code < 500
    assert set(answer.json()) == {"code", "message"}


def test_a_table_that_is_not_seen_is_kept_with_the_reason(rig: TableTop) -> None:
    facts = {"name": "a", "why": "Too dark."}
    rig.reader.outcome = Unread("table-not-seen", facts, "Too dark.", not_seen=True)
    answer = rig.upload()
    assert answer.status_code == 201
    document = answer.json()
    assert (document["state"], document["reading"]) == ("not_seen", None)
    assert document["why_unread"] == {"code": "table-not-seen", "message": "Too dark."}
    reading = rig.get(f"/frames/{document['id']}/reading")
    assert (reading.status_code, reading.json()["code"]) == (409, "not-read")
    assert rig.get(f"/frames/{document['id']}/overlay").status_code == 409


def test_a_reader_that_breaks_spoils_one_frame_only(rig: TableTop) -> None:
    good, rig.reader.outcome = rig.reader.outcome, RuntimeError("boom")
    broken = rig.upload().json()
    assert (broken["state"], broken["why_unread"]["code"]) == ("failed", "reading-failed")
    rig.reader.outcome = good
    assert rig.upload(jpeg(2)).json()["state"] == "read"


def test_a_full_disk_is_said_and_nothing_is_half_written(
    rig: TableTop, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(size_bytes: int) -> tuple[str, ...]:
        raise StoreFull

    monkeypatch.setattr(rig.store.frames, "make_room", full)
    answer = rig.upload()
    assert (answer.status_code, answer.json()["code"]) == (507, "store-full")
    assert rig.get("/frames").json()["frames"] == []


def test_a_store_that_fills_up_while_reading_fails_the_upload_only(
    rig: TableTop, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*texts: str) -> None:
        raise StoreFull

    with monkeypatch.context() as patch:
        patch.setattr(rig.store.frames, "set_seen", full)
        assert rig.upload().status_code == 507
    again = rig.upload()
    assert (again.status_code, again.json()["state"]) == (200, "read")


def test_frames_come_newest_first_page_by_page(rig: TableTop) -> None:
    ids = [rig.frame(seed) for seed in range(5)]
    page = rig.get("/frames?limit=2").json()
    assert [frame["id"] for frame in page["frames"]] == [ids[4], ids[3]]
    rest = rig.client.get(page["next"] + "").json()
    assert [frame["id"] for frame in rest["frames"]] == [ids[2], ids[1]]
    last = rig.client.get(rest["next"]).json()
    assert ([frame["id"] for frame in last["frames"]], last["next"]) == ([ids[0]], None)


def test_pictures_can_be_smaller_and_are_cached(rig: TableTop) -> None:
    frame = rig.frame()
    small = rig.get(f"/frames/{frame}/picture?width=32")
    image = cv2.imdecode(np.frombuffer(small.content, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    assert image.shape == (24, 32, 3)
    again = rig.get(f"/frames/{frame}/picture?width=32", **{"If-None-Match": small.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_the_overlay_follows_the_corrections(rig: TableTop) -> None:
    data = (SCENES / "two-walnut" / "image.jpg").read_bytes()
    document = rig.upload(data).json()
    path = f"/frames/{document['id']}/overlay?width=600"
    before = rig.get(path)
    assert before.headers["content-type"] == "image/jpeg"
    assert rig.get(path, **{"If-None-Match": before.headers["etag"]}).status_code == 304
    done = rig.correct(document["id"], document["version"], kind="remove", card=40)
    assert done.status_code == 201
    after = rig.get(path, **{"If-None-Match": before.headers["etag"]})
    assert after.status_code == 200
    assert after.content != before.content


def test_a_corrected_frame_becomes_a_test_scene(rig: TableTop) -> None:
    data = (SCENES / "two-walnut" / "image.jpg").read_bytes()
    frame = rig.upload(data).json()
    rig.correct(frame["id"], frame["version"], kind="verdict", card=33, legal=False)
    packed = rig.get(f"/frames/{frame['id']}/scene.zip")
    scene_zip = zipfile.ZipFile(io.BytesIO(packed.content))
    assert scene_zip.read(f"{frame['id']}/image.jpg") == data
    truth = parse_truth(json.loads(scene_zip.read(f"{frame['id']}/truth.json")))
    assert truth.scores == scene("two-walnut").truth.scores
    assert set(truth.illegal) == {19, 32, 33}


def test_a_lens_can_come_with_the_photo(rig: TableTop) -> None:
    lens = {"size_px": [64, 48], "matrix": [[60, 0, 32], [0, 60, 24], [0, 0, 1]],
            "distortion": [0, 0, 0, 0]}  # fmt: skip

    def send(text: str) -> object:
        files = {"photo": ("a.jpg", jpeg(), "image/jpeg")}
        return rig.client.post(f"{API}/frames", files=files, data={"lens": text}, headers=WRITE)

    for bad in ("{", "[]", '{"size_px": [0, 0]}', "[" * 9000):
        assert send(bad).status_code == 422  # type: ignore[attr-defined]
    assert send(json.dumps(lens)).status_code == 201  # type: ignore[attr-defined]
    assert rig.store.frames.latest(1)[0].lens == lens


def test_frames_are_kept_or_deleted_for_good(rig: TableTop) -> None:
    frame = rig.frame()
    assert rig.put(f"/frames/{frame}/kept", {"kept": True}).json()["kept"] is True
    assert rig.delete(f"/frames/{frame}").status_code == 204
    assert rig.get(f"/frames/{frame}").status_code == 404
    assert rig.delete(f"/frames/{frame}").json()["code"] == "frame-unknown"


def test_capture_takes_a_picture_now(rig: TableTop) -> None:
    first, second = rig.post("/capture"), rig.post("/capture")
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json()["id"] != second.json()["id"]
    assert first.json()["source"] == "hand"
    assert rig.get("/camera/preview").headers["content-type"] == "image/jpeg"


def test_a_camera_that_does_not_deliver_is_said(rig: TableTop) -> None:
    from rig.cameras.trouble import CameraSilent

    rig.camera.trouble = CameraSilent(camera="hand", seconds=8.0)
    answer = rig.post("/capture")
    assert (answer.status_code, answer.json()["code"]) == (503, "camera-silent")
    french = rig.post("/capture", **{"Accept-Language": "fr"}).json()["message"]
    assert french == "hand n'a pas donné d'image en 8 s : on la redémarre."


@pytest.mark.parametrize(
    ("data", "status", "code"),
    [
        (b"", 503, "camera-garbage"),
        (b"anything but a picture", 503, "camera-garbage"),
        (gif(), 503, "camera-garbage"),
        (b"\xff\xd8\xff\xd9", 503, "camera-garbage"),
        (png(20_000, 20_000), 413, "photo-too-large"),
    ],
)
def test_what_the_camera_takes_and_is_no_photo(
    rig: TableTop, monkeypatch: pytest.MonkeyPatch, data: bytes, status: int, code: str
) -> None:
    still = Still(data, (64, 48), 0.0, 0.0, True, {})
    monkeypatch.setattr(rig.camera, "still", lambda deadline_s: still)
    answer = rig.post("/capture")
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    documented = rig.get("/openapi.json").json()["paths"][f"{API}/capture"]["post"]["responses"]
    assert str(status) in documented
    assert rig.get("/frames").json()["frames"] == []


def test_unknown_ids_and_addresses(rig: TableTop) -> None:
    for path in (
        "/frames/abc",
        "/frames/abc/reading",
        "/frames/abc/picture",
        "/frames/abc/overlay",
    ):
        answer = rig.get(path)
        assert (answer.status_code, answer.json()["code"]) == (404, "frame-unknown")
    assert rig.get("/nothing").json()["code"] == "not-found"
    wrong = rig.client.request("PATCH", f"{API}/frames", headers=WRITE)
    assert (wrong.status_code, wrong.json()["code"]) == (405, "method-not-allowed")
    assert "GET" in wrong.headers["allow"]


def test_a_fault_of_the_program_is_answered_without_its_details(
    rig: TableTop, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(limit: int, before: int | None = None) -> list[Trouble]:
        raise KeyError("a secret")

    monkeypatch.setattr(rig.store.frames, "latest", broken)
    answer = rig.get("/frames")
    assert (answer.status_code, answer.json()["code"]) == (500, "fault")
    assert "secret" not in answer.text
