"""Pictures for the page: the photo itself, smaller, or with what was read drawn on it."""

from __future__ import annotations

import threading

import cv2
import numpy as np
from numpy.typing import NDArray

from rig.photo import decode_photo
from rig.service.desk import Desk, Read
from rig.service.photo_header import MAX_PIXELS, MEDIA_TYPES
from rig.store.frames import Frame
from rig.trouble import PhotoTrouble

_QUALITY = 88
_one_at_a_time = threading.Lock()
"""A decoded photo takes 75 MB: a dozen phones at once must not take a gigabyte."""


def picture(desk: Desk, frame: Frame, width: int | None) -> tuple[bytes, str]:
    """The photo's bytes and media type; as JPEG of at most this width if one is given.

    What a browser cannot show (HEIC) becomes a JPEG. A photo that cannot be
    decoded is handed out as it is.
    """
    data = desk.store.frames.picture(frame)
    if width is None and frame.photo.kind != "heic":
        return data, MEDIA_TYPES[frame.photo.kind]
    with _one_at_a_time:
        try:
            image = decode_photo(data, frame.name, MAX_PIXELS)
        except PhotoTrouble:
            return data, MEDIA_TYPES[frame.photo.kind]
        return _jpeg(_narrowed(image, width)), MEDIA_TYPES["jpeg"]


def overlay(desk: Desk, read: Read, width: int | None) -> bytes:
    """The photo with the reading drawn on it, as JPEG."""
    from vision.overlay.overlay import draw_overlay

    data = desk.store.frames.picture(read.frame)
    with _one_at_a_time:
        image = decode_photo(data, read.frame.name, MAX_PIXELS)
        reading = read.replayed.reading
        drawn = draw_overlay(image, reading, reading.seen.layout.deck)
        return _jpeg(_narrowed(drawn, width))


def _narrowed(image: NDArray[np.uint8], width: int | None) -> NDArray[np.uint8]:
    height, full = image.shape[:2]
    if width is None or full <= width:
        return image
    size = (width, max(1, round(height * width / full)))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _jpeg(image: NDArray[np.uint8]) -> bytes:
    _, encoded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    return encoded.tobytes()
