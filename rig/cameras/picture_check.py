"""Whether a preview is a picture of anything: damaged, nothing but noise, or dark."""

import cv2
import numpy as np
from numpy.typing import NDArray

from rig.cameras.camera import Preview, Reason
from rig.cameras.source import Shot

_DARK_MEAN = 8.0
_DARK_SPREAD = 4.0
_BURNT = 250
_NOISE_RATIO = 0.8
"""Mean step between neighbours over the standard deviation: 1.1 for white noise, and
below 0.4 for the most detailed pictures of cards."""


def examined(shot: Shot) -> tuple[Preview | None, Reason]:
    """The preview, None if it cannot be decoded, and what is wrong with it, else `none`."""
    grey = decoded_grey(shot.data)
    if grey is None or (grey.shape[1], grey.shape[0]) != shot.size_wh:
        return None, "damaged"
    burnt = float(np.count_nonzero(grey >= _BURNT)) / grey.size
    mean = float(grey.mean())
    preview = Preview(shot.data, grey, shot.taken_s, mean, burnt)
    return preview, fault_in(grey)


def is_picture(data: bytes) -> bool:
    """Whether it begins as a JPEG, PNG, WebP, HEIC or AVIF does; nothing is decoded."""
    return data.startswith((b"\xff\xd8", b"\x89PNG", b"RIFF")) or data[4:8] == b"ftyp"


def decoded_grey(jpeg: bytes) -> NDArray[np.uint8] | None:
    """A JPEG as grey (H, W) uint8, None if it is none or cut off."""
    if not (jpeg.startswith(b"\xff\xd8") and jpeg.endswith(b"\xff\xd9")):
        return None
    try:
        image = cv2.imdecode(np.frombuffer(jpeg, dtype=np.uint8), cv2.IMREAD_GRAYSCALE)
    except cv2.error:
        return None
    return None if image is None else np.asarray(image, dtype=np.uint8)


def fault_in(grey: NDArray[np.uint8]) -> Reason:
    """`dark`, `noise` or `none` for a grey picture (H, W) uint8."""
    spread = float(grey.std())
    if float(grey.mean()) < _DARK_MEAN and spread < _DARK_SPREAD:
        return "dark"
    values = grey.astype(np.int16)
    step = float(np.abs(np.diff(values, axis=1)).mean())
    return "noise" if spread > _DARK_SPREAD and step / spread > _NOISE_RATIO else "none"
