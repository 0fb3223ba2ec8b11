"""What time it is, as it is written down and as it is reckoned with."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime


@dataclass(slots=True)
class Clock:
    """The clock of a service. `read` says what time it is; another may be put in its place."""

    read: Callable[[], datetime] = lambda: datetime.now(UTC)

    def now(self) -> str:
        """The time as it is written down: UTC, ISO 8601, to the millisecond."""
        return written(self.seconds())

    def seconds(self) -> float:
        """Seconds since 1970."""
        return self.read().timestamp()


def written(seconds: float) -> str:
    """A time in seconds since 1970 as it is written down: UTC, ISO 8601, to the millisecond."""
    at = datetime.fromtimestamp(seconds, UTC)
    return at.isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def seconds_of(text: str) -> float | None:
    """Seconds since 1970 of a time as `Clock.now` writes it; None of anything else."""
    try:
        return datetime.fromisoformat(text).timestamp()
    except ValueError:
        return None
