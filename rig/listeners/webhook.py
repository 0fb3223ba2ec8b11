"""One event sent to one address, signed; what came of it is a value."""

import hashlib
import hmac
import http.client
import io
import socket
import time
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from rig.listeners.outbox import Answer, Event, Listener, cause
from rig.trouble import SettingTrouble
from vision.reason import Reason

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer as Buffer

LONGEST_S = 5.0
"""A webhook that has not answered by then, as a whole, is tried again later."""


class WebhookAddress(SettingTrouble, key="webhook-address"):
    """An address that nothing can be sent to."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Nobody is to lead the rig to another address, least of all to this machine."""

    def redirect_request(self, *_: object) -> None:
        """Follow none."""
        return


class _Reading(io.RawIOBase):
    """What comes on a socket within its time limit as a whole, not within that for each byte."""

    def __init__(self, line: socket.socket) -> None:
        super().__init__()
        self._line = line
        self._raw = line.makefile("rb", buffering=0)
        self._ends = time.monotonic() + (line.gettimeout() or LONGEST_S)

    def readable(self) -> bool:
        """Nothing else can be done with it."""
        return True

    def readinto(self, into: "Buffer") -> int | None:
        """What has come. TimeoutError once the time is over."""
        left_s = self._ends - time.monotonic()
        if left_s <= 0:
            raise TimeoutError
        self._line.settimeout(left_s)
        return self._raw.readinto(into)

    def close(self) -> None:
        """Let go of the socket."""
        self._raw.close()
        super().close()


class _Answer(http.client.HTTPResponse):
    """An answer that has to be there in time as a whole."""

    def __init__(self, sock: socket.socket, *args: Any, **options: Any) -> None:
        super().__init__(sock, *args, **options)
        self.fp.close()
        self.fp = io.BufferedReader(_Reading(sock))


class _Http(urllib.request.HTTPHandler):
    class Line(http.client.HTTPConnection):
        """A line whose answers are in time."""

        response_class = _Answer

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        """Open an address."""
        return self.do_open(self.Line, req)


class _Https(urllib.request.HTTPSHandler):
    class Line(http.client.HTTPSConnection):
        """A line whose answers are in time."""

        response_class = _Answer

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        """Open an address."""
        return self.do_open(self.Line, req)


_OPENER = urllib.request.build_opener(_NoRedirects, urllib.request.ProxyHandler({}), _Http, _Https)


def check_address(url: str) -> None:
    """WebhookAddress unless it is a http or https address with a host and no name or password."""
    try:
        parts = urlsplit(url)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        fits = False
    if not fits or "@" in parts.netloc or any(ord(letter) <= 32 for letter in url):
        raise WebhookAddress(url=url[:200])


def signature(secret: str, at_s: int, body: bytes) -> str:
    """The header that shows who sent this, and when: HMAC-SHA256 of "time.body"."""
    digest = hmac.new(secret.encode(), f"{at_s}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at_s},v1={digest}"


def deliver(hook: Listener, event: Event, longest_s: float = LONGEST_S) -> Answer:
    """Send an event, once."""
    body = event.body()
    request = urllib.request.Request(
        hook.url,
        data=body,
        method="POST",
        headers={
            "Content-Type": "application/json",
            "User-Agent": "tacta-rig",
            "X-Tacta-Event": event.name,
            "X-Tacta-Delivery": event.id,
            "X-Tacta-Sequence": str(event.sequence),
            "X-Tacta-Signature": signature(hook.secret, int(time.time()), body),
        },
    )
    try:
        with _OPENER.open(request, timeout=longest_s) as answer:
            return Answer(int(answer.status), None)
    except urllib.error.HTTPError as error:
        error.close()
        if 300 <= error.code < 400:
            return Answer(error.code, Reason("redirects"))
        return Answer(error.code, Reason("answered", {"status": error.code}))
    except TimeoutError:
        return Answer(None, Reason("answered-nothing", {"longest_s": longest_s}))
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        if isinstance(reason, TimeoutError):
            return Answer(None, Reason("answered-nothing", {"longest_s": longest_s}))
        why = getattr(reason, "strerror", None) or reason
        return Answer(None, Reason("cannot-be-reached", cause(why)))
    except Exception as error:  # noqa: BLE001 - http.client lets a broken answer's own errors through
        return Answer(None, Reason("not-http", {"why": type(error).__name__}))


class WebhookLine:
    """A webhook's line is made anew for each event."""

    def send(self, listener: Listener, event: Event) -> Answer:
        """Send an event, once."""
        return deliver(listener, event)

    def rest(self, listener: Listener, news: int) -> Answer | None:
        """There is nothing to keep up between events."""
        del listener, news
        return None

    def close(self, is_removed: bool) -> None:
        """There is nothing to close."""
        del is_removed
