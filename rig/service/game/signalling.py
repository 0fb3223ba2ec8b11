"""What the lamp and the buzzer on the rig say of the game that is followed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from rig.service.game.now import Now, Numbered
from rig.table_lamp.signal import Signal

_VERDICTS = ("laid", "moved", "corrected")


class Lamp(Protocol):
    """Something that shows one signal at a time."""

    def show(self, signal: Signal) -> None:
        """Show a signal, and sound the buzzer as it asks for."""


class SignalLamp:
    """Shows what happens in the game on a lamp: what stays as it is is not shown again."""

    def __init__(self, lamp: Lamp) -> None:
        self._lamp = lamp
        self._shown = Signal.OFF

    def hear(self, now: Now, told: Sequence[Numbered]) -> None:
        """Show what happened, or what the rig does meanwhile."""
        signal = signal_of(now, told)
        if told or signal is not self._shown:
            self._shown = signal
            self._lamp.show(signal)


def signal_of(now: Now, told: Sequence[Numbered]) -> Signal:
    """What to show after these events. A card that lies illegally is shown until it is taken back,
    lies well or stays by ruling, whatever else happens.
    """
    standing = standing_signal(now)
    if standing is Signal.ILLEGAL or not told:
        return standing
    if any(one.told.event.kind == "disturbed" or _is_open(one) for one in told):
        return Signal.LOOK
    if any(one.told.event.kind in _VERDICTS for one in told):
        return Signal.LEGAL
    return standing


def standing_signal(now: Now) -> Signal:
    """What holds for as long as nothing happens."""
    if now.game is None or not now.settings.following:
        return Signal.OFF
    if _is_illegal(now):
        return Signal.ILLEGAL
    if now.doing == "disturbed":
        return Signal.LOOK
    return Signal.WAITING if now.doing in ("waiting", "reading") else Signal.OFF


def _is_illegal(now: Now) -> bool:
    """Whether the card that was laid last lies illegally, and nobody ruled that it stays."""
    there = {card.id for card in now.history.following.table.cards}
    laid = [
        one.told.event
        for one in now.events()
        if one.told.event.kind in _VERDICTS and one.told.event.card is not None
    ]
    if not laid or laid[-1].card is None:
        return False
    card = laid[-1].card.id
    return laid[-1].status == "illegal" and card in there and card not in now.history.rulings


def _is_open(one: Numbered) -> bool:
    event = one.told.event
    return event.status == "borderline" or (event.kind in _VERDICTS and not event.sure)
