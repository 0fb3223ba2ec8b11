"""Matches and rounds as they go on: begun, ended by a frame, signed, opened again."""

import secrets
from collections.abc import Sequence
from dataclasses import replace

from geometry.rules import Tolerance
from referee.rounds.match import Match, Player, WayToPlay, check_match
from referee.rounds.misfits import (
    MatchFault,
    MatchOver,
    RoundEnded,
    RoundStillOpen,
)
from referee.rounds.round import Round, check_ended, ended, opened_again
from referee.rounds.rounds_json import match_data, match_of, round_data, round_of
from referee.rounds.standings import standings
from rig.service.matches.match_changes import check_finished, check_frame_free
from rig.service.matches.match_history import note
from rig.service.matches.parts import MatchParts
from rig.service.matches.requests import EndRequest, MatchRequest
from rig.store.matches import KeptMatch, KeptRound
from vision.reason import Reason


def begin_match(parts: MatchParts, wish: MatchRequest) -> KeptMatch:
    """Begin a match. MatchFault with the place if it cannot be played."""
    match = _match_of_wish(wish)
    check_match(match, parts.deck)
    return parts.store.matches.begin(secrets.token_hex(8), parts.clock.now(), match_data(match))


def _match_of_wish(wish: MatchRequest) -> Match:
    way = wish.way
    limits = way.tolerance
    for unit, legal, illegal in (
        ("mm", limits.legal_mm, limits.illegal_mm),
        ("deg", limits.legal_deg, limits.illegal_deg),
    ):
        if legal > illegal:
            why = Reason("more-than", {"other": f"illegal_{unit}"})
            raise MatchFault(where=f"way.tolerance.legal_{unit}", why=why)
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


def begin_round(parts: MatchParts, match_id: str) -> KeptRound:
    """Begin the next round. MatchOver, or RoundStillOpen."""
    with parts.change():
        match = match_of(parts.store.matches.get(match_id).data)
        rounds = [round_of(kept.data) for kept in parts.store.matches.rounds(match_id)]
        unsigned = [round_ for round_ in rounds if round_.state == "open"]
        if unsigned:
            raise RoundStillOpen(round=unsigned[0].number)
        limit = 3 if match.way.limited_space else None
        if standings(match, rounds).over or (limit is not None and len(rounds) >= limit):
            raise MatchOver
        number = _next_number(match, rounds)
        begun = round_data(Round(number, parts.clock.now()))
        return parts.store.matches.begin_round(match_id, number, begun)


def _next_number(match: Match, rounds: Sequence[Round]) -> int:
    """The number of the next round: of limited space the first that is not there, else one more.

    A deleted round of limited space is played again, with its suit.
    """
    taken = {round_.number for round_ in rounds}
    if match.way.limited_space:
        return min(set(range(1, len(taken) + 2)) - taken)
    return max(taken, default=0) + 1


def check_open(parts: MatchParts, match_id: str, number: int) -> None:
    """RoundEnded if the round is over already: before a picture is taken for it."""
    kept = parts.store.matches.round(match_id, number)
    if round_of(kept.data).state != "open":
        raise RoundEnded(round=number)


def end_round(
    parts: MatchParts, match_id: str, number: int, frame: str, wish: EndRequest
) -> KeptRound:
    """End a round by this frame. RoundEnded if it was over already."""
    with parts.change():
        kept = parts.store.matches.round(match_id, number)
        parts.store.frames.get(frame)
        check_finished(match_of(parts.store.matches.get(match_id).data), wish.finished_first)
        over = ended(round_of(kept.data), parts.clock.now(), wish.finished_first)
        check_frame_free(parts, match_id, number, frame)
        return parts.store.matches.change_round(kept, round_data(over), frame)


def change_frame(parts: MatchParts, match_id: str, number: int, frame: str, who: str) -> KeptRound:
    """Give a round that ended another picture. Signatures under the old one are void."""
    with parts.change():
        now = _change_frame(parts, match_id, number, frame)
        note(parts, match_id, who, "frame", number, frame=frame)
        return now


def _change_frame(parts: MatchParts, match_id: str, number: int, frame: str) -> KeptRound:
    kept = parts.store.matches.round(match_id, number)
    parts.store.frames.get(frame)
    round_ = round_of(kept.data)
    check_ended(round_)
    check_frame_free(parts, match_id, number, frame)
    bare = replace(round_, signatures=(), result=None)
    return parts.store.matches.change_round(kept, round_data(bare), frame)


def open_again(parts: MatchParts, match_id: str, number: int, who: str) -> KeptRound:
    """Open a signed round again."""
    with parts.change():
        kept = parts.store.matches.round(match_id, number)
        again = opened_again(round_of(kept.data))
        now = parts.store.matches.change_round(kept, round_data(again), kept.frame)
        note(parts, match_id, who, "reopened", number)
        return now
