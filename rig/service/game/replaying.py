"""The followed game as a record: to hand on, and to make a film of."""

from __future__ import annotations

from pathlib import Path

from referee.ending import final_reading
from rig.replay.game_json import final_count, recorded
from rig.replay.record import GameRecord, PersonName, Ruling, without_contradictions
from rig.service.game.now import Now
from rig.service.game.parts import GameParts
from rig.service.game.trouble import NothingFollowed, ScoresHidden
from rig.store.trouble import FrameUnknown, PictureMissing


def record_of(now: Now, by_frame: bool = False) -> GameRecord:
    """The game as it is judged today; `by_frame`: pictures by their frames' ids, not their names.

    NothingFollowed; ScoresHidden as long as nobody is to know them.
    """
    if now.game is None or not now.history.entries:
        raise NothingFollowed
    if now.settings.hide_scores and not now.has_ended:
        raise ScoresHidden
    following = now.history.following
    told = [
        recorded(one.told.event, one.told.frame if by_frame else one.told.picture, one.at)
        for one in now.events()
    ]
    return without_contradictions(
        GameRecord(
            deck=following.table.deck,
            rules=following.rules,
            players=following.players or now.settings.players,
            play_area_mm=following.table.play_area_mm,
            events=tuple(one for one in told if one is not None),
            names=tuple(
                PersonName(card, name, by) for card, (name, by) in now.history.names.items()
            ),
            rulings=tuple(Ruling(card, by) for card, by in now.history.rulings.items()),
            end=final_count(final_reading(following)) if now.has_ended else None,
        )
    )


def film_of(parts: GameParts, now: Now, in_photos: bool, language: str) -> bytes:
    """An animated WebP of a game, on the plan or on its photographs; NothingFollowed."""
    record = record_of(now, by_frame=True)
    if not record.events:
        raise NothingFollowed
    photos = _photos(parts, record) if in_photos else {}
    return bytes(parts.films.make("film", record, "film", photos, language))


def _photos(parts: GameParts, record: GameRecord) -> dict[str, Path]:
    """The photographs that are still there, by their frames."""
    store = parts.frames.store
    found = {}
    for frame in {event.frame for event in record.events}:
        try:
            kept = store.frames.get(frame)
            store.frames.picture(kept)
            found[frame] = store.frames.path(kept)
        except (FrameUnknown, PictureMissing):
            continue
    return found
