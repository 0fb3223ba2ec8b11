"""The figures of some followed games as a table."""

from __future__ import annotations

from collections.abc import Mapping

from rich.table import Table

from measuring.game.score import GameScore


def table_of(games: Mapping[int, GameScore]) -> Table:
    """All games' figures with what is asked of them, and what single games lack."""
    scores = list(games.values())

    def total(figure: str) -> int:
        return sum(int(getattr(score, figure)) for score in scores)

    table = Table("", "asked", "found")
    laid, illegal = total("laid"), total("illegal")
    final = sum(score.exact and score.sure for score in scores)
    rows = (
        ("cards named right when laid", "", share(total("at_once"), laid)),
        ("... or corrected before the end", "99.8 %", share(total("named"), laid)),
        ("silently wrong at the end", "0", str(total("silent"))),
        ("illegal cards said at once", "99 %", share(total("illegal_at_once"), illegal)),
        ("... or by the end", "100 %", share(total("illegal_by_end"), illegal)),
        ("false accusations", "1 in 1,000", f"{total('accused')} of {laid}"),
        ("final scores exact and sure", "19 of 20", share(final, len(scores))),
        ("... exact", "", share(total("exact"), len(scores))),
    )
    for row in rows:
        table.add_row(*row)
    for seed, score in games.items():
        if lacks := _lacks(score):
            table.add_row(f"game {seed}", "", ", ".join(lacks))
    return table


def share(part: int, whole: int) -> str:
    """So many of so many, in per cent as well."""
    return f"{part} of {whole}" + (f", {part / whole:.1%}" if whole else "")


def _lacks(score: GameScore) -> list[str]:
    out = []
    if score.named < score.laid:
        out.append(f"{score.laid - score.named} named wrongly")
    if score.silent:
        out.append(f"{score.silent} silently wrong")
    if score.illegal_at_once < score.illegal:
        out.append(f"{score.illegal - score.illegal_at_once} illegal not said at once")
    if score.illegal_by_end < score.illegal:
        out.append(f"{score.illegal - score.illegal_by_end} illegal not said")
    if score.accused:
        out.append(f"{score.accused} accused falsely")
    if not score.exact:
        out.append("final score not exact")
    elif not score.sure:
        out.append("final score not sure")
    return out
