"""Reading the small JSON files that a person gives beside a photo."""

import json
from pathlib import Path

from rig.trouble import SettingTrouble

LARGEST_BYTES = 1_000_000


class FileUnusable(SettingTrouble, key="file-unusable"):
    """A file that cannot be read as JSON at all; `what` says which it was meant to be."""


def read_json(path: Path, what: str) -> object:
    """Read and decode a JSON file. FileUnusable, one sentence, if it cannot be done.

    `what` is what the file is meant to be ("lens", "rules"), for the sentence.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST_BYTES + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise FileUnusable(what=what, path=path, why=f"cannot be read: {why}") from error
    if len(raw) > LARGEST_BYTES:
        why = f"is larger than {LARGEST_BYTES:,} bytes"
        raise FileUnusable(what=what, path=path, why=why)
    try:
        return json.loads(raw.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise FileUnusable(what=what, path=path, why=_fault(error)) from error


def _fault(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"is not JSON: {error.msg} in line {error.lineno}"
    if isinstance(error, UnicodeDecodeError):
        return "is not UTF-8 text"
    if isinstance(error, RecursionError):
        return "is nested too deeply"
    return "holds a number of thousands of digits"  # json's only other ValueError
