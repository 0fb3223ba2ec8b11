"""What the scores may turn out to be, as lines of text."""

from collections.abc import Mapping, Sequence

from referee.corrections.outcomes import Outcome, common_leaders
from rig.wording.catalogue import sentence
from vision.reading import Reading
from vision.reason import Reason

MOST_SHOWN = 6
"""The likeliest; nobody chooses among more."""


def is_worth_telling(reading: Reading, outcomes: Sequence[Outcome]) -> bool:
    """Whether a score is not sure, and there is something to tell of how probable it is."""
    return not (reading.sure and reading.sure_without_illegal) and bool(outcomes)


def outcome_lines(
    reading: Reading, outcomes: Sequence[Outcome], language: str = "en"
) -> tuple[list[str], list[str]]:
    """A line for each outcome, the likeliest first, and what is to be said of all of them.

    What is left for anything else is told where it comes to 1 % when rounded; who leads in all,
    where there are several.
    """
    shown = outcomes[:MOST_SHOWN]
    lines = [_line(one, reading, language) for one in shown]
    said: list[str] = []
    rest = 1 - sum(one.probability for one in shown)
    has_more = round(100 * rest) >= 1
    if has_more:
        said.append(sentence(Reason("outcomes-else", {"share": rest}), language))
    leaders = common_leaders(outcomes)
    if leaders and len(outcomes) > 1:
        names = [sentence(Reason("outcome-leader", {"colour": one}), language) for one in leaders]
        lead = sentence(Reason("outcomes-lead", {"leaders": ", ".join(names)}), language)
        more = Reason("outcomes-unnamed", {"lead": lead})
        said.append(sentence(more, language) if has_more else lead)
    return lines, said


def _line(outcome: Outcome, reading: Reading, language: str) -> str:
    """The announced score, the visible dots where these change otherwise, how probable it is."""
    read, now = reading.scores_without_illegal, outcome.scores_without_illegal
    order = sorted({*read, *now}, key=lambda name: (-read.get(name, 0), name))
    otherwise = [
        name for name in order if _by(name, reading.scores, outcome.scores) != _by(name, read, now)
    ]
    told = _points(order, read, now, language)
    if otherwise:
        dots = _points(otherwise, reading.scores, outcome.scores, language)
        told = sentence(Reason("outcome-lying", {"points": told, "dots": dots}), language)
    elif not any(_by(name, read, now) for name in order):
        told = sentence(Reason("outcome-as-read", {"points": told}), language)
    share = Reason("outcome-share", {"outcome": told, "share": outcome.probability})
    return sentence(share, language)


def _points(
    names: Sequence[str], read: Mapping[str, int], now: Mapping[str, int], language: str
) -> str:
    """The dots of these colours, and by how many they are not as read."""
    parts = []
    for name in names:
        dots, by = now.get(name, 0), _by(name, read, now)
        told = (
            Reason("outcome-changed", {"colour": name, "dots": dots, "by": by})
            if by
            else Reason("outcome-points", {"colour": name, "dots": dots})
        )
        parts.append(sentence(told, language))
    return ", ".join(parts)


def _by(name: str, read: Mapping[str, int], now: Mapping[str, int]) -> int:
    return now.get(name, 0) - read.get(name, 0)
