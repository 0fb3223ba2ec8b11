"""What lamp, webhooks and MQTT hear of a followed game."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from geometry.layout import Layout
from rig.listeners.topics import STATES
from rig.service.game.signalling import SignalLamp
from rig.service.listeners.standing import standing
from rig.table_lamp.gpio_lamp import GpioLamp
from rig.table_lamp.signal import Signal
from rig.table_lamp.wiring import Wiring
from tests.referee.tables import OVER, colours, game, moved, read
from tests.rig.listeners.mosquitto import Mosquitto, Subscriber, needs_mosquitto, subscriber
from tests.rig.listeners.receiver import Receiver, until
from tests.rig.service.game.table import game_of, lay, look
from tests.rig.service.table_top import TableTop, table_top

RED, YELLOW, GREEN, BUZZER = 17, 27, 22, 24
PATIENCE_S = 60.0


@pytest.fixture
def pins(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    factory = MockFactory(pin_class=MockPWMPin)
    monkeypatch.setattr(gpiozero.Device, "pin_factory", factory)
    yield factory
    factory.reset()


class Listed:
    """A lamp that keeps what it was to show."""

    def __init__(self) -> None:
        self.shown: list[Signal] = []

    def show(self, signal: Signal) -> None:
        self.shown.append(signal)

    def comes_to(self, signal: Signal) -> None:
        """Wait until it shows this: it is told after the game has taken a picture in."""
        until(lambda: self.shown[-1:] == [signal])


def follow(rig: TableTop, layout: Layout) -> None:
    rig.put("/game", {"following": True, "players": list(colours(layout))})


def illegal(place: int) -> Layout:
    layout = game(1)
    cards = [moved(card, 6.0) if card.id == place else card for card in layout.cards]
    return replace(layout, cards=tuple(cards))


def test_the_lamp_follows_the_events(rig: TableTop) -> None:
    layout, lamp = illegal(4), Listed()
    rig.assembly.game.followed.listeners.append(SignalLamp(lamp).hear)
    follow(rig, layout)
    lay(rig, layout, 4)
    lamp.comes_to(Signal.LEGAL)
    assert Signal.WAITING in lamp.shown, "while it was read"
    lay(rig, layout, 5)
    lamp.comes_to(Signal.ILLEGAL)
    look(rig, read(layout, 5, doubts=(OVER,)), 90)
    assert lamp.shown.count(Signal.ILLEGAL) == 1, "one buzz; it goes on being red"
    lamp.comes_to(Signal.ILLEGAL)
    wrong = game_of(rig)["events"][-1]["id"]
    rig.post(f"/game/events/{wrong}/stays", {"stays": True})
    lamp.comes_to(Signal.LEGAL)
    look(rig, read(layout, 5, doubts=(OVER,)), 91)
    lamp.comes_to(Signal.WAITING)
    rig.put("/game", {"following": False})
    lamp.comes_to(Signal.OFF)


def test_what_is_not_sure_is_to_be_looked_at(rig: TableTop) -> None:
    layout, lamp = game(1), Listed()
    rig.assembly.game.followed.listeners.append(SignalLamp(lamp).hear)
    follow(rig, layout)
    lay(rig, layout, 3)
    order = [*layout.cards[:3], layout.cards[4]]
    lay(rig, replace(layout, cards=tuple(order)), 4)
    assert game_of(rig)["events"][-1]["out_of_turn"]
    lamp.comes_to(Signal.LOOK)


def test_the_lamp_on_its_pins(rig: TableTop, pins: Any) -> None:
    lamp = GpioLamp(Wiring("leds", (RED, YELLOW, GREEN), BUZZER))
    layout = illegal(4)
    rig.assembly.game.followed.listeners.append(SignalLamp(lamp).hear)
    follow(rig, layout)
    lay(rig, layout, 4)
    until(lambda: pins.pin(GREEN).state > 0, 5)
    lay(rig, layout, 5)
    until(lambda: lamp.shown is Signal.ILLEGAL and pins.pin(GREEN).state == 0, 5)
    until(lambda: len(pins.pin(BUZZER).states) > 1, 5)
    lamp.close()


def test_a_webhook_hears_each_event_once(tmp_path: Path) -> None:
    receiver, layout = Receiver(), illegal(4)
    with table_top(tmp_path / "rig") as rig:
        rig.post("/webhooks", {"name": "HA", "url": receiver.url})
        follow(rig, layout)
        for number in (3, 4, 5):
            lay(rig, layout, number)
        until(lambda: len(told(receiver)) == 5, PATIENCE_S)
        last = told(receiver)[-1]
        assert (last["status"], last["event"], last["stays"]) == ("illegal", "laid", None)
        assert last["message"]
        assert "outline_px" not in last
        rig.post(f"/game/events/{last['id']}/stays", {"stays": True})
        until(lambda: len(told(receiver)) == 6, PATIENCE_S)
        assert told(receiver)[-1]["stays"] == {"by": "rig"}
    with table_top(tmp_path / "rig") as rig:
        lay(rig, layout, 6)
        until(lambda: len(told(receiver)) == 7, PATIENCE_S)
    receiver.stop()


def told(receiver: Receiver) -> list[dict[str, Any]]:
    bodies = [json.loads(body) for _, body in receiver.heard]
    return [one["data"] for one in bodies if one["event"] == "game-event"]


def test_hidden_scores_are_told_to_nobody(rig: TableTop) -> None:
    layout = game(1)
    follow(rig, layout)
    rig.put("/game", {"hide_scores": True})
    lay(rig, layout, 4)
    found = standing(rig.assembly.listeners)
    assert tuple(found) == STATES
    assert (found["game"]["scores"], found["game"]["doing"]) == (None, "watching")
    assert found["game"]["turn"] == layout.cards[4].colour


def test_a_broker_shows_how_the_game_stands(tmp_path: Path) -> None:
    needs_mosquitto()
    layout = illegal(4)
    with (
        Mosquitto(tmp_path / "mosquitto") as mosquitto,
        subscriber(mosquitto.port) as heard,
        table_top(tmp_path / "rig") as rig,
    ):
        rig.post("/brokers", {"name": "HA", "url": f"mqtt://127.0.0.1:{mosquitto.port}"})
        follow(rig, layout)
        for number in (4, 5):
            lay(rig, layout, number)
        until(lambda: game_events(heard) == 5, 60)
        until(lambda: [one["signal"] for one in heard.of("tacta/game")][-1:] == ["illegal"], 60)
        assert game_events(heard) == 5


def game_events(heard: Subscriber) -> int:
    return [one["event"] for one in heard.of("tacta/events")].count("game-event")
