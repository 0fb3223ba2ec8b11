"""Tables with cards that the deck does not have: said in one sentence with what to do."""

from __future__ import annotations

import pytest

from geometry.deck_file import published_deck
from geometry.rules import Rules
from rig.wording.catalogue import sentence
from tests.conftest import quick_or_thorough
from tests.vision.other_games import CARDS, table_of
from vision.read import read_table
from vision.reading import NotSeen


@pytest.mark.slow
@pytest.mark.parametrize("kind", quick_or_thorough(CARDS, ["another art in the same frame"]))
def test_another_game_is_refused_with_what_to_do(kind: str) -> None:
    read = read_table(table_of(kind, 3), published_deck(), None, Rules())
    assert isinstance(read, NotSeen)
    assert "tacta enrol" in sentence(read.reason)
    possible = {"other-game", "no-cards"} if "same frame" in kind else {"no-cards", "no-table"}
    assert read.reason.code in possible
