"""Sure, and how probable other scores are said to be, agree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Literal, get_args

import pytest

from geometry.layout import Card
from geometry.showing import over, visible_dots
from measuring.scenes.true_reading import true_table
from referee.corrections.answers import asked
from referee.corrections.applied import CorrectedTable
from referee.corrections.outcomes import Outcome, possible_outcomes
from tests.referee.corrections.answered_tables import middle
from tests.scenes import NAMES, scene
from vision.reading import Doubt, DoubtKind, Reading, SeenTable
from vision.reason import Reason

SURE = 0.0005
"""What sure means: all other scores than the one read have less than this between them, 0 to 1.
Sureness is not worked out from it: where no doubt could change a score nothing is left to others,
and where one could, what its answers leave to others is more (decision 16)."""
KINDS: tuple[DoubtKind, ...] = get_args(DoubtKind)
Which = Literal["scores", "scores_without_illegal"]


def reasons(kind: DoubtKind, card: Card, seen: SeenTable) -> list[Reason]:
    """Why a card may be doubted; none for a placement, which is doubted by its measures."""
    face = next(one.id for one in seen.layout.deck.faces if one.id != card.face)
    colour = next(one.name for one in seen.layout.deck.colours if one.name != card.colour)
    return {
        "card": [Reason("looks-wrong"), Reason("height-unsure")],
        "face": [
            Reason("side-unclear"),
            Reason("face-unclear", {"face": card.face, "rival": face}),
            Reason("twice-now"),
        ],
        "colour": [Reason("colour-unclear", {"colour": card.colour, "rival": colour})],
        "order": [Reason("order-unclear")],
        "dot": [Reason("dot-not-seen")],
        "missing": [Reason("band-beside")],
        "table": [Reason("time-over")],
        "verdict": [],
    }[kind]


def doubts_of(kind: DoubtKind, seen: SeenTable) -> Iterator[Doubt]:
    """Doubts about a card that counts, one that does not, and one that lies on another."""
    shown, below = visible_dots(seen.layout), over(seen.layout)
    cards = seen.layout.cards
    counts = next(card for card in cards if any(shown[card.id]))
    covered = next((card for card in cards if not any(shown[card.id])), cards[-1])
    upper = next((card for card in cards if below[card.id]), cards[0])
    for card in (counts, covered, upper):
        place = middle(seen, card.id)
        if kind == "order" and below[card.id]:
            other = middle(seen, below[card.id][0])
            place = (place[0] + other[0]) / 2, (place[1] + other[1]) / 2
        about = None if kind in ("missing", "table") else card.id
        for reason in reasons(kind, card, seen):
            for changes in ({}, {card.colour: 1}):
                yield Doubt(kind, about, place, reason, changes, changes)


def tables(kind: DoubtKind, names: Iterable[str]) -> Iterator[CorrectedTable]:
    """True tables with each of these doubts, and without one: some placements are borderline
    all the same.
    """
    for name in names:
        truth = scene(name).truth
        seen = true_table(truth)
        for doubts in ((), *((doubt,) for doubt in doubts_of(kind, seen))):
            raised = replace(seen, doubts=doubts)
            yield CorrectedTable(raised, raised, truth.rules)


def left(reading: Reading, outcomes: tuple[Outcome, ...], which: Which) -> float:
    """What is left to other scores than the one read, those that are not named among them."""
    if not outcomes:
        return 0.0
    read = getattr(reading, which)
    return 1 - sum(one.probability for one in outcomes if getattr(one, which) == read)


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(("two-walnut", "phone-oak", "glare-oak"), id="three"),
        pytest.param(NAMES, id="all", marks=pytest.mark.thorough),
    ],
)
@pytest.mark.parametrize("hurried", [False, True], ids=["judged", "time over"])
@pytest.mark.parametrize("kind", KINDS)
def test_sure_is_what_leaves_next_to_nothing_to_other_scores(
    kind: DoubtKind, hurried: bool, names: tuple[str, ...]
) -> None:
    """A doubt that changes the score of E2 alone leaves something unnamed too, which may be of
    either score: `sure` is true then, as no answer changes what it speaks for.
    """
    found_sure = set()
    for table in tables(kind, names):
        found = asked(table, lambda: hurried)
        outcomes = possible_outcomes(table, found)
        reading = found.reading
        assert reading.sure_without_illegal == (
            left(reading, outcomes, "scores_without_illegal") < SURE
        )
        elsewhere = left(reading, outcomes, "scores")
        if not reading.sure:
            assert elsewhere >= SURE
        elif all(doubt.kind == "verdict" for doubt in reading.doubts if doubt.matters):
            assert elsewhere < SURE
        found_sure.add(reading.sure_without_illegal)
    assert found_sure == {True, False}
