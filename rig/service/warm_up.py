"""One request to itself before anybody's first, which would otherwise hold up the event loop.

The framework puts its routes together on the first request, and imports the
reader of uploads on the first upload: a tenth of a second or two on a Pi.
"""

from __future__ import annotations

import importlib

from starlette.types import ASGIApp, Message

_PATH = "/api/v1/health"


async def warm_up(app: ASGIApp) -> None:
    """Ask the app for its health, from inside."""
    importlib.import_module("python_multipart.multipart")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": _PATH,
        "raw_path": _PATH.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [(b"host", b"localhost")],
        "client": ("127.0.0.1", 0),
        "server": ("127.0.0.1", 0),
        "state": {},
    }
    await app(scope, _nothing, _ignore)


async def _nothing() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _ignore(message: Message) -> None:
    del message
