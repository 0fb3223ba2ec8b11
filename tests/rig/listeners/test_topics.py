"""What is published at a broker, without one: topics, payloads, and the line between events."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import ValidationError

from rig.listeners.home_assistant import (
    CONDITIONS,
    DOINGS,
    EVENT_NAMES,
    ROUND_STATES,
    SIGNALS,
    RigFacts,
    discovery,
)
from rig.listeners.messenger import Messenger
from rig.listeners.mqtt import BrokerAddress, BrokerCertificate, MqttMissing, check_broker
from rig.listeners.outbox import FILE_NAME, Answer, Broker, Event, Listener, Outbox
from rig.listeners.topics import STATES, payload_of
from rig.service.game.now import Doing
from rig.service.listeners import announcing
from rig.service.listeners.documents import BrokerRequest
from rig.service.listeners.standing import standing
from rig.table_lamp.signal import Signal
from rig.wording.kept_reasons import reason_of
from tests.rig.listeners.receiver import AT, until
from tests.rig.service.matches.match_steps import a_round, begin, sign
from tests.rig.service.table_top import TableTop, table_top
from vision.reason import Reason

AWAY = Reason("cannot-be-reached", {"why": "x"})
FACTS = RigFacts(("blue", "red"), "1.2", "http://rig.local:8000")


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[TableTop]:
    with table_top(tmp_path / "rig") as found:
        yield found


@pytest.fixture
def outbox(tmp_path: Path) -> Iterator[Outbox]:
    made = Outbox(tmp_path)
    yield made
    made.close()


def things(broker: Broker) -> dict[str, dict[str, Any]]:
    """Home Assistant's things by the last part of their name."""
    found = discovery(broker, FACTS)
    return {topic.split("/")[-2]: dict(values) for topic, values in found.items()}


def test_what_home_assistant_finds() -> None:
    found = discovery(Broker(topic="games/tacta"), FACTS)
    assert set(found) == {
        f"homeassistant/{place}/config"
        for place in (
            "sensor/games_tacta/camera",
            "binary_sensor/games_tacta/sure",
            "sensor/games_tacta/doubts",
            "sensor/games_tacta/illegal",
            "sensor/games_tacta/round",
            "sensor/games_tacta/leaders",
            "sensor/games_tacta/game",
            "sensor/games_tacta/game_signal",
            "sensor/games_tacta/game_turn",
            "sensor/games_tacta/game_last",
            "binary_sensor/games_tacta/game_finished",
            "event/games_tacta/events",
            "sensor/games_tacta/score_blue",
            "sensor/games_tacta/score_red",
        )
    }
    names = [values["unique_id"] for values in found.values()]
    assert len(set(names)) == len(names)
    for values in found.values():
        assert values["availability_topic"] == "games/tacta/availability"
        assert values["device"]["identifiers"] == ["tacta-games_tacta"]
        assert values["state_topic"].startswith("games/tacta/")
    elsewhere = {values["unique_id"] for values in discovery(Broker(), FACTS).values()}
    assert not elsewhere & set(names)


# https://www.home-assistant.io/integrations/mqtt, /sensor.mqtt, /binary_sensor.mqtt, /event.mqtt
OF_ALL = {
    *("availability_topic", "payload_available", "payload_not_available", "device", "origin"),
    *("qos", "unique_id", "name", "state_topic", "value_template", "json_attributes_topic"),
    "entity_category",
}
OF_KIND = {
    "sensor": {"device_class", "options", "state_class", "unit_of_measurement"},
    "binary_sensor": set(),
    "event": {"event_types"},
}
OF_DEVICE = {"identifiers", "name", "model", "sw_version", "configuration_url"}


def test_every_field_is_one_that_home_assistant_documents() -> None:
    """Beside the names: what its schemas want of the fields together."""
    facts = RigFacts(("blue", "dark blue", "dark/blue", "été", "#+"), "1.2", "http://rig:8000")
    found = discovery(Broker(topic="games/tacta"), facts)
    assert len(found) == 12 + len(facts.colours)
    for topic, values in found.items():
        prefix, kind, node, part, last = topic.split("/")
        assert (prefix, node, last) == ("homeassistant", "games_tacta", "config")
        assert re.fullmatch("[a-zA-Z0-9_-]+", part)
        assert set(values) <= OF_ALL | OF_KIND[kind]
        assert set(values["device"]) <= OF_DEVICE
        assert values["origin"]["name"]
        assert values["qos"] in (0, 1, 2)
        assert values.get("entity_category") in (None, "diagnostic")
        if "options" in values:
            assert values["device_class"] == "enum"
            assert not {"state_class", "unit_of_measurement"} & set(values)
        if kind == "event":
            assert "'event_type'" in values["value_template"]


def test_nothing_is_put_there_for_home_assistant_where_it_is_not_wanted() -> None:
    assert discovery(Broker(discovery=None), FACTS) == {}


def test_its_names_are_in_the_language_of_whoever_added_the_broker() -> None:
    english, french = things(Broker()), things(Broker(language="fr"))
    assert (english["round"]["name"], french["round"]["name"]) == ("Round", "Manche")
    assert (english["score_red"]["name"], french["score_red"]["name"]) == (
        "Score red",
        "Score rouge",
    )


def test_every_template_finds_what_it_asks_for(rig: TableTop) -> None:
    empty = standing(rig.assembly.listeners)
    sign(rig, a_round(rig, begin(rig), 3))
    full = standing(rig.assembly.listeners)
    assert tuple(full) == tuple(empty) == STATES
    for values in things(Broker()).values():
        topic = values["state_topic"].removeprefix("tacta/")
        asked = set(re.findall(r"value_json\.(\w+)", values["value_template"]))
        known = [{"event", "id", "sequence", "at", "data"}]
        if topic != "events":
            known = [set(empty[topic]), set(full[topic])]
        assert all(asked <= keys for keys in known), values
    assert full["camera"]["condition"] in CONDITIONS
    assert full["round"]["state"] in ROUND_STATES
    assert (full["game"]["doing"], full["game"]["signal"]) == ("off", "off")
    assert set(DOINGS) == set(get_args(Doing))
    assert set(SIGNALS) == {one.value for one in Signal}


def test_every_event_is_one_that_home_assistant_knows() -> None:
    source = Path(announcing.__file__).read_text("utf-8")
    for name in ("frame-read", "frame-unread", "camera-changed", "match-deleted", "round-ended"):
        assert f'"{name}"' in source
        assert name in EVENT_NAMES
    assert {"round-signed", "test"} <= set(EVENT_NAMES)


def test_how_things_stand_follows_corrections_and_what_is_undone(rig: TableTop) -> None:
    assert standing(rig.assembly.listeners)["round"] == {
        "state": "none",
        "sure": None,
        "leaders": [],
        "sides": [],
    }
    ended = a_round(rig, begin(rig), 3)
    before = standing(rig.assembly.listeners)
    assert before["round"]["state"] == "ended"
    assert before["frame"]["scores_without_illegal"]["pink"] == 32
    for card in ended["illegal"]:
        frame = rig.get(f"/frames/{ended['frame']}").json()
        assert rig.correct(frame["id"], frame["version"], kind="verdict", card=card, legal=True)
    after = standing(rig.assembly.listeners)
    assert after["frame"]["scores_without_illegal"]["pink"] == 33
    sides = {side["colour"]: side["announced"] for side in after["round"]["sides"]}
    assert sides["pink"] == 33
    rig.post(f"/matches/{ended['match']}/rounds/1/resume")
    assert standing(rig.assembly.listeners)["round"]["state"] == "open"
    rig.delete(f"/matches/{ended['match']}")
    assert standing(rig.assembly.listeners)["round"]["state"] == "none"
    json.loads(payload_of(after["round"]))


def test_what_cannot_be_found_out_is_told_as_nothing(
    rig: TableTop, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = standing(rig.assembly.listeners)
    a_round(rig, begin(rig), 3)
    assert standing(rig.assembly.listeners) != empty

    def broken(*_: object) -> None:
        raise KeyError("a fault of the program")

    monkeypatch.setattr("rig.service.listeners.standing.round_document", broken)
    assert standing(rig.assembly.listeners) == empty


@pytest.mark.parametrize(
    "url",
    [
        "",
        "http://a",
        "mqtt://",
        "mqtt://a:b@c",
        "mqtt://a:99999",
        "mqtt://a b",
        "mqtt://a/topic",
        "mqtt://a?x",
        "mqtt://[",
        "mqtt://a:0",
    ],
)
def test_addresses_that_are_refused(url: str) -> None:
    with pytest.raises(BrokerAddress):
        check_broker(url, "")


@pytest.mark.parametrize(
    "ca", ["x", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"]
)
def test_what_is_no_certificate_is_refused(ca: str) -> None:
    with pytest.raises(BrokerCertificate):
        check_broker("mqtts://a", ca)


def test_without_the_package_a_broker_is_refused(
    rig: TableTop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rig.listeners.mqtt.find_spec", lambda _: None)
    with pytest.raises(MqttMissing):
        check_broker("mqtt://a", "")
    wish = {"name": "HA", "url": "mqtt://127.0.0.1:9"}
    answer = rig.post("/brokers", wish, **{"Accept-Language": "fr"})
    assert (answer.status_code, answer.json()["code"]) == (503, "mqtt-missing")
    assert "paho-mqtt" in answer.json()["message"]


@pytest.mark.parametrize("topic", ["", "/", "a/", "/a", "a//b", "a/#", "a+", "a b", "é"])
def test_topics_that_are_refused(topic: str) -> None:
    wish = {"name": "HA", "url": "mqtt://127.0.0.1:9"}
    BrokerRequest.model_validate({**wish, "topic": "games/tacta_2"})
    with pytest.raises(ValidationError):
        BrokerRequest.model_validate({**wish, "topic": topic})


class Resting:
    """A line that says what it is told to, and remembers what was asked."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []
        self.rested: list[int] = []
        self.sent: list[int] = []
        self.closed: list[bool] = []

    def send(self, listener: Listener, event: Event) -> Answer:
        self.sent.append(event.sequence)
        return Answer(None, None)

    def rest(self, listener: Listener, news: int) -> Answer:
        self.rested.append(news)
        return self.answers.pop(0) if self.answers else Answer(None, None)

    def close(self, is_removed: bool) -> None:
        self.closed.append(is_removed)


def test_a_line_is_kept_up_between_events(outbox: Outbox) -> None:
    listener = outbox.broker("HA", "mqtt://a", Broker(password="secret"), AT)
    line = Resting()
    line.answers = [Answer(None, AWAY)]
    messenger = Messenger(outbox, lambda: AT, lambda _: line, first_wait_s=0.2)
    messenger.wake()
    until(lambda: outbox.brokers()[0].last_error == AWAY)
    until(lambda: outbox.brokers()[0].last_error is None and outbox.brokers()[0].last_at == AT)
    assert outbox.brokers()[0].tries == 0
    outbox.add("test", AT, {})
    before = line.rested[-1]
    messenger.wake()
    until(lambda: line.rested[-1] > before)
    assert line.sent == [1]
    outbox.forget(listener.id)
    messenger.wake()
    until(lambda: line.closed)
    assert line.closed == [True]
    messenger.close()


def test_one_that_is_hurried_waits_no_longer(outbox: Outbox) -> None:
    listener = outbox.broker("HA", "mqtt://a", Broker(), AT)
    line = Resting()
    line.answers = [Answer(None, AWAY)]
    messenger = Messenger(outbox, lambda: AT, lambda _: line, first_wait_s=300)
    messenger.wake()
    until(lambda: outbox.brokers()[0].tries == 1)
    messenger.wake()  # other news hurry nobody
    assert len(line.rested) == 1
    messenger.wake(hurried=listener.id)
    until(lambda: outbox.brokers()[0].tries == 0)
    messenger.close()
    assert line.closed == [False]


def test_a_line_that_breaks_the_program_is_made_anew(outbox: Outbox) -> None:
    outbox.broker("HA", "mqtt://a", Broker(), AT)
    outbox.add("test", AT, {})
    lines: list[Resting] = []

    class Broken(Resting):
        def send(self, listener: Listener, event: Event) -> Answer:
            if len(lines) == 1:
                raise KeyError("a fault of the program")
            return super().send(listener, event)

    def made(_: Listener) -> Resting:
        lines.append(Broken())
        return lines[-1]

    messenger = Messenger(outbox, lambda: AT, made)
    messenger.wake()
    until(lambda: lines and lines[0].closed)

    def has_heard() -> bool:
        messenger.wake()
        return len(lines) > 1 and lines[-1].sent == [1]

    until(has_heard)
    messenger.close()


def test_webhooks_of_before_are_kept(tmp_path: Path) -> None:
    line = sqlite3.connect(tmp_path / FILE_NAME)
    line.executescript(
        """
        CREATE TABLE events (sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
          name TEXT NOT NULL, at TEXT NOT NULL, data TEXT NOT NULL) STRICT;
        CREATE TABLE hooks (id TEXT PRIMARY KEY, name TEXT NOT NULL, url TEXT NOT NULL,
          secret TEXT NOT NULL, made_at TEXT NOT NULL, heard INTEGER NOT NULL,
          tries INTEGER NOT NULL DEFAULT 0, last_at TEXT, last_status INTEGER, last_error TEXT)
          STRICT;
        CREATE TABLE told (subject TEXT PRIMARY KEY, state TEXT NOT NULL) STRICT;
        INSERT INTO events VALUES (7, 'e', 'test', 't', '{}');
        INSERT INTO hooks VALUES ('a', 'HA', 'http://a/', 's', 't', 6, 0, NULL, NULL, 'is away');
        """
    )
    line.commit()
    line.close()
    for _ in range(2):
        outbox = Outbox(tmp_path)
        (hook,) = outbox.webhooks()
        assert (hook.secret, hook.broker, outbox.waiting(hook)) == ("s", None, 1)
        assert hook.last_error == reason_of("is away")
        assert not outbox.brokers()
        outbox.close()
