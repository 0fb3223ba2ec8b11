"""How a lamp's wiring is written down."""

from __future__ import annotations

import pytest

from rig.table_lamp.wiring import PinTaken, Wiring, WiringWrong, parse_wiring


def test_three_leds_and_an_rgb_led() -> None:
    assert parse_wiring("leds:17,27,22", 24) == Wiring("leds", (17, 27, 22), 24)
    assert parse_wiring(" rgb: 5, 6, 13 ") == Wiring("rgb", (5, 6, 13))


@pytest.mark.parametrize(
    "word",
    ["", "leds", "leds:", "leds:17,27", "leds:17,27,22,23", "leds:17,17,22", "lamp:17,27,22",
     "rgb:1,2,3", "rgb:26,27,28", "rgb:-2,3,4", "rgb:a,b,c", "rgb:²,3,4", "rgb:0017,27,22"],
)  # fmt: skip
def test_what_is_no_wiring(word: str) -> None:
    with pytest.raises(WiringWrong, match="is no wiring of a lamp"):
        parse_wiring(word)


@pytest.mark.parametrize("buzzer", [17, 22, 0, 1, 28])
def test_a_buzzer_has_a_pin_of_its_own(buzzer: int) -> None:
    with pytest.raises(PinTaken, match=f"Pin {buzzer} "):
        parse_wiring("leds:17,27,22", buzzer)
