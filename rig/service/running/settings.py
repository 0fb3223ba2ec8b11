"""How a service is set up, and by which names it is found."""

import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from geometry.deck import Deck
from geometry.rules import Rules


def own_names() -> tuple[str, ...]:
    """The address towards the network first, then the machine's names."""
    host = socket.gethostname().lower()
    names = [host, f"{host.partition('.')[0]}.local"]
    address = _address()
    return tuple(dict.fromkeys([address, *names] if address else names))


def _address() -> str | None:
    """The address that packets to the outside would carry; nothing is sent."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # an address kept for examples
            return str(probe.getsockname()[0])
    except OSError:
        return None


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
