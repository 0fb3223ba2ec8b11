"""A scene written to disk: NAME/image.jpg, NAME/truth.json and, where the lens is known,
NAME/lens.json.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rig.lens_file import lens_data
from vision.lens import Lens

IMAGE, TRUTH, LENS = "image.jpg", "truth.json", "lens.json"


def write_scene(folder: Path, jpeg: bytes, truth: Mapping[str, Any], lens: Lens | None) -> None:
    """Write one scene, its picture as a JPEG's bytes; the folder is made."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / IMAGE).write_bytes(jpeg)
    (folder / TRUTH).write_text(json.dumps(truth, indent=1) + "\n", "utf-8")
    if lens is not None:
        (folder / LENS).write_text(json.dumps(lens_data(lens)) + "\n", "utf-8")
