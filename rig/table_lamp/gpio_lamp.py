"""A lamp and a buzzer on the GPIO pins of a Raspberry Pi.

gpiozero is imported here only, and only where a lamp is named: the extra `gpio`, or
`apt install python3-gpiozero python3-lgpio` on Raspberry Pi OS. Its own threads do the blinking.
"""

import importlib
from threading import Lock, Timer
from typing import Any

from rig.table_lamp.signal import DISPLAYS, Display, Signal
from rig.table_lamp.wiring import Wiring
from rig.trouble import SettingTrouble

_AMBER = (1.0, 0.5, 0.0)
"""Red and green of an RGB LED at equal shares look green: yellow takes half as much of it."""


class LampMissing(SettingTrouble, key="lamp-missing"):
    """There are no pins here, or the software for them is missing."""


class GpioLamp:
    """Shows one signal at a time, from whichever thread; a new one replaces the last at once.

    `silent`: the buzzer stays quiet whatever is shown. LampMissing where the pins cannot be used.
    """

    def __init__(self, wiring: Wiring, silent: bool = False) -> None:
        self._silent, self._lock = silent, Lock()
        self._shown = Signal.OFF
        self._timer: Timer | None = None
        self._devices: list[Any] = []
        try:
            gpiozero = importlib.import_module("gpiozero")
            if wiring.kind == "rgb":
                self._devices.append(gpiozero.RGBLED(*wiring.pins))
            else:
                self._devices += [gpiozero.LED(pin) for pin in wiring.pins]
            self._lights = tuple(self._devices)
            self._buzzer: Any = None
            if wiring.buzzer is not None:
                self._buzzer = gpiozero.Buzzer(wiring.buzzer)
                self._devices.append(self._buzzer)
        except Exception as error:  # the pin libraries raise what they like
            self._close_devices()
            pins = ", ".join(map(str, (*wiring.pins, *([wiring.buzzer] if wiring.buzzer else ()))))
            raise LampMissing(pins=pins, why=str(error).strip() or type(error).__name__) from error

    @property
    def shown(self) -> Signal:
        """The signal that was shown last; OFF again once it went out by itself."""
        return self._shown

    def show(self, signal: Signal) -> None:
        """Show a signal, and sound the buzzer as it asks for. Shown again, it sounds again."""
        display = DISPLAYS[signal]
        with self._lock:
            self._stop_timer()
            self._shown = signal
            self._light(display)
            if self._buzzer is not None and not self._silent and display.beeps:
                self._buzzer.beep(display.beep_s, display.beep_s, display.beeps, background=True)
            if display.lasts_s is not None:
                self._timer = Timer(display.lasts_s, self._go_out, (signal,))
                self._timer.daemon = True
                self._timer.start()

    def close(self) -> None:
        """Go out, and give the pins back."""
        with self._lock:
            self._stop_timer()
            self._shown = Signal.OFF
            self._close_devices()

    def _go_out(self, signal: Signal) -> None:
        with self._lock:
            if self._shown is signal and self._timer is not None:
                self._timer, self._shown = None, Signal.OFF
                self._light(DISPLAYS[Signal.OFF])

    def _light(self, display: Display) -> None:
        if len(self._lights) == 1:
            self._light_rgb(display)
            return
        for led, lit in zip(
            self._lights, (display.red, display.yellow, display.green), strict=True
        ):
            if not lit:
                led.off()
            elif display.off_s:
                led.blink(display.on_s, display.off_s, background=True)
            else:
                led.on()

    def _light_rgb(self, display: Display) -> None:
        (led,) = self._lights
        colour = _AMBER if display.yellow else (float(display.red), float(display.green), 0.0)
        if not display.is_lit:
            led.off()
        elif display.off_s:
            led.blink(display.on_s, display.off_s, on_color=colour, background=True)
        else:
            led.color = colour

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _close_devices(self) -> None:
        for device in self._devices:
            device.close()
