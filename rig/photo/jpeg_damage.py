"""Damage that a JPEG's own bytes give away, though its decoder says nothing.

A scan holds exactly the blocks of the picture, and its last byte is needed for the last of them.
Where it is not, blocks were lost on the way, and all that comes after lies beside its place.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from rig.photo.claims import jpeg_markers
from rig.photo.damage_signs import Damage
from rig.photo.decoder_words import damage_heard

_EOI, _DQT = 0xD9, 0xDB
_END = b"\xff\xd9"
_QUICKLY = cv2.IMREAD_REDUCED_GRAYSCALE_8 | cv2.IMREAD_IGNORE_ORIENTATION
NEARLY_ALL = 44
"""Figures of 64 that a quantiser shares with a usual one, of which the others are then damaged."""
ROUGH = 5.0
"""A quantiser's figure is so many times the ones around it in no encoder that we know."""
_LUMA = (
    "16 11 10 16 24 40 51 61 12 12 14 19 26 58 60 55 "
    "14 13 16 24 40 57 69 56 14 17 22 29 51 87 80 62 "
    "18 22 37 56 68 109 103 77 24 35 55 64 81 104 113 92 "
    "49 64 78 87 103 121 120 101 72 92 95 98 112 100 103 99 "
)
_CHROMA = "17 18 24 47 18 21 26 66 24 26 56 99 47 66 99 99"
_ZIGZAG = sorted(
    range(64), key=lambda k: (k // 8 + k % 8, k // 8 if (k // 8 + k % 8) % 2 else k % 8)
)


def jpeg_damage(data: bytes) -> Damage:
    """Signs of damage in a JPEG that was decoded without a word of it."""
    markers = jpeg_markers(data)
    plain = [f"a quantiser's figure is {why}" for why in _odd_quantisers(data, markers)]
    end = next((place for place, marker in markers if marker == _EOI), None)
    if end is None:
        plain.append("it has no end")
    elif _is_left_over(data, end):
        plain.append("its scan holds more than the picture")
    return Damage(tuple(plain))


def _is_left_over(data: bytes, end: int) -> bool:
    """Whether the picture can do without the last byte before its end mark."""
    while data[end - 1] == 0xFF:  # bytes that fill up
        end -= 1
    shorter = data[: end - 1] + _END
    with damage_heard() as signs:
        cv2.imdecode(np.frombuffer(shorter, np.uint8), _QUICKLY)
    return not signs


def _odd_quantisers(data: bytes, markers: list[tuple[int, int]]) -> list[str]:
    tables = [table for place, kind in markers if kind == _DQT for table in _tables(data, place)]
    found = []
    for table in tables:
        if not table.all():
            found.append("nought")
            continue
        shared = (table == USUAL).sum(axis=1).max()
        if NEARLY_ALL <= shared < 64:
            found.append("not its encoder's")
        elif shared < NEARLY_ALL and _roughness(table) > ROUGH:
            found.append("far from the ones around it")
    return found


def _tables(data: bytes, place: int) -> list[NDArray[np.int64]]:
    """The quantisers of one segment, row by row."""
    length = int.from_bytes(data[place + 2 : place + 4], "big")
    at, end, found = place + 4, place + 2 + length, []
    while at < end:
        is_wide = data[at] >> 4 != 0
        size = 128 if is_wide else 64
        values = np.frombuffer(data[at + 1 : at + 1 + size], ">u2" if is_wide else "u1")
        if len(values) < 64:
            break
        table = np.empty(64, np.int64)
        table[_ZIGZAG] = values
        found.append(table)
        at += 1 + size
    return found


def _usual() -> NDArray[np.int64]:
    """The quantisers of the standard's annex at each quality, as libjpeg makes them: (200, 64)."""
    chroma = np.full((8, 8), 99)
    chroma[:4, :4] = np.array(_CHROMA.split(), int).reshape(4, 4)
    both = np.stack([np.array(_LUMA.split(), int), chroma.ravel()])
    quality = np.arange(1, 101)
    percent = np.where(quality < 50, 5000 // quality, 200 - 2 * quality)
    scaled = (both[None] * percent[:, None, None] + 50) // 100
    return np.asarray(np.clip(scaled, 1, 255).reshape(-1, 64), np.int64)


def _roughness(table: NDArray[np.int64]) -> float:
    """How many times larger or smaller a figure is than the median of those around it, at most."""
    padded = np.pad(table.reshape(8, 8), 1, mode="edge")
    around = np.median(
        [
            padded[1 + dy : 9 + dy, 1 + dx : 9 + dx]
            for dy in (-1, 0, 1)
            for dx in (-1, 0, 1)
            if dy or dx
        ],
        axis=0,
    )
    ratio = (table.reshape(8, 8) + 2) / (around + 2)
    return float(np.maximum(ratio, 1 / ratio).max())


USUAL = _usual()
