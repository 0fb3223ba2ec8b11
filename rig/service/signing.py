"""Signing a round, and disagreeing: each phone for the player it is paired as."""

from __future__ import annotations

from typing import Any

from rig.rounds.match import Match
from rig.rounds.round import THE_TABLE, Disagreement, Result, Round, Signature, disagreed, settled
from rig.rounds.round import signed as with_signature
from rig.rounds.rounds_json import match_of, round_data, round_of
from rig.rounds.standings import result_of
from rig.rounds.trouble import (
    NotYourSignature,
    PlayerUnknown,
    RoundNotEnded,
    ScoreMissing,
    SeatTaken,
)
from rig.service.access import Identity
from rig.service.desk import Desk, Read
from rig.service.match_history import note, note_with
from rig.service.requests import DisagreeRequest, SignRequest
from rig.service.round_documents import read_of
from rig.service.seats import seats
from rig.store.matches import KeptMatch, KeptRound
from rig.store.trouble import VersionConflict


def take_seat(desk: Desk, match_id: str, player: str, who: Identity) -> KeptMatch:
    """Give a player's seat to this phone. SeatTaken, unless an admin takes it."""
    with desk.changing:
        kept = desk.store.matches.get(match_id)
        here = seats(desk, kept)
        if player not in here:
            raise PlayerUnknown(player=player)
        holder = here[player]
        if holder is not None and holder.id != who.phone and not who.may("admin"):
            raise SeatTaken(player=player, phone=holder.name)
        taken = {name: one for name, one in kept.data.get("phones", {}).items() if one != who.phone}
        if who.phone is not None:
            taken[player] = who.phone
        return note_with(desk, match_id, {"phones": taken}, who.name, "seat", player=player)


def sign_round(
    desk: Desk, match_id: str, number: int, wish: SignRequest, who: Identity
) -> KeptRound:
    """Sign a round at the version that was looked at. VersionConflict if it moved on."""
    with desk.changing:
        kept, match, round_, read = _looked_at(desk, match_id, number, wish.frame_version)
        player = wish.player or THE_TABLE
        by = _signer(desk, match_id, player, who)
        signature = Signature(player, desk.now(), wish.frame_version, by)
        done = with_signature(round_, match, signature, _result(match, number, read))
        return desk.store.matches.change_round(kept, round_data(done), kept.frame)


def disagree(
    desk: Desk, match_id: str, number: int, wish: DisagreeRequest, who: Identity
) -> KeptRound:
    """Disagree with a round's score; it stays open until that is settled."""
    with desk.changing:
        kept, _, round_, _ = _looked_at(desk, match_id, number, wish.frame_version)
        player = wish.player
        if player is None:
            mine = [name for name, phone in _own(desk, match_id).items() if phone == who.phone]
            player = mine[0] if mine and who.phone is not None else who.name
        else:
            _signer(desk, match_id, player, who)
        said = Disagreement(player, desk.now(), wish.reason, wish.card, wish.frame_version)
        done = disagreed(round_, said)
        now = desk.store.matches.change_round(kept, round_data(done), kept.frame)
        note(desk, match_id, who.name, "disagreed", number, player=player, reason=wish.reason)
        return now


def settle(desk: Desk, match_id: str, number: int, place: int, who: Identity) -> KeptRound:
    """Settle a disagreement: whoever disagreed does, or an admin overrules it."""
    with desk.changing:
        kept = desk.store.matches.round(match_id, number)
        round_ = round_of(kept.data)
        match, read = match_of(desk.store.matches.get(match_id).data), read_of(desk, kept)
        if read is None:
            raise RoundNotEnded(round=number) if kept.frame is None else ScoreMissing(round=number)
        found = round_.disagreements[place : place + 1]
        own = bool(found) and _is_own(desk, match_id, found[0].player, who)
        if found and not own and not who.may("admin"):
            raise NotYourSignature(player=found[0].player)
        settlement = (who.name, desk.now(), not own)
        done = settled(round_, match, place, settlement, _result(match, number, read))
        now = desk.store.matches.change_round(kept, round_data(done), kept.frame)
        note(desk, match_id, who.name, "settled" if own else "overruled", number)
        return now


def _looked_at(
    desk: Desk, match_id: str, number: int, version: int
) -> tuple[KeptRound, Match, Round, Read]:
    kept = desk.store.matches.round(match_id, number)
    round_ = round_of(kept.data)
    if round_.state == "open":
        raise RoundNotEnded(round=number)
    read = read_of(desk, kept)
    if read is None:
        raise ScoreMissing(round=number)
    if read.frame.version != version:
        raise VersionConflict(expected=version, found=read.frame.version)
    return kept, match_of(desk.store.matches.get(match_id).data), round_, read


def _result(match: Match, number: int, read: Read) -> Result:
    return result_of(match, number, read.replayed.reading)


def _own(desk: Desk, match_id: str) -> dict[str, str | None]:
    found = seats(desk, desk.store.matches.get(match_id))
    return {name: None if phone is None else phone.id for name, phone in found.items()}


def _is_own(desk: Desk, match_id: str, player: str, who: Identity) -> bool:
    if who.phone is None:  # this machine, where nobody has a phone
        return player == who.name
    return _own(desk, match_id).get(player) == who.phone or player == who.name


def _signer(desk: Desk, match_id: str, player: str, who: Identity) -> str:
    """Who signs for a player: nobody else, or the host. NotYourSignature, or PlayerUnknown."""
    own: dict[str, Any] = _own(desk, match_id)
    if player != THE_TABLE and player not in own:
        raise PlayerUnknown(player=player)
    if who.phone is not None and own.get(player) == who.phone:
        return ""
    if not who.may("admin"):
        raise NotYourSignature(player="everybody" if player == THE_TABLE else player)
    return who.name
