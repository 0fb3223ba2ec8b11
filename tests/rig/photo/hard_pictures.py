"""Pictures made to exhaust whoever opens them: small files, much work."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
from PIL import Image


def scans_jpeg(size_wh: tuple[int, int], scans: int, between: bytes = b"") -> bytes:
    """A progressive grey JPEG of so many scans, all but the first of them empty."""
    width, height = size_wh
    file = io.BytesIO()
    Image.fromarray(np.full((height, width), 90, np.uint8)).save(file, "JPEG", progressive=True)
    data = file.getvalue()
    first = data.index(b"\xff\xda")
    length = int.from_bytes(data[first + 2 : first + 4], "big")
    after = data.index(b"\xff", first + 2 + length)
    while data[after + 1] == 0:
        after = data.index(b"\xff", after + 2)
    # An AC scan of the lowest bit of one band; its one byte of data says that nothing is there.
    header = bytes([0xFF, 0xDA, 0, 8, 1, 1, 0x00, 1, 1, 0x00])
    table = bytes([0xFF, 0xC4, 0, 20, 0x10, 1, *[0] * 15, 0x00])
    more = header + b"\x00" + between
    return data[:after] + table + more * (scans - 1) + b"\xff\xd9"


def many_segments_jpeg(size_bytes: int) -> bytes:
    """A JPEG whose header is a long row of empty comments."""
    return b"\xff\xd8" + b"\xff\xfe\x00\x02" * (size_bytes // 4)


def many_chunks_png(size_bytes: int) -> bytes:
    """A PNG of a long row of empty chunks."""
    header = b"IHDR" + struct.pack(">IIBBBBB", 9, 9, 8, 2, 0, 0, 0)
    head = struct.pack(">I", 13) + header + struct.pack(">I", zlib.crc32(header))
    empty = struct.pack(">I", 0) + b"teXt" + struct.pack(">I", zlib.crc32(b"teXt"))
    return b"\x89PNG\r\n\x1a\n" + head + empty * (size_bytes // 12)


def many_boxes_heic(size_bytes: int) -> bytes:
    """A HEIC of a long row of sizes."""
    box = struct.pack(">I", 20) + b"ispe" + struct.pack(">III", 0, 9, 9)
    return struct.pack(">I", 16) + b"ftypheic" + bytes(4) + box * (size_bytes // 20)


def claiming_webp(size_wh: tuple[int, int]) -> bytes:
    """A WebP film of a few bytes whose canvas has this size: its reader sets aside all of it."""
    file = io.BytesIO()
    frames = [Image.new("RGB", (16, 16), colour) for colour in ("red", "blue")]
    frames[0].save(file, "WEBP", save_all=True, append_images=frames[1:])
    data = bytearray(file.getvalue())
    width, height = (side - 1 for side in size_wh)
    data[24:30] = width.to_bytes(3, "little") + height.to_bytes(3, "little")
    return bytes(data)
