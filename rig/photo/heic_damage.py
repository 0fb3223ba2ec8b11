"""What the decoder within libheif notices of damage in a HEIC.

libheif keeps libde265's warnings to itself, so libde265, which came with it, is given the picture's
parts once more and asked. Where it cannot be reached, or the parts not be found, the picture is
unchecked. Rules of the container and of its units tell nothing of it: garbage within what is coded
keeps every box and every length (of 160 such pictures they told of none, libde265 of 148).
"""

import ctypes
import struct
from collections.abc import Iterator
from ctypes.util import find_library
from pathlib import Path
from typing import NamedTuple

from rig.photo.damage_signs import Damage

_WAITING = 13  # DE265_ERROR_WAITING_FOR_INPUT_DATA
_MOST_ROUNDS = 1000
"""Of decoding a part; a part of one picture takes a few."""
_MOST_PARTS = 2000
_Numbers = ctypes.POINTER(ctypes.c_int)


class _Box(NamedTuple):
    kind: bytes
    at: int
    end: int


def heic_damage(data: bytes) -> Damage:
    """Signs of damage in a HEIC that was decoded without a word of it."""
    decoder = _library()
    if decoder is None:
        return Damage(unchecked=True)
    try:
        parts = list(_coded_parts(data))
    except (struct.error, IndexError, KeyError, ValueError):
        return Damage(unchecked=True)  # laid out in a way that is not known here
    said = {word for part in parts for word in _words(decoder, part)}
    return Damage(tuple(sorted(said)))


def _library() -> ctypes.CDLL | None:
    """The decoder that libheif uses; None where it cannot be found."""
    try:
        library = ctypes.CDLL(str(_place() or "libde265"))
        library.de265_new_decoder.restype = ctypes.c_void_p
        library.de265_push_NAL.argtypes = [
            ctypes.c_void_p,
            ctypes.c_char_p,
            ctypes.c_int,
            ctypes.c_int64,
            ctypes.c_void_p,
        ]
        library.de265_decode.argtypes = [ctypes.c_void_p, _Numbers]
        library.de265_get_next_picture.restype = ctypes.c_void_p
        library.de265_get_error_text.restype = ctypes.c_char_p
        for name in ("flush_data", "get_warning", "get_next_picture", "free_decoder"):
            getattr(library, f"de265_{name}").argtypes = [ctypes.c_void_p]
    except (OSError, AttributeError):
        return None
    return library


def _place() -> Path | str | None:
    """The decoder that came with libheif's package, else the system's; None where neither is."""
    import pillow_heif

    package = Path(pillow_heif.__file__).parent
    beside = package.parent / f"{package.name}.libs"  # where wheels for Linux have their libraries
    return next(beside.glob("libde265*"), None) or find_library("de265")


def _words(library: ctypes.CDLL, units: list[bytes]) -> Iterator[str]:
    """What the decoder says of one coded picture."""
    decoder = library.de265_new_decoder()
    if not decoder:
        raise MemoryError
    try:
        for unit in units:
            library.de265_push_NAL(decoder, unit, len(unit), 0, None)
        library.de265_flush_data(decoder)
        pictures, more = 0, ctypes.c_int(1)
        for _ in range(_MOST_ROUNDS):
            code = library.de265_decode(decoder, ctypes.byref(more))
            pictures += bool(library.de265_get_next_picture(decoder))
            if code not in (0, _WAITING):
                yield _text(library, code)
            if code or not more.value:
                break
        while warning := library.de265_get_warning(decoder):
            yield _text(library, warning)
        if pictures != 1:
            yield f"{pictures} pictures in a part of one"
    finally:
        library.de265_free_decoder(decoder)


def _text(library: ctypes.CDLL, code: int) -> str:
    return bytes(library.de265_get_error_text(code)).decode("utf-8", "replace")


def _coded_parts(data: bytes) -> Iterator[list[bytes]]:
    """The units of the picture, or of each of its tiles: its parameters, then what is coded."""
    meta = next(box for box in _boxes(data, 0, len(data)) if box.kind == b"meta")
    inner = {box.kind: box for box in _boxes(data, meta.at + 4, meta.end)}
    (primary,) = _numbers(data, inner[b"pitm"].at + 4, ["I" if data[inner[b"pitm"].at] else "H"])
    tiles = _tiles(data, inner[b"iref"], primary) if b"iref" in inner else []
    places = _places(data, inner[b"iloc"])
    headers = _headers(data, inner[b"iprp"])
    if len(tiles) > _MOST_PARTS:
        raise ValueError(f"expected {_MOST_PARTS} parts at most, found {len(tiles)}")
    for item in tiles or [primary]:
        coded = b"".join(data[at : at + size] for at, size in places[item])
        yield [*headers[item], *_units(coded)]


def noted_parts(data: bytes) -> list[bytes]:
    """The EXIF, XMP and the like of a picture in boxes (HEIC, AVIF), each as it stands in the file:
    its items that are no picture (ISO/IEC 14496-12, box "iinf"). ValueError, LookupError or
    struct.error where its boxes cannot be followed.
    """
    meta = next((box for box in _boxes(data, 0, len(data)) if box.kind == b"meta"), None)
    if meta is None:
        raise LookupError("expected a box meta")
    inner = {box.kind: box for box in _boxes(data, meta.at + 4, meta.end)}
    listed = inner[b"iinf"]
    is_wide = data[listed.at] != 0
    noted = []
    for entry in _boxes(data, listed.at + (8 if is_wide else 6), listed.end):
        item, at = _number(data, entry.at + 4, 4 if data[entry.at] == 3 else 2)
        if data[at + 2 : at + 6] in (b"Exif", b"mime", b"uri "):
            noted.append(item)
    places = _places(data, inner[b"iloc"])
    spans = [span for item in noted for span in places.get(item, [])]
    return [data[at : at + size] for at, size in spans]


def _boxes(data: bytes, at: int, end: int) -> Iterator[_Box]:
    while at + 8 <= end:
        size, kind = struct.unpack_from(">I4s", data, at)
        start = at + 8
        if size == 1:
            (size,) = struct.unpack_from(">Q", data, start)
            start += 8
        stop = end if size == 0 else min(at + size, end)
        if stop < start:
            raise ValueError(f"expected a box, found one of {size} bytes")
        yield _Box(kind, start, stop)
        at = stop


def _numbers(data: bytes, at: int, kinds: list[str]) -> tuple[int, ...]:
    return struct.unpack_from(">" + "".join(kinds), data, at)


def _tiles(data: bytes, box: _Box, primary: int) -> list[int]:
    """The items that the primary one is put together from; none if it is coded itself."""
    wide = "I" if data[box.at] else "H"
    width = struct.calcsize(wide)
    for one in _boxes(data, box.at + 4, box.end):
        (source,) = _numbers(data, one.at, [wide])
        if one.kind == b"dimg" and source == primary:
            (count,) = _numbers(data, one.at + width, ["H"])
            return list(_numbers(data, one.at + width + 2, [wide] * count))
    return []


def _places(data: bytes, box: _Box) -> dict[int, list[tuple[int, int]]]:
    """Where each item lies in the file: (place, bytes), as the box "iloc" tells."""
    version, sizes, more = data[box.at], data[box.at + 4], data[box.at + 5]
    offset, length, base, index = sizes >> 4, sizes & 15, more >> 4, more & 15
    wide = 4 if version == 2 else 2
    at = box.at + 6
    count, at = _number(data, at, wide)
    found: dict[int, list[tuple[int, int]]] = {}
    for _ in range(count):
        item, at = _number(data, at, wide)
        at += 2 if version else 0
        at += 2
        start, at = _number(data, at, base)
        extents, at = _number(data, at, 2)
        found[item] = places = []
        for _ in range(extents):
            at += index if version else 0
            place, at = _number(data, at, offset)
            size, at = _number(data, at, length)
            places.append((start + place, size))
    return found


def _number(data: bytes, at: int, width: int) -> tuple[int, int]:
    """A number of so many bytes, and where the next one is."""
    if at + width > len(data):
        raise ValueError("expected a number, found the end")
    return int.from_bytes(data[at : at + width], "big"), at + width


def _headers(data: bytes, box: _Box) -> dict[int, list[bytes]]:
    """Each item's parameter sets, of those that have any."""
    inner = {one.kind: one for one in _boxes(data, box.at, box.end)}
    shared = list(_boxes(data, inner[b"ipco"].at, inner[b"ipco"].end))
    table = inner[b"ipma"]
    version, is_wide = data[table.at], data[table.at + 3] & 1
    count, at = _number(data, table.at + 4, 4)
    found: dict[int, list[bytes]] = {}
    for _ in range(count):
        item, at = _number(data, at, 4 if version else 2)
        links, at = _number(data, at, 1)
        for _ in range(links):
            link, at = _number(data, at, 2 if is_wide else 1)
            which = (link & (0x7FFF if is_wide else 0x7F)) - 1
            if 0 <= which < len(shared) and shared[which].kind == b"hvcC":
                found[item] = list(_parameter_sets(data, shared[which].at))
    return found


def _parameter_sets(data: bytes, at: int) -> Iterator[bytes]:
    arrays, at = _number(data, at + 22, 1)
    for _ in range(arrays):
        units, at = _number(data, at + 1, 2)
        for _ in range(units):
            size, at = _number(data, at, 2)
            yield data[at : at + size]
            at += size


def _units(coded: bytes) -> Iterator[bytes]:
    """What is coded, unit by unit; each is preceded by its length in four bytes."""
    at = 0
    while at + 4 < len(coded):
        size, at = _number(coded, at, 4)
        yield coded[at : at + size]
        at += size
