"""What may be asked of backups, as models."""

from rig.service.http.requests import Wish


class RestoreRequest(Wish):
    """`dry_run`: only say what restoring would do. `with_access`: phones and access tokens too."""

    dry_run: bool = True
    with_access: bool = False
