"""Webhooks: signed, in order, again until they are taken, through restarts of both sides."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rig.listeners.messenger import Messenger
from rig.listeners.outbox import FILE_NAME, Answer, Event, Listener, Outbox
from rig.listeners.webhook import WebhookAddress, WebhookLine, check_address, deliver, signature
from rig.wording.catalogue import sentence
from tests.rig.listeners.receiver import AT, Receiver, until
from tests.rig.service.matches.match_steps import a_round, begin, sign
from tests.rig.service.table_top import TableTop, table_top
from vision.reason import Reason


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    yield made
    made.stop()


@pytest.fixture
def outbox(tmp_path: Path) -> Iterator[Outbox]:
    made = Outbox(tmp_path)
    yield made
    made.close()


def _line(listener: Listener) -> WebhookLine:
    del listener
    return WebhookLine()


def test_an_event_is_signed(outbox: Outbox, receiver: Receiver) -> None:
    hook = outbox.webhook("HA", receiver.url, AT)
    outbox.add("test", AT, {"a": 1})
    event = outbox.next_for(hook)
    assert event is not None
    assert deliver(hook, event) == Answer(200, None)
    ((headers, body),) = receiver.heard
    assert json.loads(body) == {
        "id": event.id,
        "sequence": 1,
        "event": "test",
        "at": AT,
        "data": {"a": 1},
    }
    stamp, _, given = headers["X-Tacta-Signature"].partition(",v1=")
    seconds = stamp.removeprefix("t=")
    wanted = hmac.new(hook.secret.encode(), seconds.encode() + b"." + body, hashlib.sha256)
    assert given == wanted.hexdigest()
    assert signature(hook.secret, int(seconds), body) == headers["X-Tacta-Signature"]
    assert (headers["X-Tacta-Delivery"], headers["X-Tacta-Sequence"]) == (event.id, "1")


@pytest.mark.parametrize(
    ("status", "error"),
    [(302, Reason("redirects")), (500, Reason("answered", {"status": 500}))],
)
def test_what_is_not_taken_is_said(
    outbox: Outbox, receiver: Receiver, status: int, error: Reason
) -> None:
    hook = outbox.webhook("HA", receiver.url, AT)
    receiver.answers = [status]
    assert deliver(hook, Event(1, "a", "test", AT, {})) == Answer(status, error)


def test_one_that_hangs_or_is_away_is_said(outbox: Outbox, receiver: Receiver) -> None:
    hook = outbox.webhook("HA", receiver.url, AT)
    receiver.hangs.clear()
    found = deliver(hook, Event(1, "a", "test", AT, {}), longest_s=0.2)
    assert found == Answer(None, Reason("answered-nothing", {"longest_s": 0.2}))
    away = outbox.webhook("away", "http://127.0.0.1:9/", AT)
    refused = deliver(away, Event(1, "a", "test", AT, {})).error
    assert refused is not None
    assert refused.code == "cannot-be-reached"
    assert "est injoignable (Connection refused)" in sentence(refused, "fr")


@pytest.mark.parametrize(
    "begun", [b"", b"HTTP/1.1 200 OK\r\nX-Long: ", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n"]
)
def test_one_that_answers_a_byte_at_a_time_is_not_waited_for(outbox: Outbox, begun: bytes) -> None:
    """In the status line, or within a header."""
    ended = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def trickle() -> None:
            line, _ = listener.accept()
            with line, contextlib.suppress(OSError):  # the rig has hung up
                line.recv(65_536)
                line.sendall(begun)
                while not ended.wait(0.05):
                    line.sendall(b"H")

        thread = threading.Thread(target=trickle, daemon=True)
        thread.start()
        hook = outbox.webhook("HA", f"http://127.0.0.1:{listener.getsockname()[1]}/", AT)
        asked = time.monotonic()
        found = deliver(hook, Event(1, "a", "test", AT, {}), longest_s=0.5)
        assert time.monotonic() - asked < 5.0
        ended.set()
        thread.join(5)
    assert found == Answer(None, Reason("answered-nothing", {"longest_s": 0.5}))


@pytest.mark.parametrize(
    "url",
    [
        "",
        "ftp://a",
        "http://",
        "http://a:b@c/",
        "http://a:99999/",
        "http://a b/",
        "file:///x",
        "http://[/",
    ],
)
def test_addresses_that_are_refused(url: str) -> None:
    with pytest.raises(WebhookAddress):
        check_address(url)


def test_events_arrive_in_order_through_refusals_and_restarts(
    tmp_path: Path, receiver: Receiver
) -> None:
    outbox = Outbox(tmp_path)
    outbox.webhook("HA", receiver.url, AT)
    receiver.answers = [500, 302, 200, 503]
    messenger = Messenger(outbox, lambda: AT, _line, first_wait_s=0.02)
    for number in range(3):
        outbox.add("test", AT, {"n": number})
    messenger.wake()
    until(lambda: len(receiver.heard) >= 2)
    messenger.close()
    outbox.add("test", AT, {"n": 3})
    outbox.close()

    again = Outbox(tmp_path)
    messenger = Messenger(again, lambda: AT, _line, first_wait_s=0.02)
    messenger.wake()
    until(lambda: {event["data"]["n"] for event in receiver.events()} == {0, 1, 2, 3})
    sequences = [event["sequence"] for event in receiver.events()]
    assert sequences == sorted(sequences)
    hook = until(lambda: [one for one in again.listeners() if one.heard == 4])[0]
    assert (hook.tries, hook.last_status, hook.last_error) == (0, 200, None)
    messenger.close()
    again.close()


def test_one_that_hangs_holds_up_no_other(outbox: Outbox) -> None:
    slow, quick = outbox.webhook("slow", "http://a/", AT), outbox.webhook("quick", "http://b/", AT)
    may_end, told = threading.Event(), threading.Event()

    class Hanging(WebhookLine):
        def send(self, listener: Listener, event: Event) -> Answer:
            del event
            if listener.id == slow.id:
                may_end.wait(10)
            else:
                told.set()
            return Answer(200, None)

    messenger = Messenger(outbox, lambda: AT, lambda _: Hanging())
    outbox.add("test", AT, {})
    messenger.wake()
    assert told.wait(5)
    until(lambda: next(one for one in outbox.listeners() if one.id == quick.id).heard == 1)
    may_end.set()
    messenger.close()


def test_a_new_webhook_hears_what_happens_from_then_on(outbox: Outbox) -> None:
    outbox.add("test", AT, {})
    assert outbox.next_for(outbox.webhook("HA", "http://a/", AT)) is None


def test_a_damaged_file_is_put_aside(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"no database" * 100)
    (tmp_path / f"{FILE_NAME}-wal").write_bytes(b"a log of what is no database")
    outbox = Outbox(tmp_path)
    assert outbox.listeners() == []
    outbox.add("test", AT, {})
    outbox.close()
    assert (tmp_path / "outbox.damaged").read_bytes() == b"no database" * 100
    assert Outbox(tmp_path).webhook("HA", "http://a/", AT).heard == 1


def test_a_match_is_told_with_its_scores(rig: TableTop, receiver: Receiver) -> None:
    made = rig.post("/webhooks", {"name": "HA", "url": receiver.url}).json()
    assert made["secret"]
    ended = a_round(rig, begin(rig), 5)
    sign(rig, ended)
    until(lambda: len(receiver.events()) == 3)
    names = [event["event"] for event in receiver.events()]
    assert names == ["frame-read", "round-ended", "round-signed"]
    read, over, signed = (event["data"] for event in receiver.events())
    assert read["scores"]["red"] == 26
    assert over["sides"] == ended["sides"]
    assert (signed["round"], signed["sure"], signed["signed_by"][0]["player"]) == (1, False, "*")
    sequences = [json.loads(body)["sequence"] for _, body in receiver.heard]
    assert sequences == list(range(sequences[0], sequences[0] + len(sequences)))
    assert rig.post(f"/webhooks/{made['id']}/test").status_code == 202
    until(lambda: len(receiver.events()) == 4)
    (listed,) = until(
        lambda: [one for one in rig.get("/webhooks").json()["webhooks"] if not one["waiting"]]
    )
    assert (listed["last_status"], listed["last_error"]) == (200, None)
    assert "secret" not in listed
    assert rig.delete(f"/webhooks/{made['id']}").status_code == 204
    assert rig.delete(f"/webhooks/{made['id']}").json()["code"] == "webhook-unknown"
    bad = rig.post("/webhooks", {"name": "x", "url": "ftp://a"}, **{"Accept-Language": "fr"})
    assert (bad.status_code, bad.json()["code"]) == (422, "webhook-address")
    assert "ne convient pas" in bad.json()["message"]


def hook_of(rig: TableTop, name: str, language: str = "en") -> Any:
    found = rig.get("/webhooks", **{"Accept-Language": language}).json()["webhooks"]
    return next(one for one in found if one["name"] == name)


def test_a_webhook_that_redirects_to_this_machine_leads_nowhere(
    rig: TableTop, receiver: Receiver
) -> None:
    here = Receiver()
    try:
        receiver.elsewhere = here.url
        receiver.answers = [302]
        rig.post("/webhooks", {"name": "leads", "url": receiver.url})
        rig.frame(3)
        until(lambda: hook_of(rig, "leads")["last_error"])
        found = hook_of(rig, "leads")
        assert (found["last_status"], found["tries"]) == (302, 1)
        assert found["last_error"] == "redirects to another address, which is not followed"
        assert "renvoie à une autre adresse" in hook_of(rig, "leads", "fr")["last_error"]
        until(lambda: [e["event"] for e in receiver.events()] == ["frame-read"])  # tried again
        assert here.heard == []
    finally:
        here.stop()


def test_a_webhook_that_hangs_holds_up_nobody_and_loses_nothing(
    rig: TableTop, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliver, "__defaults__", (0.3,))
    hanging = Receiver()
    try:
        hanging.hangs.clear()
        rig.post("/webhooks", {"name": "hangs", "url": hanging.url})
        rig.post("/webhooks", {"name": "quick", "url": receiver.url})
        ended = a_round(rig, begin(rig), 5)
        until(lambda: [e["event"] for e in receiver.events()] == ["frame-read", "round-ended"])
        until(lambda: hook_of(rig, "hangs")["last_error"])
        assert hook_of(rig, "hangs")["last_error"] == "did not answer within 0.3 s"
        assert "n'a pas répondu" in hook_of(rig, "hangs", "fr")["last_error"]
        assert hook_of(rig, "hangs")["waiting"] >= 2
        assert sign(rig, ended).status_code == 200
        hanging.hangs.set()
        # Those it was holding come late, and twice: each arrives at least once, in order.
        wanted = ["frame-read", "round-ended", "round-signed"]
        until(lambda: list(dict.fromkeys(e["event"] for e in hanging.events())) == wanted, 30)
    finally:
        hanging.stop()


def test_what_happened_while_the_rig_was_down_is_told(tmp_path: Path, receiver: Receiver) -> None:
    with table_top(tmp_path / "rig") as rig:
        rig.post("/webhooks", {"name": "HA", "url": receiver.url})
        match = begin(rig)
        rig.post(f"/matches/{match}/rounds")
        frame = rig.frame(5)
        until(lambda: len(receiver.events()) == 1)
        heard = tuple(rig.events.listeners)
        rig.events.listeners.clear()  # the process is killed before it tells
        rig.post(f"/matches/{match}/rounds/1/end", {"frame": frame})
        rig.events.listeners.extend(heard)
    with table_top(tmp_path / "rig"):
        until(lambda: [e["event"] for e in receiver.events()] == ["frame-read", "round-ended"])


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[TableTop]:
    with table_top(tmp_path / "rig") as found:
        yield found
