"""Whether the camera or the table has moved since it was first seen at rest.

Looks at the markers in previews while nothing moves, and learns where they lie
from the first ones. The place outlives the program where there is a folder for it.
"""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.lens.lens_guess import lens_for_size
from calibration.table.table_watch import AGREEING_FRAMES, Moved, TableWatch, after_frame, begin
from rig.store.trouble import StoreTrouble
from rig.watcher.table_place import TablePlace, forget_place, load_place, place_file, save_place
from rig.wording.catalogue import trouble_sentence
from vision.lens import Lens
from vision.locating.markers import Marker, find_markers, view_from_markers

_log = logging.getLogger(__name__)
TRIAL_S = 60.0
"""A table that moves this soon after it was learnt is being set up, and learnt again."""
LOOK_EVERY_S = 1.0
LEAST_MARKERS = 2


@dataclass(frozen=True, slots=True)
class TableMoved:
    """A move for people, by a trouble's key.

    by_mm: median of the markers' shifts on the table, or the one marker's. since: UTC.
    markers: the ids that lie elsewhere.
    """

    key: str
    by_mm: float
    by_deg: float
    since: datetime
    markers: tuple[int, ...]

    @property
    def facts(self) -> dict[str, str | float]:
        """What fills in the sentence."""
        return {
            "millimetres": self.by_mm,
            "since": f"{self.since.astimezone():%Y-%m-%d %H:%M}",
            "markers": ", ".join(map(str, self.markers)),
        }

    @property
    def sentence(self) -> str:
        """What it says in English, with what to do."""
        return trouble_sentence(self.key, self.facts)


class TableGuard:
    """Watches one table. All methods may be called from any thread.

    folder: where its place is kept, None to forget it at the end. lens: the camera's, at
    the size of its stills; without it a usual one is taken, and lengths are near enough.
    """

    def __init__(
        self,
        folder: Path | None = None,
        lens: Lens | None = None,
        trial_s: float = TRIAL_S,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._folder, self._lens = folder, lens
        self._trial_s, self._clock = trial_s, clock
        self._lock = threading.Lock()
        self._watch: TableWatch | None = None
        self._since_s = 0.0
        self._kept: TablePlace | None = None
        self._take_up(None if folder is None else load_place(folder))

    def look(self, grey: NDArray[np.uint8]) -> None:
        """Compare a preview (H, W) uint8, taken while nothing moves, with where the table was."""
        markers = find_markers(grey)
        with self._lock:
            self._heed_the_file()
            self._look(markers, (grey.shape[1], grey.shape[0]))

    def moved(self) -> TableMoved | None:
        """What has moved, None if nothing has, or nothing is known."""
        with self._lock:
            found = None if self._watch is None else self._watch.moved
        return None if found is None else _told(found)

    def since(self) -> datetime | None:
        """Since when the table's place is known (UTC); None while it is not."""
        with self._lock:
            known = self._watch is not None and bool(self._watch.home_mm)
            return datetime.fromtimestamp(self._since_s, UTC) if known else None

    def accept(self) -> None:
        """The table stays as it lies now: its place is learnt anew."""
        with self._lock:
            self._forget()

    def _look(self, markers: tuple[Marker, ...], size_wh: tuple[int, int]) -> None:
        now_s = self._clock()
        watch = self._watch
        if watch is None or watch.view.lens.size_wh != size_wh:
            if len(markers) < LEAST_MARKERS:
                return
            watch = begin(view_from_markers(markers, lens_for_size(self._lens, size_wh)))
            self._since_s, self._kept = now_s, None
        watch = after_frame(watch, markers, now_s)
        if self._kept is None and watch.moved is not None:
            self._watch = None  # still being set up
            return
        self._watch = watch
        self._keep_if_settled(now_s)

    def _keep_if_settled(self, now_s: float) -> None:
        watch = self._watch
        if watch is None or len(watch.home_mm) < LEAST_MARKERS:
            return
        if 0 < watch.suspects < AGREEING_FRAMES:
            return  # the next looks tell whether something moved
        if self._kept is None and now_s - self._since_s < self._trial_s:
            return
        moved_s = None if watch.moved is None else watch.moved.since_s
        kept = self._kept
        if kept is None or (set(kept.home_mm), kept.moved_s) != (set(watch.home_mm), moved_s):
            home, noise_mm = watch.home_mm, watch.noise_mm
            self._keep(TablePlace(watch.view, home, noise_mm, self._since_s, moved_s))

    def _keep(self, place: TablePlace) -> None:
        self._kept = place
        if self._folder is None:
            return
        try:
            save_place(self._folder, place)
        except StoreTrouble as trouble:
            _log.warning("%s", trouble)
            self._folder = None  # said once; watched on without it

    def _heed_the_file(self) -> None:
        """Somebody removed the file: the table is to be learnt anew."""
        folder = self._folder
        if self._kept is not None and folder is not None and not place_file(folder).exists():
            self._take_up(None)

    def _forget(self) -> None:
        self._take_up(None)
        if self._folder is not None:
            try:
                forget_place(self._folder)
            except OSError as error:
                _log.warning("%s: %s", place_file(self._folder), error.strerror)

    def _take_up(self, place: TablePlace | None) -> None:
        self._kept = place
        self._watch = None if place is None else place.watch()
        self._since_s = 0.0 if place is None else place.since_s


def _told(moved: Moved) -> TableMoved:
    key = "table-moved" if moved.what == "camera-or-table" else "marker-moved"
    since = datetime.fromtimestamp(moved.since_s, UTC)
    return TableMoved(key, moved.by_mm, moved.by_deg, since, moved.markers)
