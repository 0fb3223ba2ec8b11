"""From log-odds to probabilities that hold what they say."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.likelihood.config import LikelihoodConfig


def probabilities(
    log_odds: Sequence[float], config: LikelihoodConfig, *, of_inks: bool = False
) -> tuple[tuple[float, ...], float]:
    """How probable each of K explanations is, K >= 1, and that it is none of them, from their
    log-odds against one of them, which come from places of the picture or are `of_inks`.

    p_k = (1 - ε) softmax_k(l / T) + ε / (K + 1), and ε / (K + 1) is left for what is none of them:
    nothing is said to be impossible, or certain. An ink is one look, whose T is 1.
    """
    tempered = np.asarray(log_odds, np.float64) / (1.0 if of_inks else config.temperature)
    weights = np.exp(tempered - tempered.max())
    left = config.blind / (len(weights) + 1)
    said = (1 - config.blind) * weights / weights.sum() + left
    return tuple(said.tolist()), left
