"""A match as a terminal shows it."""

from collections.abc import Sequence

from rich.markup import escape
from rich.table import Table

from referee.rounds.match import Match
from referee.rounds.round import Round
from referee.rounds.rounds_json import match_of, round_of
from referee.rounds.standings import announced, announced_sure, standings
from rig.store.matches import KeptMatch, KeptRound


def match_table(kept: KeptMatch, rounds: Sequence[KeptRound]) -> Table:
    """A line a round, a column a colour, the totals of the signed rounds below."""
    match = match_of(kept.data)
    played = [round_of(other.data) for other in rounds]
    found = standings(match, played)
    won = f", won by {' and '.join(found.winners)}" if found.winners else ""
    title = escape(f"Match {kept.id}, {kept.begun_at[:16].replace('T', ' ')}{won}")
    table = Table(title=title, title_justify="left", title_style="bold", show_footer=True)
    table.add_column("Round", footer="Total")
    for colour in match.colours:
        names = " & ".join(match.side(colour))
        total = f"{found.totals[colour]}{'' if found.sure else ' ?'}"
        table.add_column(escape(f"{names}\n{colour}"), justify="right", footer=total)
    table.add_column("State")
    for round_ in played:
        table.add_row(str(round_.number), *_scores(match, round_), round_.state)
    return table


def _scores(match: Match, round_: Round) -> list[str]:
    if round_.result is None:
        return ["" for _ in match.colours]
    points = announced(match, round_.result)
    mark = "" if announced_sure(match, round_.result) else " ?"
    return [f"{points[colour]}{mark}" for colour in match.colours]
