"""The lens file: `{"size_px": [w, h], "matrix": 3x3, "distortion": [...]}`, OpenCV's models."""

from pathlib import Path
from typing import NoReturn, cast

import numpy as np
from numpy.typing import NDArray

from geometry.wording import quoted
from rig.json_file import read_json
from rig.trouble import PhotoTrouble, SettingTrouble
from vision.lens import Lens, LensModel
from vision.reason import Reason

COEFFICIENTS: dict[LensModel, tuple[int, ...]] = {"plain": (4, 5, 8, 12, 14), "fisheye": (4,)}
_LARGEST_SIDE_PX = 100_000
_LARGEST_NUMBER = 1e7
_FOCAL_SIDES = (0.1, 100.0)
"""Focal lengths in longer sides of the picture, from a fisheye that sees behind itself to a
telescope."""
_MIDDLE_SIDES = (-1.0, 2.0)
"""Where the lens's middle may lie, in sides of the picture: beside it where a part was cut out."""
_GRID = (9, 7)
_RETURNS_PX = 1.0
_RETURNING = 0.5
"""A lens that is only wrong in the corners is of use; one that bends half of the picture over
itself is none."""


class LensFault(SettingTrouble, key="lens-fault"):
    """A lens file that says something impossible, and where."""


class LensOtherSize(PhotoTrouble, key="lens-other-size"):
    """A lens for pictures of another size than this photo's."""


def load_lens(path: Path) -> Lens:
    """Read a lens file. SettingTrouble, one sentence with the place, if it cannot be used."""
    data = read_json(path, "lens")
    try:
        return parse_lens(data)
    except LensFault as fault:
        raise LensFault(**{**fault.facts, "file": f" file {path}"}) from None


def parse_lens(data: object) -> Lens:
    """Check a decoded lens file and make the lens; keys beyond the format's are ignored.

    A photograph's truth (`tacta simulate`) holds its lens under `camera` and may be given
    as it is.
    """
    if not isinstance(data, dict):
        _refuse("the file", Reason("lens-no-lens"))
    camera = data.get("camera")
    lens = camera if "size_px" not in data and isinstance(camera, dict) else data
    for key in ("size_px", "matrix", "distortion"):
        if key not in lens:
            _refuse(key, Reason("lens-missing"))
    model = lens.get("model", "plain")
    if model not in tuple(COEFFICIENTS):  # what JSON holds need not be hashable
        _refuse("model", Reason("lens-model"))
    size = _size(lens["size_px"])
    made = Lens(
        size_wh=size,
        matrix=_matrix(lens["matrix"], size),
        distortion=_distortion(lens["distortion"], cast("LensModel", model)),
        model=cast("LensModel", model),
    )
    if not _unfolded(made):
        _refuse("distortion", Reason("lens-folded"))
    return made


def check_size(lens: Lens, image: NDArray[np.uint8], name: str) -> None:
    """LensOtherSize unless the lens is for pictures of this (H, W, 3) image's size."""
    height, width = image.shape[:2]
    if (width, height) != lens.size_wh:
        lens_width, lens_height = lens.size_wh
        raise LensOtherSize(
            name=name, width=width, height=height, lens_width=lens_width, lens_height=lens_height
        )


def _size(value: object) -> tuple[int, int]:
    width, height = _numbers(value, "size_px", (2,))
    for side in (width, height):
        if side != int(side) or not 0 < side <= _LARGEST_SIDE_PX:
            _refuse("size_px", Reason("lens-size", {"found": side}))
    return int(width), int(height)


def _matrix(value: object, size_wh: tuple[int, int]) -> NDArray[np.float64]:
    if not isinstance(value, list) or len(value) != 3:
        _refuse("matrix", Reason("lens-rows"))
    rows = [_numbers(row, f"matrix[{i}]", (3,)) for i, row in enumerate(value)]
    matrix = np.array(rows, dtype=np.float64)
    if matrix[0, 0] <= 0 or matrix[1, 1] <= 0:
        _refuse("matrix", Reason("lens-focal-zero"))
    if matrix[2].tolist() != [0, 0, 1] or matrix[0, 1] != 0 or matrix[1, 0] != 0:
        _refuse("matrix", Reason("lens-matrix"))
    least, most = (sides * max(size_wh) for sides in _FOCAL_SIDES)
    for focal in (matrix[0, 0], matrix[1, 1]):
        if not least <= focal <= most:
            _refuse("matrix", Reason("lens-focal", {"focal_px": float(focal)}))
    for middle, side in zip(matrix[:2, 2], size_wh, strict=True):
        if not _MIDDLE_SIDES[0] * side <= middle <= _MIDDLE_SIDES[1] * side:
            _refuse("matrix", Reason("lens-middle", {"middle_px": float(middle)}))
    return matrix


def _unfolded(lens: Lens) -> bool:
    """Whether most pixels come back to where they were by way of their rays."""
    width, height = lens.size_wh
    columns, rows = (
        np.linspace(0, side - 1, number)
        for side, number in zip((width, height), _GRID, strict=True)
    )
    pixels = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2)
    with np.errstate(all="ignore"):
        away = np.linalg.norm(lens.to_px(lens.to_rays(pixels)) - pixels, axis=1)
    return float(np.mean(away < _RETURNS_PX)) >= _RETURNING


def _distortion(value: object, model: LensModel) -> NDArray[np.float64]:
    return np.array(_numbers(value, "distortion", COEFFICIENTS[model]), dtype=np.float64)


def _numbers(value: object, where: str, lengths: tuple[int, ...]) -> list[float]:
    if not isinstance(value, list) or len(value) not in lengths:
        _refuse(where, Reason("lens-count", {"counts": lengths}))
    for item in value:
        if isinstance(item, bool) or not isinstance(item, (int, float)):
            _refuse(where, Reason("lens-no-numbers"))
        if not abs(item) <= _LARGEST_NUMBER:
            _refuse(where, Reason("lens-number", {"number": quoted(item)}))
    return [float(item) for item in value]


def _refuse(where: str, why: Reason) -> NoReturn:
    raise LensFault(file="", where=where, why=why)
