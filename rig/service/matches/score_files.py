"""Every round as a table for a spreadsheet, and every match as JSON."""

import csv
import io
import json
import re
import unicodedata
from collections.abc import Iterator

from referee.rounds.match import Match, suits_of_round
from referee.rounds.round import Disagreement, Result, Signature
from referee.rounds.rounds_json import match_of, round_of
from referee.rounds.standings import announced, announced_sure
from rig.store.matches import KeptMatch, KeptRound
from rig.store.store import Store

COLUMNS = (
    "match",
    "round",
    "state",
    "begun_at",
    "ended_at",
    "frame",
    "colour",
    "players",
    "as_it_lies",
    "without_illegal",
    "announced",
    "sure",
    "finished_first",
    "variant",
    "missing",
    "signed_by",
    "disagreements",
)
_PAGE = 200
_FORMULA = ("=", "+", "-", "@")
_PARTING = re.compile(r"(?<=[;,|\t\r\n\"\u037e])")
"""After these a cell begins, as a spreadsheet of some language or setting reads it."""
_UNSEEN = frozenset({"Cc", "Cf", "Zl", "Zp", "Zs"})
"""Unicode categories of what a spreadsheet may skip at a cell's beginning: spaces, controls, and
what is not drawn at all (zero-width, bidirectional).
"""


def matches_csv(store: Store) -> str:
    """A line a round and colour; scores stand there once the round is signed."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\r\n")
    table.writerow(COLUMNS)
    for match in _matches(store):
        for kept in store.matches.rounds(match.id):
            table.writerows(_lines(match, kept))
    return text.getvalue()


def matches_json(store: Store) -> str:
    """Every match with its rounds, as they are kept."""
    matches = [
        {
            "id": match.id,
            "begun_at": match.begun_at,
            **match.data,
            "rounds": [
                {**kept.data, "frame": kept.frame} for kept in store.matches.rounds(match.id)
            ],
        }
        for match in _matches(store)
    ]
    return json.dumps({"format": "tacta-rounds/1", "matches": matches}, indent=1) + "\n"


def _matches(store: Store) -> Iterator[KeptMatch]:
    before = None
    while page := store.matches.latest(_PAGE, before):
        yield from page
        before = page[-1].seq


def _lines(kept_match: KeptMatch, kept: KeptRound) -> Iterator[list[object]]:
    match, round_ = match_of(kept_match.data), round_of(kept.data)
    result = round_.result
    for colour in match.colours:
        scores: list[object] = ["", "", "", ""]
        if result is not None:
            scores = [
                result.as_it_lies[colour],
                result.without_illegal[colour],
                announced(match, result)[colour],
                "yes" if announced_sure(match, result) else "no",
            ]
        yield [
            kept.match,
            round_.number,
            round_.state,
            round_.begun_at,
            round_.ended_at or "",
            kept.frame or "",
            colour,
            _harmless(" & ".join(match.side(colour))),
            *scores,
            round_.finished_first or "",
            _variant(match, round_.number),
            "" if result is None else _missing(result, colour),
            _harmless("; ".join(_signed(one) for one in round_.signatures)),
            _harmless("; ".join(_disagreed(one) for one in round_.disagreements)),
        ]


def _variant(match: Match, number: int) -> str:
    way = match.way
    names = ("limited_space", "free_for_all", "sabotage", "illegal_stay", "one_winner")
    suits = suits_of_round(way, number)
    parts = [name for name in names if getattr(way, name)]
    parts += [] if suits is None else [f"suits {'+'.join(sorted(suits))}"]
    parts += [f"without {rule}" for rule in sorted(way.off)]
    return "; ".join(parts) or "standard"


def _missing(result: Result, colour: str) -> int:
    return sum(name == colour for name, _ in result.missing)


def _signed(signature: Signature) -> str:
    return f"{signature.player} (by {signature.by})" if signature.by else signature.player


def _disagreed(one: Disagreement) -> str:
    card = "" if one.card is None else f", card {one.card}"
    how = "open" if one.settled_at is None else f"settled by {one.settled_by}"
    how = f"overruled by {one.settled_by}" if one.overruled else how
    return f"{one.player}: {one.reason} ({how}{card})"


def _harmless(text: str) -> str:
    """A text of which no part is a formula for a spreadsheet: such a one gets an apostrophe before
    it, where a cell may begin: at the start, and after what parts cells somewhere.

    Spaces and unseen characters may stand before it, and a fullwidth sign is the plain one to some.
    """
    parts = _PARTING.split(text)
    return "".join(f"'{part}" if _is_formula(part) else part for part in parts)


def _is_formula(text: str) -> bool:
    seen = next((one for one in text if unicodedata.category(one) not in _UNSEEN), "")
    return unicodedata.normalize("NFKC", seen).startswith(_FORMULA)
