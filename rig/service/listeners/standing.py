"""How things stand, as they are told to listeners: the rounds', and the followed game's."""

import logging
from collections.abc import Iterator, Mapping
from typing import Any

from referee.rounds.rounds_json import match_of
from rig.listeners.topics import States
from rig.service.frames.frame_readings import Read
from rig.service.game.now import Now
from rig.service.game.signalling import standing_signal
from rig.service.game.view import event_document, event_json, game_document
from rig.service.listeners.parts import ListenerParts
from rig.service.matches.documents import RoundDocument
from rig.service.matches.round_documents import round_document
from rig.store.frame import Frame
from rig.store.trouble import RowUnreadable
from rig.trouble import Trouble

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


_log = logging.getLogger(__name__)
_LOOKED_BACK = 20
"""So many of the newest photos are looked through for one that was read."""
_NO_FRAME: Mapping[str, Any] = {
    **dict.fromkeys(("frame", "taken_at", "sure", "sure_without_illegal", "doubts", "illegal")),
    "scores": {},
    "scores_without_illegal": {},
}
_NO_ROUND: Mapping[str, Any] = {"state": "none", "sure": None, "leaders": [], "sides": []}


def standing(parts: ListenerParts) -> States:
    """As it is now, with every correction; the score of a round that was undone is gone.

    What cannot be found out is told as nothing: a score that may be old is worse than none.
    """
    try:
        return {
            "camera": _camera(parts),
            "frame": _frame(parts),
            "round": _round(parts),
            "game": game_values(parts.game.now()),
        }
    except Trouble as trouble:  # it was deleted meanwhile
        _log.info("not told how things stand: %s", trouble)
    except Exception:  # noqa: BLE001 - events are told all the same
        _log.exception("not told how things stand")
    return {"camera": _camera(parts), "frame": _NO_FRAME, "round": _NO_ROUND, "game": NO_GAME}


def frame_values(frame: str, read: Read) -> dict[str, Any]:
    """A photo's score, and how sure it is."""
    reading = read.replayed.reading
    return {
        "frame": frame,
        "scores": dict(reading.scores),
        "sure": reading.sure,
        "scores_without_illegal": dict(reading.scores_without_illegal),
        "sure_without_illegal": reading.sure_without_illegal,
        "doubts": len(reading.doubts),
        "illegal": len(reading.illegal),
    }


def round_values(round_: RoundDocument) -> dict[str, Any]:
    """A round's score, and who has signed it."""
    return {
        "match": round_.match,
        "round": round_.number,
        "frame": round_.frame,
        "sure": round_.sure,
        "sides": [side.model_dump() for side in round_.sides],
        "leaders": round_.leaders,
        "missing_by_colour": round_.missing_by_colour,
        "signed_by": [one.model_dump() for one in round_.signatures],
    }


def _camera(parts: ListenerParts) -> Mapping[str, Any]:
    return {"condition": "none" if parts.camera is None else parts.camera.state().condition}


def _frame(parts: ListenerParts) -> Mapping[str, Any]:
    newest = _newest_read(parts)
    if newest is None:
        return _NO_FRAME
    try:
        read = parts.readings.read(newest.id)
    except RowUnreadable:
        return _NO_FRAME
    return {**frame_values(newest.id, read), "taken_at": newest.taken_at}


def _newest_read(parts: ListenerParts) -> Frame | None:
    frames = parts.store.frames.latest(_LOOKED_BACK)
    return next((frame for frame in frames if frame.state == "read"), None)


def _round(parts: ListenerParts) -> Mapping[str, Any]:
    for kept in parts.store.matches.latest(1):
        for newest in parts.store.matches.rounds(kept.id)[-1:]:
            round_ = round_document(parts.matches, match_of(kept.data), newest)
            return {**round_values(round_), "state": round_.state}
    return _NO_ROUND
