"""Matches and rounds as the service's documents."""

from collections import Counter
from dataclasses import replace

from referee.rounds.inventory import Inventory, inventory
from referee.rounds.match import (
    Match,
    Player,
    rules_of_round,
    suits_of_round,
    team_mates_side_by_side,
)
from referee.rounds.round import THE_TABLE, Result, Round, valid_signatures
from referee.rounds.rounds_json import match_data, match_of, round_of
from referee.rounds.standings import (
    announced,
    announced_sure,
    free_cards,
    leaders,
    result_of,
    standings,
)
from rig.service.frames.frame_readings import Read
from rig.service.http.trouble import NotRead
from rig.service.matches.documents import (
    DisagreementDocument,
    MatchChangeDocument,
    MatchDocument,
    PlayerDocument,
    PrintedCard,
    RoundDocument,
    SideDocument,
    SignatureDocument,
    StandingsDocument,
    WayDocument,
)
from rig.service.matches.parts import MatchParts
from rig.service.matches.seats import seats
from rig.store.matches import KeptMatch, KeptRound
from rig.store.phones import Phone
from rig.store.trouble import FrameUnknown, RowUnreadable

_NOTHING = Inventory((), (), (), missing_is_fine=False, nobody_finished=False)


def match_document(parts: MatchParts, kept: KeptMatch) -> MatchDocument:
    """A match with its rounds as their frames read now, and its standings."""
    match = match_of(kept.data)
    rounds = parts.store.matches.rounds(kept.id)
    return _match(parts, kept, match, [round_document(parts, match, other) for other in rounds])


def match_line(parts: MatchParts, kept: KeptMatch) -> MatchDocument:
    """A match for the history: what lies on signed rounds' tables is left out."""
    match = match_of(kept.data)
    rounds = parts.store.matches.rounds(kept.id)
    documents = [
        _round(match, other, None, being_read=False)
        if round_of(other.data).state == "signed"
        else round_document(parts, match, other)
        for other in rounds
    ]
    return _match(parts, kept, match, documents)


def _player(player: Player, phone: Phone | None) -> PlayerDocument:
    return PlayerDocument(
        name=player.name,
        colour=player.colour,
        phone=None if phone is None else phone.id,
        phone_name=None if phone is None else phone.name,
    )


def _match(
    parts: MatchParts, kept: KeptMatch, match: Match, documents: list[RoundDocument]
) -> MatchDocument:
    rounds = parts.store.matches.rounds(kept.id)
    phones = seats(parts, kept)
    found = standings(match, [round_of(other.data) for other in rounds])
    return MatchDocument(
        id=kept.id,
        begun_at=kept.begun_at,
        version=kept.version,
        players=[_player(player, phones[player.name]) for player in match.players],
        history=[MatchChangeDocument(**entry) for entry in kept.data.get("history", ())],
        way=WayDocument.model_validate(match_data(match)["way"]),
        side_by_side=list(team_mates_side_by_side(match.players)),
        standings=StandingsDocument.model_validate(found),
        rounds=documents,
    )


def round_document(parts: MatchParts, match: Match, kept: KeptRound) -> RoundDocument:
    """A round: its score as signed, or else as its frame reads now."""
    read = read_of(parts, kept)
    return _round(match, kept, read, being_read=read is None and _is_being_read(parts, kept.frame))


def preview_document(parts: MatchParts, match: Match, kept: KeptRound, frame: str) -> RoundDocument:
    """The round as it would be if this frame ended it. NotRead while it has no reading."""
    read = parts.readings.read(frame, rules_of_round(match.way, kept.number))
    return _round(match, replace(kept, frame=frame), read, being_read=False)


def _is_being_read(parts: MatchParts, frame: str | None) -> bool:
    if frame is None:
        return False
    try:
        return parts.store.frames.get(frame).state in ("waiting", "reading")
    except (FrameUnknown, RowUnreadable):
        return False


def _round(match: Match, kept: KeptRound, read: Read | None, being_read: bool) -> RoundDocument:
    round_ = round_of(kept.data)
    result = round_.result
    if result is None and read is not None:
        result = result_of(match, round_.number, read.replayed.reading)
    table = _NOTHING
    if read is not None:
        table = inventory(match, round_.number, read.replayed.reading.seen.layout)
    missing = table.missing or (() if result is None else result.missing)
    suits = suits_of_round(match.way, round_.number)
    return RoundDocument(
        match=kept.match,
        number=round_.number,
        state=round_.state,
        version=kept.version,
        frame=kept.frame,
        frame_version=None if read is None else read.frame.version,
        begun_at=round_.begun_at,
        ended_at=round_.ended_at,
        finished_first=round_.finished_first,
        suits=None if suits is None else sorted(suits),
        being_read=being_read,
        sure=None if result is None else announced_sure(match, result),
        sides=_sides(match, result),
        leaders=_leaders(match, result, round_),
        missing=[PrintedCard(colour=colour, face=face) for colour, face in missing],
        missing_by_colour=Counter(name for name, _ in ([] if result is None else result.missing)),
        missing_is_fine=table.missing_is_fine,
        nobody_finished=table.nobody_finished,
        unexpected=list(table.unexpected),
        twice=[PrintedCard(colour=colour, face=face) for colour, face in table.twice],
        free=[] if read is None else list(free_cards(read.replayed.reading)),
        illegal=[] if read is None else [item.card for item in read.replayed.reading.illegal],
        signatures=_signatures(round_, read),
        disagreements=[
            DisagreementDocument(
                number=number,
                player=one.player,
                at=one.at,
                reason=one.reason,
                card=one.card,
                settled_at=one.settled_at,
                settled_by=one.settled_by,
                overruled=one.overruled,
            )
            for number, one in enumerate(round_.disagreements, start=1)
        ],
        waiting_for=_waiting_for(match, round_, read),
    )


def read_of(parts: MatchParts, kept: KeptRound) -> Read | None:
    """The reading of a round's frame, None while there is none."""
    if kept.frame is None:
        return None
    try:
        return parts.readings.read(kept.frame)
    except (NotRead, FrameUnknown, RowUnreadable):
        return None


def _sides(match: Match, result: Result | None) -> list[SideDocument]:
    counts = {} if result is None else announced(match, result)
    return [
        SideDocument(
            colour=colour,
            players=list(match.side(colour)),
            as_it_lies=None if result is None else result.as_it_lies[colour],
            without_illegal=None if result is None else result.without_illegal[colour],
            announced=counts.get(colour),
        )
        for colour in match.colours
    ]


def _leaders(match: Match, result: Result | None, round_: Round) -> list[str]:
    if result is None:
        return []
    return list(leaders(match, announced(match, result), round_.finished_first))


def _signatures(round_: Round, read: Read | None) -> list[SignatureDocument]:
    """Those that count: of a signed round all, else those under the reading as it is now."""
    valid = round_.signatures
    if round_.state != "signed":
        valid = () if read is None else valid_signatures(round_, read.frame.version)
    return [SignatureDocument(player=one.player, at=one.at, by=one.by or None) for one in valid]


def _waiting_for(match: Match, round_: Round, read: Read | None) -> list[str]:
    if round_.state != "ended":
        return []
    names = {one.player for one in _signatures(round_, read)}
    return [p.name for p in match.players if p.name not in names and THE_TABLE not in names]
