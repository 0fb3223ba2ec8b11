"""The focal length that a photo's EXIF tells of, and what becomes of it where it is nonsense."""

from __future__ import annotations

import io
import math

import pillow_heif
import pytest
from PIL import Image

from rig.photo.focal import told_focal_length

pillow_heif.register_heif_opener()
SIZE_WH = (400, 300)


def photo(kind: str, film_mm: object) -> bytes:
    exif = Image.Exif()
    exif[0x010F] = "Maker"
    if film_mm is not None:
        exif.get_ifd(0x8769)[0xA405] = film_mm
    file = io.BytesIO()
    Image.new("RGB", SIZE_WH, "grey").save(file, kind, exif=exif.tobytes())
    return file.getvalue()


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "HEIF"])
def test_film_is_compared_by_its_diagonal(kind: str) -> None:
    told = told_focal_length(photo(kind, 26), "photo", SIZE_WH)
    assert told is not None
    # The picture's diagonal is 500 px, the film's 43.27 mm.
    assert told.px == pytest.approx(26 * 500 / math.hypot(36, 24))


@pytest.mark.parametrize("film_mm", [None, 0, 1, 1000])
def test_a_photo_that_tells_nothing_or_nonsense_has_none(film_mm: object) -> None:
    assert told_focal_length(photo("JPEG", film_mm), "photo", SIZE_WH) is None


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "HEIF"])
def test_a_photo_without_exif_or_with_broken_exif_has_none(kind: str) -> None:
    file = io.BytesIO()
    Image.new("RGB", SIZE_WH, "grey").save(file, kind)
    assert told_focal_length(file.getvalue(), "photo", SIZE_WH) is None
    broken = photo(kind, 26).replace(b"MM\x00*\x00\x00\x00\x08", b"MM\x00*\xff\xff\xff\xff")
    assert told_focal_length(broken, "photo", SIZE_WH) is None
