"""What a player's signed rounds come to: points, wins, dots left showing, illegal cards."""

from collections import Counter
from dataclasses import dataclass, field

from referee.rounds.match import Match
from referee.rounds.names import reads_like
from referee.rounds.round import Round
from referee.rounds.rounds_json import match_of, round_of
from referee.rounds.standings import announced, leaders, standings
from rig.service.frames.frame_readings import Summary
from rig.service.matches.documents import PlayedRound, PlayerStatistics, StatisticsDocument
from rig.service.matches.parts import MatchParts
from rig.store.matches import KeptMatch, KeptRound
from rig.store.trouble import FrameUnknown, RowUnreadable

MOST_MATCHES = 200
"""The newest so many are looked through."""


@dataclass(slots=True)
class _Player:
    """A player while their rounds are gathered, under the name as it was typed last."""

    name: str
    matches: int = 0
    matches_won: int = 0
    illegal: int = 0
    dots: Counter[str] = field(default_factory=Counter)
    rounds: list[PlayedRound] = field(default_factory=list)


def statistics(parts: MatchParts) -> StatisticsDocument:
    """Every player of signed rounds, who played most first; names count without their case."""
    players: dict[str, _Player] = {}
    for kept in reversed(parts.store.matches.latest(MOST_MATCHES)):
        _gather(parts, kept, players)
    found = sorted(players.values(), key=lambda one: (-len(one.rounds), one.name.casefold()))
    return StatisticsDocument(players=[_document(one) for one in found])


def _gather(parts: MatchParts, kept: KeptMatch, players: dict[str, _Player]) -> None:
    match = match_of(kept.data)
    rounds = [(one, round_of(one.data)) for one in parts.store.matches.rounds(kept.id)]
    signed = [(one, round_) for one, round_ in rounds if round_.result is not None]
    if not signed:
        return
    winners = standings(match, [round_ for _, round_ in rounds]).winners
    for player in match.players:
        one = players.setdefault(reads_like(player.name), _Player(player.name))
        one.name = player.name
        one.matches += 1
        one.matches_won += player.colour in winners
    for kept_round, round_ in signed:
        summary = _summary(parts, kept_round)
        for player in match.players:
            one = players[reads_like(player.name)]
            one.rounds.append(_played(match, kept_round, round_, player.colour))
            if summary is not None:
                one.dots.update(summary.dots.get(player.colour, {}))
                one.illegal += summary.illegal.get(player.colour, 0)


def _summary(parts: MatchParts, kept: KeptRound) -> Summary | None:
    if kept.frame is None:
        return None
    try:
        return parts.readings.summary(parts.store.frames.get(kept.frame))
    except (FrameUnknown, RowUnreadable):
        return None


def _played(match: Match, kept: KeptRound, round_: Round, colour: str) -> PlayedRound:
    points = {} if round_.result is None else announced(match, round_.result)
    return PlayedRound(
        match=kept.match,
        number=kept.number,
        at=round_.ended_at or round_.begun_at,
        colour=colour,
        points=points.get(colour, 0),
        won=colour in leaders(match, points, round_.finished_first) if points else False,
    )


def _document(one: _Player) -> PlayerStatistics:
    points = [played.points for played in one.rounds]
    return PlayerStatistics(
        name=one.name,
        matches=one.matches,
        matches_won=one.matches_won,
        wins=sum(played.won for played in one.rounds),
        mean=round(sum(points) / len(points), 1),
        best=max(points),
        illegal=one.illegal,
        dots_by_shape=dict(sorted(one.dots.items())),
        rounds=one.rounds,
    )
