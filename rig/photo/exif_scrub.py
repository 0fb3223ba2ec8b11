"""EXIF without what tells on people: place and serial numbers go, what a reading needs stays.

The block keeps its length and its place, so that nothing else in the file has to move:
what is dropped becomes zeros. Only what is known to be harmless stays; a maker's notes and
the small picture within, which may show what was cropped away, are dropped with the rest.
"""

import struct
from dataclasses import dataclass

_EXIF_IFD = 0x8769
_KEPT = {
    0x0112,  # orientation
    0x0132,  # date and time
    0x9000,  # version
    0x9003,  # when the picture was taken
    0x9004,
    0x9010,  # time zones
    0x9011,
    0x9012,
    0x9290,  # fractions of the second
    0x9291,
    0x9292,
    0x920A,  # focal length
    0xA405,  # as for 35 mm film
    _EXIF_IFD,
}
_SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4}
_ENTRY = 12
_MOST_ENTRIES = 1000
_LONGEST_VALUE = 64
"""Of what stays: a date has 20 bytes; whatever is longer is not what it claims to be."""


@dataclass(frozen=True, slots=True)
class _Block:
    data: bytes
    order: str

    def short(self, at: int) -> int:
        return int(struct.unpack_from(f"{self.order}H", self.data, at)[0])

    def long(self, at: int) -> int:
        return int(struct.unpack_from(f"{self.order}I", self.data, at)[0])


def scrubbed(tiff: bytes) -> bytes:
    """The TIFF block of an EXIF, as long as before, without what is not known to be harmless.

    One that cannot be read becomes zeros.
    """
    kept = bytearray(len(tiff))
    try:
        order = {b"II": "<", b"MM": ">"}[bytes(tiff[:2])]
        block = _Block(tiff, order)
        kept[:8] = tiff[:8]
        _keep_folder(block, kept, block.long(4), within=None)
    except (KeyError, struct.error, IndexError, ValueError):
        return bytes(len(tiff))
    return bytes(kept)


def _keep_folder(block: _Block, kept: bytearray, at: int, within: int | None) -> None:
    """Copy a directory's harmless entries, one after the other, with what they point at."""
    count = block.short(at)
    if count > _MOST_ENTRIES:
        raise ValueError(f"expected a directory, found {count} entries")
    staying = []
    for place in range(count):
        entry = at + 2 + place * _ENTRY
        if block.short(entry) in _KEPT and _keep_value(block, kept, entry, within):
            staying.append(block.data[entry : entry + _ENTRY])
    kept[at : at + 2] = struct.pack(f"{block.order}H", len(staying))
    rows = b"".join(staying)
    kept[at + 2 : at + 2 + len(rows)] = rows
    # No directory follows: the next one is that of the small picture.
    end = at + 2 + len(rows)
    kept[end : end + 4] = bytes(len(kept[end : end + 4]))


def _keep_value(block: _Block, kept: bytearray, entry: int, within: int | None) -> bool:
    """Copy what an entry points at; False for an entry that is not what it should be."""
    tag, kind, count = block.short(entry), block.short(entry + 2), block.long(entry + 4)
    if tag == _EXIF_IFD:
        if within is not None:
            return False
        _keep_folder(block, kept, block.long(entry + 8), within=tag)
        return True
    size = _SIZES.get(kind, 0) * count
    if not 0 < size <= _LONGEST_VALUE:
        return False
    if size > 4:
        at = block.long(entry + 8)
        if at + size > len(block.data):
            return False
        kept[at : at + size] = block.data[at : at + size]
    return True
