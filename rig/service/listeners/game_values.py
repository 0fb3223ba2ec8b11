"""The followed game for listeners: each event once, and how it stands."""

from collections.abc import Iterator, Mapping
from typing import Any

from rig.service.game.now import Now
from rig.service.game.signalling import standing_signal
from rig.service.game.view import event_document, event_json, game_document

_ON_THE_PAGE = ("outline_px", "target_px")
NO_GAME: Mapping[str, Any] = {
    **dict.fromkeys(("game", "match", "round", "turn", "scores", "last")),
    "doing": "off",
    "signal": "off",
    "cards_left": {},
    "finished": False,
}


def game_events(now: Now) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Each event of the game: its subject, what of it may change later, and its values; without
    scores while these are hidden.
    """
    for one in now.events():
        data = event_json(event_document(now, one, "en"))
        for name in _ON_THE_PAGE:
            del data[name]
        event, card = one.told.event, one.told.event.card
        said = [str(event.status), str(event.rule), str(data["stays"] is not None)]
        said += [] if card is None else list(card.name)
        yield f"game {now.game} {one.number}", " ".join(said), {"game": now.game, **data}


def game_values(now: Now) -> Mapping[str, Any]:
    """How the game stands: `signal` is what a lamp shows, `last` the newest event's sentence."""
    if now.game is None:
        return NO_GAME
    found = game_document(now, "en")
    return {
        "game": found.game,
        "match": found.match,
        "round": found.round,
        "turn": found.turn,
        "scores": found.scores,
        "last": found.events[-1].message if found.events else None,
        "doing": found.doing,
        "signal": standing_signal(now).value,
        "cards_left": found.cards_left,
        "finished": found.finished,
    }
