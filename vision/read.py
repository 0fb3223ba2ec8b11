"""From a photograph to a reading: one function, one line a stage."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from geometry.rules import Rules
from vision.assemble import assemble
from vision.evidence import observe
from vision.lens import Lens
from vision.limits import no_cards, too_poor
from vision.locate import locate
from vision.raster import density_for, rectify
from vision.reading import NotSeen, Reading
from vision.reconstruct import reconstruct
from vision.report import report

Progress = Callable[[str], None]
SMALLEST_PX = 200


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
    if min(image_bgr.shape[:2]) < SMALLEST_PX:
        height, width = image_bgr.shape[:2]
        return NotSeen(
            f"The picture has only {width} x {height} pixels; a table needs 1.7 pixels per "
            "millimetre, about 1200 x 900 for a small one."
        )
    say("locate")
    located = locate(image_bgr, lens, deck.card)
    if isinstance(located, NotSeen):
        return located
    say("rectify")
    middle = located.box_mm.reshape(2, 2).mean(axis=0)
    raster = rectify(image_bgr, located.view, located.box_mm, density_for(located.view, middle))
    say("observe")
    evidence = observe(raster)
    say("reconstruct")
    table = reconstruct(evidence, deck, rules)
    if table is None:
        return no_cards(evidence, located.view.px_per_mm(middle))
    refused = too_poor(table, located.view)
    if refused is not None:
        return refused
    say("report")
    seen = report(table, evidence, located, deck, rules)
    say("judge")
    return assemble(seen, rules)


def _silent(_stage: str) -> None:
    """Nobody asked for progress."""
