"""A backup's file opened so that nothing in it costs more room or memory than it may.

It may be one that somebody prepared: every size is held to while it is read, and not believed.
"""

import contextlib
import os
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

CHUNK_BYTES = 1 << 20
_LONGEST_LIST = 8 << 20
"""The ZIP's list of members, in bytes, of about 70,000 photos. It is read at once."""
_END, _END_64 = b"PK\x05\x06", b"PK\x06\x06"
_LONGEST_END = 22 + 65_535 + 20 + 56
"""The end of a ZIP: its record, with the longest comment, and what a long ZIP has before it."""
_FREE_BYTES = 64 << 20
_MOST_DENSE = 100
"""A file longer than that, and all together, are packed no more than so many times: the database
takes 5 to 20, photos next to none.
"""


@contextlib.contextmanager
def opened(file: Path) -> Iterator[zipfile.ZipFile]:
    """The backup as a ZIP whose members were looked at. ValueError, BadZipFile, OSError."""
    handle = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as stream:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise ValueError("it is no file")
        _check_list(stream)
        with zipfile.ZipFile(stream) as archive:
            _check_members(archive, os.fstat(handle).st_size)
            yield archive


def read_chunks(archive: zipfile.ZipFile, name: str, size: int) -> Iterator[bytes]:
    """A member in pieces, which has to have this many bytes. ValueError if it has others."""
    left = size
    with archive.open(name) as stream:
        while chunk := stream.read(min(CHUNK_BYTES, left + 1)):
            left -= len(chunk)
            if left < 0:
                break
            yield chunk
    if left:
        raise ValueError(f"{name} is not as long as is said")


def read_whole(archive: zipfile.ZipFile, name: str, size: int) -> bytes:
    """A member of this many bytes. ValueError if it has others."""
    return b"".join(read_chunks(archive, name, size))


def _check_list(stream: IO[bytes]) -> None:
    """Refuse a list of members that is too long, before it is read at once."""
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(0, size - _LONGEST_END))
    tail = stream.read(_LONGEST_END)
    stream.seek(0)
    for mark, at, width in ((_END, 12, 4), (_END_64, 40, 8)):
        place = tail.find(mark)
        while place >= 0:
            length = int.from_bytes(tail[place + at : place + at + width], "little")
            is_elsewhere = mark == _END and length == 0xFFFFFFFF and _END_64 in tail
            if length > _LONGEST_LIST and not is_elsewhere:
                raise ValueError("its list of files is too long")
            place = tail.find(mark, place + 1)


def _check_members(archive: zipfile.ZipFile, size: int) -> None:
    members = archive.infolist()
    # Many small ones may be as dense as a large one, or the same bytes be said to be all of them.
    if sum(member.file_size for member in members) > _FREE_BYTES + _MOST_DENSE * size:
        raise ValueError("its files are packed too densely")
    if len({member.filename for member in members}) != len(members):
        raise ValueError("a file is in it twice")
    for member in members:
        kind = stat.S_IFMT(member.external_attr >> 16)
        if kind not in (0, stat.S_IFREG) or member.is_dir():
            raise ValueError(f"{member.filename[:80]!r} is no file")
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ValueError(f"{member.filename[:80]!r} is packed in another way")
        is_long = member.file_size > _FREE_BYTES
        if is_long and member.file_size > _MOST_DENSE * member.compress_size:
            raise ValueError(f"{member.filename[:80]!r} is packed too densely")
