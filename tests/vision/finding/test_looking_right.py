from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.vision.doubting.doubt_scenes import GREEN, RED, scene
from vision.finding.belief import LEAST_RIGHT, looking_right, share_right


def test_cards_of_the_deck_look_right_and_others_do_not() -> None:
    table = scene(GREEN, RED).table
    named, patches, templates = table.named, table.stack.patches, table.templates
    players = named.rows < len(templates.white) - 2
    assert share_right(named, patches, table.visible, templates) == 1.0
    poor = replace(named, fit=np.where(np.arange(len(named)) == players.argmax(), 0.9, named.fit))
    right = looking_right(poor, patches, table.visible, templates)
    assert right[players].sum() == players.sum() - 1
    alike = replace(named, fit=np.full(len(named), 0.9))
    share = share_right(alike, patches, table.visible, templates)
    assert share is not None
    assert share < LEAST_RIGHT


def test_pale_lines_are_not_the_deck_s() -> None:
    table = scene(GREEN, RED).table
    named, templates = table.named, table.templates
    pixels = table.stack.patches.pixels.copy()
    pixels[..., 3] //= 3
    pale = replace(table.stack.patches, pixels=pixels)
    assert share_right(named, pale, table.visible, templates) == 0.0


def test_a_starting_card_alone_tells_nothing() -> None:
    table = scene(GREEN, RED).table
    templates = table.templates
    players = table.named.rows < len(templates.white) - 2
    none = table.named.take(np.zeros(len(players), np.bool_))
    patches = replace(
        table.stack.patches,
        pixels=table.stack.patches.pixels[:0],
        weight=table.stack.patches.weight[:0],
    )
    assert share_right(none, patches, table.visible[:0], templates) is None
