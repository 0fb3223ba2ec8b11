"""The lens of the rig's camera as it was calibrated here, kept in a file of the data folder."""

import json
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rig.json_file import read_json
from rig.lens_file import parse_lens
from rig.store.file_layer import DiskFiles, write_whole
from rig.trouble import SettingTrouble

FILE_NAME = "lens.json"


class KeptLens:
    """One lens file. All methods may be called from any thread."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / FILE_NAME
        self._lock = threading.Lock()
        self._document = _read(self._file)

    @property
    def document(self) -> Mapping[str, Any] | None:
        """The lens file's values with their quality; None where none was kept, or can be read."""
        with self._lock:
            return self._document

    def keep(self, document: Mapping[str, Any]) -> None:
        """Put this lens in the other's place, whole or not at all. StoreTrouble if not."""
        text = json.dumps(dict(document), indent=1) + "\n"
        with self._lock:
            write_whole(DiskFiles(), self._file, text.encode("utf-8"))
            self._document = dict(document)

    def for_picture(self, size_wh: tuple[int, int]) -> Mapping[str, Any] | None:
        """The lens for a picture of this size; None if there is none, or for another size."""
        document = self.document
        if document is None or parse_lens(document).size_wh != size_wh:
            return None
        return document


def _read(file: Path) -> dict[str, Any] | None:
    if not file.exists():
        return None
    try:
        data = read_json(file, "lens")
        parse_lens(data)
    except SettingTrouble:
        return None
    return data if isinstance(data, dict) else None
