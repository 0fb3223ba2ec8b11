"""Tables as photographs from given places would be read, without a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from geometry.deck_file import published_deck
from geometry.layout import Card, Layout
from geometry.pose import Pose
from geometry.rules import Rules
from simulator.conditions import Conditions
from simulator.play.rounds import play_round
from vision.assemble import assemble, middle_px
from vision.lens import Lens
from vision.reading import Corners, Doubt, Reading, SeenCard, SeenTable
from vision.reason import Reason
from vision.together.photographs import Photograph
from vision.view import TableView

DECK, RULES = published_deck(), Rules()
SIZE = (1600, 1200)
Change = Callable[[Card], Card | None]
Raised = Callable[[dict[int, Corners]], Iterable[Doubt]]
Place = tuple[float, float, float]


@lru_cache
def table(seed: int = 1, cards: int = 19) -> Layout:
    """A legal table of three players, without a play area."""
    conditions = Conditions(players=3, cards=cards)
    layout = play_round(np.random.default_rng(seed), DECK, conditions).layout
    return replace(layout, play_area_mm=None)


def middle(layout: Layout) -> tuple[float, float]:
    """The middle of its cards."""
    x, y = np.mean([[one.pose.x_mm, one.pose.y_mm] for one in layout.cards], axis=0).tolist()
    return x, y


def camera(layout: Layout, off: Place, at_mm: tuple[float, float] | None = None) -> TableView:
    """A camera that looks at a place of the table, the cards' middle if none is given, `off` mm
    from there: along x, along y, and above.
    """
    x, y = at_mm or middle(layout)
    away = np.array([off[0], off[1], -off[2]])
    ahead = -away / np.linalg.norm(away)
    right = np.cross([0.0, 1.0, 0.0], ahead)
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(ahead, right), ahead])
    focal = 0.8 * SIZE[0]
    matrix = np.array([[focal, 0, SIZE[0] / 2], [0, focal, SIZE[1] / 2], [0, 0, 1]])
    lens = Lens(SIZE, matrix, np.zeros(5))
    return TableView(lens, rotation, -rotation @ (away + [x, y, 0.0]))


def outline(view: TableView, pose: Pose) -> Corners:
    """A card's corners in the picture."""
    corners = np.array(DECK.card.corners_mm)
    a, b, c, d = ((float(x), float(y)) for x, y in view.to_px(pose.to_table(corners)))
    return a, b, c, d


def same(card: Card) -> Card:
    """The card as it lies."""
    return card


def photographed(
    layout: Layout, view: TableView, change: Change = same,
    doubts: Raised = lambda _: (),
    turn_deg: float = 0.0, shift_mm: tuple[float, float] = (0.0, 0.0), noise_mm: float = 0.1,
    seed: int = 0, first_id: int = 0, rules: Rules = RULES,
) -> Photograph:  # fmt: skip
    """A photograph of the cards that lie whole in the picture: read with an error, in a frame of
    its own. `change`: what is read of a card, None where it is not seen. `doubts` are raised from
    the outlines of the cards, by their ids in `layout`.
    """
    rng = np.random.default_rng(seed)
    seen: list[Card] = []
    outlines: dict[int, Corners] = {}
    own: dict[int, int] = {}
    for card in layout.cards:
        corners = np.array(outline(view, card.pose))
        one = change(card)
        if one is None or (corners < 0).any() or (corners > np.array(SIZE) - 1).any():
            continue
        own[card.id] = first_id + len(seen)
        outlines[card.id] = outline(view, one.pose)
        x, y = rng.normal(0, noise_mm, 2)
        seen.append(
            replace(one, id=own[card.id], pose=_in_frame(one.pose, turn_deg, shift_mm, x, y))
        )
    looks = tuple(SeenCard(own[one], px, 0.99) for one, px in outlines.items())
    raised = tuple(
        one if one.card is None else replace(one, card=own[one.card]) for one in doubts(outlines)
    )
    found = SeenTable(Layout(DECK, tuple(seen), layout.play_area_mm), looks, raised, 2.0)
    return Photograph(assemble(found, rules), SIZE)


def _in_frame(
    pose: Pose, turn_deg: float, shift_mm: tuple[float, float], x: float, y: float
) -> Pose:
    turned = np.exp(1j * np.deg2rad(turn_deg)) * complex(pose.x_mm, pose.y_mm)
    return replace(
        pose, x_mm=turned.real + shift_mm[0] + x, y_mm=turned.imag + shift_mm[1] + y,
        angle_deg=(pose.angle_deg + turn_deg) % 360,
    )  # fmt: skip


def names(reading: Reading) -> list[tuple[str, str]]:
    """Colour and face of all cards, sorted."""
    return sorted((card.colour, card.face) for card in reading.cards)


def true_scores(layout: Layout) -> dict[str, int]:
    """The scores of the table as it lies."""
    seen = tuple(SeenCard(one.id, ((0, 0), (1, 0), (1, 1), (0, 1)), 1.0) for one in layout.cards)
    return dict(assemble(SeenTable(layout, seen, (), 1.0), RULES).scores)


def at(outlines: dict[int, Corners], card: int) -> tuple[float, float]:
    """Where a card's middle is in the picture."""
    return middle_px(outlines[card])


def codes(doubts: Sequence[Doubt]) -> list[str]:
    """The reasons of doubts."""
    return [one.reason.code for one in doubts]


def washed(layout: Layout, place: int) -> Raised:
    """A doubt of one card, by its place in the order of laying: light washes it out."""
    card = layout.cards[place].id

    def doubts(outlines: dict[int, Corners]) -> Iterator[Doubt]:
        yield Doubt("card", card, at(outlines, card), Reason("washed-out"), {"red": 1}, {"red": 1})

    return doubts
