"""A card's badge says which face it has, and that a card lies there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from geometry.layout import Card
from geometry.pose import Pose
from tests.vision.model.drawn_table import CONFIG, DECK, drawn_table
from vision.model.badge_art import badge_art
from vision.model.badges import Badges
from vision.model.drawing import draw_faces
from vision.model.footprint import Footprints
from vision.model.score import learned_score
from vision.model.table import Place, PlacedCard, Table

AT = [(x, y) for y in (60.0, 165.0) for x in (40.0, 100.0, 160.0, 220.0)]
FACES = ["square-5", "circle-4", "triangle-2", "circle-5", "square-2", "triangle-5", "circle-2"]
CARDS = tuple(
    Card(k, ("red", "blue")[k % 2], face, Pose(x, y, 20.0 * k))
    for k, (face, (x, y)) in enumerate(zip(FACES, AT, strict=False))
)
DRAWN = drawn_table(CARDS)


def badges(table: Table) -> Badges:
    seen = DRAWN.seen()
    faces = draw_faces(DECK, CONFIG)
    prints = Footprints(seen, faces)
    return Badges(seen, faces, prints, CONFIG, table.cards, prints.shown(table))


def nats(said: Badges, card: PlacedCard) -> dict[str, float]:
    """What each face gains by a badge, the right way up."""
    names = badge_art(DECK, CONFIG).faces
    one_look = CONFIG.looks_per_mm2 / DRAWN.seen().density ** 2
    gains = said.says(card.place).nats.sum(axis=1) * one_look
    return dict(zip(names, gains[: len(names)].tolist(), strict=True))


@pytest.mark.parametrize("number", range(len(CARDS)))
def test_the_true_face_has_the_likeliest_badge(number: int) -> None:
    card = DRAWN.table.cards[number]
    gains = nats(badges(DRAWN.table), card)
    best = max(gains, key=gains.__getitem__)
    assert best == card.hypothesis.face
    assert gains[best] > 5
    other = max(gain for face, gain in gains.items() if face != best)
    assert gains[best] > other + 3


def test_a_card_that_is_mistaken_does_not_teach_its_own_badge() -> None:
    """What lies under a false name would else look like that name."""
    card = DRAWN.table.cards[0]
    wrong = replace(card, hypothesis=replace(card.hypothesis, face="circle-6"))
    gains = nats(badges(DRAWN.table.with_card(wrong)), card)
    assert gains["square-5"] > gains["circle-6"] + 3


def test_where_no_badge_is_no_card_is_likelier() -> None:
    card = DRAWN.table.cards[0]
    beside = replace(card, place=Place(130.0, 112.0, 0.0))
    assert max(nats(badges(DRAWN.table), beside).values()) < 0


def test_a_badge_that_is_hidden_says_nothing() -> None:
    over = Card(9, "red", "square-1", Pose(42.0, 61.0, 0.0))
    table = drawn_table((*CARDS, over)).table
    said = badges(table).says(table.cards[0].place)
    assert np.abs(said.nats).max() == 0


def test_the_badge_counts_in_a_score_where_it_shows() -> None:
    """By the place and by all faces at once alike."""
    plain = learned_score(DRAWN.seen(), DRAWN.table, DECK, CONFIG)
    score = plain.with_badges_of(DRAWN.table)
    card = DRAWN.table.cards[0]
    shows = score.prints.shown(DRAWN.table)[card.id]
    more = score.explains(card, shows) - plain.explains(card, shows)
    assert more == pytest.approx(nats(badges(DRAWN.table), card)["square-5"], rel=1e-3)
    total = score.totals(card, shows).of(card.hypothesis, card.ink)
    assert total == pytest.approx(score.explains(card, shows), abs=0.01)
    hidden = np.zeros_like(shows)
    assert score.explains(card, hidden) == 0
    most = score.most_each(card, np.zeros(len(shows), np.int64), 1)[0, 0]
    assert most >= score.totals(card, np.ones_like(shows)).gains[:-1].max() - 0.01
