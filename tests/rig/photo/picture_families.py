"""Ways in which pictures get damaged: in their bytes, on a card or a disk, and in their pixels.

Each family takes the JPEG of a whole photo and gives a damaged photo.
"""

from __future__ import annotations

import functools
import io
import itertools
import struct
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

END = b"\xff\xd9"
MCU = 16
Damage = Callable[[bytes, np.random.Generator], bytes]
Image8 = NDArray[np.uint8]


def scan_of(data: bytes) -> int:
    """Where the figures of the first scan begin."""
    at = data.index(b"\xff\xda")
    return at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")


def _flipped(data: bytes, at: int, rng: np.random.Generator) -> bytes:
    changed = bytearray(data)
    changed[at] ^= 1 << int(rng.integers(8))
    return bytes(changed)


def flipped(data: bytes, rng: np.random.Generator) -> bytes:
    """One bit of the scan is another."""
    return _flipped(data, int(rng.integers(scan_of(data), len(data) - 2)), rng)


def header(data: bytes, rng: np.random.Generator) -> bytes:
    """One bit before the scan is another."""
    return _flipped(data, int(rng.integers(2, scan_of(data))), rng)


def closed(data: bytes, rng: np.random.Generator) -> bytes:
    """Cut off in the scan, and closed with an end mark."""
    return data[: int(rng.integers(scan_of(data) + 1000, len(data)))] + END


def repeated(data: bytes, rng: np.random.Generator) -> bytes:
    """A part of the scan comes twice, as a card reader that stutters delivers it."""
    start = int(rng.integers(scan_of(data), len(data) - 5000))
    size = int(rng.integers(500, 4500))
    return data[: start + size] + data[start:]


def zeroed(data: bytes, rng: np.random.Generator) -> bytes:
    """A block of the disk is empty."""
    start = int(rng.integers(scan_of(data), len(data) - 5000))
    return data[:start] + bytes(4096) + data[start + 4096 :]


def quantised(data: bytes, rng: np.random.Generator) -> bytes:
    """One figure of a quantiser is another."""
    tables = [at for at in range(len(data[: scan_of(data)])) if data[at : at + 2] == b"\xff\xdb"]
    at = tables[int(rng.integers(len(tables)))] + 5
    return _flipped(data, at + int(rng.integers(64)), rng)


def restarts(data: bytes, rng: np.random.Generator) -> bytes:
    """A photo with restart marks, of which parts are lost, come twice, or change places."""
    parts, head = _between_restarts(_with_restarts(data))
    at, way = int(rng.integers(1, len(parts) - 10)), int(rng.integers(6))
    if way == 0:  # a mark is lost
        parts[at : at + 2] = [parts[at] + parts[at + 1][2:]]
    elif way == 1:
        del parts[at]
    elif way == 2:  # marks are counted to eight: this leaves them in order
        del parts[at : at + 8]
    elif way == 3:
        parts[at:at] = parts[at : at + 8]
    elif way == 4:
        parts[at], parts[at + 8] = parts[at + 8], parts[at]
    else:
        parts[at] = parts[at][:1] + bytes([0xD0 + int(rng.integers(8))]) + parts[at][2:]
    return head + b"".join(parts)


def heic(data: bytes, rng: np.random.Generator) -> bytes:
    """A run of garbage in a HEIC."""
    found = bytearray(whole_heic(data))
    first = found.index(b"mdat") + 12
    size = int(rng.integers(1, 400))
    at = int(rng.integers(first, len(found) - size))
    found[at : at + size] = rng.bytes(size)
    return bytes(found)


def rows_repeated(data: bytes, rng: np.random.Generator) -> bytes:
    """A strip shows what the one above it shows, in a photo coded again after that."""
    image = _decoded(data).copy()
    high = int(rng.integers(24, 200))
    at = int(rng.integers(high, len(image) - high))
    image[at : at + high] = image[at - high : at]
    return _jpeg(image)


def rows_greyed(data: bytes, rng: np.random.Generator) -> bytes:
    """A strip is grey, or of another colour, in a photo coded again after that."""
    image = _decoded(data).copy()
    high = int(rng.integers(24, 200))
    at = int(rng.integers(0, len(image) - high))
    start = int(rng.integers(image.shape[1] // 2)) * int(rng.integers(2))
    image[at : at + high, start:] = 128 if start else rng.integers(256, size=3)
    return _jpeg(image)


def rows_garbled(data: bytes, rng: np.random.Generator) -> bytes:
    """The blocks of a strip come in another order, in a photo coded again after that."""
    image = _decoded(data).copy()
    rows = int(rng.integers(2, 10))
    at = int(rng.integers(0, len(image) // MCU - rows)) * MCU
    strip = image[at : at + rows * MCU, : image.shape[1] // MCU * MCU]
    blocks = strip.reshape(rows, MCU, -1, MCU, 3).transpose(0, 2, 1, 3, 4)
    mixed = rng.permutation(blocks.reshape(-1, MCU, MCU, 3)).reshape(blocks.shape)
    strip[:] = mixed.transpose(0, 2, 1, 3, 4).reshape(strip.shape)
    return _jpeg(image)


FAMILIES: dict[str, Damage] = {
    damage.__name__: damage
    for damage in (
        flipped,
        header,
        closed,
        repeated,
        zeroed,
        quantised,
        restarts,
        heic,
        rows_repeated,
        rows_greyed,
        rows_garbled,
    )
}


def damaged(family: str, data: bytes, seed: int) -> bytes:
    return FAMILIES[family](data, np.random.default_rng(seed))


def whole_of(family: str, data: bytes) -> bytes:
    """The whole photo from which the family's damaged ones come."""
    if family == "heic":
        return whole_heic(data)
    if family == "restarts":
        return _with_restarts(data)
    return _jpeg(_decoded(data)) if family.startswith("rows") else data


@functools.lru_cache(32)
def whole_heic(data: bytes) -> bytes:
    import pillow_heif

    found = io.BytesIO()
    picture = Image.fromarray(np.ascontiguousarray(_decoded(data)[..., ::-1]))
    pillow_heif.from_pillow(picture).save(found, quality=70)
    return found.getvalue()


def tiled_heic(data: bytes, tile: int) -> bytes:
    """A HEIC as telephones write it: two by two tiles coded for themselves, and put together."""
    image = _decoded(data)[: 2 * tile, : 2 * tile]
    parts = [image[y : y + tile, x : x + tile] for y in (0, tile) for x in (0, tile)]
    coded = [whole_heic(_jpeg(part)) for part in parts]
    payloads = [one[one.index(b"mdat") + 4 :] for one in coded]
    at = coded[0].index(b"hvcC") - 4
    hvcc = coded[0][at : at + int.from_bytes(coded[0][at : at + 4], "big")]
    sizes = [_box(b"ispe", struct.pack(">III", 0, side, side)) for side in (tile, 2 * tile)]
    ipco = _box(b"ipco", hvcc + b"".join(sizes))
    links = [struct.pack(">HBBB", n, 2, 0x81, 0x02) for n in range(1, 5)]
    ipma = _box(b"ipma", struct.pack(">II", 0, 5) + b"".join(links) + struct.pack(">HBB", 5, 1, 3))
    kinds = [b"hvc1"] * 4 + [b"grid"]
    infe = [
        _box(b"infe", struct.pack(">IHH4sB", 2 << 24 | (n < 5), n, 0, kind, 0))
        for n, kind in enumerate(kinds, 1)
    ]
    dimg = _box(b"dimg", struct.pack(">HH4H", 5, 4, 1, 2, 3, 4))
    ftyp = _box(b"ftyp", b"heic" + bytes(4) + b"mif1heic")

    def meta(first: int) -> bytes:
        places, start = [], first
        for n, payload in enumerate(payloads, 1):
            places.append(struct.pack(">HHHHII", n, 0, 0, 1, start, len(payload)))
            start += len(payload)
        places.append(struct.pack(">HHHHII", 5, 1, 0, 1, 0, 8))
        iloc = struct.pack(">IBBH", 1 << 24, 0x44, 0, 5) + b"".join(places)
        inner = (
            _box(b"hdlr", bytes(8) + b"pict" + bytes(13)),
            _box(b"pitm", struct.pack(">IH", 0, 5)),
            _box(b"iinf", struct.pack(">IH", 0, 5) + b"".join(infe)),
            _box(b"iref", bytes(4) + dimg),
            _box(b"iprp", ipco + ipma),
            _box(b"idat", struct.pack(">BBBBHH", 0, 0, 1, 1, 2 * tile, 2 * tile)),
            _box(b"iloc", iloc),
        )
        return _box(b"meta", bytes(4) + b"".join(inner))

    before = len(ftyp) + len(meta(0)) + 8
    return ftyp + meta(before) + _box(b"mdat", b"".join(payloads))


def _box(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I4s", 8 + len(content), kind) + content


@functools.lru_cache(32)
def _with_restarts(data: bytes) -> bytes:
    image = _decoded(data)
    in_a_row = -(-image.shape[1] // MCU)
    return _jpeg(image, in_a_row)


def _between_restarts(data: bytes) -> tuple[list[bytes], bytes]:
    """The scan cut before each of its restart marks and its end, and what comes before it."""
    start = scan_of(data)
    scan = np.frombuffer(data[start:], np.uint8)
    ones = np.flatnonzero(scan[:-1] == 0xFF)
    marks = ones[(scan[ones + 1] >= 0xD0) & (scan[ones + 1] <= 0xD9)]
    edges = [0, *map(int, marks), len(scan)]
    return [data[start + a : start + b] for a, b in itertools.pairwise(edges)], data[:start]


@functools.lru_cache(2)
def _decoded(data: bytes) -> Image8:
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return np.asarray(image, np.uint8)


def _jpeg(image: Image8, restart_every: int = 0) -> bytes:
    options = [cv2.IMWRITE_JPEG_QUALITY, 92, cv2.IMWRITE_JPEG_RST_INTERVAL, restart_every]
    return bytes(cv2.imencode(".jpg", image, options)[1])
