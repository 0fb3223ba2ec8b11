"""How the service is run, as one value."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from geometry.deck import Deck
from geometry.rules import Rules

PORT = 8000
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """`network`: phones may come, paired each; else only this machine, which may do everything.

    `hosts` are the names and addresses, without a port, that the service answers
    to beside this machine's own. `lens`: the lens file's values for the camera's
    pictures; an uploaded photo brings its own, if any. `stream_s`: how long one stream
    of events may last. `fingerprint`: of the certificate it is served over HTTPS with, "" without.
    `deck_named`: the deck was named at the start, so that none is chosen on the page.
    """

    deck: Deck
    rules: Rules = field(default_factory=Rules)
    lens: Mapping[str, Any] | None = None
    network: bool = False
    port: int = PORT
    hosts: tuple[str, ...] = ()
    stream_s: float = 3600.0
    fingerprint: str = ""
    deck_named: bool = False

    @property
    def is_secure(self) -> bool:
        """Whether it is served over HTTPS."""
        return bool(self.fingerprint)

    @property
    def names(self) -> frozenset[str]:
        """Every name the service answers to, in lower case."""
        return frozenset(name.lower() for name in (*LOOPBACK_NAMES, *self.hosts))
