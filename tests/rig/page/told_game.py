"""A followed game as the service tells it, from events that a test hands out one by one."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import cv2
import numpy as np
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.rig.service.table_top import API, TableTop

START = datetime(2026, 11, 29, 20, 0, tzinfo=UTC)
HAND = 18
Told = dict[str, Any]


@dataclass
class ToldGame:
    """Answers in place of the service's own routes, and keeps what the page asked for."""

    top: TableTop
    doing: str = "off"
    following: bool = False
    ended: str | None = None
    open_scores: list[str] = field(default_factory=list)
    hide_scores: bool = False
    players: list[str] = field(default_factory=list)
    turn: str | None = None
    turn_s: int | None = None
    turn_clock: dict[str, Any] | None = None
    events: list[dict[str, Any]] = field(default_factory=list)
    asks: list[dict[str, Any]] = field(default_factory=list)
    frame: str = field(init=False)
    heard: list[tuple[str, str, Any]] = field(default_factory=list)
    slow_s: list[float] = field(default_factory=list)
    """How long each of the next settings takes until it is made; none takes long otherwise."""

    def __post_init__(self) -> None:
        self.frame = self.top.frame()
        routes = [
            Route(f"{API}/game", self._game, methods=["GET", "PUT", "DELETE"]),
            Route(f"{API}/game/end", self._end, methods=["POST"]),
            Route(f"{API}/game/events/{{id:int}}/name", self._name, methods=["POST"]),
            Route(f"{API}/game/events/{{id:int}}/stays", self._stays, methods=["POST"]),
            Route(f"{API}/game/events/{{id:int}}/picture", self._picture),
        ]
        self.top.app.router.routes[:0] = routes

    def lay(self, card: int, name: str, status: str = "legal", **facts: Any) -> dict[str, Any]:
        """A card is laid, named like `blue triangle-4`."""
        return self.say("laid", card, name, status=status, **facts)

    def say(
        self, kind: str, card: int | None = None, name: str = "", **facts: Any
    ) -> dict[str, Any]:
        """Something happens, and every page hears of it."""
        colour, _, face = name.partition(" ")
        told = None if card is None else {"id": card, "colour": colour, "face": face, **PLACE}
        number = len(self.events) + 1
        event: dict[str, Any] = {
            "format": "tacta-event/1",
            "frame": f"{number}.jpg",
            "event": kind,
            "card": told,
            "status": None,
            "rule": None,
            "on": [],
            "offset_mm": None,
            "offset_deg": None,
            "sure": True,
            "scores": None,
            "id": number,
            "frame_id": f"{number:032x}",
            "at": (START + timedelta(minutes=number)).isoformat(),
            "was": None,
            "out_of_turn": False,
            "late_s": None,
            "outline_px": None,
            "target_px": None,
            "stays": None,
            "named_by": None,
            "notes": [],
            "message": f"{name or kind}.",
            **facts,
        }
        self.events.append(event)
        self.tell()
        return event

    def tell(self, **changed: Any) -> None:
        """The game is otherwise in these things; every page hears of it."""
        for key, value in changed.items():
            setattr(self, key, value)
        self.top.events.tell_soon("game")

    def data(self) -> dict[str, Any]:
        laid = [one["card"]["colour"] for one in self.events if one["event"] == "laid"]
        taken = [one["card"]["colour"] for one in self.events if one["event"] == "taken_back"]
        left = {name: HAND - laid.count(name) + taken.count(name) for name in self.players}
        hidden = self.hide_scores and self.ended is None
        scores = None if hidden else {name: 3 * laid.count(name) for name in self.players}
        return {
            "format": "tacta-live/1",
            "game": "1" * 16,
            "match": None,
            "round": None,
            "ended": self.ended,
            "whole": True,
            "refused": None,
            "following": self.following,
            "doing": self.doing,
            "players": self.players,
            "turn": self.turn,
            "turn_s": self.turn_s,
            "turn_clock": self.turn_clock,
            "hide_scores": self.hide_scores,
            "scores": scores,
            "open_scores": self.open_scores,
            "cards_left": left,
            "finished": False,
            "asks": self.asks,
            "events": self.events,
        }

    async def _game(self, request: Request) -> Response:
        if request.method == "PUT":
            asked: Mapping[str, Any] = await request.json()
            self._hear(request, asked)
            await asyncio.sleep(self.slow_s.pop(0) if self.slow_s else 0.0)
            if "following" in asked:
                self.doing = "watching" if asked["following"] else "off"
            self.tell(**asked)
        elif request.method == "DELETE":
            self._hear(request, None)
            self.tell(events=[], asks=[], ended=None)
        return JSONResponse(self.data())

    async def _end(self, request: Request) -> Response:
        self._hear(request, None)
        self.tell(ended=self.frame, following=False, doing="off")
        return JSONResponse({"frame_id": self.ended, "match": None, "round": None})

    async def _name(self, request: Request) -> Response:
        event, asked = self._event(request), await request.json()
        self._hear(request, asked)
        card = event["card"]
        was = {"colour": card["colour"], "face": card["face"]}
        event.update(card={**card, **asked}, was=was, named_by="Ada", sure=True)
        self.tell(asks=[one for one in self.asks if one["event"] != event["id"]])
        return JSONResponse(self.data())

    async def _stays(self, request: Request) -> Response:
        event, asked = self._event(request), await request.json()
        self._hear(request, asked)
        event["stays"] = {"by": "Ada"} if asked["stays"] else None
        self.tell()
        return JSONResponse(self.data())

    async def _picture(self, request: Request) -> Response:
        picture = np.full((450, 600, 3), 60, np.uint8)
        for dx, colour in ((0, (255, 255, 255)), (14, (80, 200, 255))):
            cv2.rectangle(picture, (180 + dx, 90 + dx), (400 + dx, 340 + dx), colour, 4)
        return Response(cv2.imencode(".jpg", picture)[1].tobytes(), media_type="image/jpeg")

    def _event(self, request: Request) -> dict[str, Any]:
        event: dict[str, Any] = self.events[request.path_params["id"] - 1]
        return event

    def _hear(self, request: Request, asked: Any) -> None:
        path = request.url.path.removeprefix(API)
        self.heard.append((request.method, path, asked))


PLACE: Told = {"mirrored": False, "x_mm": 400.0, "y_mm": 300.0, "angle_deg": 12.0}
OFF: Told = {
    "status": "illegal",
    "rule": "misaligned",
    "offset_mm": 4.13,
    "offset_deg": 1.42,
    "outline_px": [[0, 0]] * 4,
    "target_px": [[0, 0]] * 4,
}
"""The facts of a card that lies 4 mm beside its place."""
