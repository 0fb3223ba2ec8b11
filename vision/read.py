"""From a photograph to a reading: one function, one line a stage."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from geometry.rules import Rules
from vision.assemble import assemble
from vision.bare.table import BareTable
from vision.doubting.limits import too_poor, too_small
from vision.doubting.over_doubts import with_things_over
from vision.evidence import Evidence
from vision.lens import LensKnown
from vision.pace import Pace
from vision.process import prepare_process
from vision.reading import NotSeen, Reading
from vision.reconstruct import Reconstruction
from vision.report import report
from vision.sharpness import TOO_BLURRED, blurred_instead
from vision.table_search import Photograph, SeenCards, table_seen


class Explained(NamedTuple):
    """A reading with what it was made of, for those who judge it by the picture again."""

    reading: Reading
    evidence: Evidence
    table: Reconstruction


def read_table(
    image_bgr: NDArray[np.uint8], deck: Deck, lens: LensKnown, rules: Rules,
    pace: Pace | None = None,
) -> Reading | NotSeen:  # fmt: skip
    """Read a photograph (H, W, 3) uint8 BGR of a table; `NotSeen` says why it could not be.

    `lens`: as it was measured, the focal length that a photo tells of, or None. Without a `pace`
    nobody is told of the stages, and all is looked for.
    """
    photo = Photograph(image_bgr, lens, deck, rules, pace or Pace())
    seen = _seen(photo)
    if isinstance(seen, BareTable):
        return assemble(seen.seen, rules)
    found = _explained(photo, seen)
    return found if isinstance(found, NotSeen) else found.reading


def explained_table(
    image_bgr: NDArray[np.uint8], deck: Deck, lens: LensKnown, rules: Rules,
    pace: Pace | None = None,
) -> Explained | NotSeen:  # fmt: skip
    """As `read_table`, with the evidence and the cards found in it, in the raster's millimetres.

    The cards' ids in the reading are their indices in `table`; where the heights of the stacks
    turned cards round, the order in the reading's layout is the one that holds. A table without
    players' cards has none of it, and is not seen.
    """
    photo = Photograph(image_bgr, lens, deck, rules, pace or Pace())
    seen = _seen(photo)
    return seen.refused if isinstance(seen, BareTable) else _explained(photo, seen)


def _seen(photo: Photograph) -> SeenCards | BareTable | NotSeen:
    """What lies there; of a blurred picture neither that others' cards do, nor that none does."""
    prepare_process()
    image_bgr = photo.image_bgr
    seen = too_small(image_bgr) or table_seen(photo)
    if isinstance(seen, SeenCards):
        return seen
    told = blurred_instead(seen.refused if isinstance(seen, BareTable) else seen, image_bgr)
    blurred = told.reason.code == TOO_BLURRED
    return told if blurred or isinstance(seen, NotSeen) else seen


def _explained(photo: Photograph, seen: SeenCards | NotSeen) -> Explained | NotSeen:
    if isinstance(seen, NotSeen):
        return seen
    deck, rules = photo.deck, photo.rules
    refused = too_poor(seen.table, seen.located.view)
    if refused is not None:
        return refused
    photo.pace.say("report")
    printed = replace(deck, badges=seen.table.badges)
    reported = report(seen.table, seen.evidence, seen.located, printed, rules)
    reported = with_things_over(reported, photo.image_bgr, seen.located.view, printed)
    photo.pace.say("judge")
    layout = replace(reported.layout, deck=deck)
    return Explained(assemble(replace(reported, layout=layout), rules), seen.evidence, seen.table)
