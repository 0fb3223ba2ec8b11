"""`tacta lamp`: try how a lamp and a buzzer are wired, without a camera or a game."""

from typing import Annotated

import typer

from rig.table_lamp.signal import Signal

_LOOKS = {
    Signal.LEGAL: "green, steady, for four seconds",
    Signal.ILLEGAL: "red, blinking fast; three short beeps",
    Signal.LOOK: "yellow, blinking slowly; one long beep",
    Signal.WAITING: "yellow, a short flash every two seconds",
}
LAMP_VARIABLE, BUZZER_VARIABLE = "TACTA_LAMP", "TACTA_BUZZER"

BuzzerOption = Annotated[
    int | None,
    typer.Option(
        "--buzzer", metavar="PIN", min=0, envvar=BUZZER_VARIABLE, help="The buzzer's GPIO number."
    ),
]


def lamp(
    wiring: Annotated[
        str,
        typer.Argument(
            metavar="WIRING",
            envvar=LAMP_VARIABLE,
            help="leds:RED,YELLOW,GREEN or rgb:RED,GREEN,BLUE, as GPIO numbers.",
        ),
    ] = "leds:5,6,13",
    buzzer: BuzzerOption = None,
    seconds: Annotated[
        float, typer.Option(metavar="N", min=0.0, max=60.0, help="How long each signal is shown.")
    ] = 4.0,
) -> None:
    """Show each signal in turn, and say which: what the lamp does must be what is printed."""
    import time

    from rig.table_lamp.gpio_lamp import GpioLamp
    from rig.table_lamp.wiring import parse_wiring

    shown = GpioLamp(parse_wiring(wiring, buzzer))
    try:
        for signal, looks in _LOOKS.items():
            print(f"{signal.value:<8} {looks}", flush=True)
            shown.show(signal)
            time.sleep(seconds)
    finally:
        shown.close()
