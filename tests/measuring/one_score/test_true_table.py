"""A reading as a table at the true places."""

from __future__ import annotations

from dataclasses import replace

import pytest

from measuring.one_score.true_table import read_as_table, true_scene
from measuring.scenes.true_reading import true_reading, true_table
from measuring.scenes.truth import Truth
from tests.scenes import NAMES, scene
from vision.assemble import assemble
from vision.model.hypothesis import Hypothesis
from vision.model.table import Table
from vision.reading import Reading
from vision.reading_config import ReadingConfig


@pytest.fixture(scope="module")
def truth() -> Truth:
    return scene(NAMES[0]).truth


@pytest.fixture(scope="module")
def table(truth: Truth) -> Table:
    return true_scene(scene(NAMES[0]).image_bgr, truth, ReadingConfig()).table


def read_with(truth: Truth, index: int, **changes: object) -> Reading:
    """A reading that is right but for one card."""
    seen = true_table(truth)
    cards = list(seen.layout.cards)
    cards[index] = replace(cards[index], **changes)  # type: ignore[arg-type]
    layout = replace(seen.layout, cards=tuple(cards))
    return assemble(replace(seen, layout=layout), truth.rules, measured=False)


def test_a_right_reading_is_the_true_table(truth: Truth, table: Table) -> None:
    assert read_as_table(true_reading(truth), truth, table) == table


def test_a_card_that_was_read_the_other_way_up_is_turned(truth: Truth, table: Table) -> None:
    card = truth.layout.cards[3]
    pose = replace(card.pose, angle_deg=card.pose.angle_deg + 181.0, x_mm=card.pose.x_mm + 0.4)
    (other,) = set(read_as_table(read_with(truth, 3, pose=pose), truth, table).cards) - set(
        table.cards
    )
    assert other.place == table.cards[3].place
    assert other.hypothesis == replace(table.cards[3].hypothesis, turned=True)


def test_a_card_read_where_none_lies_has_a_place_and_an_id_of_its_own(
    truth: Truth, table: Table
) -> None:
    card = truth.layout.cards[3]
    pose = replace(card.pose, x_mm=card.pose.x_mm + 9.0)
    read = read_as_table(read_with(truth, 3, pose=pose), truth, table)
    (false,) = (c for c in read.cards if c.place not in {t.place for t in table.cards})
    assert false.id not in {t.id for t in table.cards}
    assert false.place.x_mm == pytest.approx(pose.x_mm)
    assert len(read.cards) == len(table.cards)


def test_another_face_and_colour_stay_what_was_read(truth: Truth, table: Table) -> None:
    others = {c.colour for c in truth.layout.cards[1:]} - {truth.layout.cards[3].colour}
    colour = min(others)
    read = read_as_table(read_with(truth, 3, face="circle-6", colour=colour), truth, table)
    mirrored = table.cards[3].hypothesis.mirrored
    assert read.cards[3].hypothesis == Hypothesis("circle-6", mirrored)
    assert read.cards[3].ink == colour
