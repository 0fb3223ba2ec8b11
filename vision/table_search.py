"""Where the table is and which cards lie on it, with as much of the picture as shows some.

What was found may say that another scale, or more of the picture, would show more: then that is
looked at as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from geometry.deck import CardSize, Deck
from geometry.rules import Rules
from vision.arrays import FloatArray
from vision.bare.frames import located_by_start
from vision.bare.table import BareTable, bare_table
from vision.doubting.limits import NO_CARDS, no_cards
from vision.doubting.other_game import other_game
from vision.drawing.pose_fit import place
from vision.evidence import Evidence, observe
from vision.heights.height_witness import sizes_seen
from vision.lens import LensKnown
from vision.locating.locate import Located, first_look, fits_cards, locate_by_cards
from vision.locating.locate_again import locate_again
from vision.locating.plane import SCALE_CARDS
from vision.locating.size_check import plainly_agree
from vision.pace import Pace
from vision.raster import density_for, rectify
from vision.reading import NotSeen
from vision.reconstruct import (
    CardSpots,
    Found,
    Reconstruction,
    card_spots,
    found_cards,
    reconstruct,
)

MOST_WIDENED = 2
"""Times that more of the picture is looked at because cards reach out of what was."""
SCALE, FARTHER_OUT = "sought-scale", "sought-farther"


@dataclass(frozen=True, eq=False)
class Photograph:
    """A picture (H, W, 3) uint8 BGR of a table, what is known of it, and how reading it goes on."""

    image_bgr: NDArray[np.uint8]
    lens: LensKnown
    deck: Deck
    rules: Rules
    pace: Pace


class SeenCards(NamedTuple):
    """Where the table is, all that was seen there, and the cards found in it."""

    located: Located
    evidence: Evidence
    table: Reconstruction


def table_seen(photo: Photograph) -> SeenCards | BareTable | NotSeen:
    """The cards, and all that was seen of them, with as much of the picture as shows some; or a
    table without players' cards.
    """
    image_bgr, lens, deck, pace = photo.image_bgr, photo.lens, photo.deck, photo.pace
    pace.say("locate")
    first = _first_located(photo)
    if isinstance(first, NotSeen):
        return _bare_by_start(photo, first)
    located, evidence, table = _read_as_far(photo, first, MOST_WIDENED)
    # Cards that seem another game's may seem so under markers of another size.
    sized = _sized(located, evidence, None if isinstance(table, NotSeen) else table, deck)
    if not sized and not pace.leaves_out(SCALE):
        pace.say("locate")
        first = locate_by_cards(image_bgr, lens, deck.card)
        if isinstance(first, NotSeen):
            return table if isinstance(table, NotSeen) else first
        located, evidence, table = _read_as_far(photo, first, MOST_WIDENED)
    if isinstance(table, NotSeen):
        return table
    if table is not None:
        return SeenCards(located, evidence, table)
    none_seen = _bare(photo, located, evidence)
    if isinstance(none_seen, BareTable):
        return none_seen
    # Where planes were tried at first sight, they would be tried in vain again; and where cards
    # were seen until more of the picture was looked at, they lie on this one.
    if located.tried or located is not first:
        return none_seen
    pace.say("locate")
    again = locate_again(image_bgr, lens, deck)
    if again is None:
        return none_seen
    located, evidence, table = _read_as_far(photo, again, MOST_WIDENED)
    if isinstance(table, NotSeen):
        return table
    return none_seen if table is None else SeenCards(located, evidence, table)


def _bare(photo: Photograph, located: Located, evidence: Evidence) -> BareTable | NotSeen:
    """A table without players' cards, or why no card was found."""
    none_seen = no_cards(evidence, located.view.px_per_mm(located.middle_mm))
    if none_seen.reason.code != NO_CARDS:
        return none_seen
    bare = bare_table(photo.image_bgr, located, evidence, photo.deck)
    return none_seen if bare is None else BareTable(bare, none_seen)


def _bare_by_start(photo: Photograph, refused: NotSeen) -> BareTable | NotSeen:
    """The starting card alone, where it is all that tells of a table."""
    located = located_by_start(photo.image_bgr, photo.lens, photo.deck.card)
    if located is None:
        return refused
    evidence = _looked_at(photo, located)
    bare = bare_table(photo.image_bgr, located, evidence, photo.deck)
    return refused if bare is None else BareTable(bare, refused)


def _first_located(photo: Photograph) -> Located | NotSeen:
    """Where the table is at first sight, or where more trouble finds it."""
    located = first_look(photo.image_bgr, photo.lens, photo.deck.card)
    if not isinstance(located, NotSeen):
        return located
    return locate_again(photo.image_bgr, photo.lens, photo.deck) or located


def _sized(located: Located, evidence: Evidence, table: Reconstruction | None, deck: Deck) -> bool:
    """Whether the cards do not deny the scale that markers gave, as they were read or, where these
    do not plainly say so, as frames are seen in the photograph.
    """
    lens_mm = evidence.raster.lens_mm
    if located.frames_px is None:
        return True
    if table is not None and lens_mm is not None:
        sizes = sizes_seen(table, evidence, deck.card)
        if plainly_agree(sizes, float(lens_mm[2])):
            return True
    return fits_cards(located, deck.card)


class _Seen(NamedTuple):
    """The cards found in a part of the picture, and all that was seen there."""

    located: Located
    evidence: Evidence
    found: Found | None


def _read_as_far(
    photo: Photograph, located: Located, most: int
) -> tuple[Located, Evidence, Reconstruction | NotSeen | None]:
    """The table read where it is located, or in as much more of the picture as shows more of it;
    that is looked at up to so often. Another game's is not read.
    """
    deck, pace = photo.deck, photo.pace
    seen, vain, left = _seen_as_far(photo, located, most)
    located, evidence, found = seen
    refused = None if found is None else other_game(found, evidence, deck)
    if found is not None and refused is not None:
        # A few things that look like cards are what a wrong plane shows, too.
        few = len(found.named) < SCALE_CARDS
        return located, evidence, None if few else refused
    table = None if found is None else reconstruct(evidence, deck, photo.rules, found)
    if table is None or left == 0:
        return located, evidence, table
    # Cards that the colours' numbers told of may be cut as well.
    corners = _corners_mm(table.named.poses, deck.card)
    wider = located.widened(corners)
    in_vain = wider is not None and vain is not None and vain.holds(wider.box_mm.reshape(2, 2))
    if wider is None or in_vain or pace.leaves_out(FARTHER_OUT):
        return located, evidence, table
    farther = _read_as_far(photo, wider, left - 1)
    again = farther[2]
    more = 0 if again is None or isinstance(again, NotSeen) else len(again.named)
    if located.holds(corners) and more <= len(table.named):
        return located, evidence, table
    return farther


def _seen_as_far(
    photo: Photograph, located: Located, most: int
) -> tuple[_Seen, Located | None, int]:
    """What is seen with as much of the picture as shows more cards, which part of it was looked at
    in vain, and how often more may still be looked at.

    It takes a fraction of what it takes to find out all that can be known of the cards.
    """
    seen = _read(photo, _spotted(photo, located))
    for left in range(most, 0, -1):
        if seen.found is None:
            break
        corners = _corners_mm(seen.found.named.poses, photo.deck.card)
        number = len(seen.found.named)
        wider = seen.located.widened(corners)
        if wider is None:
            return seen, None, left
        if photo.pace.leaves_out(FARTHER_OUT):
            break
        # What was seen before is needed no more where a card is cut: it takes much memory.
        before = seen if seen.located.holds(corners) else None
        del seen
        spotted = _spotted(photo, wider)
        # Where no card is cut, more clutter is all that a wider look may bring.
        if before is not None and not _any_beyond(spotted.spots.poses, before.located, photo.deck):
            return before, wider, left - 1
        seen = _read(photo, spotted)
        if before is not None and (seen.found is None or len(seen.found.named) <= number):
            return before, wider, left - 1
    return seen, None, 0


class _Spotted(NamedTuple):
    """A part of the picture, and what tells of cards in it."""

    located: Located
    evidence: Evidence
    spots: CardSpots


def _spotted(photo: Photograph, located: Located) -> _Spotted:
    """What tells of cards there, and in as much more of the picture as they plainly reach into."""
    deck, pace = photo.deck, photo.pace
    spotted = _spotted_in(photo, located)
    for _ in range(MOST_WIDENED):
        # Cards that plainly reach out of what is looked at need not be read to say so.
        plain = spotted.spots.plain
        wider = spotted.located.widened(_corners_mm(plain, deck.card)) if len(plain) else None
        if wider is None or pace.leaves_out(FARTHER_OUT):
            break
        # What was seen before is needed no more: it takes much memory.
        del spotted
        spotted = _spotted_in(photo, wider)
    return spotted


def _spotted_in(photo: Photograph, located: Located) -> _Spotted:
    evidence = _looked_at(photo, located)
    photo.pace.say("reconstruct")
    return _Spotted(located, evidence, card_spots(evidence, photo.deck))


def _read(photo: Photograph, spotted: _Spotted) -> _Seen:
    located, evidence, spots = spotted
    return _Seen(located, evidence, found_cards(evidence, photo.deck, photo.rules, spots))


def _any_beyond(poses: FloatArray, located: Located, deck: Deck) -> bool:
    """Whether anything like a card, at poses (N, 3), reaches out of what is looked at."""
    return len(poses) > 0 and not located.holds(_corners_mm(poses, deck.card))


def _looked_at(photo: Photograph, located: Located) -> Evidence:
    photo.pace.say("rectify")
    density = density_for(located.view, located.box_mm)
    raster = rectify(photo.image_bgr, located.view, located.box_mm, density)
    photo.pace.say("observe")
    return observe(raster, photo.pace)


def _corners_mm(poses: FloatArray, card: CardSize) -> FloatArray:
    """The corners (4 N, 2) of cards at poses (N, 3 or 9)."""
    return place(poses, np.array(card.corners_mm)).reshape(-1, 2)
