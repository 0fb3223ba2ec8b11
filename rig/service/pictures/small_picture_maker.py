"""Small pictures of new photos, made once, when nobody waits for anything else."""

import logging
from concurrent.futures import ThreadPoolExecutor

from rig.processes.killable import Stopped
from rig.service.pictures.picture_maker import PictureMaker
from rig.store.frame import Frame
from rig.store.small_pictures import WIDTHS
from rig.store.store import Store
from rig.trouble import PhotoTrouble, Trouble

_log = logging.getLogger(__name__)


class SmallPictureMaker:
    """Makes each new photo's small pictures, one photo after the other, when nobody waits."""

    def __init__(self, store: Store, maker: PictureMaker) -> None:
        self._store = store
        self._maker = maker
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="tacta-small")

    def make_soon(self, frame: Frame) -> None:
        """Have a frame's small pictures made, unless they were."""
        self._thread.submit(self._make, frame)

    def _make(self, frame: Frame) -> None:
        try:
            make_small(self._store, self._maker, frame, in_front=False)
        except (Trouble, Stopped, OSError) as trouble:  # deleted meanwhile, or the disk is full
            _log.info("no small pictures of %s: %s", frame.id, trouble)

    def close(self) -> None:
        """Make no more."""
        self._thread.shutdown(wait=False, cancel_futures=True)


def make_small(store: Store, maker: PictureMaker, frame: Frame, in_front: bool = True) -> None:
    """Make a frame's small pictures and keep them, or mark that they cannot be made.

    Of a picture in whose place another is by then none are kept.
    """
    frame = store.frames.get(frame.id)
    if store.frames.small.has(frame.sha256):
        return
    try:
        made = maker.make("small", store.frames.path(frame), frame.name, WIDTHS, in_front=in_front)
    except PhotoTrouble:
        store.frames.small.mark_impossible(frame.sha256)
        return
    store.frames.small.keep(frame.sha256, made)
    if store.frames.get(frame.id).sha256 != frame.sha256:
        store.frames.small.forget(frame.sha256)
