"""Backups: made, listed, fetched and restored by whoever runs the table."""

from dataclasses import asdict
from typing import Annotated

from starlette.requests import Request
from starlette.responses import FileResponse, Response

from rig.service.backups.documents import (
    BackupAccess,
    BackupDocument,
    BackupList,
    RestoredDocument,
    RestoreRequest,
)
from rig.service.backups.parts import backup_parts
from rig.service.http.routing import Routes
from rig.service.http.web import Path
from rig.store.backups.backup import is_daily

routes = Routes("backups")
Name = Annotated[str, Path(min_length=1, max_length=80, pattern="^tacta-[0-9A-Za-z.-]+$")]


@routes.add("GET", "/backups", role="admin")
def list_backups(request: Request) -> BackupList:
    """The backups there are."""
    backups = backup_parts(request).backups
    found = [
        BackupDocument(name=file.name, bytes=file.stat().st_size, daily=is_daily(file))
        for file in backups.all()
    ]
    return BackupList(folder=str(backups.folder), backups=found)


@routes.add("POST", "/backups", role="admin", status=201)
def make_backup(request: Request) -> BackupDocument:
    """Back up everything that the rig has kept, now."""
    file = backup_parts(request).backups.make()
    return BackupDocument(name=file.name, bytes=file.stat().st_size, daily=False)


@routes.add("GET", "/backups/{name}", role="admin", refuses=(404,), media_type="application/zip")
def fetch_backup(request: Request, name: Name) -> Response:
    """The backup as a file."""
    file = backup_parts(request).backups.find(name)
    return FileResponse(file, media_type="application/zip", filename=file.name)


@routes.add("POST", "/backups/{name}/restore", role="admin", refuses=(404,), even_read_only=True)
def restore_backup(request: Request, name: Name, wish: RestoreRequest) -> RestoredDocument:
    """Bring back what the rig does not have any more; what is newer here stays."""
    parts = backup_parts(request)
    with parts.changing:
        restored = parts.backups.restore(name, wish.dry_run, wish.with_access)
        if not wish.dry_run:
            parts.findings[:] = parts.store.check_up()
            parts.events.tell_soon("reset")
            parts.queue.add_left_over_soon()
            parts.blurring.blur_soon()
    return RestoredDocument(
        made_at=restored.made_at,
        dry_run=wish.dry_run,
        photos=restored.photos,
        photo_bytes=restored.photo_bytes,
        with_photos=restored.with_photos,
        access=[BackupAccess(**asdict(one)) for one in restored.access],
        **asdict(restored.rows),
    )


@routes.add("DELETE", "/backups/{name}", role="admin", refuses=(404,), status=204)
def delete_backup(request: Request, name: Name) -> None:
    """Delete a backup for good."""
    backup_parts(request).backups.delete(name)
