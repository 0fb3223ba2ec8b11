"""Who asks, and what they may do: none, viewer, player or admin."""

from dataclasses import dataclass
from typing import cast

from anyio import to_thread
from starlette.requests import Request

from rig.service.access.pairing import ROLES, Role
from rig.service.access.parts import AccessParts, access_parts
from rig.service.access.tokens import PREFIX, check_token, counts
from rig.service.http.trouble import HeaderMissing, NotAllowed, NotForPrograms, NotPaired

COOKIE = "tacta_phone"
WRITE_HEADER = "X-Tacta"
"""Every write carries it, with any value: no page of another site can send it."""
WRITES = frozenset({"POST", "PUT", "PATCH", "DELETE"})


@dataclass(frozen=True, slots=True)
class Identity:
    """Somebody at the table, or a program; without `phone` and `token` this machine itself."""

    name: str
    role: Role
    phone: str | None = None
    token: str | None = None

    @property
    def device(self) -> str | None:
        """The id of the phone or token that asks; None for this machine."""
        return self.phone or self.token

    def may(self, role: Role) -> bool:
        """Whether this role, or a higher one, is theirs."""
        return ROLES.index(self.role) >= ROLES.index(role)


THIS_MACHINE = Identity("rig", "admin")


def identity_of(request: Request) -> Identity | None:
    """Who asks. Without the network, that is whoever sits at this machine, but for a program that
    shows an access token: it may do what the token says. TokenWrong, TokenRevoked, TokenExpired.
    """
    parts = access_parts(request)
    shown = _access_token(request)
    if shown is not None:
        found = check_token(parts.store.tokens, shown, parts.clock.seconds())
        return Identity(found.name, cast("Role", found.role), token=found.id)
    if not parts.settings.network:
        return THIS_MACHINE
    token = _token(request)
    phone = None if token is None else parts.store.phones.by_token(token, parts.clock.seconds())
    return None if phone is None else Identity(phone.name, cast("Role", phone.role), phone.id)


async def _identified(request: Request) -> Identity | None:
    """Who asks, looked up once for a request, and never behind what others have done."""
    known_already: Identity | None = getattr(request.state, "identity", None)
    if known_already is not None:
        return known_already
    is_local = not access_parts(request).settings.network
    if _access_token(request) is None and (is_local or _token(request) is None):
        return identity_of(request)  # nothing is looked up
    return await to_thread.run_sync(identity_of, request, limiter=access_parts(request).lookups)


def _token(request: Request) -> str | None:
    return _bearer(request) or request.cookies.get(COOKIE)


def _access_token(request: Request) -> str | None:
    bearer = _bearer(request)
    return bearer if bearer is not None and bearer.startswith(PREFIX) else None


def _bearer(request: Request) -> str | None:
    scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
    return bearer.strip() or None if scheme.lower() == "bearer" else None


async def admit(
    request: Request, role: Role | None, even_read_only: bool = False, people_only: bool = False
) -> None:
    """Let the request through, or say why not: NotPaired, NotAllowed, NotForPrograms,
    HeaderMissing, StoreReadOnly, or what is wrong with an access token.

    `role` None is for everybody. `even_read_only`: a write that a read-only rig takes too.
    `people_only`: not for programs, whatever their token says.
    Afterwards `request.state.identity` is who asks.
    """
    if request.method in WRITES and not request.headers.get(WRITE_HEADER):
        raise HeaderMissing(header=WRITE_HEADER)
    identity = await _identified(request)
    request.state.identity = identity
    if role is None:
        return
    if identity is None:
        raise NotPaired
    if not identity.may(role):
        raise NotAllowed(role=role)
    if people_only and identity.token is not None:
        raise NotForPrograms
    if request.method in WRITES and not even_read_only:
        access_parts(request).store.database.check_writable()


def still_known(parts: AccessParts, who: Identity) -> bool:
    """Whether somebody who was let in would still be."""
    if who.token is not None:
        token = parts.store.tokens.get(who.token)
        return token is not None and counts(token, parts.clock.seconds())
    return who.phone is None or parts.store.phones.is_paired(who.phone)


def known(request: Request) -> Identity:
    """Who asks, on a route that is not for everybody."""
    return cast("Identity", request.state.identity)
