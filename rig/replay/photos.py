"""The photographs that were followed, by the names that the game has for them."""

from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rig.photo.decoding import load_photo
from rig.replay.film import Photos


def photos_in(folder: Path) -> Photos:
    """Finds the photographs in a folder, nowhere else; PhotoTrouble for one that is none."""

    @lru_cache(maxsize=1)
    def photo(name: str) -> NDArray[np.uint8] | None:
        path = folder / name
        is_inside = path.name == name and path.is_file()
        return load_photo(path) if is_inside else None

    return photo
