"""Corrections to a frame's reading."""

from typing import Annotated

from starlette.requests import Request
from starlette.responses import Response

from rig.service.access.access import known
from rig.service.frames.correcting import correct, undo
from rig.service.frames.documents import CorrectionAnswer, CorrectionList, ReadingDocument
from rig.service.frames.frame_documents import correction_document, reading_document
from rig.service.frames.frame_readings import Read
from rig.service.frames.parts import FrameParts, frame_parts
from rig.service.frames.requests import CorrectionRequest, TogetherRequest, UndoRequest
from rig.service.frames.routes import FrameId
from rig.service.frames.together import read_together
from rig.service.http.answers import refusal
from rig.service.http.routing import Routes, language
from rig.service.http.web import Path
from rig.store.trouble import RowUnreadable, VersionConflict

routes = Routes("corrections")
CorrectionId = Annotated[int, Path(ge=1, le=2**53)]


@routes.add("GET", "/frames/{frame}/corrections", role="viewer", refuses=(404,))
def list_corrections(request: Request, frame: FrameId) -> CorrectionList:
    """Every correction to a frame, undone ones too."""
    parts = frame_parts(request)
    kept = parts.store.frames.get(frame)
    idle = _idle(parts, frame) if kept.state == "read" else []
    corrections = [correction_document(one, idle) for one in parts.store.corrections.legible(frame)]
    return CorrectionList(version=kept.version, corrections=corrections)


def _idle(parts: FrameParts, frame: str) -> list[int]:
    try:
        return parts.readings.read(frame).idle
    except RowUnreadable:
        return []


@routes.add("POST", "/frames/{frame}/corrections", role="player", refuses=(404, 409), status=201)
def add_correction(
    request: Request, frame: FrameId, wish: CorrectionRequest
) -> CorrectionAnswer | Response:
    """Correct a reading; the answer holds it scored again."""
    parts = frame_parts(request)
    try:
        read, made = correct(parts, frame, wish, known(request).name)
    except VersionConflict as conflict:
        return _conflict(request, parts, frame, conflict)
    _tell(parts, read)
    return _done(read, made, language(request))


@routes.add(
    "POST", "/frames/{frame}/corrections/{correction}/undo", role="player", refuses=(404, 409)
)
def undo_correction(
    request: Request, frame: FrameId, correction: CorrectionId, wish: UndoRequest
) -> CorrectionAnswer | Response:
    """Take a correction back, whichever came after it."""
    parts = frame_parts(request)
    try:
        read = undo(parts, frame, correction, wish.version, known(request).name)
    except VersionConflict as conflict:
        return _conflict(request, parts, frame, conflict)
    _tell(parts, read)
    return _done(read, correction, language(request))


@routes.add("POST", "/frames/{frame}/together", role="player", refuses=(404, 409))
def read_as_one(
    request: Request, frame: FrameId, wish: TogetherRequest
) -> ReadingDocument | Response:
    """Read a frame as one with other frames of its table: what one leaves in doubt another settles.
    The reading stays with this frame, in its pixels; its corrections stand. With no frames it is
    read alone again.
    """
    parts = frame_parts(request)
    try:
        read = read_together(parts, frame, wish.frames, wish.version)
    except VersionConflict as conflict:
        return _conflict(request, parts, frame, conflict)
    _tell(parts, read)
    return reading_document(read, language(request))


def _done(read: Read, correction: int, spoken: str) -> CorrectionAnswer:
    (kept,) = [one for one in read.corrections if one.id == correction]
    return CorrectionAnswer(
        correction=correction_document(kept, read.idle), reading=reading_document(read, spoken)
    )


def _tell(parts: FrameParts, read: Read) -> None:
    parts.events.tell_soon("frame-changed", frame=read.frame.id, version=read.frame.version)
    for kept in parts.store.matches.rounds_of_frame(read.frame.id):
        parts.events.tell_soon("round-changed", match=kept.match, number=kept.number)


def _conflict(
    request: Request, parts: FrameParts, frame: str, conflict: VersionConflict
) -> Response:
    present = reading_document(parts.readings.read(frame), language(request)).model_dump(
        mode="json"
    )
    return refusal(conflict, language(request), present)
