"""The one table from what went wrong to what the service answers: status, code and sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse

from rig.cameras.trouble import TROUBLES as CAMERA_TROUBLES
from rig.corrections import trouble as corrections
from rig.listeners.mqtt import BrokerAddress, BrokerCertificate, MqttMissing
from rig.listeners.webhook import WebhookAddress
from rig.photo.decoding import (
    PhotoDamaged,
    PhotoEmpty,
    PhotoTooHard,
    PhotoTooLarge,
    PhotoTooManyBytes,
    PhotoUnknown,
    PhotoWrongKind,
)
from rig.referee import trouble as referee
from rig.rounds import trouble as rounds
from rig.service.http import trouble as service
from rig.service.http.language import language_of
from rig.store import trouble as store
from rig.trouble import Trouble
from rig.wording.catalogue import CATALOGUE
from rig.wording.kept_reasons import reason_of
from rig.wording.troubles import worded
from vision.reason import Reason

STATUS: dict[str, int] = {
    **{kind.key: 503 for kind in CAMERA_TROUBLES.values()},
    PhotoEmpty.key: 422,
    PhotoUnknown.key: 415,
    PhotoWrongKind.key: 415,
    PhotoTooLarge.key: 413,
    PhotoTooManyBytes.key: 413,
    PhotoDamaged.key: 422,
    PhotoTooHard.key: 422,
    "lens-fault": 422,
    "lens-other-size": 422,
    corrections.CardGone.key: 409,
    corrections.DoubtGone.key: 409,
    corrections.AnswerUnknown.key: 422,
    corrections.NothingToChange.key: 409,
    corrections.NotNeighbours.key: 409,
    corrections.NotInDeck.key: 422,
    corrections.OffPicture.key: 422,
    rounds.MatchFault.key: 422,
    rounds.MatchOver.key: 409,
    rounds.RoundStillOpen.key: 409,
    rounds.RoundEnded.key: 409,
    rounds.RoundNotEnded.key: 409,
    rounds.RoundSigned.key: 409,
    rounds.RoundNotSigned.key: 409,
    rounds.AlreadySigned.key: 409,
    rounds.PlayerUnknown.key: 422,
    rounds.ScoreMissing.key: 409,
    rounds.FrameTaken.key: 409,
    rounds.RoundNotLast.key: 409,
    rounds.ColoursSigned.key: 409,
    rounds.NotYourSignature.key: 403,
    rounds.SeatTaken.key: 409,
    rounds.AlreadySeated.key: 409,
    rounds.DisagreementUnknown.key: 404,
    rounds.AlreadySettled.key: 409,
    referee.NothingFollowed.key: 409,
    referee.NothingRead.key: 409,
    referee.EventUnknown.key: 404,
    store.GameUnknown.key: 404,
    referee.FrameOlder.key: 409,
    referee.OtherTable.key: 409,
    referee.PlayersWrong.key: 422,
    referee.ScoresHidden.key: 409,
    service.CoachOff.key: 409,
    store.StoreFull.key: 507,
    store.StoreUnusable.key: 503,
    store.StoreDamaged.key: 503,
    store.StoreReadOnly.key: 503,
    store.BackupDamaged.key: 422,
    store.BackupNewer.key: 422,
    store.BackupUnknown.key: 404,
    store.BackupFolderMissing.key: 503,
    store.FrameUnknown.key: 404,
    store.FrameProtected.key: 409,
    store.PictureMissing.key: 410,
    store.RowUnreadable.key: 410,
    store.CorrectionUnknown.key: 404,
    store.CorrectionUndone.key: 409,
    store.VersionConflict.key: 409,
    store.MatchUnknown.key: 404,
    store.RoundUnknown.key: 404,
    service.NotPaired.key: 401,
    service.TokenWrong.key: 401,
    service.TokenRevoked.key: 401,
    service.TokenExpired.key: 401,
    service.NotAllowed.key: 403,
    service.NotForPrograms.key: 403,
    service.HeaderMissing.key: 403,
    service.HostRefused.key: 400,
    service.BodyAmbiguous.key: 400,
    service.HeadersTooLarge.key: 431,
    service.SecretWrong.key: 403,
    service.NameTaken.key: 409,
    service.NameUnreadable.key: 422,
    service.AskUnknown.key: 404,
    service.AskRefused.key: 403,
    service.InvitationUnknown.key: 404,
    service.NotYourPhoto.key: 403,
    service.TooManyTries.key: 429,
    service.Busy.key: 503,
    service.TooSlow.key: 408,
    service.RequestInvalid.key: 422,
    service.BodyTooLarge.key: 413,
    service.NotFound.key: 404,
    service.MethodNotAllowed.key: 405,
    service.NotRead.key: 409,
    service.AlreadyRead.key: 409,
    service.NoCamera.key: 503,
    service.PhoneUnknown.key: 404,
    service.TokenUnknown.key: 404,
    service.WebhookUnknown.key: 404,
    WebhookAddress.key: 422,
    service.BrokerUnknown.key: 404,
    BrokerAddress.key: 422,
    BrokerCertificate.key: 422,
    MqttMissing.key: 503,
    service.LensNotBegun.key: 409,
    service.LensBusy.key: 409,
    service.LensTooFew.key: 409,
    service.LensNotComputed.key: 409,
    service.LensOfAnotherCamera.key: 409,
    service.LensTooPoor.key: 409,
    service.LensBetterThere.key: 409,
    service.LensBoardUnknown.key: 422,
    service.DeckUnknown.key: 404,
    service.DeckThere.key: 409,
    service.DeckNamedAtStart.key: 409,
    service.DeckInPlay.key: 409,
    service.DeckNotMade.key: 409,
    service.EnrolmentNotBegun.key: 409,
    service.EnrolmentEmpty.key: 409,
    service.EnrolmentFull.key: 409,
    service.Fault.key: 500,
}
"""Every code the service answers with, and its HTTP status."""

_OF_STATUS: dict[int, type[Trouble]] = {
    404: service.NotFound,
    405: service.MethodNotAllowed,
}


def refusal(
    trouble: Trouble, language: str, present: Mapping[str, Any] | None = None
) -> JSONResponse:
    """The answer to a trouble, in this language; `present`: what is there now instead."""
    status = STATUS.get(trouble.key, 500)
    body: dict[str, Any] = {
        "code": trouble.key,
        "message": worded(trouble.key, trouble.facts, str(trouble), language),
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
    """Answer a Trouble."""
    if not isinstance(error, Trouble):
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
