"""A followed game as a `tacta-game/1` document, and from the referee's events to it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from geometry.rules import Rules
from referee.events import Event
from referee.history import QUIET
from rig.event_json import card_data, happened_data, name_data
from rig.replay.record import FinalCount, GameRecord, RecordedCard, RecordedEvent
from rig.store.seen_json import deck_text
from vision.reading import Corners, ReadCard, Reading
from vision.together.matching import pose_of

FORMAT = "tacta-game/1"


def recorded(event: Event, frame: str, at: str | None = None) -> RecordedEvent | None:
    """An event of the referee, in the picture of this name; None where nothing happened."""
    if event.kind in QUIET:
        return None
    card, as_told = event.card, {one.name: getattr(event, one.name) for one in fields(event)}
    own = {
        "card": None if card is None else RecordedCard(card.id, card.name, card.pose),
        "outline_px": None if card is None else card.outline_px,
    }
    return RecordedEvent(**{**as_told, **own, "frame": frame, "at": at})


def final_count(reading: Reading) -> FinalCount:
    """What a table came to, from its reading."""
    return FinalCount(
        scores=reading.scores,
        scores_without_illegal=reading.scores_without_illegal,
        sure=reading.sure,
        sure_without_illegal=reading.sure_without_illegal,
        cards=tuple(_of_reading(card) for card in reading.cards),
        illegal=tuple(one.card for one in reading.illegal),
    )


def _of_reading(card: ReadCard) -> RecordedCard:
    return RecordedCard(card.id, (card.colour, card.face), pose_of(card))


def game_data(game: GameRecord) -> dict[str, object]:
    """The document. docs/replay.md describes it, and docs/tacta-game-1.schema.json."""
    area = game.play_area_mm
    return {
        "format": FORMAT,
        "deck": json.loads(deck_text(game.deck)),
        "rules": rules_data(game.rules),
        "players": list(game.players),
        "play_area_mm": None if area is None else [round(side, 2) for side in area],
        "events": [_event(event) for event in game.events],
        "names": [{"card": one.card, **name_data(one.name), "by": one.by} for one in game.names],
        "rulings": [{"card": one.card, "by": one.by} for one in game.rulings],
        "end": None if game.end is None else _end(game.end),
    }


def rules_data(rules: Rules) -> dict[str, Any]:
    """The rules as the JSON of a rules file."""
    return {
        "tolerance": asdict(rules.tolerance),
        "free_for_all": rules.free_for_all,
        **({} if rules.suits is None else {"suits": sorted(rules.suits)}),
        "off": sorted(rules.off),
    }


def _event(event: RecordedEvent) -> dict[str, object]:
    return {
        "event": event.kind,
        "frame": event.frame,
        **({} if event.at is None else {"at": event.at}),
        **happened_data(event),
        **({} if event.outline_px is None else {"outline_px": _corners(event.outline_px)}),
        **({} if event.late_s is None else {"late_s": event.late_s}),
    }


def _corners(outline_px: Corners) -> list[list[float]]:
    return [[round(x, 2), round(y, 2)] for x, y in outline_px]


def _end(end: FinalCount) -> Mapping[str, object]:
    return {
        "scores": dict(end.scores),
        "scores_without_illegal": dict(end.scores_without_illegal),
        "sure": end.sure,
        "sure_without_illegal": end.sure_without_illegal,
        "cards": [_card(card) for card in end.cards],
        "illegal": list(end.illegal),
    }


def _card(card: RecordedCard) -> dict[str, object]:
    return card_data(card.id, card.name, card.pose)
