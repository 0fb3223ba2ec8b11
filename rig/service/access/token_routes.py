"""Access tokens for programs."""

from datetime import UTC, datetime
from typing import Annotated, Any

from starlette.requests import Request

from rig.service.access.access import known
from rig.service.access.documents import NewTokenDocument, TokenDocument, TokenList
from rig.service.access.parts import access_parts
from rig.service.access.requests import TokenRequest
from rig.service.access.tokens import counts, make_token
from rig.service.http.routing import Routes
from rig.service.http.trouble import TokenUnknown
from rig.service.http.web import Path
from rig.store.tokens import Token

routes = Routes("tokens")
TokenId = Annotated[str, Path(min_length=1, max_length=40, pattern="^[0-9a-f]+$")]


@routes.add("GET", "/tokens", role="admin")
def list_tokens(request: Request) -> TokenList:
    """Every access token that was made, with whether it still counts."""
    parts = access_parts(request)
    now = parts.clock.seconds()
    found = [TokenDocument(**_values(one, now)) for one in parts.store.tokens.all()]
    return TokenList(tokens=found)


@routes.add("POST", "/tokens", role="admin", status=201, even_read_only=True)
def add_token(request: Request, wish: TokenRequest) -> NewTokenDocument:
    """Make an access token for a program; the token is shown once."""
    parts = access_parts(request)
    now = parts.clock.seconds()
    who = known(request).name
    token, secret = make_token(parts.store.tokens, wish.name, wish.role, wish.days, who, now)
    return NewTokenDocument(**_values(token, now), token=secret)


@routes.add(
    "DELETE", "/tokens/{token}", role="admin", refuses=(404,), status=204, even_read_only=True
)
def revoke_token(request: Request, token: TokenId) -> None:
    """End a token's access for good; it stays in the list as revoked."""
    parts = access_parts(request)
    if not parts.store.tokens.revoke(token, parts.clock.seconds()):
        raise TokenUnknown


def _values(token: Token, now: float) -> dict[str, Any]:
    return {
        "id": token.id,
        "name": token.name,
        "role": token.role,
        "made_by": token.made_by,
        "counts": counts(token, now),
        **{
            name: _iso(getattr(token, name))
            for name in ("made_at", "expires_at", "used_at", "revoked_at")
        },
    }


def _iso(at: float | None) -> str | None:
    if at is None:
        return None
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")[:-6] + "Z"
