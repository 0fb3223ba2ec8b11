"""A photo without what tells on people, whatever its kind."""

import struct

from rig.photo.decoding import PhotoDamaged
from rig.photo.privacy import without_private_parts
from rig.service.pictures.picture_maker import PictureMaker


def clean_photo(maker: PictureMaker, data: bytes, kind: str, name: str) -> bytes:
    """The photo's bytes without what tells on people. PhotoTrouble."""
    parts = maker.make("metadata", data, name) if kind in ("heic", "avif") else ()
    try:
        return without_private_parts(data, kind, name, parts)
    except (struct.error, ValueError, IndexError) as error:
        raise PhotoDamaged(name=name) from error
