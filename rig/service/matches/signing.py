"""Signing a round, and disagreeing: each phone for the player it is paired as."""

from typing import Any

from referee.rounds.match import Match
from referee.rounds.misfits import NotYourSignature, PlayerUnknown, RoundNotEnded, ScoreMissing
from referee.rounds.round import (
    THE_TABLE,
    Disagreement,
    Result,
    Round,
    Signature,
    disagreed,
    settled,
)
from referee.rounds.round import signed as with_signature
from referee.rounds.rounds_json import match_of, round_data, round_of
from referee.rounds.standings import result_of
from rig.service.access.access import Identity
from rig.service.frames.frame_readings import Read
from rig.service.matches.match_history import note
from rig.service.matches.parts import MatchParts
from rig.service.matches.requests import DisagreeRequest, SignRequest
from rig.service.matches.round_documents import read_of
from rig.service.matches.seats import seats
from rig.store.matches import KeptRound
from rig.store.trouble import VersionConflict


def sign_round(
    parts: MatchParts, match_id: str, number: int, wish: SignRequest, who: Identity
) -> KeptRound:
    """Sign a round at the version that was looked at. VersionConflict if it moved on."""
    _read_ahead(parts, match_id, number)
    with parts.change():
        kept, match, round_, read = _looked_at(parts, match_id, number, wish.frame_version)
        player = wish.player or THE_TABLE
        by = _signer(parts, match_id, player, who)
        signature = Signature(player, parts.clock.now(), wish.frame_version, by)
        done = with_signature(round_, match, signature, _result(match, number, read))
        return parts.store.matches.change_round(kept, round_data(done), kept.frame)


def disagree(
    parts: MatchParts, match_id: str, number: int, wish: DisagreeRequest, who: Identity
) -> KeptRound:
    """Disagree with a round's score; it stays open until that is settled."""
    _read_ahead(parts, match_id, number)
    with parts.change():
        kept, _, round_, _ = _looked_at(parts, match_id, number, wish.frame_version)
        player = wish.player
        if player is None:
            mine = [name for name, phone in _own(parts, match_id).items() if phone == who.phone]
            player = mine[0] if mine and who.phone is not None else who.name
        else:
            _signer(parts, match_id, player, who)
        said = Disagreement(player, parts.clock.now(), wish.reason, wish.card, wish.frame_version)
        done = disagreed(round_, said)
        now = parts.store.matches.change_round(kept, round_data(done), kept.frame)
        note(parts, match_id, who.name, "disagreed", number, player=player, reason=wish.reason)
        return now


def settle(parts: MatchParts, match_id: str, number: int, place: int, who: Identity) -> KeptRound:
    """Settle a disagreement: whoever disagreed does, or an admin overrules it."""
    _read_ahead(parts, match_id, number)
    with parts.change():
        kept = parts.store.matches.round(match_id, number)
        round_ = round_of(kept.data)
        match, read = match_of(parts.store.matches.get(match_id).data), read_of(parts, kept)
        if read is None:
            raise RoundNotEnded(round=number) if kept.frame is None else ScoreMissing(round=number)
        found = round_.disagreements[place : place + 1]
        own = bool(found) and _is_own(parts, match_id, found[0].player, who)
        if found and not own and not who.may("admin"):
            raise NotYourSignature(player=found[0].player)
        settlement = (who.name, parts.clock.now(), not own)
        done = settled(round_, match, place, settlement, _result(match, number, read))
        now = parts.store.matches.change_round(kept, round_data(done), kept.frame)
        note(parts, match_id, who.name, "settled" if own else "overruled", number)
        return now


def _read_ahead(parts: MatchParts, match_id: str, number: int) -> None:
    """Have the reading worked out and kept before the change, which holds up all others."""
    read_of(parts, parts.store.matches.round(match_id, number))


def _looked_at(
    parts: MatchParts, match_id: str, number: int, version: int
) -> tuple[KeptRound, Match, Round, Read]:
    kept = parts.store.matches.round(match_id, number)
    round_ = round_of(kept.data)
    if round_.state == "open":
        raise RoundNotEnded(round=number)
    read = read_of(parts, kept)
    if read is None:
        raise ScoreMissing(round=number)
    if read.frame.version != version:
        raise VersionConflict(expected=version, found=read.frame.version)
    return kept, match_of(parts.store.matches.get(match_id).data), round_, read


def _result(match: Match, number: int, read: Read) -> Result:
    return result_of(match, number, read.replayed.reading)


def _own(parts: MatchParts, match_id: str) -> dict[str, str | None]:
    found = seats(parts, parts.store.matches.get(match_id))
    return {name: None if phone is None else phone.id for name, phone in found.items()}


def _is_own(parts: MatchParts, match_id: str, player: str, who: Identity) -> bool:
    if who.phone is None:  # this machine, where nobody has a phone
        return player == who.name
    own = _own(parts, match_id)
    return own[player] == who.phone if player in own else player == who.name


def _signer(parts: MatchParts, match_id: str, player: str, who: Identity) -> str:
    """Who signs for a player: nobody else, or the host. NotYourSignature, or PlayerUnknown."""
    own: dict[str, Any] = _own(parts, match_id)
    if player != THE_TABLE and player not in own:
        raise PlayerUnknown(player=player)
    if who.phone is not None and own.get(player) == who.phone:
        return ""
    if not who.may("admin"):
        raise NotYourSignature(player="everybody" if player == THE_TABLE else player)
    return who.name
