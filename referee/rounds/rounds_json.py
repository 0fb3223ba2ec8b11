"""Matches and rounds as JSON values, as the store keeps them."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from geometry.rules import Tolerance
from referee.rounds.match import Match, Player, WayToPlay
from referee.rounds.round import Disagreement, Result, Round, Signature


def match_data(match: Match) -> dict[str, Any]:
    """The match as JSON values."""
    way = match.way
    return {
        "players": [asdict(player) for player in match.players],
        "way": {
            **asdict(way),
            "suits": None if way.suits is None else sorted(way.suits),
            "off": sorted(way.off),
        },
    }


def match_of(data: Mapping[str, Any]) -> Match:
    """The match that `match_data` wrote."""
    way = dict(data["way"])
    suits = way.pop("suits")
    return Match(
        players=tuple(Player(**player) for player in data["players"]),
        way=WayToPlay(
            tolerance=Tolerance(**way.pop("tolerance")),
            suits=None if suits is None else frozenset(suits),
            off=frozenset(way.pop("off")),
            **way,
        ),
    )


def round_data(round_: Round) -> dict[str, Any]:
    """The round as JSON values."""
    return asdict(round_)


def _result_of(data: Mapping[str, Any]) -> Result:
    missing = tuple((colour, face) for colour, face in data.get("missing", ()))
    return Result(**{**data, "missing": missing})


def round_of(data: Mapping[str, Any]) -> Round:
    """The round that `round_data` wrote."""
    result = data["result"]
    return Round(
        **{
            **data,
            "signatures": tuple(Signature(**signature) for signature in data["signatures"]),
            "result": None if result is None else _result_of(result),
            "disagreements": tuple(Disagreement(**one) for one in data.get("disagreements", ())),
        }
    )
