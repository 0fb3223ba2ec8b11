"""Matches, rounds and signatures."""

from collections.abc import Callable
from functools import partial
from typing import Annotated

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from referee.rounds.rounds_json import match_of
from rig.service.access.access import known
from rig.service.frames.intake import read_through, take_still
from rig.service.http.answers import refusal
from rig.service.http.documents import API
from rig.service.http.routing import Routes, answer, language
from rig.service.http.web import Path, Query
from rig.service.matches import playing, signing
from rig.service.matches.documents import (
    DeletedMatch,
    MatchDocument,
    MatchList,
    RoundDocument,
    StatisticsDocument,
)
from rig.service.matches.parts import MatchParts, match_parts
from rig.service.matches.requests import EndRequest, FrameOfRoundRequest, MatchRequest, SignRequest
from rig.service.matches.round_documents import (
    match_document,
    match_line,
    preview_document,
    round_document,
)
from rig.service.matches.score_files import matches_csv, matches_json
from rig.service.matches.statistics import statistics
from rig.store.matches import KeptMatch, KeptRound
from rig.store.trouble import VersionConflict

routes = Routes("matches")
MatchId = Annotated[str, Path(min_length=1, max_length=40, pattern="^[0-9a-f]+$")]
Number = Annotated[int, Path(ge=1, le=10_000)]
ROUND = "/matches/{match}/rounds/{number}"


@routes.add("POST", "/matches", role="player", answers=MatchDocument, status=201)
def begin_match(request: Request, wish: MatchRequest) -> Response:
    """Begin a match: who plays which colour, and how."""
    parts = match_parts(request)
    kept = playing.begin_match(parts, wish)
    parts.events.tell_soon("match-changed", match=kept.id)
    location = f"{API}/matches/{kept.id}"
    return answer(match_document(parts, kept), 201, Location=location)


@routes.add("GET", "/matches", role="viewer")
def list_matches(
    request: Request,
    limit: Annotated[int, Query(ge=1, le=50)] = 10,
    before: Annotated[int | None, Query(ge=0, le=2**53)] = None,
) -> MatchList:
    """The matches, the newest first."""
    parts = match_parts(request)
    kept = parts.store.matches.latest(limit + 1, before)
    more = len(kept) > limit
    kept = kept[:limit]
    following = f"{API}/matches?limit={limit}&before={kept[-1].seq}" if more else None
    gone = parts.store.matches.deleted(limit) if before is None else []
    return MatchList(
        matches=[match_line(parts, one) for one in kept],
        next=following,
        deleted=[_deleted(one) for one in gone],
    )


@routes.add("GET", "/matches/{match}", role="viewer", refuses=(404,))
def get_match(request: Request, match: MatchId) -> MatchDocument:
    """A match with its rounds and standings."""
    parts = match_parts(request)
    return match_document(parts, parts.store.matches.get(match))


@routes.add("POST", "/matches/{match}/rounds", role="player", refuses=(404, 409), status=201)
def begin_round(request: Request, match: MatchId) -> RoundDocument:
    """Begin the next round."""
    parts = match_parts(request)
    return changed(parts, playing.begin_round(parts, match))


@routes.add("GET", ROUND, role="viewer", refuses=(404,))
def get_round(request: Request, match: MatchId, number: Number) -> RoundDocument:
    """A round: its score, what is missing, what is open to dispute, who has signed."""
    parts = match_parts(request)
    return _document(parts, parts.store.matches.round(match, number))


@routes.add("GET", f"{ROUND}/preview", role="viewer", refuses=(404, 409))
def preview_round(
    request: Request,
    match: MatchId,
    number: Number,
    frame: Annotated[str, Query(min_length=1, max_length=40, pattern="^[0-9a-f]+$")],
) -> RoundDocument:
    """What the round would come to if this frame ended it; nothing changes."""
    parts = match_parts(request)
    kept = parts.store.matches.round(match, number)
    return preview_document(parts, match_of(parts.store.matches.get(match).data), kept, frame)


@routes.add("POST", f"{ROUND}/end", role="player", refuses=(404, 409))
async def end_round(
    request: Request, match: MatchId, number: Number, wish: EndRequest
) -> RoundDocument:
    """End a round by a frame, or else by a picture taken once the table is still."""
    parts = match_parts(request)
    await run_in_threadpool(playing.check_open, parts, match, number)
    frame = wish.frame
    if frame is None:
        taken = await take_still(parts.frames, known(request).device)
        frame = (await read_through(parts.frames, taken)).id
    kept = await run_in_threadpool(playing.end_round, parts, match, number, frame, wish)
    return await run_in_threadpool(changed, parts, kept)


@routes.add("PUT", f"{ROUND}/frame", role="player", refuses=(404, 409))
def change_frame(
    request: Request, match: MatchId, number: Number, wish: FrameOfRoundRequest
) -> RoundDocument:
    """Give a round that has ended another frame; signatures before it are void."""
    parts = match_parts(request)
    return changed(
        parts, playing.change_frame(parts, match, number, wish.frame, known(request).name)
    )


@routes.add("POST", f"{ROUND}/sign", role="player", people_only=True, refuses=(404, 409))
def sign_round(
    request: Request, match: MatchId, number: Number, wish: SignRequest
) -> RoundDocument | Response:
    """Agree to a round's score, as this phone's player; an admin for others and the whole table."""
    parts, who = match_parts(request), known(request)
    act = partial(signing.sign_round, parts, match, number, wish, who)
    return changed_if_current(request, match, number, act)


@routes.add("POST", f"{ROUND}/reopen", role="admin", refuses=(404, 409))
def open_again(request: Request, match: MatchId, number: Number) -> RoundDocument:
    """Open a signed round again."""
    parts = match_parts(request)
    return changed(parts, playing.open_again(parts, match, number, known(request).name))


@routes.add("GET", "/statistics", role="viewer")
def get_statistics(request: Request) -> StatisticsDocument:
    """What each player's signed rounds come to."""
    return statistics(match_parts(request))


@routes.add("GET", "/export.csv", role="viewer", media_type="text/csv")
def export_csv(request: Request) -> Response:
    """Every round of every match, a line a colour."""
    headers = {"Content-Disposition": 'attachment; filename="tacta-rounds.csv"'}
    text = matches_csv(match_parts(request).store)
    return Response(text, headers=headers, media_type="text/csv; charset=utf-8")


@routes.add("GET", "/export.json", role="viewer", media_type="application/json")
def export_json(request: Request) -> Response:
    """Every match with its rounds, as they are kept."""
    headers = {"Content-Disposition": 'attachment; filename="tacta-rounds.json"'}
    text = matches_json(match_parts(request).store)
    return Response(text, headers=headers, media_type="application/json")


def _document(parts: MatchParts, kept: KeptRound) -> RoundDocument:
    return round_document(parts, match_of(parts.store.matches.get(kept.match).data), kept)


def match_changed(parts: MatchParts, kept: KeptMatch) -> MatchDocument:
    """Tell everybody, and answer with the match."""
    parts.events.tell_soon("match-changed", match=kept.id)
    return match_document(parts, kept)


def changed_if_current(
    request: Request, match: str, number: int, act: Callable[[], KeptRound]
) -> RoundDocument | Response:
    """Answer with the round as the act leaves it, or refuse with the round as it is now, where that
    is not the version that was looked at.
    """
    parts = match_parts(request)
    try:
        kept = act()
    except VersionConflict as conflict:
        document = _document(parts, parts.store.matches.round(match, number))
        return refusal(conflict, language(request), document.model_dump(mode="json"))
    return changed(parts, kept)


def _deleted(kept: KeptMatch) -> DeletedMatch:
    gone = kept.data["deleted"]
    return DeletedMatch(id=kept.id, begun_at=kept.begun_at, deleted_at=gone["at"], who=gone["who"])


def changed(parts: MatchParts, kept: KeptRound) -> RoundDocument:
    """Tell everybody, and answer with the round."""
    parts.events.tell_soon("round-changed", match=kept.match, number=kept.number)
    return _document(parts, kept)
