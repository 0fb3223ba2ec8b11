"""Pictures for the page: the photo itself, smaller, or with what was read drawn on it."""

import cv2
import numpy as np

from rig.photo.decoding import PhotoTooHard
from rig.service.frames.frame_readings import Read
from rig.service.frames.parts import FrameParts
from rig.service.pictures.photo_header import MEDIA_TYPES, clean_photo
from rig.service.pictures.picture_process import jpeg, narrowed
from rig.service.pictures.small_picture_maker import make_small
from rig.store.frame import Frame
from rig.store.small_pictures import IMPOSSIBLE, WIDTHS
from rig.trouble import PhotoTrouble


def picture(parts: FrameParts, frame: Frame, width: int | None) -> tuple[bytes, str]:
    """The photo's bytes and media type; as JPEG of at most this width if one is given.

    What a browser cannot show (HEIC) becomes a JPEG. A photo that cannot be
    decoded is handed out as it is.
    """
    as_it_came = MEDIA_TYPES[frame.photo.kind]
    if width is None and frame.photo.kind != "heic":
        return _clean(parts, frame), as_it_came
    small = None if width is None else _small(parts, frame, width)
    if small is None and parts.store.frames.small.get(frame.sha256, WIDTHS[0]) != IMPOSSIBLE:
        small = _large(parts, frame, width)
    if not small:
        return _clean(parts, frame), as_it_came
    return small, MEDIA_TYPES["jpeg"]


def _clean(parts: FrameParts, frame: Frame) -> bytes:
    """The photo as it is kept; one from before without what tells on people."""
    data = parts.store.frames.picture(frame)
    try:
        return clean_photo(parts.maker, data, frame.photo.kind, frame.name)
    except PhotoTrouble:
        return data


def _small(parts: FrameParts, frame: Frame, width: int) -> bytes | None:
    """A kept picture of this width, or one made of it; IMPOSSIBLE, or None for a larger one."""
    nearest = next((one for one in WIDTHS if one >= width), None)
    if nearest is None:
        return None
    small = parts.store.frames.small
    if small.get(frame.sha256, nearest) is None:
        parts.store.frames.picture(frame)  # PictureMissing, before anything is marked
        make_small(parts.store, parts.maker, frame)
    kept = small.get(frame.sha256, nearest)
    if not kept or nearest == width:
        return kept
    image = cv2.imdecode(np.frombuffer(kept, np.uint8), cv2.IMREAD_COLOR)  # our own JPEG
    return None if image is None else jpeg(narrowed(np.asarray(image, np.uint8), width))


def _large(parts: FrameParts, frame: Frame, width: int | None) -> bytes | None:
    """A JPEG made for this one request; None where the photo cannot be decoded."""
    parts.store.frames.picture(frame)
    size = 10_000 if width is None else width
    try:
        (made,) = parts.maker.make("small", parts.store.frames.path(frame), frame.name, (size,))
    except PhotoTooHard:
        parts.store.frames.small.mark_impossible(frame.sha256)
        return None
    except PhotoTrouble:
        return None
    return bytes(made)


def overlay(parts: FrameParts, read: Read, width: int | None) -> bytes:
    """The photo with the reading drawn on it, as JPEG."""
    frames = parts.store.frames
    frames.picture(read.frame)
    path = frames.path(read.frame)
    return bytes(parts.maker.make("overlay", path, read.frame.name, read.replayed.reading, width))
