"""Putting a match right: undone endings, cancelled rounds, other names and colours, deletion."""

from __future__ import annotations

import logging
from dataclasses import replace

from rig.rounds.match import Match, Player, check_match
from rig.rounds.round import Round, resumed
from rig.rounds.rounds_json import match_data, match_of, round_data, round_of
from rig.rounds.trouble import (
    ColoursSigned,
    FrameTaken,
    MatchFault,
    RoundEnded,
    RoundNotEnded,
    RoundNotLast,
    RoundSigned,
    RoundStillOpen,
)
from rig.service.desk import Desk
from rig.service.match_history import note, note_with
from rig.service.requests import PlayersRequest
from rig.service.seats import seats
from rig.store.matches import KeptMatch, KeptRound
from rig.store.trouble import VersionConflict
from vision.reason import Reason

_log = logging.getLogger(__name__)


def check_frame_free(desk: Desk, match_id: str, number: int, frame: str) -> None:
    """FrameTaken if the frame shows the end of another round."""
    for kept in desk.store.matches.rounds_of_frame(frame):
        if (kept.match, kept.number) != (match_id, number):
            begun = desk.store.matches.get(kept.match).begun_at
            raise FrameTaken(round=kept.number, begun=begun[:16].replace("T", " "))


def resume_round(desk: Desk, match_id: str, number: int, who: str) -> KeptRound:
    """A round that was ended by mistake is played on; its photo stays among the others."""
    with desk.changing:
        kept = desk.store.matches.round(match_id, number)
        for other in desk.store.matches.rounds(match_id):
            if round_of(other.data).state == "open" and other.number != number:
                raise RoundStillOpen(round=other.number)
        now = desk.store.matches.change_round(kept, round_data(resumed(round_of(kept.data))), None)
        note(desk, match_id, who, "resumed", number, frame=kept.frame)
        return now


def cancel_round(desk: Desk, match_id: str, number: int, who: str) -> KeptMatch:
    """Take the newest round away while it is played."""
    with desk.changing:
        kept = desk.store.matches.round(match_id, number)
        is_open = round_of(kept.data).state == "open"
        last = desk.store.matches.rounds(match_id)[-1].number
        way = match_of(desk.store.matches.get(match_id).data).way
        is_played_again = is_open and way.limited_space  # what was deleted before later ones
        if last != number and not is_played_again:
            raise RoundNotLast(round=number, later=last)
        if not is_open:
            raise RoundEnded(round=number)
        desk.store.matches.cancel_round(kept)
        return note(desk, match_id, who, "cancelled", number)


def change_finished(
    desk: Desk, match_id: str, number: int, colour: str | None, who: str
) -> KeptRound:
    """Say again who finished first in a round that is not signed."""
    with desk.changing:
        kept = desk.store.matches.round(match_id, number)
        round_ = round_of(kept.data)
        if round_.state == "open":
            raise RoundNotEnded(round=number)
        if round_.state == "signed":
            raise RoundSigned(round=number)
        match = match_of(desk.store.matches.get(match_id).data)
        check_finished(match, colour)
        data = {**round_data(round_), "finished_first": colour}
        now = desk.store.matches.change_round(kept, data, kept.frame)
        note(desk, match_id, who, "finished-first", number, was=round_.finished_first, now=colour)
        return now


def check_finished(match: Match, colour: str | None) -> None:
    """MatchFault if nobody plays this colour."""
    if colour is not None and colour not in match.colours:
        why = Reason("expected", {"what": ", ".join(match.colours)})
        raise MatchFault(where="finished_first", why=why)


def change_players(desk: Desk, match_id: str, wish: PlayersRequest, who: str) -> KeptMatch:
    """Other names, colours or seats. Signatures go with the names that they were given under."""
    with desk.changing:
        kept = desk.store.matches.get(match_id)
        if kept.version != wish.version:
            raise VersionConflict(expected=wish.version, found=kept.version)
        before = match_of(kept.data)
        match = Match(tuple(Player(one.name, one.colour) for one in wish.players), before.way)
        check_match(match, desk.settings.deck)
        rounds = desk.store.matches.rounds(match_id)
        _check_colours(before, match, [round_of(one.data) for one in rounds])
        names = {one.was: one.name for one in wish.players if one.was is not None}
        for one in rounds:
            data = _renamed(round_of(one.data), names, match)
            if data != round_of(one.data):
                desk.store.matches.change_round(one, round_data(data), one.frame)
        changes = {**match_data(match), "phones": _phones(desk, kept, names, match)}
        facts = {"was": match_data(before)["players"], "now": match_data(match)["players"]}
        return note_with(desk, match_id, changes, who, "players", **facts)


def _phones(desk: Desk, kept: KeptMatch, names: dict[str, str], match: Match) -> dict[str, str]:
    """Whose phone is whose: it goes with its player, unless another has the phone's name now."""
    phones = {names.get(n, n): p for n, p in kept.data.get("phones", {}).items()}
    after = {player.name.strip().casefold() for player in match.players}
    for name, phone in seats(desk, kept).items():
        if name in names and phone is not None and phone.name.strip().casefold() not in after:
            phones.setdefault(names[name], phone.id)
    return phones


def _check_colours(before: Match, after: Match, rounds: list[Round]) -> None:
    if set(before.colours) != set(after.colours) and any(r.state == "signed" for r in rounds):
        raise ColoursSigned(colours=", ".join(before.colours))


def _renamed(round_: Round, names: dict[str, str], match: Match) -> Round:
    first = round_.finished_first if round_.finished_first in match.colours else None
    return replace(
        round_,
        finished_first=first,
        signatures=tuple(
            replace(one, player=names.get(one.player, one.player)) for one in round_.signatures
        ),
        disagreements=tuple(
            replace(one, player=names.get(one.player, one.player)) for one in round_.disagreements
        ),
    )


def delete_round(desk: Desk, match_id: str, number: int, who: str) -> KeptMatch:
    """Delete a round for good, whatever its state; its frame stays until it is deleted too."""
    with desk.changing:
        desk.store.matches.round(match_id, number)
        desk.store.matches.delete_round(match_id, number)
        desk.outbox.forget_match(match_id, number)
        return note(desk, match_id, who, "deleted", number)


def delete_match(desk: Desk, match_id: str, who: str) -> None:
    """Delete a match for good; that it was deleted stays in the log."""
    with desk.changing:
        desk.store.matches.delete(match_id, {"at": desk.now(), "who": who})
        desk.outbox.forget_match(match_id)
    _log.warning("match %s was deleted by %s", match_id, who)
