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

    p_k = (1 - ε) ((1 - ε) softmax_k(l / T) + ε / K), and ε is left for none of them: nothing is
    said to be impossible, or certain. An ink is one look, whose T is 1.
    """
    tempered = np.asarray(log_odds, np.float64) / (1.0 if of_inks else config.temperature)
    weights = np.exp(tempered - tempered.max())
    told = (1 - config.blind) * weights / weights.sum() + config.blind / len(weights)
    return tuple(((1 - config.blind) * told).tolist()), config.blind
