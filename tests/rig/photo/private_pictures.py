"""Pictures that tell more than they show."""

from __future__ import annotations

import io

from PIL import Image
from PIL.TiffImagePlugin import IFDRational

from tests.rig.photo.encoded_pictures import quarters

SECRETS = (b"SERIAL-4711", b"Ada's phone", b"MAKERNOTE", b"52.5163", b"a comment", b"Lens-0815")
TIME = "2024:05:06 07:08:09"


def told_exif() -> bytes:
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x0132] = TIME
    exif[0x010F] = "Maker of SERIAL-4711"
    exif[0x013B] = "Ada's phone"
    detail = exif.get_ifd(0x8769)
    detail[0x9003] = TIME
    detail[0x920A] = IFDRational(427, 100)
    detail[0xA405] = 26
    detail[0xA431] = "SERIAL-4711"
    detail[0xA435] = "Lens-0815"
    detail[0x927C] = b"MAKERNOTE" * 20
    place = exif.get_ifd(0x8825)
    place[1], place[2] = "N", (IFDRational(52), IFDRational(30), IFDRational(58, 1))
    place[29] = "52.5163"
    return exif.tobytes()


def told(kind: str) -> bytes:
    file = io.BytesIO()
    options: dict[str, object] = {"exif": told_exif(), "quality": 90}
    xmp = b"<x:xmpmeta xmlns:x='adobe:ns:meta/'>52.5163</x:xmpmeta>"
    if kind != "PNG":
        options["xmp"] = xmp
    if kind == "JPEG":
        options["comment"] = b"a comment"
    Image.fromarray(quarters()).save(file, kind, **options)
    data = file.getvalue()
    return data + b"film with 52.5163" if kind == "JPEG" else data
