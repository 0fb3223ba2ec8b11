"""Cards as which the picture is less likely than as what would show without them."""

from __future__ import annotations

import numpy as np

from vision.drawing.printed_deck import PrintedDeck
from vision.evidence import Evidence
from vision.finding.reseat import POOR_FIT
from vision.likelihood.config import LikelihoodConfig
from vision.likelihood.odds import odds_of
from vision.settling.likelier_faces import picture_of
from vision.settling.settling import Settled, settled_again

UNLIKELY = "sought-unlikely"


def without_unlikely(
    evidence: Evidence, settled: Settled, printed: PrintedDeck, equally_many: bool,
    config: LikelihoodConfig,
) -> Settled:  # fmt: skip
    """The same without cards that are likelier not there at all; asked is about those that hardly
    look like what they were read as. `equally_many`: of each colour.
    """
    named = settled.named
    poor = np.flatnonzero(named.fit > POOR_FIT)
    if len(poor) == 0 or evidence.pace.leaves_out(UNLIKELY):
        return settled
    picture = picture_of(evidence, settled, printed, config)
    gone = np.zeros(len(named), np.bool_)
    for i in set(poor.tolist()) & set(picture.judged):
        gone[i] = any(odds.log_odds > 0 for odds in odds_of(picture, i, "absent"))
    if not gone.any():
        return settled
    left, patches = named.take(~gone), settled.stack.patches
    return settled_again(evidence, left, patches, printed, equally_many)
