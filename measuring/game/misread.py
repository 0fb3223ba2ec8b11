"""Simulated games read without a picture: as they lie, but for mistakes that are put in."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from geometry.layout import Card, Layout
from geometry.pose import Pose
from geometry.rules import Rules
from measuring.game.kept_readings import ReadGame, short_film
from simulator.game import Film
from simulator.game.moments import GameMoment
from vision.assemble import assemble
from vision.reading import Doubt, DoubtKind, Reading, SeenCard, SeenTable
from vision.reason import Reason

NOISE_MM, NOISE_DEG = 0.1, 0.06
"""How exactly cards that lie still are read, measured on filmed games of printed cards."""
MISPLACED_MM, MISPLACED_DEG = 3.0, 2.0
HIDDEN_MM = (20.0, 120.0)
"""A hand hides cards whose middles lie so near to it."""
_NO_OUTLINE = ((0.0, 0.0), (60.0, 0.0), (60.0, 90.0), (0.0, 90.0))


@dataclass(frozen=True, slots=True)
class Mistakes:
    """How often readings are wrong. `card`: the share of cards read with another face, colour or
    side, elsewhere, or not at all; `false_card`: of pictures with one card too many; `doubted`: of
    these cards, that are doubted; `order`: of pictures with two cards the wrong way up;
    `unseen_hand`: of hands, that are not noticed as such; `unread`: of pictures without a reading.
    """

    card: float
    false_card: float = 0.005
    doubted: float = 0.8
    order: float = 0.01
    unseen_hand: float = 0.2
    unread: float = 0.01


def misread_game(seed: int, mistakes: Mistakes) -> ReadGame:
    """The game with that seed, with a reading a moment, mistakes and all."""
    film = short_film(seed)
    rng = np.random.default_rng([seed, 3])
    readings = tuple(_reading(rng, film, moment, mistakes) for moment in film.moments)
    again = _reading(rng, film, film.moments[-1], mistakes)
    return ReadGame(f"misread-{seed}", json.loads(json.dumps(film.truth())), readings, again)


def _reading(
    rng: np.random.Generator, film: Film, moment: GameMoment, mistakes: Mistakes
) -> Reading | None:
    layout, doubts = moment.played.layout, list[Doubt]()
    cards = list(layout.cards)
    if moment.hand_mm is not None:
        hand = np.array(moment.hand_mm)
        reach = rng.uniform(*HIDDEN_MM)
        cards = [one for one in cards if np.linalg.norm(_at(one) - hand) > reach]
        if rng.random() > mistakes.unseen_hand:
            doubts.append(_doubt("table", None, "something-over-cards"))
    cards = [one for card in cards for one in _misread(rng, film, card, mistakes.card)]
    if rng.random() < mistakes.order and len(cards) > 1:
        place = int(rng.integers(1, len(cards)))
        cards[place - 1], cards[place] = cards[place], cards[place - 1]
    if rng.random() < mistakes.false_card:
        cards.append(_false_card(rng, film))
        if rng.random() < mistakes.doubted:
            doubts.append(_doubt("card", len(cards) - 1, "looks-wrong"))
    if not cards or rng.random() < mistakes.unread:
        return None
    seen = tuple(_measured(rng, card, number) for number, card in enumerate(cards))
    table = Layout(layout.deck, seen, layout.play_area_mm)
    looks = tuple(SeenCard(card.id, _NO_OUTLINE, 0.98) for card in seen)
    return assemble(SeenTable(table, looks, tuple(doubts), 2.0), Rules())


def _misread(rng: np.random.Generator, film: Film, card: Card, share: float) -> Iterator[Card]:
    """What is read of a card: nothing where it is missed."""
    deck = film.whole.deck
    if rng.random() >= share or card.face == deck.starting_face.id:
        yield card
        return
    kind = int(rng.integers(5))
    if kind == 0:
        yield replace(card, face=_one_of(rng, [face.id for face in deck.faces]))
    elif kind == 1:
        yield replace(card, colour=_one_of(rng, film.players))
    elif kind == 2:
        yield replace(card, pose=replace(card.pose, mirrored=not card.pose.mirrored))
    elif kind == 3:
        yield _shaken(rng, card, MISPLACED_MM, MISPLACED_DEG)


def _false_card(rng: np.random.Generator, film: Film) -> Card:
    width, height = film.whole.play_area_mm or (600.0, 450.0)
    pose = Pose(rng.uniform(0, width), rng.uniform(0, height), rng.uniform(0, 360))
    face = _one_of(rng, [face.id for face in film.whole.deck.faces])
    return Card(-1, _one_of(rng, film.players), face, pose)


def _measured(rng: np.random.Generator, card: Card, number: int) -> Card:
    return replace(_shaken(rng, card, NOISE_MM, NOISE_DEG), id=number)


def _shaken(rng: np.random.Generator, card: Card, mm: float, deg: float) -> Card:
    x, y = _at(card) + rng.normal(0, mm, 2)
    angle = (card.pose.angle_deg + rng.normal(0, deg)) % 360
    return replace(card, pose=replace(card.pose, x_mm=float(x), y_mm=float(y), angle_deg=angle))


def _at(card: Card) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([card.pose.x_mm, card.pose.y_mm])


def _one_of(rng: np.random.Generator, names: Sequence[str]) -> str:
    return names[int(rng.integers(len(names)))]


def _doubt(kind: DoubtKind, card: int | None, code: str) -> Doubt:
    one = {"red": 1}
    return Doubt(kind, card, (0.0, 0.0), Reason(code), one, one)
