"""Setting the rig up: what the last check found, and a deck that is being enrolled."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from calibration.enrolment.deck_reading import NotRead, Spread
from geometry.deck import Deck
from rig.doctor.finding import Finding
from rig.service.http.limits import SOON_S
from rig.service.http.trouble import Busy, EnrolmentEmpty, EnrolmentFull, EnrolmentNotBegun
from rig.service.pictures.photo_header import photo_facts
from rig.service.pictures.picture_maker import PictureMaker
from rig.service.running.clock import Clock
from rig.service.setup.kept_decks import KeptDecks
from rig.service.setup.setup_tasks import Assembled
from rig.store.seen_json import deck_text
from vision.reason import Reason

MOST_SPREADS = 40
"""Photos of one deck: nine cards a photo are more than enough."""


@dataclass(frozen=True, slots=True)
class SpreadPhoto:
    """One photo of cards: how many were read in it, or why none could be."""

    photo: str
    cards: int
    reason: Reason | None = None


@dataclass(eq=False)
class Enrolment:
    """A deck under way: its photos so far, and what came of them, if anything."""

    name: str
    card_width_mm: float | None
    photos: list[SpreadPhoto] = field(default_factory=list)
    spreads: list[Spread] = field(default_factory=list)
    with_lens: bool = True
    result: Assembled | None = None


class SetupDesk:
    """What was found, when, and the enrolment under way: one for the whole rig."""

    def __init__(self, folder: Path) -> None:
        self.decks = KeptDecks(folder)
        self.findings: list[Finding] = []
        self.checked_at: str | None = None
        self._checking = threading.Lock()
        self._lock = threading.Lock()
        self._enrolment: Enrolment | None = None

    def check(self, look: Callable[[], list[Finding]], clock: Clock) -> None:
        """Look at everything again. Busy if somebody does so already."""
        if not self._checking.acquire(blocking=False):
            raise Busy(seconds=SOON_S)
        try:
            found = look()
            self.findings, self.checked_at = found, clock.now()
        finally:
            self._checking.release()

    def begin(self, name: str, card_width_mm: float | None) -> Enrolment:
        """Begin a deck, and forget the one under way."""
        with self._lock:
            self._enrolment = Enrolment(name, card_width_mm)
            return self._enrolment

    def enrolment(self) -> Enrolment | None:
        """The deck under way."""
        return self._enrolment

    def under_way(self) -> Enrolment:
        """The deck under way. EnrolmentNotBegun."""
        if self._enrolment is None:
            raise EnrolmentNotBegun
        return self._enrolment

    def end(self) -> None:
        """Forget the deck under way."""
        with self._lock:
            self._enrolment = None

    def show(self, bench: PictureMaker, data: bytes, lens: Mapping[str, Any] | None) -> Enrolment:
        """One more photo of cards. PhotoTrouble, EnrolmentFull, Busy."""
        enrolment = self.under_way()
        if len(enrolment.photos) >= MOST_SPREADS:
            raise EnrolmentFull(most=MOST_SPREADS)
        name = f"Photo {len(enrolment.photos) + 1}"
        photo_facts(data, name)
        found = bench.make("spread", data, name, lens, enrolment.card_width_mm)
        with self._lock:
            enrolment.result = None
            if isinstance(found, NotRead):
                enrolment.photos.append(SpreadPhoto(name, 0, found.reason))
                return enrolment
            enrolment.photos.append(SpreadPhoto(name, len(found.cards)))
            enrolment.spreads.append(found)
            enrolment.with_lens = enrolment.with_lens and lens is not None
        return enrolment

    def assemble(self, bench: PictureMaker, deck: Deck) -> Enrolment:
        """Make the deck of the photos so far. EnrolmentEmpty without a single card."""
        enrolment = self.under_way()
        spreads = tuple(enrolment.spreads)
        if not any(spread.cards for spread in spreads):
            raise EnrolmentEmpty
        base = deck_text(deck)
        result = bench.make("assembled", spreads, enrolment.name, base)
        with self._lock:
            enrolment.result = result
        bench.rest()
        return enrolment
