"""How players lay cards: exactly on a shape, or now and then anywhere near one."""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import NormalDist

from geometry.fitting import Fit
from geometry.touch import FARTHEST_FIT_MM, Touch

LAID_MM, LAID_DEG = 0.5, 0.5
"""How exactly (sigma, along x, y and of the angle) players lay a card on a shape. Of the 3,884
legal placements of 139 simulated tables (seeds from 881000 of `real`, `hard`, `printed`,
`ordinary`) half lie off by up to 0.41 mm, 0.99 by 1.60 and 0.999 by 1.95, as by sigmas of 0.35,
0.53 and 0.52; of 955 on photographed prints 0.99 by 1.19. The wide ones count: these are asked
about."""
ANYWHERE = 0.05
"""The share of cards that lie elsewhere: evenly as far off as shapes count as meant for each other,
half of them as square as exact ones, ..."""
ANYWHERE_DEG = 12.0
"""... half turned by up to this, either way. That is 7.1e-5 of all cards on each mm²; of those on
the simulated tables 4.5e-5 lay so from 3 to 10 mm off, 0.46 of them within half a degree."""

_TURN = NormalDist(0.0, LAID_DEG)


def laid_density(touched: Iterable[Touch]) -> float:
    """How likely a card is to be laid so on the cards below, by mm² and degree: by the pair of
    shapes that lies on one another best, and where none is meant to as one that is laid elsewhere.

    How deep a second card is touched says nothing: near that limit as many lie on either side, of
    4,174 cards 2 from 1 to 2 mm deep and 5 from 3 to 5.
    """
    fits = (touch.fit for touch in touched if touch.fit is not None and touch.meant)
    return max(map(_by_fit, fits), default=_elsewhere(ANYWHERE_DEG))


def _by_fit(fit: Fit) -> float:
    off = math.exp(-0.5 * (fit.offset_mm / LAID_MM) ** 2) / (2 * math.pi * LAID_MM**2)
    return (1 - ANYWHERE) * off * _TURN.pdf(fit.offset_deg) + _elsewhere(fit.offset_deg)


def _elsewhere(deg: float) -> float:
    turned = (_TURN.pdf(deg) + 1 / (2 * ANYWHERE_DEG)) / 2
    return ANYWHERE / (math.pi * FARTHEST_FIT_MM**2) * turned
