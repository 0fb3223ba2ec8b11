"""`tacta backup`: everything that a rig has kept in one file, also while it runs."""

from pathlib import Path
from typing import Annotated

import typer

from rig.command_line.table.serve import BackupsOption, DataOption, data_folder


def backup(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="The file to write, such as rig.zip.")
    ] = None,
    data: DataOption = None,
    backups: BackupsOption = None,
) -> None:
    """Write a backup, whole or not at all, and read it back; the rig may be running."""
    from datetime import UTC, datetime
    from importlib import metadata

    from rig.command_line.kept.kept_data import check_kept
    from rig.store.backups.backup import backup_name, write_backup
    from rig.store.file_layer import disk_trouble
    from rig.store.layout import BACKUPS
    from rig.store.trouble import BackupFolderMissing

    folder = data or data_folder()
    check_kept(folder)
    at = datetime.now(UTC).isoformat(timespec="milliseconds")[:-6] + "Z"
    if backups is not None and not backups.is_dir():
        raise BackupFolderMissing(folder=backups)
    target = file or (backups or folder / BACKUPS) / backup_name(at)
    try:
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise disk_trouble(error, target.parent) from error
    manifest = write_backup(folder, target, at, metadata.version("tacta-rig"))
    print(f"{target}: {len(manifest.photos)} photos and all rounds, read back and right.")
    if manifest.missing:
        print(f"{len(manifest.missing)} photos were lost from the disk before, and are not in it.")
