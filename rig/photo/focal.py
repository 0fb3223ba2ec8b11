"""What is known of a photo's lens: as it was measured, or the focal length that EXIF tells of."""

import io
import math

import numpy as np
from numpy.typing import NDArray
from PIL import ExifTags, Image

from rig.lens_file import check_size
from rig.photo.claims import claims
from rig.photo.decoding import READABLE, heic_metadata
from vision.lens import FocalLength, Lens, LensKnown

FILM_DIAGONAL_MM = math.hypot(36.0, 24.0)
"""EXIF compares fields of view over the diagonal of 35 mm film (Exif 2.32, tag 0xA405)."""
FOCAL_SIDES = (0.3, 6.0)
"""Focal lengths, in longer sides of the picture, that hand-held cameras have; others are wrong."""


def lens_known(
    measured: Lens | None, image: NDArray[np.uint8], data: bytes, name: str
) -> LensKnown:
    """The lens as it was measured, else what the bytes of the photo tell of it, for its picture
    (H, W, 3). LensOtherSize where it was measured for pictures of another size.
    """
    if measured is None:
        return told_focal_length(data, name, (image.shape[1], image.shape[0]))
    check_size(measured, image, name)
    return measured


def told_focal_length(data: bytes, name: str, size_wh: tuple[int, int]) -> FocalLength | None:
    """The focal length of a photo's bytes, for its picture of `size_wh` pixels; None where the
    photo tells of none, or of one that no camera has.
    """
    film_mm = _film_focal_mm(data, name)
    if film_mm is None:
        return None
    px = film_mm / FILM_DIAGONAL_MM * math.hypot(*size_wh)
    least, most = (sides * max(size_wh) for sides in FOCAL_SIDES)
    return FocalLength(px) if least <= px <= most else None


def _film_focal_mm(data: bytes, name: str) -> float | None:
    """The focal length of the same field of view on 35 mm film."""
    try:
        exif = _exif(data, name)
        told = exif.get_ifd(ExifTags.IFD.Exif).get(ExifTags.Base.FocalLengthIn35mmFilm, 0)
        return float(told) if float(told) > 0 else None
    except Exception:  # noqa: BLE001 - broken EXIF raises anything; the picture is good
        return None


def _exif(data: bytes, name: str) -> Image.Exif:
    if claims(data, name).kind != "heic":
        with Image.open(io.BytesIO(data), formats=READABLE) as picture:
            return picture.getexif()
    exif = Image.Exif()
    exif.load(heic_metadata(data, name)[0])
    return exif
