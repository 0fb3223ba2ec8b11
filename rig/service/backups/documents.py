"""What may be asked of backups, and what is answered, as models."""

from typing import Literal

from rig.service.http.documents import Document
from rig.service.http.requests import Wish


class RestoreRequest(Wish):
    """`dry_run`: only say what restoring would do. `with_access`: phones and access tokens too."""

    dry_run: bool = True
    with_access: bool = False


class BackupDocument(Document):
    """A backup: one file with everything that the rig had kept then."""

    name: str
    bytes: int
    daily: bool


class BackupList(Document):
    """The backups there are, the newest first, and the folder in which they lie."""

    folder: str
    backups: list[BackupDocument]


class BackupAccess(Document):
    """A phone or an access token in a backup: whose it is, and what it may do."""

    kind: Literal["phone", "token"]
    name: str
    role: str


class RestoredDocument(Document):
    """What restoring a backup brought, or would bring: what was not there, and what was older.

    `access`: the phones and tokens in the backup, which come only `with_access`.
    """

    made_at: str
    dry_run: bool
    frames: int
    frames_changed: int
    matches: int
    matches_changed: int
    rounds: int
    rounds_changed: int
    phones: int
    tokens: int
    photos: int
    photo_bytes: int
    with_photos: bool
    access: list[BackupAccess]
