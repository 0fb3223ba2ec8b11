"""Webhooks and brokers as the service's documents."""

from __future__ import annotations

from typing import Any

from rig.listeners.outbox import Listener
from rig.service.state.documents import BrokerDocument, HookDocument
from rig.service.state.parts import ListenerParts
from rig.wording.catalogue import sentence


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
