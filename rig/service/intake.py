"""Photos coming in: by upload, or from the camera."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from anyio import to_thread
from starlette.concurrency import run_in_threadpool

from rig.cameras.camera import Still
from rig.cameras.trouble import CameraGarbage
from rig.lens_file import parse_lens
from rig.photo import PhotoDamaged, PhotoEmpty, PhotoUnknown, PhotoWrongKind
from rig.service.desk import Desk
from rig.service.photo_header import photo_facts
from rig.service.reader import Unread
from rig.service.trouble import Busy, NoCamera
from rig.store.frames import Added, Frame, NewFrame

STILL_S = 8.0
MOST_WAITING = 60
"""Of those who want the camera's next picture, beside those whose turn it is."""
MOST_UNREAD = 200
"""Photos that wait to be read: more come in again later."""
AGAIN_S = 5
CAPTURE_CODES = (
    "no-camera",
    "camera-silent",
    "camera-waiting",
    "photo-too-large",
    "photo-damaged",
    "store-full",
)
"""Why a picture that the camera takes can be refused."""
_LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class Taken:
    """A frame that was taken in, and the reading to wait for, if it is not read yet."""

    frame: Frame
    is_new: bool
    reading: asyncio.Future[Any] | None


async def take_photo(
    desk: Desk, data: bytes, name: str, lens: Mapping[str, Any] | None = None
) -> Taken:
    """Keep an uploaded photo and have it read. PhotoTrouble or StoreTrouble if it is refused."""
    return await _take(desk, data, file_name(name), "upload", lens)


async def take_still(desk: Desk) -> Taken:
    """Have the camera take a picture once the table is still, keep it and have it read.

    CameraTrouble, NoCamera, Busy.
    """
    if desk.camera is None:
        raise NoCamera
    if desk.captures.statistics().tasks_waiting >= MOST_WAITING:
        raise Busy(seconds=AGAIN_S)
    await to_thread.run_sync(desk.lookout.wait_until_still, limiter=desk.captures)
    still = await to_thread.run_sync(desk.camera.still, STILL_S, limiter=desk.captures)
    return await keep_still(desk, still)


async def keep_still(desk: Desk, still: Still) -> Taken:
    """Keep a picture that the camera took, and have it read. CameraGarbage where it is none."""
    known = still.known.get("lens") or desk.lens_for(still.size_wh)
    lens = known if isinstance(known, Mapping) else None
    name = f"{desk.now().replace(':', '-')}.jpg"
    source = "camera" if desk.camera is None else desk.camera.state().camera
    try:
        return await _take(desk, still.data, name, source, lens)
    except (PhotoEmpty, PhotoUnknown, PhotoWrongKind, PhotoDamaged) as trouble:
        # Whoever asked for the picture sent none: the camera is at fault, not they.
        raise CameraGarbage(camera=source, why="a picture that cannot be read") from trouble


async def _take(
    desk: Desk, data: bytes, name: str, source: str, lens: Mapping[str, Any] | None
) -> Taken:
    if desk.queue.length >= MOST_UNREAD:
        raise Busy(seconds=AGAIN_S)
    added = await run_in_threadpool(_keep, desk, data, name, source, lens)
    for gone in added.removed:
        desk.events.tell("frame-deleted", frame=gone)
    if added.is_new:
        desk.events.tell("frame-added", frame=added.frame.id)
        desk.small.make_soon(added.frame)
    waits = added.frame.state in ("waiting", "reading")
    return Taken(added.frame, added.is_new, desk.queue.add(added.frame.id) if waits else None)


def _keep(desk: Desk, data: bytes, name: str, source: str, lens: Mapping[str, Any] | None) -> Added:
    facts = photo_facts(data, name)
    if lens is not None:
        parse_lens(dict(lens))
    clean = desk.clean(data, facts.kind, name)
    came = None if clean == data else hashlib.sha256(data).hexdigest()
    new = NewFrame(clean, facts, name, source, desk.now(), lens, came)
    added = desk.store.frames.add(new)
    if added.frame.state in ("not_seen", "failed"):  # a second try, perhaps with the lens
        return replace(added, frame=desk.store.frames.read_again(added.frame.id, lens))
    return added


async def read_through(desk: Desk, taken: Taken) -> Frame:
    """Wait until a frame is read, and return it as it is then.

    A new photo that turns out to be cut off was never acknowledged: it is not
    kept, and PhotoDamaged says so.
    """
    if taken.reading is not None:
        outcome = await asyncio.shield(taken.reading)
        if taken.is_new and isinstance(outcome, Unread) and outcome.key == PhotoDamaged.key:
            await run_in_threadpool(desk.store.frames.delete, taken.frame.id)
            desk.events.tell("frame-deleted", frame=taken.frame.id)
            raise PhotoDamaged(name=taken.frame.name)
    return await run_in_threadpool(desk.store.frames.get, taken.frame.id)


def file_name(name: str) -> str:
    """A photo's name as people may see it: no folders, nothing unprintable, not long."""
    last = name.replace("\\", "/").rpartition("/")[2]
    clean = "".join(letter for letter in last if letter.isprintable()).strip()
    return clean[:_LONGEST_NAME] or "photo"
