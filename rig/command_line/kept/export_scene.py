"""A kept frame, corrections included, as a test scene's folder."""

import io
import zipfile
from pathlib import Path

from geometry.rules import Rules
from rig.command_line.kept.saved_file import save_bytes
from rig.service.frames.frame_readings import read_frame, rules_for
from rig.service.frames.scene_file import scene_zip
from rig.service.pictures.picture_maker import PictureMaker
from rig.store.store import Store


def write_scene_of(store: Store, frame: str, folder: Path) -> None:
    """Write FOLDER/image.jpg, truth.json and, where the lens is known, lens.json."""
    read = read_frame(store, store.frames.get(frame), rules_for(store, frame, Rules()))
    with zipfile.ZipFile(io.BytesIO(scene_zip(store, PictureMaker(), read))) as packed:
        for name in packed.namelist():
            save_bytes(folder / Path(name).name, packed.read(name))
