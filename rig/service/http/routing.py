"""How a route is declared: who may use it, what it answers, and what it can refuse."""

from collections.abc import Callable, Sequence
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any, get_args, get_type_hints

from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from rig.service.access.access import WRITE_HEADER, WRITES, admit
from rig.service.access.pairing import Role
from rig.service.http.documents import API, Refusal
from rig.service.http.language import language_of
from rig.service.http.web import APIRouter, Depends

_EVERYWHERE = (400, 401, 410, 422, 431, 500, 503)
"""A strange host, a broken body or long headers, a token that does not count, what is kept and
cannot be read, and faults of the program."""
_WRITING = (403, 408, 413, 503, 507)
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
        self.router = APIRouter(prefix=API, tags=[subject])
        self.admits: dict[tuple[str, str], Role | None] = {}

    def add(
        self,
        method: str,
        path: str,
        *,
        role: Role | None,
        refuses: Sequence[int] = (),
        answers: type[BaseModel] | None = None,
        status: int = 200,
        also: dict[int, str] | None = None,
        media_type: str | None = None,
        even_read_only: bool = False,
        people_only: bool = False,
    ) -> Callable[[Function], Function]:
        """Declare a route: a function that returns the document it answers with, None where that is
        empty, or a whole response, whose document `answers` names then.

        `refuses`: statuses beside those that any such route may have; `also`: further statuses with
        the same answer. `even_read_only`: a write that does not change what is kept of the games.
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
        parameters = [_LANGUAGE_PARAMETER, *([_WRITE_PARAMETER] if method in WRITES else [])]
        extra: dict[str, Any] = {"parameters": parameters}
        if role is not None:
            extra["security"] = [{"phone": []}, {"bearer": []}]
            extra["x-role"] = role
        if people_only:
            extra["x-people-only"] = True

        def declare(function: Function) -> Function:
            model = answers or _document_of(function)
            for code, description in (also or {}).items():
                further = content if code in _BODIES else {}
                described[code] = {"description": description, **further}
                if model is not None:
                    described[code]["model"] = model
            self.router.add_api_route(
                path,
                _answering(function, status),
                methods=[method],
                status_code=status,
                response_model=model,
                response_class=Response if media_type or model is None else JSONResponse,
                responses=described,
                dependencies=[Depends(admitted)],
                openapi_extra=extra,
            )
            return function

        return declare


def _document_of(function: Function) -> type[BaseModel] | None:
    """The document that a function says it returns, beside responses."""
    said = get_type_hints(function)["return"]
    kinds = [kind for kind in get_args(said) or (said,) if isinstance(kind, type)]
    return next((kind for kind in kinds if issubclass(kind, BaseModel)), None)


def _answering(function: Function, status: int) -> Function:
    """The function, with its document made a response beside the event loop: that can be slow."""

    def response(found: BaseModel | Response | None) -> Response:
        if isinstance(found, BaseModel):
            return answer(found, status)
        return Response(status_code=status) if found is None else found

    @wraps(function)
    async def waiting(*arguments: Any, **named: Any) -> Response:
        return await run_in_threadpool(response, await function(*arguments, **named))

    @wraps(function)
    def at_once(*arguments: Any, **named: Any) -> Response:
        return response(function(*arguments, **named))

    return waiting if iscoroutinefunction(function) else at_once


def _statuses(method: str, role: Role | None, refuses: Sequence[int]) -> set[int]:
    writing = _WRITING if method in WRITES else ()
    known = () if role is None else (403,)
    return {*_EVERYWHERE, *writing, *known, *refuses}


def answer(document: BaseModel, status: int = 200, **headers: str) -> Response:
    """A document as a response with these headers; called beside the event loop."""
    body = document.model_dump_json()
    return Response(body, status, headers=headers, media_type="application/json")


def unless_known(
    request: Request, tag: str, make: Callable[[], tuple[bytes, str]], **headers: str
) -> Response:
    """What `make` makes, bytes and their media type, or that whoever asks has what this tag names.
    It is asked for each time: it may be deleted for good.
    """
    headers = {"ETag": f'"{tag}"', "Cache-Control": "private, no-cache", **headers}
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    body, media_type = make()
    return Response(body, headers=headers, media_type=media_type)


def language(request: Request) -> str:
    """The language to answer in."""
    return language_of(request.headers.get("accept-language"))
