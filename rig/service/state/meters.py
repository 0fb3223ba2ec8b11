"""What the service counts and measures, in Prometheus's text form."""

import asyncio
import threading
import time
from collections import Counter

LAG_EVERY_S = 0.01
_HELP = {
    "tacta_requests_total": "Requests answered, by method and status.",
    "tacta_readings_total": "Photos read, by outcome.",
    "tacta_reading_seconds_total": "Time spent reading photos.",
    "tacta_corrections_total": "Corrections made.",
    "tacta_frames": "Frames in the store.",
    "tacta_free_bytes": "Room left on the store's disk.",
    "tacta_queue": "Photos waiting to be read.",
    "tacta_loop_lag_seconds_max": "How late the event loop was at most, whoever held it up.",
    "tacta_loop_busy_seconds_max": "The most processor time that the event loop took at a time.",
    "tacta_camera_fresh": "1 while the camera delivers.",
}
Labels = tuple[tuple[str, str], ...]


class Meters:
    """Counters and gauges; every method from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[tuple[str, Labels]] = Counter()
        self.lag_s = 0.0
        self.busy_s = 0.0

    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        """Add to a counter. ValueError for an unknown one."""
        if name not in _HELP:
            raise ValueError(f"expected a known meter, found {name!r}")
        with self._lock:
            self._counts[name, tuple(sorted(labels.items()))] += amount  # type: ignore[assignment]

    def text(self, gauges: dict[str, float]) -> str:
        """All meters; `gauges` are measured now."""
        with self._lock:
            samples = dict(self._counts)
        loop = {
            "tacta_loop_lag_seconds_max": self.lag_s,
            "tacta_loop_busy_seconds_max": self.busy_s,
        }
        for name, value in {**gauges, **loop}.items():
            samples[name, ()] = value  # type: ignore[assignment]
        lines = []
        for name, what in _HELP.items():
            kind = "counter" if name.endswith("_total") else "gauge"
            lines += [f"# HELP {name} {what}", f"# TYPE {name} {kind}"]
            found = [(labels, value) for (meter, labels), value in samples.items() if meter == name]
            lines += [f"{name}{_labels(labels)} {value:g}" for labels, value in sorted(found)]
        return "\n".join(lines) + "\n"

    async def watch_the_loop(self) -> None:
        """Measure for ever how late the event loop is, and how much it works at a time.

        It is late too when other programs have the processor; what it worked
        itself between two looks bounds what any one callback took.
        """
        loop = asyncio.get_running_loop()
        while True:
            due, worked_s = loop.time() + LAG_EVERY_S, time.thread_time()
            await asyncio.sleep(LAG_EVERY_S)
            self.lag_s = max(self.lag_s, loop.time() - due)
            self.busy_s = max(self.busy_s, time.thread_time() - worked_s)


def _labels(labels: Labels) -> str:
    inner = ",".join(f'{name}="{value}"' for name, value in labels)
    return f"{{{inner}}}" if inner else ""
