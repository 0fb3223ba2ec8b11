"""Simulated scenes kept on disk: a changed reader is measured on the same pictures sooner."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path

import cv2
import numpy as np

from rig.lens_file import parse_lens
from rig.scene_folder import IMAGE, TRUTH, write_scene
from simulator import SimulatedScene, conditions_of, simulate_scene


def scene_of(preset: str, seed: int, folder: Path | None = None) -> SimulatedScene:
    """A scene of the simulator, from the folder if it is kept there, else made and kept.

    One that was drawn under other conditions than the mix draws now is made anew. Whatever else
    changes in the simulator is not noticed: the folder is to be emptied then.
    """
    if folder is None:
        return simulate_scene(seed, preset)
    kept = folder / f"{preset}-{seed}"
    scene = _read(kept, preset, seed)
    if scene is None:
        scene = simulate_scene(seed, preset)
        _keep(kept, scene)
    return scene


def _read(kept: Path, preset: str, seed: int) -> SimulatedScene | None:
    try:
        truth = json.loads((kept / TRUTH).read_text("utf-8"))
        jpeg = (kept / IMAGE).read_bytes()
    except (OSError, ValueError):
        return None
    conditions = conditions_of(seed, preset)
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    if image is None or truth.get("conditions") != conditions.as_json():
        return None
    lens = parse_lens(truth["camera"]) if conditions.lens_known else None
    return SimulatedScene(np.asarray(image, dtype=np.uint8), truth, lens, conditions, jpeg)


def _keep(kept: Path, scene: SimulatedScene) -> None:
    """Write the scene beside its place first, so that half a scene is never read."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=".", dir=kept.parent))
    write_scene(made, scene.jpeg, scene.truth, scene.lens)
    shutil.rmtree(kept, ignore_errors=True)
    made.rename(kept)
