"""What lies round the table is blurred in a photo in the step that keeps its reading, if wished.

Whether it is wished is chosen on the page, and kept in a file of the data folder; where nobody
has chosen yet, the start says it. Until it is read the photo stays as it came. One that shows
damage stays so for good: its bytes tell of the damage, and whoever reads it again must hear of it.
"""

import json
import logging
import threading
from concurrent.futures import ThreadPoolExecutor

from rig.json_file import read_json
from rig.photo.damaged_reading import DAMAGED, UNCHECKED
from rig.photo.surroundings import margin_px, table_px
from rig.processes.killable import Stopped
from rig.service.pictures.picture_maker import PictureMaker
from rig.service.state.live_events import LiveEvents
from rig.store.file_layer import DiskFiles, write_whole
from rig.store.frame import Frame, PhotoFacts, Picture
from rig.store.layout import BLURRING
from rig.store.seen_json import deck_of, seen_of
from rig.store.store import Store
from rig.trouble import PhotoTrouble, SettingTrouble, Trouble
from rig.wording.catalogue import sentence
from vision.reading import SeenTable

_log = logging.getLogger(__name__)


class Blurring:
    """Blurs photos that were read, while that is wished. Any thread may ask."""

    def __init__(
        self, store: Store, maker: PictureMaker, events: LiveEvents, at_start: bool = False
    ) -> None:
        """`at_start`: whether it is wished as long as nobody has chosen."""
        self._store = store
        self._maker = maker
        self._events = events
        self._at_start = at_start
        self._file = store.folder / BLURRING
        self._choosing = threading.Lock()
        self._one_by_one = threading.Lock()
        self._stopped = threading.Event()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="tacta-blurring")

    @property
    def is_wished(self) -> bool:
        """What was chosen last, also in another run or in a backup that was restored."""
        if not self._file.exists():
            return self._at_start
        try:
            content = read_json(self._file, "blurring")
        except SettingTrouble:
            return self._at_start
        wished = content.get("wished") if isinstance(content, dict) else None
        return wished if isinstance(wished, bool) else self._at_start

    def choose(self, wished: bool) -> None:
        """Blur from now on, also what is kept already; or keep photos as they come. StoreTrouble.

        What was blurred stays so.
        """
        text = json.dumps({"wished": wished}) + "\n"
        with self._choosing:
            write_whole(DiskFiles(), self._file, text.encode("utf-8"))
        self.blur_soon()

    def blurred(self, frame: Frame, seen_text: str, deck_text: str) -> Picture | None:
        """The frame's picture as it is to be kept; None if it stays, or cannot be made now."""
        if not self.is_wished:
            return None
        try:
            return self._blurred(frame, seen_text, deck_text)
        except (PhotoTrouble, Stopped, OSError) as trouble:
            _log.warning("what lies round the table is not blurred in %s: %s", frame.id, trouble)
            return None

    def _blurred(self, frame: Frame, seen_text: str, deck_text: str) -> Picture | None:
        seen = seen_of(seen_text, deck_of(deck_text))
        table = table_px(seen)
        if table is None or _is_damaged(seen):
            return None
        task = "blurred", self._store.frames.path(frame), frame.name, table, margin_px(seen)
        data, (width, height) = self._maker.make(*task, in_front=False)
        return Picture(data, PhotoFacts("jpeg", width, height))

    def blur_soon(self) -> None:
        """Blur what is left, if it is wished, beside everything else."""
        if not self._stopped.is_set():
            self._thread.submit(self.blur_what_is_left)

    def close(self) -> None:
        """Stop, and wait for the photo that is being replaced; the next start goes on."""
        self._stopped.set()
        self._thread.shutdown(cancel_futures=True)

    def blur_what_is_left(self) -> None:
        """Blur the photos that were read and kept as they came: before blurring was wished."""
        with self._one_by_one:  # each photo is blurred once, however often it is asked
            self._blur_what_is_left()

    def _blur_what_is_left(self) -> None:
        frames = self._store.frames
        for frame_id in frames.read_as_they_came() if self.is_wished else ():
            if self._stopped.is_set() or not self.is_wished:
                return
            try:
                frame, texts = frames.get(frame_id), frames.seen(frame_id)
                picture = None if texts is None else self._blurred(frame, *texts)
                if picture is not None:
                    frames.replace_picture(frame, picture)
                    self._events.tell_soon("frame-changed", frame=frame_id)
            except Stopped:
                return
            except (Trouble, OSError) as trouble:  # deleted meanwhile, or the disk is full
                _log.warning("%s is not blurred: %s", frame_id, trouble)


def _is_damaged(seen: SeenTable) -> bool:
    """Whether the photo shows damage, or may; what was kept before there were codes has the
    sentence. Nothing could tell it from the blurred photo, and a new reading would be sure.
    """
    told = {sentence(reason) for reason in (DAMAGED, UNCHECKED)}
    return any(sentence(doubt.reason) in told for doubt in seen.doubts)
