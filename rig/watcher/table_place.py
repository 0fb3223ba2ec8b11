"""Where the markers lie in the previews, kept in a file so that a later run can compare."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.lens.lens_data import lens_data
from calibration.table.table_watch import TableWatch
from rig.json_file import read_json
from rig.lens_file import parse_lens
from rig.store.file_layer import DiskFiles, disk_trouble, write_whole
from rig.trouble import SettingTrouble
from vision.view import TableView

FloatArray = NDArray[np.float64]

FORMAT = "tacta-table/1"
FILE_NAME = "table.json"


@dataclass(frozen=True, eq=False)
class TablePlace:
    """A table as it was learnt.

    `view` is for previews of its lens's size; `home_mm` is each marker's middle in it,
    `noise_mm` their scatter. since_s: when it was learnt; moved_s: since when it has been
    seen elsewhere, None while it has not. Both in seconds since 1970, UTC.
    """

    view: TableView
    home_mm: dict[int, FloatArray]
    noise_mm: float
    since_s: float
    moved_s: float | None = None

    def watch(self) -> TableWatch:
        """The watch that compares with this place."""
        return TableWatch(
            self.view, home_mm=dict(self.home_mm), noise_mm=self.noise_mm, first_s=self.moved_s
        )


def place_file(folder: Path) -> Path:
    """Where a data folder keeps its table's place."""
    return folder / FILE_NAME


def save_place(folder: Path, place: TablePlace) -> None:
    """Write the place, whole or not at all, into a folder that may be new. StoreTrouble if not."""
    document = {
        "format": FORMAT,
        "lens": lens_data(place.view.lens),
        "rotation": place.view.rotation.tolist(),
        "translation_mm": place.view.translation_mm.tolist(),
        "markers_mm": {str(number): mm.tolist() for number, mm in place.home_mm.items()},
        "noise_mm": place.noise_mm,
        "since_s": place.since_s,
        "moved_s": place.moved_s,
    }
    files = DiskFiles()
    try:
        files.make_folder(folder)
    except OSError as error:
        raise disk_trouble(error, folder) from error
    write_whole(files, place_file(folder), json.dumps(document).encode("utf-8"))


def load_place(folder: Path) -> TablePlace | None:
    """The place that was kept; None if there is none, or it cannot be read: it is learnt anew."""
    if not place_file(folder).exists():
        return None
    try:
        data = read_json(place_file(folder), "table")
        return _place_of(data)
    except (SettingTrouble, KeyError, TypeError, ValueError):
        return None


def forget_place(folder: Path) -> None:
    """Let the table be learnt anew, also by a service that runs. OSError if that is forbidden."""
    DiskFiles().remove(place_file(folder))


def _place_of(data: object) -> TablePlace:
    if not isinstance(data, dict) or data["format"] != FORMAT:
        raise ValueError("another format")
    rotation, translation = (
        _numbers(data["rotation"], (3, 3)),
        _numbers(data["translation_mm"], (3,)),
    )
    moved = data["moved_s"]
    return TablePlace(
        TableView(parse_lens(data["lens"]), rotation, translation),
        {int(number): _numbers(mm, (2,)) for number, mm in dict(data["markers_mm"]).items()},
        float(data["noise_mm"]),
        float(data["since_s"]),
        None if moved is None else float(moved),
    )


def _numbers(values: object, shape: tuple[int, ...]) -> FloatArray:
    array = np.array(values, dtype=np.float64)
    if array.shape != shape or not np.isfinite(array).all():
        raise ValueError(f"expected numbers of shape {shape}, found {array.shape}")
    return array
