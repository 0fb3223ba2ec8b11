"""Corrections to a frame's reading."""

from __future__ import annotations

from typing import Annotated

from starlette.requests import Request
from starlette.responses import Response

from rig.service.access import desk_of, known
from rig.service.answers import refusal
from rig.service.correcting import correct, undo
from rig.service.desk import Desk, Read
from rig.service.documents import CorrectionAnswer, CorrectionList
from rig.service.frame_documents import correction_document, reading_document
from rig.service.requests import CorrectionRequest, UndoRequest
from rig.service.routes.frames import FrameId
from rig.service.routing import Routes, answer, language
from rig.service.web import Path
from rig.store.trouble import VersionConflict

routes = Routes("corrections")
CODES = (
    "frame-unknown",
    "not-read",
    "version-conflict",
    "round-signed",
    "card-gone",
    "doubt-gone",
    "answer-unknown",
    "nothing-to-change",
    "not-neighbours",
    "not-in-deck",
    "off-picture",
)
CorrectionId = Annotated[int, Path(ge=1, le=2**53)]


@routes.add(
    "GET",
    "/frames/{frame}/corrections",
    role="viewer",
    refuses=("frame-unknown",),
    answers=CorrectionList,
)
def list_corrections(request: Request, frame: FrameId) -> Response:
    """Every correction to a frame, undone ones too."""
    desk = desk_of(request)
    kept = desk.store.frames.get(frame)
    idle = desk.read(frame).idle if kept.state == "read" else []
    corrections = [correction_document(one, idle) for one in desk.store.corrections.of(frame)]
    return answer(CorrectionList(version=kept.version, corrections=corrections))


@routes.add(
    "POST",
    "/frames/{frame}/corrections",
    role="player",
    refuses=CODES,
    answers=CorrectionAnswer,
    status=201,
)
def add_correction(request: Request, frame: FrameId, wish: CorrectionRequest) -> Response:
    """Correct a reading; the answer holds it scored again."""
    desk = desk_of(request)
    try:
        read, made = correct(desk, frame, wish, known(request).name)
    except VersionConflict as conflict:
        return _conflict(request, desk, frame, conflict)
    _tell(desk, read)
    return answer(_done(read, made, language(request)), 201)


@routes.add(
    "POST",
    "/frames/{frame}/corrections/{correction}/undo",
    role="player",
    refuses=(*CODES, "correction-unknown", "correction-undone"),
    answers=CorrectionAnswer,
)
def undo_correction(
    request: Request, frame: FrameId, correction: CorrectionId, wish: UndoRequest
) -> Response:
    """Take a correction back, whichever came after it."""
    desk = desk_of(request)
    try:
        read = undo(desk, frame, correction, wish.version, known(request).name)
    except VersionConflict as conflict:
        return _conflict(request, desk, frame, conflict)
    _tell(desk, read)
    return answer(_done(read, correction, language(request)))


def _done(read: Read, correction: int, spoken: str) -> CorrectionAnswer:
    (kept,) = [one for one in read.corrections if one.id == correction]
    return CorrectionAnswer(
        correction=correction_document(kept, read.idle), reading=reading_document(read, spoken)
    )


def _tell(desk: Desk, read: Read) -> None:
    desk.events.tell_soon("frame-changed", frame=read.frame.id, version=read.frame.version)
    for kept in desk.store.matches.rounds_of_frame(read.frame.id):
        desk.events.tell_soon("round-changed", match=kept.match, number=kept.number)


def _conflict(request: Request, desk: Desk, frame: str, conflict: VersionConflict) -> Response:
    present = reading_document(desk.read(frame), language(request)).model_dump(mode="json")
    return refusal(conflict, language(request), present)
