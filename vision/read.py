"""From a photograph to a reading: one function, one line a stage."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from geometry.rules import Rules
from vision.assemble import assemble
from vision.doubting.limits import too_poor, too_small
from vision.evidence import Evidence
from vision.lens import LensKnown
from vision.pace import Pace
from vision.process import prepare_process
from vision.reading import NotSeen, Reading
from vision.reconstruct import Reconstruction
from vision.report import report
from vision.table_search import Photograph, table_seen


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
    found = explained_table(image_bgr, deck, lens, rules, pace)
    return found if isinstance(found, NotSeen) else found.reading


def explained_table(
    image_bgr: NDArray[np.uint8], deck: Deck, lens: LensKnown, rules: Rules,
    pace: Pace | None = None,
) -> Explained | NotSeen:  # fmt: skip
    """As `read_table`, with the evidence and the cards found in it, in the raster's millimetres.

    The cards' ids in the reading are their indices in `table`; where the heights of the stacks
    turned cards round, the order in the reading's layout is the one that holds.
    """
    prepare_process()
    photo = Photograph(image_bgr, lens, deck, rules, pace or Pace())
    seen = too_small(image_bgr) or table_seen(photo)
    if isinstance(seen, NotSeen):
        return seen
    refused = too_poor(seen.table, seen.located.view)
    if refused is not None:
        return refused
    photo.pace.say("report")
    printed = replace(deck, badges=seen.table.badges)
    reported = report(seen.table, seen.evidence, seen.located, printed, rules)
    photo.pace.say("judge")
    layout = replace(reported.layout, deck=deck)
    return Explained(assemble(replace(reported, layout=layout), rules), seen.evidence, seen.table)
