"""The outermost shell of the service: which hosts it answers to, how much it takes, its headers."""

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rig.service.http.answers import refusal
from rig.service.http.language import language_of
from rig.service.http.limits import BODY_BYTES, HEADER_BYTES, MOST_HEADERS, UPLOAD_BYTES
from rig.service.http.trouble import (
    BodyAmbiguous,
    BodyTooLarge,
    HeadersTooLarge,
    HostRefused,
    Refused,
)
from rig.service.running.settings import ServiceSettings
from rig.service.state.meters import Meters

PHOTOS = frozenset({f"/api/v1/{end}" for end in ("frames", "lens/photos", "enrolment/photos")})
SECURITY = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
        "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
}


class Gate:
    """Middleware around the whole service."""

    def __init__(self, app: ASGIApp, settings: ServiceSettings, meters: Meters) -> None:
        self._app = app
        self._names = settings.names
        self._meters = meters

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse strange hosts and large bodies, count, and add the headers."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        language = language_of(headers.get("accept-language"))
        limit = UPLOAD_BYTES if scope["path"] in PHOTOS else BODY_BYTES
        send = self._with_headers(scope, send)
        unsafe = _unsafe(headers)
        if unsafe is not None:
            # What follows on this connection may be part of a body: nothing of it is read.
            answer = refusal(unsafe, language)
            answer.headers["Connection"] = "close"
            await answer(scope, receive, send)
        elif host_name(headers.get("host", "")) not in self._names:
            await refusal(HostRefused(), language)(scope, receive, send)
        elif _length(headers) > limit:
            await refusal(BodyTooLarge(limit=limit / 1e6), language)(scope, receive, send)
        else:
            await self._app(scope, _limited(receive, limit), send)

    def _with_headers(self, scope: Scope, send: Send) -> Send:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY.items():
                    headers.setdefault(name, value)
                if scope["path"].startswith("/api/"):
                    headers.setdefault("Cache-Control", "no-store")
                self._meters.count(
                    "tacta_requests_total",
                    method=_method(scope["method"]),
                    status=str(message["status"]),
                )
            await send(message)

        return sending


def _unsafe(headers: Headers) -> Refused | None:
    """Why headers are not to be trusted at all."""
    if "content-length" in headers and "transfer-encoding" in headers:
        return BodyAmbiguous()
    size = sum(len(name) + len(value) for name, value in headers.raw)
    if size > HEADER_BYTES or len(headers.raw) > MOST_HEADERS:
        return HeadersTooLarge(most=MOST_HEADERS, limit=HEADER_BYTES // 1000)
    return None


def host_name(host: str) -> str:
    """The Host header without its port, in lower case."""
    name, colon, port = host.rpartition(":")
    if colon and port.isdecimal() and (name.endswith("]") or ":" not in name):
        return name.lower()
    return host.lower()


def _length(headers: Headers) -> int:
    text = headers.get("content-length", "0")
    return int(text) if text.isdecimal() and len(text) < 19 else 0


def _method(name: str) -> str:
    known = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
    return name if name in known else "other"


def _limited(receive: Receive, limit: int) -> Receive:
    """A body that says no length is counted as it comes."""
    taken = 0

    async def receiving() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > limit:
            raise HTTPException(413, detail=str(limit / 1e6))
        return message

    return receiving
