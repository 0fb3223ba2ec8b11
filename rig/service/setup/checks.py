"""What `POST /setup/check` looks at: disk, clock, camera, table, light and colours."""

from rig.doctor.camera import judge_place
from rig.doctor.examination import wait_for_picture
from rig.doctor.finding import Finding
from rig.doctor.machine import check_clock, check_disk, check_kept
from rig.service.setup.parts import SetupParts
from rig.store.seen_json import deck_text
from rig.trouble import Trouble
from rig.wording.troubles import in_either_language
from vision.reason import Reason

_START_S = 10.0
_STILL_S = 8.0


def checks(parts: SetupParts, accept_table: bool) -> list[Finding]:
    """Everything that can be checked, as found now."""
    camera = parts.camera
    machine = [check_disk(parts.store.folder), check_kept(parts.store.folder), check_clock()]
    if camera is None:
        return [*machine, *_unseen(Reason("camera-not-connected")), _colours(parts)]
    wait_for_picture(camera, _START_S)
    if camera.state().condition == "lost":
        return [*machine, *_unseen(Reason("camera-no-picture")), _colours(parts)]
    return [*machine, *_place(parts, accept_table), *_pictured(parts), _colours(parts)]


def _unseen(why: Reason) -> list[Finding]:
    first = Reason("camera-first")
    return [Finding(check, "unknown", why, first) for check in ("table", "light")]


def _place(parts: SetupParts, accept_table: bool) -> list[Finding]:
    facts = None if parts.camera is None else parts.camera.facts()
    if parts.guard is None or facts is None or not facts.lively:
        return []
    if accept_table:
        parts.guard.accept()
    moved = None if accept_table else parts.guard.moved()
    if moved is not None:
        found = in_either_language(moved.key, moved.facts, moved.sentence)
        return [Finding("place", "look", found)]
    return [judge_place(parts.guard.since(), None, accept_table)]


def _pictured(parts: SetupParts) -> list[Finding]:
    """The table and the light in a picture that is taken now."""
    if parts.camera is None:
        return []
    try:
        still = parts.camera.still(_STILL_S)
        name = "the picture"
        lens = still.known.get("lens") or parts.lenses.lens_for(still.size_wh)
        deck = deck_text(parts.settings.deck)
        found = parts.bench.make("examined", still.data, name, lens, deck)
    except Trouble as trouble:
        return _unseen(in_either_language(trouble.key, trouble.facts, str(trouble)))
    finally:
        parts.bench.rest()
    return list(found)


def _colours(parts: SetupParts) -> Finding:
    """The deck's colours in the newest photo that was read with a lens."""
    for frame in parts.store.frames.latest(20):
        lens = frame.lens or parts.lenses.lens_for((frame.photo.width, frame.photo.height))
        if frame.state != "read" or lens is None:
            continue
        try:
            cards = parts.readings.read(frame.id).replayed.reading.cards
            covered = {below for card in cards for below in card.over}
            lying = [
                (card.colour, card.x_mm, card.y_mm, card.angle_deg)
                for card in cards
                if card.id not in covered
            ]
            path, deck = parts.store.frames.path(frame), deck_text(parts.settings.deck)
            found: Finding = parts.bench.make("coloured", path, frame.name, lens, deck, lying)
        except Trouble as trouble:
            why = in_either_language(trouble.key, trouble.facts, str(trouble))
            return Finding("colours", "unknown", why)
        finally:
            parts.bench.rest()
        return found
    return Finding("colours", "unknown", Reason("colours-no-photo"), Reason("colours-take-photo"))
