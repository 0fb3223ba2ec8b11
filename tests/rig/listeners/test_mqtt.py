"""Against a real mosquitto: every event at least once, how things stand, and what goes wrong."""

from __future__ import annotations

import contextlib
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rig.listeners.home_assistant import RigFacts
from rig.listeners.mqtt import BrokerLine
from rig.listeners.outbox import Answer, Broker, Outbox
from tests.conftest import LEFT_OUT
from tests.rig.listeners.mosquitto import Mosquitto, needs_mosquitto, needs_paho, subscriber
from tests.rig.listeners.receiver import Receiver, until
from tests.rig.service.matches.match_steps import a_round, begin, sign
from tests.rig.service.table_top import TableTop, table_top
from vision.reason import Reason

PATIENCE_S = 60.0


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    needs_mosquitto()
    made = Mosquitto(tmp_path / "mosquitto")
    yield made
    made.stop()


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[TableTop]:
    needs_mosquitto()
    with table_top(tmp_path / "rig") as found:
        yield found


def add(rig: TableTop, port: int, **more: str) -> str:
    wish = {"name": "HA", "url": f"mqtt://127.0.0.1:{port}", **more}
    answer = rig.post("/brokers", wish)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def state(rig: TableTop, language: str = "en") -> Any:
    (found,) = rig.get("/brokers", **{"Accept-Language": language}).json()["brokers"]
    return found


def is_well(rig: TableTop) -> bool:
    found = state(rig)
    return found["last_at"] and not found["last_error"] and not found["waiting"]


def error_of(rig: TableTop) -> str:
    """What is shown, once something is."""
    return str(until(lambda: state(rig)["last_error"], PATIENCE_S))


def try_again(rig: TableTop, broker: str) -> None:
    assert rig.post(f"/brokers/{broker}/test").status_code == 202


def numbers(events: list[dict[str, Any]]) -> dict[int, str]:
    return {event["sequence"]: event["id"] for event in events}


def up_to(last: int, events: list[dict[str, Any]]) -> dict[int, str]:
    return numbers([event for event in events if event["sequence"] <= last])


def test_every_event_of_a_match_arrives_through_restarts_of_both_sides(
    tmp_path: Path, mosquitto: Mosquitto
) -> None:
    mosquitto.start()
    receiver = Receiver()
    with subscriber(mosquitto.port) as heard:
        with table_top(tmp_path / "rig") as rig:
            broker = add(rig, mosquitto.port)
            rig.post("/webhooks", {"name": "HA", "url": receiver.url})
            match = begin(rig)
            sign(rig, a_round(rig, match, 1))
            until(lambda: is_well(rig), PATIENCE_S)
            mosquitto.stop()
            receiver.stop()
            ended = a_round(rig, match, 2)
            try_again(rig, broker)
            until(lambda: state(rig)["last_error"], PATIENCE_S)
        mosquitto.start()
        receiver.start()
        with table_top(tmp_path / "rig") as rig:
            sign(rig, ended)
            a_round(rig, match, 3)
            # What happened is written down a moment after it was answered.
            until(lambda: len(happened_to(rig)) == 8, PATIENCE_S)
            until(lambda: is_well(rig), PATIENCE_S)
            until(lambda: not rig.get("/webhooks").json()["webhooks"][0]["waiting"], PATIENCE_S)
            with rig.outbox._database.transaction() as line:
                rows = line.execute("SELECT sequence, id, name FROM events").fetchall()
            happened = {row["sequence"]: row["id"] for row in rows}
            names = happened_to(rig)
        # What had happened before there was anybody to tell is not told. The camera may change
        # at any time, also after what had happened was looked up.
        first, last = min(numbers(heard.of("tacta/events"))), max(happened)
        wanted = {number: id_ for number, id_ in happened.items() if number >= first}
        until(lambda: up_to(last, heard.of("tacta/events")) == wanted, PATIENCE_S)
        until(lambda: heard.last("tacta/availability") == "offline", PATIENCE_S)
    played = ["frame-read", "round-ended", "round-signed"]
    assert names == [*played, *played, *played[:2]]
    by_webhook = up_to(last, [e for e in receiver.told() if e["sequence"] >= first])
    assert by_webhook == wanted
    order = [event["sequence"] for event in heard.of("tacta/events")]
    assert order == sorted(order)
    receiver.stop()


def happened_to(rig: TableTop) -> list[str]:
    """What happened to rounds, by the events that are written down."""
    with rig.outbox._database.transaction() as line:
        names = [row["name"] for row in line.execute("SELECT name FROM events ORDER BY sequence")]
    return [name for name in names if name not in ("camera-changed", "test")]


def test_how_things_stand_is_retained(rig: TableTop, mosquitto: Mosquitto) -> None:
    mosquitto.start()
    broker = add(rig, mosquitto.port)
    ended = a_round(rig, begin(rig), 1)
    until(lambda: is_well(rig), PATIENCE_S)
    with subscriber(mosquitto.port) as heard:
        until(lambda: heard.last("tacta/round"), PATIENCE_S)
        until(lambda: heard.last("tacta/round")["state"] == "ended", PATIENCE_S)
        assert heard.of("tacta/availability") == ["online"]
        # What happens is said once; an event may still be on its way to whoever listens now.
        assert "tacta/events" not in {topic for topic, _, kept in heard.heard if kept}
        assert heard.last("tacta/camera") == {"condition": "fresh"}
        assert heard.last("tacta/frame")["scores"]["red"] == 26
        assert heard.last("tacta/frame")["doubts"] == 1
        config = heard.last("homeassistant/sensor/tacta/score_red/config")
        assert config["state_topic"] == "tacta/frame"
        rig.post(f"/matches/{ended['match']}/rounds/1/resume")  # that it had ended is taken back
        until(lambda: heard.last("tacta/round")["state"] == "open", PATIENCE_S)
        rig.delete(f"/brokers/{broker}")
        until(lambda: heard.last("tacta/availability") == "", PATIENCE_S)
        topics = {topic for topic, _, _ in heard.heard} - {"tacta/events"}
        until(lambda: all(heard.last(topic) == "" for topic in topics), PATIENCE_S)
    assert rig.get("/brokers").json() == {"brokers": []}
    assert rig.delete(f"/brokers/{broker}").json()["code"] == "broker-unknown"


def test_a_rig_that_vanishes_is_said_to_be_away(rig: TableTop, mosquitto: Mosquitto) -> None:
    mosquitto.start()
    cut = Cut(mosquitto.port)
    with subscriber(mosquitto.port) as heard:
        broker = add(rig, cut.port)
        until(lambda: heard.last("tacta/availability") == "online", PATIENCE_S)
        cut.now()
        until(lambda: "offline" in heard.of("tacta/availability"), PATIENCE_S)
        try_again(rig, broker)
        until(lambda: heard.last("tacta/availability") == "online", PATIENCE_S)
    cut.close()


def test_a_broker_that_is_away_is_shown_and_tried_again(
    rig: TableTop, mosquitto: Mosquitto
) -> None:
    mosquitto.start()
    mosquitto.stop()
    broker = add(rig, mosquitto.port)
    rig.frame(4)
    assert "cannot be reached" in error_of(rig)
    assert "est injoignable" in state(rig, "fr")["last_error"]
    waiting = until(lambda: state(rig)["waiting"], PATIENCE_S)
    assert waiting >= 1
    mosquitto.start()
    with subscriber(mosquitto.port) as heard:
        try_again(rig, broker)
        until(lambda: is_well(rig), PATIENCE_S)
        until(lambda: len(heard.of("tacta/events")) >= waiting + 1, PATIENCE_S)
    assert state(rig)["tries"] == 0


def test_a_wrong_password_is_shown(rig: TableTop, mosquitto: Mosquitto) -> None:
    mosquitto.add_user("rig", "right")
    mosquitto.start()
    add(rig, mosquitto.port, username="rig", password="wrong")
    assert "refuses the user name or the password" in error_of(rig)
    assert "mot de passe" in state(rig, "fr")["last_error"]
    rig.delete(f"/brokers/{state(rig)['id']}")
    add(rig, mosquitto.port, username="rig", password="right")
    until(lambda: is_well(rig), PATIENCE_S)
    told = rig.get("/brokers").text
    assert "right" not in told
    assert "password" not in told


def test_a_broker_that_lets_nothing_be_published_has_taken_nothing(
    rig: TableTop, mosquitto: Mosquitto, tmp_path: Path
) -> None:
    rules = tmp_path / "acl"
    rules.write_text("topic read #\ntopic write homeassistant/#\ntopic write tacta/frame\n")
    rules.chmod(0o600)
    mosquitto.settings.append(f"acl_file {rules}")
    mosquitto.start()
    broker = add(rig, mosquitto.port)
    try_again(rig, broker)
    assert "does not let the rig publish tacta/camera" in error_of(rig)
    assert state(rig)["waiting"] >= 1


def test_tls(rig: TableTop, mosquitto: Mosquitto, tmp_path: Path) -> None:
    if shutil.which("openssl") is None:
        pytest.skip(f"{LEFT_OUT}no openssl here")
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    names = ["-subj", "/CN=broker", "-addext", "subjectAltName=IP:127.0.0.1"]
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    command += ["-nodes", "-days", "2", *names, "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True)
    mosquitto.settings += [f"certfile {certificate}", f"keyfile {key}"]
    mosquitto.start()
    url = f"mqtts://127.0.0.1:{mosquitto.port}"
    stranger = add(rig, mosquitto.port, url=url)
    assert "has a certificate that is not trusted" in error_of(rig)
    rig.delete(f"/brokers/{stranger}")
    plain = add(rig, mosquitto.port)  # without TLS where there is TLS
    assert "broke the connection" in error_of(rig)
    rig.delete(f"/brokers/{plain}")
    add(rig, mosquitto.port, url=url, ca=certificate.read_text())
    until(lambda: is_well(rig), PATIENCE_S)
    assert state(rig)["own_ca"] is True


def test_what_says_nothing_is_not_waited_for(tmp_path: Path) -> None:
    needs_paho()
    outbox = Outbox(tmp_path)
    facts = RigFacts((), "1", "http://rig.local:8000")
    with socket.create_server(("127.0.0.1", 0)) as mute:
        url = f"mqtt://127.0.0.1:{mute.getsockname()[1]}"
        listener = outbox.broker("HA", url, Broker(), "t")
        line = BrokerLine(dict, facts, longest_s=0.3)
        unanswered = Reason("answered-nothing", {"longest_s": 0.3})
        assert line.rest(listener, 0) == Answer(None, unanswered)
        line.close(is_removed=True)
    outbox.close()


class Cut:
    """A line to the broker through this program, which can cut it as a power cut would."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._server.getsockname()[1])
        self._open: list[socket.socket] = []
        self._serving = threading.Thread(target=self._serve, daemon=True)
        self._serving.start()

    def _serve(self) -> None:
        while True:
            try:
                near, _ = self._server.accept()
            except OSError:
                return
            self._open.append(near)
            try:
                far = socket.create_connection(("127.0.0.1", self._to))
            except OSError:
                continue
            self._open.append(far)
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        try:
            while data := one.recv(65536):
                other.sendall(data)
        except OSError:
            return

    def now(self) -> None:
        for one in self._open:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self._open = []

    def close(self) -> None:
        # Closing it alone leaves the thread waiting, with what it accepts then open for ever.
        self._server.shutdown(socket.SHUT_RDWR)
        self._serving.join(timeout=10)
        self._server.close()
        self.now()
