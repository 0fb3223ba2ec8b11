"""What a deck looks like under this light with this camera, and which colours are too close.

From samples of white lines and of each colour's ink: the gains that make white
grey, each colour in Lab, and for every pair how different they look and how
surely single cards can be told apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from calibration.colour_difference import ciede2000, lab_of_linear
from geometry.deck import CardSize
from geometry.pose import Pose
from vision.locating.edges import Photo
from vision.reason import Reason

FloatArray = NDArray[np.float64]

CLOSE = 12.0
"""CIEDE2000 below which a pair is close: a colour's own scatter over a table is about 3."""
TOO_CLOSE = 6.0
LEAST_SIGMAS = 4.0
BURNT = 0.95
LARGEST_BURNT_SHARE = 0.1
LEAST_SAMPLES = 12
DARK = 0.02


@dataclass(frozen=True, eq=False)
class InkLook:
    """One colour as seen: Lab (3,), and the scatter of single cards round it, in Lab units."""

    name: str
    lab: FloatArray
    scatter: float
    samples: int


@dataclass(frozen=True, slots=True)
class ClosePair:
    """Two colours: their CIEDE2000, how many scatters lie between them, and what to think of it."""

    one: str
    other: str
    difference: float
    sigmas: float

    @property
    def hard(self) -> bool:
        """Whether this light makes the two hard to tell apart: the symbols must decide."""
        return self.difference < TOO_CLOSE or (
            self.difference < CLOSE and self.sigmas < LEAST_SIGMAS
        )


@dataclass(frozen=True, eq=False)
class DeckColours:
    """`gains_bgr` (3,) make white lines grey, the greatest channel kept; `red_gain` and
    `blue_gain` are relative to green, to multiply the camera's own gains with.
    """

    gains_bgr: FloatArray
    inks: tuple[InkLook, ...]
    pairs: tuple[ClosePair, ...]
    burnt_share: float

    @property
    def red_gain(self) -> float:
        """Factor for the camera's red gain."""
        return float(self.gains_bgr[2] / self.gains_bgr[1])

    @property
    def blue_gain(self) -> float:
        """Factor for the camera's blue gain."""
        return float(self.gains_bgr[0] / self.gains_bgr[1])

    def warnings(self) -> tuple[Reason, ...]:
        """What a person should know before a game, most urgent first."""
        found = [
            Reason(
                "colours-close",
                {
                    "colour": pair.one,
                    "rival": pair.other,
                    "difference": pair.difference,
                    "needed": CLOSE,
                },
            )
            for pair in self.pairs
            if pair.hard
        ]
        if self.burnt_share > LARGEST_BURNT_SHARE:
            found.append(Reason("colours-burnt", {"share": self.burnt_share}))
        if max(self.gains_bgr) > 2.5:
            found.append(Reason("colours-lamp"))
        return tuple(found)


@dataclass(frozen=True, slots=True)
class NoColours:
    """Too little to look at, and what is missing."""

    reason: Reason


def look_at_colours(
    white_bgr: FloatArray, inks_bgr: Mapping[str, FloatArray]
) -> DeckColours | NoColours:
    """Judge the light from linear samples: white lines (N, 3), and (N, 3) of each colour.

    A sample of a colour is one card's (or one piece's) median; its scatter
    says what single cards look like.
    """
    sound = _sound(white_bgr)
    if len(sound) < LEAST_SAMPLES:
        return NoColours(Reason("colours-few-lines"))
    white = np.median(sound, axis=0)
    if white.min() < DARK:
        return NoColours(Reason("colours-dark"))
    gains = white.max() / white
    level = float((white * gains).mean())
    looks = []
    burnt = [len(white_bgr) - len(sound)]
    total = [len(white_bgr)]
    for name, samples in inks_bgr.items():
        good = _sound(samples)
        burnt.append(len(samples) - len(good))
        total.append(len(samples))
        if len(good):
            looks.append(_look(name, good * gains / level))
    if not looks:
        return NoColours(Reason("colours-none"))
    pairs = [_pair(one, other) for one, other in combinations(looks, 2)]
    return DeckColours(
        gains, tuple(looks), tuple(sorted(pairs, key=lambda p: p.difference)),
        sum(burnt) / max(sum(total), 1),
    )  # fmt: skip


def _sound(samples: FloatArray) -> FloatArray:
    good = np.isfinite(samples).all(axis=1) & (samples.max(axis=1) < BURNT)
    return np.asarray(samples[good])


def _look(name: str, balanced_bgr: FloatArray) -> InkLook:
    lab = lab_of_linear(balanced_bgr[:, ::-1])
    middle = np.median(lab, axis=0)
    scatter = 1.4826 * float(np.median(np.linalg.norm(lab - middle, axis=1)))
    return InkLook(name, middle, scatter, len(lab))


def _pair(one: InkLook, other: InkLook) -> ClosePair:
    scatter = max(float(np.hypot(one.scatter, other.scatter)), 1.0)
    apart = float(np.linalg.norm(one.lab - other.lab))
    names = sorted((one.name, other.name))
    return ClosePair(names[0], names[1], ciede2000(one.lab, other.lab), apart / scatter)


def sample_cards(
    photo: Photo, card: CardSize, cards: Mapping[str, list[Pose]]
) -> tuple[FloatArray, dict[str, FloatArray]]:
    """Linear BGR samples of white frame lines (N, 3) and of each colour's band, (M, 3) by name.

    `cards` are uncovered cards' poses by colour. A band's sample is the median
    of one side, so that covered or glaring sides are single samples.
    """
    whites: list[FloatArray] = []
    inks: dict[str, FloatArray] = {}
    for name, poses in cards.items():
        bands = []
        for pose in poses:
            sides = _sides(card, card.frame_inset_mm)
            whites += [_brightest(photo, pose, side) for side in sides]
            inset = (card.frame_inset_mm - card.line_mm / 2) / 2
            bands += [
                np.median(photo.at(np.asarray(pose.to_table(side))), axis=0)
                for side in _sides(card, inset)
            ]
        inks[name] = np.array(bands).reshape(-1, 3)
    return np.array(whites).reshape(-1, 3), inks


def _sides(card: CardSize, inset_mm: float) -> list[FloatArray]:
    x, y = card.width_mm / 2 - inset_mm, card.height_mm / 2 - inset_mm
    share = np.linspace(-0.8, 0.8, 40)
    return [
        np.column_stack([share * x, np.full(40, -y)]),
        np.column_stack([share * x, np.full(40, y)]),
        np.column_stack([np.full(40, -x), share * y]),
        np.column_stack([np.full(40, x), share * y]),
    ]


def _brightest(photo: Photo, pose: Pose, side: FloatArray) -> FloatArray:
    """The line's own light: the upper quarter along it, for it is a pixel or two wide."""
    light = photo.at(np.asarray(pose.to_table(side)))
    least = light.min(axis=1)
    return np.asarray(np.median(light[least >= np.percentile(least, 75)], axis=0))
