"""Whoever watches the table, for those who want a picture of it once it is still."""

from rig.watcher.watcher import Watcher

PATIENCE_S = 10.0
"""So long a picture waits for hands to go; then it is taken all the same, and whoever asked for it
sees them in it. A curtain that moves in the wind must not end all picture-taking."""


class Lookout:
    """The watcher's place; empty while nobody watches. Any thread may ask."""

    def __init__(self, patience_s: float = PATIENCE_S) -> None:
        self._patience_s = patience_s
        self._watcher: Watcher | None = None
        self._follows = False

    def assign(self, watcher: Watcher | None) -> None:
        """From now on this one watches, or nobody does."""
        self._watcher = watcher
        self._pass_on()

    def follow(self, is_on: bool) -> None:
        """From now on a picture is taken whenever hands were at work and the table is still, or
        only when somebody asks.
        """
        if is_on is not self._follows:
            self._follows = is_on
            self._pass_on()
            if is_on:
                self.ask()

    def _pass_on(self) -> None:
        if self._watcher is not None:
            self._watcher.follow(self._follows)

    def ask(self) -> None:
        """Take a picture as soon as the table is still, if anybody watches."""
        if self._watcher is not None:
            self._watcher.ask()

    def wait_until_still(self) -> bool:
        """Wait until no hand is over the table: whether that was seen in time."""
        watcher = self._watcher
        return watcher is None or watcher.wait_until_still(self._patience_s)
