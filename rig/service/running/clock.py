"""What time it is, as it is written down and as it is reckoned with."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime


def _utc() -> datetime:
    return datetime.now(UTC)


@dataclass(slots=True)
class Clock:
    """The clock of a service. `read` says what time it is; another may be put in its place."""

    read: Callable[[], datetime] = _utc

    def now(self) -> str:
        """The time as it is written down: UTC, ISO 8601, to the millisecond."""
        return self.read().astimezone(UTC).isoformat(timespec="milliseconds")[:-6] + "Z"

    def seconds(self) -> float:
        """Seconds since 1970."""
        return self.read().timestamp()
