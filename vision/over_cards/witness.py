"""Where the picture contradicts what the known cards draw, and where it bears it out.

The white lines are the main witness: they are thin, so a veil, a lamp's mirror image and a shadow
leave them standing out, and what lies over the cards does not. Ink and black are compared by what
they differ by from the card's own, over the contrast of its lines: a veil does not change that
either.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bools, Ints, Map32
from vision.drawing.face_art import Part
from vision.over_cards.known_cards import Drawing, Image8

SMOOTHING_MM, HAT_MM, WITHIN_MM = 0.35, 5.5, 1.5
"""A dot is less wide than the hat; a line is looked for so far from where it is drawn."""
BESIDE_EDGE_MM = 1.2
"""So near to a card's edge which card shows is not known exactly."""
INSIDE_INK_MM, INSIDE_BLACK_MM = 0.6, 1.5
SEEN, MISSED = 0.4, 0.22
"""Of the contrast that white of its kind has on this card: what is seen, and what is not."""
LEAST_CONTRAST = 6.0
"""Grey levels: of white that stands out by less nothing is said."""
FAINTEST, BOLDEST = 0.35, 1.5
"""Of the table's usual contrast: between these is taken what a card's own is."""
FEWEST, ENOUGH = 30, 2000
"""Places that tell of a contrast or a colour: no fewer, and more tell no more."""
GLARE, LEAST_GLARE, MOST_GLARE = 1.12, 150.0, 250.0
"""Of the level of what is drawn white: from so bright on a lamp's mirror image tells nothing; and
between which grey levels that is. White paper is no brighter than white print."""
GLARE_MM, GLOW_MM = 2.75, 4.0
"""It is wider than a dot, and fades round it."""
HALO_MM = 20.0
"""In a dark picture it fades as far as that, and tells nothing where it is brighter than print."""
FADES_MM, SHARP = 2.0, 0.35
"""Within so much a thing's edge is crossed, and by such a share of its level the picture falls."""
PAPER = 0.5
"""So far up from the brightest white print to full scale paper is at most: what is brighter is a
mirror image though it ends at once, as a window's does.
"""
LEAST_GAIN = 0.35


@dataclass(frozen=True, eq=False)
class Witness:
    """Maps (H, W): where white, ink and black that are drawn are seen, and where they are not."""

    line_seen: Bools
    line_missed: Bools
    ink_seen: Bools
    ink_missed: Bools
    black_seen: Bools
    black_missed: Bools


@dataclass(frozen=True, eq=False)
class Asked:
    """What all witnesses look at: the balanced map (H, W, 3), the drawing, where the map says
    something (H, W), and the card's ink (N + 1,) by owner, below 0 where nothing is asked of it.
    """

    balanced: Image8
    drawing: Drawing
    open: Bools
    ink_of: Ints
    density: float

    def places(self, kinds: tuple[Part, ...], inside_mm: float = 0.0) -> Ints:
        """The flat indices (K,) of open places in what is drawn of these kinds, so far inside."""
        among = np.zeros(256, np.uint8)
        among[list(kinds)] = 1
        drawn = cv2.LUT(self.drawing.part, among)
        if inside_mm:
            drawn = cv2.erode(drawn, ellipse(inside_mm, self.density))
        places = np.flatnonzero(cv2.bitwise_and(drawn, self.open.view(np.uint8)))
        return places[self.ink_of[self.drawing.owner.ravel()[places]] >= 0]

    def marked(self, at: Ints, so: Bools) -> Bools:
        """A map (H, W) of which places are so."""
        out = np.zeros(self.open.shape, np.bool_)
        out.ravel()[at] = so
        return out


def ellipse(radius_mm: float, density: float) -> Image8:
    """A round kernel."""
    size = 2 * max(1, round(radius_mm * density)) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)


def ask(picture_bgr: Image8, shown: Bools, drawing: Drawing, inks: Ints, density: float) -> Witness:
    """Compare a map (H, W, 3) of the table with what is drawn on it.

    Nothing is missed where the photograph does not reach: `shown` (H, W) is where it does. `inks`
    (N,) number the cards' colours, below 0 for cards of which nothing is asked.
    """
    smooth = np.asarray(cv2.GaussianBlur(picture_bgr, (0, 0), SMOOTHING_MM * density), np.uint8)
    open_ = shown & _open_places(smooth, drawing, density)
    asked = Asked(_balanced(smooth, drawing), drawing, open_, np.append(-1, inks), density)
    seen, missed, contrast = _lines(asked)
    return Witness(seen, missed, *_inks(asked, contrast), *_blacks(asked, contrast))


def _open_places(smooth: Image8, drawing: Drawing, density: float) -> Bools:
    """Where (H, W) the picture says something of the cards: off their edges, and out of glare."""
    around, whose = ellipse(BESIDE_EDGE_MM, density), drawing.owner.astype(np.uint16)
    inside = cv2.dilate(whose, around) == cv2.erode(whose, around)
    least = _darkest(smooth)
    white = least[drawing.part == Part.DOT]
    above_print = GLARE * float(np.percentile(white, 75)) if len(white) >= FEWEST else MOST_GLARE
    level = np.clip(above_print, LEAST_GLARE, MOST_GLARE)
    glare = (least >= level).astype(np.uint8)
    glare = cv2.morphologyEx(glare, cv2.MORPH_OPEN, ellipse(GLARE_MM, density))
    if not glare.any():
        return np.asarray(drawing.on_card & inside)
    print_level = float(np.percentile(white, 95)) if len(white) >= FEWEST else 255.0
    brightest = print_level + PAPER * (255.0 - print_level)
    sharp = _ends_sharply(glare, least, drawing.on_card & inside, density)
    glare[sharp & _no_brighter(glare, least, brightest)] = 0
    if above_print < level:
        glare = _with_halo(glare, least >= above_print, HALO_MM * density)
    glare = cv2.dilate(glare, ellipse(GLOW_MM, density))
    return np.asarray(drawing.on_card & inside & (glare == 0))


def _with_halo(glare: Image8, bright: Bools, far_px: float) -> Image8:
    """Glare (H, W) with what is bright round it."""
    near = cv2.distanceTransform(1 - glare, cv2.DIST_L2, 3) <= far_px
    count, labels = cv2.connectedComponents((bright & near).astype(np.uint8))
    kept = np.zeros(count, np.uint8)
    kept[labels[glare > 0]] = 1
    kept[0] = 0
    return np.asarray(np.maximum(kept[labels], glare), np.uint8)


def _darkest(picture_bgr: Image8) -> Image8:
    """The least (H, W) of a picture's channels."""
    blue, green, red = cv2.split(picture_bgr)
    return np.asarray(cv2.min(cv2.min(blue, green), red), np.uint8)


def _no_brighter(glare: Image8, least: Image8, brightest: float) -> Bools:
    """Where (H, W) a patch is that is mostly no brighter than a level."""
    count, labels = cv2.connectedComponents(glare)
    size = np.bincount(labels.ravel(), minlength=count)
    bright = np.bincount(labels[least > brightest], minlength=count)
    return np.asarray((2 * bright <= size)[labels])


def _ends_sharply(glare: Image8, least: Image8, on_card: Bools, density: float) -> Bools:
    """Where (H, W) what looks like glare is white paper: within cards, whose edges may cut a mirror
    image off, it ends at once, and a mirror image fades.
    """
    drop = cv2.subtract(least, cv2.erode(least, ellipse(FADES_MM, density)))
    rim = (glare > 0) & (cv2.erode(glare, np.ones((3, 3), np.uint8)) == 0) & on_card
    count, labels = cv2.connectedComponents(glare)
    paper = np.zeros(count, np.bool_)
    for k in np.unique(labels[rim]):
        own = rim & (labels == k)
        if np.count_nonzero(own) >= FEWEST:
            falls = drop[own].astype(np.float32)
            paper[k] = float(np.median(falls)) > SHARP * float(np.median(least[own]))
    return np.asarray(paper[labels])


def _balanced(smooth: Image8, drawing: Drawing) -> Image8:
    """The map with its channels scaled down so that what is drawn white is grey."""
    white = smooth[np.isin(drawing.part, (Part.LINE, Part.DOT))]
    if len(white) < FEWEST:
        return smooth
    least = white.min(axis=1)
    level = np.maximum(np.median(white[least >= np.percentile(least, 60)], axis=0), 1.0)
    gains = np.clip(level.min() / level, LEAST_GAIN, 1.0)
    return np.asarray(cv2.transform(smooth, np.diag(gains)), np.uint8)


def _lines(asked: Asked) -> tuple[Bools, Bools, Map32]:
    """Where white is seen and where it is missed (H, W), and each card's contrast (N + 1,)."""
    least, density = _darkest(asked.balanced), asked.density
    size = round(HAT_MM * density) | 1
    ground = cv2.morphologyEx(least, cv2.MORPH_OPEN, np.ones((size, size), np.uint8))
    near = cv2.dilate(cv2.subtract(least, ground), ellipse(WITHIN_MM, density))
    at = asked.places((Part.LINE, Part.DOT))
    height = near.ravel()[at].astype(np.float32)
    due, contrast = _due(asked, at, height)
    told = due >= LEAST_CONTRAST
    seen = asked.marked(at, told & (height > SEEN * due))
    return seen, asked.marked(at, told & (height < MISSED * due)), contrast


def _due(asked: Asked, at: Ints, height: Map32) -> tuple[Map32, Map32]:
    """By how much white at places (K,), which stand out by `height`, should, and each card's
    contrast (N + 1,). White on yellow stands out by less than on black, and a card in the dark by
    less than one under the lamp.
    """
    whose, kind = asked.drawing.owner.ravel()[at], asked.drawing.part.ravel()[at]
    usual = float(np.median(height)) if len(height) else 0.0
    group = asked.ink_of[whose] * 2 + (kind == Part.DOT)
    level = np.full(2 * (int(asked.ink_of.max()) + 1), usual, np.float32)
    for one in np.unique(group):
        if np.count_nonzero(group == one) >= FEWEST:
            level[one] = np.median(height[group == one])
    share = height / np.maximum(level[group], 1.0)
    own = np.ones(len(asked.ink_of), np.float32)
    for card in np.unique(whose):
        shares = share[whose == card]
        if len(shares) >= FEWEST:
            own[card] = np.clip(np.percentile(shares, 60), FAINTEST, BOLDEST)
    return own[whose] * level[group], np.maximum(own * usual, LEAST_CONTRAST)


INK_LIKE, INK_UNLIKE = 0.9, 0.7
"""Cosines between a place's chroma and its ink's."""
INK_STRONG, INK_WEAK, PALEST = 0.4, 0.2, 0.15
"""Shares of the ink's strength; and the least that this is, of the lines' contrast."""


def _inks(asked: Asked, contrast: Map32) -> tuple[Bools, Bools]:
    """Where ink is seen and where it is missed (H, W)."""
    at = asked.places((Part.BAND, Part.FILL), INSIDE_INK_MM)
    whose = asked.drawing.owner.ravel()[at]
    colour = _chroma(asked.balanced.reshape(-1, 3)[at]) / contrast[whose][:, None]
    strength = np.linalg.norm(colour, axis=1)
    seen, missed = np.zeros((2, len(at)), np.bool_)
    ink_of = asked.ink_of[whose]
    for ink in np.unique(ink_of):
        mine = ink_of == ink
        own = np.median(colour[mine], axis=0)
        strong = float(np.linalg.norm(own))
        if strong < PALEST or np.count_nonzero(mine) < FEWEST:
            continue
        along = colour[mine] @ (own / strong)
        like = along / np.maximum(strength[mine], 1e-6)
        seen[mine] = (like > INK_LIKE) & (along > INK_STRONG * strong)
        missed[mine] = (like < INK_UNLIKE) | (along < INK_WEAK * strong)
    return asked.marked(at, seen), asked.marked(at, missed)


BLACK_GREY, OTHER_GREY, BLACK_CHROMA, OTHER_CHROMA = 0.25, 0.6, 0.2, 0.35
"""Of the lines' contrast: how far black may be off its card's usual, and from where on it is
something else.
"""


def _blacks(asked: Asked, contrast: Map32) -> tuple[Bools, Bools]:
    """Where black is seen and where something else is (H, W)."""
    at = asked.places((Part.BLACK,), INSIDE_BLACK_MM)
    whose = asked.drawing.owner.ravel()[at]
    values = asked.balanced.reshape(-1, 3)[at]
    level = np.zeros((len(contrast), 3), np.float32)
    order = np.argsort(whose, kind="stable")
    for own in np.split(order, np.flatnonzero(np.diff(whose[order])) + 1):
        if len(own):
            level[whose[own[0]]] = np.median(values[own[:: 1 + len(own) // ENOUGH]], axis=0)
    off = (values - level[whose]) * (1 / contrast)[whose][:, None]
    blue, green, red = off.T
    mean, grey = (blue + green + red) / 3, np.minimum(np.minimum(blue, green), red)
    # The square of what the channels do not have in common.
    strength = blue**2 + green**2 + red**2 - 3 * mean**2
    seen = (strength < BLACK_CHROMA**2) & (np.abs(grey) < BLACK_GREY)
    other = (strength > OTHER_CHROMA**2) | (grey > OTHER_GREY)
    return asked.marked(at, seen), asked.marked(at, other)


def _chroma(values: NDArray[np.number]) -> Map32:
    """Colours (K, 3) less what their channels have in common."""
    colours = values.astype(np.float32)
    return np.asarray(colours - colours.mean(axis=1, keepdims=True), np.float32)
