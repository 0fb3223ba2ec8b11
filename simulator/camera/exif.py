"""The focal length that phones write into their pictures (EXIF, as of 35 mm film)."""

import struct

import numpy as np

from vision.lens import Lens

_FILM_DIAGONAL_MM = 43.27
_SHORT, _LONG, _RATIONAL, _TEXT = 3, 4, 5, 2
_MAKE, _EXIF, _FOCAL, _FOCAL_35 = 0x010F, 0x8769, 0x920A, 0xA405
_ENTRY = 12
_HEADER = 8


def focal_length_35mm(lens: Lens) -> int:
    """The focal length of a lens as of 35 mm film, by the picture's diagonal, whole mm."""
    diagonal_px = float(np.hypot(*lens.size_wh))
    return round(float(lens.matrix[0, 0]) / diagonal_px * _FILM_DIAGONAL_MM)


def with_focal_length(jpeg: bytes, lens: Lens) -> bytes:
    """The JPEG file with an EXIF part that says the lens's focal length."""
    if jpeg[:2] != b"\xff\xd8":
        raise ValueError("not a JPEG file")
    part = b"Exif\x00\x00" + _tiff(focal_length_35mm(lens))
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(part) + 2) + part + jpeg[2:]


def _tiff(focal_mm: int) -> bytes:
    """A TIFF of the maker and an EXIF directory; offsets count from its first byte."""
    make = b"Phone\x00"
    first = 2 + 2 * _ENTRY + 4
    make_at = _HEADER + first
    exif_at = make_at + len(make)
    focal_at = exif_at + first
    head = b"MM\x00\x2a" + struct.pack(">I", _HEADER)
    main = _directory(_entry(_MAKE, _TEXT, len(make), make_at), _entry(_EXIF, _LONG, 1, exif_at))
    exif = _directory(
        _entry(_FOCAL, _RATIONAL, 1, focal_at), _entry(_FOCAL_35, _SHORT, 1, focal_mm << 16)
    )
    # A phone's own focal length is about a sixth of what it would be on film.
    return head + main + make + exif + struct.pack(">II", round(focal_mm * 100 / 6.3), 100)


def _entry(tag: int, kind: int, count: int, value: int) -> bytes:
    return struct.pack(">HHII", tag, kind, count, value)


def _directory(*entries: bytes) -> bytes:
    return struct.pack(">H", len(entries)) + b"".join(entries) + struct.pack(">I", 0)
