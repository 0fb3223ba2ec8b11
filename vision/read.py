"""From a photograph to a reading: one function, one line a stage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from geometry.deck import CardSize, Deck
from geometry.rules import Rules
from vision.arrays import FloatArray
from vision.assemble import assemble
from vision.cores import short_switch_interval, single_blas_thread
from vision.doubting.limits import no_cards, too_poor
from vision.doubting.other_game import other_game
from vision.drawing.pose_fit import place
from vision.evidence import Evidence, observe
from vision.heights.height_witness import sizes_seen
from vision.kept_memory import keep_memory
from vision.lens import LensKnown
from vision.locate import Located, first_look, fits_cards, locate_by_cards
from vision.locating.locate_again import locate_again
from vision.locating.size_check import plainly_agree
from vision.pace import Pace, Progress
from vision.raster import density_for, rectify
from vision.reading import NotSeen, Reading
from vision.reason import Reason
from vision.reconstruct import Found, Reconstruction, card_spots, found_cards, reconstruct
from vision.report import report

SMALLEST_PX = 200
MOST_WIDENED = 2
"""Times that more of the picture is looked at because cards reach out of what was."""
SCALE, FARTHER_OUT = "sought-scale", "sought-farther"


class Explained(NamedTuple):
    """A reading with what it was made of, for those who judge it by the picture again."""

    reading: Reading
    evidence: Evidence
    table: Reconstruction


def read_table(
    image_bgr: NDArray[np.uint8],
    deck: Deck,
    lens: LensKnown,
    rules: Rules,
    progress: Progress = Pace.say,
    hurry: Callable[[], bool] = Pace.hurry,
) -> Reading | NotSeen:
    """Read a photograph (H, W, 3) uint8 BGR of a table; `NotSeen` says why it could not be.

    `lens`: as it was measured, the focal length that a photo tells of, or None.
    `progress` is called with the name of each stage as it begins. From when `hurry` is true nothing
    is looked for that a reading can do without, and it is not sure.
    """
    found = explained_table(image_bgr, deck, lens, rules, progress, hurry)
    return found if isinstance(found, NotSeen) else found.reading


def explained_table(
    image_bgr: NDArray[np.uint8],
    deck: Deck,
    lens: LensKnown,
    rules: Rules,
    progress: Progress = Pace.say,
    hurry: Callable[[], bool] = Pace.hurry,
) -> Explained | NotSeen:
    """As `read_table`, with the evidence and the cards found in it, in the raster's millimetres.

    The cards' ids in the reading are their indices in `table`; where the heights of the stacks
    turned cards round, the order in the reading's layout is the one that holds.
    """
    single_blas_thread()
    short_switch_interval()
    keep_memory()
    if min(image_bgr.shape[:2]) < SMALLEST_PX:
        height, width = image_bgr.shape[:2]
        return NotSeen(Reason("too-few-pixels", {"width": width, "height": height}))
    found = _table_seen(image_bgr, lens, deck, rules, Pace(progress, hurry))
    if isinstance(found, NotSeen):
        return found
    located, evidence, table = found
    refused = too_poor(table, located.view)
    if refused is not None:
        return refused
    progress("report")
    seen = report(table, evidence, located, replace(deck, badges=table.badges), rules)
    progress("judge")
    reading = assemble(replace(seen, layout=replace(seen.layout, deck=deck)), rules)
    return Explained(reading, evidence, table)


def _table_seen(
    image_bgr: NDArray[np.uint8], lens: LensKnown, deck: Deck, rules: Rules, pace: Pace
) -> tuple[Located, Evidence, Reconstruction] | NotSeen:
    """The cards, and all that was seen of them, with as much of the picture as shows some."""
    read = partial(_read_as_far, image_bgr, deck, rules, pace)
    pace.say("locate")
    first = _first_located(image_bgr, lens, deck)
    if isinstance(first, NotSeen):
        return first
    located, evidence, table = read(first, MOST_WIDENED)
    # Cards that seem another game's may seem so under markers of another size.
    sized = _sized(located, evidence, None if isinstance(table, NotSeen) else table, deck)
    if not sized and not pace.leaves_out(SCALE):
        pace.say("locate")
        first = locate_by_cards(image_bgr, lens, deck.card)
        if isinstance(first, NotSeen):
            return table if isinstance(table, NotSeen) else first
        located, evidence, table = read(first, MOST_WIDENED)
    if isinstance(table, NotSeen):
        return table
    if table is not None:
        return located, evidence, table
    none_seen = no_cards(evidence, located.view.px_per_mm(located.middle_mm))
    # Where planes were tried at first sight, they would be tried in vain again; and where cards
    # were seen until more of the picture was looked at, they lie on this one.
    if located.tried or located is not first:
        return none_seen
    pace.say("locate")
    again = locate_again(image_bgr, lens, deck)
    if again is None:
        return none_seen
    located, evidence, table = read(again, MOST_WIDENED)
    if isinstance(table, NotSeen):
        return table
    return none_seen if table is None else (located, evidence, table)


def _first_located(image_bgr: NDArray[np.uint8], lens: LensKnown, deck: Deck) -> Located | NotSeen:
    """Where the table is at first sight, or where more trouble finds it."""
    located = first_look(image_bgr, lens, deck.card)
    if not isinstance(located, NotSeen):
        return located
    return locate_again(image_bgr, lens, deck) or located


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
    image_bgr: NDArray[np.uint8], deck: Deck, rules: Rules, pace: Pace, located: Located,
    most: int,
) -> tuple[Located, Evidence, Reconstruction | NotSeen | None]:  # fmt: skip
    """The table read where it is located, or in as much more of the picture as shows more of it;
    that is looked at up to so often. Another game's is not read.
    """
    seen, vain, left = _seen_as_far(image_bgr, deck, rules, pace, located, most)
    located, evidence, found = seen
    refused = None if found is None else other_game(found, evidence, deck)
    if refused is not None:
        return located, evidence, refused
    table = None if found is None else reconstruct(evidence, deck, rules, found)
    if table is None or left == 0:
        return located, evidence, table
    # Cards that the colours' numbers told of may be cut as well.
    corners = _corners_mm(table.named.poses, deck.card)
    wider = located.widened(corners)
    in_vain = wider is not None and vain is not None and vain.holds(wider.box_mm.reshape(2, 2))
    if wider is None or in_vain or pace.leaves_out(FARTHER_OUT):
        return located, evidence, table
    farther = _read_as_far(image_bgr, deck, rules, pace, wider, left - 1)
    again = farther[2]
    more = 0 if again is None or isinstance(again, NotSeen) else len(again.named)
    if located.holds(corners) and more <= len(table.named):
        return located, evidence, table
    return farther


def _seen_as_far(
    image_bgr: NDArray[np.uint8], deck: Deck, rules: Rules, pace: Pace, located: Located,
    most: int,
) -> tuple[_Seen, Located | None, int]:  # fmt: skip
    """What is seen with as much of the picture as shows more cards, which part of it was looked at
    in vain, and how often more may still be looked at.

    It takes a fraction of what it takes to find out all that can be known of the cards.
    """
    seen = _seen(image_bgr, deck, rules, pace, located)
    for left in range(most, 0, -1):
        if seen.found is None:
            break
        corners, number = _corners_mm(seen.found.named.poses, deck.card), len(seen.found.named)
        wider = seen.located.widened(corners)
        if wider is None:
            return seen, None, left
        if pace.leaves_out(FARTHER_OUT):
            break
        # What was seen before is needed no more where a card is cut: it takes much memory.
        before = seen if seen.located.holds(corners) else None
        del seen
        seen = _seen(image_bgr, deck, rules, pace, wider)
        # Where no card is cut, more clutter is all that a wider look may bring.
        if before is not None and (seen.found is None or len(seen.found.named) <= number):
            return before, wider, left - 1
    return seen, None, 0


def _seen(
    image_bgr: NDArray[np.uint8], deck: Deck, rules: Rules, pace: Pace, located: Located
) -> _Seen:
    evidence = _looked_at(image_bgr, located, pace)
    pace.say("reconstruct")
    spots = card_spots(evidence, deck)
    for _ in range(MOST_WIDENED):
        # Cards that plainly reach out of what is looked at need not be read to say so.
        wider = located.widened(_corners_mm(spots.plain, deck.card)) if len(spots.plain) else None
        if wider is None or pace.leaves_out(FARTHER_OUT):
            break
        located, evidence = wider, _looked_at(image_bgr, wider, pace)
        spots = card_spots(evidence, deck)
    return _Seen(located, evidence, found_cards(evidence, deck, rules, spots))


def _looked_at(image_bgr: NDArray[np.uint8], located: Located, pace: Pace) -> Evidence:
    pace.say("rectify")
    density = density_for(located.view, located.box_mm)
    raster = rectify(image_bgr, located.view, located.box_mm, density)
    pace.say("observe")
    return observe(raster, pace)


def _corners_mm(poses: FloatArray, card: CardSize) -> FloatArray:
    """The corners (4 N, 2) of cards at poses (N, 3 or 9)."""
    return place(poses, np.array(card.corners_mm)).reshape(-1, 2)
