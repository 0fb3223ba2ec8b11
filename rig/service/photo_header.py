"""What a photo's first bytes say of it: its kind and size, before anything is decoded."""

from __future__ import annotations

from rig.photo import PhotoTooLarge, PhotoTooManyBytes, decode_photo
from rig.store.frames import PhotoFacts

MAX_BYTES = 12_000_000
MAX_PIXELS = 25_000_000
MEDIA_TYPES = {
    "jpeg": "image/jpeg",
    "png": "image/png",
    "webp": "image/webp",
    "heic": "image/heic",
}
_STARTS = {b"\xff\xd8\xff": "jpeg", b"\x89PNG": "png", b"RIFF": "webp"}


def photo_facts(data: bytes, name: str) -> PhotoFacts:
    """The kind and size of a photo. PhotoTrouble if it is none, or larger than is taken."""
    if len(data) > MAX_BYTES:
        megabytes = round(len(data) / 1e6, 1)
        raise PhotoTooManyBytes(name=name, megabytes=megabytes, limit=MAX_BYTES // 10**6)
    width, height = _size(data, name)
    if width * height > MAX_PIXELS:
        raise PhotoTooLarge(name=name, width=width, height=height, limit=MAX_PIXELS // 10**6)
    kind = next((kind for start, kind in _STARTS.items() if data.startswith(start)), "heic")
    return PhotoFacts(kind, width, height)


def _size(data: bytes, name: str) -> tuple[int, int]:
    """The size as stored: asked for a photo of no pixels, the header answers with its own."""
    try:
        decode_photo(data, name, max_pixels=0)
    except PhotoTooLarge as trouble:
        return int(str(trouble.facts["width"])), int(str(trouble.facts["height"]))
    return 0, 0
