"""A picture with cards read in it: what shows of each, and the light on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import NamedTuple

import cv2
import numpy as np

from geometry.deck import CardSize
from vision.arrays import Bools, FloatArray, Ints, Map32
from vision.drawing.coverage import top_map
from vision.drawing.overlap_places import Drawing, on_card
from vision.drawing.pose_fit import place
from vision.drawing.templates import TEMPLATE_DENSITY, Templates, on_grid_of, thinned
from vision.evidence import Evidence
from vision.likelihood.config import LikelihoodConfig
from vision.likelihood.drawing import (
    COLUMNS,
    INK_AT,
    WHITE_AT,
    Guesses,
    Prints,
    columns_of,
    veil_columns,
)
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
from vision.likelihood.marks import SeenMarks, ink_off_by_white, shares_of
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

    def same_as(self, other: LaidCards) -> bool:
        """Whether the others are these, read and lying as they are."""
        return (
            self.order == other.order
            and np.array_equal(self.poses, other.poses)
            and np.array_equal(self.rows, other.rows)
            and np.array_equal(self.colour, other.colour)
        )

    def as_read(self, i: int) -> Guesses:
        """The one guess that a card is what it was read as."""
        return Guesses(self.rows[i : i + 1], np.zeros(1, np.bool_), int(self.colour[i]))


@dataclass(frozen=True, eq=False)
class Shown:
    """Places of one card that show: their `index` (K,) on the grid and what is `seen` there.
    `clear` (P,): where on the whole grid it shows, away from others' edges; `mm2` (K,): how much
    each place stands for. `look_below` says which card would show on the grid (P,) without this
    one, or TABLE, or UNCLEAR near an edge.
    """

    index: Ints
    seen: Places
    clear: Bools
    mm2: FloatArray
    look_below: Callable[[], Ints]

    @cached_property
    def below(self) -> Ints:
        """Which card would show at each place (K,) without this one, or TABLE, or UNCLEAR."""
        return self.look_below()[self.index]

    def take(self, some: Bools | Ints) -> Shown:
        """Some of the places."""
        index, seen, mm2 = self.index[some], self.seen.take(some), self.mm2[some]
        return replace(self, index=index, seen=seen, mm2=mm2)

    def joined(self, more: Shown, index: Ints) -> Shown:
        """These, and places that another card shows, which are at `index` (M,) of this one's grid;
        what is below them is what is below all of it.
        """
        return replace(
            self,
            index=np.concatenate([self.index, index]),
            seen=self.seen.joined(more.seen),
            mm2=np.concatenate([self.mm2, more.mm2]),
        )


class Fitting(NamedTuple):
    """What is seen of one card, what guesses of it draw there, and what light is to be expected."""

    seen: Places
    drawn: DrawnColumns
    prior: Prior


class Picture:
    """A raster with a deck's cards read in it. It gives their badges and symbols, and the light:
    all of that when it is first asked for. What a lamp washes out is not asked: its reflection may
    end or bend more sharply than any light that is solved for.
    """

    def __init__(
        self, evidence: Evidence, cards: LaidCards, size: CardSize, templates: Templates,
        config: LikelihoodConfig,
    ) -> None:  # fmt: skip
        raster = evidence.raster
        self.raster, self.cards, self.size = raster, cards, size
        self.templates, self.config = templates, config
        self._prints = Prints(templates)
        self._pixels = on_grid_of(raster.image_bgr, raster, cards.poses, templates)
        washed = on_grid_of(evidence.washed, raster, cards.poses, templates) > 0
        top = top_map(raster, cards.poses, list(cards.order), size)
        owners = top.on(cards.poses, templates).astype(np.int16) - 1
        self.shown = [self._shown(i, owners[i], ~washed[i]) for i in range(len(cards))]
        self.judged = [i for i, s in enumerate(self.shown) if len(s.index) >= config.fewest_places]
        self._own: dict[int, FloatArray] = {}

    def fit(
        self, i: int, guesses: Guesses, some: Bools | None = None, solving: Solving = ANEW
    ) -> Light:
        """The light on card i by each guess, from the places that show or `some` (K,) of them."""
        shown = self.shown[i] if some is None else self.shown[i].take(some)
        return fit_light(*self.fitting(i, guesses, shown), self.config, solving)

    def fitting(self, i: int, guesses: Guesses, shown: Shown) -> Fitting:
        """What there is to fit a light on card i to: places of it that are or may be shown."""
        drawn = self.columns(i, guesses, shown.index)
        return Fitting(shown.seen, drawn, self.prior(i, guesses.colour))

    def own_light(self, i: int) -> FloatArray:
        """The light on card i as it was read, coefficients (COLUMNS, 3)."""
        if i not in self._own:
            judged = i in self.judged
            fit = self.fit(i, self.cards.as_read(i)) if judged else None
            self._own[i] = self.own_prior(i).mean if fit is None else fit.coefficients[0]
        return self._own[i]

    def columns(self, i: int, guesses: Guesses, index: Ints) -> DrawnColumns:
        """What guesses of card i draw at places (K,), and how far a misprint may put that off."""
        columns, spread, far = self._printed(guesses, index, self.blur_mm)
        at = guesses.places(index, self.templates)
        seen = self._marks.put_in(columns, spread, i, guesses, at)
        spread *= np.where(seen, 1, far)[..., None].astype(np.float32)
        return DrawnColumns(columns, spread)

    def _printed(self, guesses: Guesses, index: Ints, blur_mm: float) -> tuple[Map32, Map32, Map32]:
        """What the deck draws of guesses at places (K,): columns, how much these change per mm, and
        by how many mm (H, K) they may be off.
        """
        columns, spread = columns_of(self._prints, guesses, index, blur_mm)
        far = np.where(self.templates.marks, self.config.mark_misprint_mm, self.config.misprint_mm)[
            guesses.places(index, self.templates)
        ]
        return columns, spread, far.astype(np.float32)

    def own_prior(self, i: int) -> Prior:
        """What the light on card i should be as it was read."""
        return self.prior(i, int(self.cards.colour[i]))

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

    def above(self, i: int) -> list[int]:
        """Cards of which enough shows that lie higher than card i and so near that they may cover
        it.
        """
        away = np.linalg.norm(self.cards.poses[:, :2] - self.cards.poses[i, :2], axis=1)
        reach = np.hypot(self.size.width_mm, self.size.height_mm)
        rank = np.empty(len(self.cards), np.int64)
        rank[list(self.cards.order)] = np.arange(len(self.cards))
        return [j for j in self.judged if rank[j] > rank[i] and away[j] < reach]

    def places_on(self, other: int, i: int, index: Ints) -> tuple[Ints, Bools]:
        """The places of another card's grid at those of card i (K,), and which it has."""
        poses, rows = self.cards.poses, self.cards.rows
        at = place(poses[i : i + 1], self.templates.grid_mm[index])[0]
        away = (at - poses[other, :2]) @ np.array([1, 1j])
        drawing = Drawing(poses, rows, np.zeros((len(rows), 3)))
        return on_card(drawing, np.full(len(index), other), away, self.templates)

    @cached_property
    def blur_mm(self) -> float:
        """By how much more than the templates the picture is blurred, mm."""
        plainest = sorted(self.judged, key=lambda i: -len(self.shown[i].index))
        some = plainest[: self.config.blur_cards]
        if not some:
            return self.config.blurs_mm[0]
        likely = []
        for blur_mm in self.config.blurs_mm:
            seen, _, light = self._broad_lights(some, blur_mm)
            likely.append(float((light.places * seen.worth).sum()))
        return self.config.blurs_mm[int(np.argmax(likely))]

    def _shown(self, i: int, owners: Ints, told: Bools) -> Shown:
        pixels = self._pixels[i]
        lit = told & ((pixels[:, 0] | pixels[:, 1] | pixels[:, 2]) > 0)
        clear = _alike(owners, self.templates, OFF) & (owners == i) & lit
        marks = self.templates.marks
        looked_at = thinned(self.templates, EVERY) | (marks & thinned(self.templates, MARKS_EVERY))
        index = np.flatnonzero(clear & looked_at)
        mm2 = np.where(marks[index], MARKS_EVERY, EVERY) / TEMPLATE_DENSITY**2
        # Of the picture itself it must hold nothing: what holds itself is not freed at once.
        below = partial(_below, self.raster, self.cards, i, self.size, self.templates)
        return Shown(index, opponent(pixels[index]), clear, mm2, below)

    def _broad_lights(
        self, some: Sequence[int], blur_mm: float
    ) -> tuple[Places, DrawnColumns, Light]:
        """The light (J, ...) on some cards as they were read, each by itself, from as many places
        of each, whose marks are the deck's.
        """
        number = self.config.light_places
        at = [np.linspace(0, len(s.index), number, False).astype(np.int64) for s in self._of(some)]
        seen = Places(
            np.stack([s.seen.values[k] for s, k in zip(self._of(some), at, strict=True)]),
            np.stack([s.seen.burnt[k] for s, k in zip(self._of(some), at, strict=True)]),
            np.array([len(s.index) / number for s in self._of(some)])[:, None],
        )
        drawn = [
            self._printed(self.cards.as_read(i), self.shown[i].index[k], blur_mm)
            for i, k in zip(some, at, strict=True)
        ]
        columns, spread, far = (np.concatenate(parts) for parts in zip(*drawn, strict=True))
        print_ = DrawnColumns(columns, spread * far[..., None])
        greys = np.concatenate([s.seen.values[:, 0] for s in self._of(self.judged)])
        solving = Solving(rounds=self.config.fine_rounds)
        broad = broad_prior(greys, self.config)
        return seen, print_, fit_light(seen, print_, broad, self.config, solving)

    def _of(self, cards: Sequence[int]) -> list[Shown]:
        return [self.shown[i] for i in cards]

    @cached_property
    def _known(self) -> KnownLights:
        """The light on every card of which enough shows, and the noise."""
        own, cards = np.array(self.judged, np.int64), self.cards
        if len(own) == 0:
            none = np.empty((0, COLUMNS, 3))
            return KnownLights(
                own, cards.poses[:, :2], cards.colour, none, self.config.noise_of(np.zeros(3))
            )
        seen, drawn, light = self._broad_lights(self.judged, self.blur_mm)
        left, changes = np.abs(left_over(seen, drawn.columns, light)), drawn.spread[..., 0]
        plain = changes <= np.median(changes, axis=1, keepdims=True)
        errors = [
            np.median(own_left[some], axis=0) for own_left, some in zip(left, plain, strict=True)
        ]
        noise = self.config.noise_of(np.median([np.zeros(3), *errors], axis=0))
        return KnownLights(own, cards.poses[:, :2], cards.colour, light.coefficients, noise)

    @cached_property
    def _marks(self) -> SeenMarks:
        """What every card's marks look like in its own light."""
        templates, cards, known = self.templates, self.cards, self._known
        index = np.flatnonzero(templates.marks)
        badge, veil = templates.badge[index], veil_columns(templates, index)
        shares = np.zeros((len(cards), len(index), 2), np.float32)
        whole, ink_by_white = np.zeros((len(cards), 2), np.bool_), np.ones(len(cards))
        for i, found in zip(self.judged, known.found, strict=True):
            clear = self.shown[i].clear[index]
            whole[i] = [clear[some].mean() > self.config.mark_shown for some in (badge, ~badge)]
            over = opponent(self._pixels[i, index]).values
            over = over - veil @ found[:WHITE_AT].astype(np.float32)
            inks = found[WHITE_AT], found[INK_AT]
            shares[i] = shares_of(over, *inks, known.noise)
            ink_by_white[i] = ink_off_by_white(*inks, known.noise)
        return SeenMarks(
            templates, index, shares, ink_by_white, whole, cards.rows // 2, cards.colour,
            self.config.mark_off,
            self.config.misprint_mm,
        )  # fmt: skip


def _below(raster: Raster, cards: LaidCards, i: int, size: CardSize, templates: Templates) -> Ints:
    """Which card (P,) would show on card i's grid without it, or TABLE, or UNCLEAR."""
    top = top_map(raster, cards.poses, [k for k in cards.order if k != i], size)
    owners = top.on(cards.poses[i : i + 1], templates)[0].astype(np.int64) - 1
    return np.where(_alike(owners, templates, None), owners, UNCLEAR)


def _alike(owners: Ints, templates: Templates, beyond: int | None) -> Bools:
    """Where (P,) the same owner is within half a millimetre on all sides; `beyond` is the owner
    off the grid, None for none.
    """
    grid, kernel = owners.astype(np.int16).reshape(templates.shape_hw), np.ones((3, 3), np.uint8)
    edge = cv2.BORDER_REPLICATE if beyond is None else cv2.BORDER_CONSTANT
    framed = cv2.copyMakeBorder(grid, 1, 1, 1, 1, edge, value=beyond or 0)
    low, high = (f(framed, kernel)[1:-1, 1:-1] for f in (cv2.erode, cv2.dilate))
    return np.asarray((low == high).ravel())
