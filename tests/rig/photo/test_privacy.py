"""GPS, serial numbers and notes are gone, time, orientation and focal length stay, pixels too."""

from __future__ import annotations

import io

import numpy as np
import pillow_heif
import pytest
from PIL import Image

from rig.photo.decoding import decode_photo, heic_metadata
from rig.photo.exif_scrub import scrubbed
from rig.photo.privacy import without_private_parts
from rig.service.pictures.photo_header import photo_facts
from tests.rig.photo.private_pictures import SECRETS, TIME, told, told_exif
from tests.scenes import SCENES

pillow_heif.register_heif_opener()
KINDS = ("JPEG", "PNG", "WEBP", "HEIF")


def cleaned(data: bytes) -> bytes:
    kind = photo_facts(data, "photo").kind
    parts = heic_metadata(data, "photo") if kind == "heic" else ()
    return without_private_parts(data, kind, "photo", parts)


@pytest.mark.parametrize("kind", KINDS)
def test_what_tells_on_people_is_gone_and_the_rest_stays(kind: str) -> None:
    data = told(kind)
    assert any(secret in data for secret in SECRETS)
    clean = cleaned(data)
    assert [secret for secret in SECRETS if secret in clean] == []
    exif = Image.open(io.BytesIO(clean)).getexif()
    assert dict(exif.get_ifd(0x8825)) == {}
    assert exif[0x0132] == TIME
    detail = exif.get_ifd(0x8769)
    assert (detail[0x9003], float(detail[0x920A]), detail[0xA405]) == (TIME, 4.27, 26)
    assert not {0xA431, 0xA435, 0x927C} & detail.keys()
    if kind != "HEIF":  # whose reader turns the picture, and then says 1
        assert exif[0x0112] == 6
    assert np.array_equal(decode_photo(clean, "photo"), decode_photo(data, "photo"))
    assert cleaned(clean) == clean


def test_photos_without_secrets_are_left_byte_for_byte() -> None:
    photos = sorted(SCENES.glob("*/image.jpg"))
    assert len(photos) > 5
    for photo in photos:
        data = photo.read_bytes()
        assert cleaned(data) == data


def test_a_small_picture_within_is_dropped() -> None:
    small = b"\xff\xd8 a small picture \xff\xd9"
    rows = [(0x0112, 3, 1, 6)]
    first = len(rows).to_bytes(2, "little")
    for tag, kind, count, value in rows:
        first += tag.to_bytes(2, "little") + kind.to_bytes(2, "little")
        first += count.to_bytes(4, "little") + value.to_bytes(4, "little")
    second = 8 + len(first) + 4
    tiff = b"II*\0" + (8).to_bytes(4, "little") + first + second.to_bytes(4, "little")
    tiff += (1).to_bytes(2, "little") + (0x0201).to_bytes(2, "little") + bytes(14) + small
    clean = scrubbed(tiff)
    assert len(clean) == len(tiff)
    assert b"small picture" not in clean
    exif = Image.Exif()
    exif.load(b"Exif\0\0" + clean)
    assert dict(exif) == {0x0112: 6}


@pytest.mark.parametrize("seed", range(30))
def test_broken_exif_is_dropped_not_raised(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tiff = bytearray(told_exif().removeprefix(b"Exif\0\0"))
    for place in rng.integers(0, len(tiff), 20):
        tiff[place] = int(rng.integers(256))
    cut = bytes(tiff[: int(rng.integers(1, len(tiff)))])
    assert len(scrubbed(cut)) == len(cut)
    assert b"MAKERNOTEMAKERNOTE" not in scrubbed(cut)
