"""A `tacta-reading/1` document read back: the table that it tells of."""

from pathlib import Path

from geometry.deck import Deck
from geometry.layout import Card, Layout
from geometry.pose import Pose
from rig.json_file import read_json
from rig.reading_json import FORMAT
from rig.replay.checking import Found, GameError
from rig.trouble import SettingTrouble

MOST_CARDS = 500


class ReadingUnusable(SettingTrouble, key="reading-unusable"):
    """A reading's file with a fault, and its place."""


def load_reading(path: Path, deck: Deck) -> tuple[Layout, bool]:
    """The table of a reading, its cards lowest first, and whether both scores were sure.
    SettingTrouble, one sentence with the place,
    if there is none, or it has cards that the deck does not have.
    """
    data = read_json(path, "reading")
    try:
        return parse_reading(data, deck)
    except GameError as fault:
        raise ReadingUnusable(path=path, why=fault) from fault


def parse_reading(data: object, deck: Deck) -> tuple[Layout, bool]:
    """The same of a decoded document. GameError with the place."""
    whole = Found("the reading", data)
    if whole.at("format").text() != FORMAT:
        whole.at("format").refuse(f"expected {FORMAT!r}")
    if (error := whole.get("error")) is not None:
        error.refuse(f"it could not be read: {error.text()}")
    cards = tuple(_card(found, deck) for found in whole.at("cards").items(MOST_CARDS))
    if len({card.id for card in cards}) < len(cards):
        whole.at("cards").refuse("two cards have the same id")
    sure = whole.at("sure").yes_or_no() and whole.at("sure_without_illegal").yes_or_no()
    area = whole.get("play_area_mm")
    if area is None:
        return Layout(deck, cards, None), sure
    sides = [one.number() for one in area.items(2)]
    if len(sides) != 2 or min(sides) <= 0:
        area.refuse("expected two lengths above zero")
    return Layout(deck, cards, (sides[0], sides[1])), sure


def _card(found: Found, deck: Deck) -> Card:
    colour, face = found.at("colour").text(), found.at("face").text()
    start = (deck.starting_colour.name, deck.starting_face.id)
    is_played = colour in {c.name for c in deck.colours} and face in {f.id for f in deck.faces}
    if not is_played and (colour, face) != start:
        found.refuse(f"the deck {deck.name!r} has no card {colour} {face}")
    pose = Pose(
        found.at("x_mm").number(),
        found.at("y_mm").number(),
        found.at("angle_deg").number(),
        found.at("mirrored").yes_or_no(),
    )
    return Card(found.at("id").count(), colour, face, pose)
