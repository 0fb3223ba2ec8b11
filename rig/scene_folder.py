"""A scene as a folder: its picture, what is true of it, and its lens where that is known."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from calibration.lens.lens_data import lens_data
from vision.lens import Lens

IMAGE, TRUTH, LENS = "image.jpg", "truth.json", "lens.json"


def write_scene(folder: Path, jpeg: bytes, truth: Mapping[str, Any], lens: Lens | None) -> None:
    """Write one scene, its picture as a JPEG's bytes; the folder is made."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / IMAGE).write_bytes(jpeg)
    (folder / TRUTH).write_text(truth_text(truth), "utf-8")
    if lens is not None:
        (folder / LENS).write_text(lens_text(lens), "utf-8")


def truth_text(truth: Mapping[str, Any]) -> str:
    """What `truth.json` holds."""
    return json.dumps(truth, indent=1) + "\n"


def lens_text(lens: Lens) -> str:
    """What `lens.json` holds."""
    return json.dumps(lens_data(lens)) + "\n"
