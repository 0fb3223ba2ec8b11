"""How placements are judged: every rule that was broken, and the legal cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from measuring.accuracy.sample import Sample
from measuring.scenes.comparison import Comparison
from measuring.scenes.sheet import verdict_counts

HEADER = (
    "| rule | cases | named | by another rule | doubted | missed | of legal cards |\n"
    "|---|---|---|---|---|---|---|"
)


def placements(samples: Sequence[Sample]) -> Iterator[str]:
    """A table of the rules as Markdown lines, and a sentence on the legal cards."""
    read = [sample.seen for sample in samples if sample.seen is not None]
    refused = [sample.rules_broken for sample in samples if sample.seen is None]
    counts = verdict_counts(read, refused)
    if counts:
        yield HEADER
    for rule, of in counts.items():
        false = of.get("false", 0)
        cases = sum(of.values()) - false
        missed = of.get("missed", 0) + of.get("refused", 0)
        named = share(of.get("named", 0), cases)
        yield (
            f"| `{rule}` | {cases} | {named} | {of.get('misnamed', 0)} "
            f"| {of.get('doubted', 0)} | {missed} | {false} |"
        )
    if counts:
        yield from _not_named(read, refused)
    legal = sum(seen.legal for seen in read)
    if legal:
        accused = sum(len(seen.accused) for seen in read)
        doubted = sum(seen.legal_doubted for seen in read)
        yield ""
        yield (
            f"Of {legal} clearly legal placements {accused} were called illegal "
            f"({1000 * accused / legal:.2g} in a thousand), and the verdict on {doubted} was "
            f"doubted ({100 * doubted / legal:.2g} %)."
        )


def _not_named(read: Sequence[Comparison], refused: Sequence[Sequence[str]]) -> Iterator[str]:
    """What the score without illegal cards said where a broken rule was not named.

    A card that was not found, or was struck for another rule, carries no verdict that could be
    doubted: the doubt is the score's.
    """
    scores = [
        seen.without_illegal
        for seen in read
        for _, outcome in seen.verdicts
        if outcome in ("missed", "misnamed")
    ]
    unread = sum(map(len, refused))
    called_sure = sum(score.sure for score in scores)
    wrong = sum(score.silent for score in scores)
    yield ""
    yield (
        f"{len(scores) + unread} were neither named nor doubted by themselves: in {unread} the "
        f"picture was refused, in {len(scores) - called_sure} the score without illegal cards was "
        f"in doubt, in {called_sure} it was called sure, {wrong} of them wrongly."
    )


def share(part: int, whole: int) -> str:
    """A count with its share of the whole."""
    return f"{part} ({100 * part / whole:.1f} %)" if whole else "0"
