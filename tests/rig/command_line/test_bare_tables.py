"""What the command line says of tables without players' cards."""

from __future__ import annotations

import pytest
from rich.console import Console

from geometry.deck_file import published_deck
from geometry.layout import Card, Layout
from geometry.pose import Pose
from geometry.rules import Rules
from rig.command_line.photos.score_table import score_table
from vision.assemble import assemble
from vision.reading import Doubt, SeenCard, SeenTable
from vision.reason import Reason

DECK = published_deck()
CORNERS = ((0.0, 0.0), (50.0, 0.0), (50.0, 80.0), (0.0, 80.0))
START = Card(0, "white", "start", Pose(100.0, 100.0, 0.0))


def said(seen: SeenTable) -> str:
    console = Console(width=120)
    with console.capture() as captured:
        for part in score_table(assemble(seen, Rules()), "photo.jpg", DECK):
            console.print(part)
    return captured.get()


def test_an_empty_table_is_said_to_be_empty() -> None:
    text = said(SeenTable(Layout(DECK, (), (600.0, 450.0)), (), (), 2.0))
    assert "No card lies on the table. Sure of that." in text
    assert "Visible dots" not in text


@pytest.mark.parametrize("sure", [True, False])
def test_the_starting_card_alone_has_no_scores(sure: bool) -> None:
    any_colour = {"blue": 1}
    doubt = Doubt("table", None, (5.0, 5.0), Reason("more-than-start"), any_colour, any_colour)
    seen = SeenTable(
        Layout(DECK, (START,), (600.0, 450.0)),
        (SeenCard(0, CORNERS, 0.99),),
        () if sure else (doubt,),
        2.0,
    )
    text = said(seen)
    assert "Only the starting card lies on the table: no dots yet." in text
    assert ("Sure of that." in text) == sure
    assert ("something lies beside the starting card" in " ".join(text.split())) == (not sure)
    assert "Possible scores" not in text
