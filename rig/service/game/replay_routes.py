"""The followed game to hand on: as a file that other programs replay, and as a film."""

from __future__ import annotations

from hashlib import sha256
from typing import Annotated

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from rig.replay.game_json import game_data
from rig.service.game.now import Now
from rig.service.game.parts import GameParts, game_parts
from rig.service.game.replaying import film_of, record_of
from rig.service.http.routing import Routes, language, unless_known
from rig.service.http.web import Query

routes = Routes("game")
TAG_LENGTH = 20
InPhotos = Annotated[bool, Query(description="On the photos that are still there, not the plan.")]


@routes.add("GET", "/game/export", role="viewer", refuses=(409,), media_type="application/json")
def export_game(request: Request) -> Response:
    """The game as `tacta-game/1`: deck, rules, players, events in order, rulings, final scores."""
    return export_answer(game_parts(request).followed.now())


def export_answer(now: Now) -> Response:
    """A game as a file."""
    headers = {"Content-Disposition": 'attachment; filename="tacta-game.json"'}
    return JSONResponse(game_data(record_of(now)), headers=headers)


@routes.add(
    "GET",
    "/game/replay.webp",
    role="viewer",
    refuses=(409,),
    also={304: "Not changed"},
    media_type="image/webp",
)
def get_film(request: Request, photos: InPhotos = False) -> Response:
    """The whole game as one animated WebP under 5 MB, the scores beside each step."""
    parts = game_parts(request)
    return film_answer(request, parts, parts.followed.now(), photos)


def film_answer(request: Request, parts: GameParts, now: Now, photos: bool) -> Response:
    """A game's film, or that it has not changed since it was asked for."""
    spoken = language(request)
    return unless_known(
        request, _tag(now, photos, spoken),
        lambda: (film_of(parts, now, photos, spoken), "image/webp"), Vary="Accept-Language",
    )  # fmt: skip


def _tag(now: Now, in_photos: bool, spoken: str) -> str:
    step = now.marks[-1].number if now.marks else 0
    kind = "photos" if in_photos else "plan"
    text = f"{now.game}-{step}-{now.settings.frame or 'open'}-{kind}-{spoken}"
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:TAG_LENGTH]
