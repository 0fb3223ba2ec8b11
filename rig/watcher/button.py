"""A button on the pins of a Raspberry Pi, between a pin and ground.

gpiozero is imported here only, and only where a pin is named: it comes with
Raspberry Pi OS (`apt install python3-gpiozero python3-lgpio`).
"""

import importlib
from collections.abc import Callable
from typing import Any

from rig.trouble import SettingTrouble

_BOUNCE_S = 0.05


class ButtonMissing(SettingTrouble, key="button-missing"):
    """There are no pins here, or the software for them is missing."""


class Button:
    """Calls `pressed` from a thread of its own at each press, until it is closed."""

    def __init__(self, pin: int, pressed: Callable[[], None]) -> None:
        try:
            gpiozero = importlib.import_module("gpiozero")
            self._button: Any = gpiozero.Button(pin, pull_up=True, bounce_time=_BOUNCE_S)
        except Exception as error:  # the pin libraries raise what they like
            raise ButtonMissing(pin=pin, why=str(error).strip() or type(error).__name__) from error
        self._button.when_pressed = pressed

    def close(self) -> None:
        """Give the pin back."""
        self._button.close()
