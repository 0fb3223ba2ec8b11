"""A game for the tests, as the referee followed it, with what can happen in one."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from geometry.pose import Pose
from geometry.score import score_round
from geometry.verdict import judge
from referee.ending import final_reading
from referee.following import begin, follow
from rig.replay.game_json import final_count, game_data, recorded
from rig.replay.record import GameRecord, PersonName, RecordedEvent, Ruling, last_table
from tests.referee.tables import DECK, RULES, colours, game, read

SCHEMA = Path(__file__).parents[3] / "docs" / "tacta-game-1.schema.json"


@cache
def followed(cards: int = 9, players: int = 3) -> GameRecord:
    """A legal game, a picture a card."""
    layout = game(1, cards, players)
    state, events = begin(DECK, RULES, colours(layout, players)), list[RecordedEvent | None]()
    for number in range(1, len(layout.cards) + 1):
        told, state = follow(state, read(layout, number))
        events += [recorded(one, f"{number:03}.jpg") for one in told]
    _, state = follow(state, read(layout, number))
    return GameRecord(
        DECK, RULES, state.players, state.table.play_area_mm,
        tuple(one for one in events if one is not None), end=final_count(final_reading(state)),
    )  # fmt: skip


@cache
def eventful() -> GameRecord:
    """The same with a card that was misnamed, one that was moved, one that lay badly and was taken
    back, one that stays by a ruling, and a table that was knocked against.
    """
    whole = followed()
    last = whole.events[-1]
    card = last.card
    assert card is not None
    free = Pose(40.0, 30.0, 12.5, True)
    bad = replace(
        last, card=replace(card, id=90, name=("orange", "circle-6")), status="illegal",
        rule="two_cards", on=(1, 2), offset_mm=7.25, offset_deg=None, sure=False, scores=None,
    )  # fmt: skip
    stays = replace(bad, card=replace(card, id=91, name=("orange", "circle-5"), pose=free))
    moved = replace(stays, kind="moved", card=replace(card, id=91, name=("orange", "circle-4")))
    events = (
        *whole.events,
        bad,
        replace(bad, kind="taken_back", status=None, rule=None, on=(), offset_mm=None),
        replace(stays, notes=("out_of_turn",), at="2026-11-29T10:00:00Z"),
        replace(stays, kind="corrected", card=moved.card, was=("orange", "circle-5")),
        moved,
        RecordedEvent("disturbed", "020.jpg"),
    )
    record = replace(
        whole, events=events, end=None,
        names=(PersonName(91, ("orange", "circle-4"), "Ada"),), rulings=(Ruling(91, "Bo"),),
    )  # fmt: skip
    table = last_table(record)
    verdicts = judge(table, record.rules)
    counted = score_round(table, verdicts)
    assert whole.end is not None
    end = replace(
        whole.end, scores=counted.as_it_lies, scores_without_illegal=counted.without_illegal,
        sure_without_illegal=False, illegal=(91,),
    )  # fmt: skip
    return replace(record, end=end)


def document(record: GameRecord) -> dict[str, Any]:
    """The game's document, valid by its schema."""
    data: dict[str, Any] = json.loads(json.dumps(game_data(record)))
    Draft202012Validator(json.loads(SCHEMA.read_text("utf-8"))).validate(data)
    return data
