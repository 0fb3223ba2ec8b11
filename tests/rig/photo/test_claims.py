"""Pictures that claim too much, or ask for too much work, are refused before they are decoded."""

from __future__ import annotations

import contextlib
import struct
import time
from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image

from rig.photo.claims import MOST_SCANS, claims
from rig.photo.decoding import decode_photo
from rig.photo.trouble import PhotoDamaged, PhotoTooHard, PhotoTooLarge
from rig.trouble import PhotoTrouble
from tests.rig.photo.encoded_pictures import HEIGHT, WIDTH, png_header, saved
from tests.rig.photo.hard_pictures import (
    claiming_webp,
    many_boxes_heic,
    many_chunks_png,
    many_segments_jpeg,
    scans_jpeg,
)
from tests.scenes import SCENES


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "HEIF"])
def test_the_size_is_that_of_the_decoded_picture(kind: str) -> None:
    found = claims(saved(kind), "photo")
    assert (found.width, found.height) == (WIDTH, HEIGHT)
    assert found.kind == ("heic" if kind == "HEIF" else kind.lower())


@pytest.mark.parametrize("options", [{"lossless": True}, {"exif": b"Exif\0\0"}, {"method": 0}])
def test_every_kind_of_webp_header_is_read(options: dict[str, object]) -> None:
    found = claims(saved("WEBP", None, **options), "photo")
    assert (found.width, found.height) == (WIDTH, HEIGHT)


def test_photos_of_cameras_are_taken() -> None:
    photos = sorted(SCENES.glob("*/image.jpg"))
    assert len(photos) > 5
    for photo in photos:
        with Image.open(photo) as picture:
            size = picture.size
        found = claims(photo.read_bytes(), photo.name)
        assert (found.width, found.height) == size


def test_ordinary_progressive_jpegs_are_taken() -> None:
    noise = np.random.default_rng(3).integers(0, 255, (200, 300, 3), np.uint8)
    data = saved("JPEG", Image.fromarray(noise), progressive=True, quality=95)
    assert claims(data, "photo").width == 300
    assert decode_photo(data, "photo").shape == (200, 300, 3)


@pytest.mark.parametrize(("scans", "taken"), [(MOST_SCANS, True), (MOST_SCANS + 1, False)])
def test_scans_are_counted(scans: int, taken: bool) -> None:
    data = scans_jpeg((64, 48), scans)
    if taken:
        assert claims(data, "photo").width == 64
        return
    with pytest.raises(PhotoTooHard, match=f"more than {MOST_SCANS} scans"):
        decode_photo(data, "photo")


def test_scans_hidden_behind_a_false_end_are_counted() -> None:
    hidden = b"\xff\xfe\x00\x04\xff\xd9"  # a comment that holds an end marker
    with pytest.raises(PhotoTooHard):
        claims(scans_jpeg((64, 48), 200, between=hidden), "photo")


def test_what_follows_the_picture_is_not_counted() -> None:
    """A photo with a film behind it, as phones make them."""
    film = np.random.default_rng(1).bytes(3_000_000) + b"\xff\xda" * 500
    assert claims(saved("JPEG") + film, "photo").width == WIDTH


@pytest.mark.parametrize("size", [(12_000, 12_000), (16_384, 9_200)])
def test_a_tiny_webp_that_claims_much_is_refused_unopened(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Image, "open", lambda *_, **__: pytest.fail("opened"))
    data = claiming_webp(size)
    assert len(data) < 1000
    with pytest.raises(PhotoTooLarge):
        decode_photo(data, "photo")


def test_an_absurd_heic_is_refused_unopened(monkeypatch: pytest.MonkeyPatch) -> None:
    import pillow_heif

    monkeypatch.setattr(pillow_heif, "open_heif", lambda *_, **__: pytest.fail("opened"))
    data = saved("HEIF").replace(
        b"ispe\0\0\0\0" + struct.pack(">II", 64, 64),
        b"ispe\0\0\0\0" + struct.pack(">II", 60_000, 60_000),
    )
    with pytest.raises(PhotoTooLarge):
        decode_photo(data, "photo")


@pytest.mark.parametrize(
    "data",
    [b"\xff\xd8\xff\xd9", b"\x89PNG\r\n\x1a\n", b"RIFF\0\0\0\0WEBPVP8X", png_header(0, 9)],
)
def test_half_headers_are_damage(data: bytes) -> None:
    with pytest.raises(PhotoDamaged):
        claims(data, "photo")


@pytest.mark.parametrize(
    "make",
    [
        many_segments_jpeg,
        many_chunks_png,
        many_boxes_heic,
        lambda size: scans_jpeg((64, 48), size // 11),
    ],
)
def test_reading_a_crafted_header_takes_no_time(make: Callable[[int], bytes]) -> None:
    data = make(12_000_000)
    assert len(data) > 9_000_000
    begun = time.process_time()
    with contextlib.suppress(PhotoTooHard, PhotoDamaged):
        claims(data, "photo")
    assert time.process_time() - begun < 0.2


def test_any_bytes_end_in_a_size_or_a_trouble() -> None:
    rng = np.random.default_rng(7)
    for kind in ("JPEG", "PNG", "WEBP", "HEIF"):
        whole = saved(kind)
        for _ in range(200):
            data = bytearray(whole[: int(rng.integers(1, len(whole)))])
            for place in rng.integers(0, len(data), 3):
                data[place] = int(rng.integers(256))
            with contextlib.suppress(PhotoTrouble):
                claims(bytes(data), "photo")
