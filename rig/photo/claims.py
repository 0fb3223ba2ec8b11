"""What a photo's bytes claim: its kind and size, found without decoding and in bounded time.

Decoders trust these claims and set memory aside for them, and work as long as the file tells
them to: what is absurd is refused here, before any decoder sees it.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rig.photo.trouble import PhotoDamaged, PhotoEmpty, PhotoTooHard, PhotoUnknown, PhotoWrongKind

KINDS = ("JPEG", "PNG", "WebP", "HEIC", "AVIF")
MOST_SCANS = 100
"""A progressive JPEG has about ten scans; each more costs as much as decoding the whole again."""
MOST_SEGMENTS = 2000
"""Of a JPEG's header; a long profile and a depth map take a few hundred."""
MOST_SIZES = 5000
"""Sizes in a HEIC or AVIF: one for each tile at most."""
_HEIC_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx"})
_AVIF_BRANDS = frozenset({b"avif", b"avis"})
_ANY_CODING = frozenset({b"mif1", b"msf1", b"mif2", b"miaf"})
"""Brands of ISO/IEC 23008-12 that say how a picture is kept and not how it is coded."""
_OTHERS = {
    b"GIF8": "GIF",
    b"BM": "BMP",
    b"II*\0": "TIFF",
    b"MM\0*": "TIFF",
    b"II+\0": "TIFF",
    b"8BPS": "PSD",
    b"\0\0\1\0": "ICO",
    b"\0\0\0\x0cjP": "JPEG 2000",
    b"\xff\x4f\xff\x51": "JPEG 2000",
    b"\xff\x0a": "JPEG XL",
    b"\0\0\0\x0cJXL": "JPEG XL",
    b"%PDF": "PDF",
    b"qoif": "QOI",
}
_SOI, _EOI, _SOS = 0xD8, 0xD9, 0xDA
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})
"""Markers without a length."""


@dataclass(frozen=True, slots=True)
class Claims:
    """A photo's kind ("jpeg", "png", "webp", "heic", "avif") and its size as stored, in pixels.

    `decoded_wh`: what a decoder sets memory aside for, which a HEIC may cut down afterwards.
    """

    kind: str
    width: int
    height: int
    decoded_wh: tuple[int, int]


def claims(data: bytes, name: str) -> Claims:
    """What a photo claims to be. PhotoTrouble if it is none, or made to be hard to decode."""
    if not data:
        raise PhotoEmpty(name=name)
    try:
        return _claims(data, name)
    except (struct.error, IndexError, ValueError) as error:
        raise PhotoDamaged(name=name) from error


def _claims(data: bytes, name: str) -> Claims:
    if data.startswith(b"\xff\xd8\xff"):
        return _jpeg(data, name)
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return _png(data)
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return _webp(data)
    coded = _coding(data)
    if coded is not None:
        return _boxed(coded, data, name)
    if data.startswith((b"\x89PNG", b"RIFF")):
        raise PhotoDamaged(name=name)
    kind = next((kind for start, kind in _OTHERS.items() if data.startswith(start)), None)
    if kind is None:
        raise PhotoUnknown(name=name, kinds=KINDS)
    raise PhotoWrongKind(name=name, kind=kind, kinds=KINDS)


def _sized(kind: str, width: int, height: int) -> Claims:
    if width <= 0 or height <= 0:
        raise ValueError(f"expected a size, found {width} x {height}")
    return Claims(kind, width, height, (width, height))


def _jpeg(data: bytes, name: str) -> Claims:
    """Walk the segments to the first scan for the size, then count the scans."""
    size, at = None, 2
    for _ in range(MOST_SEGMENTS):
        at = data.index(b"\xff", at)
        marker = data[at + 1]
        if marker in (0x00, 0xFF) or marker in _ALONE:
            at += 1 if marker == 0xFF else 2
            continue
        if marker == _EOI:
            raise ValueError("expected a scan, found the end")
        if marker in _FRAMES and size is None:
            height, width = struct.unpack_from(">HH", data, at + 5)
            size = _sized("jpeg", width, height)
        if marker == _SOS:
            if size is None:
                raise ValueError("expected a size before the first scan")
            _check_scans(data, at, name)
            return size
        at += 2 + _length(data, at)
    raise PhotoTooHard(name=name, why=f"more than {MOST_SEGMENTS} segments in its header")


def _length(data: bytes, at: int) -> int:
    (length,) = struct.unpack_from(">H", data, at + 2)
    return max(2, int(length))


def _check_scans(data: bytes, at: int, name: str) -> None:
    """Count the scans up to the end of the picture; more than MOST_SCANS are too hard."""
    scans = 0
    for _, marker in _markers(data, at):
        scans += marker == _SOS
        if scans > MOST_SCANS:
            raise PhotoTooHard(name=name, why=f"more than {MOST_SCANS} scans")


def end_of_jpeg(data: bytes, at: int) -> int:
    """Where the picture whose first scan is at this place ends, or the file if it never does."""
    for place, marker in _markers(data, at):
        if marker == _EOI:
            return place + 2
    return len(data)


def jpeg_markers(data: bytes) -> list[tuple[int, int]]:
    """All markers of the first picture in a JPEG, each with its place."""
    return list(_markers(data, 2))


def _markers(data: bytes, at: int) -> Iterator[tuple[int, int]]:
    """The markers from this place to the end of the picture: (place, marker).

    Inside a scan a byte of ones is followed by zero, or by a restart marker; what a segment
    holds is no marker, whatever it looks like.
    """
    ones = np.flatnonzero(np.frombuffer(data, np.uint8)[:-1] == 0xFF)
    after = np.frombuffer(data, np.uint8)[ones + 1]
    is_marker = (after != 0) & (after != 0xFF) & ~((after >= 0xD0) & (after <= 0xD7))
    places = ones[is_marker]
    turn = int(np.searchsorted(places, at))
    while turn < len(places):
        place = int(places[turn])
        marker = data[place + 1]
        yield place, marker
        if marker == _EOI:
            return
        is_whole = marker not in _ALONE and place + 4 <= len(data)
        beyond = place + 2 + (_length(data, place) if is_whole else 0)
        turn = max(turn + 1, int(np.searchsorted(places, beyond)))


def _png(data: bytes) -> Claims:
    if data[12:16] != b"IHDR":
        raise ValueError("expected the header first")
    width, height = struct.unpack_from(">II", data, 16)
    return _sized("png", width, height)


def _webp(data: bytes) -> Claims:
    """The canvas where there is one: that is what decoders set memory aside for."""
    kind = data[12:16]
    if kind == b"VP8X":
        width = 1 + int.from_bytes(data[24:27], "little")
        height = 1 + int.from_bytes(data[27:30], "little")
        if len(data) < 30:
            raise ValueError("expected a whole header")
        return _sized("webp", width, height)
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        return _sized("webp", 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF))
    if kind == b"VP8 ":
        width, height = struct.unpack_from("<HH", data, 26)
        return _sized("webp", width & 0x3FFF, height & 0x3FFF)
    raise ValueError(f"expected a picture, found {kind!r}")


def _coding(data: bytes) -> str | None:
    """How a picture in boxes is coded, "heic" or "avif", by its brands: the major one, else those
    that it is compatible with, else the coding of its parts. None where it is no such picture.
    """
    if data[4:8] != b"ftyp":
        return None
    (size,) = struct.unpack_from(">I", data)
    major, *others = [data[8:12], *(data[at : at + 4] for at in range(16, min(size, 512), 4))]
    if major not in _HEIC_BRANDS | _AVIF_BRANDS | _ANY_CODING:
        return None
    for brand in (major, *others):
        if brand in _HEIC_BRANDS:
            return "heic"
        if brand in _AVIF_BRANDS:
            return "avif"
    return "avif" if b"av1C" in data and b"hvcC" not in data else "heic"


def _boxed(kind: str, data: bytes, name: str) -> Claims:
    """The largest size that any of its parts claims, cut and turned as the whole is."""
    largest, at = (0, 0), 0
    for _ in range(MOST_SIZES):
        at = data.find(b"ispe", at)
        if at < 0:
            width, height = _turned(data, _cut(data, largest))
            return Claims(kind, *_sized(kind, width, height).decoded_wh, largest)
        width, height = struct.unpack_from(">II", data, at + 8)
        largest = max(largest, (width, height), key=lambda size: size[0] * size[1])
        at += 12
    raise PhotoTooHard(name=name, why=f"more than {MOST_SIZES} parts")


def _cut(data: bytes, size_wh: tuple[int, int]) -> tuple[int, int]:
    """The size after its clean aperture; small pictures are coded larger than they are."""
    at = data.find(b"clap")
    if at < 0:
        return size_wh
    width, width_in, height, height_in = struct.unpack_from(">IIII", data, at + 4)
    if not width_in or not height_in:
        return size_wh
    cut = (width // width_in, height // height_in)
    return cut if 0 < cut[0] <= size_wh[0] and 0 < cut[1] <= size_wh[1] else size_wh


def _turned(data: bytes, size_wh: tuple[int, int]) -> tuple[int, int]:
    at = data.find(b"irot")
    is_across = 0 <= at < len(data) - 4 and data[at + 4] & 1
    return size_wh[::-1] if is_across else size_wh
