"""A round as a value: open, ended by a picture, signed by the table."""

from dataclasses import dataclass, replace
from typing import Literal

from referee.rounds.match import Match
from referee.rounds.misfits import (
    AlreadySettled,
    AlreadySigned,
    DisagreementUnknown,
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
    """What a round came to, by colour: as it lies, and without illegal cards (E2).

    `missing`: cards, by colour and face, that the way of playing wants on the table and that are
    not there. Neither score is sure then.
    """

    as_it_lies: dict[str, int]
    without_illegal: dict[str, int]
    sure: bool
    sure_without_illegal: bool
    missing: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Signature:
    """Somebody agreed to the score as it stood at this version of the frame.

    `by`: the host who signed for a player without a phone; empty where the player signed.
    """

    player: str
    at: str
    version: int
    by: str = ""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Somebody does not agree, and why; `card` is the one that is meant, as its id in the reading.

    It is settled by whoever disagreed, or `overruled` by an admin.
    """

    player: str
    at: str
    reason: str
    card: int | None
    version: int
    settled_at: str | None = None
    settled_by: str | None = None
    overruled: bool = False


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
    disagreements: tuple[Disagreement, ...] = ()

    @property
    def disputed(self) -> bool:
        """Whether somebody's disagreement is neither settled nor overruled."""
        return any(one.settled_at is None for one in self.disagreements)


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
    return _complete(replace(round_, signatures=(*valid, signature)), match, result)


def _complete(round_: Round, match: Match, result: Result) -> Round:
    """The round signed, if everybody agreed and nobody's disagreement is open."""
    names = {other.player for other in round_.signatures}
    everybody = THE_TABLE in names or names >= {player.name for player in match.players}
    if not everybody or round_.disputed:
        return round_
    return replace(round_, state="signed", result=result)


def disagreed(round_: Round, disagreement: Disagreement) -> Round:
    """The round with one disagreement more; whoever disagrees has not signed."""
    check_ended(round_)
    signatures = tuple(one for one in round_.signatures if one.player != disagreement.player)
    return replace(
        round_, signatures=signatures, disagreements=(*round_.disagreements, disagreement)
    )


def settled(
    round_: Round, match: Match, place: int, settlement: tuple[str, str, bool], result: Result
) -> Round:
    """The round with a disagreement settled: who, when, and whether it was overruled.

    Signed at once, if everybody agreed meanwhile.
    """
    check_ended(round_)
    if place >= len(round_.disagreements):
        raise DisagreementUnknown(round=round_.number, disagreement=place + 1)
    found = round_.disagreements[place]
    if found.settled_at is not None:
        raise AlreadySettled(round=round_.number)
    by, at, overruled = settlement
    done = replace(found, settled_at=at, settled_by=by, overruled=overruled)
    disagreements = (*round_.disagreements[:place], done, *round_.disagreements[place + 1 :])
    version = max((one.version for one in round_.signatures), default=0)
    valid = valid_signatures(round_, version)
    left = replace(round_, disagreements=disagreements, signatures=valid)
    return _complete(left, match, result)


def resumed(round_: Round) -> Round:
    """A round that was ended by mistake is played on; what was signed under its picture is void."""
    check_ended(round_)
    return Round(round_.number, round_.begun_at)


def _check_signer(round_: Round, match: Match, player: str) -> None:
    check_ended(round_)
    if player != THE_TABLE and player not in {known.name for known in match.players}:
        raise PlayerUnknown(player=player)


def check_ended(round_: Round) -> None:
    """RoundNotEnded while it is open, RoundSigned once it is signed."""
    if round_.state == "open":
        raise RoundNotEnded(round=round_.number)
    if round_.state == "signed":
        raise RoundSigned(round=round_.number)


def valid_signatures(round_: Round, version: int) -> tuple[Signature, ...]:
    """The signatures under this version of the frame."""
    return tuple(other for other in round_.signatures if other.version == version)


def opened_again(round_: Round) -> Round:
    """A signed round back to ended, without signatures. RoundNotSigned if it is not signed."""
    if round_.state != "signed":
        raise RoundNotSigned(round=round_.number)
    return replace(round_, state="ended", signatures=(), result=None)
