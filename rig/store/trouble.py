"""What can go wrong with what is kept, as errors that say what to do."""

from __future__ import annotations

from rig.trouble import Trouble


class StoreTrouble(Trouble):
    """Something about the store; each kind has its own key."""

    key = "store"


class StoreFull(StoreTrouble):
    """No room left; what was being written is not there, not even in part."""

    key = "store-full"


class StoreNewer(StoreTrouble):
    """The database was written by a newer program."""

    key = "store-newer"


class StoreDamaged(StoreTrouble):
    """The database does not hold together."""

    key = "store-damaged"


class StoreUnusable(StoreTrouble):
    """The folder or the database cannot be opened or written."""

    key = "store-unusable"


class StoreInUse(StoreTrouble):
    """Another program serves from this folder."""

    key = "store-in-use"


class StoreReadOnly(StoreTrouble):
    """The database does not know most of the photos that lie beside it: nothing is touched."""

    key = "store-read-only"


class BackupDamaged(StoreTrouble):
    """A file that is no backup, or not the one that was made."""

    key = "backup-damaged"


class BackupNewer(StoreTrouble):
    """A backup by a newer program."""

    key = "backup-newer"


class BackupFolderMissing(StoreTrouble):
    """The second disk is not there: nothing is written where it would be."""

    key = "backup-folder-missing"


class BackupUnknown(StoreTrouble):
    """No backup of this name."""

    key = "backup-unknown"


class RowUnreadable(StoreTrouble):
    """A row of the database that no rig writes: damage, or somebody's doing."""

    key = "row-unreadable"


class PictureMissing(StoreTrouble):
    """The row is there, but its picture is not."""

    key = "picture-missing"


class FrameUnknown(StoreTrouble):
    """No frame with this id, or it was deleted."""

    key = "frame-unknown"


class FrameProtected(StoreTrouble):
    """A frame that belongs to a round cannot be deleted."""

    key = "frame-protected"


class CorrectionUnknown(StoreTrouble):
    """No correction with this id on this frame."""

    key = "correction-unknown"


class CorrectionUndone(StoreTrouble):
    """The correction was taken back already."""

    key = "correction-undone"


class VersionConflict(StoreTrouble):
    """Somebody else changed it meanwhile."""

    key = "version-conflict"


class GameUnknown(StoreTrouble):
    """No followed game with this id."""

    key = "game-unknown"


class MatchUnknown(StoreTrouble):
    """No match with this id."""

    key = "match-unknown"


class RoundUnknown(StoreTrouble):
    """No such round in this match."""

    key = "round-unknown"
