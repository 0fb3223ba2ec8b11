"""Frames: photos in, pictures and readings out."""

import json
from typing import Annotated, Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from rig.lens_file import LensFault
from rig.service.access.access import known
from rig.service.frames.documents import (
    DoubtDocument,
    FrameAnswer,
    FrameDocument,
    FrameList,
    IllegalDocument,
    ReadingDocument,
)
from rig.service.frames.frame_documents import (
    doubt_document,
    frame_answer,
    frame_document,
    illegal_document,
    reading_document,
)
from rig.service.frames.frame_pictures import overlay, picture
from rig.service.frames.intake import Taken, read_through, take_photo, take_still
from rig.service.frames.parts import frame_parts
from rig.service.frames.requests import KeepRequest
from rig.service.frames.scene_file import scene_zip
from rig.service.http.documents import API
from rig.service.http.limits import PHOTO_BYTES
from rig.service.http.routing import Routes, answer, language, unless_known
from rig.service.http.trouble import AlreadyRead, NotYourPhoto
from rig.service.http.web import File, Form, Header, Path, Query, UploadFile
from rig.store.frame import Frame
from vision.reason import Reason

routes = Routes("frames")
FrameId = Annotated[str, Path(min_length=1, max_length=40, pattern="^[0-9a-f]+$")]
DoubtKey = Annotated[str, Path(min_length=1, max_length=60, pattern="^[a-z0-9-]+$")]
CardId = Annotated[int, Path(ge=0, le=1_000_000)]
Width = Annotated[int | None, Query(ge=16, le=10_000, description="At most so many pixels wide.")]
Photo = Annotated[UploadFile, File(description="JPEG, PNG, WebP, HEIC or AVIF.")]
LensText = Annotated[
    str | None, Form(max_length=10_000, description="A lens file's JSON, if it is known.")
]
Prefer = Annotated[
    str | None,
    Header(max_length=100, description="respond-async: answer 202 before the photo is read."),
]


@routes.add(
    "POST",
    "/frames",
    role="player",
    refuses=(415,),
    answers=FrameAnswer,
    status=201,
    also={200: "The same photo was here before", 202: "Kept, and read later (see Location)"},
)
async def upload_photo(
    request: Request,
    photo: Photo,
    lens: LensText = None,
    prefer: Prefer = None,
) -> Response:
    """Keep a photo of at most 12 MB and 25 megapixels, and read it."""
    data = await photo.read(PHOTO_BYTES + 1)
    taken = await take_photo(
        frame_parts(request),
        data,
        photo.filename or "photo",
        given_lens(lens),
        known(request).device,
    )
    return await _respond(request, taken, prefer)


@routes.add(
    "POST",
    "/capture",
    role="player",
    answers=FrameAnswer,
    status=201,
    also={200: "The same picture was here before", 202: "Kept, and read later (see Location)"},
)
async def capture_now(request: Request, prefer: Prefer = None) -> Response:
    """Have the camera take a picture once the table is still (10 s at most), and read it."""
    taken = await take_still(frame_parts(request), known(request).device)
    return await _respond(request, taken, prefer)


async def _respond(request: Request, taken: Taken, prefer: str | None) -> Response:
    parts = frame_parts(request)
    location = f"{API}/frames/{taken.frame.id}"
    frame = taken.frame
    status = 201 if taken.is_new else 200
    if "respond-async" in (prefer or "") and taken.reading is not None:
        status = 202
    else:
        frame = await read_through(parts, taken)
    document = await run_in_threadpool(frame_answer, parts, frame, language(request), taken.is_new)
    applied = {"Preference-Applied": "respond-async"} if status == 202 else {}
    return await run_in_threadpool(answer, document, status, Location=location, **applied)


def given_lens(text: str | None) -> dict[str, Any] | None:
    """The lens file that came along with a photo. LensFault."""
    if not text:
        return None
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise LensFault(file="", where="lens", why=Reason("lens-not-json")) from None
    if not isinstance(data, dict):
        raise LensFault(file="", where="lens", why=Reason("lens-no-object"))
    return data


@routes.add("GET", "/frames", role="viewer")
def list_frames(
    request: Request,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    before: Annotated[int | None, Query(ge=0, le=2**53)] = None,
    match: Annotated[str | None, Query(min_length=1, max_length=40, pattern="^[0-9a-f]+$")] = None,
) -> FrameList:
    """The captured frames, the newest first; with `match` those that ended its rounds."""
    parts = frame_parts(request)
    if match is not None:
        names = {kept.frame for kept in parts.store.matches.rounds(match)} - {None}
        found = parts.store.frames.named([name for name in names if name is not None])
        found.sort(key=lambda frame: -frame.seq)
        spoken = language(request)
        return FrameList(frames=[frame_document(parts, f, spoken) for f in found], next=None)
    frames = parts.store.frames.latest(limit + 1, before)
    more = len(frames) > limit
    frames = frames[:limit]
    following = f"{API}/frames?limit={limit}&before={frames[-1].seq}" if more else None
    documents = [frame_document(parts, frame, language(request)) for frame in frames]
    return FrameList(frames=documents, next=following)


@routes.add("GET", "/frames/{frame}", role="viewer", refuses=(404,))
def get_frame(request: Request, frame: FrameId) -> FrameAnswer:
    """One frame, with its reading."""
    parts = frame_parts(request)
    return frame_answer(parts, parts.store.frames.get(frame), language(request))


@routes.add("POST", "/frames/{frame}/cancel", role="player", refuses=(404, 409), status=204)
def cancel_frame(request: Request, frame: FrameId) -> None:
    """Take back a photo that has not been read yet, as if it had not been sent: a phone its own,
    an admin any.
    """
    parts, who = frame_parts(request), known(request)

    def check(now: Frame) -> None:
        if now.state not in ("waiting", "reading"):
            raise AlreadyRead(frame=frame)
        if now.sent_by != who.device and not who.may("admin"):
            raise NotYourPhoto(frame=frame)

    parts.store.frames.delete(frame, check)
    parts.events.tell_soon("frame-deleted", frame=frame)


@routes.add("GET", "/frames/{frame}/reading", role="viewer", refuses=(404, 409))
def get_reading(request: Request, frame: FrameId) -> ReadingDocument:
    """The reading as it stands, corrections included."""
    return reading_document(frame_parts(request).readings.read(frame), language(request))


@routes.add("GET", "/frames/{frame}/doubts/{key}", role="viewer", refuses=(404, 409))
def get_doubt(request: Request, frame: FrameId, key: DoubtKey) -> DoubtDocument:
    """One doubt with all its answers, worked out if they were not yet."""
    parts = frame_parts(request)
    doubt, answers = parts.readings.answers(parts.readings.read(frame), key)
    return doubt_document(doubt, answers, language(request))


@routes.add("GET", "/frames/{frame}/illegal/{card}", role="viewer", refuses=(404, 409))
def get_illegal(request: Request, frame: FrameId, card: CardId) -> IllegalDocument:
    """One illegal placement with both answers, worked out if they were not yet."""
    parts = frame_parts(request)
    read = parts.readings.read(frame)
    answers = parts.readings.placement(read, card)
    return illegal_document(read, card, answers, language(request))


@routes.add(
    "GET",
    "/frames/{frame}/picture",
    role="viewer",
    refuses=(404,),
    also={304: "Not changed"},
    media_type="image/*",
)
def get_picture(request: Request, frame: FrameId, width: Width = None) -> Response:
    """The photo as it came; with `width` a smaller JPEG."""
    parts = frame_parts(request)
    kept = parts.store.frames.get(frame)
    tag = f"{kept.sha256}-{width or 'full'}"
    return unless_known(request, tag, lambda: picture(parts, kept, width))


@routes.add(
    "GET",
    "/frames/{frame}/overlay",
    role="viewer",
    refuses=(404, 409),
    also={304: "Not changed"},
    media_type="image/jpeg",
)
def get_overlay(request: Request, frame: FrameId, width: Width = None) -> Response:
    """The photo with the reading drawn on it, corrections included."""
    parts = frame_parts(request)
    read = parts.readings.read(frame)
    tag = f"{frame}-{read.frame.version}-{hash(read.rules) & 0xFFFFFFFF:x}-{width or 'full'}"
    return unless_known(request, tag, lambda: (overlay(parts, read, width), "image/jpeg"))


@routes.add(
    "GET",
    "/frames/{frame}/scene.zip",
    role="player",
    refuses=(404, 409),
    media_type="application/zip",
)
def get_scene(request: Request, frame: FrameId) -> Response:
    """The corrected frame as a test scene: image.jpg and truth.json."""
    parts = frame_parts(request)
    data = scene_zip(parts.store, parts.maker, parts.readings.read(frame))
    headers = {"Content-Disposition": f'attachment; filename="{frame}.zip"'}
    return Response(data, headers=headers, media_type="application/zip")


@routes.add("PUT", "/frames/{frame}/kept", role="player", refuses=(404,))
def keep_frame(request: Request, frame: FrameId, wish: KeepRequest) -> FrameDocument:
    """Keep a frame when space runs short, or no longer."""
    parts = frame_parts(request)
    parts.store.frames.protect(frame, wish.kept)
    parts.events.tell_soon("frame-changed", frame=frame)
    return frame_document(parts, parts.store.frames.get(frame), language(request))


@routes.add("DELETE", "/frames/{frame}", role="admin", refuses=(404, 409), status=204)
def delete_frame(request: Request, frame: FrameId) -> None:
    """Delete a frame for good: the photo, its reading and its corrections."""
    parts = frame_parts(request)
    parts.store.frames.delete(frame)
    parts.events.tell_soon("frame-deleted", frame=frame)
