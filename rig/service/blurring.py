"""What lies round the table is blurred in a photo in the step that keeps its reading.

Until then the photo stays as it came. One that shows damage stays so for good: its bytes tell of
the damage, and whoever reads it again must hear of it.
"""

from __future__ import annotations

import logging

from rig.photo_damage import DAMAGED
from rig.photo_surroundings import margin_px, table_px
from rig.service.killable import Stopped
from rig.service.picture_maker import PictureMaker
from rig.store.frames import Frame, PhotoFacts, Picture
from rig.store.seen_json import deck_of, seen_of
from rig.store.store import Store
from rig.trouble import PhotoTrouble, Trouble
from rig.wording.catalogue import sentence
from vision.reading import SeenTable

_log = logging.getLogger(__name__)


class Blurring:
    """Blurs photos that were read. Any thread may ask."""

    def __init__(self, store: Store, maker: PictureMaker) -> None:
        self._store = store
        self._maker = maker

    def blurred(self, frame: Frame, seen_text: str, deck_text: str) -> Picture | None:
        """The frame's picture as it is to be kept; None if it stays, or cannot be made now."""
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

    def blur_what_is_left(self) -> None:
        """Blur the photos that were read and kept as they came: before blurring was asked for."""
        frames = self._store.frames
        for frame_id in frames.read_as_they_came():
            try:
                frame, texts = frames.get(frame_id), frames.seen(frame_id)
                picture = None if texts is None else self._blurred(frame, *texts)
                if picture is not None:
                    frames.replace_picture(frame, picture)
            except Stopped:
                return
            except (Trouble, OSError) as trouble:  # deleted meanwhile, or the disk is full
                _log.warning("%s is not blurred: %s", frame_id, trouble)


def _is_damaged(seen: SeenTable) -> bool:
    """Whether the photo shows damage; what was kept before there were codes has the sentence."""
    return any(sentence(doubt.reason) == sentence(DAMAGED) for doubt in seen.doubts)
