"""Whoever watches the table, for those who want a picture of it once it is still."""

from __future__ import annotations

from rig.watcher.watcher import Watcher

PATIENCE_S = 10.0
"""So long a picture waits for hands to go; then it is taken all the same, and whoever asked for it
sees them in it. A curtain that moves in the wind must not end all picture-taking."""


class Lookout:
    """The watcher's place on the desk; empty while nobody watches. Any thread may ask."""

    def __init__(self, patience_s: float = PATIENCE_S) -> None:
        self._patience_s = patience_s
        self._watcher: Watcher | None = None

    def assign(self, watcher: Watcher | None) -> None:
        """From now on this one watches, or nobody does."""
        self._watcher = watcher

    def wait_until_still(self) -> bool:
        """Wait until no hand is over the table: whether that was seen in time."""
        watcher = self._watcher
        return watcher is None or watcher.wait_until_still(self._patience_s)
