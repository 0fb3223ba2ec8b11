"""Webhooks: who is told what happens, and what came of telling them."""

from __future__ import annotations

from typing import Annotated, Any

from starlette.requests import Request
from starlette.responses import Response

from rig.service.access import desk_of
from rig.service.desk import Desk
from rig.service.documents import HookDocument, HookList, NewHookDocument
from rig.service.requests import HookRequest
from rig.service.routing import Routes, answer
from rig.service.trouble import WebhookUnknown
from rig.service.web import Path
from rig.webhooks.outbox import Hook
from rig.webhooks.sending import check_address

routes = Routes("webhooks")
HookId = Annotated[str, Path(min_length=1, max_length=40, pattern="^[0-9a-f]+$")]


@routes.add("GET", "/webhooks", role="admin", answers=HookList)
def list_hooks(request: Request) -> Response:
    """Every webhook, with what it answered last and how many events it has not taken yet."""
    desk = desk_of(request)
    return answer(HookList(webhooks=[_document(desk, hook) for hook in desk.outbox.hooks()]))


@routes.add(
    "POST",
    "/webhooks",
    role="admin",
    refuses=("webhook-address",),
    answers=NewHookDocument,
    status=201,
)
def add_hook(request: Request, wish: HookRequest) -> Response:
    """Tell this address what happens from now on; the secret of its signatures is shown once."""
    desk = desk_of(request)
    check_address(wish.url)
    hook = desk.outbox.hook(wish.name, wish.url, desk.now())
    _wake(request)
    document = NewHookDocument(**_values(desk, hook), secret=hook.secret)
    return answer(document, 201)


@routes.add(
    "POST",
    "/webhooks/{hook}/test",
    role="admin",
    refuses=("webhook-unknown",),
    answers=HookDocument,
    status=202,
)
def test_hook(request: Request, hook: HookId) -> Response:
    """Tell every webhook an event named test; the list says what came of it."""
    desk = desk_of(request)
    found = _found(desk, hook)
    desk.outbox.add("test", desk.now(), {"webhook": hook})
    _wake(request)
    return answer(_document(desk, found), 202)


@routes.add("DELETE", "/webhooks/{hook}", role="admin", refuses=("webhook-unknown",), status=204)
def remove_hook(request: Request, hook: HookId) -> Response:
    """Tell this address nothing more."""
    if not desk_of(request).outbox.forget(hook):
        raise WebhookUnknown
    _wake(request)
    return Response(status_code=204)


def _wake(request: Request) -> None:
    request.app.state.messenger.wake()


def _found(desk: Desk, hook: str) -> Hook:
    for one in desk.outbox.hooks():
        if one.id == hook:
            return one
    raise WebhookUnknown


def _document(desk: Desk, hook: Hook) -> HookDocument:
    return HookDocument(**_values(desk, hook))


def _values(desk: Desk, hook: Hook) -> dict[str, Any]:
    return {
        "id": hook.id,
        "name": hook.name,
        "url": hook.url,
        "made_at": hook.made_at,
        "waiting": desk.outbox.waiting(hook),
        "tries": hook.tries,
        "last_at": hook.last_at,
        "last_status": hook.last_status,
        "last_error": hook.last_error,
    }
