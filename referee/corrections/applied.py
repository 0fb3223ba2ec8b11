"""One correction applied to a seen table, and the table judged as it stands: pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import singledispatch

import shapely

from geometry.layout import Card, Layout
from geometry.pose import Pose
from geometry.rules import Rules
from referee.corrections.dots import Dots, shown_as_told
from referee.corrections.kinds import (
    AddCard,
    AnswerDoubt,
    ChangeColour,
    ChangeFace,
    ChangeSide,
    CountDot,
    LayOver,
    LayUnder,
    MoveCard,
    OverruleVerdict,
    RemoveCard,
    SettleDoubt,
)
from referee.corrections.layers import laid_over
from referee.corrections.misfits import (
    CardGone,
    DoubtGone,
    NothingToChange,
    NotInDeck,
)
from referee.corrections.rulings import Ruling, doubt_key, ruled
from referee.corrections.twins import twin_doubts
from vision.assemble import assemble
from vision.reading import Doubt, DoubtKind, Reading, SeenCard, SeenTable
from vision.together.places import Places


@dataclass(frozen=True, slots=True)
class CorrectedTable:
    """A seen table on its way through the corrections.

    `as_seen` is what the pixels said, `rulings` what the players say of placements, `dots` what
    they say of single dots, `settled` the doubts that somebody looked at: the doubt's key, and
    its card.
    """

    as_seen: SeenTable
    seen: SeenTable
    rules: Rules
    rulings: Mapping[int, Ruling] = field(default_factory=dict)
    dots: Dots = field(default_factory=dict)
    settled: frozenset[tuple[str, int | None]] = frozenset()


def reading_of(table: CorrectedTable) -> Reading:
    """The table as it stands, judged and scored, with the players' rulings."""
    doubts = (*table.seen.doubts, *twin_doubts(table.as_seen.layout, table.seen))
    settled = {key for key, _ in table.settled}
    left = tuple(doubt for doubt in doubts if doubt_key(doubt) not in settled)
    reading = ruled(assemble(replace(table.seen, doubts=left), table.rules), table.rulings)
    return shown_as_told(reading, table.dots)


@singledispatch
def apply(correction: object, table: CorrectedTable) -> CorrectedTable:
    """The table with one correction more. CorrectionRefused says why it does not fit."""
    raise ValueError(f"expected a correction to {table}, found {type(correction).__name__}")


@apply.register
def _(correction: ChangeColour, table: CorrectedTable) -> CorrectedTable:
    card = _card(correction.card, table)
    if card.colour == correction.colour:
        raise NothingToChange(card=card.id)
    changed = replace(card, colour=correction.colour)
    return _settled(_with_card(table, changed), card.id, ("colour",), colour_confidence=1.0)


@apply.register
def _(correction: ChangeFace, table: CorrectedTable) -> CorrectedTable:
    card = _card(correction.card, table)
    deck = table.seen.layout.deck
    colour = correction.colour or card.colour
    if correction.face == deck.starting_face.id:
        colour = deck.starting_colour.name
    changed = replace(card, face=correction.face, colour=colour)
    if changed == card:
        raise NothingToChange(card=card.id)
    surer = _settled(_with_card(table, changed), card.id, ("face",), face_confidence=1.0)
    if colour == card.colour:
        return surer
    return _settled(surer, card.id, ("colour",), colour_confidence=1.0)


@apply.register
def _(correction: ChangeSide, table: CorrectedTable) -> CorrectedTable:
    card = _card(correction.card, table)
    if card.pose.mirrored == correction.mirrored:
        raise NothingToChange(card=card.id)
    pose = replace(card.pose, mirrored=correction.mirrored)
    changed = _with_card(table, replace(card, pose=pose))
    return _settled(changed, card.id, ("face",), face_confidence=1.0)


@apply.register
def _(correction: MoveCard, table: CorrectedTable) -> CorrectedTable:
    card = _card(correction.card, table)
    pose = replace(
        card.pose,
        x_mm=correction.x_mm,
        y_mm=correction.y_mm,
        angle_deg=correction.angle_deg,
    )
    if card.pose == pose:
        raise NothingToChange(card=card.id)
    changed = _with_card(table, replace(card, pose=pose))
    return _settled(changed, card.id, ("card",), pose_confidence=1.0)


@apply.register
def _(correction: LayOver, table: CorrectedTable) -> CorrectedTable:
    return _restacked(table, upper=correction.card, lower=correction.other)


@apply.register
def _(correction: LayUnder, table: CorrectedTable) -> CorrectedTable:
    return _restacked(table, upper=correction.other, lower=correction.card)


@apply.register
def _(correction: RemoveCard, table: CorrectedTable) -> CorrectedTable:
    card = _card(correction.card, table)
    seen = table.seen
    return replace(
        table,
        seen=replace(
            seen,
            layout=seen.layout.without([card.id]),
            cards=tuple(other for other in seen.cards if other.id != card.id),
            doubts=tuple(doubt for doubt in seen.doubts if doubt.card != card.id),
        ),
        rulings=_without(table.rulings, card.id),
        dots=_dots_without(table.dots, card.id),
    )


@apply.register
def _(correction: AddCard, table: CorrectedTable) -> CorrectedTable:
    seen = table.seen
    card = Card(correction.card, correction.colour, correction.face, correction.pose)
    _check_printed(card, seen.layout)
    if any(other.id == card.id for other in seen.layout.cards):
        raise NothingToChange(card=card.id)
    outline = Places(table.as_seen).outline_px(card)
    area = shapely.Polygon(outline)

    def still_missing(doubt: Doubt) -> bool:
        here = doubt.card is None and area.contains(shapely.Point(doubt.at_px))
        return not (here and doubt.kind in ("missing", "card"))

    return replace(
        table,
        seen=replace(
            seen,
            layout=seen.layout.laid_on_top(card),
            cards=(*seen.cards, SeenCard(card.id, outline, 1.0)),
            doubts=tuple(filter(still_missing, seen.doubts)),
        ),
    )


@apply.register
def _(correction: OverruleVerdict, table: CorrectedTable) -> CorrectedTable:
    card = _card(correction.card, table)
    ruling = Ruling(correction.legal, correction.rule)
    if table.rulings.get(card.id) == ruling:
        raise NothingToChange(card=card.id)
    return replace(table, rulings={**table.rulings, card.id: ruling})


@apply.register
def _(correction: SettleDoubt, table: CorrectedTable) -> CorrectedTable:
    found = [d for d in reading_of(table).doubts if doubt_key(d) == correction.doubt]
    if not found:
        raise DoubtGone
    verdicts = {d.card: Ruling(True) for d in found if d.kind == "verdict" and d.card is not None}
    settled = frozenset((correction.doubt, d.card) for d in found if d.kind != "verdict")
    return replace(table, settled=table.settled | settled, rulings={**table.rulings, **verdicts})


@apply.register
def _(correction: CountDot, table: CorrectedTable) -> CorrectedTable:
    card = _card(correction.card, table)
    if correction.dot >= len(table.seen.layout.deck.face(card.face).dots_mm):
        raise DoubtGone
    return replace(table, dots={**table.dots, (card.id, correction.dot): correction.shows})


@apply.register
def _(correction: AnswerDoubt, table: CorrectedTable) -> CorrectedTable:
    found = [d for d in reading_of(table).doubts if doubt_key(d) == correction.doubt]
    if not found:
        raise DoubtGone
    for step in correction.steps:
        table = apply(step, table)
    settled = frozenset((correction.doubt, doubt.card) for doubt in found)
    return replace(table, settled=table.settled | settled)


def _card(card_id: int, table: CorrectedTable) -> Card:
    try:
        return table.seen.layout.card(card_id)
    except KeyError:
        raise CardGone(card=card_id) from None


def _check_printed(card: Card, layout: Layout) -> None:
    """Only the starting card has the starting face and colour, and only it has both."""
    deck = layout.deck
    starting = (deck.starting_colour.name, deck.starting_face.id)
    colours = {colour.name for colour in deck.colours}
    faces = {face.id for face in deck.faces}
    printed = card.colour in colours and card.face in faces
    if not printed and (card.colour, card.face) != starting:
        raise NotInDeck(colour=card.colour, face=card.face)


def _with_card(table: CorrectedTable, card: Card) -> CorrectedTable:
    """One card changed in its place in the stack; what the table said of it is asked again."""
    layout = table.seen.layout
    _check_printed(card, layout)
    moved = layout.card(card.id).pose != card.pose
    cards = tuple(card if other.id == card.id else other for other in layout.cards)
    # What the picture says for and against the card as it was read, it does not say of this one.
    doubts = tuple(
        replace(doubt, odds=()) if doubt.card == card.id else doubt for doubt in table.seen.doubts
    )
    seen = replace(table.seen, layout=replace(layout, cards=cards), doubts=doubts)
    if moved:
        outline = Places(table.as_seen).outline_px(card)
        seen = _seen_again(seen, card.id, lambda found: replace(found, outline_px=outline))
    if not _in_place(layout.card(card.id).pose, card.pose):
        seen = _seen_again(seen, card.id, lambda found: replace(found, spread=None))
    settled = frozenset(entry for entry in table.settled if entry[1] != card.id)
    return replace(
        table,
        seen=seen,
        rulings=_without(table.rulings, card.id),
        dots=_dots_without(table.dots, card.id),
        settled=settled,
    )


def _in_place(before: Pose, after: Pose) -> bool:
    """Whether a card takes the same place, whichever side and way up."""
    same_middle = (before.x_mm, before.y_mm) == (after.x_mm, after.y_mm)
    return same_middle and (before.angle_deg - after.angle_deg) % 180 == 0


def _settled(
    table: CorrectedTable, card: int, kinds: tuple[DoubtKind, ...], **confidence: float
) -> CorrectedTable:
    """The table without this card's doubts of these kinds, and surer of it."""
    doubts = tuple(d for d in table.seen.doubts if d.card != card or d.kind not in kinds)
    seen = replace(table.seen, doubts=doubts)
    return replace(table, seen=_seen_again(seen, card, lambda found: _surer(found, confidence)))


def _surer(card: SeenCard, confidence: Mapping[str, float]) -> SeenCard:
    surer = SeenCard(
        id=card.id,
        outline_px=card.outline_px,
        confidence=card.confidence,
        colour_confidence=confidence.get("colour_confidence", card.colour_confidence),
        face_confidence=confidence.get("face_confidence", card.face_confidence),
        pose_confidence=confidence.get("pose_confidence", card.pose_confidence),
        spread=card.spread,
    )
    parts = (surer.colour_confidence, surer.face_confidence, surer.pose_confidence)
    return replace(surer, confidence=max(card.confidence, min(parts)))


def _seen_again(seen: SeenTable, card: int, change: Callable[[SeenCard], SeenCard]) -> SeenTable:
    return replace(
        seen, cards=tuple(change(found) if found.id == card else found for found in seen.cards)
    )


def _restacked(table: CorrectedTable, upper: int, lower: int) -> CorrectedTable:
    for card in (upper, lower):
        _card(card, table)
    seen = table.seen
    rulings = table.rulings
    for card in (upper, lower):
        rulings = _without(rulings, card)
    doubts = tuple(d for d in seen.doubts if d.kind != "order" or d.card not in (upper, lower))
    layout = laid_over(seen.layout, upper, lower)
    return replace(table, seen=replace(seen, layout=layout, doubts=doubts), rulings=rulings)


def _dots_without(dots: Dots, card: int) -> Dots:
    return {told: shows for told, shows in dots.items() if told[0] != card}


def _without(rulings: Mapping[int, Ruling], card: int) -> dict[int, Ruling]:
    return {ruled: ruling for ruled, ruling in rulings.items() if ruled != card}
