"""Damaged pictures of the fixtures: how many give a wrong score that is called sure.

    python -m tests.rig.damaged_pictures --count 100 --seed 0

Each is decoded and read as a photo is. What the whole photo's reading says is taken as right.
Prints, for each family, how many could not be decoded, how many the decoder called damaged,
and how many wrong scores were called sure by the reading alone and with the decoder's word.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable

import numpy as np

from geometry.deck_file import published_deck
from geometry.rules import Rules
from rig.photo import decode_photo, decode_photo_told
from rig.photo_claims import claims
from rig.photo_damage import with_damage
from rig.trouble import PhotoTrouble
from tests.scenes import SCENES
from vision.read import read_table
from vision.reading import NotSeen, Reading

END = b"\xff\xd9"
Damage = Callable[[bytes, np.random.Generator], bytes]


def scan_of(data: bytes) -> int:
    """Where the figures of the first scan begin."""
    at = data.index(b"\xff\xda")
    return at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")


def flipped(data: bytes, rng: np.random.Generator) -> bytes:
    """One bit of the scan is another."""
    changed = bytearray(data)
    changed[int(rng.integers(scan_of(data), len(data) - 2))] ^= 1 << int(rng.integers(8))
    return bytes(changed)


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
    at = data.index(b"\xff\xdb") + 5
    changed = bytearray(data)
    changed[at + int(rng.integers(64))] ^= 1 << int(rng.integers(8))
    return bytes(changed)


FAMILIES: dict[str, Damage] = {
    damage.__name__: damage for damage in (flipped, closed, repeated, zeroed, quantised)
}


def damaged(family: str, data: bytes, seed: int) -> bytes:
    return FAMILIES[family](data, np.random.default_rng(seed))


def read(image: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> Reading | NotSeen:
    return read_table(image, published_deck(), None, Rules(), None)


def wrong_and_sure(reading: Reading, right: Reading) -> bool:
    return (reading.sure and reading.scores != right.scores) or (
        reading.sure_without_illegal
        and reading.scores_without_illegal != right.scores_without_illegal
    )


def judge(family: str, data: bytes, right: Reading, seed: int) -> Counter[str]:
    bad = damaged(family, data, seed)
    try:
        claims(bad, "photo")
        image, is_damaged = decode_photo_told(bad, "photo")
    except PhotoTrouble:
        return Counter(refused=1)
    found = read(image)
    counts = Counter(heard=int(is_damaged))
    if isinstance(found, NotSeen):
        return counts + Counter(unread=1)
    height, width = image.shape[:2]
    told = with_damage(found, is_damaged, (width, height), Rules())
    before, after = wrong_and_sure(found, right), wrong_and_sure(told, right)
    return counts + Counter(wrong_before=int(before), wrong_after=int(after))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    wanted = parser.parse_args()
    photos = [path.read_bytes() for path in sorted(SCENES.glob("*/image.jpg"))]
    rights = {}
    totals: dict[str, Counter[str]] = {family: Counter() for family in FAMILIES}
    for number in range(wanted.count):
        family = list(FAMILIES)[number % len(FAMILIES)]
        which = (number // len(FAMILIES)) % len(photos)
        if which not in rights:
            whole = read(decode_photo(photos[which], "photo"))
            assert isinstance(whole, Reading)
            rights[which] = whole
        totals[family] += judge(family, photos[which], rights[which], wanted.seed + number)
        totals[family]["all"] += 1
    for family, counts in totals.items():
        said = ", ".join(
            f"{name} {counts[name]}"
            for name in ("all", "refused", "unread", "heard", "wrong_before", "wrong_after")
        )
        sys.stdout.write(f"{family}: {said}\n")
    return int(any(counts["wrong_after"] for counts in totals.values()))


if __name__ == "__main__":
    raise SystemExit(main())
