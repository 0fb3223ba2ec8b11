"""Webhooks: who is told what happens, and what came of telling them."""

from __future__ import annotations

from typing import Annotated

from starlette.requests import Request
from starlette.responses import Response

from rig.listeners.outbox import Listener
from rig.listeners.webhook import check_address
from rig.service.access import desk_of
from rig.service.desk import Desk
from rig.service.documents import HookDocument, HookList, NewHookDocument
from rig.service.listener_documents import hook_document, told
from rig.service.requests import HookRequest
from rig.service.routing import Routes, answer, language
from rig.service.trouble import WebhookUnknown
from rig.service.web import Path

routes = Routes("webhooks")
HookId = Annotated[str, Path(min_length=1, max_length=40, pattern="^[0-9a-f]+$")]


@routes.add("GET", "/webhooks", role="admin", answers=HookList)
def list_hooks(request: Request) -> Response:
    """Every webhook, with what it answered last and how many events it has not taken yet."""
    desk = desk_of(request)
    found = [hook_document(desk, hook, language(request)) for hook in desk.outbox.webhooks()]
    return answer(HookList(webhooks=found))


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
    hook = desk.outbox.webhook(wish.name, wish.url, desk.now())
    request.app.state.messenger.wake()
    values = told(desk, hook, language(request))
    return answer(NewHookDocument(**values, secret=hook.secret), 201)


@routes.add(
    "POST",
    "/webhooks/{hook}/test",
    role="admin",
    refuses=("webhook-unknown",),
    answers=HookDocument,
    status=202,
)
def test_hook(request: Request, hook: HookId) -> Response:
    """Tell every listener an event named test; the list says what came of it."""
    desk = desk_of(request)
    found = _found(desk, hook)
    desk.outbox.add("test", desk.now(), {"webhook": hook})
    request.app.state.messenger.wake(hurried=hook)
    return answer(hook_document(desk, found, language(request)), 202)


@routes.add("DELETE", "/webhooks/{hook}", role="admin", refuses=("webhook-unknown",), status=204)
def remove_hook(request: Request, hook: HookId) -> Response:
    """Tell this address nothing more."""
    desk = desk_of(request)
    _found(desk, hook)
    desk.outbox.forget(hook)
    request.app.state.messenger.wake()
    return Response(status_code=204)


def _found(desk: Desk, hook: str) -> Listener:
    found = desk.outbox.listener(hook)
    if found is None or found.broker is not None:
        raise WebhookUnknown
    return found
