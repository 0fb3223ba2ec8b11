"""Putting a match right: disagreements, undone endings, other names, deletion."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from starlette.requests import Request
from starlette.responses import Response

from rig.service import match_changes, signing
from rig.service.access import desk_of, known
from rig.service.documents import MatchDocument, RoundDocument
from rig.service.requests import DisagreeRequest, FinishedRequest, PlayersRequest, SeatRequest
from rig.service.routes.matches import (
    HERE,
    ROUND,
    MatchId,
    Number,
    changed,
    changed_if_current,
    match_changed,
)
from rig.service.routing import Routes
from rig.service.trouble import NotAllowed
from rig.service.web import Path, Query

routes = Routes("matches")


@routes.add(
    "POST",
    f"{ROUND}/disagree",
    role="player",
    people_only=True,
    refuses=(
        *HERE,
        "round-not-ended",
        "round-signed",
        "player-unknown",
        "score-missing",
        "not-your-signature",
    ),
    answers=RoundDocument,
)
def disagree(request: Request, match: MatchId, number: Number, wish: DisagreeRequest) -> Response:
    """Disagree with a round's score, and say why: it is not signed until that is settled."""
    desk, who = desk_of(request), known(request)
    act = partial(signing.disagree, desk, match, number, wish, who)
    return changed_if_current(request, match, number, act)


@routes.add(
    "POST",
    f"{ROUND}/disagreements/{{disagreement}}/settle",
    role="player",
    people_only=True,
    refuses=(
        *HERE,
        "round-not-ended",
        "round-signed",
        "score-missing",
        "not-your-signature",
        "disagreement-unknown",
        "already-settled",
    ),
    answers=RoundDocument,
)
def settle(
    request: Request,
    match: MatchId,
    number: Number,
    disagreement: Annotated[int, Path(ge=1, le=10_000)],
) -> Response:
    """Settle a disagreement: whoever disagreed does, or an admin overrules it."""
    desk = desk_of(request)
    return changed(desk, signing.settle(desk, match, number, disagreement - 1, known(request)))


@routes.add(
    "POST",
    f"{ROUND}/resume",
    role="player",
    refuses=(*HERE, "round-not-ended", "round-signed", "round-still-open"),
    answers=RoundDocument,
)
def resume_round(request: Request, match: MatchId, number: Number) -> Response:
    """Undo that a round was ended: it is played on, and the photo stays among the others."""
    desk = desk_of(request)
    return changed(desk, match_changes.resume_round(desk, match, number, known(request).name))


@routes.add(
    "DELETE",
    ROUND,
    role="player",
    refuses=(*HERE, "round-ended", "round-not-last"),
    answers=MatchDocument,
)
def cancel_round(
    request: Request,
    match: MatchId,
    number: Number,
    for_good: Annotated[
        bool, Query(description="Whatever its state; for an admin. Its frame stays.")
    ] = False,
) -> Response:
    """Cancel the round that is being played, as if it had not begun; or delete any for good."""
    desk = desk_of(request)
    if for_good:
        if not known(request).may("admin"):
            raise NotAllowed(role="admin")
        who = known(request).name
        return match_changed(desk, match_changes.delete_round(desk, match, number, who))
    return match_changed(desk, match_changes.cancel_round(desk, match, number, known(request).name))


@routes.add(
    "PUT",
    f"{ROUND}/finished",
    role="player",
    refuses=(*HERE, "round-not-ended", "round-signed", "match-fault"),
    answers=RoundDocument,
)
def change_finished(
    request: Request, match: MatchId, number: Number, wish: FinishedRequest
) -> Response:
    """Say again who finished first."""
    desk = desk_of(request)
    who = known(request).name
    return changed(
        desk, match_changes.change_finished(desk, match, number, wish.finished_first, who)
    )


@routes.add(
    "PUT",
    "/matches/{match}/players",
    role="player",
    refuses=("match-unknown", "match-fault", "colours-signed", "version-conflict"),
    answers=MatchDocument,
)
def change_players(request: Request, match: MatchId, wish: PlayersRequest) -> Response:
    """Change names, colours and seats; signatures go with the names they were given under."""
    desk = desk_of(request)
    return match_changed(desk, match_changes.change_players(desk, match, wish, known(request).name))


@routes.add(
    "PUT",
    "/matches/{match}/seat",
    role="player",
    people_only=True,
    refuses=("match-unknown", "player-unknown", "seat-taken", "version-conflict"),
    answers=MatchDocument,
)
def take_seat(request: Request, match: MatchId, wish: SeatRequest) -> Response:
    """Say which player this phone is, and signs for."""
    desk = desk_of(request)
    return match_changed(desk, signing.take_seat(desk, match, wish.player, known(request)))


@routes.add("DELETE", "/matches/{match}", role="admin", refuses=("match-unknown",), status=204)
def delete_match(request: Request, match: MatchId) -> Response:
    """Delete a match for good; that it was deleted, when and by whom, is kept."""
    desk = desk_of(request)
    match_changes.delete_match(desk, match, known(request).name)
    desk.events.tell_soon("match-deleted", match=match)
    return Response(status_code=204)
