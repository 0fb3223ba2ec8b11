"""Photos coming in: by upload, or from the camera."""

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
from rig.photo.decoding import PhotoDamaged, PhotoEmpty, PhotoUnknown, PhotoWrongKind
from rig.service.frames.parts import FrameParts
from rig.service.frames.reader import Unread
from rig.service.http.limits import LATER_S, MOST_CAPTURES, MOST_UNREAD
from rig.service.http.trouble import Busy, NoCamera
from rig.service.pictures.photo_header import clean_photo, photo_facts
from rig.store.frame import Added, Frame, NewFrame

STILL_S = 8.0
_LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class Taken:
    """A frame that was taken in, and the reading to wait for, if it is not read yet."""

    frame: Frame
    is_new: bool
    reading: asyncio.Future[Any] | None


@dataclass(frozen=True, slots=True)
class _Sent:
    name: str
    source: str
    lens: Mapping[str, Any] | None
    sent_by: str | None


async def take_photo(
    parts: FrameParts,
    data: bytes,
    name: str,
    lens: Mapping[str, Any] | None = None,
    sent_by: str | None = None,
) -> Taken:
    """Keep an uploaded photo and have it read. PhotoTrouble or StoreTrouble if it is refused.

    `sent_by`: the id of the phone or token that sends it.
    """
    return await _take(parts, data, _Sent(file_name(name), "upload", lens, sent_by))


async def take_still(parts: FrameParts, sent_by: str | None = None) -> Taken:
    """Have the camera take a picture once the table is still, keep it and have it read.

    CameraTrouble, NoCamera, Busy.
    """
    if parts.camera is None:
        raise NoCamera
    if parts.captures.statistics().tasks_waiting >= MOST_CAPTURES:
        raise Busy(seconds=LATER_S)
    await to_thread.run_sync(parts.lookout.wait_until_still, limiter=parts.captures)
    still = await to_thread.run_sync(parts.camera.still, STILL_S, limiter=parts.captures)
    return await keep_still(parts, still, sent_by)


async def keep_still(parts: FrameParts, still: Still, sent_by: str | None = None) -> Taken:
    """Keep a picture that the camera took, and have it read. CameraGarbage where it is none."""
    known = still.known.get("lens") or parts.lens_for(still.size_wh)
    lens = known if isinstance(known, Mapping) else None
    name = f"{parts.clock.now().replace(':', '-')}.jpg"
    source = "camera" if parts.camera is None else parts.camera.state().camera
    try:
        return await _take(parts, still.data, _Sent(name, source, lens, sent_by))
    except (PhotoEmpty, PhotoUnknown, PhotoWrongKind, PhotoDamaged) as trouble:
        # Whoever asked for the picture sent none: the camera is at fault, not they.
        raise CameraGarbage(camera=source, why="a picture that cannot be read") from trouble


async def _take(parts: FrameParts, data: bytes, sent: _Sent) -> Taken:
    if parts.queue.length >= MOST_UNREAD:
        raise Busy(seconds=LATER_S)
    added = await run_in_threadpool(_keep, parts, data, sent)
    for gone in added.removed:
        parts.events.tell("frame-deleted", frame=gone)
    if added.is_new:
        parts.events.tell("frame-added", frame=added.frame.id)
        parts.small.make_soon(added.frame)
    waits = added.frame.state in ("waiting", "reading")
    return Taken(added.frame, added.is_new, parts.queue.add(added.frame.id) if waits else None)


def _keep(parts: FrameParts, data: bytes, sent: _Sent) -> Added:
    facts, lens = photo_facts(data, sent.name), sent.lens
    if lens is not None:
        parse_lens(dict(lens))
    clean = clean_photo(parts.maker, data, facts.kind, sent.name)
    came = None if clean == data else hashlib.sha256(data).hexdigest()
    now = parts.clock.now()
    new = NewFrame(clean, facts, sent.name, sent.source, now, lens, came, sent.sent_by)
    added = parts.store.frames.add(new)
    if added.frame.state in ("not_seen", "failed"):  # a second try, perhaps with the lens
        return replace(added, frame=parts.store.frames.read_again(added.frame.id, lens))
    return added


async def read_through(parts: FrameParts, taken: Taken) -> Frame:
    """Wait until a frame is read, and return it as it is then.

    A new photo that turns out to be cut off was never acknowledged: it is not
    kept, and PhotoDamaged says so.
    """
    if taken.reading is not None:
        outcome = await asyncio.shield(taken.reading)
        if taken.is_new and isinstance(outcome, Unread) and outcome.key == PhotoDamaged.key:
            await run_in_threadpool(parts.store.frames.delete, taken.frame.id)
            parts.events.tell("frame-deleted", frame=taken.frame.id)
            raise PhotoDamaged(name=taken.frame.name)
    return await run_in_threadpool(parts.store.frames.get, taken.frame.id)


def file_name(name: str) -> str:
    """A photo's name as people may see it: no folders, nothing unprintable, not long."""
    last = name.replace("\\", "/").rpartition("/")[2]
    clean = "".join(letter for letter in last if letter.isprintable()).strip()
    return clean[:_LONGEST_NAME] or "photo"
