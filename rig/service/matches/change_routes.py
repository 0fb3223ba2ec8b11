"""Putting a match right: disagreements, undone endings, other names, deletion."""

from functools import partial
from typing import Annotated

from starlette.requests import Request
from starlette.responses import Response

from rig.service.access.access import known
from rig.service.http.routing import Routes
from rig.service.http.trouble import NotAllowed
from rig.service.http.web import Path, Query
from rig.service.matches import match_changes, seats, signing
from rig.service.matches.documents import MatchDocument, RoundDocument
from rig.service.matches.parts import match_parts
from rig.service.matches.requests import (
    DisagreeRequest,
    FinishedRequest,
    PlayersRequest,
    SeatRequest,
)
from rig.service.matches.routes import (
    ROUND,
    MatchId,
    Number,
    changed,
    changed_if_current,
    match_changed,
)

routes = Routes("matches")


@routes.add("POST", f"{ROUND}/disagree", role="player", people_only=True, refuses=(404, 409))
def disagree(
    request: Request, match: MatchId, number: Number, wish: DisagreeRequest
) -> RoundDocument | Response:
    """Disagree with a round's score, and say why: it is not signed until that is settled."""
    parts, who = match_parts(request), known(request)
    act = partial(signing.disagree, parts, match, number, wish, who)
    return changed_if_current(request, match, number, act)


@routes.add(
    "POST",
    f"{ROUND}/disagreements/{{disagreement}}/settle",
    role="player",
    people_only=True,
    refuses=(404, 409),
)
def settle(
    request: Request,
    match: MatchId,
    number: Number,
    disagreement: Annotated[int, Path(ge=1, le=10_000)],
) -> RoundDocument:
    """Settle a disagreement: whoever disagreed does, or an admin overrules it."""
    parts = match_parts(request)
    return changed(parts, signing.settle(parts, match, number, disagreement - 1, known(request)))


@routes.add("POST", f"{ROUND}/resume", role="player", refuses=(404, 409))
def resume_round(request: Request, match: MatchId, number: Number) -> RoundDocument:
    """Undo that a round was ended: it is played on, and the photo stays among the others."""
    parts = match_parts(request)
    return changed(parts, match_changes.resume_round(parts, match, number, known(request).name))


@routes.add("DELETE", ROUND, role="player", refuses=(404, 409))
def cancel_round(
    request: Request,
    match: MatchId,
    number: Number,
    for_good: Annotated[
        bool, Query(description="Whatever its state; for an admin. Its frame stays.")
    ] = False,
) -> MatchDocument:
    """Cancel the round that is being played, as if it had not begun; or delete any for good."""
    parts = match_parts(request)
    if for_good:
        if not known(request).may("admin"):
            raise NotAllowed(role="admin")
        who = known(request).name
        return match_changed(parts, match_changes.delete_round(parts, match, number, who))
    return match_changed(
        parts, match_changes.cancel_round(parts, match, number, known(request).name)
    )


@routes.add("PUT", f"{ROUND}/finished", role="player", refuses=(404, 409))
def change_finished(
    request: Request, match: MatchId, number: Number, wish: FinishedRequest
) -> RoundDocument:
    """Say again who finished first."""
    parts = match_parts(request)
    who = known(request).name
    return changed(
        parts, match_changes.change_finished(parts, match, number, wish.finished_first, who)
    )


@routes.add("PUT", "/matches/{match}/players", role="player", refuses=(404, 409))
def change_players(request: Request, match: MatchId, wish: PlayersRequest) -> MatchDocument:
    """Change names, colours and seats; signatures go with the names they were given under."""
    parts = match_parts(request)
    return match_changed(parts, match_changes.change_players(parts, match, wish, known(request)))


@routes.add("PUT", "/matches/{match}/seat", role="player", people_only=True, refuses=(404, 409))
def take_seat(request: Request, match: MatchId, wish: SeatRequest) -> MatchDocument:
    """Say which player this phone is, and signs for: one whose seat is free."""
    parts = match_parts(request)
    return match_changed(parts, seats.take_seat(parts, match, wish.player, known(request)))


@routes.add("DELETE", "/matches/{match}", role="admin", refuses=(404,), status=204)
def delete_match(request: Request, match: MatchId) -> None:
    """Delete a match for good; that it was deleted, when and by whom, is kept."""
    parts = match_parts(request)
    match_changes.delete_match(parts, match, known(request).name)
    parts.events.tell_soon("match-deleted", match=match)
