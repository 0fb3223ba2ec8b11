"""What the loop finds by gains alone, at given places and on its own."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geometry.pose import PointsMm
from measuring.one_score.false_cards import false_cards
from measuring.one_score.true_table import AROUND_MM, HALF_TURN_DEG, turn_deg
from measuring.scenes.matching import FOUND_MM
from measuring.scenes.truth import Truth
from vision.infer.loop import Explained, explain_places
from vision.infer.moves import order_moves
from vision.lens import LensKnown
from vision.locating.locate import first_look
from vision.model.drawing import told_apart
from vision.model.hypothesis import Hypothesis
from vision.model.score import TableScore
from vision.model.table import CardId, Place, PlacedCard, Table, as_array
from vision.observe.observation import observe_table
from vision.observe.own_black import against_black
from vision.pace import Pace
from vision.propose.places import given_places, plain_places, proposed_places
from vision.reading import NotSeen
from vision.reading_config import ReadingConfig
from vision.table_search import Photograph, SeenCards, table_seen
from vision.view import TableView

DECOYS = 3
TOLD_MM2 = 4.0
"""What plainly differs on no more of what truly shows looks the same."""


def found_at_places(
    image_bgr: NDArray[np.uint8], truth: Truth, lens: LensKnown, seed: int, config: ReadingConfig
) -> Mapping[str, Any]:
    """How many of the true cards, faces, inks and orders the loop finds, given the view of today's
    reader, and nothing else of it but the places (as they are seen, of no height) mixed with up to
    `DECOYS` times as many that are exactly beside some. Empty where that one sees no cards.
    """
    deck = truth.layout.deck
    seen = table_seen(Photograph(image_bgr, lens, deck, truth.rules, Pace()))
    if not isinstance(seen, SeenCards):
        return {}
    view = seen.located.view
    poses = seen.table.named.poses[:, :3]
    places = [Place(float(x), float(y), float(np.rad2deg(a)) % HALF_TURN_DEG) for x, y, a in poses]
    box = np.concatenate(
        [poses[:, :2].min(axis=0) - AROUND_MM, poses[:, :2].max(axis=0) + AROUND_MM]
    )
    observed = observe_table(image_bgr, view, box, config)
    observed = against_black(observed, poses * [1.0, 1.0, 180.0 / np.pi], deck.card, config)
    true = true_at_places(truth, view, places)
    rng = np.random.default_rng(seed)
    decoys = false_cards(true, deck, DECOYS * len(places), rng) if true.cards else ()
    asked = [*places, *(card.place for card, _ in decoys)]
    asked = [asked[k] for k in rng.permutation(len(asked))]
    start = time.perf_counter()
    proposals = given_places(observed, asked, deck.card, config)
    return _as_found(truth, view, explain_places(observed, proposals, deck, config), start) | {
        "places": len(true.cards)
    }


def found_alone(
    image_bgr: NDArray[np.uint8], truth: Truth, lens: LensKnown, config: ReadingConfig
) -> Mapping[str, Any]:
    """The same at places that the loop's own proposers see, given the view at first sight alone.
    Empty where there is none, or no card is proposed.
    """
    card = truth.layout.deck.card
    located = first_look(image_bgr, lens, card)
    if isinstance(located, NotSeen):
        return {}
    start = time.perf_counter()
    observed = observe_table(image_bgr, located.view, located.box_mm, config)
    proposals = proposed_places(observed, card, config)
    if not proposals:
        return {}
    plain = as_array(plain_places(proposals, config))
    observed = against_black(observed, plain, card, config)
    found = explain_places(observed, proposals, truth.layout.deck, config)
    return _as_found(truth, located.view, found, start)


def _as_found(truth: Truth, view: TableView, found: Explained, start: float) -> dict[str, Any]:
    """What was found, against the truth, and how long it took since `start`."""
    seconds = time.perf_counter() - start
    number = len(truth.layout.cards)
    places = [card.place for card in found.table.cards]
    true = true_at_places(truth, view, places)
    ids = {card.place: card.id for card in found.table.cards}
    true = Table(tuple(replace(card, id=ids[card.place]) for card in true.cards))
    return compared(found.table, true, found.score, number) | {
        "places": number, "seconds": round(seconds, 1)
    }  # fmt: skip


def true_at_places(truth: Truth, view: TableView, places: list[Place]) -> Table:
    """The true cards that lie at places, each as it lies there, by the places' numbers."""
    middles = np.array([[card.pose.x_mm, card.pose.y_mm] for card in truth.layout.cards])
    angles = np.deg2rad([card.pose.angle_deg for card in truth.layout.cards])
    ahead = middles + np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    at, beside = (view.to_mm(truth.camera.to_px(PointsMm(p))) for p in (middles, ahead))
    turns = np.rad2deg(np.arctan2(*(beside - at).T[::-1]))
    spots = np.array([[place.x_mm, place.y_mm] for place in places])
    start, cards = truth.layout.deck.starting_face.id, []
    left = set(range(len(places)))
    for card, middle, turn in zip(truth.layout.cards, at, turns.tolist(), strict=True):
        off = {k: float(np.hypot(*(spots[k] - middle))) for k in left}
        number = min(off, key=off.__getitem__, default=None)
        if number is None or off[number] > FOUND_MM:
            continue
        left.remove(number)
        turned = abs(turn_deg(turn - places[number].angle_deg)) > HALF_TURN_DEG / 2
        player = card.face != start
        what = Hypothesis(card.face, card.pose.mirrored, turned) if player else Hypothesis(start)
        ink = card.colour if player else None
        cards.append(PlacedCard(CardId(number), places[number], what, ink))
    return Table(tuple(cards))


def compared(found: Table, true: Table, score: TableScore, number: int) -> dict[str, Any]:
    """Of `number` true cards: how many lie at places, were found there, with a face that looks as
    the true one, in an ink with most of the same; how many cards are false; and of pairs that the
    picture tells, how many lie as they truly do.
    """
    there = {card.id: card for card in found.cards}
    names = _ink_names(found, true)
    shown = score.prints.shown(true)
    rows = [(card, there[card.id]) for card in true.cards if card.id in there]
    faces = 0
    for card, read in rows:
        on = score.prints.of(card.place).on[shown[card.id]]
        drawn = (score.faces.drawn(some.hypothesis)[on] for some in (card, read))
        faces += float(told_apart(*drawn).sum()) / score.seen.density**2 <= TOLD_MM2
    pairs = list(_told_pairs(score, true, found, names))
    ranks = {card.id: found.rank(card.id) for card in found.cards}
    return {
        "cards": number,
        "places": len(true.cards),
        "found": len(rows),
        "false": len(found.cards) - len(rows),
        "faces": int(faces),
        "inks": sum(names.get(read.ink) == card.ink for card, read in rows),
        "pairs": len(pairs),
        "orders": sum(ranks[upper] > ranks[lower] for lower, upper in pairs),
    }


def _ink_names(found: Table, true: Table) -> dict[str | None, str | None]:
    """Which true ink most cards of a found one have; the starting card has none."""
    truly = {card.id: card.ink for card in true.cards}
    votes: dict[str | None, Counter[str | None]] = {}
    for card in found.cards:
        if card.id in truly:
            votes.setdefault(card.ink, Counter())[truly[card.id]] += 1
    names = {ink: some.most_common(1)[0][0] for ink, some in votes.items()}
    return names | {None: None}


def _told_pairs(
    score: TableScore, true: Table, found: Table, names: Mapping[str | None, str | None]
) -> Iterator[tuple[CardId, CardId]]:
    """Pairs of found cards, the truly lower one first, that plainly look otherwise the other way
    round.
    """
    back = {name: ink for ink, name in names.items()}
    known = {card.id for card in found.cards}
    cards = [replace(card, ink=back.get(card.ink)) for card in true.cards if card.id in known]
    table = Table(tuple(card for card in cards if card.ink in (None, *score.printing.inks)))
    for rank, lower in enumerate(table.cards):
        for upper in table.cards[rank + 1 :]:
            if score.prints.touch(lower.place, upper.place):
                moves = order_moves(score, table, lower, upper)
                if all(move.told_mm2 > TOLD_MM2 for move in moves):
                    yield lower.id, upper.id
