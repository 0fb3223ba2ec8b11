from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from geometry.rules import Rules
from measuring.scenes.true_reading import true_reading
from rig.wording.catalogue import sentence
from tests.vision.over_cards.tables import place_of, place_px, table
from tests.vision.over_cards.things import THINGS, Image, painted_over
from vision.assemble import assemble
from vision.doubting.over_doubts import OVER_CARDS, with_things_over
from vision.reading import Doubt, DoubtKind, SeenTable
from vision.reason import Reason

CHANGES = {"red": 1}


@cache
def covered() -> tuple[Image, SeenTable, tuple[float, float]]:
    """A book over the tenth card, all others known; and where the book's middle is in the
    picture.
    """
    image, truth = table()
    at = place_of(truth, 9)
    x, y = place_px(truth, 9)
    picture = painted_over(image, truth.camera.view, THINGS["book"](), at)
    return picture, true_reading(truth).seen, (x, y)


def seen_again(seen: SeenTable, image: Image) -> SeenTable:
    truth = table()[1]
    return with_things_over(seen, image, truth.camera.view, truth.layout.deck)


def test_both_scores_are_unsure_of_every_colour_in_play() -> None:
    image, seen, _ = covered()
    reading = assemble(seen_again(seen, image), Rules())
    [doubt] = [one for one in reading.doubts if one.reason.code == OVER_CARDS]
    in_play = {card.colour for card in reading.cards} - {"white"}
    assert not reading.sure
    assert not reading.sure_without_illegal
    assert doubt.kind == "table"
    assert set(doubt.changes_scores_by) == set(doubt.changes_scores_without_illegal_by) == in_play
    assert min(doubt.changes_scores_by.values()) == 6


def test_the_doubt_says_what_to_do_in_both_languages() -> None:
    reason = Reason(OVER_CARDS)
    assert sentence(reason) == (
        "something lies over the cards here: take it away and photograph again"
    )
    assert "enlevez" in sentence(reason, "fr")


def test_its_outline_is_where_the_thing_is() -> None:
    image, seen, (x, y) = covered()
    [doubt] = seen_again(seen, image).doubts
    outline = np.array(doubt.outline_px)
    assert (outline.min(axis=0) < [x, y]).all()
    assert (outline.max(axis=0) > [x, y]).all()


def test_a_table_with_nothing_over_it_stays_as_it_was_seen() -> None:
    seen = true_reading(table()[1]).seen
    assert seen_again(seen, table()[0]) is seen


def test_doubts_that_the_thing_causes_are_left_out() -> None:
    image, seen, (x, y) = covered()
    kinds: list[tuple[DoubtKind, str, float, bool]] = [
        ("dot", "dot-unexplained", 0.0, False),
        ("missing", "lines-unexplained", 0.0, False),
        ("missing", "lines-unexplained", 900.0, True),
        ("missing", "cards-too-few", 900.0, False),
        ("missing", "start-not-seen", 900.0, False),
        ("table", "blurred", 0.0, True),
        ("verdict", "misaligned-borderline", 0.0, True),
    ]
    doubts = tuple(
        Doubt(kind, None, (x + beside_px, y), Reason(code), CHANGES)
        for kind, code, beside_px, _ in kinds
    )
    left = seen_again(replace(seen, doubts=doubts), image).doubts
    assert [doubt in left for doubt in doubts] == [stays for *_, stays in kinds]


def test_a_doubt_about_a_card_that_the_thing_hides_in_part_is_left_out() -> None:
    image, seen, (x, y) = covered()
    doubts = {
        card.id: Doubt("face", card.id, (x + 900.0, y), Reason("face-unclear"), CHANGES)
        for card in seen.layout.cards
    }
    left = seen_again(replace(seen, doubts=tuple(doubts.values())), image).doubts
    gone = {card for card, doubt in doubts.items() if doubt not in left}
    assert 9 in gone
    assert 0 < len(gone) < len(doubts) / 2
