"""From a photograph to a reading: one function, one line a stage."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from geometry.deck import CardSize, Deck
from geometry.rules import Rules
from vision.assemble import assemble
from vision.cores import algebra_alone
from vision.evidence import Evidence, observe
from vision.height_witness import sizes_seen
from vision.lens import Lens
from vision.limits import no_cards, too_poor
from vision.locate import Located, first_look, fits_cards, locate_by_cards
from vision.locate_again import locate_again
from vision.pose_fit import place
from vision.raster import density_for, rectify
from vision.reading import NotSeen, Reading
from vision.reconstruct import Table, reconstruct
from vision.report import report
from vision.size_check import plainly_agree

FloatArray = NDArray[np.float64]
Progress = Callable[[str], None]
SMALLEST_PX = 200
MOST_WIDENED = 2
"""Times that more of the picture is looked at because cards reach out of what was."""


def read_table(
    image_bgr: NDArray[np.uint8],
    deck: Deck,
    lens: Lens | None,
    rules: Rules,
    progress: Progress | None = None,
) -> Reading | NotSeen:
    """Read a photograph (H, W, 3) uint8 BGR of a table; `NotSeen` says why it could not be.

    `progress` is called with the name of each stage as it begins.
    """
    say = progress or _silent
    algebra_alone()
    if min(image_bgr.shape[:2]) < SMALLEST_PX:
        height, width = image_bgr.shape[:2]
        return NotSeen(
            f"The picture has only {width} x {height} pixels; a table needs 1.7 pixels per "
            "millimetre, about 1200 x 900 for a small one."
        )
    found = _table_seen(image_bgr, lens, deck, rules, say)
    if isinstance(found, NotSeen):
        return found
    located, evidence, table = found
    refused = too_poor(table, located.view)
    if refused is not None:
        return refused
    say("report")
    seen = report(table, evidence, located, deck, rules)
    say("judge")
    return assemble(seen, rules)


def _table_seen(
    image_bgr: NDArray[np.uint8], lens: Lens | None, deck: Deck, rules: Rules, say: Progress
) -> tuple[Located, Evidence, Table] | NotSeen:
    """The cards, and all that was seen of them, with as much of the picture as shows some."""
    say("locate")
    located = _first_located(image_bgr, lens, deck)
    if isinstance(located, NotSeen):
        return located
    evidence = _looked_at(image_bgr, located, say)
    say("reconstruct")
    table = reconstruct(evidence, deck, rules)
    if not _sized(located, evidence, table, deck):
        say("locate")
        located = locate_by_cards(image_bgr, lens, deck.card)
        if isinstance(located, NotSeen):
            return located
        evidence = _looked_at(image_bgr, located, say)
        say("reconstruct")
        table = reconstruct(evidence, deck, rules)
    if table is None:
        none_seen = no_cards(evidence, located.view.px_per_mm(located.middle_mm))
        # Where planes were tried at first sight, they would be tried in vain again.
        again = None if located.tried else _seen_elsewhere(image_bgr, lens, deck, rules, say)
        if again is None:
            return none_seen
        located, evidence, table = again
    for _ in range(MOST_WIDENED):
        # What was seen before is needed no more once this is: it would take much memory.
        wider = _looked_farther(image_bgr, located, table, deck, rules, say)
        if wider is None:
            break
        located, evidence, again_read = wider
        if again_read is None:
            return no_cards(evidence, located.view.px_per_mm(located.middle_mm))
        table = again_read
    return located, evidence, table


def _first_located(
    image_bgr: NDArray[np.uint8], lens: Lens | None, deck: Deck
) -> Located | NotSeen:
    """Where the table is at first sight, or where more trouble finds it."""
    located = first_look(image_bgr, lens, deck.card)
    if not isinstance(located, NotSeen):
        return located
    return locate_again(image_bgr, lens, deck) or located


def _sized(located: Located, evidence: Evidence, table: Table | None, deck: Deck) -> bool:
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


def _seen_elsewhere(
    image_bgr: NDArray[np.uint8], lens: Lens | None, deck: Deck, rules: Rules, say: Progress
) -> tuple[Located, Evidence, Table] | None:
    """Cards where no plain outlines had the table; None where none are seen there either."""
    say("locate")
    located = locate_again(image_bgr, lens, deck)
    if located is None:
        return None
    evidence = _looked_at(image_bgr, located, say)
    say("reconstruct")
    table = reconstruct(evidence, deck, rules)
    return None if table is None else (located, evidence, table)


def _looked_at(image_bgr: NDArray[np.uint8], located: Located, say: Progress) -> Evidence:
    say("rectify")
    density = density_for(located.view, located.middle_mm)
    raster = rectify(image_bgr, located.view, located.box_mm, density)
    say("observe")
    return observe(raster)


def _looked_farther(
    image_bgr: NDArray[np.uint8], located: Located, table: Table, deck: Deck, rules: Rules,
    say: Progress,
) -> tuple[Located, Evidence, Table | None] | None:  # fmt: skip
    """The table read again with more of the picture, where the area looked at may cut a card; None
    where it does not, or more of the picture brings no more cards.
    """
    corners = _corners_mm(table, deck.card)
    wider = located.widened(corners)
    if wider is None:
        return None
    evidence = _looked_at(image_bgr, wider, say)
    say("reconstruct")
    again = reconstruct(evidence, deck, rules)
    # Where no card is cut, more clutter is all that a wider look may bring.
    if located.holds(corners) and (again is None or len(again.named) <= len(table.named)):
        return None
    return wider, evidence, again


def _corners_mm(table: Table, card: CardSize) -> FloatArray:
    """The corners (4 N, 2) of all cards read."""
    return place(table.named.poses, np.array(card.corners_mm)).reshape(-1, 2)


def _silent(_stage: str) -> None:
    """Nobody asked for progress."""
