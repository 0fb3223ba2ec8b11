"""Questions like doubts, of which there are too few: what a card is if only a strip of it shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from measuring.shadow.labels import labels, upside_down
from measuring.shadow.records import Read
from measuring.shadow.wrongs import Way, made_wrong
from vision.likelihood.odds import CardOdds, Kind, card_odds
from vision.likelihood.picture import Picture, Shown

OF_A_SCENE, INVENTED = 24, 6
"""Cards asked about, and cards that are none."""
ONLY: tuple[Way, ...] = ("invented",)
SHARES = (0.03, 0.6)
"""Of what shows of a card, so much is left: as often a tenth less as a tenth more."""
ANSWERS: Mapping[Kind, str] = {
    "face": "face", "colour": "colour", "absent": "there", "order": "over",
}  # fmt: skip


class Weighed(NamedTuple):
    """A doubt's named answers: their kind, their log-odds, what was read first, and which are
    right: one or none.
    """

    kind: str
    log_odds: tuple[float, ...]
    right: tuple[bool, ...]


def strips(read: Read, picture: Picture) -> Iterator[Weighed]:
    """Some cards that were read rightly, and some that are none, each by a strip of it: what it was
    read as against the likeliest alternative of each kind.
    """
    rng = np.random.default_rng([*read.name.encode()])
    named = labels(picture, read.reading, read.truth)
    swapped = upside_down(read.cards, read.reading, read.truth)
    right = [i for i, label in named.items() if label == "right" and i in picture.judged]
    for i in rng.permutation(right)[:OF_A_SCENE].tolist():
        odds = _by_strip(picture, i, rng)
        best: dict[str, float] = {}
        for other in odds.alternatives:
            if other.kind in ANSWERS and not (
                other.kind == "order" and (i, other.other) in swapped
            ):
                answer = ANSWERS[other.kind]
                best[answer] = max(other.log_odds, best.get(answer, -np.inf))
        for answer, value in best.items():
            yield Weighed(answer, (0.0, round(value, 2)), (True, False))
    wrong, made = made_wrong(picture, right, rng, INVENTED, ONLY)
    false = Picture(read.evidence, wrong, read.size, read.templates, picture.config)
    for i in made:
        if i in false.judged:
            found = _by_strip(false, i, rng).alternatives
            yield from (
                Weighed("there", (0.0, round(other.log_odds, 2)), (False, True))
                for other in found
                if other.kind == "absent"
            )


def _by_strip(picture: Picture, i: int, rng: np.random.Generator) -> CardOdds:
    whole = picture.shown[i]
    picture.shown[i] = strip(picture, i, rng)
    try:
        return card_odds(picture, i)
    finally:
        picture.shown[i] = whole


def strip(picture: Picture, i: int, rng: np.random.Generator) -> Shown:
    """What shows of a card, all but one side of it cut off by a straight line."""
    shown, angle = picture.shown[i], rng.uniform(0, 2 * np.pi)
    along = picture.templates.grid_mm[shown.index] @ np.array([np.cos(angle), np.sin(angle)])
    share = np.exp(rng.uniform(*np.log(SHARES)))
    number = max(picture.config.fewest_places, int(share * len(along)))
    at = np.sort(np.argsort(along, kind="stable")[:number])
    return shown.take(at)
