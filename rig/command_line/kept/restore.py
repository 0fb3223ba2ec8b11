"""`tacta restore`: a backup into a rig's folder; what is newer there stays."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rig.command_line.table.serve import DataOption, data_folder

if TYPE_CHECKING:
    from rig.store.backups.restore import Restored


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file by tacta backup.")],
    data: DataOption = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Check the backup and say what would be done.")
    ] = False,
    with_access: Annotated[
        bool, typer.Option("--with-access", help="Bring its phones and access tokens as well.")
    ] = False,
) -> None:
    """Bring back what the folder does not have; nothing newer is replaced. Stop the rig first."""
    import contextlib
    import tempfile

    from rig.store.backups.restore import restore as bring
    from rig.store.layout import DATABASE
    from rig.store.store import Store, serving

    folder = data or data_folder()
    with contextlib.ExitStack() as stack:
        if not dry_run:
            stack.enter_context(serving(folder))
        elif not (folder / DATABASE).exists():  # a dry run makes nothing there
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        store = Store(folder)
        stack.callback(store.close)
        print(_told(bring(file, store, dry_run, with_access=with_access), dry_run))


def _told(done: "Restored", dry_run: bool) -> str:
    rows = done.rows
    brought = "would bring" if dry_run else "brought"
    replaced = "would replace" if dry_run else "replaced"
    changed = (
        f"{rows.frames_changed} frames, {rows.matches_changed} matches and "
        f"{rows.rounds_changed} rounds"
    )
    people = [f"\n  {one.kind} of {one.name!r}, {one.role}" for one in done.access]
    access = f"\nPhones and tokens in it, which come only --with-access:{''.join(people)}"
    return (
        f"The backup of {done.made_at} {brought} {rows.frames} frames, {rows.matches} matches, "
        f"{rows.rounds} rounds, {rows.phones} phones and {done.photos} photos "
        f"({done.photo_bytes / 1e6:.1f} MB), and {replaced} {changed} that were older here."
        f"{access if people else ''}"
    )
