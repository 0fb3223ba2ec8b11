"""What can go wrong with what is kept, as errors that say what to do."""

from __future__ import annotations

from rig.trouble import Trouble


class StoreTrouble(Trouble):
    """Something about the store; each kind has its own key."""

    key = "store"


class StoreFull(StoreTrouble):
    """No room left; what was being written is not there, not even in part."""

    key = "store-full"
    sentence = "There is no room left to store this: delete frames, or free space on the disk."


class StoreNewer(StoreTrouble):
    """The database was written by a newer program."""

    key = "store-newer"
    sentence = (
        "The store {path} was written by a newer version (schema {found}, this program knows "
        "{known}): update the program."
    )


class StoreDamaged(StoreTrouble):
    """The database does not hold together."""

    key = "store-damaged"
    sentence = (
        "The store {path} is damaged ({why}): move the folder aside, start again, and put a "
        "backup in its place if there is one."
    )


class StoreUnusable(StoreTrouble):
    """The folder or the database cannot be opened or written."""

    key = "store-unusable"
    sentence = "The store {path} cannot be used ({why}): check the folder and its permissions."


class StoreInUse(StoreTrouble):
    """Another program serves from this folder."""

    key = "store-in-use"
    sentence = "Another rig is running from {path}: stop it, or give this one another folder."


class StoreReadOnly(StoreTrouble):
    """The database does not know most of the photos that lie beside it: nothing is touched."""

    key = "store-read-only"
    sentence = (
        "The database does not know {unknown} of the {photos} photos beside it: it is missing, or "
        "an old one. Nothing is changed or kept until a backup is restored (tacta restore) or the "
        "unknown photos are set aside (tacta lost --set-aside)."
    )


class BackupDamaged(StoreTrouble):
    """A file that is no backup, or not the one that was made."""

    key = "backup-damaged"
    sentence = "The backup {file} is damaged ({why}): take another one. Nothing was changed."


class BackupNewer(StoreTrouble):
    """A backup by a newer program."""

    key = "backup-newer"
    sentence = (
        "The backup {file} was made by a newer version (schema {found}, this program knows "
        "{known}): update the program. Nothing was changed."
    )


class BackupFolderMissing(StoreTrouble):
    """The second disk is not there: nothing is written where it would be."""

    key = "backup-folder-missing"
    sentence = "The folder for backups {folder} is not there: connect and mount its disk."


class BackupUnknown(StoreTrouble):
    """No backup of this name."""

    key = "backup-unknown"
    sentence = "There is no backup {file}."


class RowUnreadable(StoreTrouble):
    """A row of the database that no rig writes: damage, or somebody's doing."""

    key = "row-unreadable"
    sentence = (
        "The entry {name} in {table} does not read any more ({why}) and is left out: if it counts, "
        "restore a backup from before."
    )


class PictureMissing(StoreTrouble):
    """The row is there, but its picture is not."""

    key = "picture-missing"
    sentence = "The picture of frame {frame} was lost from the disk; its reading is still there."


class FrameUnknown(StoreTrouble):
    """No frame with this id, or it was deleted."""

    key = "frame-unknown"
    sentence = "There is no frame {frame}: it was deleted, or never taken."


class FrameProtected(StoreTrouble):
    """A frame that belongs to a round cannot be deleted."""

    key = "frame-protected"
    sentence = "Frame {frame} belongs to a round and is kept with it."


class CorrectionUnknown(StoreTrouble):
    """No correction with this id on this frame."""

    key = "correction-unknown"
    sentence = "There is no correction {correction} on frame {frame}."


class CorrectionUndone(StoreTrouble):
    """The correction was taken back already."""

    key = "correction-undone"
    sentence = "Correction {correction} was undone already."


class VersionConflict(StoreTrouble):
    """Somebody else changed it meanwhile."""

    key = "version-conflict"
    sentence = (
        "Somebody else changed this meanwhile (you saw version {expected}, it is {found} now): "
        "look again, then repeat your change."
    )


class MatchUnknown(StoreTrouble):
    """No match with this id."""

    key = "match-unknown"
    sentence = "There is no match {match}."


class RoundUnknown(StoreTrouble):
    """No such round in this match."""

    key = "round-unknown"
    sentence = "Match {match} has no round {round}."
