"""The reader on one score reads a photograph, or says why not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from geometry.deck import CardSize
from measuring.scenes.comparison import compare
from tests.scenes import scene
from tests.vision.small_scenes import small_scene
from vision.lens import LensKnown
from vision.locating.locate import Located, first_look
from vision.observe.observation import Observation
from vision.pace import Pace
from vision.propose.places import Proposal
from vision.read_one import read_one
from vision.reading import Doubt, NotSeen, Reading
from vision.reason import Reason

pytestmark = pytest.mark.slow
NAME = "two-walnut"


@pytest.fixture(scope="module")
def read() -> Reading:
    one = scene(NAME)
    reading = read_one(one.image_bgr, one.truth.layout.deck, one.truth.lens, one.truth.rules)
    assert isinstance(reading, Reading)
    return reading


def test_each_card_is_found_where_it_lies(read: Reading) -> None:
    found = compare(read, scene(NAME).truth)
    assert len(found.matches) == found.cards
    assert found.invented == 0
    assert all(match.off_mm < 1.0 for match in found.matches)


def test_the_score_is_right_and_no_wrong_one_sure(read: Reading) -> None:
    found = compare(read, scene(NAME).truth)
    assert found.as_it_lies.exact
    assert not found.as_it_lies.silent
    assert not found.without_illegal.silent
    assert found.pairs_right == found.pairs


def test_where_nothing_lies_nothing_is_seen() -> None:
    truth = scene(NAME).truth
    grey = np.full((400, 500, 3), 90, np.uint8)
    assert isinstance(read_one(grey, truth.layout.deck, None, truth.rules), NotSeen)


def test_where_no_card_lies_plainly_planes_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Outlines that agree by chance tell of a table that leans by 35 degrees."""
    one, truth = small_scene(3)
    lean = cv2.Rodrigues(np.deg2rad([35.0, 0.0, 0.0]))[0]

    def leaning(image_bgr: NDArray[np.uint8], lens: LensKnown, card: CardSize) -> Located:
        located = first_look(image_bgr, lens, card)
        assert isinstance(located, Located)
        return replace(located, view=replace(located.view, rotation=located.view.rotation @ lean))

    class Proposed(Exception):
        """Ends the reading: the rest is as everywhere."""

    def proposed(_: Observation, proposals: Sequence[Proposal], *_rest: object) -> None:
        assert sum(one.share > 0.9 for one in proposals) >= len(truth.layout.cards) - 2
        raise Proposed

    monkeypatch.setattr("vision.read_one.first_look", leaning)
    monkeypatch.setattr("vision.read_one.explain_places", proposed)
    with pytest.raises(Proposed):
        read_one(one.image_bgr, truth.layout.deck, truth.lens, truth.rules)


def test_a_known_table_is_gone_on_from_and_not_read_anew(
    read: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    def anew(*_: object) -> None:
        pytest.fail("expected to go on from the known table")

    monkeypatch.setattr("vision.read_one.explain_places", anew)
    one = scene(NAME)
    again = read_one(
        one.image_bgr, one.truth.layout.deck, one.truth.lens, one.truth.rules, known=read.seen
    )
    assert isinstance(again, Reading)
    assert (again.scores, again.sure) == (read.scores, read.sure)
    doubted, before = (
        sorted((doubt.kind, doubt.reason.code, doubt.card) for doubt in one.doubts if doubt.matters)
        for one in (again, read)
    )
    assert doubted == before
    cards = {card.id: card for card in read.cards}
    for card in again.cards:
        assert (card.face, card.colour) == (cards[card.id].face, cards[card.id].colour)
        assert card.over == cards[card.id].over
        assert card.x_mm == pytest.approx(cards[card.id].x_mm, abs=0.2)


def test_what_lay_over_a_known_table_is_not_gone_on_from(
    read: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "vision.read_one.known_places", lambda *_, **__: pytest.fail("is gone on from")
    )
    thing = Doubt("table", None, (0.0, 0.0), Reason("something-over-cards"))
    covered = replace(read.seen, doubts=(thing,))
    one = scene(NAME)
    again = read_one(
        one.image_bgr, one.truth.layout.deck, one.truth.lens, one.truth.rules, known=covered
    )
    assert isinstance(again, Reading)
    assert again.scores == read.scores


def test_a_photo_between_a_telephone_s_bars_is_read_as_it_is_without_them() -> None:
    photo, truth = small_scene(3, "none")
    above, left = 500, 120
    shown = cv2.copyMakeBorder(
        photo.image_bgr, above, 700, left, 0, borderType=cv2.BORDER_CONSTANT, value=(12, 12, 12)
    )
    plain, barred = (
        read_one(np.asarray(image, np.uint8), truth.layout.deck, None, truth.rules)
        for image in (photo.image_bgr, shown)
    )
    assert isinstance(plain, Reading)
    assert isinstance(barred, Reading)
    assert len(plain.cards) > 1
    assert (barred.scores, barred.sure) == (plain.scores, plain.sure)
    for card, without in zip(barred.cards, plain.cards, strict=True):
        assert (card.face, card.colour) == (without.face, without.colour)
        moved = np.array(without.outline_px) + [left, above]
        assert np.allclose(np.array(card.outline_px), moved, atol=0.01)


class HurriedFrom:
    """Whose time is over from when it is asked so many times; None: never."""

    def __init__(self, first: int | None) -> None:
        self.first, self.asked = first, 0

    def __call__(self) -> bool:
        self.asked += 1
        return self.first is not None and self.asked > self.first


def test_a_reading_whose_time_is_over_says_what_it_has_and_is_not_sure() -> None:
    one, truth = small_scene(5)
    never = HurriedFrom(None)
    ask = partial(read_one, one.image_bgr, truth.layout.deck, truth.lens, truth.rules)
    whole = ask(Pace(hurry=never))
    assert isinstance(whole, Reading)
    assert whole.sure
    first = []
    for asked in (0, 1, never.asked // 2, never.asked - 1):
        some = ask(Pace(hurry=HurriedFrom(asked)))
        assert isinstance(some, Reading)
        assert (some.sure, some.sure_without_illegal) == (False, False)
        assert len(some.cards) > 0.9 * len(whole.cards)
        first += [doubt.reason.facts for doubt in some.doubts if doubt.reason.code == "time-over"]
    assert first == [{"sought": Reason("sought-better")}] * 4


def test_without_time_no_more_of_the_picture_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    one, truth = small_scene(5, markers="none")

    def partly(image_bgr: NDArray[np.uint8], lens: LensKnown, card: CardSize) -> Located:
        located = first_look(image_bgr, lens, card)
        assert isinstance(located, Located)
        low, high = located.box_mm.reshape(2, 2)
        return replace(located, box_mm=np.concatenate([low, low + 0.6 * (high - low)]))

    monkeypatch.setattr("vision.read_one.first_look", partly)
    pace = Pace(hurry=lambda: True)
    reading = read_one(one.image_bgr, truth.layout.deck, None, truth.rules, pace)
    assert isinstance(reading, Reading)
    assert len(reading.cards) < len(truth.layout.cards)
    assert (reading.sure, reading.sure_without_illegal) == (False, False)
    assert pace.left_out[0] == "sought-farther"
