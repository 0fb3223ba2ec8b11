"""Where cards may lie: every frame that shows, once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from geometry.deck import CardSize
from vision.arrays import Bools, FloatArray
from vision.model.table import Place, as_array
from vision.observe.observation import Observation
from vision.propose.frames import HALF_TURN_DEG, rough_frames
from vision.propose.line_fit import fitted_frames, shares_shown, shares_that_say
from vision.reading_config import ReadingConfig


@dataclass(frozen=True, slots=True)
class Proposal:
    """A place where a card may lie, and which share of its frame shows."""

    place: Place
    share: float


def proposed_places(
    seen: Observation, size: CardSize, config: ReadingConfig
) -> tuple[Proposal, ...]:
    """Places where cards may lie, those first whose frames show most."""
    rough = rough_frames(seen, size, config)
    fitted = fitted_frames(seen, rough.places, size, config)
    order = np.argsort(-fitted.shares, kind="stable")
    # What is burnt of a frame speaks neither way; by the rest alone nothing lies plainly there.
    says = shares_that_say(seen, fitted.places, size, config)
    of_saying = fitted.shares / np.maximum(says, 0.5)
    out: list[Proposal] = []
    kept = np.empty((0, 3))
    for k in order.tolist():
        place = fitted.places[k]
        shown = of_saying[k] >= config.pool_share or rough.shares[k] >= config.pool_rough_share
        if not shown or same_places(kept, place, config).any():
            continue
        kept = np.concatenate([kept, place[None]])
        x, y, degrees = place.tolist()
        out.append(Proposal(Place(x, y, degrees % HALF_TURN_DEG), float(fitted.shares[k])))
    return tuple(out)


def plain_places(proposals: Sequence[Proposal], config: ReadingConfig) -> list[Place]:
    """Where cards plainly lie."""
    return [p.place for p in proposals if p.share >= config.plain_share]


def given_places(
    seen: Observation, places: Sequence[Place], size: CardSize, config: ReadingConfig
) -> tuple[Proposal, ...]:
    """Places that somebody else proposes, as they are, and which share of each frame shows."""
    shares = shares_shown(seen, as_array(places), size, config)
    return tuple(Proposal(*one) for one in zip(places, shares.tolist(), strict=True))


def same_places(places: FloatArray, place: FloatArray, config: ReadingConfig) -> Bools:
    """Which (N,) of some places (N, 3) are the same as another one, either way up."""
    off = np.hypot(*(places[:, :2] - place[:2]).T)
    turned = np.abs((places[:, 2] - place[2] + 90) % HALF_TURN_DEG - 90)
    return np.asarray((off < config.same_mm) & (turned < config.same_deg))
