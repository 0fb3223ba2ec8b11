"""A corrected frame as a test scene in one file."""

from __future__ import annotations

import io
import json
import zipfile

import cv2

from rig.corrections.scene_export import truth_data
from rig.lens_file import lens_data, parse_lens
from rig.photo import decode_photo
from rig.service.desk import Read
from rig.service.photo_header import MAX_PIXELS
from rig.store.store import Store
from vision.lens import Lens

_QUALITY = 95


def scene_zip(store: Store, read: Read) -> bytes:
    """FRAME/image.jpg, FRAME/truth.json and, where the lens is known, FRAME/lens.json.

    A JPEG goes in byte for byte, so that the scene is what was read.
    """
    data = store.frames.picture(read.frame)
    image = decode_photo(data, read.frame.name, MAX_PIXELS)
    height, width = image.shape[:2]
    lens = _lens(read, (width, height))
    truth = truth_data(read.replayed.reading, read.rules, (width, height), lens)
    if read.frame.photo.kind != "jpeg":
        _, encoded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        data = encoded.tobytes()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as scene:
        scene.writestr(f"{read.frame.id}/image.jpg", data)
        scene.writestr(f"{read.frame.id}/truth.json", json.dumps(truth, indent=1) + "\n")
        if lens is not None:
            scene.writestr(f"{read.frame.id}/lens.json", json.dumps(lens_data(lens)) + "\n")
    return packed.getvalue()


def _lens(read: Read, size_wh: tuple[int, int]) -> Lens | None:
    if read.frame.lens is None:
        return None
    lens = parse_lens(dict(read.frame.lens))
    return lens if lens.size_wh == size_wh else None
