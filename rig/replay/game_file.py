"""Reading a `tacta-game/1` document: checked throughout, and refused with the faulty place."""

from collections.abc import Mapping
from pathlib import Path
from typing import cast, get_args

from geometry.deck import Deck
from geometry.deck_file import DeckError, parse_deck
from geometry.pose import Pose
from geometry.rules import RULE_NAMES, RuleName, Rules, RulesError, parse_rules
from referee.events import PlacementStatus
from referee.known_table import Name
from rig.json_file import read_json
from rig.replay.checking import Found, GameError
from rig.replay.game_json import FORMAT
from rig.replay.record import (
    FinalCount,
    GameRecord,
    NoSuchCard,
    PersonName,
    RecordedCard,
    RecordedEvent,
    RecordedKind,
    Ruling,
    tables,
)
from rig.trouble import SettingTrouble
from vision.reading import Corners

MOST_EVENTS, MOST_CARDS = 2000, 500
_KINDS: tuple[str, ...] = get_args(RecordedKind)
_PLACEMENTS: tuple[str, ...] = get_args(PlacementStatus)


class GameUnusable(SettingTrouble, key="game-unusable"):
    """A game file with a fault, and its place."""


def load_game(path: Path) -> GameRecord:
    """Read a game file. SettingTrouble, one sentence with the place, if it cannot be used."""
    data = read_json(path, "game")
    try:
        return parse_game(data)
    except GameError as fault:
        raise GameUnusable(path=path, why=fault) from fault


def parse_game(data: object) -> GameRecord:
    """Check a decoded document and make the game; names beyond the format's are ignored.
    GameError names the first faulty place.
    """
    top = Found("the game", data)
    if top.mapping().get("format") != FORMAT:
        top.refuse(f"expected the format {FORMAT}")
    deck = _deck(top.at("deck"))
    game = GameRecord(
        deck=deck,
        rules=_rules(top.at("rules")),
        players=_players(top.at("players"), deck),
        play_area_mm=_area(top.get("play_area_mm")),
        events=tuple(_event(one, deck) for one in top.at("events").items(MOST_EVENTS)),
        names=tuple(_person_name(one, deck) for one in top.at("names").items(MOST_CARDS)),
        rulings=tuple(
            Ruling(one.at("card").count(), one.at("by").text())
            for one in top.at("rulings").items(MOST_CARDS)
        ),
        end=_end(top.get("end"), deck),
    )
    try:
        for _ in tables(game):
            pass
    except NoSuchCard as fault:
        there = "lies there already" if fault.lies else "does not lie there"
        raise GameError(f"events[{fault.event}].card: card {fault.card} {there}") from fault
    return game


def _deck(found: Found) -> Deck:
    try:
        return parse_deck(found.value)
    except DeckError as fault:
        found.refuse(str(fault))


def _rules(found: Found) -> Rules:
    try:
        return parse_rules(found.value)
    except RulesError as fault:
        found.refuse(str(fault))


def _players(found: Found, deck: Deck) -> tuple[str, ...]:
    colours = tuple(colour.name for colour in deck.colours)
    players = tuple(one.one_of(colours) for one in found.items(len(colours)))
    if len(set(players)) != len(players):
        found.refuse("names a colour twice")
    return players


def _area(found: Found | None) -> tuple[float, float] | None:
    if found is None:
        return None
    sides = [one.number() for one in found.items(2)]
    if len(sides) != 2 or min(sides) <= 0:
        found.refuse("expected a width and a height in millimetres")
    return sides[0], sides[1]


def _event(found: Found, deck: Deck) -> RecordedEvent:
    kind = cast("RecordedKind", found.at("event").one_of(_KINDS))
    card, was, at = found.get("card"), found.get("was"), found.get("at")
    status, rule = found.get("status"), found.get("rule")
    if (card is None) != (kind == "disturbed"):
        found.at("card").refuse(f"expected {'none' if card else 'a card'} where one is {kind}")
    notes = found.get("notes")
    return RecordedEvent(
        kind=kind,
        frame=found.at("frame").text(),
        card=None if card is None else _card(card, deck),
        was=None if was is None else _name(was, deck),
        status=None if status is None else cast("PlacementStatus", status.one_of(_PLACEMENTS)),
        rule=None if rule is None else cast("RuleName", rule.one_of(RULE_NAMES)),
        on=tuple(one.count() for one in found.at("on").items(MOST_CARDS)),
        offset_mm=_number(found.get("offset_mm")),
        offset_deg=_number(found.get("offset_deg")),
        sure=found.at("sure").yes_or_no(),
        scores=_scores(found.get("scores"), deck),
        notes=() if notes is None else tuple(one.text() for one in notes.items(20)),
        at=None if at is None else at.text(),
        outline_px=_corners(found.get("outline_px")),
        late_s=_number(found.get("late_s")),
    )


def _corners(found: Found | None) -> Corners | None:
    if found is None:
        return None
    points = [_point(one) for one in found.items(4)]
    if len(points) != 4:
        found.refuse("expected four corners")
    return points[0], points[1], points[2], points[3]


def _point(found: Found) -> tuple[float, float]:
    numbers = [one.number() for one in found.items(2)]
    if len(numbers) != 2:
        found.refuse("expected x and y in pixels")
    return numbers[0], numbers[1]


def _number(found: Found | None) -> float | None:
    return None if found is None else found.number()


def _card(found: Found, deck: Deck) -> RecordedCard:
    pose = Pose(
        found.at("x_mm").number(),
        found.at("y_mm").number(),
        found.at("angle_deg").number(),
        found.at("mirrored").yes_or_no(),
    )
    return RecordedCard(found.at("id").count(), _name(found, deck), pose)


def _name(found: Found, deck: Deck) -> Name:
    colours = tuple(colour.name for colour in (*deck.colours, deck.starting_colour))
    faces = tuple(face.id for face in (*deck.faces, deck.starting_face))
    return found.at("colour").one_of(colours), found.at("face").one_of(faces)


def _person_name(found: Found, deck: Deck) -> PersonName:
    return PersonName(found.at("card").count(), _name(found, deck), found.at("by").text())


def _scores(found: Found | None, deck: Deck) -> Mapping[str, int] | None:
    if found is None:
        return None
    known = {colour.name for colour in deck.colours}
    for name in found.mapping():
        if name not in known:
            found.refuse(f"the deck has no colour {name!r:.40}")
    return {name: found.at(name).count() for name in found.mapping()}


def _end(found: Found | None, deck: Deck) -> FinalCount | None:
    if found is None:
        return None
    cards = tuple(_card(one, deck) for one in found.at("cards").items(MOST_CARDS))
    if len({card.id for card in cards}) != len(cards):
        found.at("cards").refuse("has an id twice")
    return FinalCount(
        scores=_scores(found.at("scores"), deck) or {},
        scores_without_illegal=_scores(found.at("scores_without_illegal"), deck) or {},
        sure=found.at("sure").yes_or_no(),
        sure_without_illegal=found.at("sure_without_illegal").yes_or_no(),
        cards=cards,
        illegal=tuple(one.count() for one in found.at("illegal").items(MOST_CARDS)),
    )
