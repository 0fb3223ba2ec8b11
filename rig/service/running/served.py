"""Where the running service is reached, left in its folder for the commands beside it."""

import contextlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from rig.store.file_layer import DiskFiles, write_whole
from rig.store.store import is_served
from rig.store.trouble import StoreTrouble

FILE_NAME = "served.json"


@dataclass(frozen=True, slots=True)
class Served:
    """The page's address in parts; `fingerprint` is that of the certificate, "" without HTTPS."""

    host: str
    port: int
    fingerprint: str = ""


@contextlib.contextmanager
def saying(folder: Path, served: Served) -> Iterator[None]:
    """Say so in the folder for as long as it is so."""
    file = folder / FILE_NAME
    with contextlib.suppress(OSError, StoreTrouble):  # a full disk keeps nobody from the page
        write_whole(DiskFiles(), file, json.dumps(asdict(served)).encode())
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            file.unlink(missing_ok=True)


def served_from(folder: Path) -> Served | None:
    """Where the service that runs from this folder is reached; None if none does."""
    if not is_served(folder):
        return None  # one that was killed has left its word behind
    try:
        return Served(**json.loads((folder / FILE_NAME).read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return None
