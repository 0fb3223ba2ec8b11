"""The end of a followed game: what history knows becomes its last frame's reading."""

from __future__ import annotations

from referee.corrections.kinds import OverruleVerdict, correction_data
from referee.ending import final_reading
from rig.service.game.now import Now
from rig.service.game.parts import GameParts
from rig.service.game.trouble import NothingFollowed, NothingRead
from rig.service.matches import playing
from rig.service.matches.requests import EndRequest
from rig.store.matches import KeptRound
from rig.store.seen_json import deck_digest, deck_text, seen_text
from vision.reading import Reading


def check_can_end(parts: GameParts) -> None:
    """NothingFollowed, or RoundEnded: before a picture is taken."""
    now = parts.followed.now()
    if now.game is None or now.has_ended:
        raise NothingFollowed
    if now.settings.match is not None and now.settings.round is not None:
        playing.check_open(parts.matches, now.settings.match, now.settings.round)


def end_game(parts: GameParts, finished_first: str | None) -> tuple[str, Reading, KeptRound | None]:
    """End the game by the last picture of its table at rest: the frame, its reading as history
    has it, and the round that it ends.

    A frame that people corrected already, and a game that is not whole, keep what the picture
    alone says. NothingRead, RoundEnded, FrameTaken.
    """
    with parts.followed.changing:
        try:
            frame, reading, round_ = _end(parts, finished_first)
        except BaseException:
            parts.followed.reload()  # what was kept of the end was taken back
            raise
    parts.matches.events.tell_soon("frame-changed", frame=frame)
    return frame, reading, round_


def _end(parts: GameParts, finished_first: str | None) -> tuple[str, Reading, KeptRound | None]:
    with parts.matches.change():
        check_can_end(parts)
        now = parts.followed.now()
        last = now.history.last_read
        if last is None:
            raise NothingRead
        reading = final_reading(now.history.following)
        store = parts.matches.store
        store.frames.get(last.frame)
        if now.is_whole and not store.corrections.of(last.frame):
            _keep(parts, now, last.frame, reading)
        round_ = None
        if now.settings.match is not None and now.settings.round is not None:
            wish = EndRequest(frame=last.frame, finished_first=finished_first)
            round_ = playing.end_round(
                parts.matches, now.settings.match, now.settings.round, last.frame, wish
            )
        parts.followed.finish(last.frame)
    return last.frame, reading, round_


def _keep(parts: GameParts, now: Now, frame: str, reading: Reading) -> None:
    """Keep what history knows as what is seen in the frame, with what people ruled."""
    store, at = parts.matches.store, parts.matches.clock.now()
    deck = deck_text(parts.deck)
    store.frames.set_seen(frame, seen_text(reading.seen), deck, deck_digest(deck))
    there = {card.id for card in reading.cards}
    for card, by in now.history.rulings.items():
        if card in there:
            data = correction_data(OverruleVerdict(card, legal=True))
            version = store.frames.get(frame).version
            store.corrections.add(frame, data, by, at, version)
