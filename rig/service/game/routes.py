"""A game followed card by card."""

from __future__ import annotations

from typing import Annotated

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from referee.corrections.misfits import NotInDeck
from referee.second_look import seen_once
from rig.service.access.access import known
from rig.service.frames.intake import read_through, take_still
from rig.service.game.documents import EndedGame, GameDocument
from rig.service.game.ending import check_can_end, end_game
from rig.service.game.now import Now
from rig.service.game.parts import GameParts, game_parts
from rig.service.game.requests import (
    EndGameRequest,
    FollowRequest,
    FrameRequest,
    NameRequest,
    StaysRequest,
)
from rig.service.game.trouble import EventUnknown, PlayersWrong
from rig.service.game.view import document_json
from rig.service.http.routing import Routes, answer, language
from rig.service.http.web import Path

routes = Routes("game")
EventNumber = Annotated[int, Path(ge=0, le=2**53)]


@routes.add("GET", "/game", role="viewer", answers=GameDocument)
def get_game(request: Request) -> Response:
    """The game that is followed: what happened in it, whose turn it is, what is to ask."""
    return _document(request, game_parts(request).followed.now())


@routes.add("PUT", "/game", role="player", answers=GameDocument)
def follow_game(request: Request, wish: FollowRequest) -> Response:
    """Begin to follow, or stop; say who plays; hide the scores until the end, or show them."""
    parts = game_parts(request)
    players = None if wish.players is None else tuple(wish.players)
    if players is not None:
        _check_players(parts, players)
    now = parts.followed.set_up(wish.following, players, wish.hide_scores, wish.turn_s)
    return _document(request, now)


@routes.add("DELETE", "/game", role="player", answers=GameDocument)
def begin_afresh(request: Request) -> Response:
    """Forget the game that is followed, and follow another in the same way."""
    parts = game_parts(request)
    now = parts.followed.afresh()
    if now.settings.following:
        parts.frames.lookout.ask()
    return _document(request, now)


@routes.add("POST", "/game/frames", role="player", refuses=(404, 409), answers=GameDocument)
def follow_frame(request: Request, wish: FrameRequest) -> Response:
    """Take a frame that was read into the game, and say why where that cannot be."""
    return _document(request, game_parts(request).followed.follow(wish.frame))


@routes.add(
    "POST", "/game/events/{event}/name", role="player", refuses=(404, 409), answers=GameDocument
)
def name_card(request: Request, event: EventNumber, wish: NameRequest) -> Response:
    """Say which card it was; everything after it is judged again."""
    parts = game_parts(request)
    name = (wish.colour, wish.face)
    parts.followed.card(event)
    if not _is_in_deck(parts, name):
        raise NotInDeck(colour=wish.colour, face=wish.face)
    return _document(request, parts.followed.name(event, name, known(request).name))


@routes.add(
    "POST", "/game/events/{event}/stays", role="player", refuses=(404, 409), answers=GameDocument
)
def rule_card(request: Request, event: EventNumber, wish: StaysRequest) -> Response:
    """Rule that an illegal card stays, or does not."""
    followed = game_parts(request).followed
    return _document(request, followed.rule(event, wish.stays, known(request).name))


@routes.add(
    "GET", "/game/events/{event}/picture", role="viewer", refuses=(404,), media_type="image/jpeg"
)
def get_event_picture(request: Request, event: EventNumber) -> Response:
    """The card cut out of its picture and enlarged, with where it lies and where it should."""
    parts = game_parts(request)
    found = parts.followed.now().event(event)
    if found is None or found.told.event.card is None:
        raise EventUnknown(event=event)
    told, card = found.told, found.told.event.card
    store, status = parts.frames.store, found.told.event.status
    frame = store.frames.get(told.frame)
    store.frames.picture(frame)
    made = parts.frames.maker.make(
        "placed", store.frames.path(frame), frame.name, card.outline_px, told.target_px, status
    )
    headers = {"Cache-Control": "private, no-cache"}
    return Response(bytes(made), headers=headers, media_type="image/jpeg")


@routes.add("POST", "/game/end", role="player", refuses=(404, 409), answers=EndedGame)
async def end(request: Request, wish: EndGameRequest) -> Response:
    """End the followed round: by a picture that the camera takes now, and a second one where that
    alone shows a card, or by this frame; without either by the last picture. It is signed as any
    other.
    """
    parts = game_parts(request)
    await run_in_threadpool(check_can_end, parts)
    if wish.frame is not None:
        await run_in_threadpool(parts.followed.follow, wish.frame)
    elif parts.frames.camera is not None:
        now = await _follow_still(request, parts)
        if seen_once(now.history.following.table):
            await _follow_still(request, parts)
    return await run_in_threadpool(_ended, parts, wish.finished_first)


async def _follow_still(request: Request, parts: GameParts) -> Now:
    """Take a picture, wait for its reading and take it into the game."""
    taken = await take_still(parts.frames, known(request).device)
    frame = await read_through(parts.frames, taken)
    return await run_in_threadpool(parts.followed.follow, frame.id)


def _ended(parts: GameParts, finished_first: str | None) -> Response:
    frame, reading, round_ = end_game(parts, finished_first)
    if round_ is not None:
        parts.matches.events.tell_soon("round-changed", match=round_.match, number=round_.number)
    return answer(
        EndedGame(
            frame_id=frame,
            match=None if round_ is None else round_.match,
            round=None if round_ is None else round_.number,
            sure=reading.sure,
            sure_without_illegal=reading.sure_without_illegal,
            scores=dict(reading.scores),
            scores_without_illegal=dict(reading.scores_without_illegal),
        )
    )


def _document(request: Request, now: Now) -> Response:
    now_s = game_parts(request).frames.clock.seconds()
    return JSONResponse(document_json(now, language(request), now_s))


def _check_players(parts: GameParts, players: tuple[str, ...]) -> None:
    known_colours = [colour.name for colour in parts.deck.colours]
    if len(set(players)) != len(players) or not set(players) <= set(known_colours):
        raise PlayersWrong(known=", ".join(known_colours))


def _is_in_deck(parts: GameParts, name: tuple[str, str]) -> bool:
    deck, (colour, face) = parts.deck, name
    start = (deck.starting_colour.name, deck.starting_face.id)
    plays = colour in {one.name for one in deck.colours} and face in {one.id for one in deck.faces}
    return plays or name == start
