"""Washed-out cards that are told all the same: by what is left of their lines, by what is lit of
them, and by the numbers of cards.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from geometry.layout import Card
from vision.doubting.chance_fits import REACH_MM, SPACING_MM, WELL_MM, exact
from vision.doubting.doubt_context import LEAST_COLOUR, DoubtContext, changes, score_of, with_card
from vision.drawing.pose_fit import frame_offsets, frame_samples
from vision.finding.haze import LEAST_LIKENESS, line_likeness
from vision.naming.faces import WASHED_WEIGHT, score_faces, told_apart
from vision.naming.line_witness import LEAST_MORE, line_leads
from vision.naming.unique_faces import PLAIN_LEAD, WIDE_MM2, Choice
from vision.settling.by_law import chosen, holder_of

FloatArray = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

LAST_LIKENESS = 0.5
"""Of a washed-out card's lines to its face where it is the last that all decks leave, or all other
faces are gainsaid besides: that it is no bare paper that shines there is all that they still have
to say."""
AS_LIKE = 0.05
"""Lines may be as much like those of another face, side or turn: by less nothing is told."""
FRAME_SAMPLES, FRAME_SHARE = 10, 0.4
"""Of a washed-out card's frame, so many places 2 mm apart along the card and as many across it must
show their line, and so much of all that could: seven cards in eight that lines tell show half of
it, 0.1 mm (sigma) from where it should be. In noise half of what is found lies off by more."""


def told_in_haze(scene: DoubtContext, card: Card) -> bool:
    """Whether a washed-out card is told by its lines as surely as others by their ink: what is left
    of its lines is like them and clearly less like any other reading that would change a score, and
    none of those that are open would, unless its lines where the two differ or what is lit of it
    gainsay that one; it lies exactly on another card, or where its frame is seen; and the numbers
    of cards, all others being plainly told, say that one lies there, and of which colour.
    """
    table, cards = scene.table, scene.layout.cards
    if not (table.hazed[card.id] and scene.equally_many):
        return False
    others = [k.id for k in cards if k != card and k.colour != scene.deck.starting_colour.name]
    sure = (table.naming.confidence >= LEAST_COLOUR) & ~table.hazed & ~table.counted
    if not sure[others].all():
        return False
    if not (exact(scene.verdicts[card.id]) or _frame_seen(scene, card)):
        return False
    like = _line_likeness(scene, card)
    own = float(like[2 * table.named.rows[card.id]])
    if own < LAST_LIKENESS:
        return False
    # Lines that are less like a face than is usual close nothing by themselves.
    rivals = (like > own - AS_LIKE) | (own < LEAST_LIKENESS)
    rivals[[2 * other.row + other.turned for other in table.choices[card.id]]] = True
    return not any(
        _changes_a_score(scene, card, rival)
        for rival in _not_gainsaid(scene, card, np.flatnonzero(rivals)).tolist()
    )


def none_is_missing(scene: DoubtContext) -> bool:
    """Whether the numbers of cards say so, though a washed-out card may be told by its lines."""
    if scene.none_is_missing or not scene.equally_many:
        return scene.none_is_missing
    unsure = scene.table.naming.confidence < LEAST_COLOUR
    return all(told_in_haze(scene, card) for card in scene.layout.cards if unsure[card.id])


def left_over(scene: DoubtContext, card: Card) -> bool:
    """Whether a washed-out card can be no other: all colours lie there with all their faces, and
    every other card is plainly told. Its lines must say what it is, and that it lies where it does.
    """
    table, cards = scene.table, scene.layout.cards
    played = [k for k in cards if k.colour != scene.deck.starting_colour.name]
    if not (scene.equally_many and scene.whole_decks):
        return False
    sure = table.naming.confidence >= LEAST_COLOUR
    told = all(sure[k.id] and not table.hazed[k.id] for k in played if k != card)
    # What else the card itself may be is a doubt of its own.
    told &= not any(others for k, others in enumerate(table.choices) if k != card.id)
    if not told or not exact(scene.verdicts[card.id]):
        return False
    return bool(_line_likeness(scene, card)[2 * table.named.rows[card.id]] >= LAST_LIKENESS)


def _line_likeness(scene: DoubtContext, card: Card) -> FloatArray:
    """Correlation (H,) of what is left of a washed-out card's lines with all hypotheses but the
    starting card's.
    """
    table, ids = scene.table, np.array([card.id])
    like = line_likeness(table.stack.patches, table.visible, ids, table.templates)[0]
    return np.asarray(like[:-4])


def _frame_seen(scene: DoubtContext, card: Card) -> bool:
    """Whether the card's frame is seen where it lies, along it and across it, in haze too."""
    table, frame = scene.table, frame_samples(scene.deck.card, SPACING_MM)
    pose = table.named.poses[card.id][None]
    off, found = frame_offsets(scene.evidence, pose, frame, REACH_MM)
    shown = table.visible[card.id, table.templates.nearest(frame.places_mm)] > 0.5
    seen = found[0] & (np.abs(off[0]) < WELL_MM) & shown
    for along in (np.abs(frame.normals[:, k]) > 0.5 for k in (0, 1)):
        number = int((seen & along).sum())
        if number < max(FRAME_SAMPLES, FRAME_SHARE * int((shown & along).sum())):
            return False
    return True


def _not_gainsaid(scene: DoubtContext, card: Card, rivals: Ints) -> Ints:
    """Those of the hypotheses (R,) that neither what is lit of the card nor its lines where they
    and its own reading differ plainly gainsay.
    """
    left = rivals[~_gainsaid_by_lit(scene, card, rivals)]
    table = scene.table
    ids, own = (np.full(len(left), k) for k in (card.id, 2 * int(table.named.rows[card.id])))
    seen = table.stack.patches, table.visible
    leads = line_leads(*seen, ids, own, left, table.templates, scene.evidence.noise)
    return np.asarray(left[leads < LEAST_MORE])


def _gainsaid_by_lit(scene: DoubtContext, card: Card, rivals: Ints) -> Bools:
    """Which of the hypotheses (R,) the card's own reading plainly beats on what is not washed out
    of it, if they differ on enough of that.
    """
    table = scene.table
    patch, ids = table.stack.patches.take(np.array([card.id])), np.zeros(len(rivals), np.int64)
    unwashed = np.where(patch.weight < WASHED_WEIGHT, np.float32(0), patch.weight)
    if not unwashed.any():
        return np.zeros(len(rivals), np.bool_)
    scores = score_faces(replace(patch, weight=unwashed), table.templates, table.visible[[card.id]])
    own = np.full(len(rivals), 2 * int(table.named.rows[card.id]))
    gap, apart, _ = told_apart(scores, ids, own, rivals, table.templates)
    return np.asarray((apart >= WIDE_MM2) & (gap >= PLAIN_LEAD * apart))


def _changes_a_score(scene: DoubtContext, card: Card, hypothesis: int) -> bool:
    """Whether it would change a score if a card were another face, side or turn of its colour; not
    where a card of which no reading is open has that face.
    """
    rival = chosen(card, Choice(hypothesis // 2, bool(hypothesis % 2)), scene.table.templates)
    holder = holder_of(rival, scene.layout.cards) if rival.face != card.face else None
    if holder is not None and not scene.table.choices[holder.id]:
        return False
    return any(changes(scene.score, score_of(with_card(scene.layout, rival), scene.rules)))
