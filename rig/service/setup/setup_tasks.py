"""What setting the rig up asks of pictures, done where pictures are decoded.

The same as `tacta doctor`, `tacta calibrate table`, `tacta calibrate colours` and `tacta enrol` do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rig.photo.decoding import decode_photo
from rig.photo.focal import lens_known
from rig.service.http.limits import PHOTO_PIXELS
from vision.reason import Reason

if TYPE_CHECKING:
    from calibration.colour_look import Lying
    from calibration.enrolment.deck_reading import NotRead, Spread
    from rig.doctor.finding import Finding


@dataclass(frozen=True, slots=True)
class Assembled:
    """A deck of what was read: its file's values, the ids of the faces seen, and what to look at.

    `reason`: why there is none.
    """

    document: Mapping[str, Any] | None
    faces: tuple[str, ...] = ()
    differing: tuple[Reason, ...] = ()
    doubts: tuple[Reason, ...] = ()
    reason: Reason | None = None


def examined(data: bytes, name: str, lens: Mapping[str, Any] | None, deck: str) -> list[Finding]:
    """The table and the light in a picture of the rig's camera."""
    from rig.doctor.picture import check_light, check_table

    image = decode_photo(data, name, PHOTO_PIXELS)
    return [check_table(image), *_fitted(image, name, lens, deck), check_light(image)]


def _fitted(image: Any, name: str, lens: Mapping[str, Any] | None, deck: str) -> list[Finding]:
    """How well markers and cards agree on the table; nothing without the camera's lens."""
    from calibration.table.table_look import look_at_table
    from rig.doctor.finding import Finding
    from rig.lens_file import check_size, parse_lens
    from rig.store.seen_json import deck_of

    if lens is None:
        return []
    known = parse_lens(dict(lens))
    check_size(known, image, name)
    look = look_at_table(image, known, deck_of(deck).card)
    if isinstance(look, Reason):
        return [Finding("fit", "look", look)]
    warning = look.warning()
    return [Finding("fit", "good" if warning is None else "look", look.reason(), warning)]


def coloured(
    path: Path, name: str, lens: Mapping[str, Any], deck: str, lying: Sequence[Lying]
) -> Finding:
    """How the colours of these cards look in a photo that was read."""
    from calibration.colour_look import colours_in_photo
    from calibration.deck_colours import NoColours
    from rig.doctor.finding import Finding
    from rig.lens_file import parse_lens
    from rig.store.seen_json import deck_of

    image = decode_photo(path.read_bytes(), name, PHOTO_PIXELS)
    looked = colours_in_photo(image, parse_lens(dict(lens)), deck_of(deck), lying)
    if isinstance(looked, NoColours):
        return Finding("colours", "unknown", looked.reason)
    warnings = looked.warnings()
    if warnings:
        return Finding("colours", "look", warnings[0])
    if not looked.pairs:
        return Finding("colours", "good", Reason("colours-one"))
    pair = looked.pairs[0]
    found = Reason(
        "colours-nearest", {"colour": pair.one, "rival": pair.other, "difference": pair.difference}
    )
    return Finding("colours", "good", found)


def spread(
    data: bytes, name: str, lens: Mapping[str, Any] | None, card_width_mm: float | None
) -> Spread | NotRead:
    """The cards of one photo for a deck. Without a lens one is guessed."""
    from calibration.enrolment.deck_reading import read_spread
    from calibration.lens.lens_guess import lens_or_guess
    from rig.lens_file import parse_lens

    image = decode_photo(data, name, PHOTO_PIXELS)
    measured = None if lens is None else parse_lens(dict(lens))
    known = lens_known(measured, image, data, name)
    through = lens_or_guess(known, (image.shape[1], image.shape[0]))
    return read_spread(image, through, name, card_width_mm)


def assembled(spreads: Sequence[Spread], name: str, base: str) -> Assembled:
    """A deck of these spreads, compared with `base`; no photo is decoded for it."""
    from calibration.enrolment.deck_assembly import assemble
    from calibration.enrolment.deck_document import deck_document
    from calibration.enrolment.deck_reading import NotRead
    from geometry.deck_faults import DeckError
    from geometry.deck_file import parse_deck
    from rig.store.seen_json import deck_of

    found = assemble(spreads, deck_of(base), name)
    if isinstance(found, NotRead):
        return Assembled(None, reason=found.reason)
    document = deck_document(found.deck)
    try:
        parse_deck(document)
    except DeckError as fault:
        return Assembled(None, reason=Reason("enrol-no-deck", {"error": str(fault)}))
    return Assembled(document, found.seen_faces, found.differing, found.doubts)
