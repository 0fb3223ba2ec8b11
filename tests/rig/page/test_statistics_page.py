"""Statistics, charts, and what other programs need, on the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rig.listeners.receiver import Receiver
from tests.rig.page.browser import browser_only, shots
from tests.rig.page.chromium import phone
from tests.rig.service.matches.match_steps import a_round, begin, sign
from tests.rig.service.table_top import table_top

pytestmark = browser_only


@pytest.mark.parametrize("language", ["en", pytest.param("fr", marks=pytest.mark.thorough)])
def test_statistics_and_webhooks(tmp_path: Path, language: str) -> None:
    receiver = Receiver()
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone(language, shots(f"statistics-{language}")) as window,
    ):
        url = str(top.client.base_url).rstrip("/")
        match = begin(top)
        for seed in range(2):
            sign(top, a_round(top, match, seed))
        window.open(f"{url}/#/history")
        window.tap("a[href='#/statistics']")
        window.find("[data-player='C'] .chart svg")
        assert "35" in window.text("[data-player='C'] .facts-list")
        told = "return document.querySelector('[data-player=C] .chart table').textContent"
        assert "35" in window.run(told), "the chart is a table to who cannot see it"
        window.shot("statistics")
        assert window.too_small() == []
        assert not window.too_wide()
        window.enlarge_text()
        assert not window.too_wide()
        window.enlarge_text(100)

        window.run(f"location.hash = '#/match/{match}'")
        window.find(".chart svg")
        window.run("document.querySelector('.chart').scrollIntoView()")
        window.shot("match-chart")

        window.open(f"{url}/#/rig")
        window.tap("[data-key='hook']")
        window.type("#hook-name", "Home")
        window.type("#hook-url", "ftp://nowhere")
        window.tap("[data-key='hook-add']")
        window.find(".toast.trouble")
        window.run("document.querySelector('#hook-url').value = ''")
        window.type("#hook-url", receiver.url)
        window.tap("[data-key='hook-add']")
        window.find(".webhooks code")
        (hook,) = top.outbox.listeners()
        assert window.text(".webhooks code") == hook.secret
        window.tap(f"[data-key='test-{hook.id}']")
        window.until(lambda: receiver.heard, "the test event")
        window.shot("webhook")
        assert window.too_small() == []
        assert not window.too_wide()
        refusals = [line for line in window.log() if "422" not in line]
        assert refusals == []
    receiver.server.shutdown()
    receiver.server.server_close()


def test_brokers_and_tokens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rig.listeners.mqtt.find_spec", lambda _: object())
    with (
        table_top(tmp_path / "rig", serve=True) as top,
        phone("fr", shots("programs-fr")) as window,
    ):
        url = str(top.client.base_url).rstrip("/")
        window.open(f"{url}/#/rig")
        window.tap("[data-key='broker']")
        window.type("#broker-url", "mqtt://127.0.0.1:9")
        window.type("#broker-username", "rig")
        window.type("#broker-password", "s3cret")
        window.tap("[data-key='broker-add']")
        window.find("[data-broker]")
        (broker,) = top.outbox.brokers()
        assert broker.broker is not None
        assert (broker.broker.password, broker.broker.topic) == ("s3cret", "tacta")
        assert broker.broker.language == "fr"
        window.find("[data-broker] .state.look")
        assert "s3cret" not in window.text("body")
        window.shot("broker")
        window.run("window.confirm = () => true")
        window.tap(f"[data-key='remove-{broker.id}']")
        window.until(lambda: not top.outbox.brokers(), "the broker's end")

        window.tap("[data-key='token']")
        window.type("#token-name", "scoreboard")
        window.tap("[data-key='token-make']")
        window.find(".tokens code")
        secret = window.text(".tokens code")
        bearer = {"Authorization": f"Bearer {secret}"}
        assert top.get("/me", **bearer).json()["role"] == "viewer"
        (token,) = top.store.tokens.all()
        window.shot("token")
        assert window.too_small() == []
        assert not window.too_wide()
        window.enlarge_text()
        assert not window.too_wide()
        window.enlarge_text(100)
        window.tap(f"[data-key='revoke-{token.id}']")
        window.find("[data-key='tokens-ended']")
        assert top.get("/me", **bearer).json()["code"] == "token-revoked"
        assert window.log() == []
