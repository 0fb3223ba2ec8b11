"""A simulated game: what its events say is what lies on the table and what its pictures show."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from geometry.rules import Rules
from geometry.verdict import judge
from measuring.game.film import write_game
from measuring.scenes.truth import parse_truth
from simulator import Conditions
from simulator.game import Film, GameFrame, film_game
from simulator.game.filming import in_light, on_a_stand
from tests.conftest import quick_or_thorough

SEEDS = range(6)


@cache
def film(seed: int) -> Film:
    return film_game(seed, players=2 + seed % 3, cards_each=6)


def events(seed: int) -> list[dict[str, Any]]:
    return [film(seed).event(number) for number in range(len(film(seed).moments))]


def short_game() -> Film:
    """One of those games, long enough for a hand, in light in which all can be seen."""
    return next(
        one
        for one in (film_game(seed, "ordinary", 2, 3) for seed in range(40))
        if any(moment.kind == "hand" for moment in one.moments)
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_events_tell_how_many_cards_lie_there(seed: int) -> None:
    lying: set[int] = set()
    for number, event in enumerate(events(seed)):
        named = [event, *event.get("also", [])]
        if event["kind"] == "placed":
            new = {one["card"] for one in named}
            assert not new & lying
            lying |= new
        elif event["kind"] == "taken_back":
            lying.remove(event["card"])
        elif event["kind"] in ("nudged", "slid_under"):
            assert event["card"] in lying
        assert event["frame"] == f"{number:03}.jpg"
        assert event["cards"] == len(lying)
        assert {card.id for card in film(seed).moments[number].played.layout.cards} == lying


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_called_illegal_is(seed: int) -> None:
    for moment, event in zip(film(seed).moments, events(seed), strict=True):
        if event["kind"] != "placed":
            continue
        verdicts = judge(moment.played.layout, Rules())
        for one in (event, *event.get("also", [])):
            card = moment.played.layout.card(one["card"])
            assert (card.colour, card.face) == (one["colour"], one["face"])
            assert one["illegal"] == (verdicts[card.id].status == "illegal")


@pytest.mark.parametrize("seed", SEEDS)
def test_a_push_changes_no_verdict(seed: int) -> None:
    before = None
    for moment in film(seed).moments:
        now = {card: v.status for card, v in judge(moment.played.layout, Rules()).items()}
        if moment.kind in ("nudged", "slid_under", "hand", "nothing"):
            assert now == before
        before = now


@pytest.mark.parametrize("games", quick_or_thorough([7, 40], [7]))
def test_in_many_games_everything_happens(games: int) -> None:
    kinds: Counter[str] = Counter()
    facts: set[str] = set()
    illegal = stays = two = 0
    for seed in range(games):
        one = film_game(seed, players=2, cards_each=8)
        told: list[dict[str, Any]] = [one.event(n) for n in range(len(one.moments))]
        kinds.update(event["kind"] for event in told)
        facts |= {str(event["light"]) for event in told if "light" in event}
        facts |= {event["camera"] for event in told if "camera" in event}
        illegal += sum(bool(event.get("illegal")) for event in told)
        stays += sum(v.status == "illegal" for v in judge(one.whole, Rules()).values())
        two += sum("also" in event for event in told)
    assert set(kinds) == {"placed", "nudged", "slid_under", "taken_back", "hand", "nothing"}
    assert facts == {"lamp", "cloud", "as it was", "pushed"}
    assert illegal > kinds["taken_back"] > 0
    assert stays > 0
    assert two > 0


def test_players_printings_and_light_are_drawn() -> None:
    games = [film_game(seed, cards_each=1) for seed in range(30)]
    assert {len(one.players) for one in games} == {2, 3, 4, 5, 6}
    assert {one.conditions.name for one in games} == {"game, ordinary", "game, hard"}
    assert len({str(one.printing.as_json()) for one in games}) == len(games)


def test_players_take_turns() -> None:
    one = film_game(3, players=3, cards_each=4)
    laid = sorted(one.whole.cards, key=lambda card: card.id)[1:]
    expected = [one.players[n % 3] for n in range(len(laid))]
    assert [card.colour for card in laid] == expected


def test_a_lamp_and_a_cloud_change_the_light() -> None:
    plain = Conditions()
    lamp, cloud = in_light(plain, "lamp"), in_light(plain, "cloud")
    assert lamp.white_level > plain.white_level > cloud.white_level
    assert lamp.cast[2] < plain.cast[2]
    assert in_light(plain, "as it was") == plain
    kept = on_a_stand(Conditions(tilt_deg=33.0, clutter=("cup",), markers="none"), 4, 25)
    assert (kept.tilt_deg, kept.clutter, kept.markers) == (20.0, (), "all")


def test_light_of_another_name_is_refused() -> None:
    with pytest.raises(ValueError, match="no such light: dusk"):
        film_game(1, "dusk")


@pytest.mark.slow
def test_the_pictures_show_it() -> None:
    one = short_game()
    frames = list(one.frames())
    assert [frame.event for frame in frames] == [one.event(n) for n in range(len(frames))]
    again = one.frame(len(frames) - 1)
    assert again.jpeg == frames[-1].jpeg
    quiet: GameFrame | None = None
    for frame in frames:
        decoded = cv2.imdecode(np.frombuffer(frame.jpeg, np.uint8), cv2.IMREAD_COLOR)
        assert decoded is not None
        assert np.array_equal(decoded, frame.image_bgr)
        if frame.event["kind"] == "hand" and quiet is not None:
            assert changed(quiet, frame) > 0.01, "an arm is seen"
        if frame.event["kind"] == "placed":
            if quiet is not None:
                assert 0.0005 < changed(quiet, frame) < 0.2, "a card is seen, and little else"
            quiet = frame


def changed(one: GameFrame, other: GameFrame) -> float:
    """The share of a picture that is plainly another."""
    small = [
        cv2.resize(frame.image_bgr, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
        for frame in (one, other)
    ]
    return float((cv2.absdiff(*small).max(axis=2) > 40).mean())


@pytest.mark.slow
def test_a_game_is_written_as_a_folder(tmp_path: Path) -> None:
    one = film_game(2, "ordinary", 2, 1)
    write_game(tmp_path / "game-2", one)
    data: Any = json.loads((tmp_path / "game-2" / "game.json").read_text("utf-8"))
    assert {"camera", "markers", "players", "cards", "illegal", "events"} <= set(data)
    names = sorted(path.name for path in (tmp_path / "game-2").glob("*.jpg"))
    assert names == [event["frame"] for event in data["events"]]
    assert [card["layer"] for card in data["cards"]] == list(range(len(data["cards"])))
    truth = parse_truth(data)
    assert len(truth.layout.cards) == len(one.whole.cards)
    lens = json.loads((tmp_path / "game-2" / "lens.json").read_text("utf-8"))
    assert lens["size_px"] == data["camera"]["size_px"]
