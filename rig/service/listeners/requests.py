"""What may be asked of webhooks and brokers, as models."""

from typing import Annotated

from pydantic import Field

from rig.service.http.requests import Name, Topic, Wish


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
