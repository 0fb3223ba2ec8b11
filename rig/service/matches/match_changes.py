"""Putting a match right: undone endings, cancelled rounds, other names and colours, deletion."""

import logging
from dataclasses import replace

from referee.rounds.match import Match, Player, check_match
from referee.rounds.misfits import (
    ColoursSigned,
    FrameTaken,
    MatchFault,
    RoundEnded,
    RoundNotLast,
    RoundStillOpen,
    SeatTaken,
)
from referee.rounds.names import reads_like
from referee.rounds.round import Round, check_ended, resumed
from referee.rounds.rounds_json import match_data, match_of, round_data, round_of
from rig.service.access.access import Identity
from rig.service.matches.match_history import note, note_with
from rig.service.matches.parts import MatchParts
from rig.service.matches.requests import PlayersRequest
from rig.service.matches.seats import seats
from rig.store.matches import KeptMatch, KeptRound
from rig.store.trouble import VersionConflict
from vision.reason import Reason

_log = logging.getLogger(__name__)


def check_frame_free(parts: MatchParts, match_id: str, number: int, frame: str) -> None:
    """FrameTaken if the frame shows the end of another round."""
    for kept in parts.store.matches.rounds_of_frame(frame):
        if (kept.match, kept.number) != (match_id, number):
            begun = parts.store.matches.get(kept.match).begun_at
            raise FrameTaken(round=kept.number, begun=begun[:16].replace("T", " "))


def resume_round(parts: MatchParts, match_id: str, number: int, who: str) -> KeptRound:
    """A round that was ended by mistake is played on; its photo stays among the others."""
    with parts.change():
        kept = parts.store.matches.round(match_id, number)
        for other in parts.store.matches.rounds(match_id):
            if round_of(other.data).state == "open" and other.number != number:
                raise RoundStillOpen(round=other.number)
        now = parts.store.matches.change_round(kept, round_data(resumed(round_of(kept.data))), None)
        note(parts, match_id, who, "resumed", number, frame=kept.frame)
        return now


def cancel_round(parts: MatchParts, match_id: str, number: int, who: str) -> KeptMatch:
    """Take the newest round away while it is played."""
    with parts.change():
        kept = parts.store.matches.round(match_id, number)
        is_open = round_of(kept.data).state == "open"
        last = parts.store.matches.rounds(match_id)[-1].number
        way = match_of(parts.store.matches.get(match_id).data).way
        is_played_again = is_open and way.limited_space  # what was deleted before later ones
        if last != number and not is_played_again:
            raise RoundNotLast(round=number, later=last)
        if not is_open:
            raise RoundEnded(round=number)
        parts.store.matches.cancel_round(kept)
        return note(parts, match_id, who, "cancelled", number)


def change_finished(
    parts: MatchParts, match_id: str, number: int, colour: str | None, who: str
) -> KeptRound:
    """Say again who finished first in a round that is not signed."""
    with parts.change():
        kept = parts.store.matches.round(match_id, number)
        round_ = round_of(kept.data)
        check_ended(round_)
        match = match_of(parts.store.matches.get(match_id).data)
        check_finished(match, colour)
        data = {**round_data(round_), "finished_first": colour}
        now = parts.store.matches.change_round(kept, data, kept.frame)
        note(parts, match_id, who, "finished-first", number, was=round_.finished_first, now=colour)
        return now


def check_finished(match: Match, colour: str | None) -> None:
    """MatchFault if nobody plays this colour."""
    if colour is not None and colour not in match.colours:
        why = Reason("expected", {"what": ", ".join(match.colours)})
        raise MatchFault(where="finished_first", why=why)


def change_players(
    parts: MatchParts, match_id: str, wish: PlayersRequest, who: Identity
) -> KeptMatch:
    """Other names, colours or seats. Signatures go with the names that they were given under.

    SeatTaken where a player would go whose phone is another's.
    """
    with parts.change():
        kept = parts.store.matches.get(match_id)
        if kept.version != wish.version:
            raise VersionConflict(expected=wish.version, found=kept.version)
        before = match_of(kept.data)
        match = Match(tuple(Player(one.name, one.colour) for one in wish.players), before.way)
        check_match(match, parts.deck)
        rounds = parts.store.matches.rounds(match_id)
        _check_colours(before, match, [round_of(one.data) for one in rounds])
        names = {one.was: one.name for one in wish.players if one.was is not None}
        _check_left(parts, kept, names, who)
        for one in rounds:
            data = _renamed(round_of(one.data), names, match)
            if data != round_of(one.data):
                parts.store.matches.change_round(one, round_data(data), one.frame)
        changes = {**match_data(match), **_kept_seats(parts, kept, names, match)}
        facts = {"was": match_data(before)["players"], "now": match_data(match)["players"]}
        return note_with(parts, match_id, changes, who.name, "players", **facts)


def _kept_seats(
    parts: MatchParts, kept: KeptMatch, names: dict[str, str], match: Match
) -> dict[str, dict[str, str]]:
    """Whose phone is whose: it goes with its player, unless another has the phone's name now."""
    taken = {names[n]: p for n, p in kept.data.get("phones", {}).items() if n in names}
    granted = {names[n]: p for n, p in kept.data.get("granted", {}).items() if n in names}
    after = {reads_like(player.name) for player in match.players}
    for name, phone in seats(parts, kept).items():
        if name not in names or phone is None or reads_like(phone.name) in after:
            continue
        if taken.get(names[name]) != phone.id:
            granted.setdefault(names[name], phone.id)
    return {"phones": taken, "granted": granted}


def _check_left(parts: MatchParts, kept: KeptMatch, names: dict[str, str], who: Identity) -> None:
    """SeatTaken where a player would go who has a phone: only that phone, or an admin, does that,
    or else a seat could be had by removing its player and adding another.
    """
    for name, phone in seats(parts, kept).items():
        if name not in names and phone is not None and phone.id != who.phone:
            if who.may("admin"):
                continue
            raise SeatTaken(player=name, phone=phone.name)


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


def delete_round(parts: MatchParts, match_id: str, number: int, who: str) -> KeptMatch:
    """Delete a round for good, whatever its state; its frame stays until it is deleted too."""
    with parts.change():
        parts.store.matches.round(match_id, number)
        parts.store.matches.delete_round(match_id, number)
        parts.outbox.forget_match(match_id, number)
        return note(parts, match_id, who, "deleted", number)


def delete_match(parts: MatchParts, match_id: str, who: str) -> None:
    """Delete a match for good; that it was deleted stays in the log."""
    with parts.change():
        parts.store.matches.delete(match_id, {"at": parts.clock.now(), "who": who})
        parts.outbox.forget_match(match_id)
    _log.warning("match %s was deleted by %s", match_id, who)
