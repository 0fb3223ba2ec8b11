"""Pictures in every kind of file."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
import pillow_heif
from numpy.typing import NDArray
from PIL import Image

pillow_heif.register_heif_opener()

WIDTH, HEIGHT = 48, 32


def quarters() -> NDArray[np.uint8]:
    """Red, green, blue and grey quarters, RGB, 48 x 32: tells every turn and mirror image."""
    image = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    image[:16, :24] = (200, 30, 20)
    image[:16, 24:] = (30, 190, 40)
    image[16:, :24] = (20, 40, 210)
    image[16:, 24:] = (120, 120, 120)
    return image


def saved(kind: str, image: Image.Image | None = None, **options: object) -> bytes:
    file = io.BytesIO()
    picture = image if image is not None else Image.fromarray(quarters())
    picture.save(file, kind, **options)
    return file.getvalue()


def noisy_jpeg() -> bytes:
    noise = np.random.default_rng(1).integers(0, 255, (200, 300, 3), np.uint8)
    return saved("JPEG", Image.fromarray(noise), quality=90)


def png_header(width: int, height: int) -> bytes:
    """A PNG of this size by its header, with hardly any data."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(100)))
    return b"\x89PNG\r\n\x1a\n" + body + chunk(b"IEND", b"")
