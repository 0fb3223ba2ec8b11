"""How far the score's leads can be trusted: what kappa should be, and how often what is said with
some probability comes true.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from measuring.one_score.figures import Record

FloatArray = NDArray[np.float64]
EDGES = (0.5, 0.8, 0.95, 0.99, 0.999, 1.0)
"""Of the bins by what was said."""


TRUSTED = ("faces", "orders", "inks", "little")
"""Kinds of moves by which kappa is fitted: of equal prior, or nearly."""


def leads(records: Sequence[Record], kinds: Sequence[str] = TRUSTED) -> FloatArray:
    """The truth's leads (N,) over the best of its moves that the picture can tell, nats."""
    rows = [row[0] for record in records for kind in kinds for row in record[kind]]
    return np.array(rows, np.float64)


def trusted_share(lead: FloatArray) -> float:
    """By which leads (N,) have to be multiplied so that right and wrong ones are likeliest, each
    being right with the probability 1 / (1 + exp(-share * |lead|)). 1: they can be taken as they
    are; towards 0: they say less than they claim.
    """

    def surprise(log_share: float) -> float:
        return float(np.logaddexp(0, -np.exp(log_share) * lead).sum())

    found = minimize_scalar(surprise, bounds=(np.log(1e-3), np.log(10.0)), method="bounded")
    return float(np.exp(found.x))


def came_true(lead: FloatArray, share: float) -> list[tuple[float, int, int]]:
    """For each bin of what is said of the likelier of two: what was said on average, of how many,
    and how often it was so.
    """
    said = 1 / (1 + np.exp(-share * np.abs(lead)))
    out = []
    for low, high in pairwise(EDGES):
        there = (said >= low) & ((said < high) | (high == 1.0))
        if there.any():
            number, right = int(there.sum()), int((lead[there] > 0).sum())
            out.append((float(said[there].mean()), number, right))
    return out
