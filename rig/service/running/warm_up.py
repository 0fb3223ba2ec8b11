"""One request to itself before anybody's first, which would otherwise hold up the event loop.

The framework puts its routes together on the first request, and imports the
reader of uploads on the first upload: a tenth of a second or two on a Pi.
"""

import importlib

from starlette.types import ASGIApp, Message

_PATH = "/api/v1/health"


async def warm_up(app: ASGIApp) -> None:
    """Ask the app for its health, from inside, with what the first upload imports."""
    importlib.import_module("python_multipart.multipart")
    await is_well(app)


async def is_well(app: ASGIApp) -> bool:
    """Ask the app for its health, from inside: whether it says that it is well."""
    statuses: list[int] = []

    async def hear(message: Message) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

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
    await app(scope, _nothing, hear)
    return statuses == [200]


async def _nothing() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}
