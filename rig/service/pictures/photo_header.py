"""What a photo's first bytes say of it: its kind and size, before anything is decoded."""

from rig.photo.claims import claims
from rig.photo.decoding import PhotoTooLarge, PhotoTooManyBytes
from rig.service.http.limits import PHOTO_BYTES, PHOTO_PIXELS
from rig.store.frame import PhotoFacts

MEDIA_TYPES = {
    "jpeg": "image/jpeg",
    "png": "image/png",
    "webp": "image/webp",
    "heic": "image/heic",
    "avif": "image/avif",
}


def photo_facts(data: bytes, name: str) -> PhotoFacts:
    """The kind and size of a photo. PhotoTrouble if it is none, or larger than is taken."""
    if len(data) > PHOTO_BYTES:
        megabytes = round(len(data) / 1e6, 1)
        raise PhotoTooManyBytes(name=name, megabytes=megabytes, limit=PHOTO_BYTES // 10**6)
    found = claims(data, name)
    width, height = found.decoded_wh
    if width * height > PHOTO_PIXELS:
        limit = PHOTO_PIXELS // 10**6
        raise PhotoTooLarge(name=name, width=width, height=height, limit=limit)
    return PhotoFacts(found.kind, found.width, found.height)
