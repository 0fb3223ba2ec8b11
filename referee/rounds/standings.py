"""What a round comes to, what several add up to, and who has won (E2, E3, E4, V1)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from referee.rounds.inventory import inventory
from referee.rounds.match import SUITS, Match
from referee.rounds.round import Result, Round
from vision.reading import Reading


@dataclass(frozen=True, slots=True)
class Standings:
    """Totals by colour over the signed rounds. `winners` is empty while the match goes on.

    Several winners share the win (E3). `over`: no more rounds are to come. `sure` is false
    where a round was signed while a doubt could still change its score.
    """

    totals: dict[str, int]
    sure: bool
    leaders: tuple[str, ...]
    over: bool
    winners: tuple[str, ...]


def result_of(match: Match, number: int, reading: Reading) -> Result:
    """A reading's scores for the colours in play; a colour with no card on the table has 0.

    Where cards are missing that the way of playing wants, neither score is sure.
    """
    table = inventory(match, number, reading.seen.layout)
    missing = () if table.missing_is_fine and not table.nobody_finished else table.missing
    return Result(
        as_it_lies=_in_play(match, reading.scores),
        without_illegal=_in_play(match, reading.scores_without_illegal),
        sure=reading.sure and not missing,
        sure_without_illegal=reading.sure_without_illegal and not missing,
        missing=missing,
    )


def announced(match: Match, result: Result) -> dict[str, int]:
    """The score that counts: without illegal cards (E2), unless the house lets them stay."""
    return result.as_it_lies if match.way.illegal_stay else result.without_illegal


def announced_sure(match: Match, result: Result) -> bool:
    """Whether the score that counts is sure."""
    return result.sure if match.way.illegal_stay else result.sure_without_illegal


def standings(match: Match, rounds: Sequence[Round]) -> Standings:
    """Add up the signed rounds and see whether the match is decided."""
    totals = dict.fromkeys(match.colours, 0)
    signed = [(round_, round_.result) for round_ in rounds if round_.result is not None]
    for _, result in signed:
        for colour, dots in announced(match, result).items():
            totals[colour] += dots
    sure = all(announced_sure(match, result) for _, result in signed)
    last = signed[-1][0] if signed else None
    best = leaders(match, totals, None if last is None else last.finished_first)
    over = match_over(match, totals, len(signed))
    return Standings(totals, sure, best if signed else (), over, best if over else ())


def match_over(match: Match, totals: Mapping[str, int], signed_rounds: int) -> bool:
    """Whether the target is reached, or limited space has had its three rounds."""
    if match.way.limited_space:
        return signed_rounds >= len(SUITS)
    target = match.way.target
    return target is not None and signed_rounds > 0 and max(totals.values()) >= target


def leaders(match: Match, totals: Mapping[str, int], finished_first: str | None) -> tuple[str, ...]:
    """The colours with most dots; a tie is shared, or goes to who finished first (E3)."""
    most = max(totals.values())
    best = tuple(colour for colour, dots in totals.items() if dots == most)
    if match.way.one_winner and finished_first in best:
        return (finished_first,)
    return best


def free_cards(reading: Reading) -> tuple[int, ...]:
    """Cards laid touching nothing (T6): whether a legal move existed is for the table to say."""
    return tuple(card.id for card in reading.cards if card.free)


def _in_play(match: Match, scores: Mapping[str, int]) -> dict[str, int]:
    return {colour: scores.get(colour, 0) for colour in match.colours}
