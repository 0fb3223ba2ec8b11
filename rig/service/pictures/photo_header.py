"""What a photo is, by its header, and without what tells on people."""

import struct

from rig.photo.claims import claims
from rig.photo.decoding import PhotoDamaged, PhotoTooLarge, PhotoTooManyBytes
from rig.photo.privacy import without_private_parts
from rig.service.http.limits import PHOTO_BYTES, PHOTO_PIXELS
from rig.service.pictures.picture_maker import PictureMaker
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


def clean_photo(maker: PictureMaker, data: bytes, kind: str, name: str) -> bytes:
    """The photo's bytes without what tells on people. PhotoTrouble."""
    parts = maker.make("metadata", data, name) if kind in ("heic", "avif") else ()
    try:
        return without_private_parts(data, kind, name, parts)
    except (struct.error, ValueError, IndexError) as error:
        raise PhotoDamaged(name=name) from error
