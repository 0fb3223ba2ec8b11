"""What a person should look at: where the readings disagree, and what each could change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from geometry.deck import Deck
from geometry.layout import Card, Layout
from geometry.rules import Rules
from geometry.score import RoundScore, score_round
from geometry.showing import dot_parts
from geometry.verdict import judge
from vision.dots import dot_whiteness, match
from vision.evidence import Evidence
from vision.hidden_cards import Segments, line_like, unexplained_lines
from vision.limits import shortcomings
from vision.order import bottom_up
from vision.pose_fit import place, turns
from vision.reading import Doubt, DoubtKind
from vision.reconstruct import Table
from vision.view import TableView

FloatArray = NDArray[np.float64]
LEAST_MARGIN = 0.008
"""A face whose rival fits this little worse, as a share of a black card's misfit, is doubted."""
LEAST_SIDE_MARGIN = 0.003
"""The same between front and back, which differ by few shapes once others are covered."""
WORST_FIT = 0.5
LEAST_LEAD = 0.12
LEAST_COLOUR = 0.98
STRAY_MM = 12.0
LINE_ON_CARD_MM = 12.0
LINE_OFF_CARD_MM = 20.0
HALF_SHOWN = (0.25, 0.75)
"""A dot that shows by a share between these is not clearly seen or hidden."""


@dataclass(frozen=True, eq=False)
class Scene:
    """What doubts are raised from: the table as read, its layout, and where it is in the picture.

    `rough` is the view that the raster was made with, in whose millimetres
    `table` is. `score` is the layout's own.
    """

    table: Table
    layout: Layout
    evidence: Evidence
    rough: TableView
    deck: Deck
    rules: Rules
    score: RoundScore

    def at_px(self, table_mm: FloatArray) -> tuple[float, float]:
        """A rough table point in the photograph."""
        x, y = self.rough.to_px(np.asarray(table_mm).reshape(1, 2))[0]
        return float(x), float(y)


def find_doubts(scene: Scene) -> tuple[Doubt, ...]:
    """All doubts, those about whole cards first."""
    return (
        *_card_doubts(scene),
        *_colour_doubts(scene),
        *_order_doubts(scene),
        *_dot_doubts(scene),
        *_half_dots(scene),
        *_line_doubts(scene),
        *_count_doubts(scene),
        *_start_doubt(scene),
        *_range_doubts(scene),
    )


def score_of(layout: Layout, rules: Rules) -> RoundScore:
    """Both scores of a layout."""
    return score_round(layout, judge(layout, rules))


def _changes(before: RoundScore, after: RoundScore) -> tuple[Mapping[str, int], Mapping[str, int]]:
    return (
        _difference(before.as_it_lies, after.as_it_lies),
        _difference(before.without_illegal, after.without_illegal),
    )


def _difference(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, int]:
    names = sorted({*before, *after})
    return {
        name: after.get(name, 0) - before.get(name, 0)
        for name in names
        if after.get(name, 0) != before.get(name, 0)
    }


def _doubt(
    scene: Scene, kind: DoubtKind, card: int | None, at_mm: FloatArray, reason: str,
    other: Layout | None,
) -> Doubt:  # fmt: skip
    """A doubt whose other answer is the layout `other`; None: that is not known."""
    if other is None:
        return Doubt(kind, card, scene.at_px(at_mm), reason)
    first, second = _changes(scene.score, score_of(other, scene.rules))
    return Doubt(kind, card, scene.at_px(at_mm), reason, first, second)


def _with(layout: Layout, card: Card) -> Layout:
    cards = tuple(card if old.id == card.id else old for old in layout.cards)
    return replace(layout, cards=cards)


def _card_doubts(scene: Scene) -> Iterable[Doubt]:
    named = scene.table.named
    for card in scene.layout.cards:
        at = named.poses[card.id, :2]
        if card.colour == scene.deck.starting_colour.name:
            continue
        rival = _rival(scene, card)
        if rival is not None and named.margin[card.id] < _least_margin(card, rival):
            other = _with(scene.layout, rival)
            doubt = _doubt(scene, "face", card.id, at, _face_reason(card, rival), other)
            if rival.face != card.face or _matters(doubt):
                yield doubt
        elif named.fit[card.id] > WORST_FIT:
            other = scene.layout.without([card.id])
            reason = "this card does not look as it should"
            yield _doubt(scene, "card", card.id, at, reason, other)


def _rival(scene: Scene, card: Card) -> Card | None:
    """The card as the next best reading has it; None where that is a starting card."""
    row = int(scene.table.named.rivals[card.id])
    face = scene.table.templates.faces[row // 2]
    if face == scene.deck.starting_face.id:
        return None
    if face != card.face:
        return replace(card, face=face)
    return replace(card, pose=replace(card.pose, mirrored=bool(row % 2)))


def _least_margin(card: Card, rival: Card) -> float:
    return LEAST_MARGIN if rival.face != card.face else LEAST_SIDE_MARGIN


def _face_reason(card: Card, rival: Card) -> str:
    if rival.face != card.face:
        return f"this card shows too little to tell {card.face} from {rival.face}"
    return "this card shows too little to tell its front from its back"


def _matters(doubt: Doubt) -> bool:
    return bool(doubt.changes_scores_by or doubt.changes_scores_without_illegal_by)


def _colour_doubts(scene: Scene) -> Iterable[Doubt]:
    naming, templates = scene.table.naming, scene.table.templates
    for card in scene.layout.cards:
        if naming.confidence[card.id] >= LEAST_COLOUR:
            continue
        rival = templates.colours[int(naming.runner_up[card.id])]
        other = _with(scene.layout, replace(card, colour=rival))
        reason = f"this card may be {card.colour} or {rival}"
        at = scene.table.named.poses[card.id, :2]
        yield _doubt(scene, "colour", card.id, at, reason, other)


def _order_doubts(scene: Scene) -> Iterable[Doubt]:
    pairs = scene.table.stack.pairs
    rank = {card: k for k, card in enumerate(scene.table.stack.order)}
    against = {frozenset(pair) for pair in scene.table.stack.against}
    for (a, b), lead, places in zip(pairs.pairs, pairs.lead, pairs.places, strict=True):
        weak = abs(float(lead)) < LEAST_LEAD and places >= 4
        if not weak and frozenset((int(a), int(b))) not in against:
            continue
        upper, lower = (a, b) if rank[int(a)] > rank[int(b)] else (b, a)
        other = _swapped(scene, int(upper), int(lower))
        if other is None:
            continue
        first, second = _changes(scene.score, score_of(other, scene.rules))
        if not first and not second:
            continue
        at = scene.table.named.poses[[int(a), int(b)], :2].mean(axis=0)
        reason = "it is not clear which of these two cards lies on top"
        yield Doubt("order", int(upper), scene.at_px(at), reason, first, second)


def _swapped(scene: Scene, upper: int, lower: int) -> Layout | None:
    """The layout with these two the other way round and all other pairs as they are.

    None where the other pairs do not allow it.
    """
    rank = {card: k for k, card in enumerate(scene.table.stack.order)}
    above = {}
    for a, b in scene.table.stack.pairs.pairs:
        first, second = (int(a), int(b)) if rank[int(a)] > rank[int(b)] else (int(b), int(a))
        above[(first, second)] = 1.0
    del above[(upper, lower)]
    above[(lower, upper)] = 1.0
    order, dropped = bottom_up(len(rank), above)
    if dropped:
        return None
    by_id = {card.id: card for card in scene.layout.cards}
    return replace(scene.layout, cards=tuple(by_id[i] for i in order))


@dataclass(frozen=True, eq=False)
class _Expected:
    """Dots that the layout says must show, in rough table mm, and whose they are."""

    at_mm: FloatArray
    owners: tuple[Card, ...]
    parts: tuple[float, ...]


def _expected_dots(scene: Scene, low: float, high: float) -> _Expected:
    """Dots of which a share above `low` and up to `high` shows."""
    spots, owners, shown = [], [], []
    parts = dot_parts(scene.layout)
    for card in scene.layout.cards:
        dots = np.asarray(scene.deck.face(card.face).dots_mm).reshape(-1, 2)
        flip = -1.0 if card.pose.mirrored else 1.0
        rough = place(scene.table.named.poses[card.id][None], dots * [flip, 1.0])[0]
        for spot, part in zip(rough, parts[card.id], strict=True):
            if low < part <= high:
                spots.append(spot)
                owners.append(card)
                shown.append(part)
    return _Expected(np.array(spots, dtype=np.float64).reshape(-1, 2), tuple(owners), tuple(shown))


def _dot_doubts(scene: Scene) -> Iterable[Doubt]:
    """Where dots that the layout says must show and white discs that are seen do not agree."""
    expected = _expected_dots(scene, 0.5, 1.0)
    seen = scene.table.dots
    to_seen, to_expected = match(expected.at_mm, seen.middle_mm)
    yield from _missing_dots(scene, expected, np.flatnonzero(to_seen < 0))
    for k in np.flatnonzero((to_expected < 0) & _near_cards(scene, seen.middle_mm)):
        colour = _nearest_colour(scene, seen.ground[k])
        reason = "a white dot that no card explains"
        yield _dot_doubt(scene, None, seen.middle_mm[k], reason, colour, 1)
    for i in np.flatnonzero(to_seen >= 0):
        owner = expected.owners[i].colour
        looks = _nearest_colour(scene, seen.ground[to_seen[i]])
        if looks != owner and _clearly(scene, seen.ground[to_seen[i]], looks, owner):
            reason = f"this dot was counted as {owner} but lies on {looks}"
            yield _dot_doubt(scene, expected.owners[i].id, expected.at_mm[i], reason, owner, -1)


def _near_cards(scene: Scene, spots_mm: FloatArray) -> NDArray[np.bool_]:
    """Which spots (K,) lie on a card or within `STRAY_MM` of one: dice lie farther away, and a
    card that was missed altogether shows by its lines.
    """
    half = np.array([scene.deck.card.width_mm, scene.deck.card.height_mm]) / 2 + STRAY_MM
    poses = scene.table.named.poses
    away = spots_mm[None] - poses[:, None, :2]
    local = np.einsum("nji,nkj->nki", turns(poses[:, 2]), away)
    return np.asarray((np.abs(local) < half).all(axis=2).any(axis=0))


def _missing_dots(scene: Scene, expected: _Expected, missing: NDArray[np.intp]) -> Iterable[Doubt]:
    if len(missing) == 0:
        return
    white, burnt = dot_whiteness(scene.evidence, expected.at_mm[missing], scene.deck)
    for k, contrast, lost in zip(missing, white, burnt, strict=True):
        if contrast > 0.55 and lost < 0.2:
            continue
        card = expected.owners[k]
        reason = (
            "the picture is burnt out where this dot should show"
            if lost >= 0.2
            else "no white dot is seen where one should show"
        )
        yield _dot_doubt(scene, card.id, expected.at_mm[k], reason, card.colour, -1)


def _dot_doubt(
    scene: Scene, card: int | None, at_mm: FloatArray, reason: str, colour: str, change: int
) -> Doubt:
    return Doubt("dot", card, scene.at_px(at_mm), reason, {colour: change}, {colour: change})


def _half_dots(scene: Scene) -> Iterable[Doubt]:
    """Dots that a misplaced card hides by about half."""
    half = _expected_dots(scene, *HALF_SHOWN)
    for spot, card, part in zip(half.at_mm, half.owners, half.parts, strict=True):
        reason = "this dot is about half hidden"
        yield _dot_doubt(scene, card.id, spot, reason, card.colour, 1 if part <= 0.5 else -1)


def _inks(scene: Scene) -> dict[str, FloatArray]:
    """Mean ink (3,) of every colour on the table, away from grey."""
    by_colour: dict[str, list[FloatArray]] = {}
    for card in scene.layout.cards:
        if card.colour != scene.deck.starting_colour.name:
            by_colour.setdefault(card.colour, []).append(scene.table.named.ink[card.id])
    return {name: np.median(np.array(inks), axis=0) for name, inks in by_colour.items()}


def _nearest_colour(scene: Scene, ground: FloatArray) -> str:
    inks = _inks(scene)
    return max(inks, key=lambda name: _alike(ground, inks[name]))


def _clearly(scene: Scene, ground: FloatArray, looks: str, owner: str) -> bool:
    inks = _inks(scene)
    return _alike(ground, inks[looks]) - _alike(ground, inks[owner]) > 0.08


def _alike(a: FloatArray, b: FloatArray) -> float:
    return float(a @ b / max(float(np.linalg.norm(a) * np.linalg.norm(b)), 1e-9))


def _line_doubts(scene: Scene) -> Iterable[Doubt]:
    """White lines like a card's that no card accounts for: one was missed, or misread."""
    table = scene.table
    lines = unexplained_lines(scene.evidence, table.named, table.stack.order, table.templates)
    lines = lines.take(line_like(scene.evidence, lines, table.named, table.templates))
    if len(lines.start_mm) == 0:
        return
    middle = (lines.start_mm + lines.end_mm) / 2
    half = np.array([scene.deck.card.width_mm, scene.deck.card.height_mm]) / 2
    poses = table.named.poses
    local = np.einsum("nji,nkj->nki", turns(poses[:, 2]), middle[None] - poses[:, None, :2])
    on_card = (np.abs(local) < half).all(axis=2).any(axis=0)
    for chosen, least in ((on_card, LINE_ON_CARD_MM), (~on_card, LINE_OFF_CARD_MM)):
        for group in _groups(lines.take(chosen)):
            if float(group.length_mm.max()) >= least:
                yield _line_doubt(scene, group)


def _count_doubts(scene: Scene) -> Iterable[Doubt]:
    """Players lay equally many cards (S3, E1); only a free-for-all ends before that (V4)."""
    if scene.rules.free_for_all:
        return
    colours = [card.colour for card in scene.layout.cards]
    start = scene.deck.starting_colour.name
    counts = {name: colours.count(name) for name in sorted(set(colours)) if name != start}
    most = max(counts.values(), default=0)
    for name, count in counts.items():
        if count < most:
            at = scene.table.named.poses[:, :2].mean(axis=0)
            reason = f"only {count} {name} cards are seen where others have {most}"
            changes = {name: most - count}
            yield Doubt("missing", None, scene.at_px(at), reason, changes, changes)


def _start_doubt(scene: Scene) -> Iterable[Doubt]:
    """Every table has a starting card (S2); without it placements on it are misjudged."""
    start = scene.deck.starting_face.id
    if any(card.face == start for card in scene.layout.cards):
        return
    at = scene.at_px(scene.table.named.poses[:, :2].mean(axis=0))
    changes = dict.fromkeys(_inks(scene), 1)
    yield Doubt("missing", None, at, "the starting card is not seen", {}, changes)


def _range_doubts(scene: Scene) -> Iterable[Doubt]:
    """A picture outside the range in which readings are trusted makes every colour unsure."""
    table = scene.table
    at = scene.at_px(table.named.poses[:, :2].mean(axis=0))
    for reason in shortcomings(table, scene.evidence, scene.rough):
        changes = dict.fromkeys(_inks(scene), 1)
        yield Doubt("table", None, at, reason, changes, changes)


def _line_doubt(scene: Scene, group: Segments) -> Doubt:
    at = ((group.start_mm + group.end_mm) / 2).mean(axis=0)
    reason = "white lines that no card accounts for: a card may have been missed here"
    changes = dict.fromkeys(_inks(scene), 1)
    return Doubt("missing", None, scene.at_px(at), reason, changes, changes)


def _groups(lines: Segments) -> list[Segments]:
    """Segments whose middles lie within 25 mm of each other, together."""
    middle = (lines.start_mm + lines.end_mm) / 2
    left = list(range(len(middle)))
    groups = []
    while left:
        near = [k for k in left if np.hypot(*(middle[k] - middle[left[0]])) < 25]
        keep = np.zeros(len(middle), np.bool_)
        keep[near] = True
        groups.append(lines.take(keep))
        left = [k for k in left if k not in near]
    return groups
