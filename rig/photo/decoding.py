"""From a photo's bytes to its pixels, as shown, turned as EXIF says: JPEG, PNG, WebP, HEIC, AVIF.

Size and kind are settled from the header, before anything is decoded, so that
a picture made to exhaust memory costs a few kilobytes. JPEG, which is nearly
every photo, is decoded by OpenCV (which refuses a cut-off file from 4.12 on);
the others by Pillow and libheif.
"""

import io
import struct
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from rig.photo.claims import claims
from rig.photo.damage_signs import Damage
from rig.photo.decoder_words import damage_heard
from rig.photo.heic_damage import heic_damage, noted_parts
from rig.photo.jpeg_damage import jpeg_damage
from rig.photo.picture_damage import picture_damage
from rig.photo.trouble import (
    PhotoDamaged,
    PhotoEmpty,
    PhotoMissing,
    PhotoTooHard,
    PhotoTooLarge,
    PhotoTooManyBytes,
    PhotoUnknown,
    PhotoWrongKind,
)

if TYPE_CHECKING:
    import pillow_heif

__all__ = [
    "MAX_PIXELS",
    "READABLE",
    "PhotoDamaged",
    "PhotoEmpty",
    "PhotoMissing",
    "PhotoTooHard",
    "PhotoTooLarge",
    "PhotoTooManyBytes",
    "PhotoUnknown",
    "PhotoWrongKind",
    "decode_photo",
    "decode_photo_told",
    "heic_metadata",
    "load_photo",
    "photo_bytes",
    "turned",
]
MAX_PIXELS = 60_000_000
MAX_BYTES = 512 * 1024 * 1024

READABLE = ("JPEG", "PNG", "WEBP", "AVIF")  # Pillow opens a JPEG of several pictures as "MPO"
_NO_MEMORY = "too much memory"
_ORIENTATION = 0x0112
_TURNS = {
    2: (False, True, False),
    3: (False, True, True),
    4: (False, False, True),
    5: (True, False, False),
    6: (True, True, False),
    7: (True, True, True),
    8: (True, False, True),
}
"""EXIF orientation -> (transpose, then flip left-right, then flip top-bottom)."""

# The limit is MAX_PIXELS, checked here on every header; Pillow's own limit would
# warn or raise on opening, before the size can be told to anyone.
Image.MAX_IMAGE_PIXELS = None


def load_photo(path: Path, max_pixels: int = MAX_PIXELS) -> NDArray[np.uint8]:
    """Read a photo: (H, W, 3) BGR of 8 bits, turned as shown. PhotoTrouble says why not."""
    return decode_photo(photo_bytes(path), str(path), max_pixels)


def photo_bytes(path: Path) -> bytes:
    """A photo file's bytes. PhotoMissing, PhotoTooManyBytes."""
    try:
        if path.exists() and not path.is_file():
            raise PhotoMissing(name=path, why="not a file")
        size_bytes = path.stat().st_size
        if size_bytes > MAX_BYTES:
            raise PhotoTooManyBytes(name=path, megabytes=size_bytes >> 20, limit=MAX_BYTES >> 20)
        return path.read_bytes()
    except (OSError, ValueError) as error:
        raise PhotoMissing(name=path, why=_reason(error)) from error


def decode_photo(data: bytes, name: str, max_pixels: int = MAX_PIXELS) -> NDArray[np.uint8]:
    """Decode a photo's bytes: (H, W, 3) BGR of 8 bits, turned as shown.

    `name` is what messages call it. PhotoTrouble says why it cannot be done.
    """
    stored, turn = _decoded(data, name, max_pixels)
    return turned(stored, turn)


def decode_photo_told(
    data: bytes, name: str, max_pixels: int = MAX_PIXELS
) -> tuple[NDArray[np.uint8], Damage]:
    """As `decode_photo`, and the signs of damage: in the decoder's words, the bytes, the pixels.

    Listens to standard error meanwhile: not for a program with other threads that write to it.
    """
    with damage_heard() as signs:
        stored, turn = _decoded(data, name, max_pixels)
    if signs:
        return turned(stored, turn), Damage(tuple(signs))
    found = picture_damage(stored)
    image = turned(stored, turn)
    if turn in _TURNS:
        found = found.turned(_TURNS[turn], (stored.shape[1], stored.shape[0]))
    kind = claims(data, name).kind
    if kind == "jpeg":
        found += jpeg_damage(data)
    elif kind == "heic":
        found += heic_damage(data)
    elif kind == "avif":  # dav1d reads on through garbage in most files, without a word
        found += Damage(unheard=True)
    return image, found


def _decoded(data: bytes, name: str, max_pixels: int) -> tuple[NDArray[np.uint8], int]:
    """The picture as it was coded, (H, W, 3) BGR, and its EXIF orientation, 1 to 8."""
    claimed = claims(data, name)
    _check_size(claimed.decoded_wh, name, max_pixels)
    if claimed.kind == "heic":
        return _decode_heic(data, name, max_pixels), 1
    picture = _open(_plainly_avif(data) if claimed.kind == "avif" else data, name)
    _check_size(picture.size, name, max_pixels)
    turn = _orientation(picture)
    if picture.format in ("JPEG", "MPO"):
        return _decode_jpeg(data, name), turn
    return _decode_with_pillow(picture, name), turn


def turned(image: NDArray[np.uint8], orientation: int) -> NDArray[np.uint8]:
    """Turn an (H, W, 3) image as stored into how EXIF `orientation` (1 to 8) shows it."""
    transpose, mirror, flip = _TURNS.get(orientation, (False, False, False))
    if transpose:
        image = image.transpose(1, 0, 2)
    if mirror:
        image = image[:, ::-1]
    if flip:
        image = image[::-1]
    return np.ascontiguousarray(image)


def _reason(error: Exception) -> str:
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return text[:1].lower() + text[1:]


def _check_size(size_wh: tuple[int, int], name: str, max_pixels: int) -> None:
    width, height = size_wh
    if width * height > max_pixels:
        limit = max_pixels // 1_000_000
        raise PhotoTooLarge(name=name, width=width, height=height, limit=limit)


def _open(data: bytes, name: str) -> Image.Image:
    """Parse the header only."""
    try:
        return Image.open(io.BytesIO(data), formats=READABLE)
    except Exception as error:  # Pillow lets its parsers' own errors through
        raise PhotoDamaged(name=name) from error


def _plainly_avif(data: bytes) -> bytes:
    """An AVIF of one picture under the brand by which its decoder knows it; others as they are.

    Pillow asks for a brand of its own list, and libavif for a track where the brand says film.
    """
    return data if b"moov" in data else data[:8] + b"avif" + data[12:]


def _orientation(picture: Image.Image) -> int:
    try:
        found = picture.getexif().get(_ORIENTATION, 1)
    except Exception:  # noqa: BLE001 - broken EXIF raises anything; the picture is good
        return 1
    return found if isinstance(found, int) else 1


def _decode_jpeg(data: bytes, name: str) -> NDArray[np.uint8]:
    flags = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION
    try:
        image: NDArray[np.uint8] | None = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error as error:
        if error.code == cv2.Error.StsNoMem:
            raise PhotoTooHard(name=name, why=_NO_MEMORY) from error
        raise PhotoDamaged(name=name) from error
    if image is None:
        raise PhotoDamaged(name=name)
    return image


def _decode_with_pillow(picture: Image.Image, name: str) -> NDArray[np.uint8]:
    try:
        picture.load()
        if picture.mode.startswith("I"):
            return _from_grey16(np.asarray(picture))
        if picture.has_transparency_data:
            return _on_white(picture)
        return _bgr(np.asarray(picture.convert("RGB")))
    except MemoryError as error:
        raise PhotoTooHard(name=name, why=_NO_MEMORY) from error
    except Exception as error:  # Pillow lets its decoders' own errors through
        raise PhotoDamaged(name=name) from error


def _from_grey16(grey: NDArray[np.generic]) -> NDArray[np.uint8]:
    high_byte = (grey.astype(np.uint32) >> 8).clip(0, 255).astype(np.uint8)
    return np.repeat(high_byte[..., None], 3, axis=2)


def _on_white(picture: Image.Image) -> NDArray[np.uint8]:
    """What is seen through must not be scored, so it becomes plain ground."""
    ground = Image.new("RGBA", picture.size, "white")
    ground.alpha_composite(picture.convert("RGBA"))
    return _bgr(np.asarray(ground.convert("RGB")))


def _bgr(image_rgb: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.ascontiguousarray(image_rgb[..., ::-1])


def _decode_heic(data: bytes, name: str, max_pixels: int) -> NDArray[np.uint8]:
    """Decode HEIC. libheif turns the picture itself; its EXIF turn is not to be applied again."""
    heif = _open_heic(data, name)
    _check_size(heif.size, name, max_pixels)
    try:
        image = np.asarray(heif)
    except MemoryError as error:
        raise PhotoTooHard(name=name, why=_NO_MEMORY) from error
    except Exception as error:  # libheif's errors come as many types
        raise PhotoDamaged(name=name) from error
    if image.ndim == 2:
        image = np.repeat(image[..., None], 3, axis=2)
    width = heif.size[0]  # rows can be padded
    return np.ascontiguousarray(image[:, :width, :3])


def heic_metadata(data: bytes, name: str) -> list[bytes]:
    """What a HEIC or AVIF says beside its pixels, each as it stands in the file. PhotoDamaged."""
    if claims(data, name).kind == "avif":
        try:
            return noted_parts(data)
        except (struct.error, LookupError, ValueError, StopIteration) as error:
            raise PhotoDamaged(name=name) from error
    info = _open_heic(data, name).info
    blocks = [info.get("exif"), info.get("xmp")]
    blocks += [block.get("data") for block in info.get("metadata", [])]
    return [bytes(block) for block in blocks if block]


def _open_heic(data: bytes, name: str) -> "pillow_heif.HeifFile":
    import pillow_heif  # libheif is large, and most photos are JPEG

    try:
        return pillow_heif.open_heif(data, bgr_mode=True)
    except Exception as error:  # libheif's errors come as many types
        raise PhotoDamaged(name=name) from error
