"""Games that were followed before: which there are, and each as it went."""

from __future__ import annotations

from typing import Annotated

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from rig.service.game.documents import EarlierGame, GameDocument, GamesDocument
from rig.service.game.now import KeptSettings, Now
from rig.service.game.parts import GameParts, game_parts
from rig.service.game.replay_routes import InPhotos, export_answer, film_answer
from rig.service.game.view import document_json
from rig.service.http.routing import Routes, language
from rig.service.http.web import Path, Query

routes = Routes("game")
MOST = 100
GameId = Annotated[str, Path(min_length=1, max_length=64)]
Limit = Annotated[int, Query(ge=1, le=MOST, description="So many of the newest.")]


@routes.add("GET", "/games", role="viewer")
def list_games(request: Request, limit: Limit = 20) -> GamesDocument:
    """The games that were followed and have a picture, the newest first."""
    parts = game_parts(request)
    return GamesDocument(games=[_listed(one) for one in parts.followed.kept(limit)])


@routes.add("GET", "/games/{game}", role="viewer", refuses=(404,), answers=GameDocument)
def get_kept_game(request: Request, game: GameId) -> Response:
    """A game that was followed, as `GET /game` has the one that is."""
    return JSONResponse(document_json(_game(game_parts(request), game), language(request)))


@routes.add(
    "GET", "/games/{game}/export", role="viewer", refuses=(404, 409), media_type="application/json"
)
def export_kept_game(request: Request, game: GameId) -> Response:
    """A game that was followed as `tacta-game/1`."""
    return export_answer(_game(game_parts(request), game))


@routes.add(
    "GET",
    "/games/{game}/replay.webp",
    role="viewer",
    refuses=(404, 409),
    also={304: "Not changed"},
    media_type="image/webp",
)
def get_kept_film(request: Request, game: GameId, photos: InPhotos = False) -> Response:
    """A game that was followed as one animated WebP under 5 MB, the scores beside each step."""
    parts = game_parts(request)
    return film_answer(request, parts, _game(parts, game), photos)


def _game(parts: GameParts, game: str) -> Now:
    return parts.followed.game(game)


def _listed(kept: KeptSettings) -> EarlierGame:
    settings = kept.settings
    return EarlierGame(
        game=kept.game,
        begun_at=kept.begun_at,
        players=list(settings.players),
        match=settings.match,
        round=settings.round,
        ended=settings.frame,
    )
