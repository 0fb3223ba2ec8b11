"""Every route against every identity, and the walls around the service."""

from __future__ import annotations

import re
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from rig.service.access.pairing import VALID_S, Invited, Pairing
from rig.service.app import admits
from rig.service.http.limits import WRONG_PINS, WRONG_PINS_IN_ALL
from rig.service.http.trouble import SecretWrong, TooManyTries
from rig.store.phones import UNUSED_S
from rig.store.store import Store
from tests.rig.service.access.phones import Clock, pair
from tests.rig.service.table_top import API, WRITE, TableTop, table_top

IDENTITIES = (None, "viewer", "player", "admin")
EVERYBODY: set[tuple[str, str]] = {
    ("GET", "/me"),
    ("POST", "/pairing"),
    ("POST", "/pairing/ask"),
    ("POST", "/pairing/asked"),
    ("GET", "/health"),
    ("GET", "/ready"),
}
VIEWERS = {
    ("GET", "/frames"),
    ("GET", "/frames/{frame}"),
    ("GET", "/frames/{frame}/reading"),
    ("GET", "/frames/{frame}/picture"),
    ("GET", "/frames/{frame}/overlay"),
    ("GET", "/frames/{frame}/corrections"),
    ("GET", "/frames/{frame}/doubts/{key}"),
    ("GET", "/frames/{frame}/illegal/{card}"),
    ("GET", "/frames/{frame}/coach"),
    ("GET", "/matches"),
    ("GET", "/matches/{match}"),
    ("GET", "/matches/{match}/rounds/{number}"),
    ("GET", "/matches/{match}/rounds/{number}/preview"),
    ("GET", "/statistics"),
    ("GET", "/game"),
    ("GET", "/game/events/{event}/picture"),
    ("GET", "/game/export"),
    ("GET", "/game/replay.webp"),
    ("GET", "/games"),
    ("GET", "/games/{game}"),
    ("GET", "/games/{game}/export"),
    ("GET", "/games/{game}/replay.webp"),
    ("GET", "/export.csv"),
    ("GET", "/export.json"),
    ("DELETE", "/me"),
    ("GET", "/asks"),
    ("POST", "/asks/{ask}/grant"),
    ("DELETE", "/asks/{ask}"),
    ("GET", "/state"),
    ("GET", "/camera"),
    ("GET", "/camera/preview"),
    ("GET", "/events"),
    ("GET", "/metrics"),
    ("GET", "/deck"),
    ("GET", "/lens"),
    ("GET", "/lens/drawings/{drawing}"),
    ("GET", "/setup"),
}
PLAYERS = {
    ("POST", "/frames"),
    ("POST", "/capture"),
    ("GET", "/frames/{frame}/scene.zip"),
    ("PUT", "/frames/{frame}/kept"),
    ("POST", "/frames/{frame}/cancel"),
    ("POST", "/frames/{frame}/corrections"),
    ("POST", "/frames/{frame}/corrections/{correction}/undo"),
    ("POST", "/frames/{frame}/together"),
    ("POST", "/matches"),
    ("PUT", "/game"),
    ("DELETE", "/game"),
    ("POST", "/game/end"),
    ("POST", "/game/frames"),
    ("POST", "/game/events/{event}/name"),
    ("POST", "/game/events/{event}/stays"),
    ("POST", "/matches/{match}/rounds"),
    ("POST", "/matches/{match}/rounds/{number}/end"),
    ("PUT", "/matches/{match}/rounds/{number}/frame"),
    ("POST", "/matches/{match}/rounds/{number}/sign"),
    ("POST", "/matches/{match}/rounds/{number}/resume"),
    ("POST", "/matches/{match}/rounds/{number}/disagree"),
    ("POST", "/matches/{match}/rounds/{number}/disagreements/{disagreement}/settle"),
    ("DELETE", "/matches/{match}/rounds/{number}"),
    ("PUT", "/matches/{match}/rounds/{number}/finished"),
    ("PUT", "/matches/{match}/players"),
    ("PUT", "/matches/{match}/seat"),
    ("POST", "/matches/{match}/seat/ask"),
    ("POST", "/lens"),
    ("DELETE", "/lens"),
    ("POST", "/lens/photos"),
    ("POST", "/lens/capture"),
    ("POST", "/lens/fit"),
    ("POST", "/lens/phone"),
}
ADMINS = {
    ("DELETE", "/frames/{frame}"),
    ("PUT", "/setup/blurring"),
    ("POST", "/matches/{match}/rounds/{number}/reopen"),
    ("DELETE", "/matches/{match}"),
    ("GET", "/webhooks"),
    ("POST", "/webhooks"),
    ("POST", "/webhooks/{hook}/test"),
    ("DELETE", "/webhooks/{hook}"),
    ("GET", "/brokers"),
    ("POST", "/brokers"),
    ("POST", "/brokers/{broker}/test"),
    ("DELETE", "/brokers/{broker}"),
    ("GET", "/tokens"),
    ("POST", "/tokens"),
    ("DELETE", "/tokens/{token}"),
    ("GET", "/phones"),
    ("DELETE", "/phones/{phone}"),
    ("POST", "/invitations"),
    ("GET", "/invitations"),
    ("DELETE", "/invitations/{invitation}"),
    ("DELETE", "/matches/{match}/seat"),
    ("PUT", "/lens"),
    ("POST", "/setup/check"),
    ("PUT", "/setup/deck"),
    ("POST", "/enrolment"),
    ("DELETE", "/enrolment"),
    ("POST", "/enrolment/photos"),
    ("POST", "/enrolment/deck"),
    ("GET", "/enrolment/sheet.pdf"),
    ("POST", "/decks"),
    ("GET", "/backups"),
    ("POST", "/backups"),
    ("GET", "/backups/{name}"),
    ("POST", "/backups/{name}/restore"),
    ("DELETE", "/backups/{name}"),
}
LEAST = {
    **dict.fromkeys(EVERYBODY, None),
    **dict.fromkeys(VIEWERS, "viewer"),
    **dict.fromkeys(PLAYERS, "player"),
    **dict.fromkeys(ADMINS, "admin"),
}
ROUTES = sorted(LEAST)


def test_every_route_stands_in_the_table() -> None:
    here = {(method, path.removeprefix(API)) for method, path in admits()}
    assert here == set(LEAST)


def test_the_document_names_the_same_routes(rig: TableTop) -> None:
    paths = rig.client.get(f"{API}/openapi.json").json()["paths"]
    described = {
        (method.upper(), path.removeprefix(API)): operation.get("x-role")
        for path, operations in paths.items()
        for method, operation in operations.items()
    }
    assert described == LEAST


def tokens(rig: TableTop) -> dict[str | None, str | None]:
    """One phone a role."""
    pair(rig.pairing, "admin")  # the first one runs the table
    return {
        None: None,
        **{role: pair(rig.pairing, role) for role in ("viewer", "player", "admin")},
    }


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with table_top(tmp_path_factory.mktemp("rig"), network=True, stream_s=0.05) as rig:
        yield rig, tokens(rig)


@pytest.fixture(scope="module")
def open_rig(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Loopback only, for those who change nothing in it."""
    with table_top(tmp_path_factory.mktemp("open")) as rig:
        yield rig


@pytest.mark.parametrize("identity", IDENTITIES)
@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_every_route_against_every_identity(
    shared: tuple[TableTop, dict[str | None, str | None]],
    method: str,
    path: str,
    identity: str | None,
) -> None:
    rig, known = shared
    if (method, path) == ("DELETE", "/me"):
        rig_tokens = {identity: pair(rig.pairing, identity) if identity else None}
    else:
        rig_tokens = {identity: known[identity]}
    token = rig_tokens[identity]
    address = re.sub(r"\{(\w+)\}", lambda found: "1" if found[1] != "frame" else "abc", path)
    headers = dict(WRITE)
    if token is not None:
        headers["Cookie"] = f"tacta_phone={token}"
    answer = rig.client.request(method, f"{API}{address}", headers=headers)
    least = LEAST[method, path]
    code = None if answer.status_code < 400 else answer.json()["code"]
    if least is None or (identity and IDENTITIES.index(identity) >= IDENTITIES.index(least)):
        assert code not in ("not-paired", "not-allowed", "header-missing"), answer.text
    elif identity is None:
        assert (answer.status_code, code) == (401, "not-paired")
    else:
        assert (answer.status_code, code) == (403, "not-allowed")


@pytest.mark.parametrize(("method", "path"), [r for r in ROUTES if r[0] != "GET"])
def test_no_write_without_the_header(open_rig: TableTop, method: str, path: str) -> None:
    address = re.sub(r"\{\w+\}", "1", path)
    answer = open_rig.client.request(method, f"{API}{address}")
    assert (answer.status_code, answer.json()["code"]) == (403, "header-missing")


def test_without_the_network_this_machine_may_do_everything(rig: TableTop) -> None:
    assert rig.get("/me").json()["role"] == "admin"
    assert rig.get("/phones").status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "", "[::1", "rig.local.evil"]
)
@pytest.mark.parametrize("path", ["/", f"{API}/health", f"{API}/frames"])
def test_strange_hosts_are_refused(open_rig: TableTop, host: str, path: str) -> None:
    answer = open_rig.client.get(path, headers={"Host": host})
    assert (answer.status_code, answer.json()["code"]) == (400, "host-refused")


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8000", "[::1]:8000", "RIG.local:1"])
def test_own_names_are_answered(open_rig: TableTop, host: str) -> None:
    assert open_rig.client.get(f"{API}/health", headers={"Host": host}).status_code == 200


def test_other_sites_are_told_nothing(rig: TableTop) -> None:
    foreign = {"Origin": "http://evil.example"}
    answer = rig.client.get(f"{API}/me", headers=foreign)
    assert not [name for name in answer.headers if name.startswith("access-control")]
    asked = {**foreign, "Access-Control-Request-Method": "POST"}
    assert rig.client.options(f"{API}/frames", headers=asked).status_code == 405


def test_pairing_by_pin_sets_a_strict_cookie(network_rig: TableTop) -> None:
    rig = network_rig
    assert rig.get("/me").json()["role"] is None
    invited = rig.pairing.invite("player")
    answer = rig.post("/pairing", {"secret": invited.pin, "name": "Ada"})
    assert (answer.status_code, answer.json()["role"]) == (201, "admin")
    cookie = answer.headers["set-cookie"].lower()
    assert all(part in cookie for part in ("httponly", "samesite=strict", "path=/", "max-age="))
    assert rig.get("/me").json()["name"] == "Ada"
    invitation = rig.post("/invitations", {"role": "viewer"}).json()
    assert invitation["qr_svg"].startswith("<?xml")
    code = invitation["link"].partition("#pair=")[2]
    rig.client.cookies.clear()
    second = rig.post("/pairing", {"secret": code, "name": "Bob"})
    assert second.json()["role"] == "viewer"


def test_a_phone_leaves_or_is_sent_away(network_rig: TableTop) -> None:
    rig = network_rig
    rig.post("/pairing", {"secret": rig.pairing.invite("player").pin, "name": "Ada"})
    other = pair(rig.pairing, "player")
    bearer = {"Authorization": f"Bearer {other}"}
    phones = rig.get("/phones").json()["phones"]
    assert [phone["role"] for phone in phones] == ["admin", "player"]
    assert rig.delete(f"/phones/{phones[1]['id']}").status_code == 204
    assert rig.delete(f"/phones/{phones[1]['id']}").json()["code"] == "phone-unknown"
    rig.client.cookies.clear()
    assert rig.get("/frames", **bearer).json()["code"] == "not-paired"
    third = pair(rig.pairing, "player")
    bearer = {"Authorization": f"Bearer {third}"}
    assert rig.client.delete(f"{API}/me", headers={**WRITE, **bearer}).status_code == 204
    assert rig.get("/frames", **bearer).status_code == 401


@pytest.mark.parametrize("secret", ["000000", "", "x", "1234567", "é" * 50])
def test_wrong_secrets_open_nothing(network_rig: TableTop, secret: str) -> None:
    network_rig.pairing.invite("player")
    answer = network_rig.post("/pairing", {"secret": secret, "name": "Eve"})
    assert answer.status_code in (403, 422)
    assert network_rig.get("/me").json()["role"] is None


@pytest.fixture
def pairing(tmp_path: Path) -> Any:
    store = Store(tmp_path / "rig", reserve_bytes=0)
    clock = Clock()
    yield Pairing(store.phones, clock, clock), clock
    store.close()


def test_a_pin_expires(pairing: tuple[Pairing, Clock]) -> None:
    door, clock = pairing
    invited = door.invite("player")
    clock.now += VALID_S + 1
    for secret in (invited.pin, invited.code):
        with pytest.raises(SecretWrong):
            door.pair(secret, "Ada", "t")


def wrong_pin(invited: Invited) -> str:
    return f"{(int(invited.pin) + 1) % 10**6:06d}"


def guess(door: Pairing, invited: Invited, address: str) -> bool:
    """Whether the guess was heard."""
    try:
        door.pair(wrong_pin(invited), "Eve", "t", address)
    except SecretWrong:
        return True
    except TooManyTries:
        return False
    raise AssertionError("a wrong PIN opened")


def test_guessing_is_slow_for_whoever_guesses(pairing: tuple[Pairing, Clock]) -> None:
    door, clock = pairing
    heard = 0
    for _ in range(9 * 60):
        invited = door.invite("player")
        heard += guess(door, invited, "eve")
        clock.now += 1
    assert heard <= WRONG_PINS
    with pytest.raises(TooManyTries):
        door.pair(invited.pin, "Eve", "t", "eve")
    assert door.pair(invited.pin, "Ada", "t", "ada")[0].name == "Ada"


def test_many_addresses_guess_no_faster(pairing: tuple[Pairing, Clock]) -> None:
    door, clock = pairing
    invited = door.invite("player")
    heard = 0
    for second in range(590):
        heard += sum(guess(door, invited, f"eve{n}") for n in range(second % 3, 60, 3))
        clock.now += 1
    assert heard < 60 + 10 * (WRONG_PINS_IN_ALL + 1)
    assert door.pair(invited.pin, "Ada", "t", "ada")[0].name == "Ada"


def test_nobody_locks_the_code_out(pairing: tuple[Pairing, Clock]) -> None:
    door, _ = pairing
    invited = door.invite("player")
    while guess(door, invited, "ada"):
        pass
    assert door.pair(invited.code, "Ada", "t", "ada")[0].name == "Ada"


def test_a_wrong_clock_locks_nobody_out(tmp_path: Path) -> None:
    store = Store(tmp_path / "rig", reserve_bytes=0)
    clock, ticks = Clock(), Clock()
    door = Pairing(store.phones, clock, ticks)
    while guess(door, door.invite("player"), "ada"):
        pass
    clock.now -= 10**9
    ticks.now += 61
    assert door.pair(door.invite("player").pin, "Ada", "t", "ada")[0].role == "admin"
    store.close()


def test_a_viewer_never_becomes_admin(pairing: tuple[Pairing, Clock], tmp_path: Path) -> None:
    door, _ = pairing
    first, token = door.pair(door.invite("player").pin, "Ada", "t")
    assert first.role == "admin"
    store = Store(tmp_path / "rig", reserve_bytes=0)
    store.phones.forget(first.id)
    assert store.phones.all() == []
    assert store.phones.by_token(token, 1000.0) is None
    for role in ("viewer", "player"):
        assert door.pair(door.invite(role).pin, f"Eve, {role}", "t")[0].role == role
    store.close()


def test_a_phone_that_nobody_uses_is_forgotten(network_rig: TableTop) -> None:
    phones = network_rig.store.phones
    phone, token = network_rig.pairing.pair(network_rig.pairing.invite("player").pin, "Ada", "t")
    now = phone.used_at
    for _ in range(3):  # each use makes it last again
        now += UNUSED_S - 3600
        assert phones.by_token(token, now) is not None
    assert network_rig.store.phones.all()[0].used_at == now
    assert phones.by_token(token, now + UNUSED_S + 3600) is None
    assert phones.all() == []


def test_a_phone_that_was_sent_away_hears_nothing_more(tmp_path: Path) -> None:
    with table_top(tmp_path / "rig", network=True, stream_s=60.0, serve=True) as rig:
        token = pair(rig.pairing, "player")
        other = pair(rig.pairing, "player")
        phone = rig.store.phones.by_token(other, time.time())
        assert phone is not None
        heard: list[str] = []

        def listen() -> None:
            bearer = {"Authorization": f"Bearer {other}", "Host": "localhost"}
            with rig.client.stream("GET", f"{API}/events", headers=bearer) as stream:
                heard.extend(stream.iter_lines())

        listening = threading.Thread(target=listen)
        listening.start()
        time.sleep(0.5)
        begun = time.monotonic()
        away = rig.client.delete(
            f"{API}/phones/{phone.id}",
            headers={**WRITE, "Authorization": f"Bearer {token}", "Host": "localhost"},
        )
        assert away.status_code == 204
        listening.join(10)
        assert not listening.is_alive()
        assert time.monotonic() - begun < 5
        assert not any("phones-changed" in line for line in heard)


def test_the_cookie_is_secure_where_the_line_is(network_rig: TableTop) -> None:
    for base, is_secure in (("http://rig.local:8000", False), ("https://rig.local:8000", True)):
        secret = network_rig.pairing.invite("player").code
        answer = network_rig.client.post(
            f"{base}{API}/pairing", json={"secret": secret, "name": "Ada"}, headers=WRITE
        )
        assert ("secure" in answer.headers["set-cookie"].lower()) == is_secure


def test_secrets_are_not_kept_in_clear(pairing: tuple[Pairing, Clock], tmp_path: Path) -> None:
    door, _ = pairing
    invited = door.invite("player")
    _, token = door.pair(invited.code, "Ada", "t")
    kept = b"".join(path.read_bytes() for path in (tmp_path / "rig").glob("rig.db*"))
    for secret in (invited.code, token):
        assert secret.encode() not in kept


def test_the_page_is_served_with_its_walls(rig: TableTop) -> None:
    page = rig.client.get("/")
    assert page.status_code == 200
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert page.headers["x-content-type-options"] == "nosniff"
    assert page.headers["x-frame-options"] == "DENY"
    etag = page.headers["etag"]
    assert rig.client.get("/", headers={"If-None-Match": etag}).status_code == 304
    assert rig.client.get("/../app.py").status_code == 404
    assert rig.client.get("/%2e%2e/app.py").status_code == 404
    assert rig.client.get("/nothing.js").json()["code"] == "not-found"
    assert rig.get("/me").headers["cache-control"] == "no-store"


def test_large_bodies_are_refused_before_they_are_read(rig: TableTop) -> None:
    answer = rig.post("/matches", {"players": [], "x": "x" * 200_000})
    assert (answer.status_code, answer.json()["code"]) == (413, "body-too-large")
