"""The service as an application: the routes, the gate around them, and what runs beside them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from importlib import metadata
from typing import Any

from anyio.to_thread import current_default_thread_limiter
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from rig.service import answers
from rig.service.access import COOKIE
from rig.service.admission import Admission
from rig.service.announcing import announcing
from rig.service.desk import Desk
from rig.service.frame_documents import API
from rig.service.gate import Gate
from rig.service.killable import Ended, Stopped
from rig.service.page_files import icon_files, page_files
from rig.service.pairing import Role
from rig.service.practice import judge_a_table, pair_the_faces
from rig.service.rot_watch import watch_for_rot
from rig.service.routes import (
    access,
    backups,
    corrections,
    frames,
    lens,
    listeners,
    match_changes,
    matches,
    setup,
    state,
    tokens,
)
from rig.service.warm_up import is_well, warm_up
from rig.service.watchdog import keep_watch
from rig.service.web import FastAPI, RequestValidationError, get_openapi
from rig.store.checkup import Finding
from rig.trouble import Trouble

SUBJECTS = (
    frames.routes,
    corrections.routes,
    matches.routes,
    match_changes.routes,
    listeners.webhooks,
    listeners.brokers,
    access.routes,
    tokens.routes,
    state.routes,
    lens.routes,
    setup.routes,
    backups.routes,
)
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


def create_app(desk: Desk) -> FastAPI:
    """The service around this desk. Its lifespan starts and stops what runs beside it."""
    app = FastAPI(
        title="TACTA rig",
        version=metadata.version("tacta-rig"),
        description=_DESCRIPTION,
        lifespan=_lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=f"{API}/openapi.json",
        redirect_slashes=False,
    )
    app.state.desk = desk
    for subject in SUBJECTS:
        app.include_router(subject.router, prefix=API)
    app.mount("/icons", icon_files(), name="icons")
    app.mount("/", page_files(), name="page")
    app.add_exception_handler(Trouble, answers.on_trouble)
    app.add_exception_handler(HTTPException, answers.on_http)
    app.add_exception_handler(RequestValidationError, answers.on_invalid)
    app.add_exception_handler(Exception, answers.on_fault)
    app.add_middleware(Admission, admits=admits())
    app.add_middleware(Gate, settings=desk.settings, meters=desk.meters)
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
        _without_framework_errors(document)
        app.openapi_schema = document
    return app.openapi_schema


def _without_framework_errors(document: dict[str, Any]) -> None:
    """The framework describes its own shape of 422, which this service never sends."""
    for name in ("HTTPValidationError", "ValidationError"):
        document["components"]["schemas"].pop(name, None)


@contextlib.asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    desk: Desk = app.state.desk
    desk.events.open()
    current_default_thread_limiter().total_tokens = _THREADS
    await warm_up(app)
    beside = [
        asyncio.create_task(desk.queue.run()),
        asyncio.create_task(desk.meters.watch_the_loop()),
        asyncio.create_task(_watch_the_camera(desk)),
        asyncio.create_task(_get_ready(desk)),
        asyncio.create_task(desk.backups.run()),
        asyncio.create_task(watch_for_rot(desk.store, desk.findings)),
        asyncio.create_task(keep_watch(lambda: is_well(app))),
    ]
    with announcing(desk) as app.state.messenger:
        try:
            yield
        finally:
            await _end(desk, beside)


async def _end(desk: Desk, beside: list[asyncio.Task[None]]) -> None:
    desk.events.close()
    for task in beside:
        task.cancel()
    await asyncio.gather(*beside, return_exceptions=True)
    desk.queue.close()
    desk.small.close()
    desk.maker.stop()
    await run_in_threadpool(desk.blurring.close)
    desk.bench.stop()


async def _get_ready(desk: Desk) -> None:
    """What the first photo would wait for, and what takes too long to look at before serving.

    A moment later, so that it does not hold up the first answers.
    """
    await asyncio.sleep(_READY_AFTER_S)
    await desk.queue.start_reader()
    with contextlib.suppress(Ended, Stopped, OSError):  # said with the first picture
        await run_in_threadpool(desk.maker.start)
    await run_in_threadpool(judge_a_table, desk.settings.deck, desk.settings.rules)
    await run_in_threadpool(pair_the_faces, desk.settings.deck)
    try:
        desk.findings.extend(await run_in_threadpool(desk.store.changed_pictures))
    except Trouble as trouble:
        desk.findings.append(Finding(trouble.key, "", str(trouble), trouble.facts))
    desk.blurring.blur_soon()


async def _watch_the_camera(desk: Desk) -> None:
    """Tell the pages when the camera's condition changes."""
    if desk.camera is None:
        return
    told = ""
    while True:
        condition = desk.camera.state().condition
        if condition != told:
            desk.events.tell("camera-changed", condition=condition)
            told = condition
        await asyncio.sleep(_CAMERA_EVERY_S)
