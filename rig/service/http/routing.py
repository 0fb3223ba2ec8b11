"""How a route is declared: who may use it, what it answers, and what it can refuse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from rig.service.access.access import WRITE_HEADER, WRITES, admit
from rig.service.access.pairing import Role
from rig.service.http.answers import STATUS
from rig.service.http.documents import Refusal
from rig.service.http.language import language_of
from rig.service.http.web import APIRouter, Depends

_EVERYWHERE = (
    "host-refused",
    "body-ambiguous",
    "headers-too-large",
    "fault",
    "store-unusable",
    "store-damaged",
    "row-unreadable",
    "token-wrong",
)
_DESCRIPTIONS = {
    400: "Not asked by one of this rig's names, or a broken body",
    401: "Not paired, or an access token that does not count",
    403: "Not allowed, or the write header is missing",
    404: "Not there",
    408: "Too slow",
    409: "Not as things stand",
    410: "Lost",
    413: "Too large",
    415: "Not a photo of a kind that is taken",
    422: "Not a valid request",
    429: "Too many tries",
    431: "Headers too large",
    500: "A fault of the program",
    503: "Not possible now",
    507: "No room left",
}
_BODIES = (200, 201, 202)
_REFUSAL = {"application/json": {"schema": {"$ref": f"#/components/schemas/{Refusal.__name__}"}}}
"""By its name: a model given to each of a thousand answers is compiled anew for each at a start."""
_WRITE_PARAMETER = {
    "name": WRITE_HEADER,
    "in": "header",
    "required": True,
    "description": "Any value: no page of another site can send it.",
    "schema": {"type": "string", "minLength": 1},
    "example": "1",
}
_LANGUAGE_PARAMETER = {
    "name": "Accept-Language",
    "in": "header",
    "required": False,
    "description": "fr or en: the language of messages.",
    "schema": {"type": "string"},
}
Function = Callable[..., Any]


class Routes:
    """The routes of one subject. `admits` remembers who may use each: (method, path) -> role."""

    def __init__(self, subject: str) -> None:
        self.router = APIRouter(tags=[subject])
        self.admits: dict[tuple[str, str], Role | None] = {}

    def add(
        self,
        method: str,
        path: str,
        *,
        role: Role | None,
        refuses: Sequence[str] = (),
        answers: type[BaseModel] | None = None,
        status: int = 200,
        also: dict[int, str] | None = None,
        media_type: str | None = None,
        even_read_only: bool = False,
        people_only: bool = False,
    ) -> Callable[[Function], Function]:
        """Declare a route. `refuses`: codes; `also`: further statuses with the same answer.

        `even_read_only`: a write that does not change what is kept of the games.
        `people_only`: no access token opens it.
        """
        self.admits[method, path] = role

        async def admitted(request: Request) -> None:
            await admit(request, role, even_read_only, people_only)

        described: dict[int | str, dict[str, Any]] = {
            code: {"content": _REFUSAL, "description": _DESCRIPTIONS[code]}
            for code in sorted(_statuses(method, role, refuses))
        }
        content: dict[str, Any] = {"content": {media_type: {}}} if media_type else {}
        described[status] = {"description": "Done", **content}
        for code, description in (also or {}).items():
            described[code] = {"description": description, **(content if code in _BODIES else {})}
            if answers is not None:
                described[code]["model"] = answers
        parameters = [_LANGUAGE_PARAMETER, *([_WRITE_PARAMETER] if method in WRITES else [])]
        extra: dict[str, Any] = {"parameters": parameters}
        if role is not None:
            extra["security"] = [{"phone": []}, {"bearer": []}]
            extra["x-role"] = role
        if people_only:
            extra["x-people-only"] = True
        return self.router.api_route(
            path,
            methods=[method],
            status_code=status,
            response_model=answers,
            response_class=Response if media_type or answers is None else JSONResponse,
            responses=described,
            dependencies=[Depends(admitted)],
            openapi_extra=extra,
        )


def _statuses(method: str, role: Role | None, refuses: Sequence[str]) -> set[int]:
    codes = {*_EVERYWHERE, *refuses, "request-invalid"}
    if role is not None:
        codes |= {"not-paired", "not-allowed"}
    if method in WRITES:
        codes |= {"header-missing", "body-too-large", "store-full", "store-read-only", "too-slow"}
    return {STATUS[code] for code in codes}


def answer(document: BaseModel, status: int = 200, **headers: str) -> Response:
    """A document as an answer; called beside the event loop, where turning it to JSON is slow."""
    body = document.model_dump_json()
    return Response(body, status, headers=headers, media_type="application/json")


def language(request: Request) -> str:
    """The language to answer in."""
    return language_of(request.headers.get("accept-language"))
