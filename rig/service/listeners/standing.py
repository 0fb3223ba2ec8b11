"""How things stand, for listeners that show it: camera, newest photo, newest round."""

import logging
from collections.abc import Mapping
from typing import Any

from rig.listeners.topics import States
from rig.rounds.rounds_json import match_of
from rig.service.frames.frame_readings import Read
from rig.service.listeners.game_values import NO_GAME, game_values
from rig.service.listeners.parts import ListenerParts
from rig.service.matches.documents import RoundDocument
from rig.service.matches.round_documents import round_document
from rig.store.frame import Frame
from rig.store.trouble import RowUnreadable
from rig.trouble import Trouble

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
