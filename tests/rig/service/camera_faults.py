"""The whole service on a camera that misbehaves, in real time, with phones that look on.

    python -m tests.rig.service.camera_faults

For each fault: how soon the service says that something is wrong, how soon it is
well again once the camera is, and how long the phones waited for their answers
meanwhile, pictures being asked for all the while.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import numpy as np

from tests.rig.service.kills import running, wait_until_ready
from tests.rig.service.table_top import API, WRITE

FAULTS = ("hang", "dark", "frozen", "gone", "garbage")
NOTICED_S, BACK_S, ANSWER_S = 3.0, 15.0, 0.5
LOOK_S = 0.05
"""Between two looks at the camera's state: a time measured may be so much too long."""
PHONES = 3
PAUSE_S = 0.05
GIVE_UP_S = 60.0
ADDRESSES = ("/", "/app.js", *(f"{API}/{path}" for path in ("state", "camera", "frames", "me")))


@dataclass(frozen=True, slots=True)
class Seen:
    """What came of one fault. Seconds; `waited_s`: each answer that a phone got."""

    fault: str
    noticed_s: float
    back_s: float
    waited_s: list[float]

    @property
    def p99_s(self) -> float:
        return float(np.percentile(self.waited_s, 99))

    def is_well(self, slowness: float = 1.0) -> bool:
        """Whether all was in time, on a machine that may be so many times slower than it should."""
        in_time = self.noticed_s <= slowness * NOTICED_S + LOOK_S
        back = self.back_s <= slowness * BACK_S
        return in_time and back and self.p99_s < slowness * ANSWER_S

    def __str__(self) -> str:
        return (
            f"{self.fault}: noticed in {self.noticed_s:.2f} s, back in {self.back_s:.2f} s; "
            f"{len(self.waited_s)} answers, 99 % within {self.p99_s * 1000:.0f} ms, "
            f"the slowest {max(self.waited_s) * 1000:.0f} ms"
        )


@dataclass
class Phones:
    """Pages that look at everything, again and again, and one that wants pictures."""

    base: str
    waited_s: list[float] = field(default_factory=list)
    ends: threading.Event = field(default_factory=threading.Event)

    @contextlib.contextmanager
    def looking(self, takes_pictures: bool = True) -> Iterator[None]:
        works: list[Callable[[], None]] = [self._look] * PHONES
        works += [self._take_pictures] * takes_pictures
        threads = [threading.Thread(target=work) for work in works]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self.ends.set()
            for thread in threads:
                thread.join(30)

    def _look(self) -> None:
        with httpx2.Client(base_url=self.base, timeout=30) as client:
            while not self.ends.is_set():
                for address in ADDRESSES:
                    begun = time.monotonic()
                    assert client.get(address).status_code == 200
                    self.waited_s.append(time.monotonic() - begun)
                    self.ends.wait(PAUSE_S)

    def _take_pictures(self) -> None:
        with httpx2.Client(base_url=self.base, timeout=60, headers=WRITE) as client:
            while not self.ends.wait(1.0):
                answer = client.post(f"{API}/capture")
                assert answer.status_code in (200, 201, 503), answer.text


def run(fault: str, folder: Path) -> Seen:
    """One fault from its beginning to its end, in a rig of its own."""
    behaviour = folder / "behaviour"
    behave(behaviour, "ok")
    with running(folder / "rig", f"fake:{behaviour}") as (_, url):
        wait_until_ready(url, time.monotonic())
        until(url, lambda condition: condition == "fresh")
        phones = Phones(url.removesuffix(API))
        with phones.looking():
            time.sleep(2.0)
            behave(behaviour, fault)
            noticed_s = until(url, lambda condition: condition != "fresh")
            until(url, lambda condition: condition == "lost")
            time.sleep(2.0)
            behave(behaviour, "ok")
            back_s = until(url, lambda condition: condition == "fresh")
            time.sleep(1.0)
    return Seen(fault, noticed_s, back_s, phones.waited_s)


def behave(file: Path, behaviour: str) -> None:
    part = file.with_suffix(".part")
    part.write_text(behaviour, "utf-8")
    part.replace(file)


def until(url: str, wanted: Callable[[str], bool]) -> float:
    """How many seconds it took until the camera's condition was such."""
    begun = time.monotonic()
    with httpx2.Client(timeout=30) as client:
        while True:
            state: dict[str, Any] = client.get(f"{url}/camera").json()
            took_s = time.monotonic() - begun
            if wanted(state["condition"]):
                return took_s
            assert took_s < GIVE_UP_S, state
            time.sleep(LOOK_S)


def main() -> int:
    seen = []
    for fault in FAULTS:
        with tempfile.TemporaryDirectory() as folder:
            seen.append(run(fault, Path(folder)))
        sys.stdout.write(f"{seen[-1]}\n")
        sys.stdout.flush()
    waited_s = [one for each in seen for one in each.waited_s]
    sys.stdout.write(
        f"{len(seen)} faults: noticed in {max(one.noticed_s for one in seen):.2f} s at most, "
        f"back in {max(one.back_s for one in seen):.2f} s at most; 99 % of {len(waited_s)} "
        f"answers within {np.percentile(waited_s, 99) * 1000:.0f} ms "
        f"(load {os.getloadavg()[0]:.1f})\n"
    )
    return int(not all(one.is_well() for one in seen))


if __name__ == "__main__":
    raise SystemExit(main())
