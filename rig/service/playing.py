"""Matches and rounds as they go on: begun, ended by a frame, signed, opened again."""

from __future__ import annotations

import secrets

from geometry.rules import Tolerance
from rig.rounds.match import Match, Player, WayToPlay, check_match
from rig.rounds.round import (
    THE_TABLE,
    Round,
    Signature,
    ended,
    opened_again,
    signed,
)
from rig.rounds.rounds_json import match_data, match_of, round_data, round_of
from rig.rounds.standings import result_of, standings
from rig.rounds.trouble import (
    MatchFault,
    MatchOver,
    RoundEnded,
    RoundNotEnded,
    RoundSigned,
    RoundStillOpen,
    ScoreMissing,
)
from rig.service.desk import Desk
from rig.service.requests import EndRequest, MatchRequest, SignRequest
from rig.service.round_documents import read_of
from rig.store.matches import KeptMatch, KeptRound
from rig.store.trouble import VersionConflict


def begin_match(desk: Desk, wish: MatchRequest) -> KeptMatch:
    """Begin a match. MatchFault with the place if it cannot be played."""
    match = _match_of_wish(wish)
    check_match(match, desk.settings.deck)
    return desk.store.matches.begin(secrets.token_hex(8), desk.now(), match_data(match))


def _match_of_wish(wish: MatchRequest) -> Match:
    way = wish.way
    limits = way.tolerance
    for unit, legal, illegal in (
        ("mm", limits.legal_mm, limits.illegal_mm),
        ("deg", limits.legal_deg, limits.illegal_deg),
    ):
        if legal > illegal:
            raise MatchFault(where=f"way.tolerance.legal_{unit}", why=f"more than illegal_{unit}")
    return Match(
        players=tuple(Player(player.name, player.colour) for player in wish.players),
        way=WayToPlay(
            limited_space=way.limited_space,
            suits=None if way.suits is None else frozenset(way.suits),
            free_for_all=way.free_for_all,
            sabotage=way.sabotage,
            tolerance=Tolerance(**limits.model_dump()),
            off=frozenset(way.off),
            illegal_stay=way.illegal_stay,
            target=way.target,
            one_winner=way.one_winner,
        ),
    )


def begin_round(desk: Desk, match_id: str) -> KeptRound:
    """Begin the next round. MatchOver, or RoundStillOpen."""
    match = match_of(desk.store.matches.get(match_id).data)
    rounds = [round_of(kept.data) for kept in desk.store.matches.rounds(match_id)]
    unsigned = [round_ for round_ in rounds if round_.state == "open"]
    if unsigned:
        raise RoundStillOpen(round=unsigned[0].number)
    limit = 3 if match.way.limited_space else None
    if standings(match, rounds).over or (limit is not None and len(rounds) >= limit):
        raise MatchOver
    number = max((kept.number for kept in rounds), default=0) + 1
    begun = round_data(Round(number, desk.now()))
    return desk.store.matches.begin_round(match_id, number, begun)


def check_open(desk: Desk, match_id: str, number: int) -> None:
    """RoundEnded if the round is over already: before a picture is taken for it."""
    kept = desk.store.matches.round(match_id, number)
    if round_of(kept.data).state != "open":
        raise RoundEnded(round=number)


def end_round(desk: Desk, match_id: str, number: int, frame: str, wish: EndRequest) -> KeptRound:
    """End a round by this frame. RoundEnded if it was over already."""
    kept = desk.store.matches.round(match_id, number)
    desk.store.frames.get(frame)
    match = match_of(desk.store.matches.get(match_id).data)
    if wish.finished_first is not None and wish.finished_first not in match.colours:
        raise MatchFault(where="finished_first", why=f"expected {', '.join(match.colours)}")
    over = ended(round_of(kept.data), desk.now(), wish.finished_first)
    return desk.store.matches.change_round(kept, round_data(over), frame)


def change_frame(desk: Desk, match_id: str, number: int, frame: str) -> KeptRound:
    """Give a round that ended another picture. Signatures under the old one are void."""
    kept = desk.store.matches.round(match_id, number)
    desk.store.frames.get(frame)
    round_ = round_of(kept.data)
    if round_.state == "open":
        raise RoundNotEnded(round=number)
    if round_.state == "signed":
        raise RoundSigned(round=number)
    bare = Round(number, round_.begun_at, "ended", round_.ended_at, round_.finished_first)
    return desk.store.matches.change_round(kept, round_data(bare), frame)


def sign_round(desk: Desk, match_id: str, number: int, wish: SignRequest) -> KeptRound:
    """Sign a round at the version that was looked at. VersionConflict if it moved on."""
    with desk.changing:
        return _sign_round(desk, match_id, number, wish)


def _sign_round(desk: Desk, match_id: str, number: int, wish: SignRequest) -> KeptRound:
    kept = desk.store.matches.round(match_id, number)
    round_ = round_of(kept.data)
    if round_.state == "open":
        raise RoundNotEnded(round=number)
    read = read_of(desk, kept)
    if read is None:
        raise ScoreMissing(round=number)
    if read.frame.version != wish.frame_version:
        raise VersionConflict(expected=wish.frame_version, found=read.frame.version)
    match = match_of(desk.store.matches.get(match_id).data)
    signature = Signature(wish.player or THE_TABLE, desk.now(), wish.frame_version)
    done = signed(round_, match, signature, result_of(match, read.replayed.reading))
    return desk.store.matches.change_round(kept, round_data(done), kept.frame)


def open_again(desk: Desk, match_id: str, number: int) -> KeptRound:
    """Open a signed round again."""
    kept = desk.store.matches.round(match_id, number)
    again = opened_again(round_of(kept.data))
    return desk.store.matches.change_round(kept, round_data(again), kept.frame)
