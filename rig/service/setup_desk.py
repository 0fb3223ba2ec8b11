"""Setting the rig up: what the last check found, and a deck that is being enrolled."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibration.enrolment.deck_reading import NotRead, Spread
from rig.doctor.clock import check_clock
from rig.doctor.disk import check_disk
from rig.doctor.examination import wait_for_picture
from rig.doctor.finding import Finding
from rig.doctor.kept import check_kept
from rig.doctor.place import judge_place
from rig.service.kept_decks import KeptDecks
from rig.service.lanes import AGAIN_S
from rig.service.photo_header import photo_facts
from rig.service.setup_tasks import Assembled
from rig.service.trouble import Busy, EnrolmentEmpty, EnrolmentFull, EnrolmentNotBegun
from rig.store.seen_json import deck_text
from rig.trouble import Trouble
from rig.wording.troubles import in_either_language
from vision.reason import Reason

if TYPE_CHECKING:
    from rig.service.desk import Desk

_START_S = 10.0
_STILL_S = 8.0
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

    def check(self, desk: Desk, accept_table: bool) -> None:
        """Look at everything again. Busy if somebody does so already."""
        if not self._checking.acquire(blocking=False):
            raise Busy(seconds=AGAIN_S)
        try:
            found = list(_checks(desk, accept_table))
            self.findings, self.checked_at = found, desk.now()
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

    def show(self, desk: Desk, data: bytes, lens: Mapping[str, Any] | None) -> Enrolment:
        """One more photo of cards. PhotoTrouble, EnrolmentFull, Busy."""
        enrolment = self.under_way()
        if len(enrolment.photos) >= MOST_SPREADS:
            raise EnrolmentFull(most=MOST_SPREADS)
        name = f"Photo {len(enrolment.photos) + 1}"
        photo_facts(data, name)
        found = desk.bench.make("spread", data, name, lens, enrolment.card_width_mm)
        with self._lock:
            enrolment.result = None
            if isinstance(found, NotRead):
                enrolment.photos.append(SpreadPhoto(name, 0, found.reason))
                return enrolment
            enrolment.photos.append(SpreadPhoto(name, len(found.cards)))
            enrolment.spreads.append(found)
            enrolment.with_lens = enrolment.with_lens and lens is not None
        return enrolment

    def assemble(self, desk: Desk) -> Enrolment:
        """Make the deck of the photos so far. EnrolmentEmpty without a single card."""
        enrolment = self.under_way()
        spreads = tuple(enrolment.spreads)
        if not any(spread.cards for spread in spreads):
            raise EnrolmentEmpty
        base = deck_text(desk.settings.deck)
        result = desk.bench.make("assembled", spreads, enrolment.name, base)
        with self._lock:
            enrolment.result = result
        desk.bench.rest()
        return enrolment


def _checks(desk: Desk, accept_table: bool) -> list[Finding]:
    camera = desk.camera
    machine = [check_disk(desk.store.folder), check_kept(desk.store.folder), check_clock()]
    if camera is None:
        return [*machine, *_unseen(Reason("camera-not-connected")), _colours(desk)]
    wait_for_picture(camera, _START_S)
    if camera.state().condition == "lost":
        return [*machine, *_unseen(Reason("camera-no-picture")), _colours(desk)]
    return [*machine, *_place(desk, accept_table), *_pictured(desk), _colours(desk)]


def _unseen(why: Reason) -> list[Finding]:
    first = Reason("camera-first")
    return [Finding(check, "unknown", why, first) for check in ("table", "light")]


def _place(desk: Desk, accept_table: bool) -> list[Finding]:
    facts = None if desk.camera is None else desk.camera.facts()
    if desk.guard is None or facts is None or not facts.lively:
        return []
    if accept_table:
        desk.guard.accept()
    moved = None if accept_table else desk.guard.moved()
    if moved is not None:
        found = in_either_language(moved.key, moved.facts, moved.sentence)
        return [Finding("place", "look", found)]
    return [judge_place(desk.guard.since(), None, accept_table)]


def _pictured(desk: Desk) -> list[Finding]:
    """The table and the light in a picture that is taken now."""
    if desk.camera is None:
        return []
    try:
        still = desk.camera.still(_STILL_S)
        name = "the picture"
        lens = still.known.get("lens") or desk.lens_for(still.size_wh)
        deck = deck_text(desk.settings.deck)
        found = desk.bench.make("examined", still.data, name, lens, deck)
    except Trouble as trouble:
        return _unseen(in_either_language(trouble.key, trouble.facts, str(trouble)))
    finally:
        desk.bench.rest()
    return list(found)


def _colours(desk: Desk) -> Finding:
    """The deck's colours in the newest photo that was read with a lens."""
    for frame in desk.store.frames.latest(20):
        lens = frame.lens or desk.lens_for((frame.photo.width, frame.photo.height))
        if frame.state != "read" or lens is None:
            continue
        try:
            cards = desk.read(frame.id).replayed.reading.cards
            covered = {below for card in cards for below in card.over}
            lying = [
                (card.colour, card.x_mm, card.y_mm, card.angle_deg)
                for card in cards
                if card.id not in covered
            ]
            path, deck = desk.store.frames.path(frame), deck_text(desk.settings.deck)
            found: Finding = desk.bench.make("coloured", path, frame.name, lens, deck, lying)
        except Trouble as trouble:
            why = in_either_language(trouble.key, trouble.facts, str(trouble))
            return Finding("colours", "unknown", why)
        finally:
            desk.bench.rest()
        return found
    return Finding("colours", "unknown", Reason("colours-no-photo"), Reason("colours-take-photo"))
