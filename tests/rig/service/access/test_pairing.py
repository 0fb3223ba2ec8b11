"""How many phones an invitation pairs, whose name is whose, and who may have whose place."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from rig.service.access.asks import VALID_S, Asks
from rig.service.http.trouble import AskUnknown
from rig.store.phones import Phone
from rig.store.schema import MIGRATIONS
from tests.rig.service.access.phones import Clock
from tests.rig.service.matches.paired_phones import paired, post
from tests.rig.service.table_top import API, WRITE, TableTop

LIKE_ADA = [" ada ", "A\u200bda", "\uff21da", "\u202eAda", "ADA", "\u0410da"]


@pytest.fixture
def table(network_rig: TableTop) -> tuple[TableTop, dict[str, dict[str, str]]]:
    """A rig, and the headers of the host's, Ada's and Eve's phones."""
    return network_rig, {name: paired(network_rig, name) for name in ("host", "Ada", "Eve")}


def knock(rig: TableTop, secret: str, name: str, path: str = "/pairing") -> Any:
    """A phone without a cookie."""
    return rig.client.post(
        f"{API}{path}",
        json={"secret": secret, "name": name},
        headers={**WRITE, "Cookie": "", "Authorization": ""},
    )


def who(rig: TableTop, token: str) -> Any:
    return rig.get("/me", Authorization=f"Bearer {token}").json()


def token_of(answer: Any) -> str:
    return str(answer.headers["set-cookie"].partition("=")[2].partition(";")[0])


def a_match(rig: TableTop, host: dict[str, str]) -> str:
    players = [{"name": "Ada", "colour": "orange"}, {"name": "Eve", "colour": "pink"}]
    return str(post(rig, host, "/matches", {"players": players}).json()["id"])


def holders(rig: TableTop, match: str, phone: dict[str, str]) -> dict[str, Any]:
    found = rig.client.get(f"{API}/matches/{match}", headers=phone).json()
    return {one["name"]: one["phone_name"] for one in found["players"]}


@pytest.mark.parametrize("phones", [1, 6])
@pytest.mark.parametrize("way", ["pin", "code"])
def test_an_invitation_pairs_as_many_phones_as_it_says(
    network_rig: TableTop, phones: int, way: str
) -> None:
    rig = network_rig
    paired(rig, "host")
    secret = getattr(rig.pairing.invite("player", phones), way)
    with ThreadPoolExecutor(8) as pool:
        found = Counter(pool.map(lambda n: knock(rig, secret, f"phone {n}").status_code, range(60)))
    assert found[201] == phones
    assert set(found) <= {201, 403, 429}
    assert len(rig.store.phones.all()) == 1 + phones


def test_a_table_is_invited_counted_and_ended_by_one_tap(table: Any) -> None:
    rig, phones = table
    invited = post(rig, phones["host"], "/invitations", {"phones": 6}).json()
    assert (invited["phones"], invited["role"]) == (6, "player")
    path = f"{API}/invitations"
    assert knock(rig, invited["pin"], "Bo").status_code == 201
    (left,) = rig.client.get(path, headers=phones["host"]).json()["invitations"]
    assert (left["id"], left["phones"], left["left"]) == (invited["id"], 6, 5)
    assert left["expires_at"] == invited["expires_at"]
    assert "pin" not in left
    assert rig.client.delete(f"{path}/{invited['id']}", headers=phones["Ada"]).status_code == 403
    assert rig.client.delete(f"{path}/{invited['id']}", headers=phones["host"]).status_code == 204
    assert rig.client.delete(f"{path}/{invited['id']}", headers=phones["host"]).status_code == 404
    assert knock(rig, invited["pin"], "Cy").json()["code"] == "secret-wrong"
    assert rig.client.get(path, headers=phones["host"]).json()["invitations"] == []


@pytest.mark.parametrize("phones", [0, -1, 21, 10**9, "6", None])
def test_no_invitation_for_any_number(table: Any, phones: object) -> None:
    rig, known = table
    assert post(rig, known["host"], "/invitations", {"phones": phones}).status_code == 422


def test_one_device_that_pairs_twice_stays_one_phone(table: Any) -> None:
    rig, phones = table
    secret = rig.pairing.invite("player", 6).pin
    before = rig.client.get(f"{API}/me", headers=phones["Eve"]).json()["phone"]
    for name in ("Mallory", "Ben", "Eve"):
        again = post(rig, phones["Eve"], "/pairing", {"secret": secret, "name": name})
        assert (again.status_code, again.json()["phone"]) == (201, before)
        phones["Eve"] = {**WRITE, "Authorization": f"Bearer {token_of(again)}"}
    names = [one.name for one in rig.store.phones.all()]
    assert names == ["host", "Ada", "Eve"]
    taken = post(rig, phones["Eve"], "/pairing", {"secret": secret, "name": "ada"})
    assert taken.json()["code"] == "name-taken"


def test_pairing_again_takes_no_right_away(table: Any) -> None:
    rig, phones = table
    secret = rig.pairing.invite("viewer").code
    again = post(rig, phones["host"], "/pairing", {"secret": secret, "name": "host"})
    assert again.json()["role"] == "admin"


@pytest.mark.parametrize("name", LIKE_ADA)
def test_a_name_that_reads_like_a_paired_one_is_taken(table: Any, name: str) -> None:
    rig, phones = table
    match = a_match(rig, phones["host"])
    secret = rig.pairing.invite("player").pin
    refused = knock(rig, secret, name)
    assert (refused.status_code, refused.json()["code"]) == (409, "name-taken")
    assert holders(rig, match, phones["Ada"]) == {"Ada": "Ada", "Eve": "Eve"}
    assert knock(rig, secret, "Another").status_code == 201, "the PIN is not used up by it"


@pytest.mark.parametrize("name", ["\u200b", "\u202e\u3164", " "])
def test_a_name_needs_letters_that_are_seen(table: Any, name: str) -> None:
    rig, _ = table
    refused = knock(rig, rig.pairing.invite("player").pin, name)
    assert (refused.status_code, refused.json()["code"]) == (422, "name-unreadable")


@pytest.mark.parametrize("by", ["Ada", "host"])
def test_her_new_phone_is_granted_by_her_or_by_the_host(table: Any, by: str) -> None:
    rig, phones = table
    match = a_match(rig, phones["host"])
    before = rig.client.get(f"{API}/me", headers=phones["Ada"]).json()["phone"]
    secret = rig.pairing.invite("player").pin
    asked = knock(rig, secret, "ada", "/pairing/ask")
    assert (asked.status_code, asked.json()["name"]) == (202, "Ada")
    key = {"key": asked.json()["key"]}
    assert rig.post("/pairing/asked", key).status_code == 202
    assert knock(rig, secret, "Bo").json()["code"] == "secret-wrong", "one PIN, one phone"
    (ask,) = rig.client.get(f"{API}/asks", headers=phones[by]).json()["asks"]
    assert (ask["kind"], ask["of"], ask["mine"]) == ("phone", "Ada", False)
    assert rig.client.get(f"{API}/asks", headers=phones["Eve"]).json()["asks"] == []
    refused = post(rig, phones["Eve"], f"/asks/{ask['id']}/grant")
    assert (refused.status_code, refused.json()["code"]) == (403, "not-allowed")
    assert post(rig, phones[by], f"/asks/{ask['id']}/grant").status_code == 200
    new = rig.post("/pairing/asked", key)
    assert (new.status_code, new.json()["name"], new.json()["phone"]) == (201, "Ada", before)
    assert who(rig, token_of(new))["role"] == "player"
    old = rig.client.get(f"{API}/frames", headers=phones["Ada"])
    assert (old.status_code, old.json()["code"]) == (401, "not-paired")
    assert [one.name for one in rig.store.phones.all()] == ["host", "Ada", "Eve"]
    assert holders(rig, match, phones["host"]) == {"Ada": "Ada", "Eve": "Eve"}


def test_her_new_phone_is_refused(table: Any) -> None:
    rig, phones = table
    asked = knock(rig, rig.pairing.invite("player").pin, "ada", "/pairing/ask").json()
    (ask,) = rig.client.get(f"{API}/asks", headers=phones["Ada"]).json()["asks"]
    assert rig.client.delete(f"{API}/asks/{ask['id']}", headers=phones["Eve"]).status_code == 403
    assert rig.client.delete(f"{API}/asks/{ask['id']}", headers=phones["Ada"]).status_code == 204
    assert rig.post("/pairing/asked", {"key": asked["key"]}).json()["code"] == "ask-refused"
    late = post(rig, phones["Ada"], f"/asks/{ask['id']}/grant")
    assert late.json()["code"] == "ask-unknown"
    assert rig.client.get(f"{API}/frames", headers=phones["Ada"]).status_code == 200


def test_asking_needs_an_invitation_and_somebody_of_that_name(table: Any) -> None:
    rig, _ = table
    assert knock(rig, "nothing", "Ada", "/pairing/ask").json()["code"] == "secret-wrong"
    secret = rig.pairing.invite("player").code
    assert knock(rig, secret, "Nobody", "/pairing/ask").json()["code"] == "phone-unknown"
    assert rig.post("/pairing/asked", {"key": "x"}).json()["code"] == "ask-unknown"


def test_an_ask_lasts_ten_minutes() -> None:
    clock = Clock()
    asks = Asks(clock)
    ask, key = asks.for_phone(Phone("p", "Ada", "player", "2024"))
    clock.now += VALID_S - 1
    assert asks.by_key(key) == asks.get(ask.id) == ask
    clock.now += 1
    with pytest.raises(AskUnknown):
        asks.by_key(key)
    with pytest.raises(AskUnknown):
        asks.answer(ask.id, "granted")


def seat(rig: TableTop, phone: dict[str, str], match: str, player: str) -> Any:
    return rig.client.put(f"{API}/matches/{match}/seat", json={"player": player}, headers=phone)


def test_the_seat_is_the_own_names_though_another_took_it_before(table: Any) -> None:
    rig, phones = table
    players = [{"name": "Cleo", "colour": "orange"}, {"name": "Dan", "colour": "pink"}]
    match = str(post(rig, phones["host"], "/matches", {"players": players}).json()["id"])
    assert seat(rig, phones["Eve"], match, "Cleo").status_code == 200
    assert holders(rig, match, phones["host"]) == {"Cleo": "Eve", "Dan": None}
    cleo = paired(rig, "cleo")
    assert holders(rig, match, phones["host"]) == {"Cleo": "cleo", "Dan": None}
    assert seat(rig, phones["Eve"], match, "Cleo").json()["code"] == "seat-taken"
    assert seat(rig, cleo, match, "Dan").json()["code"] == "already-seated"


@pytest.mark.parametrize("by", ["Ada", "host"])
def test_another_phone_asks_for_a_seat(table: Any, by: str) -> None:
    rig, phones = table
    match = a_match(rig, phones["host"])
    bo = paired(rig, "Bo")
    assert seat(rig, bo, match, "Ada").json()["code"] == "seat-taken"
    path = f"/matches/{match}/seat/ask"
    (mine,) = post(rig, bo, path, {"player": "Ada"}).json()["asks"]
    assert (mine["mine"], mine["name"], mine["of"]) == (True, "Bo", "Ada")
    assert post(rig, bo, f"/asks/{mine['id']}/grant").json()["code"] == "not-allowed"
    assert post(rig, phones["Eve"], f"/asks/{mine['id']}/grant").json()["code"] == "not-allowed"
    assert post(rig, phones[by], f"/asks/{mine['id']}/grant").json()["asks"] == []
    assert holders(rig, match, bo) == {"Ada": "Bo", "Eve": "Eve"}
    eve = post(rig, phones["Eve"], path, {"player": "Ada"})
    assert (eve.status_code, eve.json()["code"]) == (409, "already-seated")


def test_a_seat_is_freed_by_the_host(table: Any) -> None:
    rig, phones = table
    match = a_match(rig, phones["host"])
    path = f"{API}/matches/{match}/seat?player=Ada"
    assert rig.client.delete(path, headers=phones["Eve"]).status_code == 403
    freed = rig.client.delete(path, headers=phones["host"])
    assert [one["phone_name"] for one in freed.json()["players"]] == [None, "Eve"]
    assert freed.json()["history"][-1]["what"] == "seat-freed"
    assert seat(rig, phones["Eve"], match, "Ada").json()["code"] == "already-seated"
    bo = paired(rig, "Bo")
    assert seat(rig, bo, match, "Ada").status_code == 200
    assert holders(rig, match, bo) == {"Ada": "Bo", "Eve": "Eve"}
    assert seat(rig, phones["Ada"], match, "Ada").json()["code"] == "seat-taken"


def test_one_device_never_signs_for_both_players(table: Any) -> None:
    """Whatever a player's phone does with names, seats and invitations."""
    rig, phones = table
    match = a_match(rig, phones["host"])
    rig.client.headers.update(phones["host"])
    frame = rig.frame(1)
    post(rig, phones["host"], f"/matches/{match}/rounds")
    ended = post(rig, phones["host"], f"/matches/{match}/rounds/1/end", {"frame": frame}).json()
    secret = rig.pairing.invite("player", 20).pin
    eve = phones["Eve"]

    def rename(*players: tuple[str | None, str]) -> Any:
        version = rig.client.get(f"{API}/matches/{match}", headers=eve).json()["version"]
        wish = [
            {"was": was, "name": name, "colour": colour}
            for (was, name), colour in zip(players, ("orange", "pink"), strict=True)
        ]
        return rig.client.put(
            f"{API}/matches/{match}/players",
            json={"version": version, "players": wish},
            headers=eve,
        )

    tries: list[tuple[str, Any]] = [
        ("seat", lambda: seat(rig, eve, match, "Ada")),
        ("pair", lambda: post(rig, eve, "/pairing", {"secret": secret, "name": "A\u200bda"})),
        ("second", lambda: knock(rig, secret, "\uff21da")),
        ("remove", lambda: rename((None, "Mallory"), ("Eve", "Eve"))),
        ("namesake", lambda: rename(("Ada", "Eve "), ("Eve", "Zed"))),
        ("swap", lambda: rename(("Eve ", "Zed"), ("Zed", "Eve "))),
    ]
    for name, attempt in tries:
        attempt()
        now = rig.client.get(f"{API}/matches/{match}", headers=eve).json()
        for player in [one["name"] for one in now["players"]]:
            seat(rig, eve, match, player)
        now = rig.client.get(f"{API}/matches/{match}", headers=eve).json()
        held = [one["phone_name"] for one in now["players"]]
        assert len(set(held) - {None}) == len([one for one in held if one]), (name, held)
        signed = [
            post(
                rig, eve, f"/matches/{match}/rounds/1/sign",
                {"frame_version": ended["frame_version"], "player": one["name"]},
            ).status_code
            for one in now["players"]
        ]  # fmt: skip
        assert 403 in signed, (name, signed)
    found = rig.client.get(f"{API}/matches/{match}/rounds/1", headers=eve).json()
    assert (found["state"], len(found["signatures"])) == ("ended", 1)


def test_a_phone_takes_back_its_own_photos_only(table: Any) -> None:
    rig, phones = table
    rig.reader.may_end.clear()
    sent = {
        name: rig.upload(_photo(seed), Prefer="respond-async", **phones[name]).json()["id"]
        for seed, name in enumerate(("Ada", "Eve", "host"))
    }
    for name, frame in sent.items():
        if name != "Eve":
            refused = post(rig, phones["Eve"], f"/frames/{frame}/cancel")
            assert (refused.status_code, refused.json()["code"]) == (403, "not-your-photo")
    assert post(rig, phones["Eve"], f"/frames/{sent['Eve']}/cancel").status_code == 204
    assert post(rig, phones["host"], f"/frames/{sent['Ada']}/cancel").status_code == 204
    rig.reader.may_end.set()


def _photo(seed: int) -> bytes:
    from tests.rig.service.table_top import jpeg

    return jpeg(500 + seed)


def test_stores_of_before_are_read(tmp_path: Path) -> None:
    import sqlite3

    from rig.store.store import DATABASE, Store

    connection = sqlite3.connect(tmp_path / DATABASE)
    before = next(n for n, sql in enumerate(MIGRATIONS) if "ALTER TABLE invitations" in sql)
    for statements in MIGRATIONS[:before]:
        connection.executescript(statements)
    connection.execute(f"PRAGMA user_version = {before}")
    connection.execute("INSERT INTO invitations VALUES (1, 'c', 'p', 'player', 2000.0, 0)")
    connection.execute("INSERT INTO phones VALUES ('a', 't', 'Ada', 'player', '2024', 0)")
    connection.commit()
    connection.close()
    store = Store(tmp_path, reserve_bytes=0)
    assert [one.name for one in store.phones.all()] == ["Ada"]
    assert [(one.phones, one.left) for one in store.phones.open_invitations(1000.0)] == [(1, 1)]
    store.close()
