"""The service as an application: the routes, the gate around them, and what runs beside them."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import fields
from functools import partial
from importlib import metadata
from typing import Any

from anyio.to_thread import current_default_thread_limiter
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from referee.misfit import Misfit
from rig.processes.killable import Ended, Stopped
from rig.service.access import routes as access
from rig.service.access import token_routes as tokens
from rig.service.access.access import COOKIE
from rig.service.access.pairing import Role
from rig.service.assembly import Assembly
from rig.service.backups import routes as backups
from rig.service.backups.rot_watch import watch_for_rot
from rig.service.frames import coach_routes as coach
from rig.service.frames import correction_routes as corrections
from rig.service.frames import routes as frames
from rig.service.game import earlier_routes as earlier
from rig.service.game import replay_routes as replay
from rig.service.game import routes as game
from rig.service.game.hearing import hearing
from rig.service.http import answers
from rig.service.http.admission import Admission
from rig.service.http.documents import API, Refusal
from rig.service.http.gate import Gate
from rig.service.http.page_files import icon_files, page_files, word_files
from rig.service.http.web import FastAPI, RequestValidationError, get_openapi
from rig.service.listeners import routes as listeners
from rig.service.listeners.announcing import announcing
from rig.service.matches import change_routes as match_changes
from rig.service.matches import routes as matches
from rig.service.matches import seat_routes as seats
from rig.service.running.practice import judge_a_table, pair_the_faces
from rig.service.running.warm_up import is_well, warm_up
from rig.service.running.watchdog import keep_watch
from rig.service.setup import lens_routes as lens
from rig.service.setup import routes as setup
from rig.service.state import routes as state
from rig.store.checkup import Finding
from rig.trouble import Trouble

SUBJECTS = (
    frames.routes,
    corrections.routes,
    coach.routes,
    matches.routes,
    match_changes.routes,
    seats.routes,
    game.routes,
    replay.routes,
    earlier.routes,
    listeners.webhooks,
    listeners.brokers,
    access.routes,
    tokens.routes,
    state.routes,
    lens.routes,
    setup.routes,
    backups.routes,
)
_FRAMEWORK_ERRORS = ("HTTPValidationError", "ValidationError")
"""The framework describes its own shape of 422, which this service never sends."""
_CAMERA_EVERY_S = 0.5
_READY_AFTER_S = 0.2
_THREADS = 100
"""More than wait for pictures and captures at most: whoever asks for anything else has one."""
_DESCRIPTION = (
    "Scores rounds of TACTA from photographs. Every error is {code, message} in the "
    "language of Accept-Language (en, fr); every write carries the header X-Tacta."
)


def admits() -> dict[tuple[str, str], Role | None]:
    """Who may use each route: (method, path) -> the least role, None for everybody."""
    return {
        (method, f"{API}{path}"): role
        for subject in SUBJECTS
        for (method, path), role in subject.admits.items()
    }


def create_app(assembly: Assembly) -> FastAPI:
    """The service as it was put together. Its lifespan starts and stops what runs beside it."""
    app = FastAPI(
        title="TACTA rig",
        version=metadata.version("tacta-rig"),
        description=_DESCRIPTION,
        lifespan=partial(_lifespan, assembly=assembly),
        docs_url=None,
        redoc_url=None,
        openapi_url=f"{API}/openapi.json",
        redirect_slashes=False,
    )
    for room in fields(assembly):
        setattr(app.state, room.name, getattr(assembly, room.name))
    for subject in SUBJECTS:
        # Not include_router: it would build every route again, on each app's first request.
        app.router.routes.extend(subject.router.routes)
    app.mount("/icons", icon_files(), name="icons")
    app.mount("/words", word_files(), name="words")
    app.mount("/", page_files(), name="page")
    app.add_exception_handler(Trouble, answers.on_trouble)
    app.add_exception_handler(Misfit, answers.on_trouble)
    app.add_exception_handler(HTTPException, answers.on_http)
    app.add_exception_handler(RequestValidationError, answers.on_invalid)
    app.add_exception_handler(Exception, answers.on_fault)
    app.add_middleware(Admission, admits=admits())
    app.add_middleware(Gate, settings=assembly.state.settings, meters=assembly.state.meters)
    app.openapi = lambda: openapi_document(app)  # type: ignore[method-assign]
    return app


def openapi_document(app: FastAPI) -> dict[str, Any]:
    """The service's description; docs/openapi.json is a copy that a test compares."""
    if app.openapi_schema is None:
        document = get_openapi(
            title=app.title, version=app.version, description=_DESCRIPTION, routes=app.routes
        )
        document["components"]["securitySchemes"] = {
            "phone": {"type": "apiKey", "in": "cookie", "name": COOKIE},
            "bearer": {"type": "http", "scheme": "bearer"},
        }
        schemas = document["components"]["schemas"]
        schemas[Refusal.__name__] = Refusal.model_json_schema()
        for name in _FRAMEWORK_ERRORS:
            schemas.pop(name, None)
        app.openapi_schema = document
    return app.openapi_schema


@contextlib.asynccontextmanager
async def _lifespan(app: FastAPI, assembly: Assembly) -> AsyncIterator[None]:
    assembly.frames.events.open()
    current_default_thread_limiter().total_tokens = _THREADS
    await warm_up(app)
    beside = [
        asyncio.create_task(assembly.frames.queue.run()),
        asyncio.create_task(assembly.state.meters.watch_the_loop()),
        asyncio.create_task(_watch_the_camera(assembly)),
        asyncio.create_task(_get_ready(assembly)),
        asyncio.create_task(assembly.backups.backups.run()),
        asyncio.create_task(watch_for_rot(assembly.frames.store, assembly.state.findings)),
        asyncio.create_task(keep_watch(lambda: is_well(app))),
    ]
    parts = assembly.frames
    with (
        announcing(assembly.listeners) as app.state.messenger,
        hearing(assembly.game.followed, parts.store, parts.lookout, parts.events),
    ):
        try:
            yield
        finally:
            await _end(assembly, beside)


async def _end(assembly: Assembly, beside: list[asyncio.Task[None]]) -> None:
    assembly.frames.events.close()
    for task in beside:
        task.cancel()
    await asyncio.gather(*beside, return_exceptions=True)
    assembly.frames.queue.close()
    assembly.frames.small.close()
    assembly.frames.maker.stop()
    await run_in_threadpool(assembly.setup.blurring.close)
    assembly.setup.bench.stop()


async def _get_ready(assembly: Assembly) -> None:
    """What the first photo would wait for, and what takes too long to look at before serving.

    A moment later, so that it does not hold up the first answers.
    """
    await asyncio.sleep(_READY_AFTER_S)
    await assembly.frames.queue.start_reader()
    with contextlib.suppress(Ended, Stopped, OSError):  # said with the first picture
        await run_in_threadpool(assembly.frames.maker.start)
    await run_in_threadpool(
        judge_a_table, assembly.state.settings.deck, assembly.state.settings.rules
    )
    await run_in_threadpool(pair_the_faces, assembly.state.settings.deck)
    try:
        await run_in_threadpool(assembly.frames.store.look_at_rows)
        assembly.state.findings.extend(
            await run_in_threadpool(assembly.frames.store.changed_pictures)
        )
    except Trouble as trouble:
        assembly.state.findings.append(Finding(trouble.key, "", trouble.facts))
    assembly.setup.blurring.blur_soon()


async def _watch_the_camera(assembly: Assembly) -> None:
    """Tell the pages when the camera's condition changes."""
    if assembly.state.camera is None:
        return
    told = ""
    while True:
        condition = assembly.state.camera.state().condition
        if condition != told:
            assembly.frames.events.tell("camera-changed", condition=condition)
            told = condition
        await asyncio.sleep(_CAMERA_EVERY_S)
