"""A picture with cards read in it: what shows of each, and the light on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from geometry.deck import CardSize
from vision.arrays import Bools, FloatArray, Ints
from vision.drawing.coverage import top_map
from vision.drawing.overlap_places import Drawing, on_card
from vision.drawing.pose_fit import place
from vision.drawing.templates import TEMPLATE_DENSITY, Templates, on_grid_of, thinned
from vision.likelihood.config import LikelihoodConfig
from vision.likelihood.drawing import INK_AT, WHITE_AT, Guesses, Prints, columns_of
from vision.likelihood.light import (
    ANEW,
    DrawnColumns,
    Light,
    Places,
    Prior,
    Solving,
    fit_light,
    left_over,
    opponent,
)
from vision.likelihood.light_priors import KnownLights, broad_prior, near_prior
from vision.likelihood.marks import SeenMarks, shares_of
from vision.raster import Raster

EVERY, MARKS_EVERY = 8, 4
"""One in so many places of the templates' grid is looked at; more of badges and symbols."""
TABLE, UNCLEAR, OFF = -1, -2, -3


@dataclass(frozen=True, eq=False)
class LaidCards:
    """Cards as they were read: `poses` (N, 3 or 9), raster mm, template `rows` (N,), `colour`
    (N,) as indices of the templates' colours, and `order`, the lowest first.
    """

    poses: FloatArray
    rows: Ints
    colour: Ints
    order: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.rows)

    def as_read(self, i: int) -> Guesses:
        """The one guess that a card is what it was read as."""
        return Guesses(self.rows[i : i + 1], np.zeros(1, np.bool_), int(self.colour[i]))


@dataclass(frozen=True, eq=False)
class Shown:
    """Places of one card that show: their `index` (K,) on the grid, what is `seen` there, and which
    card would show there without this one, `below` (K,), or TABLE, or UNCLEAR near an edge. `clear`
    (P,): where on the whole grid it shows, away from others' edges; `mm2` (K,): how much each place
    stands for.
    """

    index: Ints
    seen: Places
    below: Ints
    clear: Bools
    mm2: FloatArray


class Picture:
    """A raster with a deck's cards read in it. It gives their badges and symbols, and the light."""

    def __init__(
        self, raster: Raster, cards: LaidCards, size: CardSize, templates: Templates,
        config: LikelihoodConfig,
    ) -> None:  # fmt: skip
        self.raster, self.cards, self.size = raster, cards, size
        self.templates, self.config = templates, config
        self._prints = Prints(templates)
        pixels = on_grid_of(raster.image_bgr, raster, cards.poses, templates)
        self.shown = [self._shown(i, pixels[i]) for i in range(len(cards))]
        self.judged = [i for i, s in enumerate(self.shown) if len(s.index) >= config.fewest_places]
        self._marks: SeenMarks | None = None
        self._own: dict[int, FloatArray] = {}
        self.blur_mm = self._likeliest_blur()
        self._known = self._lights_known()
        self._marks = self._seen_marks(pixels)
        self.priors = [self.prior(i, int(cards.colour[i])) for i in range(len(cards))]

    def fit(
        self, i: int, guesses: Guesses, some: Bools | None = None, solving: Solving = ANEW
    ) -> Light:
        """The light on card i by each guess, from the places that show or `some` (K,) of them."""
        index, seen = self.shown[i].index, self.shown[i].seen
        if some is not None:
            index, seen = index[some], seen.take(some)
        drawn, prior = self.columns(i, guesses, index), self.prior(i, guesses.colour)
        return fit_light(seen, drawn, prior, self.config, solving)

    def own_light(self, i: int) -> FloatArray:
        """The light on card i as it was read, coefficients (COLUMNS, 3)."""
        if i not in self._own:
            judged = i in self.judged
            fit = self.fit(i, self.cards.as_read(i)) if judged else None
            self._own[i] = self.priors[i].mean if fit is None else fit.coefficients[0]
        return self._own[i]

    def columns(self, i: int, guesses: Guesses, index: Ints) -> DrawnColumns:
        """What guesses of card i draw at places (K,), and how far a misprint may put that off."""
        templates, marks = self.templates, self.templates.marks
        columns, spread = columns_of(self._prints, guesses, index, self.blur_mm)
        at = guesses.places(index, templates)
        far = np.where(marks, self.config.mark_misprint_mm, self.config.misprint_mm)[at]
        seen = np.zeros(at.shape, np.bool_)
        if self._marks is not None:
            seen = self._marks.put_in(columns, spread, i, guesses, at)
        spread *= np.where(seen, 1, far)[..., None].astype(np.float32)
        return DrawnColumns(columns, spread)

    def prior(self, i: int, colour: int) -> Prior:
        """What the light on card i should be if it has a colour: by the others near by, and its ink
        by those of that colour.
        """
        return near_prior(i, colour, self._known, self.config)

    def ink_likelihood(self, i: int, colour: int, fit: Light) -> float:
        """How likely (log, but for a constant) a colour has the ink that a fit gives card i;
        the starting card's has none.
        """
        prior = self.prior(i, colour)
        mean, spread = prior.mean[INK_AT], prior.sigma[INK_AT]
        if colour == len(self.templates.colours) - 1:
            mean, spread = np.zeros(3), np.full(3, self.config.ink_share * prior.mean[WHITE_AT, 0])
        looks = self.config.looks_per_mm2 * EVERY / TEMPLATE_DENSITY**2
        known = np.zeros(3) if fit.ink_sigma is None else fit.ink_sigma[0] / np.sqrt(looks)
        sigma = np.hypot(spread, known)
        off = (fit.coefficients[0, INK_AT] - mean) / sigma
        tails = self.config.ink_tails
        likely = -(tails + 1) / 2 * np.log1p(np.square(off) / tails) - np.log(sigma)
        return float(likely.sum())

    def places_on(self, other: int, i: int, index: Ints) -> tuple[Ints, Bools]:
        """The places of another card's grid at those of card i (K,), and which it has."""
        poses, rows = self.cards.poses, self.cards.rows
        at = place(poses[i : i + 1], self.templates.grid_mm[index])[0]
        away = (at - poses[other, :2]) @ np.array([1, 1j])
        drawing = Drawing(poses, rows, np.zeros((len(rows), 3)))
        return on_card(drawing, np.full(len(index), other), away, self.templates)

    def _shown(self, i: int, pixels: NDArray[np.uint8]) -> Shown:
        order, lit = self.cards.order, pixels.max(axis=-1) > 0
        owners = self._owners(order, i)
        clear = _alike(owners, self.templates, OFF) & (owners == i) & lit
        marks = self.templates.marks
        looked_at = thinned(self.templates, EVERY) | (marks & thinned(self.templates, MARKS_EVERY))
        index = np.flatnonzero(clear & looked_at)
        mm2 = np.where(marks[index], MARKS_EVERY, EVERY) / TEMPLATE_DENSITY**2
        owners = self._owners([k for k in order if k != i], i)
        below = np.where(_alike(owners, self.templates, None), owners, UNCLEAR)[index]
        return Shown(index, opponent(pixels[index]), below, clear, mm2)

    def _owners(self, order: Sequence[int], i: int) -> Ints:
        top = top_map(self.raster, self.cards.poses, list(order), self.size)
        on = top.on(self.cards.poses[i : i + 1], self.templates)[0]
        return np.asarray(on.astype(np.int64) - 1)

    def _broad_lights(self, some: Iterable[int]) -> list[Light]:
        """The light on some cards as they were read, each by itself."""
        judged = [self.shown[i].seen.values[:, 0] for i in self.judged]
        broad = broad_prior(np.concatenate([np.empty(0, np.float32), *judged]), self.config)
        out = []
        for i in some:
            drawn = self.columns(i, self.cards.as_read(i), self.shown[i].index)
            solving = Solving(rounds=self.config.more_rounds)
            out.append(fit_light(self.shown[i].seen, drawn, broad, self.config, solving))
        return out

    def _likeliest_blur(self) -> float:
        """By how much more than the templates the picture is blurred, mm."""
        plainest = sorted(self.judged, key=lambda i: -len(self.shown[i].index))
        likely = []
        for blur in self.config.blurs_mm:
            self.blur_mm = blur
            lights = self._broad_lights(plainest[: self.config.blur_cards])
            likely.append(sum(float(light.places.sum()) for light in lights))
        return self.config.blurs_mm[int(np.argmax(likely))]

    def _lights_known(self) -> KnownLights:
        """The light on every card of which enough shows, and the noise."""
        own, cards = np.array(self.judged, np.int64), self.cards
        lights, errors = self._broad_lights(self.judged), [np.zeros(3)]
        for i, light in zip(self.judged, lights, strict=True):
            columns, spread = self.columns(i, cards.as_read(i), self.shown[i].index)
            left = left_over(self.shown[i].seen, columns, light)[0]
            errors.append(
                np.median(np.abs(left[spread[0, :, 0] <= np.median(spread[0, :, 0])]), axis=0)
            )
        found = np.array([light.coefficients[0] for light in lights])
        noise = self.config.noise_of(np.median(errors, axis=0))
        return KnownLights(own, cards.poses[:, :2], cards.colour, found, noise)

    def _seen_marks(self, pixels: NDArray[np.uint8]) -> SeenMarks:
        """What every card's marks look like in its own light."""
        templates, cards = self.templates, self.cards
        index = np.flatnonzero(templates.marks)
        badge = templates.badge[index]
        shares = np.zeros((len(cards), len(index), 2), np.float32)
        whole = np.zeros((len(cards), 2), np.bool_)
        for i in self.judged:
            found = self.fit(i, cards.as_read(i)).coefficients[0]
            columns, _ = self.columns(i, cards.as_read(i), index)
            black = columns[0, :, :WHITE_AT] @ found[:WHITE_AT].astype(np.float32)
            over = opponent(pixels[i, index]).values - black
            shares[i] = shares_of(over, found[WHITE_AT], found[WHITE_AT + 3], self._known.noise)
            clear = self.shown[i].clear[index]
            whole[i] = [clear[some].mean() > self.config.mark_shown for some in (badge, ~badge)]
        return SeenMarks(
            templates, index, shares, whole, cards.rows // 2, cards.colour,
            self.config.mark_off,
            self.config.misprint_mm,
        )  # fmt: skip


def _alike(owners: Ints, templates: Templates, beyond: int | None) -> Bools:
    """Where (P,) the same owner is within half a millimetre on all sides; `beyond` is the owner
    off the grid, None for none.
    """
    grid, kernel = owners.astype(np.int16).reshape(templates.shape_hw), np.ones((3, 3), np.uint8)
    edge = cv2.BORDER_REPLICATE if beyond is None else cv2.BORDER_CONSTANT
    framed = cv2.copyMakeBorder(grid, 1, 1, 1, 1, edge, value=beyond or 0)
    low, high = (f(framed, kernel)[1:-1, 1:-1] for f in (cv2.erode, cv2.dilate))
    return np.asarray((low == high).ravel())
