"""One at a time, in two lanes: whoever is waited for goes before what may be done later."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from rig.service.http.limits import SOON_S
from rig.service.http.trouble import Busy


class TwoLanes:
    """`most_waiting`: of those in front; one more is sent away, to come again."""

    def __init__(self, most_waiting: int) -> None:
        self._most_waiting = most_waiting
        self._turned = threading.Condition()
        self._is_taken = False
        self._waiting = 0

    @contextmanager
    def turn(self, in_front: bool = True) -> Iterator[None]:
        """Wait for one's turn and have it. Busy if too many wait in front already."""
        with self._turned:
            if in_front:
                self._wait_in_front()
            else:
                self._turned.wait_for(lambda: not self._is_taken and not self._waiting)
            self._is_taken = True
        try:
            yield
        finally:
            with self._turned:
                self._is_taken = False
                self._turned.notify_all()

    def _wait_in_front(self) -> None:
        if self._waiting >= self._most_waiting:
            raise Busy(seconds=SOON_S)
        self._waiting += 1
        try:
            self._turned.wait_for(lambda: not self._is_taken)
        finally:
            self._waiting -= 1
