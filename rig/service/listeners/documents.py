"""What may be asked of listeners, and what is answered about them, as models."""

from typing import Annotated, Any

from pydantic import Field

from rig.listeners.outbox import Listener
from rig.service.http.documents import Document
from rig.service.http.requests import Name, Topic, Wish
from rig.service.listeners.parts import ListenerParts
from rig.wording.catalogue import sentence


class HookRequest(Wish):
    """Tell this address what happens."""

    name: Name
    url: Annotated[str, Field(min_length=1, max_length=500)]


class BrokerRequest(Wish):
    """Publish at this MQTT broker what happens, and how things stand.

    `ca`: the certificate of the authority that signed the broker's, as PEM, where the system does
    not know it. `topic`: what all topics begin with. `discovery`: where Home Assistant looks for
    devices; null: nothing is put there.
    """

    name: Name
    url: Annotated[str, Field(min_length=1, max_length=500)]
    username: Annotated[str, Field(max_length=200)] = ""
    password: Annotated[str, Field(max_length=200)] = ""
    ca: Annotated[str, Field(max_length=50_000)] = ""
    topic: Topic = "tacta"
    discovery: Topic | None = "homeassistant"


class HookDocument(Document):
    """A webhook. `waiting`: events it has not taken yet; `tries`: how often in vain by now."""

    id: str
    name: str
    url: str
    made_at: str
    waiting: int
    tries: int
    last_at: str | None
    last_status: int | None
    last_error: str | None = Field(description="Null: the last event was taken.")


class NewHookDocument(HookDocument):
    """A webhook that was just made, with the secret of its signatures, shown once."""

    secret: str


class HookList(Document):
    """Every webhook."""

    webhooks: list[HookDocument]


class BrokerDocument(Document):
    """An MQTT broker. `waiting`: events it has not taken yet; `tries`: how often in vain by now."""

    id: str
    name: str
    url: str
    made_at: str
    topic: str
    username: str
    discovery: str | None
    own_ca: bool = Field(description="Its certificate is checked against one that was given.")
    waiting: int
    tries: int
    last_at: str | None
    last_error: str | None = Field(description="Null: all is well, or nothing was tried yet.")


class BrokerList(Document):
    """Every broker."""

    brokers: list[BrokerDocument]


def hook_document(parts: ListenerParts, hook: Listener, language: str) -> HookDocument:
    """A webhook, without its secret."""
    return HookDocument(**told(parts, hook, language))


def broker_document(parts: ListenerParts, listener: Listener, language: str) -> BrokerDocument:
    """A broker, without its password."""
    broker = listener.broker
    if broker is None:
        raise ValueError(f"expected a broker, found the webhook {listener.id}")
    values = told(parts, listener, language)
    values.pop("last_status")
    return BrokerDocument(
        **values,
        topic=broker.topic,
        username=broker.username,
        discovery=broker.discovery,
        own_ca=bool(broker.ca),
    )


def told(parts: ListenerParts, listener: Listener, language: str) -> dict[str, Any]:
    """What a listener is, and what came of telling it."""
    error = listener.last_error
    return {
        "id": listener.id,
        "name": listener.name,
        "url": listener.url,
        "made_at": listener.made_at,
        "waiting": parts.outbox.waiting(listener),
        "tries": listener.tries,
        "last_at": listener.last_at,
        "last_status": listener.last_status,
        "last_error": None if error is None else sentence(error, language),
    }
