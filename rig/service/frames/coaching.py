"""The coach's answer about a table: every place for a card, where it lies in the picture."""

from __future__ import annotations

from geometry.coach import Suggestion, suggestions
from geometry.deck import Deck
from geometry.layout import Card, Layout
from geometry.rules import Rules
from referee.corrections.misfits import NotInDeck
from rig.service.frames.documents import CoachDocument, CoachPlace
from vision.reading import SeenTable
from vision.together.places import Places


def coached(seen: SeenTable, rules: Rules, colour: str, face: str) -> CoachDocument:
    """Where this card could go on a table that was seen, best first. NotInDeck.

    A card of this name that lies there is taken off first: where else could it have gone?
    """
    _check_played(seen.layout.deck, colour, face)
    lies = [card.id for card in seen.layout.cards if (card.colour, card.face) == (colour, face)]
    table = seen.layout.without(lies)
    places = Places(seen) if seen.cards else None
    return CoachDocument(
        colour=colour,
        face=face,
        lifted=lies,
        places=[
            _place(one, table, places, (colour, face))
            for one in suggestions(table, colour, face, rules)
            if places is not None
        ],
    )


def _check_played(deck: Deck, colour: str, face: str) -> None:
    if colour not in {one.name for one in deck.colours} or face not in {f.id for f in deck.faces}:
        raise NotInDeck(colour=colour, face=face)


def _place(
    suggestion: Suggestion, table: Layout, places: Places, name: tuple[str, str]
) -> CoachPlace:
    placement = suggestion.placement
    pose = placement.pose
    below = table.card(placement.on)
    return CoachPlace(
        x_mm=round(pose.x_mm, 3),
        y_mm=round(pose.y_mm, 3),
        angle_deg=round(pose.angle_deg % 360, 3) % 360,
        mirrored=pose.mirrored,
        outline_px=[
            (round(x, 1), round(y, 1)) for x, y in places.outline_px(Card(-1, *name, pose))
        ],
        on=placement.on,
        on_colour=below.colour,
        on_face=below.face,
        covers=dict(suggestion.covers),
        gain=dict(suggestion.gain),
        safe_dots=suggestion.safe_dots,
    )
