"""A lamp on the mock pins of gpiozero."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from rig.table_lamp.gpio_lamp import GpioLamp, LampMissing
from rig.table_lamp.signal import DISPLAYS, Display, Signal
from rig.table_lamp.wiring import Wiring

RED, YELLOW, GREEN, BUZZER = 17, 27, 22, 24
LEDS = Wiring("leds", (RED, YELLOW, GREEN), BUZZER)
RGB = Wiring("rgb", (RED, YELLOW, GREEN))


@pytest.fixture
def pins(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    factory = MockFactory(pin_class=MockPWMPin)
    monkeypatch.setattr(gpiozero.Device, "pin_factory", factory)
    yield factory
    factory.reset()


def until(true: Callable[[], bool]) -> None:
    last = time.monotonic() + 5
    while not true():
        assert time.monotonic() < last
        time.sleep(0.005)


def lit(pins: Any, *numbers: int) -> list[bool]:
    return [pins.pin(number).state > 0 for number in numbers]


def changes(pins: Any, number: int) -> int:
    """How often a pin changed so far."""
    return len(pins.pin(number).states)


def test_three_leds_show_one_signal_at_a_time(pins: Any) -> None:
    lamp = GpioLamp(LEDS)
    lamp.show(Signal.LEGAL)
    assert lit(pins, RED, YELLOW, GREEN) == [False, False, True]
    lamp.show(Signal.ILLEGAL)
    until(lambda: lit(pins, RED, YELLOW, GREEN) == [True, False, False])
    lamp.show(Signal.OFF)
    assert lit(pins, RED, YELLOW, GREEN) == [False, False, False]
    lamp.close()


def test_an_illegal_card_blinks_and_a_legal_one_does_not(pins: Any) -> None:
    lamp = GpioLamp(LEDS)
    lamp.show(Signal.LEGAL)
    steady = changes(pins, GREEN)
    lamp.show(Signal.ILLEGAL)
    until(lambda: changes(pins, RED) >= 4)
    assert changes(pins, GREEN) == steady + 1  # it went out, once
    lamp.close()


def test_an_rgb_led_mixes_yellow(pins: Any) -> None:
    lamp = GpioLamp(RGB)
    lamp.show(Signal.LEGAL)
    assert [pins.pin(number).state for number in RGB.pins] == [0, 1, 0]
    lamp.show(Signal.LOOK)
    until(lambda: [pins.pin(number).state for number in RGB.pins] == [1, 0.5, 0])
    lamp.show(Signal.OFF)
    assert [pins.pin(number).state for number in RGB.pins] == [0, 0, 0]
    lamp.close()


def test_the_buzzer_sounds_as_often_as_the_signal_asks(pins: Any) -> None:
    lamp = GpioLamp(LEDS)
    before = changes(pins, BUZZER)
    lamp.show(Signal.ILLEGAL)
    until(lambda: changes(pins, BUZZER) == before + 2 * DISPLAYS[Signal.ILLEGAL].beeps)
    lamp.close()


def test_a_silent_lamp_does_not_sound(pins: Any) -> None:
    lamp = GpioLamp(LEDS, silent=True)
    before = changes(pins, BUZZER)
    lamp.show(Signal.ILLEGAL)
    until(lambda: changes(pins, RED) >= 4)
    assert changes(pins, BUZZER) == before
    lamp.close()


def test_legal_goes_out_by_itself_and_illegal_stays(
    pins: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(DISPLAYS, Signal.LEGAL, Display(green=True, lasts_s=0.02))
    lamp = GpioLamp(LEDS)
    lamp.show(Signal.ILLEGAL)
    lamp.show(Signal.LEGAL)
    until(lambda: lamp.shown is Signal.OFF)
    assert lit(pins, RED, YELLOW, GREEN) == [False, False, False]
    assert DISPLAYS[Signal.ILLEGAL].lasts_s is None
    lamp.close()


def test_a_later_signal_is_not_put_out_by_an_earlier_one(
    pins: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(DISPLAYS, Signal.LEGAL, Display(green=True, lasts_s=0.05))
    lamp = GpioLamp(LEDS)
    lamp.show(Signal.LEGAL)
    lamp.show(Signal.LOOK)
    time.sleep(0.1)
    assert lamp.shown is Signal.LOOK
    lamp.close()


def test_pins_are_given_back(pins: Any) -> None:
    GpioLamp(LEDS).close()
    GpioLamp(LEDS).close()  # gpiozero refuses a pin that is in use


def test_what_is_taken_is_given_back_where_a_later_pin_fails(pins: Any) -> None:
    other = gpiozero.LED(GREEN)
    with pytest.raises(LampMissing, match="17, 27, 22, 24"):
        GpioLamp(LEDS)
    other.close()
    GpioLamp(LEDS).close()


def test_without_pins_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gpiozero", None)
    with pytest.raises(LampMissing, match="sudo apt install python3-gpiozero"):
        GpioLamp(LEDS)


def test_no_two_signals_look_alike() -> None:
    looks = {(one.red, one.yellow, one.green, one.on_s, one.off_s) for one in DISPLAYS.values()}
    assert len(looks) == len(Signal) == len(DISPLAYS)
    rhythms = {(one.is_lit, one.on_s, one.off_s) for one in DISPLAYS.values()}
    assert len(rhythms) == len(Signal)  # told apart without colour as well
