from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.drawing.drawn_cards import DECK, drawn_evidence
from tests.vision.finding.start_players import CARDS, PLAYERS, PUBLISHED, SIZE_MM
from tests.vision.naming.named_tables import TEMPLATES
from tests.vision.reconstructed_tables import LOWER, START, TOP, index_of, table_of
from vision.finding.belief import LINES_SHARE, believed_cards, inked, lines_seen
from vision.naming.faces import Patches, cut_out
from vision.naming.name_cards import Named
from vision.ordering.stacking import StackedCards
from vision.reconstruct import reconstruct


def test_lines_are_seen_only_where_they_are() -> None:
    table = table_of(START, TOP, LOWER)
    i = index_of(table, LOWER)
    poses = table.named.poses.copy()
    poses[i, :2] += [2.0, 2.0]
    off_it = replace(table.named, poses=poses)
    evidence = drawn_evidence(START, TOP, LOWER)
    patches = cut_out(evidence, poses, TEMPLATES)
    lines = lines_seen(off_it, patches, table.visible, TEMPLATES)
    assert lines[i] < 0.4 * table.lines[i]
    # The others were cut out a little beside where they are now.
    assert np.delete(lines, i) == pytest.approx(np.delete(table.lines, i), abs=0.005)
    nothing = lines_seen(off_it, patches, 0 * table.visible, TEMPLATES)
    assert (nothing == 0).all()


def test_the_starting_cards_lines_are_those_within_its_band_or_its_frame() -> None:
    table = table_of(START, TOP, LOWER)
    i = index_of(table, START)
    patches = cut_out(drawn_evidence(START, TOP, LOWER), table.named.poses, TEMPLATES)
    card = DECK.card
    inset = np.array([card.width_mm, card.height_mm]) / 2 - card.frame_inset_mm - 1
    patches.pixels[i, (np.abs(TEMPLATES.grid_mm) > inset).any(axis=1), 3] = 0
    pale = lines_seen(replace(table.named), patches, table.visible, TEMPLATES)
    assert pale[i] > 0.9 * np.median(table.lines)
    # Other printings draw other shapes in the same frame.
    frame = TEMPLATES.white[: 2 * len(DECK.faces)].min(axis=0)
    patches.pixels[i, :, 3] = np.round(255 * frame)
    framed = lines_seen(table.named, patches, table.visible.copy(), TEMPLATES)
    assert framed[i] > 0.6 * np.median(table.lines)
    patches.pixels[i, :, 3] = 0
    nothing = lines_seen(table.named, patches, table.visible.copy(), TEMPLATES)
    assert nothing[i] < 0.2 * np.median(table.lines)


def test_what_is_drawn_on_bare_table_shows_no_ink() -> None:
    rows = np.array([0, 2, 4, 2 * len(DECK.faces)])
    ink = np.array([[30.0, -15, -15], [10.0, -5, -5], [1.0, -0.5, -0.5], [0.0, 0, 0]])
    poses = np.column_stack([np.arange(4) * 100.0, np.zeros(4), np.zeros(4)])
    named = Named(poses, rows, np.zeros(4), np.ones(4), ink)
    start = rows >= 2 * len(DECK.faces)
    places = len(TEMPLATES.grid_mm)
    whole = np.ones((4, places), np.float32)
    patches = Patches(np.zeros((4, places, 4), np.uint8), whole)
    assert inked(named, patches, whole, start, TEMPLATES).tolist() == [True, True, False, True]
    dark = Patches(patches.pixels, whole * 0.02)
    assert inked(named, dark, whole, start, TEMPLATES).all()
    little = whole * (np.abs(TEMPLATES.grid_mm) < 8).all(axis=1)
    assert inked(named, patches, little, start, TEMPLATES).all()


@pytest.mark.parametrize(("inkless", "believed"), [(True, True), (False, False)])
def test_a_starting_card_drawn_in_grey_is_believed_by_its_frame_and_its_band(
    monkeypatch: pytest.MonkeyPatch, inkless: bool, believed: bool
) -> None:
    cards = CARDS if inkless else PLAYERS
    evidence = drawn_evidence(*cards, size_mm=SIZE_MM, deck=PUBLISHED.deck)
    table = reconstruct(evidence, PUBLISHED.deck)
    assert table is not None
    named = table.named
    start = int(named.rows.argmax())
    rows = np.where(np.arange(len(named)) == start, PUBLISHED.start_row, named.rows)
    stacked = StackedCards(replace(named, rows=rows), table.stack, table.visible)
    pale = np.where(np.arange(len(named)) == start, 0.2, 0.9)
    monkeypatch.setattr("vision.finding.belief.lines_seen", lambda *_: pale)
    told = believed_cards(evidence, stacked, PUBLISHED, LINES_SHARE)
    assert told[start] == believed
    assert np.delete(told, start).all()
