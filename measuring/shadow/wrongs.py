"""Readings made wrong on purpose: a face, a side, a colour, an order, a card where none lies."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Literal, get_args

import numpy as np

from measuring.shadow.labels import differing_mm2
from vision.likelihood.drawing import Guesses
from vision.likelihood.picture import LaidCards, Picture

Way = Literal["face", "side", "colour", "order", "invented"]
OF_EACH = 2
"""Cards of a scene that are made wrong in each way."""
BESIDE_MM = (70.0, 140.0)
"""So far from a card one is invented, under all others."""


def made_wrong(
    picture: Picture,
    right: list[int],
    rng: np.random.Generator,
    of_each: int = OF_EACH,
    only: Collection[Way] = get_args(Way),
) -> tuple[LaidCards, Mapping[int, Way]]:
    """The cards with some of those that are `right` made wrong, and in which way each was. Of the
    faces that do not look alike a card is given the one that differs least.
    """
    cards, made = picture.cards, dict[int, Way]()
    played = np.array([i for i in right if i in picture.judged and not _starts(picture, i)])
    left = rng.permutation(played).tolist()
    ways: tuple[tuple[Way, Callable[..., tuple[LaidCards, int] | None]], ...] = (
        ("order", _other_order), ("face", _other_face), ("side", _other_side),
        ("colour", _other_colour), ("invented", _invented),
    )  # fmt: skip
    for way, change in ways:
        if way not in only:
            continue
        for i in played.tolist() if way == "invented" else list(left):
            if sum(other == way for other in made.values()) == of_each:
                break
            changed = change(picture, cards, i, rng)
            if changed is not None and changed[1] not in made:
                cards, wrong = changed
                made[wrong] = way
                left = [k for k in left if k not in (i, wrong)]
    return cards, made


def _starts(picture: Picture, i: int) -> bool:
    return int(picture.cards.rows[i]) // 2 == len(picture.templates.faces) - 1


def _with(cards: LaidCards, i: int, *, row: int, colour: int) -> LaidCards:
    rows, colours = cards.rows.copy(), cards.colour.copy()
    rows[i], colours[i] = row, colour
    return replace(cards, rows=rows, colour=colours)


def _other_face(
    picture: Picture, cards: LaidCards, i: int, _rng: np.random.Generator
) -> tuple[LaidCards, int] | None:
    own, starts = int(cards.rows[i]), 2 * (len(picture.templates.faces) - 1)
    differs = {row: _differs(picture, i, row) for row in range(starts) if row // 2 != own // 2}
    plain = [row for row in differs if differs[row] > picture.config.alike_mm2]
    if not plain:
        return None
    row = min(plain, key=lambda row: differs[row])
    return _with(cards, i, row=row, colour=int(cards.colour[i])), i


def _other_side(
    picture: Picture, cards: LaidCards, i: int, _rng: np.random.Generator
) -> tuple[LaidCards, int] | None:
    row = int(cards.rows[i]) ^ 1
    if _differs(picture, i, row) < picture.config.alike_mm2:
        return None
    return _with(cards, i, row=row, colour=int(cards.colour[i])), i


def _other_colour(
    picture: Picture, cards: LaidCards, i: int, rng: np.random.Generator
) -> tuple[LaidCards, int] | None:
    starts = len(picture.templates.colours) - 1
    others = np.setdiff1d(cards.colour, [cards.colour[i], starts])
    if len(others) == 0:
        return None
    return _with(cards, i, row=int(cards.rows[i]), colour=int(rng.choice(others))), i


def _other_order(
    picture: Picture, cards: LaidCards, i: int, _rng: np.random.Generator
) -> tuple[LaidCards, int] | None:
    """A card under the one that it lies on, which then is the one that is wrong."""
    below = picture.shown[i].below
    lower, places = np.unique(below[below >= 0], return_counts=True)
    if len(lower) == 0 or places.max() < picture.config.fewest_places:
        return None
    low = int(lower[places.argmax()])
    order = [k for k in cards.order if k != i]
    order.insert(order.index(low), i)
    return replace(cards, order=tuple(order)), low


def _invented(
    picture: Picture, cards: LaidCards, i: int, rng: np.random.Generator
) -> tuple[LaidCards, int]:
    """One more card beside a card, with its face and colour."""
    away, angle = rng.uniform(*BESIDE_MM), rng.uniform(0, 2 * np.pi)
    pose = cards.poses[i].copy()
    pose[:3] += [away * np.cos(angle), away * np.sin(angle), rng.uniform(-0.5, 0.5)]
    new = len(cards)
    return LaidCards(
        np.vstack([cards.poses, pose]),
        np.append(cards.rows, picture.cards.rows[i]),
        np.append(cards.colour, cards.colour[i]),
        (new, *cards.order),
    ), new


def _differs(picture: Picture, i: int, row: int) -> float:
    rows = np.array([picture.cards.rows[i], row])
    return differing_mm2(picture, i, Guesses(rows, np.zeros(2, np.bool_), 0))
