"""For each card of a reading: how much likelier, or less likely, the picture is with another one.

All are differences of log-probabilities of the same pixels, those of the card that show.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bools, FloatArray, Ints
from vision.likelihood.drawing import UNKNOWN, WHITE_AT, Guesses, differing
from vision.likelihood.light import DrawnColumns, Light, Prior, Solving, fit_light, predicted
from vision.likelihood.picture import TABLE, UNCLEAR, Picture, Shown

Kind = Literal["face", "colour", "absent", "order", "covered"]


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another explanation of a card's pixels and its log-odds against the one read. `row` and
    `turned` say what face it is, `other` which card lies over it instead, or which colour it has.
    """

    kind: Kind
    log_odds: float
    row: int = -1
    turned: bool = False
    other: int = -1


@dataclass(frozen=True, slots=True)
class CardOdds:
    """A card's alternatives; none where too little shows. `shown_mm2` is how much of it does, and
    `misfit` how noisy it is, as a multiple of the picture's middle card.
    """

    card: int
    alternatives: tuple[Alternative, ...]
    shown_mm2: float
    misfit: float

    @property
    def best(self) -> float:
        """The log-odds of the likeliest alternative; minus infinity where there is none."""
        return max((a.log_odds for a in self.alternatives), default=-np.inf)


def card_odds(picture: Picture, i: int) -> CardOdds:
    """Weigh every alternative of card i against what it was read as."""
    shown_mm2 = float(picture.shown[i].mm2.sum())
    if i not in picture.judged:
        return CardOdds(i, (), shown_mm2, np.nan)
    guesses, scale = _likeliest(picture, i)
    fits = _fitted(picture, i, guesses, scale)
    own = fits.places[0].astype(np.float64)
    if guesses.rows[0] // 2 == len(picture.templates.faces) - 1:
        # What a starting card's print looks like no deck says: only that it has no ink.
        named: Iterable[Alternative] = _played(picture, i, scale)
    else:
        named = (
            *_faces(picture, i, guesses, fits),
            *_colours(picture, i, scale),
            *_absent(picture, i, fits, scale),
        )
    found = (*named, *_orders(picture, i, scale), *_covered(picture, i, own))
    return CardOdds(i, found, shown_mm2, float(fits.misfit[0]))


def faces_left(picture: Picture, i: int) -> set[int] | None:
    """The other faces, indices of the templates', that what shows of card i does not exclude, as it
    would look otherwise with them; None where too little shows.
    """
    if i not in picture.judged:
        return None
    others = odds_of(picture, i, "face")
    left = {a.row // 2 for a in others if a.log_odds >= -picture.config.sure_odds}
    return left - {int(picture.cards.rows[i]) // 2}


def odds_of(
    picture: Picture, i: int, kind: Literal["face", "colour", "absent", "order"]
) -> tuple[Alternative, ...]:
    """Of card i, of which enough shows, the alternatives of one kind alone; of a starting card
    nobody can tell what is drawn on it, or whether it is there.
    """
    guesses, scale = _likeliest(picture, i)
    if kind == "order":
        return tuple(_orders(picture, i, scale))
    if guesses.rows[0] // 2 == len(picture.templates.faces) - 1:
        return tuple(_played(picture, i, scale)) if kind == "colour" else ()
    if kind == "colour":
        return tuple(_colours(picture, i, scale))
    fits = _fitted(picture, i, guesses, scale)
    if kind == "face":
        return tuple(_faces(picture, i, guesses, fits))
    return tuple(_absent(picture, i, fits, scale))


def inkless_odds(picture: Picture, i: int) -> float:
    """The log-odds of card i, of which enough shows, having no ink at all, as the starting card
    has, against that of the colour it comes nearest to.
    """
    fit = _ink_fit(picture, i, _likeliest(picture, i)[1])
    none = picture.ink_likelihood(i, len(picture.templates.colours) - 1, fit)
    return none - max(picture.ink_likelihood(i, k, fit) for k in _colours_played(picture))


def guess_odds(picture: Picture, i: int, guesses: Guesses) -> FloatArray:
    """The log-odds (H,) of guesses of card i against the first of them, by what shows of it."""
    logs = _logs_of(picture, picture.shown[i], _fitted(picture, i, guesses, 1.0))
    return np.asarray(logs - logs[0])


def uncovered_odds(picture: Picture, i: int, guesses: Guesses) -> FloatArray:
    """The log-odds (H,) of each guess of card i, lying on the card covering it now with which that
    is likeliest, against what it was read as, lying where it does; minus infinity where no guess
    would look otherwise for it.
    """
    out, config = np.full(len(guesses.rows), -np.inf), picture.config
    for j in picture.above(i):
        at = np.flatnonzero(picture.shown[j].below == i)
        index, usable = picture.places_on(i, j, picture.shown[j].index[at])
        differ = differing(picture.templates, guesses, index[usable])
        if differ.sum(axis=1).max(initial=0) >= config.fewest_places:
            misfit = float(picture.fit(j, picture.cards.as_read(j)).misfit[0])
            scale = float(np.clip(misfit, 1.0, config.most_scale))
            out = np.maximum(out, _on_top(picture, j, i, guesses, scale))
    return out


def likelier_on_top(picture: Picture, i: int) -> bool:
    """Whether card i is likelier to lie on what covers it, as it was read or with another face."""
    return bool((uncovered_odds(picture, i, _most_alike(picture, i)) > 0).any())


def _most_alike(picture: Picture, i: int) -> Guesses:
    """What card i was read as, and the faces of players' cards that are drawn most like it where it
    shows: what tells them apart may be hidden only if the card is believed to be covered there.
    """
    own, shown = picture.cards.as_read(i), picture.shown[i]
    rows = np.repeat(np.arange(len(picture.templates.white) - 2), 2)
    turned = np.arange(len(rows)) % 2 == 1
    other = (rows != own.rows[0]) | turned
    rows, turned = np.append(own.rows, rows[other]), np.append(own.turned, turned[other])
    every = Guesses(rows, turned, own.colour)
    apart = differing(picture.templates, every, shown.index) @ shown.mm2
    return every.take(np.argsort(apart, kind="stable")[: 1 + picture.config.finalists])


def _fitted(picture: Picture, i: int, guesses: Guesses, scale: float) -> Light:
    """Fits that differ no more than the guesses do: each also from the light by what was read, and
    by the likeliest. By themselves, two that draw the same may take other places for outliers.
    """
    fitting, config = picture.fitting(i, guesses, picture.shown[i]), picture.config
    fits = fit_light(*fitting, config, Solving(scale))
    for k in sorted({0, int(fits.total.argmax())}):
        again = Solving(scale, config.more_rounds, fits.coefficients[k])
        fits = fits.or_better(fit_light(*fitting, config, again))
    return fits


def _gain(picture: Picture, i: int, more: NDArray[np.floating], at: Bools | Ints) -> float:
    """Log-odds by a difference of log-densities (K,) at places of card i."""
    return picture.config.looks_per_mm2 * float((more * picture.shown[i].mm2[at]).sum())


def _likeliest(picture: Picture, i: int, colour: int | None = None) -> tuple[Guesses, float]:
    """What card i was read as and what comes closest in its colour, or another one, by some of its
    places, and its noise.
    """
    number = len(picture.templates.white)
    turned = np.repeat([False, True], number)
    own = int(picture.cards.colour[i]) if colour is None else colour
    every = Guesses(np.tile(np.arange(number), 2), turned, own)
    count = len(picture.shown[i].index)
    some = np.arange(count) % (1 + count // picture.config.light_places) == 0
    rough = picture.fit(i, every, some, Solving(rounds=picture.config.rough_rounds))
    likely = np.argsort(-rough.total, kind="stable")
    row = int(picture.cards.rows[i])
    # Another colour's card is none that starts the game.
    known = likely == row if colour is None else every.rows[likely] // 2 == row // 2
    others = likely[~known][: picture.config.finalists]
    scale = float(np.clip(rough.misfit.min(), 1.0, picture.config.most_scale))
    return every.take(np.append(row, others)), scale


def _faces(picture: Picture, i: int, guesses: Guesses, fits: Light) -> Iterator[Alternative]:
    """Other faces, sides and turns that would look otherwise. A colour has each face once, as a
    rule.
    """
    cards, shown = picture.cards, picture.shown[i]
    differ = differing(picture.templates, guesses, shown.index) @ shown.mm2
    alike = (cards.colour == cards.colour[i]) & (np.arange(len(cards)) != i)
    taken = np.isin(guesses.rows // 2, cards.rows[alike] // 2) * picture.config.broken
    every = np.ones(fits.places.shape[1], np.bool_)
    for k in np.flatnonzero(differ > picture.config.alike_mm2).tolist():
        gain = _gain(picture, i, fits.places[k] - fits.places[0], every)
        # The same temperature for what light was to be expected as for what is seen.
        gain += picture.config.prior_weight * (fits.prior[k] - fits.prior[0]) + taken[k] - taken[0]
        yield Alternative("face", float(gain), int(guesses.rows[k]), bool(guesses.turned[k]))


def _colours(picture: Picture, i: int, scale: float) -> Iterator[Alternative]:
    """Other colours on the table, by how near their cards' ink this card's comes."""
    own, fit = int(picture.cards.colour[i]), _ink_fit(picture, i, scale)
    likely = {colour: picture.ink_likelihood(i, colour, fit) for colour in _colours_played(picture)}
    for colour, value in likely.items():
        if colour != own:
            yield Alternative("colour", value - likely[own], other=colour)


def _ink_fit(picture: Picture, i: int, scale: float) -> Light:
    """The light on card i as it was read, whatever ink it has."""
    unknown, light = picture.cards.as_read(i).of(UNKNOWN), picture.own_light(i)
    return picture.fit(i, unknown, solving=Solving(scale, picture.config.more_rounds, light))


def _colours_played(picture: Picture) -> list[int]:
    """The colours on the table, the starting card's aside."""
    start = len(picture.templates.colours) - 1
    return [colour for colour in np.unique(picture.cards.colour).tolist() if colour != start]


def _played(picture: Picture, i: int, scale: float) -> Iterator[Alternative]:
    """A starting card as one of each colour, by its ink."""
    guesses, _ = _likeliest(picture, i, UNKNOWN)
    fit = picture.fit(i, guesses.take(np.array([1])), solving=Solving(scale))
    own = picture.ink_likelihood(i, int(picture.cards.colour[i]), fit)
    for colour in _colours_played(picture):
        gain = picture.ink_likelihood(i, colour, fit) - own
        yield Alternative("colour", gain, int(guesses.rows[1]), bool(guesses.turned[1]), colour)


def _absent(picture: Picture, i: int, fits: Light, scale: float) -> Iterator[Alternative]:
    """No card: those below show, and beside them a table, or something else without lines. A card
    in a light unlike its neighbours' is less likely one.
    """
    below, own = picture.shown[i].below, fits.places[0].astype(np.float64)
    told, there = below != UNCLEAR, np.zeros(len(own))
    for j in np.unique(below[told]).tolist():
        at = np.flatnonzero(below == j)
        if j == TABLE:
            there[at] = _bare(picture, i, at)
            continue
        there[at], usable = _as_other(picture, i, j, at, scale)
        told[at[~usable]] = False
    gain = _gain(picture, i, (there - own)[told], told)
    yield Alternative("absent", gain - picture.config.prior_weight * float(fits.prior[0]))


def _bare(picture: Picture, i: int, at: Ints) -> FloatArray:
    """The log-density (K,) of places as a smooth field of any brightness, as noisy as it is."""
    shown, prior, config = picture.shown[i], picture.own_prior(i), picture.config
    columns, spread = picture.columns(i, picture.cards.as_read(i), shown.index[at])
    sigma = np.full((WHITE_AT, 3), config.slope_levels)
    sigma[0] = config.bare_levels
    mean = np.zeros((WHITE_AT, 3))
    mean[0] = np.median(shown.seen.values[at], axis=0)
    field = Prior(mean, sigma, prior.noise)
    drawn, seen = DrawnColumns(columns[..., :WHITE_AT], 0 * spread), shown.seen.take(at)
    fits = [
        fit_light(seen, drawn, field, config, Solving(scale, config.more_rounds)).places[0]
        for scale in config.scales
    ]
    return np.asarray(max(fits, key=lambda places: float(places.sum())), np.float64)


def _as_other(picture: Picture, i: int, j: int, at: Ints, scale: float) -> tuple[FloatArray, Bools]:
    """The log-density (K,) of places of card i if card j showed there, and which places it has."""
    shown, prior = picture.shown[i], picture.own_prior(j).noisier(scale)
    index, usable = picture.places_on(j, i, shown.index[at])
    drawn = picture.columns(j, picture.cards.as_read(j), index)
    seen = shown.seen.take(at)
    return predicted(seen, drawn, picture.own_light(j), prior, picture.config), usable


def _orders(picture: Picture, i: int, scale: float) -> Iterator[Alternative]:
    """Each card just below this one on top of it, where the two overlap."""
    shown = picture.shown[i]
    for j in np.unique(shown.below[shown.below >= 0]).tolist():
        if np.count_nonzero(shown.below == j) < picture.config.fewest_places:
            continue
        (gain,) = _on_top(picture, i, j, picture.cards.as_read(j), scale)
        yield Alternative("order", float(gain), other=j)


def _on_top(picture: Picture, i: int, j: int, guesses: Guesses, scale: float) -> FloatArray:
    """The log-odds (H,) of card j, as each guess of it, on top of card i, against both as they were
    read and lie: by all that shows of either, each in the light that is likeliest then.
    """
    shown, own, other = picture.shown[i], picture.cards.as_read(i), picture.cards.as_read(j)
    at = np.flatnonzero(shown.below == j)
    index, usable = picture.places_on(j, i, shown.index[at])
    lost = np.zeros(len(shown.index), np.bool_)
    lost[at[usable]] = True
    upon = picture.shown[j].joined(shown.take(lost), index[usable])
    before = _logs(picture, i, own, shown, scale) + _logs(
        picture, j, other, picture.shown[j], scale
    )
    rest = _logs(picture, i, own, shown.take(~lost), scale)
    return np.asarray(_logs(picture, j, guesses, upon, scale) + rest - before)


def _logs(picture: Picture, i: int, guesses: Guesses, shown: Shown, scale: float) -> FloatArray:
    """How likely (log, H) places of card i are by each guess, in the light that is likeliest."""
    fits = fit_light(*picture.fitting(i, guesses, shown), picture.config, Solving(scale))
    return _logs_of(picture, shown, fits)


def _logs_of(picture: Picture, shown: Shown, fits: Light) -> FloatArray:
    """How likely (log, H) places of a card are by fits to them, the light's own likelihood too."""
    seen = picture.config.looks_per_mm2 * (fits.places.astype(np.float64) @ shown.mm2)
    return np.asarray(seen + picture.config.prior_weight * fits.prior)


def _covered(picture: Picture, i: int, own: FloatArray) -> Iterator[Alternative]:
    """Something else in one piece on the card: of the pieces that it does not explain, the one that
    anything else explains best.
    """
    config, index = picture.config, picture.shown[i].index
    floor = np.log(config.outliers) - np.log(config.ranges).sum()
    odd = np.zeros(len(picture.templates.grid_mm), np.uint8)
    odd[index[own < floor + 1]] = 1
    # Every eighth place is looked at: pieces hang together over the places between.
    near = cv2.dilate(odd.reshape(picture.templates.shape_hw), np.ones((5, 5), np.uint8))
    number, pieces = cv2.connectedComponents(cv2.erode(near, np.ones((7, 7), np.uint8)))
    piece = pieces.ravel()[index]
    gains = [0.0]
    for k in range(1, number):
        at = np.flatnonzero(piece == k)
        if len(at) >= config.fewest_places:
            gains.append(_gain(picture, i, _bare(picture, i, at) - own[at], at))
    yield Alternative("covered", max(gains))
