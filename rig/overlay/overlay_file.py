"""Where overlays go, and writing them so that no half picture is ever found there."""

import os
from collections.abc import Sequence
from pathlib import Path

import cv2

from geometry.deck import Deck
from rig.overlay.overlay import draw_overlay
from rig.scoring import Scored
from rig.trouble import PhotoTrouble, SettingTrouble

SUFFIXES = (".jpg", ".jpeg", ".png", ".webp")
_JPEG = (".jpg", ".jpeg")
_JPEG_QUALITY = 92


class OverlayUnusable(SettingTrouble, key="overlay-unusable"):
    """An overlay path that cannot be meant."""


class OverlayNotWritten(PhotoTrouble, key="overlay-not-written"):
    """The picture could not be written: a full disk, no permission."""


def plan_overlays(
    photos: Sequence[Path], target: Path | None, kept: Sequence[Path] = ()
) -> list[Path | None]:
    """Where each photo's overlay goes; the folder is made. SettingTrouble if it cannot be.

    One photo: `target` itself, or a file in it where it is a folder. Several:
    files named after the photos in the folder `target`. `kept`: more files that are none.
    """
    if target is None:
        return [None for _ in photos]
    planned = _in_folder(photos, target) if len(photos) > 1 or target.is_dir() else [target]
    for path in planned:
        _check(path, [*photos, *kept])
    try:
        planned[0].parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = f"its folder cannot be made: {error.strerror}"
        raise OverlayUnusable(path=target, why=why) from error
    return list(planned)


def write_overlay(path: Path, scored: Scored, deck: Deck) -> None:
    """Draw what was read over the photo and write it, whole or not at all."""
    picture = draw_overlay(scored.image_bgr, scored.reading, deck)
    suffix = path.suffix.lower()
    settings = [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY] if suffix in _JPEG else []
    _, encoded = cv2.imencode(suffix, picture, settings)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        unfinished.write_bytes(encoded.tobytes())
        unfinished.replace(path)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise OverlayNotWritten(path=path, why=error.strerror or error) from error


def _in_folder(photos: Sequence[Path], folder: Path) -> list[Path]:
    if folder.exists() and not folder.is_dir():
        raise OverlayUnusable(path=folder, why="for several photos, name a folder")
    names: list[str] = []
    for photo in photos:
        name = f"{photo.stem}-overlay.jpg"
        count = 2
        while name in names:
            name = f"{photo.stem}-overlay-{count}.jpg"
            count += 1
        names.append(name)
    return [folder / name for name in names]


def _check(path: Path, photos: Sequence[Path]) -> None:
    if path.suffix.lower() not in SUFFIXES:
        raise OverlayUnusable(path=path, why=f"the name must end in {', '.join(SUFFIXES)}")
    if path.resolve() in {photo.resolve() for photo in photos}:
        raise OverlayUnusable(path=path, why="that is the photo itself; name another file")
