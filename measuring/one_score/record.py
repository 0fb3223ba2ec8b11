"""What one scene says: every single move of its true table, and today's reading, as values."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from measuring.one_score.false_cards import false_cards
from measuring.one_score.found import found_alone, found_at_places
from measuring.one_score.true_table import TrueScene, read_as_table, true_scene
from measuring.scenes.trial import Job, scene_of
from measuring.scenes.truth import Truth
from vision.infer.moves import (
    Move,
    MoveKind,
    additions,
    face_moves,
    ink_moves,
    order_moves,
    removal,
)
from vision.lens import LensKnown
from vision.model.score import TableScore, learned_score
from vision.model.table import PlacedCard, Table
from vision.read import read_table
from vision.reading import NotSeen
from vision.reading_config import ReadingConfig

TOLD_MM2 = 4.0
"""Tables that plainly differ on no more look the same: a picture cannot tell them."""
SEEN_MM2 = 6.0
"""A card of which no more shows cannot be told to be there."""
FALSE_CARDS = 12
"""False places a scene, each on top, below the card it would lie on, and below all."""

Row = list[Any]
"""The lead of the truth in nats, how many mm² would look otherwise, and what it is."""


def record_of(
    config: ReadingConfig, moves: bool, today: bool, loop: bool, alone: bool, job: Job
) -> dict[str, Any]:
    """A scene's record: with `moves` for each of the kinds of moves the truth's lead over the best
    of them, for every card (pair, false place), with `today` what was read by today's reader as
    well; with `loop` what the loop finds at the places that it sees, among false ones, with `alone`
    what it finds on its own.
    """
    image, truth, lens = scene_of(job)
    record: dict[str, Any] = {"scene": job.name, "group": job.group, "seconds": 0.0}
    record |= {kind: [] for kind in ("faces", "inks", "orders", "cards", "false", "little")}
    if moves:
        record |= _moves(image, truth, lens, config, today, job.seed)
    if loop:
        record["loop"] = found_at_places(image, truth, lens, job.seed, config)
    if alone:
        record["alone"] = found_alone(image, truth, lens, config)
    return record


def _moves(
    image: NDArray[np.uint8], truth: Truth, lens: LensKnown, config: ReadingConfig, today: bool,
    seed: int,
) -> dict[str, Any]:  # fmt: skip
    """The truth's leads over its single moves, and over what today's reader reads."""
    deck = truth.layout.deck
    start = time.perf_counter()
    scene = true_scene(image, truth, config)
    score = learned_score(scene.seen, scene.table, deck, config)
    record: dict[str, Any] = {
        "faces": list(_faces(score, scene.table)),
        "inks": list(_inks(score, scene.table)),
        "orders": list(_orders(score, scene.table)),
        "cards": list(_cards(score, scene.table)),
        "false": list(_false(score, scene.table, deck, seed)),
        "little": list(_little(score, scene.table)),
    }
    record["seconds"] = round(time.perf_counter() - start, 2)
    if today:
        reading = read_table(image, deck, lens, truth.rules)
        refused = isinstance(reading, NotSeen)
        read = None if isinstance(reading, NotSeen) else read_as_table(reading, truth, scene.table)
        record["today"] = (
            {"refused": refused} if read is None else _compared(scene, read, truth, config)
        )
    return record


def _row(moves: Iterable[Move], told_mm2: float, name: str) -> Iterator[Row]:
    """The truth's lead over the best of some moves that the picture can tell; nothing if none."""
    told = [move for move in moves if move.told_mm2 > told_mm2]
    if told:
        best = max(told, key=lambda move: move.gain)
        other = (
            _name(best.table.card(best.card)) if best.kind.value in ("face", "ink", "add") else ""
        )
        yield [round(-best.gain, 2), round(best.told_mm2, 1), name, other]


def _faces(score: TableScore, table: Table) -> Iterator[Row]:
    shown = score.prints.shown(table)
    for card in table.cards:
        yield from _row(face_moves(score, table, card, shown[card.id]), TOLD_MM2, _name(card))


def _inks(score: TableScore, table: Table) -> Iterator[Row]:
    shown = score.prints.shown(table)
    for card in table.cards:
        yield from _row(ink_moves(score, table, card, shown[card.id]), TOLD_MM2, _name(card))


def _orders(score: TableScore, table: Table) -> Iterator[Row]:
    for rank, lower in enumerate(table.cards):
        for upper in table.cards[rank + 1 :]:
            if score.prints.touch(lower.place, upper.place):
                moves = list(order_moves(score, table, lower, upper))
                if all(move.told_mm2 > TOLD_MM2 for move in moves):
                    yield from _row(moves, TOLD_MM2, f"{_name(upper)} on {_name(lower)}")


def _little(score: TableScore, table: Table) -> Iterator[Row]:
    """Faces and orders that differ on too little to be told, and are as likely beforehand: how much
    leads can be trusted shows where they are small.
    """
    prior, shown = score.prior(table), score.prints.shown(table)
    for rank, card in enumerate(table.cards):
        asked = list(face_moves(score, table, card, shown[card.id]))
        for upper in table.cards[rank + 1 :]:
            if score.prints.touch(card.place, upper.place):
                asked += order_moves(score, table, card, upper)
        for kind in (MoveKind.FACE, MoveKind.ORDER):
            some = [
                move
                for move in asked
                if move.kind is kind
                and 0 < move.told_mm2 <= TOLD_MM2
                and score.prior(move.table) == prior
            ]
            yield from _row(some, 0.0, _name(card))


def _cards(score: TableScore, table: Table) -> Iterator[Row]:
    for card in table.cards:
        yield from _row([removal(score, table, card)], SEEN_MM2, _name(card))


def _false(score: TableScore, table: Table, deck: Deck, seed: int) -> Iterator[Row]:
    rng = np.random.default_rng(seed)
    for card, on in false_cards(table, deck, FALSE_CARDS, rng):
        for name, below in (("top", None), ("below", on), ("below all", table.cards[0].id)):
            yield from _row(additions(score, table, card, below), SEEN_MM2, f"{name} {on}")


def _compared(scene: TrueScene, read: Table, truth: Truth, config: ReadingConfig) -> dict[str, Any]:
    """By how much the truth scores higher than what was read, by either one's printing, and on how
    many mm² they plainly differ.
    """
    deck = truth.layout.deck
    inks = tuple({c.ink for table in (read, scene.table) for c in table.cards if c.ink is not None})
    by_truth = learned_score(scene.seen, scene.table, deck, config, inks)
    by_read = learned_score(scene.seen, read, deck, config, inks)
    cards = {card.place: card for table in (read, scene.table) for card in table.cards}
    differs = [by_truth.differs_mm2(scene.table, read, card) for card in cards.values()]
    return {
        "refused": False,
        "differs_mm2": round(max(differs, default=0.0), 1),
        "by_truth": round(by_truth.total(scene.table) - by_truth.total(read), 2),
        "by_read": round(by_read.total(scene.table) - by_read.total(read), 2),
    }


def _name(card: PlacedCard) -> str:
    side = " back" if card.hypothesis.mirrored else ""
    turn = " turned" if card.hypothesis.turned else ""
    return f"{card.ink or ''} {card.hypothesis.face}{side}{turn}".strip()
