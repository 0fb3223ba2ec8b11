"""An MQTT broker: a line that is kept up, events at least once, and retained how things stand."""

import contextlib
import ssl
import threading
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from rig.listeners.home_assistant import RigFacts, discovery
from rig.listeners.outbox import Answer, Broker, Event, Listener, cause
from rig.listeners.topics import AVAILABILITY, EVENTS, OFFLINE, ONLINE, States, payload_of
from rig.trouble import SettingTrouble
from vision.reason import Reason

if TYPE_CHECKING:
    from paho.mqtt.client import Client

LONGEST_S = 5.0
"""A broker that has not answered by then is tried again later."""
_KEEP_ALIVE_S = 30
"""The broker takes a rig that was silent for half as long again for gone."""
_FAREWELL_S = 0.4
_PORTS = {"mqtt": 1883, "mqtts": 8883}
_REFUSED = 128
"""Reason codes from here on are refusals."""
_CREDENTIALS = ("Bad user name or password", "Not authorized")


class BrokerAddress(SettingTrouble, key="broker-address"):
    """An address at which there can be no broker."""


class BrokerCertificate(SettingTrouble, key="broker-certificate"):
    """What no certificate can be checked with."""


class MqttMissing(SettingTrouble, key="mqtt-missing"):
    """The rig was installed without MQTT."""


def check_broker(url: str, ca: str) -> None:
    """BrokerAddress, BrokerCertificate or MqttMissing unless that can be used."""
    try:
        parts = urlsplit(url)
        fits = parts.scheme in _PORTS and bool(parts.hostname) and parts.port != 0
    except ValueError:
        fits = False
    if not fits or "@" in parts.netloc or any(ord(letter) <= 32 for letter in url):
        raise BrokerAddress(url=url[:200])
    if parts.path.strip("/") or parts.query or parts.fragment:
        raise BrokerAddress(url=url[:200])
    try:
        _tls(ca)
    except (ssl.SSLError, ValueError) as error:
        raise BrokerCertificate from error
    if find_spec("paho") is None:
        raise MqttMissing


class BrokerLine:
    """The line to one broker. `states`: how things stand now, by the last part of their topic."""

    def __init__(
        self, states: Callable[[], States], facts: RigFacts, longest_s: float = LONGEST_S
    ) -> None:
        self._states = states
        self._facts = facts
        self._longest_s = longest_s
        self._connection: _Connection | None = None
        self._shown: dict[str, bytes] = {}
        """State -> what was published of it on this connection."""
        self._news = -1

    def send(self, listener: Listener, event: Event) -> Answer:
        """Publish an event, once."""
        broker = _broker(listener)
        error = self._keep_up(listener, broker)
        if error is None and self._connection is not None:
            error = self._connection.publish(f"{broker.topic}/{EVENTS}", event.body())
        return self._answer(error)

    def rest(self, listener: Listener, news: int) -> Answer:
        """Keep the line up, and publish how things stand where that has changed."""
        broker = _broker(listener)
        error = self._keep_up(listener, broker)
        if error is None and news != self._news:
            error = self._show(broker)
            self._news = news if error is None else -1
        return self._answer(error)

    def close(self, is_removed: bool) -> None:
        """Say that the rig is away; if it is never to come back, leave nothing behind."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.end(is_removed, self._facts)

    def _answer(self, error: Reason | None) -> Answer:
        if error is not None:
            self._drop()
        return Answer(None, error)

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.drop()

    def _keep_up(self, listener: Listener, broker: Broker) -> Reason | None:
        """Connect where there is no connection, and say who is there; why that is not possible."""
        if self._connection is not None and self._connection.is_up():
            return None
        self._drop()
        connection = _Connection(listener, broker, self._longest_s)
        error = connection.open()
        if error is not None:
            connection.drop()
            return error
        self._connection, self._shown, self._news = connection, {}, -1
        for topic, values in discovery(broker, self._facts).items():
            if (error := connection.publish(topic, payload_of(values), retain=True)) is not None:
                return error
        # How things stand comes before the rig is said to be there: what was retained is old.
        error = self._show(broker)
        topic = f"{broker.topic}/{AVAILABILITY}"
        return connection.publish(topic, ONLINE.encode(), retain=True) if error is None else error

    def _show(self, broker: Broker) -> Reason | None:
        if self._connection is None:
            return None
        for state, values in self._states().items():
            payload = payload_of(values)
            if self._shown.get(state) != payload:
                topic = f"{broker.topic}/{state}"
                error = self._connection.publish(topic, payload, retain=True)
                if error is not None:
                    return error
                self._shown[state] = payload
        return None


class _Connection:
    """One connection, from its opening to its end; a new try is a new connection."""

    def __init__(self, listener: Listener, broker: Broker, longest_s: float) -> None:
        self._listener = listener
        self._broker = broker
        self._longest_s = longest_s
        self._answered = threading.Event()
        self._refusal: Reason | None = None
        self._refused: dict[int, str] = {}
        """Message -> why the broker did not take it."""
        self._retained: set[str] = set()
        self._client: Client | None = None

    def open(self) -> Reason | None:
        """Connect, and wait for the broker's word; why it came to nothing, if it did."""
        try:
            client = self._client = self._made()
        except ImportError:
            return Reason("mqtt-not-installed")
        parts = urlsplit(self._listener.url)
        try:
            port = parts.port or _PORTS[parts.scheme]
            client.connect(str(parts.hostname), port, _KEEP_ALIVE_S)
        except ssl.SSLCertVerificationError as error:
            return Reason("not-trusted", cause(error.verify_message))
        except ssl.SSLError as error:
            return Reason("no-tls", cause(error.reason or error))
        except TimeoutError:
            return self._no_answer()
        except (OSError, ValueError) as error:
            return Reason("cannot-be-reached", cause(getattr(error, "strerror", None) or error))
        client.loop_start()
        if not self._answered.wait(self._longest_s):
            return self._no_answer()
        return self._refusal

    def is_up(self) -> bool:
        """Whether the connection still stands."""
        return self._client is not None and self._client.is_connected()

    def publish(self, topic: str, payload: bytes, retain: bool = False) -> Reason | None:
        """Publish, and wait until the broker has taken it (QoS 1); why it has not."""
        if self._client is None:
            return Reason("not-connected")
        try:
            message = self._client.publish(topic, payload, qos=1, retain=retain)
            message.wait_for_publish(self._longest_s)
        except (RuntimeError, ValueError, OSError):
            return Reason("broke-off")
        if not message.is_published():
            return self._no_answer() if self.is_up() else Reason("broke-off")
        if retain:
            self._retained.add(topic)
        reason = self._refused.pop(message.mid, None)
        return None if reason is None else Reason("refuses-topic", {"topic": topic, "why": reason})

    def _no_answer(self) -> Reason:
        return Reason("answered-nothing", {"longest_s": self._longest_s})

    def end(self, is_removed: bool, facts: RigFacts) -> None:
        """Take leave: away, or, once removed, with nothing retained."""
        self._longest_s = _FAREWELL_S
        topic = f"{self._broker.topic}/{AVAILABILITY}"
        left = dict.fromkeys([*discovery(self._broker, facts), *self._retained], b"")
        farewell = left if is_removed else {topic: OFFLINE.encode()}
        for name, payload in farewell.items():
            if self.is_up() and self.publish(name, payload, retain=True) is not None:
                break
        self.drop()

    def drop(self) -> None:
        """Let go of the connection, and of all that it holds at once."""
        client, self._client = self._client, None
        if client is None:
            return
        with contextlib.suppress(OSError, ValueError):
            client.disconnect()
        client.loop_stop()
        client.on_connect = client.on_disconnect = client.on_publish = None
        left = client.socket()
        if left is not None:
            left.close()

    def _made(self) -> "Client":
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

        client = Client(
            CallbackAPIVersion.VERSION2,
            client_id=f"tacta-{self._listener.id}",
            protocol=MQTTProtocolVersion.MQTTv5,
            reconnect_on_failure=False,
        )
        client.connect_timeout = self._longest_s
        if self._broker.username:
            client.username_pw_set(self._broker.username, self._broker.password or None)
        if urlsplit(self._listener.url).scheme == "mqtts":
            client.tls_set_context(_tls(self._broker.ca))
        client.will_set(f"{self._broker.topic}/{AVAILABILITY}", OFFLINE, qos=1, retain=True)
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_publish = self._on_publish
        return client

    def _on_connect(self, client: Any, data: Any, flags: Any, reason: Any, more: Any) -> None:
        del client, data, flags, more
        if reason.value >= _REFUSED:
            self._refusal = _said_no(str(reason))
        self._answered.set()

    def _on_disconnect(self, client: Any, data: Any, flags: Any, reason: Any, more: Any) -> None:
        del client, data, flags, reason, more
        if not self._answered.is_set():
            self._refusal = Reason("not-mqtt-5")
            self._answered.set()

    def _on_publish(self, client: Any, data: Any, mid: int, reason: Any, more: Any) -> None:
        del client, data, more
        if reason.value >= _REFUSED:
            self._refused[mid] = str(reason)


def _said_no(reason: str) -> Reason:
    if reason in _CREDENTIALS:
        return Reason("refuses-password", cause(reason))
    if reason == "Unsupported protocol version":
        return Reason("not-mqtt-5")
    return Reason("refuses", cause(reason))


def _broker(listener: Listener) -> Broker:
    if listener.broker is None:
        raise ValueError(f"expected a broker, found the webhook {listener.id}")
    return listener.broker


class _TlsSocket(ssl.SSLSocket):
    """Closed at once where the other side cannot be trusted, not when somebody tidies up."""

    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except (OSError, ValueError):
            self.close()
            raise


def _tls(ca: str) -> ssl.SSLContext:
    context = ssl.create_default_context(cadata=ca or None)
    context.sslsocket_class = _TlsSocket
    return context
