"""Who asks, pairing, and the paired phones."""

import io
from datetime import UTC, datetime
from typing import Annotated
from urllib.parse import quote

import segno
from starlette.requests import Request
from starlette.responses import Response

from referee.rounds.names import reads_like
from rig.service.access.access import COOKIE, WRITE_HEADER, Identity
from rig.service.access.documents import (
    InvitationDocument,
    InvitationList,
    Me,
    OpenInvitation,
    PairingAsk,
    PhoneDocument,
    PhoneList,
)
from rig.service.access.parts import access_parts
from rig.service.access.requests import AskedRequest, InviteRequest, PairRequest
from rig.service.http.routing import Routes, answer
from rig.service.http.trouble import AskRefused, InvitationUnknown, NameUnreadable, PhoneUnknown
from rig.service.http.web import Path
from rig.service.running.settings import ServiceSettings
from rig.store.phones import Phone

routes = Routes("access")
COOKIE_S = 365 * 24 * 3600
PhoneId = Annotated[str, Path(min_length=1, max_length=40, pattern="^[0-9a-f]+$")]


@routes.add("GET", "/me", role=None)
def who_asks(request: Request) -> Me:
    """Who this phone is to the rig, and what writes must carry."""
    identity: Identity | None = request.state.identity
    return Me(
        name=None if identity is None else identity.name,
        role=None if identity is None else identity.role,
        phone=None if identity is None else identity.phone,
        write_header=WRITE_HEADER,
        network=access_parts(request).settings.network,
    )


@routes.add("POST", "/pairing", role=None, refuses=(409, 429), answers=Me, status=201)
def pair_phone(request: Request, wish: PairRequest) -> Response:
    """Pair this phone by the code of the QR or by the PIN; the answer sets its cookie.

    A phone that is paired already stays that one phone, under the new name.
    """
    parts = access_parts(request)
    _check_name(wish.name)
    identity: Identity | None = request.state.identity
    device = None if identity is None else identity.phone
    phone, token = parts.pairing.pair(
        wish.secret, wish.name, parts.clock.now(), address_of(request), device
    )
    return _paired(request, phone, token)


@routes.add("POST", "/pairing/ask", role=None, refuses=(404, 429), status=202)
def ask_to_be_the_new_phone(request: Request, wish: PairRequest) -> PairingAsk:
    """Ask to be the new phone of whoever is called so: that phone, or an admin, grants it."""
    parts = access_parts(request)
    _check_name(wish.name)
    ask, key = parts.pairing.ask_for(parts.asks, wish.secret, wish.name, address_of(request))
    parts.events.tell_soon("asks-changed")
    return PairingAsk(key=key, name=ask.of, expires_at=ask.expires_at)


@routes.add(
    "POST",
    "/pairing/asked",
    role=None,
    refuses=(404,),
    answers=Me,
    status=201,
    also={202: "Nobody has answered yet"},
)
def what_came_of_asking(request: Request, wish: AskedRequest) -> Response:
    """Whether this is somebody's new phone now; then the answer sets its cookie, and the phone
    that was theirs is no longer paired.
    """
    parts = access_parts(request)
    ask = parts.asks.by_key(wish.key)
    if ask.state == "refused":
        raise AskRefused
    if ask.state == "waiting":
        return answer(PairingAsk(key=wish.key, name=ask.of, expires_at=ask.expires_at), 202)
    phone, token = parts.pairing.become(ask.phone or "")
    return _paired(request, phone, token)


def _check_name(name: str) -> None:
    if not reads_like(name):
        raise NameUnreadable


def _paired(request: Request, phone: Phone, token: str) -> Response:
    parts = access_parts(request)
    parts.events.tell_soon("phones-changed")
    document = Me(
        name=phone.name,
        role=phone.role,  # type: ignore[arg-type]
        phone=phone.id,
        write_header=WRITE_HEADER,
        network=parts.settings.network,
    )
    response = answer(document, 201)
    response.set_cookie(
        COOKIE,
        token,
        max_age=COOKIE_S,
        path="/",
        secure=parts.settings.is_secure or request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )
    return response


@routes.add("DELETE", "/me", role="viewer", status=204, even_read_only=True, people_only=True)
def leave(request: Request) -> Response:
    """Forget this phone."""
    identity: Identity = request.state.identity
    parts = access_parts(request)
    if identity.phone is not None:
        parts.store.phones.forget(identity.phone)
        parts.events.tell_soon("phones-changed")
    response = Response(status_code=204)
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
    return response


@routes.add("GET", "/phones", role="admin")
def list_phones(request: Request) -> PhoneList:
    """Every paired phone."""
    phones = [
        PhoneDocument(
            id=one.id,
            name=one.name,
            role=one.role,  # type: ignore[arg-type]
            paired_at=one.paired_at,
            used_at=_iso(one.used_at),
        )
        for one in access_parts(request).store.phones.all()
    ]
    return PhoneList(phones=phones)


@routes.add(
    "DELETE", "/phones/{phone}", role="admin", refuses=(404,), status=204, even_read_only=True
)
def send_phone_away(request: Request, phone: PhoneId) -> None:
    """Take a phone's access away."""
    parts = access_parts(request)
    if not parts.store.phones.forget(phone):
        raise PhoneUnknown
    parts.events.tell_soon("phones-changed")


@routes.add("POST", "/invitations", role="admin", status=201, even_read_only=True)
def invite(request: Request, wish: InviteRequest) -> InvitationDocument:
    """Invite a phone, or those of a whole table, for ten minutes: a PIN to type, a link and its
    QR code. An invitation pairs as many phones as it says, and no more.
    """
    parts = access_parts(request)
    invited = parts.pairing.invite(wish.role, wish.phones)
    parts.events.tell_soon("phones-changed")
    link = pairing_link(parts.settings, invited.code)
    return InvitationDocument(
        id=invited.id,
        pin=invited.pin,
        link=link,
        qr_svg=_svg(link),
        role=invited.role,
        expires_at=invited.expires_at,
        phones=invited.phones,
    )


@routes.add("GET", "/invitations", role="admin")
def list_invitations(request: Request) -> InvitationList:
    """The invitations that may still pair phones, without their PINs."""
    found = access_parts(request).pairing.open_invitations()
    return InvitationList(invitations=[OpenInvitation.model_validate(one) for one in found])


@routes.add(
    "DELETE",
    "/invitations/{invitation}",
    role="admin",
    refuses=(404,),
    status=204,
    even_read_only=True,
)
def end_invitation(request: Request, invitation: Annotated[int, Path(ge=1, le=2**53)]) -> None:
    """End an invitation: it pairs no more phones."""
    parts = access_parts(request)
    if not parts.store.phones.end_invitation(invitation):
        raise InvitationUnknown
    parts.events.tell_soon("phones-changed")


def address_of(request: Request) -> str:
    """Where a request comes from."""
    return "" if request.client is None else request.client.host


def _iso(seconds: float) -> str | None:
    if not seconds:
        return None
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")[:-6] + "Z"


def pairing_link(settings: ServiceSettings, code: str) -> str:
    """The address that pairs a phone; the code stands behind the # and is never sent in a GET."""
    return f"{address(settings)}/#pair={quote(code)}"


def address(settings: ServiceSettings) -> str:
    """Where phones find the service."""
    return f"{'https' if settings.is_secure else 'http'}://{host_of(settings)}:{settings.port}"


def host_of(settings: ServiceSettings) -> str:
    """The name or address by which phones find the service."""
    return settings.hosts[0] if settings.network and settings.hosts else "127.0.0.1"


def _svg(link: str) -> str:
    drawing = io.BytesIO()
    segno.make(link, error="m").save(drawing, kind="svg", scale=4, border=2)
    return drawing.getvalue().decode()
