"""From a photograph to a reading by the one score: one function, one line a stage.

It stands beside `read_table` until it reads as well, and is called by nobody but the measuring.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from geometry.layout import Layout
from geometry.rules import Rules
from geometry.verdict import judge
from vision.arrays import FloatArray
from vision.assemble import assemble
from vision.bare.without_players import start_alone, without_players
from vision.doubting.limits import too_small, without_colours
from vision.doubting.over_doubts import BESIDE_MM, OVER_CARDS
from vision.doubting.sight import in_sight
from vision.infer.covered import things_over
from vision.infer.known_table import GoneOn, gone_on
from vision.infer.loop import Explained, explain_places
from vision.infer.moves import MoveKind
from vision.lens import Lens, LensKnown
from vision.locating.bars import between_bars
from vision.locating.doubled import doubled, halved
from vision.locating.locate import Located, first_look
from vision.locating.locate_again import ENOUGH_FRAMES, locate_again
from vision.locating.markers import table_from_markers
from vision.model.table import CardId, Place, Table, as_array
from vision.observe.observation import Observation, observe_table
from vision.observe.own_black import against_black
from vision.pace import Pace
from vision.posterior.ink_names import ink_names
from vision.posterior.laid_on import moved_by, told_by_those_on_them
from vision.posterior.lain import (
    Lain,
    Named,
    lain,
    true_poses,
    true_spreads,
    with_one_more,
)
from vision.posterior.ledger import (
    Alternative,
    blur_doubts,
    certainty,
    doubts_of,
    missing_doubts,
    name_doubts,
    parting_doubts,
)
from vision.posterior.over import over_doubts, told_by
from vision.posterior.settled_by_rules import settled_by_rules
from vision.posterior.start_side import start_laid
from vision.posterior.table_doubts import place_doubts, sight_doubts
from vision.process import prepare_process
from vision.propose.known_places import known_corners_mm, known_places
from vision.propose.places import Proposal, plain_places, proposed_places
from vision.reading import Corners, NotSeen, Reading, SeenCard, SeenTable
from vision.reading_config import ReadingConfig
from vision.sharpness import blurred_instead
from vision.view import TableView

FACE = (MoveKind.FACE,)
INK = (MoveKind.INK,)
PRESENCE = (MoveKind.REMOVE, MoveKind.ADD, MoveKind.PLACE)
FARTHER_OUT, OTHER_PLANES = "sought-farther", "sought-planes"
"""What is not looked for once there is no time: cards outside what was looked at, and other planes
that the table may lie in.
"""


@dataclass(frozen=True, eq=False)
class _Looked:
    """Where the table is, what is seen there, where cards may lie, and at how many places they
    plainly do.
    """

    located: Located
    seen: Observation
    proposals: tuple[Proposal, ...]
    plain: int


@dataclass(frozen=True, eq=False)
class _Before:
    """A table that was read before, and what came of going on from it."""

    known: SeenTable
    went: GoneOn

    @property
    def asked(self) -> frozenset[CardId]:
        """The cards of which it is asked what else they may be: those that something changed at,
        and those that were doubted.
        """
        doubted = {CardId(one.card) for one in self.known.doubts if one.card is not None}
        return self.went.asked | doubted

    def as_sure(self, card: SeenCard) -> SeenCard:
        """A card, as sure as it was where it was not asked."""
        if card.id in self.asked:
            return card
        was = next(one for one in self.known.cards if one.id == card.id)
        return replace(
            card,
            confidence=was.confidence,
            colour_confidence=was.colour_confidence,
            face_confidence=was.face_confidence,
            pose_confidence=was.pose_confidence,
        )


def read_one(
    image_bgr: NDArray[np.uint8], deck: Deck, lens: LensKnown, rules: Rules,
    pace: Pace | None = None, known: SeenTable | None = None, config: ReadingConfig | None = None,
) -> Reading | NotSeen:  # fmt: skip
    """Read a photograph (H, W, 3) uint8 BGR of a table; `NotSeen` says why it could not be.

    `pace`: is told each stage as it begins, each time that it does. Once its time is over the
    table is left as it is by then, and a doubt says so: the reading is not sure.

    `known`: the same table, read before a turn or two. Where the picture shows it, only what is
    otherwise is asked; where it does not, or much is otherwise, everything is read anew.
    """
    pace = pace or Pace()
    seen = seen_by_score(image_bgr, deck, lens, rules, config or ReadingConfig(), pace, known)
    if isinstance(seen, NotSeen):
        return seen
    height, width = image_bgr.shape[:2]
    late = pace.doubts((width / 2, height / 2), deck)
    pace.say("judge")
    return assemble(replace(seen, doubts=(*seen.doubts, *late)), rules)


def seen_by_score(
    image_bgr: NDArray[np.uint8], deck: Deck, lens: LensKnown, rules: Rules, config: ReadingConfig,
    pace: Pace, known: SeenTable | None = None,
) -> SeenTable | NotSeen:  # fmt: skip
    """What the table that explains a photograph best is, and what else it may be."""
    prepare_process()
    left, top, right, bottom = (0, 0, 0, 0) if isinstance(lens, Lens) else between_bars(image_bgr)
    if (bottom - top, right - left) in ((0, 0), image_bgr.shape[:2]):
        return _seen_inside(image_bgr, deck, lens, rules, config, pace, known)
    inside = np.ascontiguousarray(image_bgr[top:bottom, left:right])
    known = known and _shifted(known, (-left, -top))
    seen = _seen_inside(inside, deck, lens, rules, config, pace, known)
    return seen if isinstance(seen, NotSeen) else _shifted(seen, (left, top))


def _shifted(seen: SeenTable, by_px: tuple[int, int]) -> SeenTable:
    """What was seen, so many pixels farther right and down in the picture."""
    right, down = by_px

    def all_of(points: Iterable[tuple[float, float]]) -> Iterator[tuple[float, float]]:
        return ((x + right, y + down) for x, y in points)

    cards = []
    for card in seen.cards:
        a, b, c, d = all_of(card.outline_px)
        cards.append(replace(card, outline_px=(a, b, c, d)))
    doubts = tuple(
        replace(
            doubt, at_px=next(all_of([doubt.at_px])), outline_px=tuple(all_of(doubt.outline_px))
        )
        for doubt in seen.doubts
    )
    return replace(seen, cards=tuple(cards), doubts=doubts)


def _seen_inside(
    image_bgr: NDArray[np.uint8], deck: Deck, lens: LensKnown, rules: Rules, config: ReadingConfig,
    pace: Pace, known: SeenTable | None,
) -> SeenTable | NotSeen:  # fmt: skip
    """What is seen in a picture without bars along its sides."""
    pace.say("locate")
    refused = too_small(image_bgr) or without_colours(image_bgr)
    if refused is not None:
        return refused
    others = _located_else(image_bgr, lens, deck)
    located = first_look(image_bgr, lens, deck.card)
    if isinstance(located, NotSeen):
        located = next(others, located)
    if isinstance(located, NotSeen):
        return start_alone(image_bgr, lens, deck) or blurred_instead(located, image_bgr)
    if known is not None and _goes_on_from(known, deck):
        seen = _seen_by_known(image_bgr, located, known, rules, config, pace)
        if seen is not None:
            return seen
    looked = _looked_as_far(image_bgr, located, deck, config, pace)
    # Markers of known size tell the plane of a table with few cards, too.
    least = 1 if located.scaled else ENOUGH_FRAMES
    while looked.plain < least and not pace.leaves_out(OTHER_PLANES):
        # A wrong view shows hardly a frame of a card's size and shape.
        other = next(others, None)
        if other is None:
            break
        again = _looked_as_far(image_bgr, other, deck, config, pace)
        looked = max(looked, again, key=lambda one: one.plain)
    if not looked.proposals:
        return without_players(image_bgr, looked.located, deck)
    found = explain_places(looked.seen, looked.proposals, deck, config, pace)
    if all(card.ink is None for card in found.table.cards):
        return without_players(image_bgr, looked.located, deck)
    return _told(looked.seen, looked.located, found, deck, rules, pace)


def _located_else(image_bgr: NDArray[np.uint8], lens: LensKnown, deck: Deck) -> Iterator[Located]:
    """Where the table may be besides where the plainest outlines have it: by trying planes, and in
    the picture twice as large, where lines of little more than a pixel make outlines.
    """
    again = locate_again(image_bgr, lens, deck)
    if again is not None:
        yield again
    larger = doubled(image_bgr, lens)
    if larger is not None:
        looked = first_look(*larger, deck.card)
        if not isinstance(looked, NotSeen):
            yield halved(looked)
        again = locate_again(*larger, deck)
        if again is not None:
            yield halved(again)


def _goes_on_from(known: SeenTable, deck: Deck) -> bool:
    """Whether a table is all that lay there: what lay over its cards may have hidden others."""
    covered = any(doubt.reason.code == OVER_CARDS for doubt in known.doubts)
    return bool(known.cards) and known.layout.deck == deck and not covered


def _seen_by_known(
    image_bgr: NDArray[np.uint8], located: Located, known: SeenTable, rules: Rules,
    config: ReadingConfig, pace: Pace,
) -> SeenTable | None:  # fmt: skip
    """What is seen, going on from a known table; None where everything has to be read anew."""
    deck = known.layout.deck
    for _ in range(config.most_widened):
        located = located.widened(known_corners_mm(located.view, known)) or located
    pace.say("observe")
    seen = observe_table(image_bgr, located.view, located.box_mm, config)
    pace.say("known")
    marked = located.play_area_mm is not None
    places = known_places(seen, located.view, known, config, marked=marked)
    if places is None:
        return None
    seen = against_black(seen, places.plain(config), deck.card, config)
    went = gone_on(seen, places, deck, config, pace)
    if went is None or not went.found.table.cards:
        return None
    ids = {card.id for card in known.layout.cards}
    new = [card.place for card in went.found.table.cards if card.id not in ids]
    if new and located.widened(_corners_mm(new, deck)) is not None:
        return None
    return _told(seen, located, went.found, deck, rules, pace, _Before(known, went))


def _looked_as_far(
    image_bgr: NDArray[np.uint8], located: Located, deck: Deck, config: ReadingConfig, pace: Pace
) -> _Looked:
    """The table where it is located, and as much more of it as plain frames reach out into."""
    for left in reversed(range(config.most_widened + 1)):
        pace.say("observe")
        seen = observe_table(image_bgr, located.view, located.box_mm, config)
        pace.say("propose")
        proposals = proposed_places(seen, deck.card, config)
        plain = plain_places(proposals, config)
        wider = located.widened(_corners_mm(plain, deck)) if plain and left else None
        if wider is None or pace.leaves_out(FARTHER_OUT):
            break
        located = wider
    seen = against_black(seen, as_array(plain), deck.card, config)
    return _Looked(located, seen, proposals, len(plain))


def _corners_mm(places: list[Place], deck: Deck) -> FloatArray:
    """The corners (4 N, 2) of cards at some places."""
    corners = np.array(deck.card.corners_mm)
    return np.concatenate([place.pose.to_table(corners) for place in places])


def _told(
    seen: Observation, located: Located, found: Explained, deck: Deck, rules: Rules, pace: Pace,
    before: _Before | None = None,
) -> SeenTable:  # fmt: skip
    """The table in true millimetres, with its colours named, and its doubts: of all cards, or going
    on from what was read before of those that it does not tell.
    """
    pace.say("fit")
    score, table = found.score, found.table
    asked = None if before is None else before.asked
    lying = lain(seen, table, deck, score.config)
    view, area = _scaled(located, lying.growth)
    if not located.framed:
        view = view.in_frame(_origin(located.view, view, table, lying), 0.0)
    poses = dict(true_poses(table, lying, located.view, view))
    spreads = dict(true_spreads(table, lying, located.view, view, score.config))
    names = ink_names(score, table, deck)
    named = Named(poses, names.of, deck, area)
    table = start_laid(score, table, named, rules)
    layout = named.layout(table)
    told = told_by_those_on_them(layout, judge(layout, rules), spreads, score.config)
    for card, (moved, spread) in told.items():
        poses[card], spreads[card] = moved_by(poses[card], moved), spread
    heights = {c.id: float(h) for c, h in zip(table.cards, lying.heights, strict=True)}
    for chance in found.left_out:
        others_lie = lying if chance.instead is None else lying.without(table.rank(chance.instead))
        besides = with_one_more(seen, others_lie, chance.table, chance.card, deck, score.config)
        rank = chance.table.rank(chance.card)
        poses[chance.card] = true_poses(chance.table, besides, located.view, view)[chance.card]
        others = true_spreads(chance.table, besides, located.view, view, score.config)
        spreads[chance.card] = others[chance.card]
        heights[chance.card] = float(besides.heights[rank])
    pace.say("ledger")
    table, found_else = settled_by_rules(score, table, named, rules, found.left_out, asked, pace)

    def at_px(card: CardId) -> tuple[float, float]:
        pose = poses[card]
        x, y = view.to_px(np.array([[pose.x_mm, pose.y_mm]]), heights[card])[0].tolist()
        return x, y

    doubts = doubts_of(found_else, table, named, score.config.doubted, at_px)
    layout = _in_sight(named.layout(table), view, heights)
    middle = np.mean([[c.pose.x_mm, c.pose.y_mm] for c in layout.cards], axis=0)
    x, y = view.to_px(middle[None])[0].tolist()
    doubts += tuple(sight_doubts(layout, rules, at_px, view.lens.size_wh))
    start_seen = any(card.ink is None for card in table.cards)
    doubts += tuple(
        place_doubts(located, lying.growth, layout, score.config, (x, y), start_seen=start_seen)
    )
    doubts += tuple(missing_doubts(layout, rules, (x, y)))
    doubts += tuple(name_doubts(names, table, named, rules, score.config.doubted, (x, y)))
    doubts += tuple(parting_doubts(score, table, named, rules, (x, y)))
    doubts += tuple(blur_doubts(seen, layout, score.config, (x, y)))
    over = things_over(score, table) if before is None else before.went.over
    things = tuple(over_doubts(seen, over, layout, located.view, score.config))
    near_px = BESIDE_MM * view.px_per_mm(middle)
    doubts = (
        *things,
        *(d for d in doubts if before is not None or not told_by(d, things, near_px)),
    )
    cards = tuple(
        replace(
            _seen(layout, card.id, view, heights[card.id], found_else.others),
            spread=spreads[card.id],
        )
        for card in table.cards
    )
    if before is not None:
        cards = tuple(before.as_sure(card) for card in cards)
    return SeenTable(layout, cards, doubts, view.px_per_mm(middle))


def _in_sight(layout: Layout, view: TableView, heights: dict[CardId, float]) -> Layout:
    """The layout, each card with what of the table is in the picture where it reaches out of it."""
    by_id = np.zeros(max(heights) + 1)
    by_id[list(heights)] = list(heights.values())
    cards = in_sight(list(layout.cards), view, by_id, layout.deck.card)
    return Layout(layout.deck, tuple(cards), layout.play_area_mm)


def _seen(
    layout: Layout, card: CardId, view: TableView, height: float, others: tuple[Alternative, ...]
) -> SeenCard:
    corners = layout.card(int(card)).pose.to_table(np.array(layout.deck.card.corners_mm))
    a, b, c, d = ((x, y) for x, y in view.to_px(corners, height).tolist())
    outline: Corners = (a, b, c, d)
    face, ink, there = (certainty(others, card, kinds) for kinds in (FACE, INK, PRESENCE))
    return SeenCard(int(card), outline, face * ink * there, ink, face, there)


def _scaled(located: Located, growth: float) -> tuple[TableView, tuple[float, float] | None]:
    """The view with its scale set by the cards' known size, where no marker gives it."""
    if located.scaled:
        return located.view, located.play_area_mm
    rough = located.view
    view = TableView(rough.lens, rough.rotation, rough.translation_mm / (1 + growth))
    if located.play_area_mm is None:
        return view, None
    marked = table_from_markers(view, located.markers)
    return (view, None) if marked is None else (marked.view, marked.play_area_mm)


def _origin(rough: TableView, view: TableView, table: Table, lying: Lain) -> FloatArray:
    """The starting card's middle (2,) in the view's mm, else the lowest card's."""
    start = [rank for rank, card in enumerate(table.cards) if card.ink is None]
    first = start[0] if start else 0
    px = rough.to_px(lying.places[first, :2][None])
    return np.asarray(view.to_mm(px, float(lying.heights[first]))[0])
