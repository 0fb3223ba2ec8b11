"""A followed game as the service's documents."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from geometry.score import scores
from geometry.showing import visible_dots
from referee.open_questions import open_questions
from referee.open_scores import open_scores
from referee.turns import cards_left, is_over, next_colour
from rig.event_json import event_data
from rig.service.game.documents import (
    AskDocument,
    EventDocument,
    GameDocument,
    RefusedFrame,
    TurnClockDocument,
)
from rig.service.game.now import Now, Numbered
from rig.service.http.language import LANGUAGES
from rig.service.running.clock import written
from rig.wording.catalogue import sentence
from rig.wording.troubles import worded


def game_document(now: Now, language: str, now_s: float | None = None) -> GameDocument:
    """The game as it stands, in this language. `now_s`: in seconds since 1970; without it nothing
    is said of how long the turn has lasted.
    """
    settings, following = now.settings, now.history.following
    layout = following.table.layout
    players = following.players or settings.players
    is_hidden = settings.hide_scores and not now.has_ended
    return GameDocument(
        format="tacta-live/1",
        game=now.game,
        following=now.game is not None and settings.following,
        doing=now.doing,
        match=settings.match,
        round=settings.round,
        players=list(players),
        turn=_turn(now),
        turn_s=settings.turn_s,
        turn_clock=None if now_s is None else _turn_clock(now, now_s),
        hide_scores=settings.hide_scores,
        scores=None if is_hidden else scores(layout, visible_dots(layout)),
        open_scores=[] if is_hidden else sorted(open_scores(now.history)),
        cards_left=dict(cards_left(players, following.table, following.rules)),
        finished=bool(players) and is_over(players, following.table, following.rules),
        ended=settings.frame,
        whole=now.is_whole,
        asks=_asks(now, language),
        refused=_refused(now, language),
        events=[event_document(now, one, language) for one in now.events()],
    )


def document_json(now: Now, language: str, now_s: float | None = None) -> dict[str, Any]:
    """The game as JSON values: hidden scores are not in its events at all."""
    document = game_document(now, language, now_s)
    data: dict[str, Any] = document.model_dump(mode="json")
    data["events"] = [event_json(one) for one in document.events]
    return data


def event_document(now: Now, one: Numbered, language: str) -> EventDocument:
    """One event as it is judged today."""
    told, card = one.told, one.told.event.card
    data = event_data(told.event, told.picture)
    del data["format"]
    if now.settings.hide_scores and not now.has_ended:
        data.pop("scores", None)
    named = None if card is None else now.history.names.get(card.id)
    stays = None if card is None else now.history.rulings.get(card.id)
    data.setdefault("was", None)
    data.setdefault("notes", [])
    data.setdefault("late_s", None)
    return EventDocument.model_validate(
        {
            **data,
            "id": one.number,
            "at": one.at,
            "frame_id": told.frame or None,
            "out_of_turn": "out_of_turn" in told.event.notes,
            "outline_px": None if card is None else card.outline_px,
            "target_px": told.target_px,
            "stays": None if stays is None else {"by": stays},
            "named_by": None if named is None else named[1],
            "message": sentence(told.reason, language),
        }
    )


def event_json(document: EventDocument) -> dict[str, Any]:
    """An event as JSON values: hidden scores are not in it at all."""
    data = document.model_dump(mode="json")
    if document.scores is None:
        del data["scores"]
    return data


def news(now: Now, numbers: Collection[int]) -> dict[str, Any]:
    """What pages are told when these events happened, or are judged otherwise than before.

    A stream has no language: `message` is English, `messages` has all.
    """
    told = []
    for one in now.events():
        if one.number in numbers:
            said = {spoken: sentence(one.told.reason, spoken) for spoken in LANGUAGES}
            told.append({**event_json(event_document(now, one, "en")), "messages": said})
    return {"doing": now.doing, "turn": _turn(now), "game": now.game, "events": told}


def _turn(now: Now) -> str | None:
    state = now.history.following
    return next_colour(state.players, state.table, state.rules)


def _turn_clock(now: Now, now_s: float) -> TurnClockDocument | None:
    """How long the present turn has lasted, where that matters."""
    seconds, since_s = now.settings.turn_s, now.history.clock.since_s
    is_followed = now.settings.following and not now.has_ended
    if seconds is None or since_s is None or not is_followed or _turn(now) is None:
        return None
    until_s = min((now_s, *now.unread.values()))
    return TurnClockDocument(
        seconds=seconds,
        since=written(since_s),
        lasted_s=round(max(0.0, until_s - since_s), 3),
        runs=not now.unread,
    )


def _asks(now: Now, language: str) -> list[AskDocument]:
    if now.has_ended:
        return []
    about = {
        one.told.event.card.id: one.number
        for one in now.events()
        if one.told.event.card is not None
    }
    return [
        AskDocument(event=about[card], reason=sentence(reason, language))
        for card, reason in open_questions(now.history.following.table)
        if card in about
    ]


def _refused(now: Now, language: str) -> RefusedFrame | None:
    if now.refused is None:
        return None
    frame, trouble = now.refused
    message = worded(trouble.key, trouble.facts, str(trouble), language)
    return RefusedFrame(frame_id=frame, code=trouble.key, message=message)
