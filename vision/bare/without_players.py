"""What a picture shows in which no player's card is found: why, or a table without any."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from vision.bare.frames import located_by_start
from vision.bare.table import bare_table
from vision.doubting.limits import NO_CARDS, no_cards
from vision.evidence import Evidence, observe
from vision.lens import LensKnown
from vision.locating.locate import Located
from vision.raster import density_for, rectify
from vision.reading import NotSeen, SeenTable
from vision.sharpness import TOO_BLURRED, blurred_instead


def without_players(
    image_bgr: NDArray[np.uint8], located: Located, deck: Deck
) -> SeenTable | NotSeen:
    """The starting card alone, or an empty table; else why no card is seen in a photograph (H, W,
    3) uint8 BGR: too dark, without colours, blurred, or none is there.
    """
    evidence = _observed(image_bgr, located)
    none = no_cards(evidence, located.view.px_per_mm(located.middle_mm))
    if none.reason.code != NO_CARDS:
        return none
    blurred = blurred_instead(none, image_bgr)
    if blurred.reason.code == TOO_BLURRED:
        return blurred
    return bare_table(image_bgr, located, evidence, deck) or none


def start_alone(image_bgr: NDArray[np.uint8], lens: LensKnown, deck: Deck) -> SeenTable | None:
    """The starting card, where it is all that tells of a table in a photograph."""
    located = located_by_start(image_bgr, lens, deck.card)
    if located is None:
        return None
    return bare_table(image_bgr, located, _observed(image_bgr, located), deck)


def _observed(image_bgr: NDArray[np.uint8], located: Located) -> Evidence:
    density = density_for(located.view, located.box_mm)
    return observe(rectify(image_bgr, located.view, located.box_mm, density))
