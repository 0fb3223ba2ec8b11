"""What may be asked of pairing and tokens, as models."""

from typing import Annotated

from pydantic import BeforeValidator, Field

from rig.service.access.pairing import MOST_INVITED, Role
from rig.service.access.tokens import MOST_DAYS, TokenRole
from rig.service.http.requests import Name, Wish, whole


class TokenRequest(Wish):
    """Make an access token. `days`: how long it lasts; null: until it is revoked."""

    name: Name
    role: TokenRole
    days: Annotated[int, Field(ge=1, le=MOST_DAYS), BeforeValidator(whole)] | None


class PairRequest(Wish):
    """The code of the QR, or the PIN, and what to call the phone."""

    secret: Annotated[str, Field(min_length=1, max_length=100)]
    name: Name


class AskedRequest(Wish):
    """What came of asking to be somebody's new phone."""

    key: Annotated[str, Field(min_length=1, max_length=100)]


class InviteRequest(Wish):
    """Invite phones to pair."""

    role: Role = "player"
    phones: Annotated[int, Field(ge=1, le=MOST_INVITED), BeforeValidator(whole)] = 1
