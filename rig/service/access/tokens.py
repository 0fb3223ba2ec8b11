"""Access tokens: made for a program, named, shown once, lasting as long as their maker says."""

import secrets
from datetime import UTC, datetime
from typing import Literal, get_args

from rig.service.http.trouble import TokenExpired, TokenRevoked, TokenWrong
from rig.store.tokens import KeptTokens, Token

TokenRole = Literal["viewer", "player"]
ROLES: tuple[TokenRole, ...] = get_args(TokenRole)
"""What a program may be: it looks on, or it also uploads and corrects. It never runs the table."""
PREFIX = "tacta_"
"""Tokens begin with it, so that one that was left lying about is known for what it is."""
MOST_DAYS = 3650
_SECRET_BYTES = 32
_DAY_S = 24 * 3600.0


def make_token(
    tokens: KeptTokens, name: str, role: TokenRole, days: int | None, made_by: str, now: float
) -> tuple[Token, str]:
    """A new token, and what the program is to show. `days` None: it lasts until it is revoked."""
    secret = PREFIX + secrets.token_urlsafe(_SECRET_BYTES)
    expires_at = None if days is None else now + days * _DAY_S
    token = Token(secrets.token_hex(6), name, role, now, made_by, expires_at)
    tokens.add(token, secret)
    return token, secret


def check_token(tokens: KeptTokens, secret: str, now: float) -> Token:
    """The token behind what a program shows. TokenWrong, TokenRevoked or TokenExpired."""
    token = tokens.by_secret(secret)
    if token is None:
        raise TokenWrong
    if token.revoked_at is not None:
        raise TokenRevoked(name=token.name, when=day(token.revoked_at))
    if not counts(token, now):
        raise TokenExpired(name=token.name, when=day(token.expires_at or 0.0))
    tokens.used(token, now)
    return token


def counts(token: Token, now: float) -> bool:
    """Whether a token opens anything at this time."""
    is_over = token.expires_at is not None and token.expires_at <= now
    return token.revoked_at is None and not is_over


def day(at: float) -> str:
    """The day of a time, as it is told."""
    return datetime.fromtimestamp(at, UTC).date().isoformat()
