"""Plays random rounds by the rules, up to the table that is photographed."""

from dataclasses import dataclass, replace

import numpy as np

from geometry.deck import Deck, Face
from geometry.layout import Card, Layout
from geometry.moves import legal_placements
from geometry.pose import Pose
from geometry.rules import Rules, Tolerance
from geometry.score import without_illegal
from geometry.showing import dot_parts
from geometry.verdict import judge
from simulator.conditions import Conditions
from simulator.play.faults import (
    AMBIGUOUS_PART,
    FAULTS,
    MISPRINTED_PART,
    Wrong,
    in_sight,
    wrong_place,
)
from simulator.play.fitting import nudged, past_edge, touched_mm
from simulator.play.loops import closing

_REPLAYS = 8
_CHANCES = 4
"""Turns at which a fault is tried before it is given up."""
_CLEAR_MM = 0.4
"""How far a legally laid card may reach past the white line of a card it does not cover."""


@dataclass(frozen=True, slots=True)
class Played:
    """A table after a round: cards from the lowest up, and for each what the player meant.

    `covers` is the card it was laid on, None for a card laid free.
    """

    layout: Layout
    covers: tuple[int | None, ...]

    def with_card(self, card: Card, covers: int | None) -> "Played":
        """One more card on top."""
        return Played(self.layout.laid_on_top(card), (*self.covers, covers))


def play_area(rng: np.random.Generator, cards: int) -> tuple[float, float]:
    """A table that a round of so many cards roughly fills, mm."""
    width = float(np.round(rng.uniform(112, 126) * np.sqrt(max(cards, 9)), -1))
    return width, float(np.round(width * rng.uniform(0.72, 0.8), -1))


def start_round(rng: np.random.Generator, deck: Deck, cards: int) -> Played:
    """The starting card in the middle of an empty table."""
    area = play_area(rng, cards)
    pose = Pose(area[0] / 2, area[1] / 2, float(rng.normal(0, 4) % 360))
    start = Card(0, deck.starting_colour.name, deck.starting_face.id, pose)
    return Played(Layout(deck, (start,), area), (None,))


def deal(rng: np.random.Generator, deck: Deck, conditions: Conditions) -> list[tuple[str, Face]]:
    """The cards in the order in which they are played, players taking turns."""
    names = [colour.name for colour in deck.colours]
    chosen = [names[i] for i in rng.permutation(len(names))[: conditions.players]]
    hands = {name: [deck.faces[i] for i in rng.permutation(len(deck.faces))] for name in chosen}
    turns = [(name, hands[name][k]) for k in range(len(deck.faces)) for name in chosen]
    wanted = conditions.cards if conditions.cards is not None else 14 * conditions.players + 1
    return turns[: max(0, wanted - 1)]


def play_round(rng: np.random.Generator, deck: Deck, conditions: Conditions) -> Played:
    """A whole round; what is done wrong on purpose comes from the conditions' `faults`."""
    for _ in range(_REPLAYS):
        played, left_over = _play_once(rng, deck, conditions)
        if not left_over and readable(played.layout, conditions):
            break
    return played


def readable(layout: Layout, conditions: Conditions) -> bool:
    """Whether the eye could tell what lies there, as far as the conditions ask for that."""
    if "twin" not in conditions.faults and not in_sight(
        layout, conditions.least_shown, conditions.badges_shown
    ):
        return False
    unclear = ambiguous_part(conditions)
    return conditions.half_dots or not ambiguous_dots(layout, rules_of(conditions), unclear)


def ambiguous_part(conditions: Conditions) -> tuple[float, float]:
    """Between which shares a dot that shows could be counted either way."""
    return AMBIGUOUS_PART if conditions.printing == "deck" else MISPRINTED_PART


def _play_once(rng: np.random.Generator, deck: Deck, conditions: Conditions) -> tuple[Played, int]:
    """The table, and how many cards found no room on it."""
    hand = deal(rng, deck, conditions)
    played = start_round(rng, deck, len(hand) + 1)
    faults = _when(rng, len(hand), conditions.faults)
    pending: list[tuple[str, int]] = []
    for turn, (colour, face) in enumerate(hand):
        pending += [(fault, _CHANCES) for fault in faults.get(turn, [])]
        laid = None
        if pending:
            (fault, chances), *pending = pending
            wrong = Wrong(
                fault, conditions.past_mm, rules_of(conditions),
                conditions.least_shown, conditions.badges_shown, ambiguous_part(conditions),
            )  # fmt: skip
            laid = lay_wrongly(rng, played, colour, face, wrong)
            if laid is None and chances > 1:
                pending.insert(0, (fault, chances - 1))
        played = laid or take_turn(rng, played, colour, face, conditions)
    for _ in range(conditions.disturbed):
        played = push_a_card(rng, played, rules_of(conditions))
    return played, 1 + len(hand) - len(played.layout.cards)


def push_a_card(rng: np.random.Generator, played: Played, rules: Rules) -> Played:
    """Push a card that others may lie on by a millimetre or so, if all verdicts stay."""
    layout = played.layout
    verdicts = {card: v.status for card, v in judge(layout, rules).items()}
    for _ in range(10):
        index = int(rng.integers(1, len(layout.cards))) if len(layout.cards) > 1 else 0
        pushed = nudged(rng, layout.cards[index].pose, 0.8, 0.6)
        cards = list(layout.cards)
        cards[index] = replace(cards[index], pose=pushed)
        moved = replace(layout, cards=tuple(cards))
        if {card: v.status for card, v in judge(moved, rules).items()} == verdicts:
            return Played(moved, played.covers)
    return played


def ambiguous_dots(
    layout: Layout, rules: Rules, part: tuple[float, float] = AMBIGUOUS_PART
) -> list[tuple[int, int, float]]:
    """Dots of which about half shows, with or without the illegal cards: card, dot, part."""
    low, high = part
    cleared = without_illegal(layout, judge(layout, rules))
    found: dict[tuple[int, int], float] = {}
    for table in (layout, cleared):
        for card, parts in dot_parts(table).items():
            for dot, shows in enumerate(parts):
                if low <= shows <= high:
                    found[card, dot] = shows
    return [(card, dot, shows) for (card, dot), shows in sorted(found.items())]


def rules_of(conditions: Conditions) -> Rules:
    """The rules that this table plays by."""
    return Rules(free_for_all=conditions.free_for_all)


def _when(rng: np.random.Generator, turns: int, faults: tuple[str, ...]) -> dict[int, list[str]]:
    """At which turns which faults are made; not at once, so that there is something to hit."""
    unknown = set(faults) - set(FAULTS)
    if unknown:
        raise ValueError(f"no such fault: {', '.join(sorted(unknown))}")
    late = np.arange(min(turns - 1, max(2, turns // 3)), turns) if turns > 1 else np.arange(turns)
    plan: dict[int, list[str]] = {}
    if len(late) == 0:
        return plan
    turns_chosen = rng.choice(late, size=len(faults), replace=len(faults) > len(late))
    for turn, fault in zip(turns_chosen, faults, strict=True):
        plan.setdefault(int(turn), []).append(fault)
    return plan


def lay_wrongly(
    rng: np.random.Generator, played: Played, colour: str, face: Face, wrong: Wrong
) -> Played | None:
    """The table with the card laid wrongly as asked, or None where no way was found."""
    place = wrong_place(rng, played.layout, colour, face, wrong)
    if place is None:
        return None
    card = Card(len(played.layout.cards), colour, face.id, place[0])
    return played.with_card(card, place[1])


def take_turn(
    rng: np.random.Generator, played: Played, colour: str, face: Face, conditions: Conditions
) -> Played:
    """Lay a card legally if there is a place, else free (T6), else leave it in hand.

    A hand slips by the conditions' millimetres and degrees.
    """
    layout = played.layout
    found = legal_place(rng, layout, colour, face, conditions.free_for_all, conditions.loops)
    if found is not None:
        pose, covers = found
    else:
        free = free_place(rng, layout)
        if free is None:
            return played
        pose, covers = free, None
    pose = nudged(rng, pose, conditions.slip_mm, conditions.slip_deg)
    pose = replace(pose, angle_deg=pose.angle_deg % 360)
    return played.with_card(Card(len(layout.cards), colour, face.id, pose), covers)


def legal_place(
    rng: np.random.Generator,
    layout: Layout,
    colour: str,
    face: Face,
    free_for_all: bool = False,
    loops: bool = False,
) -> tuple[Pose, int] | None:
    """A random legal pose and the card it covers, or None where there is none.

    `loops`: one at which it nearly touches another card, where there is one.
    """
    room = Tolerance(legal_mm=_CLEAR_MM)
    rules = Rules(tolerance=room, free_for_all=free_for_all)
    ways = legal_placements(layout, colour, face.id, rules)
    if not ways:
        return None
    closed = closing(rng, layout, ways) if loops else None
    if closed is not None:
        return closed
    below = sorted({way.on for way in ways})
    chosen = below[int(rng.integers(len(below)))]
    on_it = [way for way in ways if way.on == chosen]
    return on_it[int(rng.integers(len(on_it)))].pose, chosen


def free_place(rng: np.random.Generator, layout: Layout, gap_mm: float = 4.0) -> Pose | None:
    """A random pose that touches nothing, or None after many tries."""
    area = layout.play_area_mm
    if area is None:
        return None
    for _ in range(300):
        x, y = rng.uniform((50, 50), (area[0] - 50, area[1] - 50))
        pose = Pose(float(x), float(y), float(rng.uniform(0, 360)), bool(rng.random() < 0.5))
        if past_edge(layout, pose) < -2 and bool((touched_mm(layout, pose) < -gap_mm).all()):
            return pose
    return None


def spread_faces(rng: np.random.Generator, deck: Deck) -> Played:
    """All faces of one colour and the starting card side by side, nothing touching."""
    colour = deck.colours[int(rng.integers(len(deck.colours)))].name
    faces = [(colour, face.id) for face in deck.faces]
    faces.append((deck.starting_colour.name, deck.starting_face.id))
    step = np.array([138.0, 128.0])
    columns = 6
    rows = -(-len(faces) // columns)
    area = (float(columns * step[0]), float(rows * step[1]))
    cards = []
    for index, (name, face_id) in enumerate(faces):
        row, column = divmod(index, columns)
        x, y = (np.array([column, row]) + 0.5) * step + rng.uniform(-3, 3, 2)
        angle = float((90 * rng.integers(4) + rng.normal(0, 8)) % 360)
        cards.append(Card(index, name, face_id, Pose(float(x), float(y), angle)))
    return Played(Layout(deck, tuple(cards), area), (None,) * len(cards))
