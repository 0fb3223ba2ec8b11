"""MQTT brokers: where what happens, and how things stand, is published."""

from __future__ import annotations

from typing import Annotated

from starlette.requests import Request
from starlette.responses import Response

from rig.listeners.mqtt import check_broker
from rig.listeners.outbox import Broker, Listener
from rig.service.access import desk_of
from rig.service.desk import Desk
from rig.service.documents import BrokerDocument, BrokerList
from rig.service.listener_documents import broker_document
from rig.service.requests import BrokerRequest
from rig.service.routing import Routes, answer, language
from rig.service.trouble import BrokerUnknown
from rig.service.web import Path

routes = Routes("brokers")
BrokerId = Annotated[str, Path(min_length=1, max_length=40, pattern="^[0-9a-f]+$")]


@routes.add("GET", "/brokers", role="admin", answers=BrokerList)
def list_brokers(request: Request) -> Response:
    """Every broker, with what came of the last try and how many events it has not taken yet."""
    desk = desk_of(request)
    found = [broker_document(desk, one, language(request)) for one in desk.outbox.brokers()]
    return answer(BrokerList(brokers=found))


@routes.add(
    "POST",
    "/brokers",
    role="admin",
    refuses=("broker-address", "broker-certificate", "mqtt-missing"),
    answers=BrokerDocument,
    status=201,
)
def add_broker(request: Request, wish: BrokerRequest) -> Response:
    """Publish there what happens from now on, and how things stand; the list says if it works."""
    desk = desk_of(request)
    check_broker(wish.url, wish.ca)
    broker = Broker(
        topic=wish.topic,
        username=wish.username,
        password=wish.password,
        ca=wish.ca,
        discovery=wish.discovery,
        language=language(request),
    )
    listener = desk.outbox.broker(wish.name, wish.url, broker, desk.now())
    request.app.state.messenger.wake()
    return answer(broker_document(desk, listener, language(request)), 201)


@routes.add(
    "POST",
    "/brokers/{broker}/test",
    role="admin",
    refuses=("broker-unknown",),
    answers=BrokerDocument,
    status=202,
)
def test_broker(request: Request, broker: BrokerId) -> Response:
    """Tell every listener an event named test, this one at once; the list says what came of it."""
    desk = desk_of(request)
    found = _found(desk, broker)
    desk.outbox.add("test", desk.now(), {"broker": broker})
    request.app.state.messenger.wake(hurried=broker)
    return answer(broker_document(desk, found, language(request)), 202)


@routes.add("DELETE", "/brokers/{broker}", role="admin", refuses=("broker-unknown",), status=204)
def remove_broker(request: Request, broker: BrokerId) -> Response:
    """Publish nothing more there, and take away what was retained, if it can be reached."""
    desk = desk_of(request)
    _found(desk, broker)
    desk.outbox.forget(broker)
    request.app.state.messenger.wake()
    return Response(status_code=204)


def _found(desk: Desk, broker: str) -> Listener:
    found = desk.outbox.listener(broker)
    if found is None or found.broker is None:
        raise BrokerUnknown
    return found
