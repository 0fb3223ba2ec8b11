"""The fixtures' scenes, loaded once each."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from measuring.scenes.scene_files import Scene, load_scene, scene_folders

FIXTURES = Path(__file__).parent / "fixtures"
SCENES = FIXTURES / "scenes"
NAMES = tuple(folder.name for folder in scene_folders(SCENES))


@cache
def scene(name: str) -> Scene:
    return load_scene(SCENES / name)
