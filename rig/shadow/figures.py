"""How well two ways of telling right cards from wrong ones do it: areas, shares, reliability."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

FloatArray = NDArray[np.float64]
Bools = NDArray[np.bool_]
FALSE_ALARMS = (0.001, 0.003, 0.01, 0.03)
OF_A_CARD = ("face", "colour", "absent")
NOT_JUDGED = -50.0
"""Log-odds of a card of which too little shows: nothing speaks against it."""
CUT = 30.0
"""Log-odds beyond which nothing more is learned of how far they can be trusted."""
STEPS, RIDGE = 60, 1.0


@dataclass(frozen=True, eq=False)
class Cards:
    """Cards (N,) that a picture can tell right or wrong: whether each is `wrong`, the likelihood's
    log-odds against it, and how unsure the reading said it was, 1 less its confidence.
    """

    wrong: Bools
    log_odds: FloatArray
    unsure: FloatArray
    doubted: Bools


def against(card: Mapping[str, Any], kinds: Iterable[str] = OF_A_CARD) -> float:
    """The log-odds of a card's likeliest alternative of some kinds."""
    return max((card["log_odds"].get(kind, NOT_JUDGED) for kind in kinds), default=NOT_JUDGED)


def cards_of(records: Iterable[Mapping[str, Any]]) -> Cards:
    """The cards as they were read, those that look alike left out."""
    found = [card for record in records for card in record["cards"] if card["label"] != "alike"]
    return Cards(
        np.array([card["label"] != "right" for card in found], np.bool_),
        np.array([against(card) for card in found], np.float64),
        np.array([1 - card["confidence"] for card in found], np.float64),
        np.array([card["doubted"] for card in found], np.bool_),
    )


def area(values: FloatArray, wrong: Bools) -> float:
    """How probably a wrong card has a higher value than a right one; NaN without either."""
    if wrong.all() or not wrong.any():
        return float("nan")
    right = np.sort(values[~wrong])
    below = np.searchsorted(right, values[wrong], "left")
    up_to = np.searchsorted(right, values[wrong], "right")
    return float((below + up_to).mean() / 2 / len(right))


def threshold(values: FloatArray, wrong: Bools, false_alarms: float) -> float:
    """The value that no more than a share of the right cards exceed."""
    right = np.sort(values[~wrong])
    return float(right[len(right) - 1 - int(false_alarms * len(right))])


def curve(values: FloatArray, wrong: Bools) -> tuple[FloatArray, FloatArray]:
    """Share of right cards, and of wrong ones, that exceed each value, from the highest on."""
    order = np.argsort(-values, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(values[order])), len(order) - 1)
    wrongs = np.cumsum(wrong[order])[ends] / max(wrong.sum(), 1)
    rights = np.cumsum(~wrong[order])[ends] / max((~wrong).sum(), 1)
    return np.append(0.0, rights), np.append(0.0, wrongs)


def trusted(log_odds: FloatArray, wrong: Bools) -> tuple[float, float]:
    """Logistic regression of `wrong` on log-odds cut at ±CUT: bias and slope."""
    x = np.stack([np.ones_like(log_odds), np.clip(log_odds, -CUT, CUT)], axis=1)
    found = np.array([-3.0, 0.1])
    for _ in range(STEPS):
        said = expit(x @ found)
        slope = x.T @ (said - wrong) + RIDGE * found
        bend = (x * (said * (1 - said))[:, None]).T @ x + RIDGE * np.eye(2)
        found = found - np.linalg.solve(bend, slope)
    return float(found[0]), float(found[1])


def probability(log_odds: FloatArray, fit: tuple[float, float]) -> FloatArray:
    """How probably cards are wrong, by such a regression."""
    return np.asarray(expit(fit[0] + fit[1] * np.clip(log_odds, -CUT, CUT)))


def log_loss(said: FloatArray, wrong: Bools) -> float:
    """Mean logarithmic loss of probabilities of being wrong."""
    kept = np.clip(np.where(wrong, said, 1 - said), 1e-6, 1)
    return float(-np.log(kept).mean())


def reliability(
    said: FloatArray, wrong: Bools, edges: Sequence[float]
) -> Iterator[tuple[float, int, int]]:
    """For each bin of what was said: its mean, how many cards, and how many were wrong."""
    place = np.digitize(said, edges)
    for k in np.unique(place).tolist():
        some = place == k
        yield float(said[some].mean()), int(some.sum()), int(wrong[some].sum())


def made_found(records: Iterable[Mapping[str, Any]], least: float) -> Mapping[str, tuple[int, int]]:
    """Of the cards made wrong in each way, how many have more log-odds against them, of all."""
    found: dict[str, list[bool]] = {}
    for record in records:
        for card in record["made"]:
            kinds = (*OF_A_CARD, "order") if card["label"] == "order" else OF_A_CARD
            found.setdefault(card["label"], []).append(against(card, kinds) > least)
    return {way: (sum(hits), len(hits)) for way, hits in found.items()}


def orders_of(records: Iterable[Mapping[str, Any]]) -> tuple[FloatArray, Bools]:
    """Pairs of cards as they were read to overlap: the log-odds against their order, and which are
    upside down.
    """
    pairs = [
        (odds, lower in card["upside_down"])
        for record in records
        for card in record["cards"]
        for lower, odds in card["orders"]
    ]
    return np.array([p[0] for p in pairs], np.float64), np.array([p[1] for p in pairs], np.bool_)


def covered_of(records: Iterable[Mapping[str, Any]]) -> tuple[FloatArray, Bools]:
    """For each scene the log-odds that something else lies on one of its cards, and whether a card
    was missed.
    """
    scenes = [
        (max(against(card, ["covered"]) for card in record["cards"]), record["missed"] > 0)
        for record in records
    ]
    return np.array([s[0] for s in scenes], np.float64), np.array([s[1] for s in scenes], np.bool_)
