"""Where cards lie: from badges to poses on the white frame lines."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from geometry.deck import Deck
from vision.arrays import Bools, FloatArray, Ints
from vision.drawing.pose_fit import TWICE, PoseFit, fit_poses, frame_samples, sweep_angles
from vision.drawing.printed_deck import PrintedDeck
from vision.drawing.templates import Templates, draw_templates
from vision.evidence import Evidence, sample
from vision.finding.likely_badges import badge_blobs
from vision.naming.name_cards import badge_fit, badge_like
from vision.observing.dots import circle
from vision.observing.marks import Marks, badge_insides, badges

Moves = tuple[tuple[float, float, float, float], ...]
LEAST_SEEN = 0.3
"""Share of the frame that must lie on white lines before a badge is tried as a card."""
FAINTLY_SEEN = 0.1
"""Enough for a card that its neighbours cover all round, if its badge is clear."""
CLEAR_BADGE = 0.55
ANGLES_TRIED = 3
PLAIN_ANGLE, STILL_OPEN = 0.4, 0.55
"""Where an angle puts so much of the frame on white, others that reach only this share of it are
not tried: the best one was right then wherever the second best came to less."""
PLAIN_BADGE = 0.72
"""True badges reach 0.8 to 0.97, all else stays below 0.65."""
OTHER_CARD_MM, REACH_MM = 6.0, 90.0
FAR_REACH_MM = 250.0
"""Where a card is known to be missing: one without a legal move lies anywhere, touching nothing."""
MOST_UNREAD = 16
MOST_BLOBS = 200
"""Of 61 cards on patterned cloth, at 0.9 pixels per mm, all are among the first 122."""
BESIDE_PLAIN_MM = 25.0
"""Nearer to a plain card's middle no other is plain: one laid by the rules is 38 mm off."""
PLAINLY_A_CARD = 0.85
"""Share of the frame that lies on white, and likeness to a badge, together: of printed cards at 0.9
to 1.8 pixels per mm 0.93 and more but for two of 240, of other places 0.85 at most."""
RINGS_MM = 8.0, 11.0
"""Round a badge and its symbol."""
ROUND_ABOUT: Moves = ((2.4, 1.2, 180.0, 10.0), (0.8, 0.4, 10.0, 5.0))
IN_FRAME: Moves = ((4.8, 1.2, 12.0, 4.0), (0.8, 0.4, 4.0, 2.0))
"""How a badge is sought, first roughly, then finely: how far to all sides and in which steps, mm;
how far it may be turned, and in which steps, degrees."""
TURNED_ALIKE = float(np.sin(np.deg2rad(7.0)))
COARSE_STEP_MM, FAR_MM, NEARER_MM = 2.5, 4.0, 2.0
"""Between places on a frame that is fitted from far, and within which reaches it is."""
ROUGHLY_EVERY, MOST_LIKELY = 5, 60
"""Moves are compared on every fifth place of a badge; the likeliest of them on all."""
FITTED_MM = 2.5
ROUGHLY_KEEPS_UP, KEEPS_UP = 0.3, 0.6
"""Of what the best angle of the same middle sees of its frame, in a rough look and a fine one."""


def badge_centres(marks: Marks, holes: Marks, deck: Deck) -> FloatArray:
    """Middles (N, 2) of all that has the size of a badge's rim, or of its inside."""
    rims = badges(marks, deck)
    insides = badge_insides(holes, deck)
    return np.concatenate([rims, _apart(insides, rims)])


def poses_from_blobs(evidence: Evidence, known: FloatArray, deck: Deck) -> FloatArray:
    """Poses (K, 3) of frames round what stands alone on black, and those known (N, 3), which were
    found before.
    """
    more = poses_from_centres(evidence, badge_blobs(evidence, deck, MOST_BLOBS), deck)
    return np.concatenate([known, without_card(more, known)])


def plainly_cards(evidence: Evidence, poses: FloatArray, printed: PrintedDeck) -> FloatArray:
    """Those of the poses (N, 3), each known up to a half turn, whose frame and badge together are
    a card's; of two near each other the plainer.
    """
    if len(poses) == 0:
        return poses
    fit = fit_poses(evidence, poses, frame_samples(printed.deck.card))
    plain = fit.seen.mean(axis=1) + badge_like(evidence, fit.poses, printed.templates)
    order = np.argsort(-plain, kind="stable")
    kept: list[int] = []
    for k in order[plain[order] > PLAINLY_A_CARD].tolist():
        gap = np.linalg.norm(fit.poses[kept, :2] - fit.poses[k, :2], axis=1)
        if (gap > BESIDE_PLAIN_MM).all():
            kept.append(k)
    return np.asarray(fit.poses[kept])


def unread_badges(
    evidence: Evidence, centres_mm: FloatArray, read: FloatArray, deck: Deck,
    reach_mm: float = REACH_MM,
) -> FloatArray:  # fmt: skip
    """Poses (K, 3) of cards by badges that plainly show and that no card read so far has.

    `read` (N, 3) are the poses of those. The badge alone gives place and turn, to about half a
    millimetre and three degrees; badges farther than `reach_mm` from all cards are another game's.
    """
    if len(centres_mm) == 0 or len(read) == 0:
        return np.empty((0, 3))
    gap = np.asarray(cKDTree(read[:, :2]).query(centres_mm)[0])
    near = np.flatnonzero((gap > OTHER_CARD_MM) & (gap < reach_mm))
    near = near[np.argsort(gap[near], kind="stable")]
    near, others = near[:MOST_UNREAD], near[MOST_UNREAD:]
    blackest = np.argsort(_white_round(evidence, centres_mm[others]), kind="stable")[:MOST_UNREAD]
    return plain_badges(evidence, centres_mm[np.concatenate([near, others[blackest]])], deck)


def plain_badges(evidence: Evidence, spots_mm: FloatArray, deck: Deck) -> FloatArray:
    """Poses (K, 3) of cards by badges that plainly show near some of the spots (N, 2); a frame
    round them where one lies there.
    """
    if len(spots_mm) == 0:
        return np.empty((0, 3))
    templates = draw_templates(deck)
    rough = np.concatenate([spots_mm, np.zeros((len(spots_mm), 1))], axis=1)
    found, fit = _sought_badges(evidence, rough, ROUND_ABOUT, templates)
    found = found[fit > PLAIN_BADGE]
    if len(found) == 0:
        return np.empty((0, 3))
    lines = frame_samples(deck.card)
    fitted = fit_poses(evidence, found, lines, (NEARER_MM, *TWICE)).poses
    near_by = np.linalg.norm(fitted[:, :2] - found[:, :2], axis=1) < FITTED_MM
    near_by &= np.abs(np.sin(fitted[:, 2] - found[:, 2])) < TURNED_ALIKE
    return np.asarray(np.where(near_by[:, None], fitted, found))


def _white_round(evidence: Evidence, spots_mm: FloatArray) -> FloatArray:
    """How white (K,), 0 to 255, it is in a ring round each of some spots (K, 2).

    A badge stands alone on black; in a cloth or a newspaper there are others all round.
    """
    at = spots_mm[:, None] + np.concatenate([circle(radius, 24) for radius in RINGS_MM])
    return np.asarray(sample(evidence.white, evidence.raster.to_raster(at)).mean(axis=1))


def badges_in_frames(evidence: Evidence, framed: FloatArray, deck: Deck) -> FloatArray:
    """Poses (K, 3) of badges that show near the middles of frames (N, 3), turned much like them.

    Of a card that curls the one does not lie where the other says; that both are there, and agree
    on the turn, says more than either, and the badge may be a little blurred.
    """
    if len(framed) == 0:
        return framed
    templates = draw_templates(deck)
    turned = np.concatenate([framed, framed + [0.0, 0.0, np.pi]])
    found, fit = _sought_badges(evidence, turned, IN_FRAME, templates)
    ways = fit.reshape(2, -1)
    best = ways.argmax(axis=0) * len(framed) + np.arange(len(framed))
    return np.asarray(found[best[ways.max(axis=0) > CLEAR_BADGE]])


def without_card(unread: FloatArray, read: FloatArray) -> FloatArray:
    """The poses (K, 3) of badges in whose middle none of the cards read (N, 3) has its own."""
    if len(unread) == 0 or len(read) == 0:
        return unread
    gap = np.asarray(cKDTree(read[:, :2]).query(unread[:, :2])[0])
    return np.asarray(unread[gap > OTHER_CARD_MM])


def _steps(reach_mm: float, step_mm: float, reach_deg: float, step_deg: float) -> FloatArray:
    """Moves (M, 3) all round: mm, mm, radians."""
    side = np.arange(-reach_mm, reach_mm + step_mm / 2, step_mm)
    turn = np.deg2rad(np.arange(-reach_deg, reach_deg, step_deg))
    return np.stack(np.meshgrid(side, side, turn), axis=-1).reshape(-1, 3)


def _sought_badges(
    evidence: Evidence, starts: FloatArray, moves: Moves, templates: Templates
) -> tuple[FloatArray, FloatArray]:
    """The poses (N, 3) near the starts at which a badge fits best, and how well (N,): by such moves
    one after the other.
    """
    found, fit = starts, np.zeros(len(starts))
    for reach_mm, step_mm, reach_deg, step_deg in moves:
        steps = _steps(reach_mm, step_mm, reach_deg, step_deg)
        found, fit = _best_badges(evidence, found, steps, templates)
    return found, fit


def _best_badges(
    evidence: Evidence, starts: FloatArray, moves: FloatArray, templates: Templates
) -> tuple[FloatArray, FloatArray]:
    """The poses (N, 3) near the starts at which a badge fits best, and how well (N,)."""
    poses = starts[:, None] + moves[None]
    rough = badge_fit(evidence, poses.reshape(-1, 3), templates, every=ROUGHLY_EVERY)
    likely = np.argsort(-rough.reshape(len(starts), -1), axis=1)[:, :MOST_LIKELY]
    poses = np.take_along_axis(poses, likely[..., None], axis=1)
    fit = badge_fit(evidence, poses.reshape(-1, 3), templates).reshape(len(starts), -1)
    best = fit.argmax(axis=1)
    return poses[np.arange(len(starts)), best], fit.max(axis=1)


def _apart(spots: FloatArray, others: FloatArray) -> FloatArray:
    """Spots (N, 2) that lie apart from all others."""
    if len(spots) == 0 or len(others) == 0:
        return spots
    gap, _ = cKDTree(others).query(spots)
    return np.asarray(spots[gap > FITTED_MM])


def poses_from_centres(evidence: Evidence, centres_mm: FloatArray, deck: Deck) -> FloatArray:
    """Poses (N, 3) of cards whose middles lie within about 3 mm of the given ones (K, 2), each up
    to a turn by 180 degrees.
    """
    if len(centres_mm) == 0:
        return np.empty((0, 3))
    angles, scores = sweep_angles(evidence, evidence.blurred_mask, centres_mm, deck.card)
    starts, owner = _best_angles(centres_mm, angles, scores)
    fit, owner = _fit_from(evidence, starts, owner, deck)
    seen = fit.seen.mean(axis=1)
    best = _best_of_each(owner, seen, len(centres_mm))
    poses, share = fit.poses[best], seen[best]
    sure = share >= LEAST_SEEN
    faint = ~sure & (share >= FAINTLY_SEEN)
    badged = _badged(evidence, poses[faint], deck)
    return np.concatenate([poses[sure], poses[faint][badged]])


def _badged(evidence: Evidence, poses: FloatArray, deck: Deck) -> Bools:
    """Poses (N, 3), known up to a half turn, that plainly show a badge in their middle."""
    templates = draw_templates(deck)
    return np.asarray(badge_like(evidence, poses, templates) > CLEAR_BADGE)


def _best_angles(
    centres: FloatArray, angles: FloatArray, scores: FloatArray
) -> tuple[FloatArray, Ints]:
    peaks = (scores >= np.roll(scores, 1, axis=1)) & (scores > np.roll(scores, -1, axis=1))
    ranked = np.argsort(np.where(peaks, -scores, 1.0), axis=1)[:, :ANGLES_TRIED]
    score = np.take_along_axis(scores, ranked, axis=1)
    open_ = (score >= STILL_OPEN * score[:, :1]) | (score[:, :1] < PLAIN_ANGLE)
    owner, rank = np.nonzero(open_)
    return np.column_stack([centres[owner], angles[ranked[owner, rank]]]), owner


def _fit_from(
    evidence: Evidence, starts: FloatArray, owner: Ints, deck: Deck
) -> tuple[PoseFit, Ints]:
    """Fits of the starts that keep up with their owner's best, and whose they are."""
    lines, few = frame_samples(deck.card), frame_samples(deck.card, COARSE_STEP_MM)
    poses, owner = _kept_up(fit_poses(evidence, starts, few, (FAR_MM,)), owner, ROUGHLY_KEEPS_UP)
    poses, owner = _kept_up(fit_poses(evidence, poses, few, (NEARER_MM,)), owner, KEEPS_UP)
    # Only where a pose ends is it worth all that the frame tells.
    poses = fit_poses(evidence, poses, few).poses
    return fit_poses(evidence, poses, lines), owner


def _kept_up(fit: PoseFit, owner: Ints, share: float) -> tuple[FloatArray, Ints]:
    """The poses that see at least this share of what their owner's best sees of its frame."""
    seen = fit.seen.mean(axis=1)
    best = np.zeros(int(owner.max()) + 1)
    np.maximum.at(best, owner, seen)
    kept = seen >= share * best[owner]
    return fit.poses[kept], owner[kept]


def _best_of_each(owner: Ints, value: FloatArray, count: int) -> Ints:
    order = np.argsort(value, kind="stable")
    best = np.zeros(count, np.int64)
    best[owner[order]] = order
    return best
