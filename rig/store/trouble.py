"""What can go wrong with what is kept, as errors that say what to do."""

from rig.trouble import Trouble


class StoreTrouble(Trouble, key="store"):
    """Something about the store; each kind has its own key."""


class StoreFull(StoreTrouble, key="store-full"):
    """No room left; what was being written is not there, not even in part."""


class StoreNewer(StoreTrouble, key="store-newer"):
    """The database was written by a newer program."""


class StoreDamaged(StoreTrouble, key="store-damaged"):
    """The database does not hold together."""


class StoreUnusable(StoreTrouble, key="store-unusable"):
    """The folder or the database cannot be opened or written."""


class StoreInUse(StoreTrouble, key="store-in-use"):
    """Another program serves from this folder."""


class StoreReadOnly(StoreTrouble, key="store-read-only"):
    """The database does not know most of the photos that lie beside it: nothing is touched."""


class BackupDamaged(StoreTrouble, key="backup-damaged"):
    """A file that is no backup, or not the one that was made."""


class BackupNewer(StoreTrouble, key="backup-newer"):
    """A backup by a newer program."""


class BackupFolderMissing(StoreTrouble, key="backup-folder-missing"):
    """The second disk is not there: nothing is written where it would be."""


class BackupUnknown(StoreTrouble, key="backup-unknown"):
    """No backup of this name."""


class RowUnreadable(StoreTrouble, key="row-unreadable"):
    """A row of the database that no rig writes: damage, or somebody's doing."""


class PictureMissing(StoreTrouble, key="picture-missing"):
    """The row is there, but its picture is not."""


class FrameUnknown(StoreTrouble, key="frame-unknown"):
    """No frame with this id, or it was deleted."""


class FrameProtected(StoreTrouble, key="frame-protected"):
    """A frame that belongs to a round cannot be deleted."""


class CorrectionUnknown(StoreTrouble, key="correction-unknown"):
    """No correction with this id on this frame."""


class CorrectionUndone(StoreTrouble, key="correction-undone"):
    """The correction was taken back already."""


class VersionConflict(StoreTrouble, key="version-conflict"):
    """Somebody else changed it meanwhile."""


class GameUnknown(StoreTrouble, key="game-unknown"):
    """No followed game with this id."""


class MatchUnknown(StoreTrouble, key="match-unknown"):
    """No match with this id."""


class RoundUnknown(StoreTrouble, key="round-unknown"):
    """No such round in this match."""
