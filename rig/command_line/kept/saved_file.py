"""Writing what a command makes: whole or not at all, and a sentence where it cannot be done."""

import contextlib
import json
import os
from pathlib import Path

from rig.trouble import SettingTrouble


class FileNotWritten(SettingTrouble, key="file-not-written"):
    """A file that could not be written."""


def save_bytes(path: Path, data: bytes) -> Path:
    """Write a file by way of a neighbour, so that a broken one never replaces a good one."""
    half = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with half.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        half.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):  # such as a folder that is a file
            half.unlink(missing_ok=True)
        raise FileNotWritten(path=path, why=error.strerror or error) from error
    return path


def save_json(path: Path, document: object) -> Path:
    """Write a JSON document."""
    return save_bytes(path, (json.dumps(document, indent=1) + "\n").encode("utf-8"))
