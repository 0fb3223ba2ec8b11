"""How things stand: the state, the camera, live events, health, readiness, meters, the deck."""

from importlib import metadata
from typing import Annotated

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from rig.service.access.access import known, still_known
from rig.service.frames.frame_documents import frame_document
from rig.service.http.routing import Routes, answer, language
from rig.service.http.trouble import NoCamera
from rig.service.http.web import Header, Query
from rig.service.matches.round_documents import match_document
from rig.service.setup.deck_documents import DeckDocument, deck_document
from rig.service.state.documents import (
    CameraDocument,
    HealthDocument,
    ProblemDocument,
    ReadyDocument,
    StateDocument,
)
from rig.service.state.parts import StateParts, state_parts
from rig.store.trouble import StoreTrouble
from rig.wording.catalogue import sentence
from rig.wording.troubles import worded
from vision.reason import Reason

routes = Routes("state")
_VERSION = metadata.version("tacta-rig")
LOW_BYTES = 1_000_000_000
"""With less room than this a person should look."""


@routes.add("GET", "/state", role="viewer")
def get_state(request: Request) -> StateDocument:
    """Everything a page shows first."""
    parts = state_parts(request)
    latest = parts.store.frames.latest(1)
    matches = parts.store.matches.latest(1)
    return StateDocument(
        camera=camera_document(parts),
        latest=frame_document(parts.frames, latest[0], language(request)) if latest else None,
        match=match_document(parts.matches, matches[0]) if matches else None,
        queue=parts.queue.length,
        frames=parts.store.frames.count(),
        free_bytes=parts.store.free_bytes(),
        problems=problems(parts, language(request)),
    )


@routes.add("GET", "/camera", role="viewer")
def get_camera(request: Request) -> CameraDocument:
    """How the camera is doing, and what to do about it."""
    return camera_document(state_parts(request))


@routes.add(
    "GET", "/camera/preview", role="viewer", also={204: "No picture yet"}, media_type="image/jpeg"
)
def get_preview(request: Request) -> Response:
    """The newest small picture from the camera."""
    camera = state_parts(request).camera
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
    parts = state_parts(request)
    who = known(request)

    async def may_listen() -> bool:
        return await run_in_threadpool(still_known, parts.access, who)

    may = None if who.phone is None and who.token is None else may_listen
    stream = parts.events.stream(last_event_id or since, parts.settings.stream_s, may)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(stream, headers=headers, media_type="text/event-stream")


@routes.add("GET", "/health", role=None)
async def get_health() -> HealthDocument:
    """The service answers."""
    return HealthDocument(status="ok", version=_VERSION)


@routes.add("GET", "/ready", role=None, answers=ReadyDocument, also={503: "Not ready"})
def get_ready(request: Request) -> Response:
    """Whether frames and rounds can be kept now; a missing camera is no hindrance."""
    parts = state_parts(request)
    try:
        parts.store.frames.count()
        parts.store.database.check_writable()
        parts.store.probe.check()
        parts.store.frames.check_room()
    except StoreTrouble as trouble:
        told = worded(trouble.key, trouble.facts, str(trouble), language(request))
        problem = ProblemDocument(key=trouble.key, sentence=told)
        return answer(ReadyDocument(ready=False, problems=[problem]), 503)
    return answer(ReadyDocument(ready=True, problems=problems(parts)))


@routes.add("GET", "/metrics", role="viewer", media_type="text/plain")
def get_metrics(request: Request) -> Response:
    """What the service counts, in Prometheus's text form."""
    parts = state_parts(request)
    fresh = parts.camera is not None and parts.camera.state().condition == "fresh"
    text = parts.meters.text(
        {
            "tacta_frames": parts.store.frames.count(),
            "tacta_free_bytes": parts.store.free_bytes(),
            "tacta_queue": parts.queue.length,
            "tacta_camera_fresh": float(fresh),
        }
    )
    return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")


@routes.add("GET", "/deck", role="viewer")
def get_deck(request: Request) -> DeckDocument:
    """The deck in play: its colours with their symbols, and its faces."""
    return deck_document(state_parts(request).settings.deck)


def camera_document(parts: StateParts) -> CameraDocument:
    """The camera's state as a document."""
    if parts.camera is None:
        return CameraDocument(
            camera=None,
            condition="none",
            reason="none",
            sentence=sentence(Reason("camera-not-connected")),
            advice=sentence(Reason("camera-upload-instead")),
            age_s=None,
            restarts=0,
        )
    return CameraDocument.model_validate(parts.camera.state())


def problems(parts: StateParts, spoken: str = "en") -> list[ProblemDocument]:
    """What is not as it should be: found at start, and now."""
    found = [
        ProblemDocument(key=one.key, sentence=worded(one.key, one.facts, one.sentence, spoken))
        for one in parts.findings
    ]
    found += [
        ProblemDocument(key=one.key, sentence=worded(one.key, one.facts, str(one), spoken))
        for one in parts.store.readable.told()
    ]
    if (backup := parts.backups.problem) is not None:
        told = worded(backup.key, backup.facts, backup.sentence, spoken)
        found.append(ProblemDocument(key=backup.key, sentence=told))
    if parts.store.free_bytes() < LOW_BYTES:
        low = sentence(Reason("disk-low"), spoken)
        found.append(ProblemDocument(key="disk-low", sentence=low))
    if parts.camera is not None:
        state = parts.camera.state()
        if state.condition in ("slow", "lost"):
            told = f"{state.sentence} {state.advice}".strip()
            found.append(ProblemDocument(key=f"camera-{state.condition}", sentence=told))
    moved = None if parts.guard is None else parts.guard.moved()
    if moved is not None:
        told = worded(moved.key, moved.facts, moved.sentence, spoken)
        found.append(ProblemDocument(key=moved.key, sentence=told))
    return found
