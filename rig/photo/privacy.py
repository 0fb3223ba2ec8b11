"""A photo without what tells on people: where it was taken, and with which very camera.

The pixels are not touched, not even decoded. Orientation, time and focal length stay, and
the colour profile. Comments, XMP and IPTC go, and whatever follows the picture in its file:
phones put films with sound there.
"""

import struct
import zlib
from collections.abc import Sequence

from rig.photo.claims import MOST_SEGMENTS, end_of_jpeg
from rig.photo.exif_scrub import scrubbed
from rig.photo.trouble import PhotoTooHard

_EXIF = b"Exif\0\0"
_MOST_CHUNKS = 50_000
_PNG_TEXT = frozenset({b"tEXt", b"zTXt", b"iTXt", b"tIME"})
_WEBP_XMP, _WEBP_EXIF = 0x04, 0x08
_JFIF, _ICC, _ADOBE = b"JFIF\0", b"ICC_PROFILE\0", b"Adobe"


def without_private_parts(
    data: bytes, kind: str, name: str, heic_parts: Sequence[bytes] = ()
) -> bytes:
    """The photo without what tells on people; the same bytes where there is nothing of it.

    `heic_parts`: the metadata that a HEIC holds, as its reader found them.
    """
    if kind == "jpeg":
        return _jpeg(data, name)
    if kind == "png":
        return _png(data, name)
    if kind == "webp":
        return _webp(data, name)
    return _heic(data, heic_parts)


def _jpeg(data: bytes, name: str) -> bytes:
    parts, at = [data[:2]], 2
    for _ in range(MOST_SEGMENTS):
        begun, at = at, data.index(b"\xff", at)
        parts.append(data[begun:at])  # garbage is a sign of damage, which is to be seen
        marker = data[at + 1]
        if marker == 0xFF:
            parts.append(b"\xff")
            at += 1
            continue
        if marker == 0xDA:
            return b"".join([*parts, data[at : end_of_jpeg(data, at)]])
        if marker in (0x00, 0x01) or 0xD0 <= marker <= 0xD9:
            parts.append(data[at : at + 2])
            at += 2
            continue
        (length,) = struct.unpack_from(">H", data, at + 2)
        end = at + 2 + max(2, length)
        parts.append(_segment(marker, data[at:end]))
        at = end
    raise PhotoTooHard(name=name, why=f"more than {MOST_SEGMENTS} segments in its header")


def _segment(marker: int, segment: bytes) -> bytes:
    """A segment of a JPEG's header as it stays; nothing for one that goes."""
    body = segment[4:]
    if marker == 0xE1 and body.startswith(_EXIF):
        return segment[:10] + scrubbed(body[6:])
    is_note = marker == 0xFE or 0xE0 <= marker <= 0xEF
    is_needed = body.startswith((_JFIF, _ICC, _ADOBE))
    return b"" if is_note and not is_needed else segment


def _png(data: bytes, name: str) -> bytes:
    parts, at = [data[:8]], 8
    for _ in range(_MOST_CHUNKS):
        if at + 8 > len(data):
            return b"".join(parts) if len(parts) > 1 else data
        (length,) = struct.unpack_from(">I", data, at)
        kind, end = data[at + 4 : at + 8], at + 12 + length
        if kind == b"eXIf":
            body = scrubbed(data[at + 8 : at + 8 + length])
            crc = struct.pack(">I", zlib.crc32(kind + body))
            parts.append(data[at : at + 8] + body + crc)
        elif kind not in _PNG_TEXT:
            parts.append(data[at:end])
        at = end
        if kind == b"IEND":
            return b"".join(parts)
    raise PhotoTooHard(name=name, why=f"more than {_MOST_CHUNKS} parts")


def _webp(data: bytes, name: str) -> bytes:
    """Chunks of an even length each; the RIFF header says how long all are together."""
    parts, at, is_changed = [], 12, False
    for _ in range(_MOST_CHUNKS):
        if at + 8 > len(data):
            break
        kind = data[at : at + 4]
        (length,) = struct.unpack_from("<I", data, at + 4)
        end = at + 8 + length + length % 2
        chunk = data[at:end]
        if kind == b"XMP ":
            chunk, is_changed = b"", True
        elif kind == b"EXIF":
            start = 14 if chunk[8:14] == _EXIF else 8
            chunk = chunk[:start] + scrubbed(chunk[start : 8 + length]) + chunk[8 + length :]
            is_changed = True
        parts.append(chunk)
        at = end
    else:
        raise PhotoTooHard(name=name, why=f"more than {_MOST_CHUNKS} parts")
    if not is_changed:
        return data
    body = bytearray(b"WEBP" + b"".join(parts))
    if body[4:8] == b"VP8X":
        body[12] &= ~_WEBP_XMP & 0xFF
    return b"RIFF" + struct.pack("<I", len(body)) + bytes(body)


def _heic(data: bytes, parts: Sequence[bytes]) -> bytes:
    """What is dropped is overwritten: every part of a HEIC is found by its place."""
    found = bytearray(data)
    for part in parts:
        at = data.find(part) if part else -1
        while at >= 0:
            found[at : at + len(part)] = _overwritten(part)
            at = data.find(part, at + len(part))
    return bytes(found)


def _overwritten(part: bytes) -> bytes:
    for start in (b"II*\0", b"MM\0*"):
        at = part.find(start, 0, 16)
        if at >= 0:
            return part[:at] + scrubbed(part[at:])
    return b" " * len(part)
