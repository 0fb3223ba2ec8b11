"""Things that lie over cards: in one piece, where cards show and inside their field, the picture is
less like what the table explains there than like anything at all.

What a thing looks like is not known: it may be whatever the picture shows anywhere. So a piece of
places is weighed against what cards draw there, or what is no card near the cards elsewhere, as all
else in the score is.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bools, Map32
from vision.model.bare import bare_places
from vision.model.densities import learned_densities, with_outliers
from vision.model.score import TableScore
from vision.model.table import Table


def things_over(score: TableScore, table: Table) -> Bools:
    """Where (H, W) things lie over the cards of a table, so likely that they are to be doubted.

    A thing that hides a card wholly leaves nothing of it to be proposed: it is told by what of it
    lies beside the cards that are found, inside their convex hull. One that hides nothing of a card
    that is found is not told, nor one that only reaches in over the hull's rim. On a table of few
    cards a thing over one of them teaches what print looks like, and may be missed.
    """
    config = score.config
    gains, on_cards, there = _gains(score, table)
    near = _near(gains, there, config.thing_near_mm * score.seen.density)
    pieces = ((near > 0) & _field(on_cards, score)).astype(np.uint8)
    side = int(config.thing_mm * score.seen.density) | 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    pieces = np.asarray(cv2.morphologyEx(pieces, cv2.MORPH_OPEN, disc), np.uint8)
    number, labels = cv2.connectedComponents(pieces)
    inside = labels > 0
    nats = np.bincount(labels[inside], gains[inside], number)
    odds = np.array([score.in_nats(looks) for looks in nats]) - config.thing_cost
    over = np.bincount(labels[on_cards], minlength=number) > 0
    likely = over & (odds > np.log(config.doubted))
    likely[0] = False
    return np.asarray(likely[labels])


def _gains(score: TableScore, table: Table) -> tuple[Map32, Bools, Bools]:
    """What (H, W) each place gains as anything at all over what a table explains there, in nats of
    one look; where cards show; and where anything is asked. Nothing is asked of a starting card, of
    which printings differ in what they draw, nor of what lies close to cards.
    """
    seen, config = score.seen, score.config
    cell = seen.cell.reshape(-1)
    explained = np.zeros(cell.size, np.float32)
    on_cards, there = np.zeros((2, cell.size), np.bool_)
    shown, logs = score.prints.shown(table), score.printing.logs
    for card in table.cards:
        taken, shows = score.prints.of(card.place), shown[card.id]
        at = taken.at[shows]
        on_cards[at] = True
        if card.ink is not None:
            kinds = score.faces.drawn(card.hypothesis)[taken.on[shows]]
            explained[at] = logs[score.printing.rows(card.ink)[kinds], cell[at]]
            there[at] = True
    shape = seen.cell.shape
    cards = on_cards.reshape(shape)
    bare = bare_places(seen, table.cards, score.prints, config)
    field = _field(cards, score)
    # Where cards lie near by a table looks otherwise: there is other white to compare it with.
    near_cards = cv2.dilate(cards.astype(np.uint8), _square(config.near_mm, seen.density)) > 0
    for some in (bare & near_cards, bare & ~near_cards):
        asked = some & field
        beyond = some & ~field
        enough = beyond.sum() > config.thing_least_mm2 * seen.density**2
        taught = seen.cell[beyond if enough else some]
        counts = np.bincount(taught, minlength=logs.shape[1])[None]
        bare_logs = with_outliers(
            learned_densities(counts, config), score.printing.anything, config
        )[0]
        explained[asked.reshape(-1)] = bare_logs[seen.cell[asked]]
    there |= (bare & field).reshape(-1)
    gains = np.log(score.printing.anything).astype(np.float32)[cell]
    gains -= explained
    gains[~there] = 0
    return gains.reshape(shape), cards, there.reshape(shape)


def _field(on_cards: Bools, score: TableScore) -> Bools:
    """The convex hull (H, W) of where cards show, as far as the photograph says anything."""
    out = np.zeros(on_cards.shape, np.uint8)
    rows = np.flatnonzero(on_cards.any(axis=1))
    if len(rows):
        # Of a row only the ends can be on the hull.
        last = on_cards.shape[1] - 1 - on_cards[rows, ::-1].argmax(axis=1)
        columns = np.concatenate([on_cards[rows].argmax(axis=1), last])
        points = np.column_stack([columns, np.tile(rows, 2)]).astype(np.int32)
        cv2.fillConvexPoly(out, cv2.convexHull(points), 1)
    return np.asarray((out > 0) & score.seen.says)


def _near(gains: Map32, there: Bools, side: float) -> Map32:
    """The mean gain (H, W) of the places near by of which something is asked."""
    size = (int(side) | 1,) * 2
    share = cv2.blur(there.astype(np.float32), size)
    near = np.asarray(cv2.blur(gains, size), np.float32)
    near /= np.maximum(share, 0.05, out=share)
    return near


def _square(reach_mm: float, density: float) -> NDArray[np.uint8]:
    side = int(2 * reach_mm * density) | 1
    return np.ones((side, side), np.uint8)
