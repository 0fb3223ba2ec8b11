"""Who asks, pairing, and the paired phones."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from typing import Annotated
from urllib.parse import quote

import segno
from starlette.requests import Request
from starlette.responses import Response

from rig.service.access import COOKIE, WRITE_HEADER, Identity, desk_of
from rig.service.documents import InvitationDocument, Me, PhoneDocument, PhoneList
from rig.service.requests import InviteRequest, PairRequest
from rig.service.routing import Routes, answer
from rig.service.settings import ServiceSettings
from rig.service.trouble import PhoneUnknown
from rig.service.web import Path

routes = Routes("access")
COOKIE_S = 365 * 24 * 3600
PhoneId = Annotated[str, Path(min_length=1, max_length=40, pattern="^[0-9a-f]+$")]


@routes.add("GET", "/me", role=None, answers=Me)
def who_asks(request: Request) -> Response:
    """Who this phone is to the rig, and what writes must carry."""
    identity: Identity | None = request.state.identity
    return answer(
        Me(
            name=None if identity is None else identity.name,
            role=None if identity is None else identity.role,
            phone=None if identity is None else identity.phone,
            write_header=WRITE_HEADER,
            network=desk_of(request).settings.network,
        )
    )


@routes.add(
    "POST",
    "/pairing",
    role=None,
    refuses=("secret-wrong", "too-many-tries"),
    answers=Me,
    status=201,
)
def pair_phone(request: Request, wish: PairRequest) -> Response:
    """Pair this phone by the code of the QR or by the PIN; the answer sets its cookie."""
    desk = desk_of(request)
    phone, token = desk.pairing.pair(wish.secret, wish.name, desk.now(), address_of(request))
    desk.events.tell_soon("phones-changed")
    document = Me(
        name=phone.name,
        role=phone.role,  # type: ignore[arg-type]
        phone=phone.id,
        write_header=WRITE_HEADER,
        network=desk.settings.network,
    )
    response = answer(document, 201)
    response.set_cookie(
        COOKIE,
        token,
        max_age=COOKIE_S,
        path="/",
        secure=desk.settings.is_secure or request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )
    return response


@routes.add("DELETE", "/me", role="viewer", status=204, even_read_only=True, people_only=True)
def leave(request: Request) -> Response:
    """Forget this phone."""
    identity: Identity = request.state.identity
    desk = desk_of(request)
    if identity.phone is not None:
        desk.store.phones.forget(identity.phone)
        desk.events.tell_soon("phones-changed")
    response = Response(status_code=204)
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
    return response


@routes.add("GET", "/phones", role="admin", answers=PhoneList)
def list_phones(request: Request) -> Response:
    """Every paired phone."""
    phones = [
        PhoneDocument(
            id=one.id,
            name=one.name,
            role=one.role,  # type: ignore[arg-type]
            paired_at=one.paired_at,
            used_at=_iso(one.used_at),
        )
        for one in desk_of(request).store.phones.all()
    ]
    return answer(PhoneList(phones=phones))


@routes.add(
    "DELETE",
    "/phones/{phone}",
    role="admin",
    refuses=("phone-unknown",),
    status=204,
    even_read_only=True,
)
def send_phone_away(request: Request, phone: PhoneId) -> Response:
    """Take a phone's access away."""
    desk = desk_of(request)
    if not desk.store.phones.forget(phone):
        raise PhoneUnknown
    desk.events.tell_soon("phones-changed")
    return Response(status_code=204)


@routes.add(
    "POST",
    "/invitations",
    role="admin",
    answers=InvitationDocument,
    status=201,
    even_read_only=True,
)
def invite(request: Request, wish: InviteRequest) -> Response:
    """Invite phones for ten minutes: a PIN to type, a link and its QR code."""
    desk = desk_of(request)
    invited = desk.pairing.invite(wish.role)
    link = pairing_link(desk.settings, invited.code)
    return answer(
        InvitationDocument(
            pin=invited.pin,
            link=link,
            qr_svg=_svg(link),
            role=invited.role,
            expires_at=invited.expires_at,
        ),
        201,
    )


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
