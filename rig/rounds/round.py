"""A round as a value: open, ended by a picture, signed by the table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from rig.rounds.match import Match
from rig.rounds.trouble import (
    AlreadySigned,
    PlayerUnknown,
    RoundEnded,
    RoundNotEnded,
    RoundNotSigned,
    RoundSigned,
)

RoundState = Literal["open", "ended", "signed"]
THE_TABLE = "*"
"""Who signs for everybody at once."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a round came to, by colour: as it lies, and without illegal cards (E2)."""

    as_it_lies: dict[str, int]
    without_illegal: dict[str, int]
    sure: bool
    sure_without_illegal: bool


@dataclass(frozen=True, slots=True)
class Signature:
    """Somebody agreed to the score as it stood at this version of the frame."""

    player: str
    at: str
    version: int


@dataclass(frozen=True, slots=True)
class Round:
    """A round of a match. `result` is written down when it is signed, and stands from then on."""

    number: int
    begun_at: str
    state: RoundState = "open"
    ended_at: str | None = None
    finished_first: str | None = None
    signatures: tuple[Signature, ...] = ()
    result: Result | None = None


def ended(round_: Round, at: str, finished_first: str | None = None) -> Round:
    """The round over. RoundEnded if it was already."""
    if round_.state != "open":
        raise RoundEnded(round=round_.number)
    return replace(round_, state="ended", ended_at=at, finished_first=finished_first)


def signed(round_: Round, match: Match, signature: Signature, result: Result) -> Round:
    """The round with one signature more; signed once everybody, or the table, agreed.

    Signatures under an earlier version of the frame are void: the score they
    agreed to is not the one that is signed now.
    """
    _check_signer(round_, match, signature.player)
    valid = valid_signatures(round_, signature.version)
    if signature.player in {other.player for other in valid}:
        raise AlreadySigned(player=signature.player, round=round_.number)
    signatures = (*valid, signature)
    names = {other.player for other in signatures}
    complete = THE_TABLE in names or names >= {player.name for player in match.players}
    if not complete:
        return replace(round_, signatures=signatures)
    return replace(round_, state="signed", signatures=signatures, result=result)


def _check_signer(round_: Round, match: Match, player: str) -> None:
    if round_.state == "open":
        raise RoundNotEnded(round=round_.number)
    if round_.state == "signed":
        raise RoundSigned(round=round_.number)
    if player != THE_TABLE and player not in {known.name for known in match.players}:
        raise PlayerUnknown(player=player)


def valid_signatures(round_: Round, version: int) -> tuple[Signature, ...]:
    """The signatures under this version of the frame."""
    return tuple(other for other in round_.signatures if other.version == version)


def opened_again(round_: Round) -> Round:
    """A signed round back to ended, without signatures. RoundNotSigned if it is not signed."""
    if round_.state != "signed":
        raise RoundNotSigned(round=round_.number)
    return replace(round_, state="ended", signatures=(), result=None)
