from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pillow_heif
import pytest
from numpy.typing import NDArray
from PIL import Image

from rig.photo.decoding import (
    MAX_PIXELS,
    PhotoDamaged,
    PhotoEmpty,
    PhotoMissing,
    PhotoTooHard,
    PhotoTooLarge,
    PhotoTooManyBytes,
    PhotoUnknown,
    PhotoWrongKind,
    decode_photo,
    load_photo,
    turned,
)
from rig.trouble import PhotoTrouble
from tests.rig.photo.encoded_pictures import HEIGHT, WIDTH, noisy_jpeg, png_header, quarters, saved

pillow_heif.register_heif_opener()


def mean_difference(image_bgr: NDArray[np.uint8], expected_rgb: NDArray[np.uint8]) -> float:
    assert image_bgr.dtype == np.uint8
    assert image_bgr.shape == expected_rgb.shape
    return float(np.abs(image_bgr[..., ::-1].astype(int) - expected_rgb).mean())


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "HEIF"])
def test_reads_each_kind(kind: str) -> None:
    image = decode_photo(saved(kind, quality=95), "photo")
    assert mean_difference(image, quarters()) < 6


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "HEIF"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_turns_the_picture_as_exif_says(kind: str, orientation: int) -> None:
    """Stored so that turning it as the tag says gives the quarters back."""
    upright = Image.fromarray(quarters())
    undo = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }
    stored = upright if orientation == 1 else upright.transpose(undo[orientation])
    exif = Image.Exif()
    exif[0x0112] = orientation
    image = decode_photo(saved(kind, stored, exif=exif.tobytes(), quality=95), "photo")
    assert mean_difference(image, quarters()) < 6


def test_an_unknown_orientation_changes_nothing() -> None:
    image = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
    assert np.array_equal(turned(image, 0), image)
    assert np.array_equal(turned(image, 99), image)


def test_broken_exif_is_no_fault_of_the_picture() -> None:
    image = decode_photo(saved("JPEG", exif=b"Exif\x00\x00garbage", quality=95), "photo")
    assert mean_difference(image, quarters()) < 6


def as_grey(image: Image.Image) -> Image.Image:
    return image.convert("L")


def as_palette(image: Image.Image) -> Image.Image:
    return image.convert("P", palette=Image.Palette.ADAPTIVE)


def as_cmyk(image: Image.Image) -> Image.Image:
    return image.convert("CMYK")


def as_grey16(image: Image.Image) -> Image.Image:
    return Image.fromarray(np.asarray(image.convert("L")).astype(np.uint16) * 257)


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("JPEG", as_grey),
        ("PNG", as_grey),
        ("PNG", as_palette),
        ("JPEG", as_cmyk),
        ("PNG", as_grey16),
    ],
)
def test_unusual_pixels(kind: str, change: Callable[[Image.Image], Image.Image]) -> None:
    plain = Image.fromarray(quarters())
    grey = change in (as_grey, as_grey16)
    expected = np.asarray((plain.convert("L") if grey else plain).convert("RGB"))
    image = decode_photo(saved(kind, change(plain), quality=95), "photo")
    assert mean_difference(image, expected) < 6


def test_sixteen_bit_colour() -> None:
    _, png = cv2.imencode(".png", quarters()[..., ::-1].astype(np.uint16) * 257)
    assert mean_difference(decode_photo(png.tobytes(), "photo"), quarters()) < 1


def test_what_is_transparent_becomes_plain_ground() -> None:
    picture = Image.fromarray(quarters()).convert("RGBA")
    alpha = Image.new("L", picture.size, 255)
    alpha.paste(0, (0, 0, 24, 16))
    picture.putalpha(alpha)
    expected = quarters()
    expected[:16, :24] = 255
    assert mean_difference(decode_photo(saved("PNG", picture), "photo"), expected) < 1


def test_an_enormous_png_is_refused_by_its_header() -> None:
    with pytest.raises(PhotoTooLarge) as refused:
        decode_photo(png_header(20_000, 20_000), "huge.png")
    assert "20000 x 20000" in str(refused.value)
    assert "60 megapixels" in str(refused.value)


def test_an_enormous_heic_is_refused_by_its_header(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pillow_heif.HeifImage, "load", lambda *_: pytest.fail("decoded"))
    with pytest.raises(PhotoTooLarge):
        decode_photo(saved("HEIF"), "photo", max_pixels=WIDTH * HEIGHT - 1)


def test_the_limit_itself_is_taken() -> None:
    assert decode_photo(saved("PNG"), "photo", max_pixels=WIDTH * HEIGHT).shape == (32, 48, 3)
    assert MAX_PIXELS == 60_000_000


@pytest.mark.parametrize("kept", [0.999, 0.9, 0.5, 0.1])
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "HEIF"])
def test_a_cut_off_file_is_refused(kind: str, kept: float) -> None:
    whole = Image.open(io.BytesIO(noisy_jpeg()))
    data = saved(kind, whole)
    with pytest.raises(PhotoDamaged, match="cut off or damaged"):
        decode_photo(data[: int(len(data) * kept)], "photo")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", PhotoEmpty),
        (b"hello, this is no picture\n" * 40, PhotoUnknown),
        (b"\xff\xd8\xff", PhotoDamaged),
        (b"\x00\x00\x00\x18ftypheic", PhotoDamaged),
        (saved("GIF"), PhotoWrongKind),
        (saved("TIFF"), PhotoWrongKind),
        (saved("BMP"), PhotoWrongKind),
    ],
)
def test_what_is_no_photo_is_refused(data: bytes, expected: type[PhotoTrouble]) -> None:
    with pytest.raises(expected) as refused:
        decode_photo(data, "some.jpg")
    assert str(refused.value).startswith("some.jpg ")
    assert str(refused.value).endswith(".")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("seed", range(40))
def test_no_bytes_raise_anything_else(seed: int) -> None:
    rng = np.random.default_rng(seed)
    kinds = ("JPEG", "PNG", "WEBP", "HEIF", "GIF", "TIFF")
    data = bytearray(saved(kinds[seed % len(kinds)]))
    for place in rng.integers(0, len(data), 12):
        data[place] = rng.integers(0, 256)
    try:
        image = decode_photo(bytes(data), "photo", max_pixels=10**6)
    except PhotoTrouble:
        return
    assert image.ndim == 3
    assert image.shape[2] == 3


def test_missing_files_folders_and_enormous_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(PhotoMissing, match="no such file"):
        load_photo(tmp_path / "none.jpg")
    with pytest.raises(PhotoMissing, match="not a file"):
        load_photo(tmp_path)
    with pytest.raises(PhotoMissing):
        load_photo(Path("bad\x00name.jpg"))
    monkeypatch.setattr("rig.photo.decoding.MAX_BYTES", 10)
    (tmp_path / "large.jpg").write_bytes(saved("JPEG"))
    with pytest.raises(PhotoTooManyBytes):
        load_photo(tmp_path / "large.jpg")


def test_loads_a_file(tmp_path: Path) -> None:
    (tmp_path / "photo.png").write_bytes(saved("PNG"))
    assert mean_difference(load_photo(tmp_path / "photo.png"), quarters()) < 1


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_want_of_memory_is_not_called_damage(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_memory(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(Image.Image, "convert", no_memory)
    with pytest.raises(PhotoTooHard, match="too much memory"):
        decode_photo(saved(kind), "photo")
