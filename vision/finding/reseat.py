"""Cards that were found a few millimetres off: sought round about for where they fit far better.

A lamp's haze that runs into a badge moves its middle, and of a frame whose ends are covered or
burnt out the long sides hold a card along themselves hardly at all.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from vision.arrays import FloatArray, Map32
from vision.drawing.alignment import ShownDrawings, align
from vision.drawing.bend import FLAT, curled_poses, flattened, is_bent, widened
from vision.drawing.pose_fit import turns
from vision.drawing.printed_deck import PrintedDeck
from vision.drawing.templates import Templates
from vision.evidence import Evidence
from vision.finding.haze import seen_in_haze
from vision.finding.look_again import lies_at
from vision.naming.faces import cut_out, score_faces
from vision.naming.name_cards import Named
from vision.ordering.stacking import Stack, StackedCards

ACROSS_MM, ALONG_MM = (-6.0, -3.0, 0.0, 3.0, 6.0), (-6.0, -4.0, -2.0, 0.0, 2.0, 4.0, 6.0)
"""Steps that the alignment, to which a millimetre or two is near enough, can follow."""
CURLS_MM = tuple(float(s) for s in range(-8, 9) if s)
"""By which curls shift a card's ends."""
NOWHERE = np.empty((0, 3))
POOR_FIT = 0.3
"""Cards that fit as well as this lie where they should."""
FAR_BETTER = 0.67
"""Of the misfit where it was found: cards in the right place gain a quarter at most elsewhere."""

LED_PASSES = 6
"""As many as a card takes to lie still that lies between two steps."""


@dataclass(frozen=True, eq=False)
class _Misfits:
    """How well one of the cards in a stack would fit elsewhere."""

    evidence: Evidence
    card: int
    stack: Stack
    printed: PrintedDeck

    def shown(self, poses: FloatArray) -> Map32:
        """1 (K, P) where no other card lies on it at some poses (K, 3 or 9)."""
        top = self.stack.top.on(poses, self.printed.templates)
        return np.asarray(((top == self.card + 1) | (top == 0)), np.float32)

    def of(self, poses: FloatArray) -> FloatArray:
        """Misfits (K, H) at some poses (K, 3 or 9), as shares of a black card's."""
        templates = self.printed.templates
        patches = cut_out(self.evidence, poses, templates)
        scores = score_faces(patches, templates, self.shown(poses))
        misfit = scores.misfit[:, : 2 * self.printed.start_row]
        return misfit / np.maximum(scores.energy, 1e-6)[:, None]


def reseated(
    evidence: Evidence, stacked: StackedCards, printed: PrintedDeck, placed: FloatArray = NOWHERE
) -> Named | None:
    """The cards with those that fit far better round about moved there; None where none does.

    A card whose lines are seen in a lamp's haze lies where they are, however poorly it fits: the
    lamp looks as much like any other. So does one at a pose (K, 3 or 9) at which it was `placed` by
    them, though its face is misread there.
    """
    named, patches = stacked.named, stacked.stack.patches
    held = seen_in_haze(named, patches, stacked.visible, printed.templates)
    held |= lies_at(named.poses, placed)
    cards = np.flatnonzero((named.fit > POOR_FIT) & (named.rows < printed.start_row) & ~held)
    moved = None
    for card in cards.tolist():
        found = _far_better(_Misfits(evidence, card, stacked.stack, printed), named.poses[card])
        if found is None:
            continue
        pose, hypothesis, fit = found
        moved = moved or replace(
            named, poses=widened(named.poses), rows=named.rows.copy(), fit=named.fit.copy()
        )
        moved.poses[card] = pose
        moved.poses[card, 2] += np.pi * (hypothesis % 2)
        moved.rows[card], moved.fit[card] = hypothesis // 2, fit
    if moved is not None and not is_bent(moved.poses):
        return replace(moved, poses=moved.poses[:, :FLAT])
    return moved


def _far_better(at: _Misfits, own: FloatArray) -> tuple[FloatArray, int, float] | None:
    """Where (3 or 9,) a card at a pose of its `own` fits far better, its hypothesis there and the
    misfit.
    """
    here = own[None]
    if at.of(here)[0].min() <= POOR_FIT:
        return None
    curled = _curled(at.evidence, here, at.printed.templates)
    poses = np.concatenate([_round_about(here[0]), curled])
    fits = at.of(poses)
    unmoved = (poses[:, :2] == here[0, :2]).all(axis=1) & ~poses[:, FLAT:].any(axis=1)
    found = fits[unmoved].min()
    place, hypothesis = divmod(int(fits.argmin()), fits.shape[1])
    pose, fit = poses[place], float(fits[place, hypothesis])
    most = min(FAR_BETTER * found, POOR_FIT)
    if most <= fit < found:
        # Between two steps a card in its place fits worse than it does when it is led there.
        pose, hypothesis, fit = _led(at, pose, hypothesis)
    return None if fit >= most else (pose, hypothesis, fit)


def _led(at: _Misfits, pose: FloatArray, hypothesis: int) -> tuple[FloatArray, int, float]:
    """A card's pose (9,) aligned as it would be if it were moved there, its hypothesis at that and
    the misfit.
    """
    turned = pose[None].copy()
    turned[0, 2] += np.pi * (hypothesis % 2)
    row = np.array([hypothesis // 2], np.int64)
    drawn = ShownDrawings(row, at.shown(turned), at.printed.templates)
    led, _ = align(at.evidence, turned, drawn, LED_PASSES)
    fits = at.of(led)[0]
    best = int(fits.argmin())
    return led[0], best, float(fits[best])


def _round_about(pose: FloatArray) -> FloatArray:
    """Flat poses (K, 9) shifted along the card's sides."""
    across, along = (step.ravel() for step in np.meshgrid(ACROSS_MM, ALONG_MM))
    poses = np.repeat(flattened(pose[None]), len(across), axis=0)
    poses[:, :2] += np.column_stack([across, along]) @ turns(pose[2:3])[0].T
    return poses


def _curled(evidence: Evidence, pose: FloatArray, templates: Templates) -> FloatArray:
    """The pose (1, 3 or 9) with strong curls (K, 9): as long as its face is misread no fit leads
    there, and a flat fit puts its middle, or its ends, where they are seen.
    """
    half_mm = templates.half_mm
    return curled_poses(evidence.raster, flattened(pose), half_mm, CURLS_MM, (0.0, 1.0))[0]
