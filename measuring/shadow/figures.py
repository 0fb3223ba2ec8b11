"""How well two ways of telling right cards from wrong ones do it: areas, shares, reliability."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from measuring.shadow.labels import UNTOLD

FloatArray = NDArray[np.float64]
Bools = NDArray[np.bool_]
FALSE_ALARMS = (0.001, 0.003, 0.01, 0.03)
OF_A_CARD = ("face", "colour", "absent")
NOT_JUDGED = -50.0
"""Log-odds of a card of which too little shows: nothing speaks against it."""
SOFT = 10.0
"""Log-odds beyond which ten more mean less and less."""
STEPS, RIDGE, SUREST = 60, 0.1, 1e-5
Way = Literal["likelihood", "confidence", "both"]
WAYS: tuple[Way, ...] = ("likelihood", "confidence", "both")


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
    """The cards as they were read, but those of which no single card's picture can tell."""
    found = [card for record in records for card in record["cards"] if card["label"] not in UNTOLD]
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


def told(cards: Cards, how: Way) -> FloatArray:
    """What tells of cards (N, F): the log-odds, large ones closer together, and the logit of how
    unsure the reading is.
    """
    odds = np.arcsinh(cards.log_odds / SOFT)
    unsure = logit(np.clip(cards.unsure, SUREST, 1 - SUREST))
    return np.stack({"likelihood": [odds], "confidence": [unsure], "both": [odds, unsure]}[how], 1)


def trusted(values: FloatArray, wrong: Bools) -> FloatArray:
    """Logistic regression of `wrong` (N,) on values (N, F): bias and slopes (1 + F,)."""
    x = np.insert(values, 0, 1.0, axis=1)
    found = np.zeros(x.shape[1])
    for _ in range(STEPS):
        said = expit(x @ found)
        slope = x.T @ (said - wrong) + RIDGE * found
        bend = (x * (said * (1 - said))[:, None]).T @ x + RIDGE * np.eye(len(found))
        found = found - np.linalg.solve(bend, slope)
    return found


def probability(values: FloatArray, fit: FloatArray) -> FloatArray:
    """How probably cards are wrong, by such a regression."""
    return np.asarray(expit(fit[0] + values @ fit[1:]))


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


@dataclass(frozen=True, slots=True)
class Used:
    """What would come of heeding log-odds over a threshold: wrong cards that the likeliest other
    face or colour puts right, right ones that it spoils, and readings called sure with a suspected
    card, those with wrong scores and those with right ones, of all.
    """

    put_right: int
    spoiled: int
    wrong_and_sure: tuple[int, int]
    right_and_sure: tuple[int, int]


def used(records: Sequence[Mapping[str, Any]], least: float) -> Used:
    """The same of some records."""
    cards = [card for record in records for card in record["cards"]]
    over = [card for card in cards if against(card, ("face", "colour")) > least]
    sure = {
        exact: [
            any(against(card) > least for card in record["cards"])
            for record in records
            if record["sure"] and record["exact"] == exact
        ]
        for exact in (False, True)
    }
    return Used(
        sum(card["told_rightly"] for card in over if card["label"] in ("face", "colour")),
        sum(card["label"] in ("right", *UNTOLD) and not card["told_rightly"] for card in over),
        (sum(sure[False]), len(sure[False])),
        (sum(sure[True]), len(sure[True])),
    )
