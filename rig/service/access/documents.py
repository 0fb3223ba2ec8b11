"""What the service answers about phones and tokens, as models."""

from typing import Literal

from pydantic import Field

from rig.service.access.pairing import Role
from rig.service.access.tokens import TokenRole
from rig.service.http.documents import Document


class Me(Document):
    """Who asks; `role` is null for a phone that is not paired."""

    name: str | None
    role: Role | None
    phone: str | None = Field(description="The id of this phone; null for this machine itself.")
    write_header: str
    network: bool


class PhoneDocument(Document):
    """A paired phone."""

    id: str
    name: str
    role: Role
    paired_at: str
    used_at: str | None


class PhoneList(Document):
    """Every paired phone."""

    phones: list[PhoneDocument]


class InvitationDocument(Document):
    """An open invitation, shown once: the PIN, and the link with its QR code as SVG."""

    id: int
    pin: str
    link: str
    qr_svg: str
    role: Role
    expires_at: float
    phones: int = Field(description="How many phones it pairs.")


class OpenInvitation(Document):
    """An invitation that may still pair phones; `left`: how many."""

    id: int
    role: Role
    expires_at: float
    phones: int
    left: int


class InvitationList(Document):
    """The open invitations."""

    invitations: list[OpenInvitation]


class PairingAsk(Document):
    """A wish to be somebody's new phone; `key` asks what came of it."""

    key: str
    name: str
    expires_at: float


class AskDocument(Document):
    """A phone asks to be `of`'s new phone, or for `of`'s seat in a match."""

    id: str
    kind: Literal["phone", "seat"]
    name: str
    of: str
    match: str | None
    expires_at: float
    mine: bool = Field(description="This phone asks; else it may answer.")


class AskList(Document):
    """What this phone asks for, and what it may answer."""

    asks: list[AskDocument]


class TokenDocument(Document):
    """A program's access token, without the token; `counts`: whether it opens anything now."""

    id: str
    name: str
    role: TokenRole
    made_at: str
    made_by: str
    expires_at: str | None = Field(description="Null: it lasts until it is revoked.")
    used_at: str | None
    revoked_at: str | None
    counts: bool


class NewTokenDocument(TokenDocument):
    """An access token that was just made, shown once."""

    token: str


class TokenList(Document):
    """Every access token that was made."""

    tokens: list[TokenDocument]
