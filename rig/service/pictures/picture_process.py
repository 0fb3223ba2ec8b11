"""The process in which photos are decoded for the page: small pictures, overlays, boards."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from rig.photo.decoding import decode_photo, heic_metadata
from rig.photo.surroundings import with_blurred_surroundings
from rig.photo.trouble import PhotoTooHard
from rig.processes.killable import limit_memory
from rig.replay.record import GameRecord
from rig.service.http.limits import PHOTO_PIXELS
from rig.service.setup.setup_tasks import assembled, coloured, examined, spread
from rig.trouble import PhotoTrouble
from vision.reading import Corners, Reading

MEMORY_BYTES = 1_000_000_000
"""Beyond what it has at its start: a WebP of 25 megapixels, turned, drawn on and encoded."""
QUALITY = 88
FULL_QUALITY = 95


def serve(line: Connection) -> None:
    """Answer on `line` until the other end closes it."""
    from rig.overlay import overlay  # noqa: F401 - imported before the memory is limited

    limit_memory(MEMORY_BYTES)
    try:
        line.send("ready")
        while True:
            task, arguments = line.recv()
            line.send(answer(task, arguments))
    except (EOFError, OSError, KeyboardInterrupt):
        return


def answer(task: str, arguments: tuple[Any, ...]) -> tuple[str, Any]:
    """("done", what was made), or ("trouble", the class of a PhotoTrouble and its facts)."""
    try:
        return "done", TASKS[task](*arguments)
    except PhotoTrouble as trouble:
        return "trouble", (type(trouble).__name__, dict(trouble.facts))
    except (MemoryError, cv2.error) as error:
        if isinstance(error, cv2.error) and error.code != cv2.Error.StsNoMem:
            raise
        facts = {"name": arguments[1], "why": "too much memory"}
        return "trouble", (PhotoTooHard.__name__, facts)


def small(path: Path, name: str, widths: tuple[int, ...]) -> list[bytes]:
    """JPEGs of at most these widths, of which the photo is decoded once."""
    image = decode_photo(path.read_bytes(), name, PHOTO_PIXELS)
    made = []
    for width in sorted(widths, reverse=True):
        image = narrowed(image, width)
        made.append(jpeg(image))
    return made[::-1]


def overlay(path: Path, name: str, reading: Reading, width: int | None) -> bytes:
    """The photo with the reading drawn on it."""
    from rig.overlay.overlay import draw_overlay

    image = decode_photo(path.read_bytes(), name, PHOTO_PIXELS)
    drawn = draw_overlay(image, reading, reading.seen.layout.deck)
    return jpeg(narrowed(drawn, width))


def placed(
    path: Path, name: str, outline_px: Corners, target_px: Corners | None, status: str | None
) -> bytes:
    """One card of the photo, cut out and enlarged, with where it lies and where it should."""
    from rig.overlay.placed_card import placed_card

    image = decode_photo(path.read_bytes(), name, PHOTO_PIXELS)
    return jpeg(placed_card(image, outline_px, target_px, status))


def film(game: GameRecord, name: str, photos: Mapping[str, Path], language: str) -> bytes:
    """A followed game as an animated WebP; a photo that is damaged is left to the plan."""
    from rig.replay.film import FilmTooLarge
    from rig.replay.film import film as made

    @lru_cache(maxsize=1)
    def photo(frame: str) -> NDArray[np.uint8] | None:
        try:
            return decode_photo(photos[frame].read_bytes(), name, PHOTO_PIXELS)
        except (KeyError, OSError, PhotoTrouble):
            return None

    try:
        return made(game, photo, language)
    except FilmTooLarge:
        raise PhotoTooHard(name=name, why="too many steps") from None


def blurred(
    path: Path, name: str, table_px: NDArray[np.float64], margin_px: float
) -> tuple[bytes, tuple[int, int]]:
    """The photo as a JPEG in which the table's surroundings are blurred, and its size (w, h)."""
    image = decode_photo(path.read_bytes(), name, PHOTO_PIXELS)
    height, width = image.shape[:2]
    image = with_blurred_surroundings(image, table_px, margin_px)
    return jpeg(image, FULL_QUALITY), (width, height)


def whole(path: Path, name: str) -> tuple[bytes, tuple[int, int]]:
    """The photo as a JPEG for a scene, and its size as it is shown (width, height)."""
    image = decode_photo(path.read_bytes(), name, PHOTO_PIXELS)
    height, width = image.shape[:2]
    return jpeg(image, FULL_QUALITY), (width, height)


def size(path: Path, name: str) -> tuple[int, int]:
    """The size of the photo as it is shown (width, height), once it is known to be whole."""
    height, width = decode_photo(path.read_bytes(), name, PHOTO_PIXELS).shape[:2]
    return width, height


def colours(data: bytes, name: str) -> NDArray[np.uint8]:
    """The pixels of a photo of a board (H, W, 3)."""
    return decode_photo(data, name, PHOTO_PIXELS)


def metadata(data: bytes, name: str) -> list[bytes]:
    """What a HEIC says beside its pixels: EXIF, XMP and the like, each as it stands in the file."""
    return heic_metadata(data, name)


def narrowed(image: NDArray[np.uint8], width: int | None) -> NDArray[np.uint8]:
    """The picture at most so many pixels wide."""
    height, full = image.shape[:2]
    if width is None or full <= width:
        return image
    size_wh = (width, max(1, round(height * width / full)))
    return np.asarray(cv2.resize(image, size_wh, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def jpeg(image: NDArray[np.uint8], quality: int = QUALITY) -> bytes:
    """The picture as JPEG."""
    _, encoded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return encoded.tobytes()


TASKS: dict[str, Callable[..., Any]] = {
    "small": small,
    "overlay": overlay,
    "placed": placed,
    "film": film,
    "blurred": blurred,
    "whole": whole,
    "size": size,
    "colours": colours,
    "metadata": metadata,
    "examined": examined,
    "coloured": coloured,
    "spread": spread,
    "assembled": assembled,
}
