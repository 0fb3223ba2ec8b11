"""Doubts about cards: which face, which colour, which lies on top."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from shapely import contains_xy

from geometry.layout import Card, Layout
from geometry.showing import shown
from vision.arrays import Bools
from vision.doubting.chance_fits import ChanceFits
from vision.doubting.doubt_context import LEAST_COLOUR, DoubtContext, with_card
from vision.likelihood.odds import faces_left, likelier_on_top
from vision.naming.badge_witness import gainsaid
from vision.ordering.order import LEAST_LEAD, LEAST_PLACES, swapped
from vision.reading import Doubt
from vision.reason import Reason
from vision.settling.by_law import chosen, holder_of
from vision.settling.card_counts import UNSURE

WORST_FIT = 0.5
LEAST_LINES = 0.75
"""Of the whiteness that cards' lines usually have in this picture."""
BADGE_SHOWN, WORST_UNBADGED_FIT = 0.5, 0.3
"""A card that shows less of its badge was found by its lines alone, or where the rules want one,
and must fit better: print and paper that look like a card's edge fit by 0.35 and more."""
LOOKS_WRONG = Reason("looks-wrong")
WASHED_OUT = Reason("washed-out")


def card_doubts(scene: DoubtContext, fits: ChanceFits) -> Iterable[Doubt]:
    """Cards that may be something else and would then change a score, or that look wrong."""
    table = scene.table
    usual = float(np.median(table.lines))
    otherwise = _shows_another_face(scene) | _likelier_on_top(scene)
    for card in scene.layout.cards:
        if _starts(scene, card):
            continue
        middle = table.named.poses[card.id, :2]
        # What would be right then is not known: in a haze nothing tells, and where a badge shows
        # another face, who lies on top was misread, or another card's place.
        told = (table.hazed, WASHED_OUT), (otherwise, LOOKS_WRONG)
        for wrong, reason in told:
            if not wrong[card.id]:
                continue
            at, changes = scene.at_px(middle), scene.any_colour
            yield Doubt("card", card.id, at, reason, changes, changes)
        doubt = _face_doubt(scene, card, fits)
        if doubt is not None:
            yield doubt
        if _looks_wrong(scene, card.id, usual):
            other = scene.layout.without([card.id])
            doubt = scene.doubt_of("card", card.id, middle, LOOKS_WRONG, other)
            yield doubt if doubt.changes_scores_by else _as_another_face(scene, card, doubt)


def _shows_another_face(scene: DoubtContext) -> Bools:
    """Whose badge (N,) is another face's, unless it is much like its own and of the faces that the
    likelihood of all that shows of the card leaves none is plainly more like it: some digits look
    much alike.
    """
    table = scene.table
    told = gainsaid(table.named.rows, table.stack.patches, table.visible, table.templates)
    out = told.badge.copy()
    for card in np.flatnonzero(told.badge & told.looks).tolist():
        left = None if scene.evidence.pace.is_over else faces_left(scene.picture, card)
        own = int(table.named.rows[card] // 2)
        out[card] = left is None or told.plainly_more_like(card, [*left], own)
    return out


def _likelier_on_top(scene: DoubtContext) -> Bools:
    """Which cards (N,), of those that are called illegal and those below them, are likelier to lie
    on what covers them: few placements are illegal, and one that is so for an order that was
    misread changes scores.
    """
    out = np.zeros(len(scene.layout.cards), np.bool_)
    illegal = {i: v.on for i, v in scene.verdicts.items() if v.status == "illegal"}
    if not illegal:
        return out
    asked = set(illegal).union(*illegal.values()) & set(scene.picture.judged)
    # What a starting card's print looks like no deck says.
    for card in asked - {c.id for c in scene.layout.cards if _starts(scene, c)}:
        out[card] = likelier_on_top(scene.picture, card)
    return out


def _looks_wrong(scene: DoubtContext, card: int, usual: float) -> bool:
    """Poor fits are the lamps' where the card's lines are seen all the same."""
    table = scene.table
    if table.named.fit[card] > WORST_UNBADGED_FIT:
        badge = np.flatnonzero(table.templates.badge)
        if float(np.mean(np.take(table.visible[card], badge) > 0.5)) < BADGE_SHOWN:
            return True
    return bool(table.lines[card] < LEAST_LINES * usual and table.named.fit[card] > WORST_FIT)


def _as_another_face(scene: DoubtContext, card: Card, doubt: Doubt) -> Doubt:
    """The doubt about a card without which the dots in sight are the same: as none of its own
    shows, but what it is instead is not known, it changes what the other faces left in its colour
    would show there at most.
    """
    seen, faces = shown(scene.layout)[card.id], scene.deck.faces
    others = [replace(card, face=face.id) for face in faces]
    most = 0
    for other in others:
        if other.face == card.face or holder_of(other, scene.layout.cards) is not None:
            continue
        dots = np.array(scene.deck.face(other.face).dots_mm).reshape(-1, 2)
        for turn in (0.0, 180.0):
            for mirrored in (False, True):
                pose = replace(card.pose, angle_deg=card.pose.angle_deg + turn, mirrored=mirrored)
                most = max(most, int(contains_xy(seen, pose.to_table(dots)).sum()))
    if most == 0:
        return doubt
    first = {card.colour: most}
    second = {**first, **doubt.changes_scores_without_illegal_by}
    return replace(doubt, changes_scores_by=first, changes_scores_without_illegal_by=second)


def _face_doubt(scene: DoubtContext, card: Card, fits: ChanceFits) -> Doubt | None:
    """The nearest other reading of the card that would change a score."""
    at = scene.table.named.poses[card.id, :2]
    for choice in scene.table.choices[card.id]:
        rival = chosen(card, choice, scene.table.templates)
        holder = holder_of(rival, scene.layout.cards) if rival.face != card.face else None
        for other in _layouts_with(scene, rival, card, holder):
            doubt = scene.doubt_of("face", card.id, at, _face_reason(card, rival), other)
            if doubt.matters and not fits.needed_by_face(other):
                return doubt
    return None


def _layouts_with(
    scene: DoubtContext, rival: Card, card: Card, holder: Card | None
) -> Iterable[Layout]:
    """The layout with this other reading of the card; a card that holds its face already must
    itself be able to be what the card was read as: the two exchange their faces.
    """
    layout = with_card(scene.layout, rival)
    if holder is None:
        yield layout
        return
    for choice in scene.table.choices[holder.id]:
        exchanged = chosen(holder, choice, scene.table.templates)
        if exchanged.face == card.face:
            yield with_card(layout, exchanged)


def _face_reason(card: Card, rival: Card) -> Reason:
    if rival.face != card.face:
        return Reason("face-unclear", {"face": card.face, "rival": rival.face})
    return Reason("side-unclear")


def colour_doubts(scene: DoubtContext) -> Iterable[Doubt]:
    """Cards whose colour is not sure, and groups of cards whose names are not."""
    naming, templates = scene.table.naming, scene.table.templates
    yield from _name_doubts(scene)
    for card in scene.layout.cards:
        if naming.confidence[card.id] >= LEAST_COLOUR:
            continue
        rival = templates.colours[int(naming.runner_up[card.id])]
        at = scene.table.named.poses[card.id, :2]
        if rival == card.colour:  # nothing says which other one it may be
            yield Doubt(
                "card", card.id, scene.at_px(at), LOOKS_WRONG, scene.any_colour, scene.any_colour
            )
            continue
        if _deck_forbids(scene, card, rival):
            continue
        other = with_card(scene.layout, replace(card, colour=rival))
        reason = Reason("colour-unclear", {"colour": card.colour, "rival": rival})
        doubt = scene.doubt_of("colour", card.id, at, reason, other)
        only = scene.numbers[card.colour] == 1 or scene.numbers[rival] == 0
        if only and not doubt.changes_scores_by:
            # Whether a colour is in play at all hangs on this card, though it shows no dot.
            doubt = replace(doubt, changes_scores_by={card.colour: 1, rival: 1})
        yield doubt


def _name_doubts(scene: DoubtContext) -> Iterable[Doubt]:
    """One doubt for each two groups of cards that may have each other's name."""
    colours = scene.table.templates.colours
    for pair in scene.table.naming.open_names:
        read, other = (colours[k] for k in pair)
        if read not in scene.numbers:
            continue
        swapped = {read: other, other: read}
        cards = tuple(
            replace(card, colour=swapped.get(card.colour, card.colour))
            for card in scene.layout.cards
        )
        reason = Reason("colours-unclear", {"colour": read, "rival": other})
        layout = replace(scene.layout, cards=cards)
        yield scene.doubt_of("colour", None, scene.middle_mm, reason, layout)


def _deck_forbids(scene: DoubtContext, card: Card, rival: str) -> bool:
    """Whether a card cannot be of another colour: for each face exists once per colour, or for all
    colours have equally many cards as it is read, and then two would differ by two.

    Only where no other card is unsure that could change places with it; where the numbers alone
    tell a colour, no other at all. A group of cards that may have another's name is unsure.
    """
    naming, cards = scene.table.naming, scene.layout.cards
    unsure = [k.id for k in cards if k != card and naming.confidence[k.id] < LEAST_COLOUR]
    if scene.table.hazed[card.id]:
        return False
    if naming.confidence[card.id] <= UNSURE and unsure:
        return False
    both = {scene.table.templates.colours.index(name) for name in (card.colour, rival)}
    if any(both & {int(naming.colour[k]), int(naming.runner_up[k])} for k in unsure):
        return False
    holder = holder_of(replace(card, colour=rival), cards)
    choices = scene.table.choices
    if holder is not None and not choices[card.id] and not choices[holder.id]:
        return True
    return scene.equally_many


def _starts(scene: DoubtContext, card: Card) -> bool:
    """Whether a card is the starting card: it lay there before all others (S2)."""
    return card.colour == scene.deck.starting_colour.name


def order_doubts(scene: DoubtContext, fits: ChanceFits) -> Iterable[Doubt]:
    """Pairs of which either may lie on top, where that would change a score; what covers the
    starting card lies on it, unless the picture plainly says the contrary.
    """
    stack = scene.table.stack
    rank = {card: k for k, card in enumerate(stack.order)}
    against = {frozenset(pair) for pair in stack.against}
    pairs = stack.pairs
    telling = (np.abs(pairs.lead) >= LEAST_LEAD) & (pairs.places >= LEAST_PLACES)
    leads = np.where(telling, pairs.lead, 0.0).tolist()
    told = zip(pairs.pairs.tolist(), pairs.clear, leads, strict=True)
    for (a, b), clear, lead in told:
        if clear and frozenset((a, b)) not in against:
            continue
        upper, lower = (a, b) if rank[a] > rank[b] else (b, a)
        gainsaid = lead < 0 if upper == a else lead > 0
        order = swapped(stack.pairs, stack.order, upper, lower)
        if order is None:
            continue
        by_id = {card.id: card for card in scene.layout.cards}
        other = replace(scene.layout, cards=tuple(by_id[i] for i in order))
        if _starts(scene, by_id[lower]) and not (clear and gainsaid):
            continue
        if not gainsaid and fits.needed_by_order(other):
            continue
        at = scene.table.named.poses[[a, b], :2].mean(axis=0)
        doubt = scene.doubt_of("order", upper, at, Reason("order-unclear"), other)
        if doubt.matters:
            yield doubt
