"""Who sends a body, and what kind, settled before a byte of it is read.

The framework reads a body before it asks who sends it. Here a stranger is refused by the
header alone, only so many photos come in at a time, and a body that trickles is cut off.
"""

import asyncio
import re
from collections import Counter
from collections.abc import Mapping

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartParser
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rig.service.access.access import WRITES, admit
from rig.service.access.pairing import Role
from rig.service.http.answers import refusal
from rig.service.http.gate import PHOTOS
from rig.service.http.language import language_of
from rig.service.http.limits import (
    BODY_S,
    MOST_UPLOADS,
    PIECE_S,
    SOON_S,
    UPLOAD_BYTES,
    UPLOADS_OF_ONE,
)
from rig.service.http.trouble import Busy, RequestInvalid
from rig.trouble import Trouble
from vision.reason import Reason

MultiPartParser.spool_max_size = UPLOAD_BYTES  # a photo under way does not go through the disk


class Admission:
    """Middleware within the gate. `admits`: (method, path) -> least role, None for everybody."""

    def __init__(self, app: ASGIApp, admits: Mapping[tuple[str, str], Role | None]) -> None:
        self._app = app
        self._routes = [
            (method, re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), role)
            for (method, path), role in admits.items()
            if method in WRITES
        ]
        self._uploads: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or let the request through with its body watched."""
        if scope["type"] != "http" or scope["method"] not in WRITES:
            await self._app(scope, receive, send)
            return
        is_photo = scope["method"] == "POST" and scope["path"] in PHOTOS
        try:
            await self._check(scope, is_photo)
        except Trouble as trouble:
            language = language_of(Headers(scope=scope).get("accept-language"))
            await refusal(trouble, language)(scope, receive, send)
            return
        host = _host(scope)
        body = _Body(receive, (lambda: self._leave(host)) if is_photo else None)
        try:
            await self._app(scope, body.receive, send)
        finally:
            body.done()

    async def _check(self, scope: Scope, is_photo: bool) -> None:
        for method, path, role in self._routes:
            if method == scope["method"] and path.fullmatch(scope["path"]):
                # A read-only rig is found out by the route, which knows whether that matters.
                await admit(Request(scope), role, even_read_only=True)
                break
        if not is_photo:
            return
        kind = Headers(scope=scope).get("content-type", "").partition(";")[0].strip().lower()
        if kind != "multipart/form-data":
            why = Reason("expected", {"what": "multipart/form-data"})
            raise RequestInvalid(where="body", why=why)
        host = _host(scope)
        if self._uploads.total() >= MOST_UPLOADS or self._uploads[host] >= UPLOADS_OF_ONE:
            raise Busy(seconds=SOON_S)
        self._uploads[host] += 1

    def _leave(self, host: str) -> None:
        self._uploads[host] -= 1
        self._uploads += Counter()  # forgets those who send none


def _host(scope: Scope) -> str:
    """The address that asks."""
    return str(scope["client"][0]) if scope.get("client") else ""


class _Body:
    """A request's body as it comes; `leave` is called once, when it is whole or given up."""

    def __init__(self, receive: Receive, leave: object) -> None:
        self._receive = receive
        self._leave = leave
        self._is_whole = False
        self._ends = asyncio.get_running_loop().time() + BODY_S

    async def receive(self) -> Message:
        """The next piece; after the whole body whatever else is to be heard, waited for at will."""
        if self._is_whole:
            return await self._receive()
        left_s = min(PIECE_S, self._ends - asyncio.get_running_loop().time())
        try:
            message = await asyncio.wait_for(self._receive(), max(left_s, 0.001))
        except TimeoutError:
            raise HTTPException(408, headers={"Connection": "close"}) from None
        if not message.get("more_body", False):
            self.done()
        return message

    def done(self) -> None:
        """The body is whole, or nobody wants the rest of it."""
        self._is_whole = True
        leave, self._leave = self._leave, None
        if callable(leave):
            leave()
