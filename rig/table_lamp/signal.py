"""What a lamp and a buzzer can say, and how each is shown without relying on colour alone."""

from dataclasses import dataclass
from enum import Enum


class Signal(Enum):
    """What the rig has to say to people who look at the table and not at a phone."""

    OFF = "off"
    LEGAL = "legal"
    ILLEGAL = "illegal"
    LOOK = "look"
    """A placement near a limit, or something that a person has to answer."""
    WAITING = "waiting"
    """A hand over the table, or a reading that goes on: nothing is said of the cards."""


@dataclass(frozen=True, slots=True)
class Display:
    """How a signal is shown.

    `red`, `yellow`, `green`: which of three LEDs are lit; an RGB LED mixes yellow of red and green.
    `on_s`, `off_s`: seconds lit and dark, over and over; `off_s` 0 shines steadily. People who do
    not tell red from green tell the signals by this. `lasts_s`: after so many seconds it goes out;
    None: until another signal. `beeps`: how often the buzzer sounds, `beep_s` each.
    """

    red: bool = False
    yellow: bool = False
    green: bool = False
    on_s: float = 1.0
    off_s: float = 0.0
    lasts_s: float | None = None
    beeps: int = 0
    beep_s: float = 0.1

    @property
    def is_lit(self) -> bool:
        """Whether any LED is lit at all."""
        return self.red or self.yellow or self.green


DISPLAYS = {
    Signal.OFF: Display(),
    Signal.LEGAL: Display(green=True, lasts_s=4.0),
    Signal.ILLEGAL: Display(red=True, on_s=0.25, off_s=0.25, beeps=3, beep_s=0.12),
    Signal.LOOK: Display(yellow=True, on_s=1.0, off_s=0.5, beeps=1, beep_s=0.3),
    Signal.WAITING: Display(yellow=True, on_s=0.1, off_s=1.9),
}
