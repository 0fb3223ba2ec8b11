"""Each card exists once per colour: faces are settled for a whole colour at a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from vision.colours import Naming
from vision.faces import FaceScores
from vision.name_cards import Named

FloatArray = NDArray[np.float64]
Ints = NDArray[np.int64]


def settle_faces(
    named: Named,
    scores: FaceScores,
    naming: Naming,
    start_row: int,
    alike: frozenset[int] = frozenset(),
) -> Named:
    """Give every face of a colour to one card, so that the misfits add up to the least.

    `margin` then is what the best other way of dealing the faces out costs
    more, and `rivals` the template row the card would have in it: another face, or the
    other side of its own where that is nearer. Starting cards
    (rows from `start_row` on) stay as they are. `alike` are the faces that are their own
    mirror image: their side cannot be known and is not doubted.
    """
    faces = start_row // 2
    share = scores.misfit / np.maximum(scores.energy, 1e-6)[:, None]
    per_face = share.reshape(len(share), -1, 4).min(axis=2)[:, :faces]
    rows, margin, rivals = named.rows.copy(), named.margin.copy(), named.rivals.copy()
    fit = named.fit.copy()
    poses = named.poses.copy()
    for colour in np.unique(naming.colour):
        members = np.flatnonzero((naming.colour == colour) & (named.rows < start_row))
        if len(members) == 0 or len(members) > faces:
            continue
        cost = per_face[members]
        dealt, total = _deal(cost)
        for k, card in enumerate(members):
            other, worse = _deal(cost, (k, int(dealt[k])))
            best = int(share[card, 4 * dealt[k] : 4 * dealt[k] + 4].argmin())
            rows[card] = 2 * dealt[k] + best // 2
            poses[card, 2] += np.pi * (best % 2)
            fit[card] = cost[k, dealt[k]]
            margin[card] = worse - total
            rivals[card] = 2 * other[k]
            sides = share[card, 4 * dealt[k] : 4 * dealt[k] + 4].reshape(2, 2).min(axis=1)
            if int(dealt[k]) not in alike and abs(float(sides[1] - sides[0])) < margin[card]:
                margin[card] = abs(float(sides[1] - sides[0]))
                rivals[card] = rows[card] ^ 1
    return Named(poses, rows, fit, margin, rivals, named.ink)


def _deal(cost: FloatArray, forbidden: tuple[int, int] | None = None) -> tuple[Ints, float]:
    """The cheapest way to give each card (row) a face (column) of its own."""
    if forbidden is not None:
        cost = cost.copy()
        cost[forbidden] = 1e3
    rows, columns = linear_sum_assignment(cost)
    return columns.astype(np.int64), float(cost[rows, columns].sum())
