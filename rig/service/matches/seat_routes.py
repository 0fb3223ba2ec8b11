"""Seats that change hands, and what phones ask of one another."""

from typing import Annotated

from starlette.requests import Request

from referee.misfit import Misfit
from rig.service.access.access import Identity, known
from rig.service.access.asks import Ask
from rig.service.access.documents import AskDocument, AskList
from rig.service.http.routing import Routes
from rig.service.http.trouble import NotAllowed
from rig.service.http.web import Path, Query
from rig.service.matches import seats
from rig.service.matches.documents import MatchDocument
from rig.service.matches.parts import MatchParts, match_parts
from rig.service.matches.requests import SeatRequest
from rig.service.matches.routes import MatchId, match_changed
from rig.trouble import Trouble

routes = Routes("matches")
AskId = Annotated[str, Path(min_length=1, max_length=40, pattern="^[0-9a-f]+$")]


@routes.add("DELETE", "/matches/{match}/seat", role="admin", refuses=(404, 409))
def free_seat(
    request: Request, match: MatchId, player: Annotated[str, Query(min_length=1, max_length=40)]
) -> MatchDocument:
    """Free a player's seat: whichever phone takes it then has it."""
    parts = match_parts(request)
    return match_changed(parts, seats.free_seat(parts, match, player, known(request).name))


@routes.add(
    "POST", "/matches/{match}/seat/ask", role="player", people_only=True, refuses=(404, 409)
)
def ask_for_seat(request: Request, match: MatchId, wish: SeatRequest) -> AskList:
    """Ask the phone that has a player's seat for it: that phone, or an admin, grants it."""
    parts = match_parts(request)
    seats.ask_for_seat(parts, match, wish.player, known(request))
    parts.events.tell_soon("asks-changed")
    return _asks(parts, known(request))


@routes.add("GET", "/asks", role="viewer", people_only=True)
def list_asks(request: Request) -> AskList:
    """What this phone asks for, and what it may grant or refuse."""
    return _asks(match_parts(request), known(request))


@routes.add("POST", "/asks/{ask}/grant", role="viewer", people_only=True, refuses=(404, 409))
def grant(request: Request, ask: AskId) -> AskList:
    """Let the phone have what it asks for: its own phone's place, or its seat; or an admin any."""
    parts, who = match_parts(request), known(request)
    found = parts.asks.get(ask)
    _check_may_answer(parts, found, who)
    if found.kind == "seat":
        seats.grant_seat(parts, found, who.name)
        parts.events.tell_soon("match-changed", match=found.match)
    parts.asks.answer(ask, "granted")
    parts.events.tell_soon("asks-changed")
    return _asks(parts, who)


@routes.add("DELETE", "/asks/{ask}", role="viewer", people_only=True, refuses=(404,), status=204)
def refuse(request: Request, ask: AskId) -> None:
    """Refuse what a phone asks for, or no longer ask for it."""
    parts, who = match_parts(request), known(request)
    found = parts.asks.get(ask)
    if not _is_askers(found, who):
        _check_may_answer(parts, found, who)
    parts.asks.answer(ask, "refused")
    parts.events.tell_soon("asks-changed")


def _asks(parts: MatchParts, who: Identity) -> AskList:
    return AskList(
        asks=[
            AskDocument(
                id=ask.id,
                kind=ask.kind,
                name=ask.name,
                of=ask.of,
                match=ask.match,
                expires_at=ask.expires_at,
                mine=_is_askers(ask, who),
            )
            for ask in parts.asks.waiting()
            if _is_askers(ask, who) or _may_answer(parts, ask, who)
        ]
    )


def _is_askers(ask: Ask, who: Identity) -> bool:
    return who.phone is not None and ask.asker == who.phone


def _may_answer(parts: MatchParts, ask: Ask, who: Identity) -> bool:
    if who.may("admin"):
        return True
    if ask.kind == "phone":
        return who.phone is not None and ask.phone == who.phone
    try:
        holder = seats.holder_of(parts, ask.match or "", ask.of)
    except (Trouble, Misfit):  # the match is gone, or the player
        return False
    return holder is not None and holder.id == who.phone


def _check_may_answer(parts: MatchParts, ask: Ask, who: Identity) -> None:
    if not _may_answer(parts, ask, who):
        raise NotAllowed(role="admin")
