"""Who is told what happens, and what came of telling them: webhooks, and MQTT brokers."""

from typing import Annotated

from starlette.requests import Request
from starlette.responses import Response

from rig.listeners.mqtt import check_broker
from rig.listeners.outbox import Broker, Listener
from rig.listeners.webhook import check_address
from rig.service.http.routing import Routes, language
from rig.service.http.trouble import BrokerUnknown, WebhookUnknown
from rig.service.http.web import Path
from rig.service.listeners.documents import (
    BrokerDocument,
    BrokerList,
    BrokerRequest,
    HookDocument,
    HookList,
    HookRequest,
    NewHookDocument,
    broker_document,
    hook_document,
    told,
)
from rig.service.listeners.parts import listener_parts

webhooks, brokers = Routes("webhooks"), Routes("brokers")
ListenerId = Annotated[str, Path(min_length=1, max_length=40, pattern="^[0-9a-f]+$")]


@webhooks.add("GET", "/webhooks", role="admin")
def list_hooks(request: Request) -> HookList:
    """Every webhook, with what it answered last and how many events it has not taken yet."""
    parts = listener_parts(request)
    found = [hook_document(parts, hook, language(request)) for hook in parts.outbox.webhooks()]
    return HookList(webhooks=found)


@webhooks.add("POST", "/webhooks", role="admin", status=201)
def add_hook(request: Request, wish: HookRequest) -> NewHookDocument:
    """Tell this address what happens from now on; the secret of its signatures is shown once."""
    parts = listener_parts(request)
    check_address(wish.url)
    hook = parts.outbox.webhook(wish.name, wish.url, parts.clock.now())
    request.app.state.messenger.wake()
    values = told(parts, hook, language(request))
    return NewHookDocument(**values, secret=hook.secret)


@webhooks.add("POST", "/webhooks/{hook}/test", role="admin", refuses=(404,), status=202)
def test_hook(request: Request, hook: ListenerId) -> HookDocument:
    """Tell every listener an event named test; the list says what came of it."""
    parts, found = listener_parts(request), _webhook(request, hook)
    _try(request, "webhook", hook)
    return hook_document(parts, found, language(request))


@webhooks.add("DELETE", "/webhooks/{hook}", role="admin", refuses=(404,), status=204)
def remove_hook(request: Request, hook: ListenerId) -> Response:
    """Tell this address nothing more."""
    return _forgotten(request, _webhook(request, hook))


@brokers.add("GET", "/brokers", role="admin")
def list_brokers(request: Request) -> BrokerList:
    """Every broker, with what came of the last try and how many events it has not taken yet."""
    parts = listener_parts(request)
    found = [broker_document(parts, one, language(request)) for one in parts.outbox.brokers()]
    return BrokerList(brokers=found)


@brokers.add("POST", "/brokers", role="admin", status=201)
def add_broker(request: Request, wish: BrokerRequest) -> BrokerDocument:
    """Publish there what happens from now on, and how things stand; the list says if it works."""
    parts = listener_parts(request)
    check_broker(wish.url, wish.ca)
    broker = Broker(
        topic=wish.topic,
        username=wish.username,
        password=wish.password,
        ca=wish.ca,
        discovery=wish.discovery,
        language=language(request),
    )
    listener = parts.outbox.broker(wish.name, wish.url, broker, parts.clock.now())
    request.app.state.messenger.wake()
    return broker_document(parts, listener, language(request))


@brokers.add("POST", "/brokers/{broker}/test", role="admin", refuses=(404,), status=202)
def test_broker(request: Request, broker: ListenerId) -> BrokerDocument:
    """Tell every listener an event named test, this one at once; the list says what came of it."""
    parts, found = listener_parts(request), _broker(request, broker)
    _try(request, "broker", broker)
    return broker_document(parts, found, language(request))


@brokers.add("DELETE", "/brokers/{broker}", role="admin", refuses=(404,), status=204)
def remove_broker(request: Request, broker: ListenerId) -> Response:
    """Publish nothing more there, and take away what was retained, if it can be reached."""
    return _forgotten(request, _broker(request, broker))


def _webhook(request: Request, hook: str) -> Listener:
    found = listener_parts(request).outbox.listener(hook)
    if found is None or found.broker is not None:
        raise WebhookUnknown
    return found


def _broker(request: Request, broker: str) -> Listener:
    found = listener_parts(request).outbox.listener(broker)
    if found is None or found.broker is None:
        raise BrokerUnknown
    return found


def _try(request: Request, kind: str, listener: str) -> None:
    parts = listener_parts(request)
    parts.outbox.add("test", parts.clock.now(), {kind: listener})
    request.app.state.messenger.wake(hurried=listener)


def _forgotten(request: Request, listener: Listener) -> Response:
    listener_parts(request).outbox.forget(listener.id)
    request.app.state.messenger.wake()
    return Response(status_code=204)
