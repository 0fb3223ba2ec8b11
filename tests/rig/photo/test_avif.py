"""AVIF is read under every brand that it goes by, and called damaged only where it is."""

from __future__ import annotations

import io
import struct
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from rig.cameras.folder import open_folder
from rig.photo.claims import KINDS, claims
from rig.photo.decoding import decode_photo, decode_photo_told, heic_metadata
from rig.photo.privacy import without_private_parts
from rig.photo.trouble import PhotoDamaged, PhotoWrongKind
from rig.service.pictures.photo_header import MEDIA_TYPES, photo_facts
from rig.wording.troubles import worded
from tests.rig.photo.picture_families import whole_heic
from tests.scenes import SCENES

BRANDS = (b"avif", b"avis", b"mif1", b"msf1", b"miaf")
MAKER = "Somebody's telephone"


def scene_jpeg() -> bytes:
    picture = Image.open(SCENES / "panel-oak" / "image.jpg").resize((480, 360))
    found = io.BytesIO()
    picture.save(found, "JPEG", quality=90)
    return found.getvalue()


def avif(brand: bytes = b"avif", orientation: int = 1) -> bytes:
    """A scene as AVIF, whose first brand this is."""
    exif = Image.Exif()
    exif[0x010F], exif[0x0112] = MAKER, orientation
    found = io.BytesIO()
    Image.open(io.BytesIO(scene_jpeg())).save(found, "AVIF", quality=80, exif=exif)
    data = found.getvalue()
    return data[:8] + brand + data[12:]


@pytest.mark.parametrize("brand", BRANDS)
def test_avif_is_read_under_each_of_its_brands(brand: bytes) -> None:
    data = avif(brand)
    found = claims(data, "a.avif")
    assert (found.kind, found.width, found.height) == ("avif", 480, 360)
    assert photo_facts(data, "a.avif").kind in MEDIA_TYPES
    image, damage = decode_photo_told(data, "a.avif")
    assert not damage.plain
    assert not damage.unchecked
    right = decode_photo(scene_jpeg(), "a.jpg")
    assert np.abs(image.astype(int) - right).mean() < 6


@pytest.mark.parametrize("brand", [b"avis", b"msf1"])
def test_of_an_avif_film_the_first_picture_is_read(brand: bytes) -> None:
    first, second = (Image.new("RGB", (64, 48), colour) for colour in ("red", "blue"))
    found = io.BytesIO()
    first.save(found, "AVIF", save_all=True, append_images=[second])
    data = found.getvalue()
    image = decode_photo(data[:8] + brand + data[12:], "a.avif")
    assert image.shape == (48, 64, 3)
    assert image[20, 20, 2] > 200
    assert image[20, 20, 0] < 50


def test_only_its_coding_tells_what_names_no_other_brand() -> None:
    for data, kind in ((avif(), "avif"), (whole_heic(scene_jpeg()), "heic")):
        (size,) = struct.unpack_from(">I", data)
        generic = data[:8] + b"mif1" + data[12:16] + b"mif1" * ((size - 16) // 4) + data[size:]
        assert claims(generic, "a").kind == kind


@pytest.mark.parametrize("brand", [b"mif1", b"msf1"])
def test_heic_stays_heic_under_a_brand_of_any_coding(brand: bytes) -> None:
    data = whole_heic(scene_jpeg())
    assert claims(data[:8] + brand + data[12:], "a.heic").kind == "heic"


@pytest.mark.parametrize("kept", [0.02, 0.3, 0.7, 0.99])
@pytest.mark.parametrize("brand", [b"avif", b"mif1"])
def test_avif_that_is_cut_off_is_called_so(brand: bytes, kept: float) -> None:
    data = avif(brand)
    with pytest.raises(PhotoDamaged):
        decode_photo(data[: int(len(data) * kept)], "a.avif")


def test_avif_is_turned_as_it_is_shown() -> None:
    assert decode_photo(avif(orientation=6), "a.avif").shape == (480, 360, 3)


@pytest.mark.parametrize("orientation", [1, 6])
def test_what_tells_on_people_goes_from_avif(orientation: int) -> None:
    data = avif(orientation=orientation)
    assert MAKER.encode() in data
    clean = without_private_parts(data, "avif", "a.avif", heic_metadata(data, "a.avif"))
    assert MAKER.encode() not in clean
    assert np.array_equal(decode_photo(clean, "a.avif"), decode_photo(data, "a.avif"))


def test_a_folder_is_watched_for_avif(tmp_path: Path) -> None:
    (tmp_path / "a.avif").write_bytes(avif())
    camera = open_folder("folder", str(tmp_path))
    assert camera.still(0.0).size_wh == (480, 360)


def test_the_article_goes_by_the_word() -> None:
    for kind, words in (("ICO", "is an ICO picture"), ("GIF", "is a GIF picture")):
        trouble = PhotoWrongKind(name="a", kind=kind, kinds=KINDS)
        assert words in str(trouble)
        french = worded(trouble.key, trouble.facts, str(trouble), "fr")
        assert f"est une image {kind}" in french
