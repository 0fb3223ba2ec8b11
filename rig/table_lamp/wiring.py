"""Which GPIO pins a lamp and a buzzer are wired to, as a person writes it down."""

from dataclasses import dataclass
from typing import Literal

from rig.trouble import SettingTrouble

LampKind = Literal["leds", "rgb"]
PINS = range(2, 28)
"""GPIO numbers of the Raspberry Pi's 40-pin header that drive something; 0 and 1 belong to HATs."""


class WiringWrong(SettingTrouble, key="wiring-wrong"):
    """Not a lamp's wiring."""


class PinTaken(SettingTrouble, key="pin-taken"):
    """One pin for two things."""


@dataclass(frozen=True, slots=True)
class Wiring:
    """A lamp's `pins` (GPIO numbers, not those of the header) in the order of its `kind`, and the
    buzzer's, None where there is none.

    `leds`: red, yellow, green. `rgb`: red, green, blue of one LED with a common cathode.
    """

    kind: LampKind
    pins: tuple[int, int, int]
    buzzer: int | None = None


def parse_wiring(word: str, buzzer: int | None = None) -> Wiring:
    """The wiring that a word such as `leds:17,27,22` names. WiringWrong or PinTaken where none."""
    kind, _, listed = word.strip().partition(":")
    numbers = [part.strip() for part in listed.split(",")]
    if not all(part.isascii() and part.isdecimal() and len(part) <= 2 for part in numbers):
        raise WiringWrong(word=word)
    pins = tuple(int(part) for part in numbers)
    if len(pins) != 3 or len(set(pins)) != 3 or not all(pin in PINS for pin in pins):
        raise WiringWrong(word=word)
    if buzzer is not None and (buzzer in pins or buzzer not in PINS):
        raise PinTaken(pin=buzzer)
    three = (pins[0], pins[1], pins[2])
    if kind == "leds":
        return Wiring("leds", three, buzzer)
    if kind == "rgb":
        return Wiring("rgb", three, buzzer)
    raise WiringWrong(word=word)
