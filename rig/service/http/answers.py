"""The one table from what went wrong to what the service answers: status, code and sentence."""

from collections.abc import Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse

from referee.misfit import Misfit
from rig.service.http import trouble as service
from rig.service.http.language import language_of
from rig.trouble import Trouble
from rig.wording.catalogue import CATALOGUE, trouble_sentence
from rig.wording.kept_reasons import reason_of
from rig.wording.troubles import worded
from vision.reason import Reason

_CODES = {
    400: "host-refused body-ambiguous",
    401: "not-paired token-wrong token-revoked token-expired",
    403: """
        not-your-signature not-allowed not-for-programs header-missing secret-wrong ask-refused
        not-your-photo
    """,
    404: """
        disagreement-unknown event-unknown game-unknown backup-unknown frame-unknown
        correction-unknown match-unknown round-unknown ask-unknown invitation-unknown not-found
        phone-unknown token-unknown webhook-unknown broker-unknown deck-unknown
    """,
    405: "method-not-allowed",
    408: "too-slow",
    409: """
        card-gone doubt-gone nothing-to-change not-neighbours match-over round-still-open
        round-ended round-not-ended round-signed round-not-signed already-signed score-missing
        frame-taken round-not-last colours-signed seat-taken already-seated already-settled
        nothing-followed nothing-read frame-older frame-of-another-table scores-hidden coach-off
        frame-protected frames-apart correction-undone version-conflict name-taken not-read
        already-read
        lens-not-begun lens-busy lens-too-few lens-not-computed lens-of-another-camera
        lens-too-poor lens-better-there deck-there deck-named-at-start deck-in-play
        deck-not-made enrolment-not-begun enrolment-empty enrolment-full
    """,
    410: "picture-missing row-unreadable",
    413: "photo-too-large photo-too-many-bytes body-too-large",
    415: "photo-unknown photo-wrong-kind",
    422: """
        photo-empty photo-damaged photo-too-hard lens-fault lens-other-size answer-unknown
        not-in-deck off-picture match-fault player-unknown game-players backup-damaged
        backup-newer name-unreadable request-invalid webhook-address broker-address
        broker-certificate lens-board-unknown
    """,
    429: "too-many-tries",
    431: "headers-too-large",
    500: "fault",
    503: """
        camera-missing camera-busy camera-denied camera-not-installed camera-silent
        camera-waiting camera-empty camera-garbage camera-failed camera-unknown store-unusable
        store-damaged store-read-only backup-folder-missing busy no-camera mqtt-missing
    """,
    507: "store-full",
}
STATUS = {code: status for status, codes in _CODES.items() for code in codes.split()}
"""Every code the service answers with, and its HTTP status."""

_OF_STATUS: dict[int, type[Trouble]] = {404: service.NotFound, 405: service.MethodNotAllowed}


def refusal(
    trouble: Trouble | Misfit, language: str, present: Mapping[str, Any] | None = None
) -> JSONResponse:
    """The answer to a trouble, in this language; `present`: what is there now instead."""
    status = STATUS.get(trouble.key, 500)
    known = isinstance(trouble, Trouble)
    english = str(trouble) if known else trouble_sentence(trouble.key, trouble.facts)
    body: dict[str, Any] = {
        "code": trouble.key,
        "message": worded(trouble.key, trouble.facts, english, language),
    }
    if present is not None:
        body["present"] = dict(present)
    headers = {"Content-Language": language}
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if isinstance(trouble, service.TooManyTries | service.Busy):
        headers["Retry-After"] = str(trouble.facts["seconds"])
    return JSONResponse(body, status, headers)


async def on_trouble(request: Request, error: Exception) -> JSONResponse:
    """Answer a Trouble, or what the referee refuses."""
    if not isinstance(error, Trouble | Misfit):
        raise error
    return refusal(error, language_of(request.headers.get("accept-language")))


async def on_http(request: Request, error: Exception) -> JSONResponse:
    """Answer what the framework refuses: no such address, no such method, a broken body."""
    if not isinstance(error, HTTPException):
        raise error
    kind = _OF_STATUS.get(error.status_code)
    trouble: Trouble
    if kind is not None:
        trouble = kind()
    elif error.status_code == 408:
        trouble = service.TooSlow()
    elif error.status_code == 413:
        trouble = service.BodyTooLarge(limit=error.detail)
    else:
        trouble = service.RequestInvalid(where="body", why=error.detail)
    answer = refusal(trouble, language_of(request.headers.get("accept-language")))
    answer.headers.update(error.headers or {})
    return answer


async def on_invalid(request: Request, error: Exception) -> JSONResponse:
    """Answer a request that does not fit its description: the first place, and why."""
    found: list[dict[str, Any]] = list(getattr(error, "errors", list)())
    first = found[0] if found else {"loc": ("body",), "msg": "is not valid"}
    where = ".".join(str(part) for part in first["loc"] if part != "body") or "body"
    trouble = service.RequestInvalid(where=where[:100], why=why_invalid(first))
    return refusal(trouble, language_of(request.headers.get("accept-language")))


def why_invalid(found: Mapping[str, Any]) -> Reason:
    """What pydantic says of a value; in its own English where its code has no French."""
    code, english = f"request-{found.get('type')}", str(found["msg"])
    english = english[:1].lower() + english[1:200]
    if code not in CATALOGUE:
        return reason_of(english)
    told = {name: fact for name, fact in found.get("ctx", {}).items() if name != "error"}
    return Reason(code, {**told, "english": english})


async def on_fault(request: Request, error: Exception) -> JSONResponse:
    """Answer a fault of the program itself; the log has it in full."""
    del error
    return refusal(service.Fault(), language_of(request.headers.get("accept-language")))
