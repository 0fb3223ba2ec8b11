"""A game written and read back is the same; what is none is refused with its place."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from geometry.deck_file import published_deck
from geometry.score import scores
from geometry.showing import visible_dots
from referee.events import Event
from rig.replay import game_file
from rig.replay.checking import GameError
from rig.replay.game_file import GameUnusable, load_game, parse_game
from rig.replay.game_json import game_data, recorded
from rig.replay.record import GameRecord, last_table, tables, without_contradictions
from tests.rig.replay.games import document, eventful, followed

Data = dict[str, Any]
DECK = published_deck()


@pytest.mark.parametrize("make", [followed, eventful, lambda: GameRecord(DECK)])
def test_a_game_read_back_is_the_one_that_was_written(make: Callable[[], GameRecord]) -> None:
    record = make()
    back = parse_game(document(record))
    assert game_data(back) == game_data(record)
    assert (back.deck, back.rules, back.players) == (record.deck, record.rules, record.players)
    assert (back.names, back.rulings) == (record.names, record.rulings)
    assert [e.kind for e in back.events] == [e.kind for e in record.events]


def test_the_tables_are_those_that_the_scores_were_counted_on() -> None:
    record = followed()
    found = list(tables(parse_game(document(record))))
    assert [len(table.cards) for table in found] == list(range(1, len(found) + 1))
    for event, table in zip(record.events, found, strict=True):
        assert scores(table, visible_dots(table)) == event.scores


def test_cards_are_taken_back_moved_and_renamed() -> None:
    record = eventful()
    found = [{card.id: (card.colour, card.face) for card in t.cards} for t in tables(record)]
    bad, taken, laid, corrected, _moved, disturbed = found[-6:]
    assert 90 in bad
    assert 90 not in taken
    assert laid[91] == ("orange", "circle-5")
    assert corrected[91] == ("orange", "circle-4")
    assert disturbed == _moved
    poses = [table.card(91).pose for table in list(tables(record))[-4:]]
    assert poses[0] != poses[1] == poses[2]


def test_the_last_table_is_the_final_counts() -> None:
    record = followed()
    assert record.end is not None
    assert [card.pose for card in last_table(record).cards] == [c.pose for c in record.end.cards]


@pytest.mark.parametrize("kind", ["nothing", "waiting"])
def test_what_says_nothing_is_not_recorded(kind: Any) -> None:
    assert recorded(Event(kind), "001.jpg") is None


def _changed(data: Data, change: Callable[[Data], object]) -> Data:
    other = deepcopy(data)
    change(other)
    return other


FAULTS: list[tuple[Callable[[Data], object], str]] = [
    (lambda d: d.update(format="tacta-game/2"), "the game: expected the format tacta-game/1"),
    (lambda d: d.pop("events"), "the game: 'events' is missing"),
    (lambda d: d["deck"].update(format="x"), "deck: "),
    (lambda d: d["rules"].update(off=["nonsense"]), "rules: off[0]"),
    (lambda d: d.update(players=["blue", "blue"]), "players: names a colour twice"),
    (lambda d: d.update(players=["teal"]), "players[0]: expected one of"),
    (lambda d: d.update(play_area_mm=[3]), "play_area_mm: expected a width and a height"),
    (lambda d: d["events"][2].update(event="won"), "events[2].event: expected one of laid"),
    (lambda d: d["events"][2].update(card=None), "events[2].card: expected a card"),
    (lambda d: d["events"][-1].update(card=d["events"][0]["card"]), "expected none where one is"),
    (lambda d: d["events"][1]["card"].update(x_mm=float("nan")), "events[1].card.x_mm: expected"),
    (lambda d: d["events"][1]["card"].update(y_mm=10**400), "events[1].card.y_mm: expected"),
    (lambda d: d["events"][1]["card"].update(id=1.5), "events[1].card.id: expected a whole number"),
    (lambda d: d["events"][1]["card"].update(id=0), "events[1].card: card 0 lies there already"),
    (lambda d: d["events"].pop(1), "does not lie there"),
    (lambda d: d["events"][1].update(scores={"teal": 1}), "events[1].scores: the deck has no"),
    (lambda d: d["events"][1].update(sure="yes"), "events[1].sure: expected true or false"),
    (lambda d: d["events"][1].update(outline_px=[[1, 2]]), "events[1].outline_px: expected four"),
    (lambda d: d.update(events=d["events"][:1] * 2001), "events: expected at most 2,000"),
    (lambda d: d["end"]["cards"].append(d["end"]["cards"][0]), "end.cards: has an id twice"),
    (lambda d: d["rulings"][0].update(by="x" * 201), "rulings[0].by: expected at most 200"),
]


@pytest.mark.parametrize(("change", "words"), FAULTS)
def test_faults_are_told_with_their_place(change: Callable[[Data], object], words: str) -> None:
    data = document(eventful())
    # A card that is moved before it is laid: the first event of it is taken out.
    if words == "does not lie there":
        data["events"] = [*data["events"][-3:], *data["events"]]
    with pytest.raises(GameError) as fault:
        parse_game(_changed(data, change))
    assert words in str(fault.value)
    assert "\n" not in str(fault.value)


def _places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to all values in a document, but for those in its deck."""
    yield way
    items: Any = ()
    if isinstance(value, (dict, list)):
        items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, one in items:
        if key != "deck":
            yield from _places(one, (*way, key))


@pytest.mark.parametrize("wrong", [None, True, -1, 1e300, "x", [], {}, [[]], {"a": 1}])
def test_anything_anywhere_is_read_or_refused(wrong: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_file, "parse_deck", lambda data: DECK)  # it has tests of its own
    data = document(eventful())
    data["events"] = data["events"][-8:]
    for way in [way for way in _places(data) if way]:
        other = deepcopy(data)
        *to, last = way
        inner: Any = other
        for key in to:
            inner = inner[key]
        inner[last] = wrong
        try:
            parse_game(other)
        except GameError:
            continue


@pytest.mark.parametrize("value", [None, [], "x", 3])
def test_what_is_no_object(value: object) -> None:
    with pytest.raises(GameError, match="the game: expected an object"):
        parse_game(value)


def test_a_file_is_refused_with_its_name(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps({"format": "other"}))
    with pytest.raises(GameUnusable, match=r"^game file .*game.json: the game: expected the for"):
        load_game(path)


def test_a_game_of_which_a_part_was_lost_is_made_whole() -> None:
    record = eventful()
    torn = without_contradictions(
        GameRecord(record.deck, events=tuple(record.events[:3] + record.events[-4:]))
    )
    assert [event.kind for event in torn.events][3:] == ["laid", "corrected", "moved", "disturbed"]
    less = without_contradictions(GameRecord(record.deck, events=record.events[-3:]))
    assert [event.kind for event in less.events] == ["disturbed"]
    assert list(tables(less))
