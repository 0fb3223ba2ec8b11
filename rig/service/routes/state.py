"""How things stand: the state, the camera, live events, health, readiness, meters, the deck."""

from __future__ import annotations

from importlib import metadata
from typing import Annotated

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from rig.service.access import desk_of, known, still_known
from rig.service.deck_documents import deck_document
from rig.service.desk import Desk
from rig.service.documents import (
    CameraDocument,
    DeckDocument,
    HealthDocument,
    ProblemDocument,
    ReadyDocument,
    StateDocument,
)
from rig.service.frame_documents import frame_document
from rig.service.round_documents import match_document
from rig.service.routing import Routes, answer, language
from rig.service.trouble import NoCamera
from rig.service.web import Header, Query
from rig.store.trouble import StoreTrouble
from rig.wording.troubles import worded

routes = Routes("state")
_VERSION = metadata.version("tacta-rig")
LOW_BYTES = 1_000_000_000
"""With less room than this a person should look."""


@routes.add("GET", "/state", role="viewer", answers=StateDocument)
def get_state(request: Request) -> Response:
    """Everything a page shows first."""
    desk = desk_of(request)
    latest = desk.store.frames.latest(1)
    matches = desk.store.matches.latest(1)
    return answer(
        StateDocument(
            camera=camera_document(desk),
            latest=frame_document(desk, latest[0], language(request)) if latest else None,
            match=match_document(desk, matches[0]) if matches else None,
            queue=desk.queue.length,
            frames=desk.store.frames.count(),
            free_bytes=desk.store.free_bytes(),
            problems=problems(desk, language(request)),
        )
    )


@routes.add("GET", "/camera", role="viewer", answers=CameraDocument)
def get_camera(request: Request) -> Response:
    """How the camera is doing, and what to do about it."""
    return answer(camera_document(desk_of(request)))


@routes.add(
    "GET",
    "/camera/preview",
    role="viewer",
    refuses=("no-camera",),
    also={204: "No picture yet"},
    media_type="image/jpeg",
)
def get_preview(request: Request) -> Response:
    """The newest small picture from the camera."""
    camera = desk_of(request).camera
    if camera is None:
        raise NoCamera
    preview = camera.latest_preview()
    if preview is None:
        return Response(status_code=204)
    return Response(preview.jpeg, media_type="image/jpeg")


@routes.add("GET", "/events", role="viewer", media_type="text/event-stream")
async def follow_events(
    request: Request,
    last_event_id: Annotated[str, Header(max_length=60)] = "",
    since: Annotated[str, Query(max_length=60, description="As Last-Event-ID, for scripts.")] = "",
) -> Response:
    """Live events; a stream that broke off goes on after the last one that arrived."""
    desk = desk_of(request)
    who = known(request)

    async def may_listen() -> bool:
        return await run_in_threadpool(still_known, desk, who)

    may = None if who.phone is None and who.token is None else may_listen
    stream = desk.events.stream(last_event_id or since, desk.settings.stream_s, may)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(stream, headers=headers, media_type="text/event-stream")


@routes.add("GET", "/health", role=None, answers=HealthDocument)
async def get_health() -> Response:
    """The service answers."""
    return answer(HealthDocument(status="ok", version=_VERSION))


@routes.add("GET", "/ready", role=None, answers=ReadyDocument, also={503: "Not ready"})
def get_ready(request: Request) -> Response:
    """Whether frames and rounds can be kept now; a missing camera is no hindrance."""
    desk = desk_of(request)
    try:
        desk.store.frames.count()
        desk.store.database.check_writable()
        desk.store.probe.check()
        desk.store.frames.check_room()
    except StoreTrouble as trouble:
        sentence = worded(trouble.key, trouble.facts, str(trouble), language(request))
        problem = ProblemDocument(key=trouble.key, sentence=sentence)
        return answer(ReadyDocument(ready=False, problems=[problem]), 503)
    return answer(ReadyDocument(ready=True, problems=problems(desk)))


@routes.add("GET", "/metrics", role="viewer", media_type="text/plain")
def get_metrics(request: Request) -> Response:
    """What the service counts, in Prometheus's text form."""
    desk = desk_of(request)
    fresh = desk.camera is not None and desk.camera.state().condition == "fresh"
    text = desk.meters.text(
        {
            "tacta_frames": desk.store.frames.count(),
            "tacta_free_bytes": desk.store.free_bytes(),
            "tacta_queue": desk.queue.length,
            "tacta_camera_fresh": float(fresh),
        }
    )
    return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")


@routes.add("GET", "/deck", role="viewer", answers=DeckDocument)
def get_deck(request: Request) -> Response:
    """The deck in play: its colours with their symbols, and its faces."""
    return answer(deck_document(desk_of(request).settings.deck))


def camera_document(desk: Desk) -> CameraDocument:
    """The camera's state as a document."""
    if desk.camera is None:
        return CameraDocument(
            camera=None,
            condition="none",
            reason="none",
            sentence="No camera is connected.",
            advice="Upload photos instead, or start the rig with a camera.",
            age_s=None,
            restarts=0,
        )
    state = desk.camera.state()
    return CameraDocument(
        camera=state.camera,
        condition=state.condition,
        reason=state.reason,
        sentence=state.sentence,
        advice=state.advice,
        age_s=state.age_s,
        restarts=state.restarts,
    )


def problems(desk: Desk, spoken: str = "en") -> list[ProblemDocument]:
    """What is not as it should be: found at start, and now."""
    found = [
        ProblemDocument(key=one.key, sentence=worded(one.key, one.facts, one.sentence, spoken))
        for one in desk.findings
    ]
    if (backup := desk.backups.problem) is not None:
        sentence = worded(backup.key, backup.facts, backup.sentence, spoken)
        found.append(ProblemDocument(key=backup.key, sentence=sentence))
    if desk.store.free_bytes() < LOW_BYTES:
        sentence = "Little room is left on the disk: the oldest frames will go first."
        found.append(ProblemDocument(key="disk-low", sentence=sentence))
    if desk.camera is not None:
        state = desk.camera.state()
        if state.condition in ("slow", "lost"):
            sentence = f"{state.sentence} {state.advice}".strip()
            found.append(ProblemDocument(key=f"camera-{state.condition}", sentence=sentence))
    moved = None if desk.guard is None else desk.guard.moved()
    if moved is not None:
        sentence = worded(moved.key, moved.facts, moved.sentence, spoken)
        found.append(ProblemDocument(key=moved.key, sentence=sentence))
    return found
